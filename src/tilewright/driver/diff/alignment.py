"""Alignment of two sequences: pairs of corresponding items, in order.

Near-linear: common ends are paired off, items that occur equally often on both sides become anchors, the longest
increasing run of anchors is kept, and only small gaps between anchors get an exact longest common subsequence.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

EXACT_AREA = 1 << 12
"""Gaps whose lengths have at most this product get an exact longest common subsequence."""
ROUNDS = 8
"""The maximum depth at which anchors divide a gap further, for one kind of keys."""

Pair = tuple[int, int]
Level = tuple[Sequence[int], Sequence[int]]
"""One key for each item of both sequences; items with equal keys may be paired."""


class Gap(NamedTuple):
    """Half-open ranges of both sequences whose items are not paired yet."""

    a: int
    a_end: int
    b: int
    b_end: int

    @property
    def is_open(self) -> bool:
        """Return whether both ranges have items to pair."""
        return self.a < self.a_end and self.b < self.b_end


def align(levels: Sequence[Level]) -> list[Pair]:
    """Return pairs of positions of corresponding items of two sequences, increasing on both sides.

    Each level has a key for every item of the first and of the second sequence; only items with equal keys
    are paired. ``levels`` go from strict keys to loose ones. Pairs of the first level are kept; each further
    level only pairs items between them.
    """
    first = levels[0]
    gaps = [Gap(0, len(first[0]), 0, len(first[1]))]
    pairs: list[Pair] = []
    for number, keys in enumerate(levels):
        found: list[Pair] = []
        for gap in gaps:
            found.extend(_Level(keys, number == len(levels) - 1).pairs(gap))
        pairs = sorted([*pairs, *found])
        gaps = [gap for gap in _between(pairs, len(first[0]), len(first[1])) if gap.is_open]
    return pairs


def _between(pairs: Sequence[Pair], a_end: int, b_end: int) -> Iterator[Gap]:
    a = b = 0
    for i, j in pairs:
        yield Gap(a, i, b, j)
        a, b = i + 1, j + 1
    yield Gap(a, a_end, b, b_end)


class _Level:
    """Pairs the items of a gap that have equal keys of one level. If `is_last`, items may serve as anchors
    even if their key occurs more often on one side than on the other.
    """

    def __init__(self, keys: Level, is_last: bool) -> None:
        self.a, self.b = keys
        self.is_last = is_last

    def pairs(self, gap: Gap) -> list[Pair]:
        found: list[Pair] = []
        pending = [(gap, 0)]
        while pending:
            wide, number = pending.pop()
            inner = self._trim(wide, found)
            if not inner.is_open:
                continue
            if (inner.a_end - inner.a) * (inner.b_end - inner.b) <= EXACT_AREA:
                found.extend(self._exact(inner))
                continue
            anchors = self._anchors(inner) if number < ROUNDS else []
            found.extend(anchors)
            if anchors:
                pending.extend((part, number + 1) for part in self._parts(inner, anchors))
        return found

    def _trim(self, gap: Gap, found: list[Pair]) -> Gap:
        """Append the pairs of equal items at both ends of a gap to `found`; return the rest of the gap."""
        a, a_end, b, b_end = gap
        ours, theirs = self.a, self.b
        while a < a_end and b < b_end and ours[a] == theirs[b]:
            found.append((a, b))
            a, b = a + 1, b + 1
        while a < a_end and b < b_end and ours[a_end - 1] == theirs[b_end - 1]:
            a_end, b_end = a_end - 1, b_end - 1
            found.append((a_end, b_end))
        return Gap(a, a_end, b, b_end)

    def _parts(self, gap: Gap, anchors: list[Pair]) -> list[Gap]:
        shifted = [(i - gap.a, j - gap.b) for i, j in anchors]
        lengths = gap.a_end - gap.a, gap.b_end - gap.b
        parts = [part for part in _between(shifted, *lengths) if part.is_open]
        return [Gap(p.a + gap.a, p.a_end + gap.a, p.b + gap.b, p.b_end + gap.b) for p in parts]

    def _anchors(self, gap: Gap) -> list[Pair]:
        """Return pairs of items whose key occurs equally often on both sides of the gap, increasing on both
        sides.

        On the last level, items whose key occurs on both sides at all are used.
        """
        ours, theirs = _places(self.a, gap.a, gap.a_end), _places(self.b, gap.b, gap.b_end)
        candidates: list[Pair] = []
        for key, places in ours.items():
            others = theirs.get(key, [])
            if len(places) == len(others) or (self.is_last and others):
                candidates.extend(zip(places, others, strict=False))
        return longest_increasing(sorted(candidates))

    def _exact(self, gap: Gap) -> list[Pair]:
        """Return pairs of positions of a longest common subsequence of the gap, by dynamic programming."""
        ours, theirs = self.a[gap.a : gap.a_end], self.b[gap.b : gap.b_end]
        if set(ours).isdisjoint(theirs):
            return []
        rows = _lengths(ours, theirs)
        found: list[Pair] = []
        i = j = 0
        while i < len(ours) and j < len(theirs):
            if ours[i] == theirs[j]:
                found.append((gap.a + i, gap.b + j))
                i, j = i + 1, j + 1
            elif rows[i + 1][j] >= rows[i][j + 1]:
                i += 1
            else:
                j += 1
        return found


def _places(keys: Sequence[int], start: int, end: int) -> dict[int, list[int]]:
    places: defaultdict[int, list[int]] = defaultdict(list)
    for position in range(start, end):
        places[keys[position]].append(position)
    return places


def _lengths(ours: Sequence[int], theirs: Sequence[int]) -> list[list[int]]:
    """Return a table whose entry ``[i][j]`` is the length of the longest common subsequence of ``ours[i:]``
    and ``theirs[j:]``.
    """
    width = len(theirs)
    rows = [[0] * (width + 1)]
    for key in reversed(ours):
        below, row = rows[-1], [0] * (width + 1)
        for j in range(width - 1, -1, -1):
            row[j] = below[j + 1] + 1 if key == theirs[j] else max(below[j], row[j + 1])
        rows.append(row)
    return rows[::-1]


def longest_increasing(pairs: Sequence[Pair]) -> list[Pair]:
    """Return a longest subsequence of pairs whose second numbers strictly increase; the pairs must be sorted
    by their first numbers.
    """
    ends: list[int] = []
    tops: list[int] = []
    before: list[int] = []
    for number, (_, second) in enumerate(pairs):
        place = bisect_left(ends, second)
        before.append(tops[place - 1] if place else -1)
        if place == len(ends):
            ends.append(second)
            tops.append(number)
        else:
            ends[place], tops[place] = second, number
    chain: list[Pair] = []
    number = tops[-1] if tops else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]
