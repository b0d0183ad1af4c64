"""Device memory of a C++ program, as the worker process sees it: the shared bytes, and a table of
allocations.
"""

from __future__ import annotations

import ctypes
import mmap
from bisect import bisect_right, insort
from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import numpy as np

from tilewright.cuda_programs import host_places, wire
from tilewright.ir.attribute import Location
from tilewright.ir.support.record import Record
from tilewright.ptxsim.host.device import DeviceMemory
from tilewright.ptxsim.layout import WINDOWS

BASE = WINDOWS["global"]
"""The address of the first byte of device memory; it is the same in the program and in the worker."""
_FIXED = 0x100000
"""The flag `MAP_FIXED_NOREPLACE` of Linux."""
_REMEMBERED = 4096
"""The number of freed allocations that are kept to describe accesses to freed memory."""


class MemoryChange(IntEnum):
    """The kinds of changes that the program reports: four kinds of allocations, freed memory, and memory that
    the host has written.
    """

    DEVICE = 0
    MANAGED = 1
    PINNED = 2
    VARIABLE = 3
    FREED = 4
    WRITTEN = 5


class DeviceAllocation(Record, frozen=True):
    """An allocation of device memory: its first address, its size in bytes, its kind, and the name of a
    variable (empty for other memory). ``frames`` is the place of the allocating call, and ``freed`` of the
    freeing call.
    """

    begin: int
    size: int
    kind: MemoryChange
    name: str
    frames: wire.ProgramFrames
    freed: wire.ProgramFrames = wire.ProgramFrames()

    @property
    def end(self) -> int:
        """The address after the last byte."""
        return self.begin + self.size


class ProgramMemory:
    """Device memory that the worker shares with the program, and the allocations in it. The memory is the
    file with the ``descriptor``, ``size`` bytes, mapped at the address `BASE`; ``simulated`` is the same
    memory for the simulator. ``places`` finds the lines of the program. With ``is_initialisation_checked``,
    device memory is undefined until it is written. Raises `OSError` if the addresses are not free.
    """

    def __init__(
        self, descriptor: int, size: int, places: host_places.HostPlaces, *, is_initialisation_checked: bool
    ) -> None:
        self.bytes = _mapped(descriptor, size)
        self.simulated = DeviceMemory(BASE, self.bytes, poison=is_initialisation_checked)
        self._checks_initialisation = is_initialisation_checked
        self._places = places
        self._live: list[int] = []
        self._by_address: dict[int, DeviceAllocation] = {}
        self._freed: list[DeviceAllocation] = []

    def take_changes(self, message: wire.MessageReader) -> None:
        """Read the changes of memory from a message, and apply them: allocations, freed memory, and bytes
        that the host has written, which count as defined.
        """
        for _ in range(message.number()):
            kind, begin, size = MemoryChange(message.number()), message.long(), message.long()
            name, frames = message.text(), message.frames()
            if kind is MemoryChange.WRITTEN:
                self.simulated.define(begin, size)
            elif kind is MemoryChange.FREED:
                self._free(begin, frames)
            else:
                self._allocate(DeviceAllocation(begin, size, kind, name, frames))

    def _allocate(self, made: DeviceAllocation) -> None:
        undefined = made.kind is MemoryChange.DEVICE and self._checks_initialisation
        self.simulated.open_range(made.begin, made.size, undefined=undefined)
        insort(self._live, made.begin)
        self._by_address[made.begin] = made

    def _free(self, begin: int, frames: wire.ProgramFrames) -> None:
        old = self._by_address.pop(begin)
        self._live.remove(begin)
        self.simulated.close_range(old.begin, old.size)
        self._freed = [*self._freed[-_REMEMBERED:], old.replace(freed=frames)]

    def __contains__(self, address: int) -> bool:
        return BASE <= address < BASE + len(self.bytes)

    def find(self, address: int) -> DeviceAllocation | None:
        """Return the live allocation that contains an address, or None."""
        at = bisect_right(self._live, address) - 1
        found = self._by_address[self._live[at]] if at >= 0 else None
        return found if found is not None and address < found.end else None

    def freed(self, address: int) -> DeviceAllocation | None:
        """Return the freed allocation that contained an address, the most recently freed one if there are
        several; None if there is none.
        """
        return next((one for one in reversed(self._freed) if one.begin <= address < one.end), None)

    def nearest(self, address: int) -> DeviceAllocation | None:
        """Return the live allocation with the highest first address that is at most `address`; None if there
        is none.
        """
        at = bisect_right(self._live, address) - 1
        return self._by_address[self._live[at]] if at >= 0 else None

    def array(self, begin: int, end: int, dtype: Any = np.uint8) -> Any:
        """Return the memory from address `begin` to `end`, exclusive, as an array of `dtype`. Bytes at the
        end that do not fill an element are left out.
        """
        part = self.bytes[begin - BASE : end - BASE]
        size = np.dtype(dtype).itemsize
        return part[: len(part) // size * size].view(dtype)

    def arrays(self) -> list[Any]:
        """Return the memory of each live allocation as an array of bytes."""
        return [self.array(one.begin, one.end) for one in self._by_address.values()]

    def describe(self, address: int) -> tuple[str, Sequence[tuple[str, Location]]]:
        """Return a description of an address for a diagnostic, such as ``this is 4 bytes behind the end of
        'table'``, and notes with the lines of the program that allocated or freed the memory. An address
        outside of the GPU's memory is described as memory of the host or a null pointer, without notes. The
        description is empty if no allocation is before the address; notes whose line is unknown are left out.
        """
        if address not in self:
            return ("this is memory of the host" if address > 1 << 16 else "this is a null pointer"), ()
        old = None if self.find(address) is not None else self.freed(address)
        if old is not None:
            notes = (("the memory was freed here", old.freed), ("it was allocated here", old.frames))
            return "this is memory that was freed", self._notes(notes)
        near = self.nearest(address)
        if near is None:
            return "", ()
        what = f"'{near.name}'" if near.name else f"an allocation of {near.size} bytes"
        if address < near.end:
            words = f"this is byte {address - near.begin} of {what}"
        else:
            words = f"this is {address - near.end} bytes behind the end of {what}"
        return words, self._notes((("the memory is allocated here", near.frames),))

    def _notes(self, notes: Sequence[tuple[str, wire.ProgramFrames]]) -> list[tuple[str, Location]]:
        found = [(text, self._places.place(frames)) for text, frames in notes]
        return [(text, place) for text, place in found if place.source is not None]


def _mapped(descriptor: int, size: int) -> Any:
    """Map the file `descriptor` to memory at the address `BASE`, shared with other processes, and return its
    `size` bytes as an array. Raises OSError if the addresses are not free.
    """
    library = ctypes.CDLL(None, use_errno=True)
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    protection = mmap.PROT_READ | mmap.PROT_WRITE
    found = library.mmap(BASE, size, protection, mmap.MAP_SHARED | _FIXED, descriptor, 0)
    if found != BASE:
        raise OSError(ctypes.get_errno(), "the addresses of the device's memory are not free in the worker")
    return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(BASE))
