"""`tilewright install-tileirdisasm`: a ``tileirdisasm`` where another program looks for one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from tilewright.cli.errors import UsageError

NAME = "tileirdisasm"
KEPT = "tileirdisasm.kept"
"""The file name of an existing `tileirdisasm` while tilewright's takes its place."""
MARK = "# Made by 'tilewright install-tileirdisasm'; '--remove' takes it away again."
_LONGEST_SHEBANG = 120


@click.command(name="install-tileirdisasm")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help=f"Replace another tileirdisasm, which is kept as {KEPT}.")
@click.option(
    "--remove", is_flag=True, help="Remove the installed tileirdisasm, and restore the one that was kept."
)
def command(directory: Path, force: bool, remove: bool) -> None:
    """Put a tileirdisasm into DIRECTORY that runs this tilewright.

    cuTile Python takes the tileirdisasm in the folder of the tileiras that it compiles with; toolkits before
    13.4 have none. A tileirdisasm that tilewright installed is replaced; any other in DIRECTORY is an error
    unless --force is given.
    """
    try:
        click.echo(_remove(directory) if remove else _install(directory, force=force), err=True)
    except UsageError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    except OSError as error:
        click.echo(f"error: cannot write '{error.filename or directory}': {error.strerror}", err=True)
        sys.exit(2)


def _install(directory: Path, *, force: bool) -> str:
    if os.name == "nt":
        raise UsageError(
            "Windows needs a program, not a script", "pip install tilewright-tileirdisasm, and copy its .exe"
        )
    if not directory.is_dir():
        raise UsageError(f"'{directory}' is not a folder")
    place, kept = directory / NAME, directory / KEPT
    if os.path.lexists(place) and not _is_ours(place):
        if not force:
            raise UsageError(
                f"there is another '{place}'", f"--force takes its place and keeps it as '{KEPT}'"
            )
        if os.path.lexists(kept):
            raise UsageError(f"'{kept}' is in the way", "move it elsewhere")
        place.rename(kept)
    _write(place)
    return f"installed '{place}'"


def _write(place: Path) -> None:
    """Write the script atomically, so that no program finds half of it."""
    draft = place.with_name(f".{NAME}.{os.getpid()}")
    draft.write_text(script(sys.executable), encoding="utf-8")
    draft.chmod(0o755)
    draft.replace(place)


def script(python: str) -> str:
    """Return the text of the `tileirdisasm` script, which runs with the Python interpreter at the path
    ``python``. If a shebang line cannot hold the path, because it is long or has a blank, the shell starts
    the interpreter.
    """
    if len(python) > _LONGEST_SHEBANG or " " in python:
        start = f"#!/bin/sh\n'''exec' \"{python}\" -P \"$0\" \"$@\"\n' '''\n"
    else:
        start = f"#!{python} -P\n"
    return f"{start}{MARK}\nfrom tilewright.cli.drop_ins.tileirdisasm import main\n\nmain()\n"


def _is_ours(place: Path) -> bool:
    with place.open("rb") as file:
        return MARK.encode() in file.read(1 << 12)


def _remove(directory: Path) -> str:
    place, kept = directory / NAME, directory / KEPT
    if not os.path.lexists(place) or not _is_ours(place):
        raise UsageError(f"'{place}' was not installed by tilewright")
    place.unlink()
    if not os.path.lexists(kept):
        return f"removed '{place}'"
    kept.rename(place)
    return f"removed '{place}' and restored the earlier one"
