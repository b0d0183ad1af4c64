"""Which memory may be which: parameters may be any but memory of the tile block, everything else is apart."""

from __future__ import annotations

import pytest

from tilewright.lowering.memory_order import memory_roots as lowered
from tilewright.optimizer.analysis import pointer_origins
from tilewright.optimizer.analysis.pointer_origins import MemoryRoot, RootKind, parameters, roots_may_overlap

FIRST, SECOND = MemoryRoot(RootKind.ARGUMENT, 0), MemoryRoot(RootKind.ARGUMENT, 1)
GLOBAL, OTHER = MemoryRoot(RootKind.GLOBAL, "g"), MemoryRoot(RootKind.GLOBAL, "h")
ALLOCA, SPARE = MemoryRoot(RootKind.ALLOCA, 0), MemoryRoot(RootKind.ALLOCA, 1)


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        (FIRST, FIRST, True),
        (FIRST, SECOND, True),
        (FIRST, GLOBAL, True),
        (FIRST, ALLOCA, False),
        (GLOBAL, GLOBAL, True),
        (GLOBAL, OTHER, False),
        (GLOBAL, ALLOCA, False),
        (ALLOCA, ALLOCA, True),
        (ALLOCA, SPARE, False),
    ],
)
def test_two_roots(one: MemoryRoot, other: MemoryRoot, meet: bool) -> None:
    assert roots_may_overlap(frozenset({one}), frozenset({other})) is meet
    assert roots_may_overlap(frozenset({other}), frozenset({one})) is meet


def test_one_of_several_is_enough() -> None:
    assert roots_may_overlap(frozenset({ALLOCA, GLOBAL}), frozenset({OTHER, FIRST}))
    assert not roots_may_overlap(frozenset({ALLOCA, GLOBAL}), frozenset({OTHER, SPARE}))


def test_what_comes_from_anywhere_may_be_anything() -> None:
    assert roots_may_overlap(None, frozenset({ALLOCA}))
    assert roots_may_overlap(frozenset({GLOBAL}), None)


def test_parameters() -> None:
    assert parameters([FIRST, GLOBAL, SECOND, ALLOCA]) == {0, 1}


def test_both_levels_of_the_path_name_memory_alike() -> None:
    assert lowered.MemoryRoot is pointer_origins.MemoryRoot
    assert lowered.roots_may_overlap is pointer_origins.roots_may_overlap
