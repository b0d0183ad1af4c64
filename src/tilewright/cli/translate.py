"""`tilewright translate`: bytecode to MLIR text."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command(name="translate")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("-o", "--output", type=click.Path(), default="-", help="Where to write (default: stdout).")
@click.option("-g", "--print-debug-info", is_flag=True, help="Print locations.")
def command(file: str, output: str, print_debug_info: bool) -> None:
    """Turn Tile IR bytecode (or MLIR text) in FILE into generic MLIR text."""
    from tilewright.driver.launch import load, read
    from tilewright.ir.text.printer import PrintOptions

    module = read(sys.stdin.buffer.read(), "<stdin>") if file == "-" else load(Path(file))
    text = module.print(PrintOptions(generic=True, debug_info=print_debug_info))
    if output == "-":
        click.echo(text)
    else:
        Path(output).write_text(text + "\n")
