"""Every command that prints facts prints them as JSON when it is asked to, by the same option."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator

import click
import pytest

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tests.house.tree import ROOT
from tilewright.cli.main import COMMANDS, DIRECT

KERNEL = str(ROOT / "tests" / "house" / "data" / "kernel.mlir")
NO_FACTS = {
    "translate": "prints a module",
    "reduce": "writes a file",
    "disasm": "prints a module",
    "opt": "prints a module",
    "abi header": "prints a C header",
    "abi image": "writes a file",
    "abi read": "prints a module",
    "abi show": "prints a page",
    "cache path": "prints one name",
    "install-tileirdisasm": "writes a file",
    "ptx print": "prints PTX",
    "explore": "writes a page",
    "lsp": "talks to an editor",
    "dap": "talks to an editor",
    "debug": "talks to a user",
    "mcp": "talks to a client",
}
"""Commands without the option, and why."""
LISTS = [
    ("abi", "list"),
    ("cache", "ls"),
    ("cache", "verify"),
    ("cache", "prune"),
    ("cache", "clear"),
    ("doctor",),
    ("diff", KERNEL, KERNEL),
    ("explain", "addf"),
    ("registry", "--table=pass"),
    ("verify", KERNEL),
]
Command = Callable[..., Answer]


def commands() -> Iterator[tuple[str, click.Command]]:
    for name in COMMANDS:
        if name in DIRECT:
            continue
        command = importlib.import_module(COMMANDS[name][0]).command
        if isinstance(command, click.Group):
            context = click.Context(command)
            inner = ((sub, command.get_command(context, sub)) for sub in command.list_commands(context))
            yield from ((f"{name} {sub}", found) for sub, found in inner if found is not None)
        else:
            yield name, command


def test_the_option_is_everywhere_but_where_there_are_no_facts() -> None:
    without = {
        name for name, command in commands() if not any("--json" in option.opts for option in command.params)
    }
    assert without - set(NO_FACTS) == set()


@pytest.mark.parametrize("words", LISTS, ids=" ".join)
def test_stdout_is_one_document(
    words: tuple[str, ...],
    tilewright: Command,  # noqa: F811
    tmp_path: object,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", f"{tmp_path}/cache")
    status, out, err = tilewright(*words, "--json")
    assert status == 0, err
    assert json.loads(out) is not None
