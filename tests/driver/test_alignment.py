"""Alignment of sequences."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, strategies as st

from tilewright.driver.diff import alignment
from tilewright.driver.diff.alignment import align, longest_increasing

KEYS = st.lists(st.integers(0, 5), max_size=30)


def longest_common(a: list[int], b: list[int]) -> int:
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            best[i + 1][j + 1] = best[i][j] + 1 if x == y else max(best[i][j + 1], best[i + 1][j])
    return best[-1][-1]


@given(a=KEYS, b=KEYS)
def test_small_sequences_are_aligned_exactly(a: list[int], b: list[int]) -> None:
    pairs = align([(a, b)])
    assert all(a[i] == b[j] for i, j in pairs)
    assert len(pairs) == longest_common(a, b)


@given(a=st.lists(st.integers(0, 9), max_size=200), b=st.lists(st.integers(0, 9), max_size=200))
def test_pairs_increase_on_both_sides(a: list[int], b: list[int]) -> None:
    limit = alignment.EXACT_AREA
    alignment.EXACT_AREA = 16  # so that anchors are used
    try:
        pairs = align([(a, b), ([0] * len(a), [0] * len(b))])
    finally:
        alignment.EXACT_AREA = limit
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))
    edges = [(-1, -1), *pairs, (len(a), len(b))]
    assert all(k == i + 1 or m == j + 1 for (i, j), (k, m) in pairwise(edges)), (
        "the last level pairs anything"
    )


@given(st.lists(st.integers(0, 9), min_size=1, max_size=200))
def test_equal_sequences_align_whole(a: list[int]) -> None:
    limit = alignment.EXACT_AREA
    alignment.EXACT_AREA = 16  # so that anchors are used
    try:
        pairs = align([(a, a), ([0] * len(a), [0] * len(a))])
    finally:
        alignment.EXACT_AREA = limit
    assert pairs == [(at, at) for at in range(len(a))]


@given(
    before=st.integers(0, 300), after=st.integers(0, 300), inserted=st.lists(st.integers(-9, -1), max_size=9)
)
def test_an_insertion_into_a_long_sequence(before: int, after: int, inserted: list[int]) -> None:
    a = list(range(before + after))
    b = [*a[:before], *inserted, *a[before:]]
    assert [i for i, _ in align([(a, b)])] == a


@given(st.permutations(range(12)))
def test_longest_increasing(order: list[int]) -> None:
    chain = longest_increasing(list(enumerate(order)))
    assert [x for x, _ in chain] == sorted({x for x, _ in chain})
    assert [y for _, y in chain] == sorted({y for _, y in chain})
    assert len(chain) == longest_common(order, list(range(12)))
