"""`tilewright inspect`: lists the dialects, passes and patterns in a binary, with the evidence for each."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from tilewright.cli import completion, progress
from tilewright.cli.errors import UsageError, check_output

if TYPE_CHECKING:
    from tilewright.inspect.analysis import Inspection
    from tilewright.inspect.cubin.view import Cubin
    from tilewright.ir.diagnostic import Diagnostic


@click.command(name="inspect")
@click.argument("file", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--html", type=click.Path(), metavar="FILE", help="Also write a static HTML page.")
@click.option(
    "--all", "everything", is_flag=True, help="List everything, not only the first few of each kind."
)
@click.option(
    "--kind",
    multiple=True,
    help="List only this kind of finding (a key of the JSON); repeatable.",
    shell_complete=completion.one_of(completion.kinds),
)
@click.option("--raw", is_flag=True, help="FILE is memory without a header.")
@click.option("--base", metavar="ADDRESS", help="Address of the first byte of a raw image (default: 0).")
@click.option(
    "--code", multiple=True, metavar="START:END", help="Addresses of code in a raw image; repeatable."
)
@click.option("-o", "--output", type=click.Path(), default="-", help="Where to write (default: stdout).")
def command(
    file: str,
    as_json: bool,
    html: str | None,
    everything: bool,
    kind: tuple[str, ...],
    raw: bool,
    base: str | None,
    code: tuple[str, ...],
    output: str,
) -> None:
    """List what FILE contains: an ELF program, library or core dump, a raw image, or a cubin.

    Inspect only programs whose licence allows it.
    """
    from tilewright.driver.dependencies import require

    require("inspect")
    if (base or code) and not raw:
        _refuse(UsageError("--base and --code are for raw images", "say --raw as well"))
    for destination in (html, None if output == "-" else output):
        if destination:
            check_output(destination)
    with progress.shown_progress():
        text, page, notes = _reports(file, as_json, everything, _kinds(kind), (base, code) if raw else None)
    for note in notes:
        print(note, file=sys.stderr)
    if html:
        Path(html).write_text(page, encoding="utf-8")
    if output == "-":
        click.echo(text, nl=False)
    else:
        Path(output).write_text(text, encoding="utf-8")


def _reports(
    file: str,
    as_json: bool,
    everything: bool,
    kinds: list[str],
    raw: tuple[str | None, tuple[str, ...]] | None,
) -> tuple[str, str, tuple[Diagnostic, ...]]:
    """Return the text for stdout or the output file, the HTML page, and the problems that were found while
    reading. ``everything`` and ``kinds`` (empty: all kinds) select the findings in a table. ``raw`` is the
    base address and the ranges of code, as texts, for memory without a header, None for other files.
    """
    from tilewright.inspect.cubin import reports as cubin_reports
    from tilewright.inspect.cubin.view import Cubin
    from tilewright.inspect.reports import html as report_html, json as report_json, table as report_table

    found = _look(file, raw)
    if isinstance(found, Cubin):
        text = (
            cubin_reports.to_json(found) if as_json else cubin_reports.to_table(found, everything=everything)
        )
        return text, cubin_reports.to_html(found), found.notes
    shown = (
        report_json.to_json(found) if as_json else report_table.to_table(found, kinds, everything=everything)
    )
    return shown, report_html.to_html(found), found.notes


def _look(file: str, raw: tuple[str | None, tuple[str, ...]] | None) -> Inspection | Cubin:
    from tilewright.inspect.analysis import inspect_image
    from tilewright.inspect.binary.elf import MAGIC, ElfFile
    from tilewright.inspect.binary.loader import file_bytes, from_elf, load, raw_image
    from tilewright.inspect.cubin.view import is_cubin, read_cubin

    data = file_bytes(Path(file))
    if raw is not None:
        ranges = [_range(text) for text in raw[1]]
        return inspect_image(raw_image(data, file, _number(raw[0] or "0"), ranges))
    if data[:4].tobytes() != MAGIC:
        return inspect_image(load(data, file))
    elf = ElfFile(data, file)
    return read_cubin(elf) if is_cubin(elf) else inspect_image(from_elf(elf))


def _kinds(wanted: tuple[str, ...]) -> list[str]:
    """Return the kinds of findings for `wanted`, their keys in the JSON. An unknown key ends the command with
    status 2.
    """
    from tilewright.inspect.findings import KINDS

    by_key = {key: kind for kind, key in KINDS.items()}
    unknown = next((key for key in wanted if key not in by_key), None)
    if unknown is not None:
        _refuse(UsageError(f"unknown kind '{unknown}'", f"kinds: {', '.join(by_key)}"))
    return [by_key[key] for key in wanted]


def _range(text: str) -> tuple[int, int]:
    """Return the first address and the end (exclusive) of a range: ``START:END`` or ``START+SIZE``. Any other
    text ends the command with status 2.
    """
    start, separator, rest = text.partition(":") if ":" in text else text.partition("+")
    if not separator:
        _refuse(
            UsageError(f"'{text}' is no range", "write START:END or START+SIZE, such as 0x401000:0x402000")
        )
    first = _number(start)
    return first, _number(rest) if separator == ":" else first + _number(rest)


def _number(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        _refuse(UsageError(f"'{text}' is no number", "write decimal digits, or hexadecimal ones after 0x"))


def _refuse(problem: UsageError) -> NoReturn:
    click.echo(str(problem), err=True)
    sys.exit(2)
