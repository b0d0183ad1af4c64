"""`tilewright verify`: whether files hold valid modules, and everything that is wrong with them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from tilewright.cli.completion import one_of, versions
from tilewright.cli.errors import UsageError
from tilewright.cli.inputs import STDIN, read_input

if TYPE_CHECKING:
    from tilewright.dialects.cuda_tile.version import Version
    from tilewright.driver.verification import Report


@click.command(name="verify")
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--output-format",
    type=click.Choice(("text", "json", "sarif", "github")),
    default="text",
    help="text (to stderr), json, sarif, or github (annotations in GitHub workflows).",
)
@click.option(
    "--bytecode-version",
    metavar="M.N",
    help="Also check that this version can hold the module.",
    shell_complete=one_of(versions),
)
@click.option("--split-input-file", is_flag=True, help="Check the pieces between '// -----' lines.")
@click.option("--allow-unregistered-dialect", is_flag=True, help="Accept operations of unknown dialects.")
def command(
    files: tuple[str, ...],
    output_format: str,
    bytecode_version: str | None,
    split_input_file: bool,
    allow_unregistered_dialect: bool,
) -> None:
    """Verify FILES: Tile IR bytecode or MLIR text of any dialect; - is stdin.

    Exit status: 0 all are valid, 1 something is wrong with one, 2 one cannot be read or the command line is wrong.
    """
    try:
        version = parse_version(bytecode_version)
        inputs = [(name, read_input(name)) for name in dict.fromkeys(files)]
    except UsageError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    from tilewright.driver.verification import check

    reports = [
        check(
            data,
            STDIN if name == "-" else name,
            version=version,
            split=split_input_file,
            allow_unregistered=allow_unregistered_dialect,
        )
        for name, data in inputs
    ]
    _show(reports, output_format, dict(inputs).get("-"))
    sys.exit(int(any(report.errors for report in reports)))


def parse_version(text: str | None) -> Version | None:
    """The bytecode version of an option.  Raises `UsageError` for one that there is not."""
    from tilewright.dialects.cuda_tile.version import Version

    if text is None:
        return None
    try:
        return Version.parse(text)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _show(reports: list[Report], output_format: str, stdin: bytes | None) -> None:
    from tilewright.cli.diagnostic_formats import github_command, reports_object, sarif_log, sarif_result
    from tilewright.ir.diagnostic import render

    if output_format == "json":
        click.echo(json.dumps(reports_object(reports), indent=2))
        return
    if output_format == "sarif":
        results = [sarif_result(found, report.name) for report in reports for found in report.findings]
        click.echo(json.dumps(sarif_log(results), indent=2))
        return
    for report in reports:
        lines = _stdin_lines(stdin) if stdin is not None and report.name == STDIN else None
        for finding in report.findings:
            if output_format == "github":
                click.echo(github_command(finding, report))
            else:
                click.echo(render(finding.diagnostic, lines), err=True)


def _stdin_lines(data: bytes) -> Callable[[str, int], str | None]:
    """Lines for source frames of what came through stdin."""
    lines = data.decode(errors="replace").split("\n")

    def read(file: str, number: int) -> str | None:
        return lines[number - 1] if file == STDIN and 0 < number <= len(lines) else None

    return read
