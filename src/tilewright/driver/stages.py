"""Tables of the stages of a compilation, from Tile IR to machine code.

To add a stage is to add a row: which stage it is made from, how, and how it is written down.  The stages here are those
that all targets share; each target lists its own, which begin after TileAS.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from tilewright.driver import options as driver_options, target as driver_target
from tilewright.targets.stage import Compilation, Maker, Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tilewright.dialects.cuda_tile.version import Version
    from tilewright.ir.operation import Operation


@dataclass(frozen=True, slots=True, init=False)
class CompileOptions:
    """How to compile.

    - ``pipeline``: passes to run on the module first, such as ``canonicalize,cse``.
    - ``bytecode_version``: of the stage ``bytecode``; None is the oldest one that holds the module.
    - ``debug_info``: whether stages that are text show locations, and LLVM IR, assembly and objects have line tables.
    - ``opt_level``: how much the optimizer does before Tile IR is lowered, 0 to 3; results do not depend on it.
    - ``verify_each``: whether the verifier runs after each pass, and not only after each stage; it does after each of
      ``pipeline``.
    - ``checks``: names of run-time checks that the code makes, as for `tilewright.launch`: a comma-separated text or
      several names, which become a tuple in the order of `tilewright.driver.options.CHECKS`.
    - ``of_target``: options that targets declare, as names with values.  They are keywords, too:
      ``CompileOptions(cpu="x86-64-v3", isolate=True)``.  Of the CPU, ``cpu`` is the processor that code is made for
      (``host`` is this one; ``tilewright compile --cpu`` completes the others), and ``isolate`` says whether LLVM makes
      the code in a process of its own.  With ``record_times`` tile blocks record when and on which thread they ran
      (`tilewright.runtime.recording`).

    Raises `DiagnosticError` for an unknown check, or an option that no target has.
    """

    pipeline: str
    bytecode_version: Version | tuple[int, int] | None
    debug_info: bool
    opt_level: int
    verify_each: bool
    checks: tuple[str, ...]
    of_target: tuple[tuple[str, str | bool], ...]

    def __init__(
        self,
        pipeline: str = "",
        bytecode_version: Version | tuple[int, int] | None = None,
        debug_info: bool = False,
        opt_level: int = driver_options.OPT_LEVEL.default,
        *,
        verify_each: bool = False,
        checks: str | Iterable[str] = (),
        of_target: Mapping[str, str | bool] | Iterable[tuple[str, str | bool]] = (),
        **more: str | bool,
    ) -> None:
        values = (pipeline, bytecode_version, debug_info, opt_level, verify_each)
        names = ("pipeline", "bytecode_version", "debug_info", "opt_level", "verify_each")
        for name, value in zip(names, values, strict=True):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "checks", driver_options.check_names(checks))
        object.__setattr__(self, "of_target", driver_target.checked_options({**dict(of_target), **more}))


class SharedCompilation(Compilation, Protocol):
    """A compilation with its `options` and its `target`, which the stages that all targets share need beside
    the members of `Compilation`.
    """

    @property
    def options(self) -> CompileOptions:
        """Return the options of the compilation."""
        ...

    @property
    def target(self) -> driver_target.Target:
        """Return the target of the compilation."""
        ...


def as_bytecode(artifact: SharedCompilation, module: Operation) -> bytes:
    """Return the module as Tile IR bytecode of the version in the options, by default the oldest version that
    can represent it; the module is not verified. Raises `DiagnosticError` if the version cannot hold it.
    """
    from tilewright.bytecode.writer.module import write_bytecode

    return write_bytecode(module, artifact.options.bytecode_version, verify=False)


def through(pipeline: str) -> Maker:
    """Return the maker of a stage that runs the passes of ``pipeline`` on a copy of the module of the
    previous stage.
    """

    def make(artifact: SharedCompilation, module: Operation) -> Operation:
        return artifact.run_passes(module.clone(), pipeline, pipeline)

    return make


def to_tileaa(artifact: SharedCompilation, module: Operation) -> Operation:
    """Return a copy of a module, converted from Tile IR to `nv_tileaa`: insert the selected checks of values,
    optimise, convert, and mark the accesses to check.
    """
    from tilewright.driver.preparation import insert_checks, mark_accesses, optimise, wrapped

    made = wrapped(module)
    insert_checks(artifact, made)
    optimise(artifact, made)
    pipeline = f"convert-cuda-tile-to-tileaa{{compute-capability={artifact.target.capability}}}"
    made = artifact.run_passes(made, pipeline, "convert to tileaa")
    mark_accesses(artifact, made)
    return made


def to_tileas(artifact: SharedCompilation, module: Operation) -> Operation:
    """Return a copy of a module, converted to `nv_tileas`; calls are inlined first."""
    from tilewright.dialects.nv_tileaa.ops.program import CallOp

    calls = any(isinstance(op, CallOp) for op in module.walk())
    pipeline = "inline,convert-tileaa-to-tileas" if calls else "convert-tileaa-to-tileas"
    return artifact.run_passes(module.clone(), pipeline, "convert to tileas")


STAGES: dict[str, Stage] = {
    stage.name: stage
    for stage in (
        Stage("tileir", "the module in Tile IR, as text", ".mlir"),
        Stage("bytecode", "the module in Tile IR, as bytecode", ".tileirbc", "tileir", write=as_bytecode),
        Stage("tileaa", "tiles with alias analysis, as text", ".tileaa.mlir", "tileir", to_tileaa),
        Stage("tileas", "tiles with layouts and schedules, as text", ".tileas.mlir", "tileaa", to_tileas),
    )
}
"""The stages that all targets share, in order."""


def stages_of(target: driver_target.Target) -> dict[str, Stage]:
    """Return every stage on the way to a target's code by name, in order."""
    return {**STAGES, **{stage.name: stage for stage in target.stages}}


def is_made_from(stage: Stage, input_stage: str, stages: Mapping[str, Stage]) -> bool:
    """Return whether `stage` can be made from a module given in the stage `input_stage`: `input_stage` is
    `stage` or on the way to it.
    """
    current: Stage | None = stage
    while current is not None and current.name != input_stage:
        current = stages[current.source] if current.source is not None else None
    return current is not None


def text_stage(text: str) -> str | None:
    """Return the name of the stage of some target whose text this is, such as LLVM IR; None for other text,
    such as MLIR.
    """
    rows = (stage for target in driver_target.one_of_each_kind() for stage in target.stages)
    return next((row.name for row in rows if row.recognises is not None and row.recognises(text)), None)


def option_values(target: driver_target.Target, options: CompileOptions) -> dict[str, Any]:
    """Return the values of all options of a target: those given, or else the defaults."""
    given = dict(options.of_target)
    return {option.name: given.get(option.name, option.default) for option in target.options}


def input_stage(module: Operation) -> str:
    """Return the name of the stage of a module that is to be compiled: the value of its attribute `STAGE`,
    or, without this attribute, the stage that its dialects indicate.

    A module with operations of Tile IR is of the stage ``tileir``; otherwise the first dialect of `_LOWERED`
    that occurs decides, and ``tileir`` is the stage if none does. Tiles that have layouts are of the stage
    ``layouts``.
    """
    from tilewright.dialects.nv_tileaa.discardable import STAGE

    mark = module.attributes.get(STAGE)
    if mark is not None:
        return str(getattr(mark, "value", ""))
    dialects = {op.kind.dialect for op in module.walk()}
    if "cuda_tile" in dialects:
        return "tileir"
    found = next((stage for dialect, stage in _LOWERED if dialect in dialects), "tileir")
    return "layouts" if found in _TILES and _has_layouts(module) else found


_LOWERED = (("nv_tileas", "tileas"), ("nv_tileaa", "tileaa"), ("llvm", "llvm"))
"""Pairs of a dialect and the stage of modules with operations of it; the first dialect that occurs decides.
"""
_TILES = ("tileas", "tileaa")


def _has_layouts(module: Operation) -> bool:
    """Return whether the type of a result in the module has a layout: its tiles are distributed to threads."""
    values = (value for op in module.walk() for value in op.results)
    return any(getattr(value.type, "encoding", None) is not None for value in values)
