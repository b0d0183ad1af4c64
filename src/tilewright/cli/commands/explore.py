"""`tilewright explore`: a page that shows a kernel from its Python line to the machine."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tilewright.cli import completion, cpp_flags, errors, program as cli_program, program_options
from tilewright.cpp.options import CppOptions
from tilewright.driver.options import TARGET

if TYPE_CHECKING:
    from tilewright.explorer.schema import Page


@click.command(name="explore")
@click.argument("file", type=click.Path(), shell_complete=completion.files)
@click.argument("arguments", nargs=-1)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), help="The page (default: beside FILE, with .html)."
)
@program_options.target_option
@program_options.gpu_option
@click.option(
    "--trace", type=click.Path(dir_okay=False), help="Write a trace of the tile blocks or warps for Perfetto."
)
@click.option(
    "--stage",
    default="",
    metavar="STAGE",
    help="Print this stage of each kernel, such as ptx, and write no page.",
)
@click.option(
    "--serve", is_flag=True, help="Serve the page on localhost, and make it again when FILE is saved."
)
@click.option(
    "--port", default=0, type=click.IntRange(0, 65535), help="The port of --serve (default: a free port)."
)
@cpp_flags.cpp_options
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    arguments: tuple[str, ...],
    output: str | None,
    target: str,
    gpu: str,
    trace: str | None,
    stage: str,
    cpp: CppOptions,
    serve: bool,
    port: int,
) -> None:
    """Write one HTML file that shows the kernels of FILE at every stage, linked to the lines of the program.

    FILE is a Python program that launches kernels, a module of Tile IR (bytecode, MLIR text or CUDA C++), or PTX.  A
    program runs once, under all checks, with the words after -- as its arguments; the page shows findings at their lines,
    and which tile block touches which elements.  The page also shows the error that ends a program.  A page opens in any
    browser, without a network.
    """
    from tilewright.explorer.html import page_text
    from tilewright.explorer.timeline import trace_of

    page = Path(output or f"{os.path.splitext(file)[0]}.html")
    if serve:
        _serve(file, [*_options(target, gpu, cpp), *_after(arguments)], port)
        return
    if stage:
        found, status = _page(file, arguments, target, gpu, cpp)
        _print_stage(found, stage)
        ctx.exit(status)
    for written in (str(page), *([trace] if trace else [])):
        errors.check_output(written)
    if page.suffix == ".py":
        raise errors.UsageError(f"'{page}' is a program, not a page", "name an .html file")
    found, status = _page(file, arguments, target, gpu, cpp)
    page.write_text(page_text(found), encoding="utf-8")
    _say(f"wrote {page}" if output else f"wrote {page.absolute()}")
    if trace:
        trace_of(found).write(Path(trace))
        click.echo(f"wrote {trace}", err=True)
    ctx.exit(status)


def _print_stage(page: Page, name: str) -> None:
    """Print a stage of each kernel of a page to stdout. Raises `UsageError` if no kernel has such a stage."""
    found = [(kernel.name, one) for kernel in page.kernels for one in kernel.stages if one.name == name]
    if not found:
        known = dict.fromkeys(one.name for kernel in page.kernels for one in kernel.stages)
        hint = f"stages: {', '.join(known)}" if known else "the program launches no kernel"
        raise errors.UsageError(f"there is no stage '{name}'", hint)
    for kernel, one in found:
        _say(f"kernel '{kernel}': {one.error or one.summary}")
        click.echo(one.text)


def _page(file: str, arguments: Sequence[str], target: str, gpu: str, cpp: CppOptions) -> tuple[Page, int]:
    """Return the page of a file, and the exit status of the program, 0 for a module. Raises `UsageError` for
    arguments of a module.
    """
    from tilewright.explorer.program import of_file, of_script
    from tilewright.gpu_programs import ProgramSettings

    said = shlex.join(["tilewright", "explore", *_options(target, gpu, cpp), file, *_after(arguments)])
    if cli_program.is_script(file):
        return of_script(file, arguments, ProgramSettings.of(target, gpu=gpu), said, _say)
    if arguments:
        raise errors.UsageError("arguments are for Python programs", "leave out what follows the file")
    return of_file(Path(file), target, said, cpp), 0


def _options(target: str, gpu: str, cpp: CppOptions) -> list[str]:
    """Return the options of `tilewright explore` that differ from their defaults, as words of a command line."""
    given = [(TARGET.flag, target, TARGET.default), ("--gpu", gpu, "")]
    for flag, values in (("-I", cpp.include), ("-D", cpp.define), ("--instantiate", cpp.instantiate)):
        given += [(flag, value, "") for value in values]
    return [word for flag, value, default in given if value != default for word in (flag, value)]


def _after(arguments: Sequence[str]) -> list[str]:
    return ["--", *arguments] if arguments else []


def _serve(file: str, words: Sequence[str], port: int) -> None:
    """Serve the page of `file` at `port` (0: a free port) until the command is interrupted. Each version of
    the page is made by a new process, with the options and arguments `words`, which loads the program's
    modules afresh.
    """
    from tilewright.explorer import codes
    from tilewright.explorer.server import LivePage, serve
    from tilewright.ir.diagnostic import failure

    with tempfile.TemporaryDirectory(prefix="tilewright-") as folder:
        page = Path(folder, "page.html")

        def make() -> str:
            page.unlink(missing_ok=True)
            subprocess.run(
                [sys.executable, "-m", "tilewright", "explore", "-o", str(page), file, *words], check=False
            )
            if not page.exists():
                raise failure(
                    codes.NOTHING_TO_EXPLORE, f"there is no page of '{file}'", hint="see above for why"
                )
            return page.read_text(encoding="utf-8")

        serve(LivePage(Path(file), make, _say), port, _say)


def _say(text: str) -> None:
    click.echo(text, err=True)
