"""The script that tries tilewright on Arm: what it takes for right, and for wrong."""

from __future__ import annotations

import pytest

from tests.house.tree import ROOT
from tools import try_arm64

FOUND = "\n".join(f"{words} (1, 0, 0)" for words in try_arm64.RACE)
TABLE = "kernel  ok\nadd  yes\n"


def test_the_race_is_that_of_the_readme() -> None:
    program = try_arm64.readme_race()
    assert program.startswith("import cuda.tile as ct")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(words in readme for words in try_arm64.RACE)
    lines = program.splitlines()
    for words in try_arm64.RACE:
        assert "ct.store(out" in lines[int(words.split(":")[1]) - 1]


@pytest.mark.parametrize(
    ("status", "printed", "is_right"), [(1, FOUND, True), (0, FOUND, False), (1, "no finding", False)]
)
def test_the_race_is_judged(status: int, printed: str, is_right: bool) -> None:
    assert (try_arm64.wrong_race(status, printed) is None) == is_right


@pytest.mark.parametrize(
    ("status", "printed", "is_right"),
    [(0, TABLE, True), (1, TABLE, False), (0, TABLE.replace("yes", "NO"), False), (0, "kernel  ok\n", False)],
)
def test_the_demo_is_judged(status: int, printed: str, is_right: bool) -> None:
    assert (try_arm64.wrong_demo(status, printed) is None) == is_right


@pytest.mark.parametrize(
    ("status", "printed", "is_right"),
    [
        (0, "       2 checked: same\n     519 same\n", True),
        (0, "       2 checked: same\n", False),
        (1, "     519 same\n", False),
        (0, "", False),
    ],
)
def test_the_generated_kernels_are_judged(status: int, printed: str, is_right: bool) -> None:
    assert (try_arm64.wrong_kernels(status, printed) is None) == is_right
