"""References of floats in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tilewright.interp.memory.address_space import LaneAccess, Reached
from tilewright.interp.memory.allocation import Allocation
from tilewright.interp.numerics.convert import decode_memory
from tilewright.interp.numerics.element import ElementFormat, NumpyArray
from tilewright.interp.precision.reference import EXACT, Reference, of_value, unit, wide_format
from tilewright.ir.operation import Operation


class StoredReferences:
    """The references of one allocation, whose bytes are read as elements of ``format``: ``parts`` has the
    exact values and the two bounds (see `Reference`), ``written`` a mask of the elements that the launch
    wrote, and ``writers`` the operations that wrote. At first the elements are exact.
    """

    def __init__(self, allocation: Allocation, format: ElementFormat) -> None:
        self.format = format
        self.first, words = allocation.aligned_words(format.storage_bytes)
        data = np.ascontiguousarray(words).view(np.uint8)
        self.parts = list(of_value(decode_memory(data, format), format))
        self.written = np.zeros(words.shape, np.bool_)
        self.writers: dict[Operation, None] = {}

    def positions(self, addresses: NumpyArray) -> NumpyArray:
        """Return the indices, in the arrays of the parts, of the elements at `addresses`."""
        return np.asarray((addresses - self.first) // self.format.storage_bytes)


class ReferenceMemory:
    """Keeps the references of all memory that a launch accesses as floats. `record` is called at each access,
    before it changes memory; then the rule of the access runs once more for each part of the references.

    Packed elements have no references of their own: they are exact where they are loaded.
    """

    def __init__(self) -> None:
        self.stored: dict[Allocation, StoredReferences] = {}
        self._reached: Reached = ()

    def record(self, access: LaneAccess, reached: Reached) -> None:
        """Record the allocations that an access touches, and make references for allocations accessed as
        floats that have none. A store as another format than the earlier accesses drops the references of its
        allocation.
        """
        self._reached = reached
        for allocation, _ in reached:
            known = self.stored.get(allocation)
            if known is not None and known.format is not access.format and access.writes:
                del self.stored[allocation]
            is_kept = access.format.kind == "float" and not access.format.packed and allocation.registered
            if is_kept and allocation not in self.stored:
                self.stored[allocation] = StoredReferences(allocation, access.format)

    def of(self, part: int) -> PartMemory:
        """Return the memory of one part of all references (0 exact values, 1 and 2 bounds), which rules of
        loads and stores use in place of the memory of the launch.
        """
        return PartMemory(self, part)

    def places(self, access: LaneAccess) -> list[tuple[StoredReferences, Any, NumpyArray]] | None:
        """Return the references that the recorded access reaches: for each allocation its references, the
        lanes (a mask, or `...` for all), and the indices of the elements. Return None if an allocation has no
        references in the format of the access.
        """
        found: list[tuple[StoredReferences, Any, NumpyArray]] = []
        for allocation, lanes in self._reached:
            known = self.stored.get(allocation)
            if known is None or known.format is not access.format:
                return None
            chosen: Any = ... if lanes is None else lanes
            found.append((known, chosen, known.positions(access.addresses[chosen])))
        return found

    def of_array(self, array: NumpyArray) -> tuple[Reference, NumpyArray, StoredReferences] | None:
        """Return the references of the elements of an array, in its shape, a mask of the elements that the
        launch wrote, and the references of the allocation. Return None if the launch wrote no floats there,
        or floats of another size than the elements of `array`.
        """
        address = int(array.__array_interface__["data"][0])
        for allocation, known in self.stored.items():
            if allocation.base <= address < allocation.end and known.written.any():
                if array.itemsize != known.format.storage_bytes:
                    return None
                at = known.positions(element_addresses(array))
                return Reference(*(part[at] for part in known.parts)), known.written[at], known
        return None


def element_addresses(array: NumpyArray) -> NumpyArray:
    """Return the address of each element of an array, in its shape."""
    addresses: Any = np.array(int(array.__array_interface__["data"][0]), np.int64)
    for extent, stride in zip(array.shape, array.strides, strict=True):
        steps: Any = np.arange(extent, dtype=np.int64) * stride
        addresses = addresses[..., None] + steps
    return addresses


class PartMemory:
    """One part of the references in memory: 0 exact values, 1 and 2 bounds. It has the methods
    of `LaunchMemory`, so that the rules of accesses move references as they move elements.
    """

    def __init__(self, memory: ReferenceMemory, part: int) -> None:
        self._memory = memory
        self._part = part

    def read(self, access: LaneAccess) -> NumpyArray:
        """Return this part of the references of the elements at the addresses of an access, in their shape;
        lanes that reach no allocation have 0. Raises `LookupError` if the memory has no references.
        """
        made = np.zeros(access.addresses.shape, EXACT if self._part == 0 else np.float64)
        for known, lanes, at in self._places(access):
            made[lanes] = known.parts[self._part][at]
        return made

    def write(self, access: LaneAccess, values: NumpyArray) -> None:
        """Store `values` as this part of the references of the elements at the addresses of an access. Raises
        `LookupError` if the memory has no references.
        """
        for known, lanes, at in self._places(access):
            known.parts[self._part][at] = values[lanes]
            known.written[at] = True
            known.writers[access.op] = None

    def update(
        self, access: LaneAccess, combine: Callable[..., NumpyArray], *arguments: NumpyArray
    ) -> NumpyArray:
        """Add the first of `arguments`, this part of the added values, to the elements at the addresses of an
        access, whatever `combine` is; lanes may share an address. Bounds also grow by the rounding of the
        addition. Return zeros. Raises `LookupError` if the memory has no references.
        """
        for known, lanes, at in self._places(access):
            added = arguments[0][lanes]
            if self._part:  # the exact sums have been updated; each addition rounds, in any order
                format = known.format if self._part == 1 else wide_format(known.format)
                added = added + unit(known.parts[0][at], format)
            np.add.at(known.parts[self._part], at, added)
            known.written[at] = True
            known.writers[access.op] = None
        return np.zeros(access.addresses.shape)

    def _places(self, access: LaneAccess) -> list[tuple[StoredReferences, Any, NumpyArray]]:
        found = self._memory.places(access)
        if found is None:
            raise LookupError("memory without references")
        return found
