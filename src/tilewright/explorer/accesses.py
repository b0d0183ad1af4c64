"""The exact accesses of a launch in the interpreter: the elements of each array that each tile block touches."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tilewright.explorer import places as explorer_places, schema
from tilewright.interp.memory import address_space, allocation as memory_allocation

_MOST_TOUCHES = 4_000
_MOST_RUNS = 64
_MOST_CONFLICTS = 2_000

Numbers = npt.NDArray[np.int64]


class AccessMaps:
    """Records the accesses of a launch to `arrays`, pairs of a name and an array among the arguments, with
    the tile block and the source position of each access, which `places` numbers.
    """

    def __init__(self, arrays: Sequence[tuple[str, Any]], places: explorer_places.SourcePositions) -> None:
        self._places = places
        self._arrays = [_Watched(name, array) for name, array in arrays]
        self._order = 0

    def record(self, access: address_space.LaneAccess, reached: address_space.Reached) -> None:
        """Record an access for each watched array that begins in a touched allocation. `reached` has pairs of
        an allocation and the lanes that touch it; None stands for all lanes.
        """
        self._order += 1
        for allocation, lanes in reached:
            addresses = access.addresses if lanes is None else access.addresses[lanes]
            for array in self._arrays:
                if array.lies_in(allocation):
                    array.note(
                        access, addresses.reshape(-1), self._order, self._places.of(access.op.location)
                    )

    @property
    def least_bytes(self) -> int:
        """Return the minimum number of bytes that the launch must move: elements that it reads, plus elements
        that it writes.
        """
        return sum(array.least_bytes for array in self._arrays)

    def maps(self, *, is_whole: bool) -> list[schema.ArrayMap]:
        """Return the maps of the arrays that the launch touched. If the launch ended early, so that it is not
        ``is_whole``, the maps are marked as incomplete.
        """
        return [array.map(is_whole=is_whole) for array in self._arrays if array.touches]


class _Watched:
    """An array argument, and which tile blocks accessed its elements."""

    def __init__(self, name: str, array: Any) -> None:
        self.name = name
        self.element = str(array.dtype)
        low, high = np.lib.array_utils.byte_bounds(array)
        span = (high - low) // array.itemsize
        self.shape = [int(extent) for extent in array.shape] if array.flags.c_contiguous else [span]
        self.touches: list[schema.Touch] = []
        self.cut = False
        self._size = span
        self._item = int(array.itemsize)
        self._base = low
        self._last: dict[tuple[bool, bool], Numbers] = {}
        """By whether an access is atomic and whether it writes, the tile block that came to each element last; -1 for none."""
        self._conflicts = np.zeros(self._size, bool)

    @property
    def least_bytes(self) -> int:
        """Return the bytes of the elements that were read, plus the bytes of the elements that were written."""
        seen = {writes: np.zeros(self._size, bool) for writes in (False, True)}
        for (_, writes), last in self._last.items():
            seen[writes] |= last >= 0
        return self._item * sum(int(np.count_nonzero(elements)) for elements in seen.values())

    def lies_in(self, allocation: memory_allocation.Allocation) -> bool:
        """Return whether the array begins in an allocation."""
        return allocation.base <= self._base < allocation.end

    def note(self, access: address_space.LaneAccess, addresses: Numbers, order: int, place: int) -> None:
        """Record an access to `addresses`, the `order`-th of the launch, from the source position `place`.

        Addresses outside this array are ignored: they may belong to another array. After `_MOST_TOUCHES`
        accesses the elements are marked, but no further accesses are listed.
        """
        elements = self._elements(addresses)
        if not elements.size:
            return
        block = access.block.number
        self._mark(access, block, elements)
        if len(self.touches) < _MOST_TOUCHES:
            self.touches.append(schema.Touch(block, order, access.verb, place, runs_of(elements)))
        else:
            self.cut = True

    def _elements(self, addresses: Numbers) -> Numbers:
        """Return the indices of the elements of the array at addresses, sorted and without repetitions.
        Addresses outside of the array are left out.
        """
        elements = (addresses - self._base) // self._item
        if (elements[1:] <= elements[:-1]).any():
            elements = np.unique(elements)
        if elements.size and (elements[0] < 0 or elements[-1] >= self._size):
            first, end = np.searchsorted(elements, (0, self._size))
            elements = elements[first:end]
        return elements

    def _mark(self, access: address_space.LaneAccess, block: int, elements: Numbers) -> None:
        """Store `block` as the last tile block that touched each element. Mark the elements that another tile
        block touched before, unless both accesses are atomic or both only read.
        """
        mine = access.order.strong and access.order.wide, access.writes
        for kind, last in self._last.items():
            if (mine[0] and kind[0]) or not (mine[1] or kind[1]):
                continue  # both are atomic, or both only read
            others = last[elements]
            self._conflicts[elements[(others >= 0) & (others != block)]] = True
        if mine not in self._last:
            self._last[mine] = np.full(self._size, -1, np.int64)
        self._last[mine][elements] = block

    def map(self, *, is_whole: bool) -> schema.ArrayMap:
        """Return the accesses to the array as a page shows them. Unless ``is_whole``, they are marked as
        incomplete.
        """
        conflicts = np.flatnonzero(self._conflicts)
        cut = self.cut or not is_whole or conflicts.size > _MOST_CONFLICTS
        listed = [int(element) for element in conflicts[:_MOST_CONFLICTS]]
        return schema.ArrayMap(self.name, self.element, self.shape, self.touches, listed, cut)


def runs_of(elements: Numbers) -> list[tuple[int, int, int]]:
    """Return sorted, different numbers as runs ``(first, count, step)``.

    If there are very many runs, the last run covers the rest.

    >>> runs_of(np.array([0, 1, 2, 8, 16, 24]))
    [(0, 3, 1), (8, 3, 8)]
    """
    starts = np.concatenate([[0], np.flatnonzero(np.diff(elements) != 1) + 1, [elements.size]])
    counts = np.diff(starts)
    if ((counts[1:] == 1) & (counts[:-1] == 1)).any():  # some elements may lie in steps
        return _runs_in_steps(elements)
    firsts = elements[starts[:-1][:_MOST_RUNS]]
    rows = zip(firsts.tolist(), counts[:_MOST_RUNS].tolist(), strict=True)
    found = [(first, count, 1) for first, count in rows]
    return found if len(counts) <= _MOST_RUNS else [*found, _rest(elements, int(starts[_MOST_RUNS]))]


def _rest(elements: Numbers, at: int) -> tuple[int, int, int]:
    """Return the run (first, count, 1) that covers the elements from position `at` to the last."""
    return int(elements[at]), int(elements[-1] - elements[at]) + 1, 1


def _runs_in_steps(elements: Numbers) -> list[tuple[int, int, int]]:
    numbers: list[int] = elements.tolist()
    steps: list[int] = np.diff(elements).tolist()
    changes: list[int] = (np.flatnonzero(np.diff(elements, n=2)) + 1).tolist() if elements.size > 2 else []
    found: list[tuple[int, int, int]] = []
    at = 0
    while at < len(numbers):
        if len(found) == _MOST_RUNS:
            return [*found, _rest(elements, at)]
        count, step = _run(steps, changes, at)
        found.append((numbers[at], count, step))
        at += count
    return found


def _run(steps: list[int], changes: list[int], at: int) -> tuple[int, int]:
    """Return the length and the step of the longest run from the position `at` on; ``changes`` are the
    positions where the step changes. A run whose step is not 1 has at least three numbers, otherwise the
    result is (1, 1).
    """
    if at == len(steps):
        return 1, 1
    after = bisect_right(changes, at)
    length = (changes[after] if after < len(changes) else len(steps)) - at + 1
    return (length, steps[at]) if steps[at] == 1 or length > 2 else (1, 1)
