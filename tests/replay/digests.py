"""Digests of texts, kept in a file with a line for each: compare with them, or rewrite them under ``--bless``."""

from __future__ import annotations

import fcntl
from collections.abc import Container, Iterable
from functools import cache
from pathlib import Path

import pytest

from tests.replay.replaying import digest


@cache
def kept(path: Path) -> dict[str, dict[str, str]]:
    """Return the digests in a file, by the name of the member and of the text."""
    found: dict[str, dict[str, str]] = {}
    for line in path.read_text().splitlines() if path.is_file() else ():
        name, label, value = line.split()
        found.setdefault(name, {})[label] = value
    return found


def compare(
    path: Path,
    name: str,
    texts: Iterable[tuple[str, str]],
    *,
    bless: bool,
    left_out: Container[str] = (),
) -> None:
    """Fail at the first text of a member whose digest is another one; ``bless`` keeps the new ones instead.

    `left_out` names what there are no texts of: settings, or runs.
    """
    if bless:
        _keep(path, name, {label: digest(text) for label, text in texts})
        return
    rows = kept(path).get(name, {})
    expected = {label: value for label, value in rows.items() if part_of(label) not in left_out}
    for label, text in texts:
        if expected.pop(label, None) != digest(text):
            pytest.fail(_message(name, f"'{label}' is another text than before"), pytrace=False)
    if expected:
        pytest.fail(_message(name, f"there is no '{next(iter(expected))}' any more"), pytrace=False)


def part_of(label: str) -> str:
    """Return the setting of a text of a stage, whose label is that of the setting, a colon and the stage; of
    another text the label itself.
    """
    setting, _, stage = label.rpartition(":")
    return setting if setting and not stage.startswith("sm_") else label


def _message(name: str, what: str) -> str:
    return (
        f"{name}: {what}\n"
        f"to see the difference: python -m tests.replay.replaying {name} > now.txt\n"
        "    here and in a checkout of the state before, and diff the two\n"
        "if the new text is right: pytest tests/replay --bless (all members, a minute and a half with -n 2)"
    )


def _keep(path: Path, name: str, digests: dict[str, str]) -> None:
    """Write the digests of a member into a file that other processes write, too."""
    path.touch()
    with path.open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        others = [line for line in file.read().splitlines() if not line.startswith(f"{name} ")]
        lines = [*others, *(f"{name} {label} {value}" for label, value in digests.items())]
        lines.sort(key=lambda line: line.split()[0])  # the texts of a member stay in their order
        file.seek(0)
        file.truncate()
        file.write("".join(f"{line}\n" for line in lines))


def of_no_member(path: Path, names: Iterable[str]) -> list[str]:
    """Return the names in a file that the corpus lacks."""
    return sorted(kept(path).keys() - set(names))


def without_digest(path: Path, names: Iterable[str]) -> list[str]:
    """Return the names in the corpus that a file lacks."""
    return sorted(set(names) - kept(path).keys())
