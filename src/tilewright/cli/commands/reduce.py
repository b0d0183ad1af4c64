"""`tilewright reduce`: a failing module, as small as it can be while it fails in the same way."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tilewright.cli import completion
from tilewright.cli.errors import UsageError, check_output
from tilewright.cli.inputs import read_input
from tilewright.driver.options import TARGET

if TYPE_CHECKING:
    from tilewright.ir.context import Context
    from tilewright.ir.operation import Operation


@click.command(name="reduce")
@click.argument("file", type=click.Path(), shell_complete=completion.files)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND...]")
@click.option(
    "--fails-with",
    "code",
    default="",
    metavar="CODE",
    help="Keep a diagnostic such as TW0606 of the compiler, or an exception such as IndexError.",
)
@click.option("--says", default="", metavar="TEXT", help="Keep this text in the output of COMMAND.")
@click.option(
    "-o",
    "--output",
    default="",
    metavar="FILE",
    help="The reduced input (default: FILE.reduced with its suffix).",
)
@click.option("--pass-pipeline", "pipeline", default="", help="With --fails-with: run these passes.")
@click.option(
    TARGET.flag,
    default=TARGET.default,
    help=f"With --fails-with: {TARGET.page}",
    shell_complete=completion.one_of(completion.targets),
)
@click.option("--timeout", default=60.0, help="Seconds that COMMAND may take for a candidate.")
def command(
    file: str,
    words: tuple[str, ...],
    code: str,
    says: str,
    output: str,
    pipeline: str,
    target: str,
    timeout: float,
) -> None:
    """Make FILE smaller while it fails in the same way, for a report of a defect.

    FILE is bytecode, MLIR text of any dialect, or any other text, which is reduced by lines.  COMMAND gets the name of a
    candidate in the place of {}, or as its last word; a candidate is kept if the command ends with the same status, and
    with the same first code or last exception in its output.  With --fails-with in the place of COMMAND, each candidate
    is compiled, and kept if the compiler fails with that code or exception.  Functions, operations, loops and branches,
    attributes, extents of shapes and constants are made fewer and smaller; a valid module stays valid.

    Each smaller candidate is written at once, so an interrupted reduction goes on from the output.
    """
    if bool(code) is bool(words):
        raise UsageError("give either --fails-with CODE or -- COMMAND")
    content = read_input(file)
    stem, suffix = os.path.splitext(file)
    result = output or f"{stem}.reduced{suffix}"
    check_output(result)
    before, after = _reduced(file, content, result, words, (code, says, target, pipeline), timeout)
    click.echo(f"{result}: {after} of {before}", err=True)


def _reduced(
    file: str,
    content: bytes,
    result: str,
    words: Sequence[str],
    kept: tuple[str, str, str, str],
    timeout: float,
) -> tuple[str, str]:
    """Reduce the bytes of a file, and write each smaller candidate to `result`; return texts with the sizes
    of the input and of the result, such as "12 operations" or "30 lines". `kept` are the code, the text, the
    target and the passes of the options. Raises `DiagnosticError` if the input does not fail, and
    `UsageError` if a code is given and the input is no module.
    """
    from tilewright.bytecode import MAGIC
    from tilewright.driver.reduction.failures import CodeFailure, CommandFailure, readable, written
    from tilewright.driver.reduction.reducing import reduce_lines, reduce_module
    from tilewright.driver.startup import context as every_dialect
    from tilewright.runtime.disk_cache import replace_file

    context = every_dialect()
    module = readable(content, file, context)
    code, says, target, pipeline = kept
    failing = CommandFailure(words, os.path.splitext(file)[1], says, timeout)
    if words:
        failing.remember(content)
    if module is None:
        if code:
            raise UsageError(f"'{file}' is no module", "give a command: tilewright reduce FILE -- COMMAND")
        text = content.decode(errors="surrogateescape")
        found = reduce_lines(
            text, lambda one: failing(_bytes(one)), kept=lambda one: replace_file(Path(result), _bytes(one))
        )
        replace_file(Path(result), _bytes(found))
        return _lines(text), _lines(found)
    is_bytecode = content.startswith(MAGIC)
    fails = CodeFailure(code, target, pipeline, context) if code else _of_command(failing, is_bytecode)
    if not fails(module):
        raise _keeps_working(code)
    smallest = reduce_module(
        module,
        fails,
        kept=lambda one: replace_file(Path(result), _written(one, is_bytecode, context)),
        context=context,
    )
    replace_file(Path(result), written(smallest, as_bytecode=is_bytecode))
    return _operations(module), _operations(smallest)


def _of_command(failing: Callable[[bytes], bool], is_bytecode: bool) -> Callable[[Operation], bool]:
    from tilewright.driver.reduction.failures import written

    return lambda module: failing(written(module, as_bytecode=is_bytecode))


def _written(text: str, is_bytecode: bool, context: Context) -> bytes:
    """Return the text of a candidate as it is written: as bytecode, if the input was bytecode."""
    from tilewright.driver.reduction.failures import readable, written

    if not is_bytecode:
        return f"{text}\n".encode()
    module = readable(text.encode(), "<reduced>", context)
    assert module is not None, "the text of a module can be read"
    return written(module, as_bytecode=True)


def _keeps_working(code: str) -> Exception:
    from tilewright.driver import codes
    from tilewright.ir.diagnostic import failure

    if code:
        return failure(codes.DOES_NOT_FAIL, f"the module does not fail with '{code}'")
    hint = "reduce the text of the module: tilewright translate FILE"
    return failure(
        codes.DOES_NOT_FAIL, "the module does not fail after it is read and written again", hint=hint
    )


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


def _lines(text: str) -> str:
    return f"{len(text.splitlines())} lines"


def _operations(module: Operation) -> str:
    return f"{sum(1 for _ in module.walk())} operations"
