"""`tilewright cache`: the compiled kernels on disk."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tilewright.runtime.disk_cache import DiskCache

DAMAGED, OWN = "(damaged)", "(of tilewright itself)"
"""Shown instead of names of kernels: of records that cannot be read, and of code that threads and crash reports need."""


@click.group(name="cache")
def command() -> None:
    """List, remove or check the compiled kernels on disk.

    TILEWRIGHT_CACHE_DIR names the directory, TILEWRIGHT_CACHE_SIZE the limit (0 keeps nothing).
    """


@command.command(name="path")
def path() -> None:
    """Print the directory of the cache."""
    click.echo(str(_cache().directory))


@command.command(name="ls")
@click.argument("text", default="")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def ls(text: str, as_json: bool) -> None:
    """List the records with their kernels, most recently used first. With TEXT, list only records whose key or kernel name contains it."""
    cache = _cache()
    listed = [(entry, _kernels(cache, entry.key)) for entry in cache.entries()]
    listed = [(entry, names) for entry, names in listed if any(text in word for word in (entry.key, *names))]
    if as_json:
        rows = [
            {
                "key": entry.key,
                "kernels": [name for name in names if name not in (DAMAGED, OWN)],
                "bytes": entry.size,
                "used": entry.used,
            }
            for entry, names in listed
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    for entry, names in listed:
        used = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(entry.used))
        click.echo(f"{entry.key}  {entry.size:>9}  {used}  {', '.join(names)}")
    click.echo(f"{len(listed)} records, {sum(entry.size for entry, _ in listed)} bytes", err=True)


def _kernels(cache: DiskCache, key: str) -> list[str]:
    """Return the names of the kernels in the record ``key``; `DAMAGED` alone for a record that cannot be
    read, `OWN` for code without kernels.
    """
    from tilewright.driver.loading import kernels_in

    content = cache.content(key)
    try:
        names = [DAMAGED] if content is None else [*kernels_in(content)]
    except ValueError:
        return [DAMAGED]
    return names or [OWN]


@command.command(name="verify")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify(as_json: bool) -> None:
    """Read and load every record, and remove damaged records. Exit status 1 if a record was damaged."""
    from tilewright.driver.loading import is_loadable

    cache = _cache()
    count = len(cache.entries())
    damaged = cache.verify(is_loadable)
    if as_json:
        click.echo(json.dumps({"records": count, "damaged": damaged}, indent=2))
    for key in damaged if not as_json else ():
        click.echo(key)
    click.echo(f"{count} records, {len(damaged)} damaged", err=True)
    if damaged:
        sys.exit(1)


@command.command(name="prune")
@click.option("--size", help="The bytes that may remain, such as 100M or 0 (default: the limit).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def prune(size: str | None, as_json: bool) -> None:
    """Remove the least recently used records, until those left have at most --size bytes. Without --size, the
    limit of the cache applies. A size is a number of bytes, or a number with a unit such as 100M; other text
    is an error.
    """
    from tilewright.runtime.disk_cache import parse_size

    removed = _cache().prune(None if size is None else parse_size(size))
    if as_json:
        click.echo(json.dumps({"bytes_removed": removed}, indent=2))
    click.echo(f"{removed} bytes removed", err=True)


@command.command(name="clear")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def clear(as_json: bool) -> None:
    """Remove all records. Kernels are compiled again at their next launch."""
    removed = _cache().prune(0)
    if as_json:
        click.echo(json.dumps({"bytes_removed": removed}, indent=2))
    click.echo(f"{removed} bytes removed", err=True)


def _cache() -> DiskCache:
    """Return the cache. Raises `DiagnosticError` for a directory with unsafe permissions."""
    from tilewright.runtime.disk_cache import DiskCache, default_size

    cache = DiskCache(limit=max(1, default_size()))  # one that is switched off can be looked at, too
    cache.check()
    return cache
