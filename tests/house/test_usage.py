"""Modules that no compilation, command or document enters are listed, each group with its reason."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

from tests.house.tree import ROOT
from tests.house.usage import entered, with_functions

BY_HAND = "By hand, "
"""Begins the reasons of modules that only hand-written text enters, which is no use."""
ROWS = ROOT / "tests" / "house" / "data" / "never_entered.txt"


def rows() -> dict[str, str]:
    """Modules, and why nothing enters them: lines below a line that begins with ``#``."""
    found: dict[str, str] = {}
    reason = ""
    for line in ROWS.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            reason = line.removeprefix("# ")
        elif line:
            assert line not in found, line
            found[line] = reason
    return found


def test_rows_have_reasons_and_name_modules() -> None:
    assert all(rows().values())
    assert sorted(set(rows()) - with_functions()) == []


def test_calls_are_seen_and_classes_are_not() -> None:
    def use() -> None:
        from tilewright.ir.builtin_types import i32

        str(i32)

    found = entered([use])
    assert "tilewright.ir.builtin_types" in found
    assert "tilewright.targets.cpu.machine.worker" not in found


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the list is that of one processor")
@pytest.mark.skipif(sys.platform != "linux", reason="the list is that of one system")
def test_the_list_of_modules_that_nothing_enters() -> None:
    """A module that became used leaves the list; one that nothing uses any more goes, or gets a reason."""
    pytest.importorskip("cuda.tile")
    pytest.importorskip("capstone")
    done = subprocess.run(
        [sys.executable, "-m", "tests.house.usage"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    lines = set(done.stdout.splitlines())
    listed = {f"{name} by hand" if reason.startswith(BY_HAND) else name for name, reason in rows().items()}
    assert sorted(lines - listed) == [], "entered by no use, or by hand-written text only"
    assert sorted(listed - lines) == [], "entered by a use, or no longer by hand-written text"
