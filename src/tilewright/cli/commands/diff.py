"""`tilewright diff`: what differs between the programs of two modules."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from tilewright.cli import errors, inputs

if TYPE_CHECKING:
    from tilewright.driver.diff.comparison import ModuleDiff


@click.command(name="diff")
@click.argument("a", type=click.Path(allow_dash=True))
@click.argument("b", type=click.Path(allow_dash=True))
@click.option("--output-format", type=click.Choice(("text", "json")), default="text", help="text or json.")
@click.option("--json", "as_json", is_flag=True, help="The same as --output-format=json.")
@click.option("--ignore-hints", is_flag=True, help="Ignore optimization hints.")
@click.option("--locations", is_flag=True, help="Also compare locations and the producer.")
@click.option(
    "-U",
    "--unified",
    type=click.IntRange(0),
    default=3,
    help="Number of operations to show around each change.",
)
@click.option("-q", "--brief", is_flag=True, help="Print only whether the modules differ.")
@click.option("--allow-unregistered-dialect", is_flag=True, help="Accept operations of unknown dialects.")
def command(
    a: str,
    b: str,
    output_format: str,
    as_json: bool,
    ignore_hints: bool,
    locations: bool,
    unified: int,
    brief: bool,
    allow_unregistered_dialect: bool,
) -> None:
    """Show what differs between modules A and B: each Tile IR bytecode or MLIR text; - is stdin.

    Names of values, the order of attributes and symbols, and locations do not count.  Values of B that are not in A
    are called %new.*.

    Exit status: 0 equal, 1 different, 2 a file cannot be read or the command line is wrong.
    """
    from tilewright.driver.diff.inputs import diff_files
    from tilewright.ir.diagnostic import DiagnosticError

    try:
        if a == b == "-":
            raise errors.UsageError("only one of the modules can come from stdin")
        first, second = ((inputs.read_input(name), inputs.STDIN if name == "-" else name) for name in (a, b))
        found = diff_files(
            first,
            second,
            ignore_hints=ignore_hints,
            locations=locations,
            allow_unregistered=allow_unregistered_dialect,
        )
    except (errors.UsageError, DiagnosticError) as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    form = "json" if as_json else output_format
    if not brief or form == "json":
        _show(found, form, unified)
    if found:
        _say(found)
    sys.exit(int(bool(found)))


def _show(found: ModuleDiff, output_format: str, context_lines: int) -> None:
    from tilewright.driver.diff.report import diff_object, diff_text

    if output_format == "json":
        click.echo(json.dumps(diff_object(found), indent=2))
    elif found:
        click.echo(diff_text(found, context_lines))


def _say(found: ModuleDiff) -> None:
    from tilewright.driver.diff.report import summary

    click.echo(f"'{found.names[0]}' and '{found.names[1]}' differ: {summary(found)}", err=True)
