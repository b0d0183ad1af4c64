"""The conversion of bodies to LLVM: phases in fixed order, one converter, and a back end that does the main work.

| phase | what it does | whose |
|---|---|---|
| decompose-print | takes printing apart | back end |
| bufferize | decides what lies in memory | back end |
| scratch | memory that tile blocks share (`@global_smem`) | back end |
| main | what is left of `nv_tileaa`, and `nv_tileas` | back end |
| bulk, barriers, companions | copies in bulk, barriers, layouts and atoms | back end |
| pipelines | producers and consumers; left out where there are none | back end |
| clean-up | `scf`, `arith`, `math`, `cf`, `func`, `ub` | here |
| reconcile | bridges; one that is left fails the module | here |
| survivors | anything that is not `llvm` fails the module | here |
| pieces | functions that are too long are split | back end |

Phases without a step of the back end do nothing.  This floor knows no machine: the pass of a target hands in its
`BackEnd`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntFlag
from typing import Protocol

from tilewright.dialects.builtin.ops import ModuleOp, UnrealizedConversionCastOp
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity, failure
from tilewright.ir.operation import Operation
from tilewright.lowering import codes, conversion
from tilewright.lowering.capability import Capability
from tilewright.lowering.llvm_types.converter import LLVMOptions, LLVMTypeConverter
from tilewright.lowering.target_facts import target_of
from tilewright.lowering.tileaa_to_tileas.bridge import may_stay
from tilewright.lowering.upstream_to_llvm.everything import populate_all
from tilewright.passes.pass_ import PassState
from tilewright.rewrite.conversion.bridges import require_no_casts
from tilewright.rewrite.conversion.driver import ConversionConfig
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.pattern_set import RewritePatternSet

NO_CAPABILITY = "Failed to get ComputeCapability"
NO_PRINT = "fails to decompose print ops"
NO_BUFFERS = "fails to do bufferization analysis"
"""The texts are contract: tools look for them."""
SOURCE_DIALECT = "nv_tileaa"
PIPELINES = "nv_tileas.async.pipeline."


class Word(IntFlag):
    """What is known of a run."""

    NONE = 0
    SKIP_PIPELINES = 1
    INDEX_WIDTH_SET = 2
    FAILED = 4


@dataclass(slots=True)
class BodyState:
    """One run: the module, the converter that everything shares, and what code is made for."""

    module: Operation
    passes: PassState
    converter: LLVMTypeConverter
    target: Capability
    word: Word = field(default=Word.NONE)
    dialects: frozenset[str] = frozenset({"llvm"})
    """What the module may consist of at the end."""
    companions: frozenset[str] = frozenset()
    """Those of them that later passes convert."""


Step = Callable[[BodyState], None]


class BackEnd(Protocol):
    """What a target contributes: steps for some of the phases, by their names."""

    @property
    def name(self) -> str:
        """What the back end makes code for."""
        ...

    def makes_code_for(self, target: Capability) -> bool:
        """Whether a module for this target is its business."""
        ...

    @property
    def dialects(self) -> frozenset[str]:
        """The dialects of its code."""
        ...

    @property
    def companions(self) -> frozenset[str]:
        """Dialects that may be left over beside its code: later passes convert them, and reconcile their bridges."""
        ...

    def steps(self) -> Mapping[str, Step]:
        """What is done in the phases of `PHASES` that belong to the back end."""
        ...


@dataclass(frozen=True, slots=True)
class Phase:
    """A name, and what is said in front of the diagnostics when the phase fails."""

    name: str
    failure: str = ""


PHASES: tuple[Phase, ...] = (
    Phase("decompose-print", NO_PRINT),
    Phase("bufferize", NO_BUFFERS),
    Phase("scratch"),
    Phase("main"),
    Phase("bulk"),
    Phase("barriers"),
    Phase("companions"),
    Phase("pipelines"),
    Phase("clean-up"),
    Phase("reconcile"),
    Phase("survivors"),
    Phase("pieces"),
)
"""In the order in which they run."""


def clean_up(state: BodyState) -> None:
    """Convert what the back end left of the standard dialects, under the shared converter."""
    if not left_over(state):
        return
    patterns = RewritePatternSet(state.passes.context)
    populate_all(patterns, state.converter)
    target = (
        ConversionTarget().add_legal_dialect(*sorted(state.dialects)).add_legal(UnrealizedConversionCastOp)
    )
    config = ConversionConfig(type_converter=state.converter)
    conversion.convert(state.module, state.passes, target, patterns, config)


def left_over(state: BodyState) -> list[Operation]:
    """The operations of the module that are of other dialects than the code of the back end.

    Bridges are the business of a phase of their own.
    """
    dialects, around = state.dialects, (ModuleOp, UnrealizedConversionCastOp)
    return [
        op for op in state.module.walk() if op.kind.dialect not in dialects and not isinstance(op, around)
    ]


def refuse_survivors(state: BodyState) -> None:
    """Raise `DiagnosticError` if anything but `llvm` is left."""
    errors = [_survivor(op) for op in left_over(state)]
    if errors:
        raise DiagnosticError(errors)


def _survivor(op: Operation) -> Diagnostic:
    message = f"'{op.name}' was left over after the conversion to LLVM"
    return Diagnostic(Severity.ERROR, message, op.location, codes.LEFT_BEHIND).hint(
        "inline functions that are no kernels; `--mlir-print-ir-before-all` shows what the operation was made from"
    )


OWN_STEPS: Mapping[str, Step] = {
    "clean-up": clean_up,
    "reconcile": lambda state: require_no_casts(state.module, state.companions),
    "survivors": refuse_survivors,
}


def convert_to_llvm(op: Operation, passes: PassState, back_end: BackEnd, index_width: int = 0) -> BodyState:
    """Run all phases.  Raises `DiagnosticError` with what stood in the way; the caller restores the module."""
    target = required_target(op, back_end)
    require_tileas_form(op)
    converter = LLVMTypeConverter(passes.context, LLVMOptions(index_width or 64, elements=target.elements))
    companions = back_end.companions
    state = BodyState(op, passes, converter, target, Word.NONE, back_end.dialects | companions, companions)
    if index_width:
        state.word |= Word.INDEX_WIDTH_SET
    if not any(inner.name.startswith(PIPELINES) for inner in op.walk()):
        state.word |= Word.SKIP_PIPELINES
    steps = {**back_end.steps(), **OWN_STEPS}
    for phase in PHASES:
        if phase.name in steps and not (phase.name == "pipelines" and Word.SKIP_PIPELINES in state.word):
            run_phase(phase, steps[phase.name], state)
    return state


def required_target(op: Operation, back_end: BackEnd) -> Capability:
    """What a module is for.  Raises `DiagnosticError` if it does not say, or if that is not the back end's business."""
    target = target_of(op)
    if target is None:
        hint = "run `convert-tileaa-to-tileas` before: it writes down what code is made for"
        raise failure(codes.NO_COMPUTE_CAPABILITY, NO_CAPABILITY, op.location, hint=hint)
    if not back_end.makes_code_for(target):
        text = f"the back end for {back_end.name} does not make code for {target.chip}"
        hint = "compile for the host: compute-capability=host"
        raise failure(codes.WRONG_BACK_END, text, op.location, hint=hint)
    return target


def require_tileas_form(op: Operation) -> None:
    """Raise `DiagnosticError` if a module still holds operations of `nv_tileaa` that are not on the bridge."""
    errors = [
        _not_converted(inner)
        for inner in op.walk()
        if inner.kind.dialect == SOURCE_DIALECT and not may_stay(inner)
    ]
    if errors:
        raise DiagnosticError(errors)


def _not_converted(op: Operation) -> Diagnostic:
    message = f"'{op.name}' is not in TileAS form: only operations of `{SOURCE_DIALECT}` without a counterpart may stay"
    hint = "run `convert-tileaa-to-tileas` before the conversion to LLVM"
    return Diagnostic(Severity.ERROR, message, op.location, codes.NOT_TILEAS_FORM).hint(hint)


def run_phase(phase: Phase, step: Step, state: BodyState) -> None:
    """One phase; its own text stands in front of what went wrong."""
    try:
        step(state)
    except DiagnosticError as error:
        state.word |= Word.FAILED
        if not phase.failure:
            raise
        first = error.diagnostics[0]
        head = Diagnostic(Severity.ERROR, phase.failure, first.location, first.code)
        raise DiagnosticError([head, *error.diagnostics]) from error
