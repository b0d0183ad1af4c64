"""Which accesses race, and the words for arrays at an address."""

from __future__ import annotations

import itertools
from typing import Any, cast

import pytest

from tilewright.interp.checks.races import AccessRecord
from tilewright.interp.memory.access_messages import NULL_PAGE, array_words, nearest_words, outside_words
from tilewright.interp.memory.allocation import Allocation


def access(block: int, *, writes: bool, strong: bool, wide: bool) -> AccessRecord:
    """Return the record of an access of a tile block."""
    return AccessRecord(block, 3, "k", f"block {block}", cast("Any", None), "load", writes, strong, wide)


KINDS = [
    {"writes": writes, "strong": strong, "wide": strong and wide}
    for writes, strong, wide in itertools.product((False, True), repeat=3)
]


@pytest.mark.parametrize("same", [True, False])
def test_accesses_conflict_unless_both_read_or_are_atomic_for_each_other(same: bool) -> None:
    for one, other in itertools.product(KINDS, repeat=2):
        first, second = access(1, **one), access(1 if same else 2, **other)
        atomic = one["strong"] and other["strong"] and (same or (one["wide"] and other["wide"]))
        wanted = (one["writes"] or other["writes"]) and not atomic
        assert first.conflicts(second) == second.conflicts(first) == wanted, (one, other)


def test_a_history_holds_the_accesses_of_its_bits() -> None:
    one = access(1, writes=True, strong=False, wide=False)
    assert not one.precedes({})
    assert not one.precedes({2: 1 << 3})
    assert not one.precedes({1: 0b10111})
    assert one.precedes({1: 0b01000, 2: 0})


ALLOCATIONS = [Allocation(0x10000, 64, "x"), Allocation(0x20000, 32, "y")]


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (0x10000, "x"),
        (0x10001, "a part of x"),
        (0x1003F, "a part of x"),
        (0x10040, "the array"),
        (0x0FFFF, "the array"),
        (0x20000, "y"),
        (0x20010, "a part of y"),
    ],
)
def test_words_for_an_array_at_an_address(address: int, words: str) -> None:
    assert array_words(address, ALLOCATIONS) == words


def test_words_for_the_nearest_memory() -> None:
    assert nearest_words(5, []) == "no buffer is known"
    x, y = (nearest_words(address, ALLOCATIONS) for address in (0x10050, 0x1FFF0))
    assert "x" in x
    assert "y" in y
    assert x != y


def test_words_for_an_access_outside() -> None:
    null = outside_words("load", 4, "element [0]", NULL_PAGE - 1, ALLOCATIONS, None)
    assert null.startswith(
        f"load of 4 bytes at {NULL_PAGE - 1:#x} by element [0] is through a null pointer; "
    )
    wild = outside_words("store", 8, "element [1]", NULL_PAGE, ALLOCATIONS, None)
    assert wild.startswith("store of 8 bytes at 0x1000 by element [1] is outside every known buffer; ")
    below = outside_words("store", 8, "element [1]", -8, ALLOCATIONS, None)
    assert below.startswith(f"store of 8 bytes at {2**64 - 8:#x} by element [1] is outside every known")
