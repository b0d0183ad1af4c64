"""The conversion of bodies to LLVM: phases in a fixed order, with one type converter for all of them.

| phase | effect | where its step is |
|---|---|---|
| main | converts `nv_tileas` and the rest of `nv_tileaa` | back end |
| functions | adds the functions that kernels call | back end for GPUs |
| clean-up | converts `scf`, `arith`, `math`, `cf`, `func`, `ub` | this file |
| reconcile | removes unrealized casts; a cast that stays fails the module | this file |
| survivors | fails the module if an operation of another dialect is left | this file |

A phase is skipped where the back end has no step for it.  This module is for all machines: the pass of a target passes
its `BackEnd`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from tilewright.dialects.builtin.dialect import ModuleOp, UnrealizedConversionCastOp
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity, failure
from tilewright.ir.operation import Operation
from tilewright.lowering import capability as lowering_capability, codes, pattern, target_facts
from tilewright.lowering.llvm_types.converter import LLVMOptions, LLVMTypeConverter
from tilewright.lowering.tileaa_to_tileas.bridge import may_stay
from tilewright.lowering.upstream_to_llvm.everything import populate_all
from tilewright.passes.pass_ import PassState
from tilewright.rewrite.conversion import bridges, driver
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.pattern_set import RewritePatternSet

NO_CAPABILITY = "Failed to get ComputeCapability"
"""The text is an interface: tools search for it."""
SOURCE_DIALECT = "nv_tileaa"


@dataclass(slots=True)
class BodyState:
    """One run of the conversion: the module, the state of the pass (``passes``), the type converter that all
    phases share, and the target. ``dialects`` are the dialects that the module may have at the end;
    ``companions`` are those among them that later passes convert.
    """

    module: Operation
    passes: PassState
    converter: LLVMTypeConverter
    target: lowering_capability.Capability
    dialects: frozenset[str] = frozenset({"llvm"})
    """The dialects whose operations are allowed in the module at the end."""
    companions: frozenset[str] = frozenset()
    """The dialects among `dialects` that later passes convert."""


Step = Callable[[BodyState], None]


class BackEnd(Protocol):
    """The interface of a target to the conversion, which `CpuBackEnd` and `NvptxBackEnd` implement: the
    dialects of its code, and functions that run in some of the `PHASES`, by the name of the phase.
    """

    @property
    def name(self) -> str:
        """The name of the target that the back end makes code for, for messages."""
        ...

    def makes_code_for(self, target: lowering_capability.Capability) -> bool:
        """Return whether the back end converts modules for `target`."""
        ...

    @property
    def dialects(self) -> frozenset[str]:
        """The dialects of the code that the back end makes. At the end the module may have no operations of
        other dialects, except those in `companions`.
        """
        ...

    @property
    def companions(self) -> frozenset[str]:
        """The dialects whose operations may remain beside the code of the back end: later passes convert
        them, and reconcile their casts.
        """
        ...

    def steps(self) -> Mapping[str, Step]:
        """Return the steps of the back end by the names of their phases, which are in `PHASES`."""
        ...


PHASES = ("main", "functions", "clean-up", "reconcile", "survivors")
"""The names of the phases, in the order in which they run."""


def clean_up(state: BodyState) -> None:
    """Convert the operations that are in no dialect of `state`, with the patterns for the standard dialects
    and the shared converter. Raises `DiagnosticError` if one has no conversion.
    """
    if not left_over(state):
        return
    patterns = RewritePatternSet(state.passes.context)
    populate_all(patterns, state.converter)
    target = (
        ConversionTarget().add_legal_dialect(*sorted(state.dialects)).add_legal(UnrealizedConversionCastOp)
    )
    config = driver.ConversionConfig(type_converter=state.converter)
    pattern.convert(state.module, state.passes, target, patterns, config)


def left_over(state: BodyState) -> list[Operation]:
    """Return the operations of the module that are not in the dialects of `state`, except builtin modules,
    and casts, which a later phase handles.
    """
    dialects, around = state.dialects, (ModuleOp, UnrealizedConversionCastOp)
    return [
        op for op in state.module.walk() if op.kind.dialect not in dialects and not isinstance(op, around)
    ]


def refuse_survivors(state: BodyState) -> None:
    """Raise `DiagnosticError`, with an error for each operation of `left_over`, if there are any."""
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
    "reconcile": lambda state: bridges.require_no_casts(state.module, state.companions),
    "survivors": refuse_survivors,
}


def convert_to_llvm(op: Operation, passes: PassState, back_end: BackEnd, index_width: int = 0) -> BodyState:
    """Run all phases on a module, and return their state. ``index_width`` is the width of `index` in bits, 0
    for 64.

    Raises `DiagnosticError` if the module names no target of ``back_end`` or is not in TileAS form, and for
    operations that cannot be converted. The module may be changed by then; the caller restores it.
    """
    target = required_target(op, back_end)
    require_tileas_form(op)
    converter = LLVMTypeConverter(passes.context, LLVMOptions(index_width or 64, elements=target.elements))
    companions = back_end.companions
    state = BodyState(op, passes, converter, target, back_end.dialects | companions, companions)
    steps = {**back_end.steps(), **OWN_STEPS}
    for name in PHASES:
        if name in steps:
            steps[name](state)
    return state


def required_target(op: Operation, back_end: BackEnd) -> lowering_capability.Capability:
    """Return the target of a module. Raises `DiagnosticError` if it names none, or one of another back end."""
    target = target_facts.target_of(op)
    if target is None:
        hint = "run `convert-tileaa-to-tileas` before: it writes down what code is made for"
        raise failure(codes.NO_COMPUTE_CAPABILITY, NO_CAPABILITY, op.location, hint=hint)
    if not back_end.makes_code_for(target):
        text = f"the back end for {back_end.name} does not make code for {target.chip}"
        hint = "compile for the host: compute-capability=host"
        raise failure(codes.WRONG_BACK_END, text, op.location, hint=hint)
    return target


def require_tileas_form(op: Operation) -> None:
    """Raise `DiagnosticError`, with an error for each of them, if a module has operations of `nv_tileaa` that
    are not allowed after the conversion to `nv_tileas`.
    """
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
