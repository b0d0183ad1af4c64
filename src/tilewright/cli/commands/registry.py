"""`tilewright registry`: everything that start-up registers."""

from __future__ import annotations

import json

import click

TABLES = ("option", "type id", "dialect", "interface", "pass", "pattern set", "target")


@click.command(name="registry")
@click.option("--table", type=click.Choice(TABLES), help="Only this table.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(table: str | None, as_json: bool) -> None:
    """List what start-up registers, in order of registration."""
    from tilewright.driver.startup import startup

    rows = [row for row in startup().rows() if table in (None, row[0])]
    if as_json:
        click.echo(json.dumps([{"table": t, "name": n, "summary": s} for t, n, s in rows], indent=2))
        return
    for kind, name, summary in rows:
        click.echo(f"{kind:12} {name:40} {summary}".rstrip())
