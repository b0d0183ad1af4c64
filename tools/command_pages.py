"""The pages of the commands, generated from their help: `pytest tests/cli/test_command_pages.py --bless` writes them."""

from __future__ import annotations

import importlib
import io
from collections.abc import Iterator
from contextlib import redirect_stdout
from unittest.mock import patch

import click

from tilewright.cli.errors import STATUSES
from tilewright.cli.group import cli
from tilewright.cli.main import COMMANDS, DIRECT, run_direct

WIDTH = 98
"""Characters of a line of help."""


def pages() -> dict[str, str]:
    """The text of each page by its file name."""
    return {"index.md": _index(), **{f"{name}.md": _page(name) for name in COMMANDS}}


def _index() -> str:
    rows = "\n".join(f"| [`{name}`]({name}.md) | {summary} |" for name, (_, summary) in COMMANDS.items())
    statuses = "\n".join(f"| {status} | {meaning} |" for status, meaning in STATUSES.items())
    return (
        "# Commands\n\nThese pages are generated from the help of the commands, which `tilewright COMMAND --help` prints.\n"
        "[The command line](../guides/command-line.md) says what all commands have in common.\n\n"
        f"| command | what it does |\n| --- | --- |\n{rows}\n\n"
        "## Exit statuses\n\nAll commands end with one of these. Where a command gives them a narrower meaning, its page says "
        "so.\n\n"
        f"| status | meaning |\n| --- | --- |\n{statuses}\n\n"
        f"## Options of all commands\n\n```text\n{_shown(cli, 'tilewright')}\n```\n"
    )


def _page(name: str) -> str:
    blocks = "\n\n".join(f"```text\n{text}\n```" for text in _helps(name))
    return f"# `tilewright {name}`\n\n{COMMANDS[name][1]}\n\n{blocks}\n"


def _helps(name: str) -> Iterator[str]:
    """The help of a command, and of the commands in it."""
    if name in DIRECT:
        with redirect_stdout(io.StringIO()) as printed:
            run_direct(name, ["--help"])
        yield printed.getvalue().rstrip()
        return
    command = importlib.import_module(COMMANDS[name][0]).command
    yield _shown(command, f"tilewright {name}")
    if isinstance(command, click.Group):
        for inner in command.list_commands(click.Context(command)):
            found = command.get_command(click.Context(command), inner)
            assert found is not None
            yield _shown(found, f"tilewright {name} {inner}")


def _shown(command: click.Command, path: str) -> str:
    settings = {"help_option_names": ["-h", "--help"]}
    with patch.object(click.Context, "formatter_class", _Formatter):
        return command.get_help(click.Context(command, info_name=path, **settings)).rstrip()


class _Formatter(click.HelpFormatter):
    """Help of one width, whatever the terminal is."""

    def __init__(self, **_: object) -> None:
        super().__init__(width=WIDTH, max_width=WIDTH)
