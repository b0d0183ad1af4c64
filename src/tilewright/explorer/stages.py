"""The stages of a compilation as a page shows them: texts whose lines are linked to the program, and pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tilewright.driver.artifact import Artifact
from tilewright.explorer import layout_pictures, texts
from tilewright.explorer.places import Places
from tilewright.explorer.schema import Stage
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation

_UNREADABLE = frozenset({"bytecode", "plan-json", "object", "cubin"})
"""Stages that are bytes, or for programs."""
_READERS: dict[str, tuple[str, Callable[[str, Places], texts.Linked]]] = {
    "llvm": ("llvm", texts.of_llvm_ir),
    "asm": ("asm", texts.of_assembly),
    "ptx": ("ptx", texts.of_assembly),
}
"""The language of stages that are texts of tools, and how to find the places of their lines."""


def stages_of(artifact: Artifact, places: Places) -> list[Stage]:
    """The stages of a compilation that people can read.  One that cannot be made has the reason in place of its text."""
    return [_stage(artifact, name, places) for name in artifact.stages() if name not in _UNREADABLE]


def _stage(artifact: Artifact, name: str, places: Places) -> Stage:
    row = artifact.rows[name]
    try:
        if row.translate is None and row.write is artifact.rows["tileir"].write:
            return _of_module(artifact, name, places)
        language, read = _READERS.get(name, ("text", lambda text, _: texts.plain(text)))
        return _of_text(name, row.summary, language, read(str(artifact.asm[name]), places))
    except DiagnosticError as error:
        return Stage(name, row.summary, "text", "", [], error=str(error))


def _of_module(artifact: Artifact, name: str, places: Places) -> Stage:
    """A stage that is a module in MLIR, with the pictures of its layouts."""
    lines: dict[Operation, int] = {}
    linked = texts.of_module(artifact.module(name), places, lines)
    stage = _of_text(name, artifact.rows[name].summary, "mlir", linked)
    if name != layout_pictures.STAGE:
        return stage
    return replace(stage, pictures=layout_pictures.pictures_of(artifact.module(name), places, lines))


def _of_text(name: str, summary: str, language: str, linked: texts.Linked) -> Stage:
    text, found = linked
    text = text.rstrip("\n")
    return Stage(name, summary, language, text, found[: text.count("\n") + 1])
