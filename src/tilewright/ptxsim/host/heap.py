"""The heap of the device: memory that threads ask for while a kernel runs."""

from __future__ import annotations

from tilewright.ptxsim import codes
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.storage import Storage

ALLOCATION = "malloc"
"""Modules that declare this function have a heap."""
HEAP_BYTES = 1 << 20
ALIGNMENT = 16
"""What addresses from the heap are multiples of."""


class Heap:
    """So many bytes of global memory, and who has which of them.

    What a block gave back only this block gets again: nothing would order the accesses of another one behind its own.
    """

    def __init__(self, memory: Storage, size: int) -> None:
        self._next = memory.allocate(size, ALIGNMENT)
        self._end = self._next + size
        self._sizes: dict[int, int] = {}
        """Of memory that is in use, by its address."""
        self._free: dict[tuple[int, int], list[int]] = {}
        """Addresses by the number of the block and the size."""

    def take(self, block: int, size: int) -> int:
        """The address of so many bytes; 0 if there are no more."""
        size = -(-max(size, 1) // ALIGNMENT) * ALIGNMENT
        known = self._free.get((block, size))
        if not known and self._next + size > self._end:
            return 0
        address = known.pop() if known else self._next
        if address == self._next:
            self._next += size
        self._sizes[address] = size
        return address

    def give_back(self, block: int, address: int) -> None:
        """Take bytes back.  Raises `Fault` for an address that is not in use."""
        size = self._sizes.pop(address, None)
        if size is None:
            raise Fault(codes.OUT_OF_BOUNDS, f"free of {address:#x}, where no memory of the heap begins")
        self._free.setdefault((block, size), []).append(address)
