"""`tilewright explain`: the reference page of an operation, type, enum or diagnostic code."""

from __future__ import annotations

import json
import sys

import click

from tilewright.cli.completion import one_of, pages


@click.command(name="explain")
@click.argument("name", shell_complete=one_of(pages))
@click.option("--json", "as_json", is_flag=True, help="Print the page in a JSON object.")
def command(name: str, as_json: bool) -> None:
    """Show the reference page of NAME: an operation (addf), a type (tile), an enum (rounding) or a code (TW0301)."""
    from tilewright.reference import explain, suggestions

    page = explain(name)
    if page is not None:
        click.echo(json.dumps({"name": name, "page": page}, indent=2) if as_json else page)
        return
    print(f"error: nothing is called '{name}'", file=sys.stderr)
    close = suggestions(name)
    if close:
        print(f"hint: did you mean {' or '.join(close)}?", file=sys.stderr)
    sys.exit(1)
