"""Nesting that lowering could not follow is refused by counting; less of it is lowered."""

from __future__ import annotations

import pytest

from tests.lowering.cuda_tile_to_tileaa.lowered import failure_of, kernel, lowered
from tilewright.lowering import codes
from tilewright.lowering.cuda_tile_to_tileaa.nesting import DEEPEST

HEAD = "".join(
    f"%{name} = constant <i32: {value}> : tile<i32>\n" for name, value in (("l", 0), ("h", 2), ("s", 1))
)
PARAMETERS = "%x: tile<ptr<i32>>, %b: tile<i1>"
STORE = "%d = store_ptr_tko weak %x, %s : tile<ptr<i32>>, tile<i32> -> token\n"


def loops(depth: int) -> str:
    heads = "".join(f"for %i{number} in (%l to %h, step %s) : tile<i32> {{\n" for number in range(depth))
    return kernel(HEAD + heads + STORE + "}\n" * depth, PARAMETERS)


def branches(depth: int) -> str:
    """Each branch is left by a return in its middle, at all depths."""
    return kernel(HEAD + "if %b {\n" * depth + "return\n" + "}\n" * depth + STORE, PARAMETERS)


def exits(count: int) -> str:
    """Branches that return, one after the other: each takes up the rest of the kernel."""
    return kernel(HEAD + "if %b {\nreturn\n}\n" * count + STORE, PARAMETERS)


@pytest.mark.parametrize("make", [loops, branches, exits])
def test_nesting_up_to_the_limit_is_lowered(make):
    lowered(make(DEEPEST))


@pytest.mark.parametrize("depth", [DEEPEST + 1, 1000])
@pytest.mark.parametrize("make", [loops, branches])
def test_deeper_nesting_is_refused_with_its_place(make, depth):
    (diagnostic,) = failure_of(make(depth)).diagnostics
    assert diagnostic.code == codes.NESTED_TOO_DEEP
    assert f"more than {DEEPEST} deep" in diagnostic.message
    line = 2 + HEAD.count("\n") + DEEPEST + 1
    assert f":{line}:" in str(diagnostic.location)


def test_exits_count_for_what_follows_them():
    (diagnostic,) = failure_of(exits(DEEPEST + 1)).diagnostics
    assert diagnostic.code == codes.NESTED_TOO_DEEP
