"""`tilewright ptx`: check and print PTX, show the table of instructions, or assemble."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from tilewright.cli.completion import files
from tilewright.cli.errors import UsageError, check_output

if TYPE_CHECKING:
    from tilewright.targets.nvptx.assemble.assembling import AssembledCode

DEFAULT = "print"
"""The command that may be left out."""


class PtxGroup(click.Group):
    """A group of commands with a default command: if the first argument is no command and no request for
    help, the arguments are arguments of `print`, as in `tilewright ptx FILE`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        first = args[0] if args else ""
        is_begun = bool(args) or not ctx.resilient_parsing  # else a shell asks what may stand here
        if is_begun and first not in self.commands and first not in ctx.help_option_names:
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return completions: the commands, the options of the default command, and files."""
        options = self.commands[DEFAULT].shell_complete(ctx, incomplete)
        return [*super().shell_complete(ctx, incomplete), *options, CompletionItem(incomplete, type="file")]


@click.group(name="ptx", cls=PtxGroup)
def command() -> None:
    """Check a PTX file and print it (print, which may be left out), or turn it into machine code (assemble)."""


@command.command(name=DEFAULT)
@click.argument("name", required=False, shell_complete=files)
@click.option(
    "--check", "only_check", is_flag=True, help="Check only, and print nothing if the file has no error."
)
@click.option(
    "--instructions", is_flag=True, help="Show the forms of the instruction NAME, or list all names."
)
@click.option("--registers", is_flag=True, help="List register classes and special registers.")
def print_(name: str | None, only_check: bool, instructions: bool, registers: bool) -> None:
    """Check the PTX file NAME (- is stdin), and print it in one style.

    Check syntax, names, the forms and operands of instructions, and that the module's target has the instructions.
    """
    if instructions or registers:
        _show_registers() if registers else _show_forms(name)
        return
    if name is None:
        raise UsageError("there is no file to read", "give a .ptx file, or --instructions")
    from tilewright.ptx.checks import read
    from tilewright.ptx.printer import print_module

    module = read(sys.stdin.read() if name == "-" else Path(name))
    if not only_check:
        click.echo(print_module(module), nl=False)


def _show_registers() -> None:
    from tilewright.ptx.registers import registers_text

    click.echo(registers_text())


def _show_forms(name: str | None) -> None:
    from tilewright.ptx.table.instructions import forms_text, names_text

    text = names_text() if name is None else forms_text(name)
    if text is None:
        raise UsageError(f"there is no instruction '{name}'", "--instructions without a name lists all")
    click.echo(text)


@command.command(name="assemble")
@click.argument("file", shell_complete=files)
@click.option(
    "--gpu", help="The architecture, such as sm_90a (default: the architecture that .target names)."
)
@click.option("-o", "--output", type=click.Path(), help="Where to write the cubin (default: nowhere).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--level", type=click.IntRange(0, 3), default=3, show_default=True, help="Optimization level.")
@click.option("--registers", type=click.IntRange(1, 255), help="Maximum number of registers of a thread.")
@click.option("--line-info", is_flag=True, help="Include line tables in the code.")
@click.option("--assembler", type=click.Path(), help="The ptxas or libnvJitLink to use.")
@click.option(
    "--limit", type=click.FloatRange(0, min_open=True), default=120.0, help="Time limit in seconds."
)
def assemble(
    file: str,
    gpu: str | None,
    output: str | None,
    as_json: bool,
    level: int,
    registers: int | None,
    line_info: bool,
    assembler: str | None,
    limit: float,
) -> None:
    """Assemble the PTX file FILE (- is stdin), and print the resources that its kernels need.

    The assembler is the first of these that supports the GPU and the version of the text: ptxas of a package
    of NVIDIA, of the package triton, of CUDA_HOME, of CUDA_PATH, of /usr/local/cuda, on PATH; nvJitLink in
    the same places. It runs in a process of its own.
    """
    from tilewright.targets.nvptx.assemble.assembling import assemble as assembled

    if output is not None:
        check_output(output)
    text = sys.stdin.read() if file == "-" else Path(file).read_bytes().decode(errors="surrogateescape")
    made = assembled(
        text,
        gpu,
        name="<stdin>" if file == "-" else file,
        level=level,
        maximum_registers=registers,
        line_info=line_info,
        assembler=None if assembler is None else Path(assembler),
        limit=limit,
    )
    for warning in made.warnings:
        print(warning, file=sys.stderr)
    if output is not None:
        Path(output).write_bytes(made.cubin)
    if as_json:
        click.echo(json.dumps(_report(made, file, output), indent=1))
    else:
        click.echo("\n".join(map(str, made.kernels)) or "no kernels")


def _report(made: AssembledCode, file: str, output: str | None) -> dict[str, object]:
    return {
        "schema": 1,
        "file": file,
        "gpu": made.gpu,
        "assembler": str(made.assembler.path),
        "cubin": output,
        "cubin_bytes": len(made.cubin),
        "kernels": [asdict(kernel) | {"constant": dict(kernel.constant)} for kernel in made.kernels],
        "warnings": [warning.message for warning in made.warnings],
    }
