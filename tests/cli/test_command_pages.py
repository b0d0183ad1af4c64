"""The pages of the commands are their help, and every exit status of the table occurs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tests.golden import compare
from tests.house.tree import ROOT
from tilewright.cli.errors import STATUSES, report
from tilewright.cli.group import cli
from tilewright.cli.main import COMMANDS
from tools.command_pages import pages

FOLDER = ROOT / "docs" / "commands"
Command = Callable[..., Answer]


def test_the_committed_pages(bless: bool) -> None:
    found = pages()
    assert set(found) == {"index.md", *(f"{name}.md" for name in COMMANDS)}
    for name, text in found.items():
        compare(FOLDER / name, text, bless=bless)
    assert {path.name for path in FOLDER.iterdir()} == set(found)


def test_every_status_occurs(tilewright: Command) -> None:  # noqa: F811
    kernel = str(ROOT / "tests" / "house" / "data" / "kernel.mlir")
    occurred = {
        tilewright("verify", kernel).status,
        tilewright("explain", "no such thing").status,
        tilewright("verify", "--no-such-option").status,
        report(KeyboardInterrupt()),
    }
    assert occurred == set(STATUSES)


def test_help_names_the_statuses() -> None:
    assert cli.help is not None
    for status, meaning in STATUSES.items():
        assert f"{status} {meaning}" in " ".join(cli.help.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_page_that_says_what_it_is_for(name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# `tilewright {name}`\n\n{COMMANDS[name][1]}\n")
    assert "Usage: tilewright" in text
