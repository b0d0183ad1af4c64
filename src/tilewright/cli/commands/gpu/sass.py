"""`tilewright sass`: the resources and instructions of the machine code in a cubin, alone or beside another
cubin.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tilewright.cli.completion import files

if TYPE_CHECKING:
    from tilewright.inspect.sass import model as sass_model, reports as sass_reports


@click.command(name="sass")
@click.argument("file", shell_complete=files)
@click.option(
    "--against", metavar="CUBIN", help="Show another cubin beside FILE for comparison.", shell_complete=files
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all loops and opcodes.")
@click.option("--disassembler", type=click.Path(), help="The nvdisasm to use.")
def command(file: str, against: str | None, as_json: bool, disassembler: str | None) -> None:
    """Show what the kernels of the cubin FILE need and execute.

    Registers, stack, shared memory and parameters are read from the cubin.  Instructions by unit, accesses of local memory, the
    loops and the static cycles of the hot one need nvdisasm: of a package of NVIDIA, of the package triton, of CUDA_HOME,
    of CUDA_PATH, of /usr/local/cuda, or on PATH.  Only cubins are read, no programs.
    """
    from tilewright.driver.dependencies import require

    require("inspect")
    from tilewright.inspect.sass.reports import to_json, to_table

    tool = None if disassembler is None else Path(disassembler)
    first = _figures(file, tool)
    second = None if against is None else _figures(against, tool)
    click.echo((to_json if as_json else to_table)(first, second), nl=False)


def _figures(file: str, tool: Path | None) -> sass_reports.Figures:
    """Return the figures of the cubin ``file``; print warnings about unreadable parts to stderr. ``tool`` is
    the nvdisasm to use; None: the first that is found. Raises `DiagnosticError` if the file is not a cubin.
    """
    from tilewright.inspect.arrays import octets
    from tilewright.inspect.binary.elf import ElfFile
    from tilewright.inspect.binary.magic import is_cubin_image
    from tilewright.inspect.codes import NOT_A_CUBIN
    from tilewright.inspect.cubin.view import read_cubin
    from tilewright.inspect.sass.figures import figures_of
    from tilewright.inspect.sass.reports import Figures
    from tilewright.ir.diagnostic import failure

    data = Path(file).read_bytes()
    if not is_cubin_image(data):
        hint = "take the cubin out of a program, or assemble one: `tilewright ptx assemble`"
        raise failure(NOT_A_CUBIN, f"'{file}' is not a cubin; programs are not disassembled", hint=hint)
    cubin = read_cubin(ElfFile(octets(data), file))
    listing = _listing(data, file, tool)
    for note in cubin.notes:
        print(note, file=sys.stderr)
    return Figures(file, figures_of(cubin, listing))


def _listing(data: bytes, file: str, tool: Path | None) -> sass_model.Listing | None:
    """Return the instructions of the cubin `data`, or None if it cannot be disassembled: the reasons are
    printed as warnings. A warning is also printed if lines of the listing cannot be read.
    """
    from tilewright.inspect.codes import UNREAD_LISTING
    from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity
    from tilewright.targets.nvptx.disassemble import disassemble

    try:
        listing = disassemble(data, name=file, disassembler=tool)
        if listing.unread:
            message = f"{len(listing.unread)} lines of the listing are not read, the first is line {listing.unread[0]}"
            print(Diagnostic(Severity.WARNING, message, code=UNREAD_LISTING), file=sys.stderr)
        return listing
    except DiagnosticError as error:
        for diagnostic in error.diagnostics:
            diagnostic.severity = Severity.WARNING
            print(diagnostic, file=sys.stderr)
        return None
