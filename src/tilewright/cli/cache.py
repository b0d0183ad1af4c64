"""`tilewright cache`: the compiled kernels on disk."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tilewright.runtime.cache import DiskCache


@click.group(name="cache")
def command() -> None:
    """Look after the compiled kernels on disk.

    TILEWRIGHT_CACHE_DIR names the directory, TILEWRIGHT_CACHE_SIZE the limit (0 keeps nothing).
    """


@command.command(name="path")
def path() -> None:
    """Print the directory."""
    click.echo(str(_cache().directory))


@command.command(name="ls")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def ls(as_json: bool) -> None:
    """List the records, the one used last first."""
    entries = _cache().entries()
    if as_json:
        rows = [{"key": entry.key, "bytes": entry.size, "used": entry.used} for entry in entries]
        click.echo(json.dumps(rows, indent=2))
        return
    for entry in entries:
        used = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(entry.used))
        click.echo(f"{entry.key}  {entry.size:>9}  {used}")
    click.echo(f"{len(entries)} records, {sum(entry.size for entry in entries)} bytes", err=True)


@command.command(name="verify")
def verify() -> None:
    """Read every record and remove damaged ones; exit status 1 if there were any."""
    cache = _cache()
    count = len(cache.entries())
    damaged = cache.verify()
    for key in damaged:
        click.echo(key)
    click.echo(f"{count} records, {len(damaged)} damaged", err=True)
    if damaged:
        sys.exit(1)


@command.command(name="prune")
@click.option("--size", help="What may remain, such as 100M or 0 (default: the limit).")
def prune(size: str | None) -> None:
    """Remove what was not used for longest."""
    from tilewright.runtime.cache import parse_size

    removed = _cache().prune(None if size is None else parse_size(size))
    click.echo(f"{removed} bytes removed", err=True)


def _cache() -> DiskCache:
    """The cache.  Raises `DiagnosticError` for a directory that may not be trusted."""
    from tilewright.runtime.cache import DiskCache, default_size

    cache = DiskCache(limit=max(1, default_size()))  # one that is switched off can be looked at, too
    cache.check()
    return cache
