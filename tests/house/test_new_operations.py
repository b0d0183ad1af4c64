"""Adding an element-wise operation to Tile IR touches five files of the compiler at most.

That is shown by doing it: a process imports the compiler with the lines of a contributor added, and runs kernels.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.house.edited_sources import before, behind, edited, install
from tests.house.new_operation_runs import AMOUNTS, CASES, ENDLESS, INTEGERS, NUMBERS
from tests.house.new_operations import OPERATIONS
from tests.house.tree import run_python

MAXIMUM_FILES = 5
"""Declaration, lowering, meaning and code of elements; and an operation to lower to, where there is none yet."""

EXPECTED: dict[str, Callable[[], Any]] = {
    "unary float": lambda: np.expm1(NUMBERS),
    "binary float": lambda: np.abs(NUMBERS - NUMBERS[::-1]),
    "binary integer": lambda: [_rotated(int(x), int(by)) for x, by in zip(INTEGERS, AMOUNTS, strict=True)],
    "unary integer": lambda: [(int(x) & 0xFFFF_FFFF).bit_count() for x in INTEGERS],
    "comparison": lambda: np.isinf(ENDLESS),
    "conversion": lambda: np.rint(NUMBERS).astype(np.int32),
}


def _rotated(number: int, amount: int) -> int:
    bits = (number & 0xFFFF_FFFF) << amount
    whole = (bits | bits >> 32) & 0xFFFF_FFFF
    return whole - (1 << 32) if whole >> 31 else whole


PROGRAM = """
from tests.house.edited_sources import install
from tests.house.new_operations import OPERATIONS, together
install(together(list(OPERATIONS.values())))
from tests.house.new_operation_runs import main
main()
"""


@cache
def found() -> dict[str, dict[str, Any]]:
    """By kind what the interpreter and the CPU computed."""
    return json.loads(run_python(PROGRAM))


@pytest.mark.parametrize("kind", OPERATIONS)
def test_few_files_are_touched(kind: str) -> None:
    assert len(OPERATIONS[kind]) <= MAXIMUM_FILES, sorted(OPERATIONS[kind])


@pytest.mark.parametrize("kind", CASES)
@pytest.mark.parametrize("target", ["interp", "cpu"])
def test_that_is_enough(kind: str, target: str) -> None:
    np.testing.assert_allclose(found()[kind][target], EXPECTED[kind](), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("kind", CASES)
def test_generators_know_it(kind: str) -> None:
    assert found()[kind]["generated"] > 0


def test_edits_stand_where_they_should() -> None:
    assert edited("a\nb\n", [before("b", "x"), behind("a", "y")], "m") == "ay\nxb\n"
    with pytest.raises(ValueError, match="'a' stands 2 times in m"):
        edited("aa", [behind("a", "b")], "m")
    with pytest.raises(ValueError, match="are loaded already"):
        install({__name__: ()})
