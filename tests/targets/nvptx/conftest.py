"""A fixture for tests that make PTX: it is PTX that they made before; digests of the texts stand in ``data/ptx.txt``.

Tests of instructions use it, and those of lowerings that no member of ``tests/replay`` goes through.  A change that is
meant to change code deletes the file and makes it anew: ``pytest tests/targets/nvptx --bless``.
"""

from __future__ import annotations

import fcntl
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.replay.digests import digest
from tilewright.ptx.model import Module
from tilewright.ptx.printer import print_module
from tilewright.targets.nvptx.nvvm_to_ptx import module

KEPT = Path(__file__).parent / "data" / "ptx.txt"
FILE = re.compile(r'^\s*\.file.*"$', re.MULTILINE)
"""Names of files, which may be those of a folder of the test."""


@cache
def kept() -> set[str]:
    """The digests in the file."""
    return set(KEPT.read_text().split()) if KEPT.exists() else set()


def keep(digests: set[str]) -> None:
    """Add digests to the file, which other processes write, too."""
    kept().update(digests)
    KEPT.touch()
    with KEPT.open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        known = set(file.read().split()) | digests
        file.seek(0)
        file.write("".join(f"{one}\n" for one in sorted(known)))


@pytest.fixture
def ptx_as_before(monkeypatch: pytest.MonkeyPatch, bless: bool) -> Iterator[None]:
    """Compare the PTX of a test with the texts that are kept."""
    made: dict[str, str] = {}

    def recorded(one: Module) -> str:
        text = print_module(one)
        made[digest(FILE.sub("", text))] = text
        return text

    monkeypatch.setattr(module, "print_module", recorded)
    yield
    new = made.keys() - kept()
    if bless and new:
        keep(set(new))
    elif new:
        text = made[min(new)]
        pytest.fail(
            f"the test makes PTX that none made before, such as:\n{text}\n"
            f"if it is right: delete {KEPT.name} and run pytest tests/targets/nvptx --bless",
            pytrace=False,
        )
