"""A compiled module as notebooks show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.pages.notebook import Stage, compilation, output

if TYPE_CHECKING:
    from tilewright.driver.artifact import Artifact

_LANGUAGES = {"llvm": "llvm", "asm": "gas", "ptx": "gas"}
"""Lexers of stages that are texts of tools; the others that have modules are MLIR."""


def artifact_html(artifact: Artifact) -> str:
    """All stages, which are made for it, with their sizes, and the seconds that each step took."""
    stages = [_stage(artifact, name) for name in artifact.stages()]
    title = f"{artifact.entry or 'module'} for {artifact.target}"
    return output(compilation(title, stages, artifact.timings))


def _stage(artifact: Artifact, name: str) -> Stage:
    """A stage; bytes have a size only, and one that cannot be made has the reason."""
    row = artifact.rows[name]
    try:
        written = artifact.asm[name]
    except DiagnosticError as error:
        return Stage(name, row.summary, 0, error=str(error))
    if isinstance(written, bytes):
        return Stage(name, row.summary, len(written))
    is_module = row.translate is None and row.write is artifact.rows["tileir"].write
    language = "mlir" if is_module else _LANGUAGES.get(name, "text")
    return Stage(name, row.summary, len(written.encode()), written, language)
