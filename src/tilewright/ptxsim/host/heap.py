"""The heap of the device: memory that threads allocate while a kernel runs."""

from __future__ import annotations

from tilewright.ptxsim import codes, faults, storage as ptxsim_storage

ALLOCATION = "malloc"
"""A module that declares this function has a heap."""
HEAP_BYTES = 1 << 20
ALIGNMENT = 16
"""The alignment of allocations in bytes."""


class Heap:
    """A range of `size` bytes of the global memory `memory`, and the allocations in it. Memory that a block
    frees is reused by this block only, and for allocations of the same size: no synchronisation would order
    the accesses of another block after the accesses of the first.
    """

    def __init__(self, memory: ptxsim_storage.Storage, size: int) -> None:
        self._next = memory.allocate(size, ALIGNMENT)
        self._end = self._next + size
        self._sizes: dict[int, int] = {}
        """The size of each live allocation, by address."""
        self._free: dict[tuple[int, int], list[int]] = {}
        """Addresses of freed memory, by block and size."""

    def take(self, block: int, size: int) -> int:
        """Return the address of `size` new bytes for the block number `block`: memory of this size that the
        block has freed, or else the next unused memory. Return 0 if there is neither.
        """
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
        """Free an allocation; the block number `block` may reuse it. Raises `Fault` for an address that is
        not in use.
        """
        size = self._sizes.pop(address, None)
        if size is None:
            raise faults.Fault(
                codes.OUT_OF_BOUNDS, f"free of {address:#x}, which malloc did not return or free has released"
            )
        self._free.setdefault((block, size), []).append(address)
