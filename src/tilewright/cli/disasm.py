"""`tilewright disasm`: bytecode to the text that ``tileirdisasm`` prints."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tilewright.cli.errors import UsageError


@click.command(name="disasm")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("-g", "--print-debug-info", is_flag=True, help="Print locations and debug information.")
@click.option("--preview", metavar="FEATURES", help="Enable preview features; there are none so far.")
@click.option("-o", "--output", type=click.Path(), default="-", help="Where to write (default: stdout).")
def command(file: str, print_debug_info: bool, preview: str | None, output: str) -> None:
    """Print the globals and kernels of FILE (Tile IR bytecode, or MLIR text) as tileirdisasm does."""
    from tilewright.dialects.cuda_tile.disassembly import disassemble
    from tilewright.dialects.cuda_tile.ops_control import ModuleOp
    from tilewright.driver.launch import load, read

    if preview:
        _refuse(UsageError(f"unknown preview feature '{preview}'", "leave --preview out"))
    module = read(sys.stdin.buffer.read(), "<stdin>") if file == "-" else load(Path(file))
    if not isinstance(module, ModuleOp):
        name = f"'{module.name}'"
        _refuse(
            UsageError(f"'{file}' holds {name}, not a 'cuda_tile.module'", "print it with 'tilewright opt'")
        )
    assert isinstance(module, ModuleOp)
    text = disassemble(module, debug_info=print_debug_info)
    if output == "-":
        click.echo(text, nl=False)
    else:
        Path(output).write_text(text, encoding="utf-8")


def _refuse(problem: UsageError) -> None:
    click.echo(str(problem), err=True)
    sys.exit(2)
