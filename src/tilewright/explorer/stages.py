"""The stages of a compilation as a page shows them: texts whose lines are linked to the program, and pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tilewright.driver.artifact import Artifact
from tilewright.driver.bindings import Module
from tilewright.explorer import layout_pictures, machine_code, places as explorer_places, texts
from tilewright.explorer.schema import ScheduleBar, StageRecord
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.lowering.triton_to_cuda_tile.source_columns import in_our_columns
from tilewright.targets.cpu.stages import schedule_of

_UNREADABLE = frozenset({"bytecode", "plan-json", "object", "cubin"})
"""The stages that a page leaves out: they are binary, or meant for programs."""


def _machine_code(artifact: Artifact, places: explorer_places.SourcePositions) -> texts.Linked:
    cubin = artifact.asm["cubin"]
    assert isinstance(cubin, bytes), "assemblers write bytes"
    return machine_code.of_machine_code(str(artifact.asm["sass"]), cubin, places)


_READERS: dict[str, tuple[str, Callable[[Artifact, explorer_places.SourcePositions], texts.Linked]]] = {
    "llvm": ("llvm", lambda artifact, places: texts.of_llvm_ir(str(artifact.asm["llvm"]), places)),
    "asm": ("asm", lambda artifact, places: texts.of_assembly(str(artifact.asm["asm"]), places)),
    "ptx": ("ptx", lambda artifact, places: texts.of_assembly(str(artifact.asm["ptx"]), places)),
    "sass": ("sass", _machine_code),
}
"""The language of stages that are texts of tools, and their texts with the places of their lines."""


def stages_of(artifact: Artifact, places: explorer_places.SourcePositions) -> list[StageRecord]:
    """Return the readable stages of a compilation.

    A stage that cannot be made has the reason instead of its text.
    """
    return [stage_of(artifact, name, places) for name in readable_stages(artifact)]


def readable_stages(artifact: Artifact) -> list[str]:
    """Return the names of the stages of a compilation that people can read, in order."""
    return [name for name in artifact.stages() if name not in _UNREADABLE]


def of_triton(text: str, places: explorer_places.SourcePositions) -> StageRecord:
    """Return the stage before Tile IR of a Triton kernel: Triton's own IR, as Triton wrote it."""
    module = Module.parse(text, name="<ttir>").operation
    for op in module.walk():
        op.location = in_our_columns(op.location)
    return _of_text("ttir", "Triton's own IR, after its passes", "mlir", texts.of_module(module, places))


def stage_of(artifact: Artifact, name: str, places: explorer_places.SourcePositions) -> StageRecord:
    """Return a readable stage of a compilation, with the places of its lines. A stage that cannot be made has
    the reason instead of its text.
    """
    row = artifact.rows[name]
    try:
        if row.translate is None and row.write is artifact.rows["tileir"].write:
            return _of_module(artifact, name, places)
        if name in _READERS:
            language, read = _READERS[name]
            return _of_text(name, row.summary, language, read(artifact, places))
        made = _of_text(name, row.summary, "text", texts.plain(str(artifact.asm[name])))
        return replace(made, schedule=_schedule(artifact, places)) if name == "plan" else made
    except DiagnosticError as error:
        return StageRecord(name, row.summary, "text", "", [], error=str(error))


def _schedule(artifact: Artifact, places: explorer_places.SourcePositions) -> list[ScheduleBar]:
    """Return the steps that the CPU back end planned, as the bars that a page shows."""
    bars = schedule_of(artifact, artifact.module("plan"))
    return [
        ScheduleBar(bar.kind, bar.title, bar.words, bar.depth, bar.begin, bar.end, places.of(bar.location))
        for bar in bars
    ]


def _of_module(artifact: Artifact, name: str, places: explorer_places.SourcePositions) -> StageRecord:
    """Return the stage `name` of a compilation, which is an MLIR module; the stage `layout_pictures.STAGE`
    has the pictures of its layouts.
    """
    lines: dict[Operation, int] = {}
    linked = texts.of_module(artifact.module(name), places, lines)
    stage = _of_text(name, artifact.rows[name].summary, "mlir", linked)
    if name != layout_pictures.STAGE:
        return stage
    return replace(stage, pictures=layout_pictures.pictures_of(artifact.module(name), places, lines))


def _of_text(name: str, summary: str, language: str, linked: texts.Linked) -> StageRecord:
    text, found = linked
    text = text.rstrip("\n")
    return StageRecord(name, summary, language, text, found[: text.count("\n") + 1])
