"""`tilewright lsp`: the language server of programs with kernels and of MLIR text, which editors start."""

from __future__ import annotations

import os
import sys

import click


@click.command(name="lsp")
def command() -> None:
    """Serve editors by the Language Server Protocol, over standard input and output.

    For programs with kernels in Python and C++, from their last `tilewright run`: findings, shapes and layouts of tiles,
    operations with their pages, what `tilewright verify --prove` has proved, and the stages of a line.

    For MLIR text of all dialects: diagnostics of the parser and the verifier at their lines; reference pages of operations and
    types; definitions of values, blocks and symbols; and indentation.
    """
    from tilewright.driver.dependencies import require

    require("lsp")
    from tilewright.language_server.server import make_server

    # The server closes the streams that it is given, and the command still flushes its own streams.
    with (
        os.fdopen(os.dup(sys.stdin.fileno()), "rb") as given,
        os.fdopen(os.dup(sys.stdout.fileno()), "wb") as said,
    ):
        make_server().start_io(given, said)
