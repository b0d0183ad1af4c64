"""`tilewright ptx`: check PTX and print it, or show what the table of instructions knows."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tilewright.cli.completion import files
from tilewright.cli.errors import UsageError


@click.command(name="ptx")
@click.argument("name", required=False, shell_complete=files)
@click.option("--check", "only_check", is_flag=True, help="Check only; print nothing if all is well.")
@click.option(
    "--instructions", is_flag=True, help="Show the forms of the instruction NAME, or list all names."
)
@click.option("--registers", is_flag=True, help="List register classes and special registers.")
def command(name: str | None, only_check: bool, instructions: bool, registers: bool) -> None:
    """Check the PTX file NAME (- is stdin), and print it in one style.

    Checked are syntax, names, the forms and operands of instructions, and whether the module's target has them.
    """
    if instructions or registers:
        _show_registers() if registers else _show_forms(name)
        return
    if name is None:
        raise UsageError("there is no file to read", "give a .ptx file, or --instructions")
    from tilewright.ptx.printer import print_module
    from tilewright.ptx.reading import read

    module = read(sys.stdin.read() if name == "-" else Path(name))
    if not only_check:
        click.echo(print_module(module), nl=False)


def _show_registers() -> None:
    from tilewright.ptx.registers import registers_text

    click.echo(registers_text())


def _show_forms(name: str | None) -> None:
    from tilewright.ptx.table.documentation import forms_text, names_text

    text = names_text() if name is None else forms_text(name)
    if text is None:
        raise UsageError(f"there is no instruction '{name}'", "--instructions without a name lists all")
    click.echo(text)
