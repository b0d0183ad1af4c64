"""The last write to each byte of the arrays of a launch: its operation and its tile block."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.interp.memory.address_space import LaneAccess, Reached
from tilewright.interp.numerics.element import NumpyArray
from tilewright.interp.tile_block import TileBlock
from tilewright.ir.operation import Operation
from tilewright.ir.support.record import Record

_MOST_BYTES = 1 << 26
"""The size in bytes of the largest array whose writes are recorded; four bytes are needed for each."""


class WriteRecord(Record, frozen=True):
    """A write to memory: the operation, and the position of its tile block in the grid."""

    op: Operation
    position: tuple[int, int, int]


class WriteLog:
    """An `AccessWatcher` that records for each byte of registered memory which operation wrote it last,
    except in arrays of more than `_MOST_BYTES` bytes. ``count`` is the number of write accesses so far.
    """

    def __init__(self) -> None:
        self.count = 0
        self._records: list[WriteRecord] = []
        self._last: dict[int, NumpyArray] = {}

    def record(self, access: LaneAccess, reached: Reached) -> None:
        """Record a write; other accesses are ignored."""
        if not access.writes:
            return
        assert isinstance(access.block, TileBlock), "the interpreter makes the accesses"
        self.count += 1
        self._records.append(WriteRecord(access.op, access.block.position))
        offsets = np.arange(access.format.storage_bytes)
        for allocation, lanes in reached:
            size = allocation.end - allocation.base
            if not allocation.registered or size > _MOST_BYTES:
                continue
            addresses = access.addresses if lanes is None else access.addresses[lanes]
            last = self._last.setdefault(allocation.base, np.zeros(size, np.int32))
            last[(addresses.reshape(-1, 1) - allocation.base + offsets).reshape(-1)] = len(self._records)

    def last(self, addresses: NumpyArray) -> list[WriteRecord | None]:
        """Return the last write to each address, in the order of the addresses; None for memory that was not
        written, or whose writes are not recorded.
        """
        return [self._at(int(address)) for address in addresses.reshape(-1)]

    def _at(self, address: int) -> WriteRecord | None:
        for base, last in self._last.items():
            if base <= address < base + last.size:
                number = int(last[address - base])
                return self._records[number - 1] if number else None
        return None


def element_addresses(view: Any) -> NumpyArray:
    """Return the address of each element of an array, in the shape of the array."""
    found = np.full(view.shape, int(view.__array_interface__["data"][0]), np.int64)
    for axis, (extent, stride) in enumerate(zip(view.shape, view.strides, strict=True)):
        steps = np.arange(extent, dtype=np.int64) * stride
        found += steps.reshape([-1 if other == axis else 1 for other in range(view.ndim)])
    return found
