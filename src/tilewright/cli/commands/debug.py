"""`tilewright debug`: stop in the kernels of a program, step, and look at their values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tilewright.cli import completion, cpp_flags, errors, program as cli_program, program_options
from tilewright.cli.commands import run
from tilewright.cpp.options import CppOptions, is_cpp

if TYPE_CHECKING:
    from tilewright.debugger.session import Session


class _DebugCommand(run.OrderedCommand):
    """A command that parses only the words before ``--``; the words after it are the arguments of the
    program, so that they may begin with dashes.
    """

    def split(self, args: list[str]) -> tuple[list[str], list[str]]:
        at = args.index("--") if "--" in args else len(args)
        return args[:at], args[at + 1 :]


@click.command(name="debug", cls=_DebugCommand)
@click.argument("file", type=click.Path(), default="", shell_complete=completion.files)
@click.option(
    "-m", "module", default="", metavar="MODULE", help="Debug a module as a program, as python -m pdb does."
)
@click.option(
    "--block", "blocks", multiple=True, metavar="X,Y,Z", help="Stop in this tile block only, such as 3,0,0."
)
@click.option(
    "--break",
    "breaks",
    multiple=True,
    metavar="FILE:LINE",
    help="Stop at this line (without it, at the first line). A condition may follow: 'kernels.py:17 if j == 2'.",
)
@click.option("--if", "condition", default="", help="The condition of each --break that has none.")
@click.option("--entry", help="The kernel to run. Needed only if the module has several.")
@click.option(
    "--grid", default="1", callback=run.parse_grid, help="Tile blocks in x,y,z, such as 4 or 4,2,1."
)
@click.option("--arg", "args", multiple=True, help="An argument of the kernel, as for run.")
@click.option("--array", "arrays", multiple=True, help="Like --arg, followed by the lengths and strides.")
@click.option(
    "--check",
    default="",
    help="memcheck,initcheck,racecheck,fpcheck,promises or all; the debugger stops at findings.",
    shell_complete=completion.some_of(completion.checks),
)
@click.option("--ignore", default="", metavar="CODE[,CODE]", help="Do not stop at findings with these codes.")
@program_options.gpu_option
@cpp_flags.cpp_options
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    module: str,
    blocks: tuple[str, ...],
    breaks: tuple[str, ...],
    condition: str,
    entry: str | None,
    grid: tuple[int, ...],
    args: tuple[str, ...],
    arrays: tuple[str, ...],
    check: str,
    ignore: str,
    gpu: str,
    cpp: CppOptions,
) -> None:
    """Debug the kernels of FILE: a Python program with kernels of cuTile or Triton, or a kernel in bytecode, MLIR text or
    CUDA C++, with the options of `tilewright run`.

    The words after -- are the arguments of a program.  Kernels run in the interpreter, one tile block after the other, and stop at their lines.  The commands are the commands of
    Python's debugger: n, s, c, p, pp, b, l, u, d, bt, watch, q; h lists them.
    """
    if bool(file) is bool(module):
        raise errors.UsageError(
            "Missing argument 'FILE'." if not file else "-m MODULE and FILE exclude each other"
        )
    session = _session(blocks, breaks, condition)
    if module or cli_program.is_script(file):
        from tilewright.debugger.program import DebuggedProgram, run_debugged

        run.refuse_kernel_options(ctx)
        words = ctx.meta["script arguments"]
        program = DebuggedProgram(module or file, words, check, gpu, ignore, is_module=bool(module))
        ctx.exit(run_debugged(program, session, lambda text: click.echo(text, err=True)))
    from tilewright.driver.debugging import TARGET, attached
    from tilewright.driver.launch import launch
    from tilewright.driver.reading import file_bytes
    from tilewright.ir.support.ignores import ignoring
    from tilewright.runtime.findings.ignores import codes_to_ignore

    arguments = run.kernel_arguments(ctx.meta["argument order"], args, arrays)
    values = [value for argument in arguments for value in argument.values]
    source = file_bytes(file, cpp) if is_cpp(file) else Path(file)
    with attached(session), ignoring(codes_to_ignore(ignore)):
        launch(source, entry, grid, values, target=TARGET, check=check)
    run.save(arguments)


def _session(blocks: tuple[str, ...], breaks: tuple[str, ...], condition: str) -> Session:
    """Return a session on the terminal that stops in the tile ``blocks`` (empty: in all) and at the lines
    ``breaks``, or if there are none at the first line of a kernel. ``condition`` is for lines without a
    condition of their own. Raises `UsageError` for a text that is no tile block, no line, or no expression.
    """
    from tilewright.debugger.breakpoints import parse_breakpoint
    from tilewright.debugger.console import Console, parse_block
    from tilewright.debugger.session import Session

    chosen = [(words, parse_block(words)) for words in blocks]
    for words, block in chosen:
        if block is None:
            raise errors.UsageError(f"'{words}' is no tile block", "write --block 3,0,0")
    session = Session(
        Console(),
        blocks=[block for _, block in chosen if block is not None] if chosen else None,
        stop_at_entry=not breaks,
    )
    for words in breaks:
        found = parse_breakpoint(words)
        if found is None:
            raise errors.UsageError(f"'{words}' is no line of a file", "write --break kernels.py:17")
        try:
            session.add_breakpoint(found[0], found[1], found[2] or condition)
        except SyntaxError as error:
            raise errors.UsageError(f"the condition of '{words}' is no expression: {error.msg}") from error
    return session
