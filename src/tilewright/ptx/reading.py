"""Reading of PTX: from a path or text to a checked module."""

from __future__ import annotations

from pathlib import Path

from tilewright.ir.diagnostic import DiagnosticError, render
from tilewright.ptx.checks import check
from tilewright.ptx.lexer import PtxSource
from tilewright.ptx.model import Module
from tilewright.ptx.parser import parse


def read(source: str | Path) -> Module:
    """Return the module of a file (`Path`) or of text (`str`).

    Raises `OSError` for a file that cannot be read, and `DiagnosticError` for all other errors.
    """
    is_path = isinstance(source, Path)
    text = source.read_bytes().decode(errors="replace") if is_path else source
    name = str(source) if is_path else "<ptx>"
    module = parse(text, name)
    try:
        return check(module)
    except DiagnosticError as error:
        frames = PtxSource(text, name).line
        message = "\n".join(render(problem, frames) for problem in error.diagnostics)
        raise DiagnosticError(error.diagnostics, message) from None
