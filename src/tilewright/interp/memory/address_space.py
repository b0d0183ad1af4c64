"""The address space: real addresses of this process, and the allocations known there.

Pointers are 64-bit process addresses, so addresses kept in tables and computed from integers work. An access
whose elements all lie in registered allocations (arguments, globals, allocas) goes through typed NumPy views of them.
Other accesses:

- When the registry is complete (every pointer parameter was given as an array and the kernel makes no pointers from
  integers), or under memcheck, everything outside is refused.
- Otherwise memory that the operating system has mapped for this process is accepted (`process_memory`), so that
  a wrong address gives a diagnostic and not a crash.

Elements must be aligned to their size.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np

from tilewright.interp.codes import MISALIGNED, OUT_OF_BOUNDS, READ_ONLY
from tilewright.interp.memory.access_messages import NULL_PAGE, OUTSIDE_HINT, outside_words, place_words
from tilewright.interp.memory.allocation import Allocation
from tilewright.interp.numerics.convert import decode_memory, encode_memory
from tilewright.interp.numerics.element import BoolArray, ElementFormat, NumpyArray, from_bits, to_bits
from tilewright.interp.values import wrapped_address
from tilewright.ir.diagnostic import DiagnosticCode, DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.support.ignores import is_ignored

_MAPS = Path("/proc/self/maps")


class ProcessMemory:
    """The readable and the writeable address ranges of the process, read from Linux's process table when
    needed.

    If the operating system has no such table, no access is permitted: then every buffer must be passed as an
    array.
    """

    def __init__(self) -> None:
        self._ranges: dict[bool, tuple[NumpyArray, NumpyArray]] = {}

    def permits(self, addresses: NumpyArray, size: int, *, write: bool) -> BoolArray:
        """Return a mask of the `addresses` at which ``size`` bytes may be read, or written with `write`, by
        the memory map of the process. If the stored map forbids some, it is read again first.
        """
        allowed = self._inside(addresses, size, write)
        if not allowed.all():
            self._ranges = {False: _mapped("r"), True: _mapped("w")}
            allowed = self._inside(addresses, size, write)
        return allowed

    def _inside(self, addresses: NumpyArray, size: int, write: bool) -> BoolArray:
        starts, ends = self._ranges.get(write, (np.zeros(0, np.int64), np.zeros(0, np.int64)))
        if not starts.size:
            return np.zeros(addresses.shape, np.bool_)
        position = np.searchsorted(starts, addresses, side="right") - 1
        return np.asarray((position >= 0) & (addresses <= ends[np.maximum(position, 0)] - size))


def _mapped(permission: str) -> tuple[NumpyArray, NumpyArray]:
    """Return the sorted start and end addresses of the memory ranges with a permission, ``r`` or ``w``;
    adjacent ranges are joined. Without a process table there are none.
    """
    joined: list[list[int]] = []
    for line in _MAPS.read_text().splitlines() if _MAPS.exists() else ():
        extent, flags = line.split(maxsplit=2)[:2]
        start, end = (int(part, 16) for part in extent.split("-"))
        if permission not in flags or end >= 1 << 63:
            continue
        if joined and joined[-1][1] == start:
            joined[-1][1] = end
        else:
            joined.append([start, end])
    ranges = np.array(joined, dtype=np.int64).reshape(-1, 2)
    return ranges[:, 0], ranges[:, 1]


LaneName: TypeAlias = Callable[[int], tuple[int, ...]]
Reached: TypeAlias = "Sequence[tuple[Allocation, BoolArray | None]]"
"""The allocations that an access touches, each with the lanes that do (None: all of them)."""


@dataclass(frozen=True, slots=True)
class AccessOrder:
    """The ordering of an access in the memory model: ``strong`` is atomic, ``wide`` at device scope or
    beyond; ``acquires`` and ``releases`` say which order the access makes between tile blocks.
    """

    strong: bool
    wide: bool
    acquires: bool
    releases: bool


class AccessSource(Protocol):
    """The tile block that makes an access, as far as memory and its checks use it: its ``number`` in the
    grid, the name of its ``kernel``, the parameter through which an operation accesses memory, and errors at
    an operation.
    """

    number: int

    @property
    def kernel(self) -> str:
        """Return the name of the kernel in diagnostics."""
        ...

    def parameter_of(self, access: Operation) -> int | None:
        """Return the number of the parameter whose memory an operation accesses; None if it may be other
        memory.
        """
        ...

    def failure(
        self, op: Operation, code: DiagnosticCode, message: str, *, hint: str, names_op: bool = True
    ) -> DiagnosticError:
        """Return an error located at `op`, to be raised. `names_op` False leaves the name of the operation
        out of the message.
        """
        ...


@dataclass(slots=True)
class LaneAccess:
    """One load, store or atomic of the operation `op` in a tile block: the addresses of its lanes, the format
    of the elements, and the order in the memory model.

    ``addresses`` are signed 64-bit integers of any shape; ``nibbles`` (packed formats only) selects a half of
    the byte: 0 is the lower one. ``lane`` returns the index in the tile of a position in the flattened
    addresses; None if the addresses have the shape of the tile. `LaunchMemory` sets ``reads`` and ``writes``.
    """

    block: AccessSource
    op: Operation
    addresses: NumpyArray
    format: ElementFormat
    order: AccessOrder
    nibbles: NumpyArray | None = None
    lane: LaneName | None = None
    writes: bool = False
    reads: bool = False

    def lane_name(self, position: int) -> str:
        """Return a phrase for the lane at `position` in the flattened addresses, such as `element [3] of the
        tile`.
        """
        index = self.lane(position) if self.lane else np.unravel_index(position, self.addresses.shape)
        listed = ", ".join(str(int(i)) for i in index)
        return f"element [{listed}] of the tile" if listed else "the element"

    @property
    def verb(self) -> str:
        """Return the kind of access for diagnostics: ``load``, ``store`` or ``atomic update``."""
        if self.reads and self.writes:
            return "atomic update"
        return "store" if self.writes else "load"


class AccessWatcher(Protocol):
    """Receives every access of a launch that is allowed, before it is done."""

    def record(self, access: LaneAccess, reached: Reached) -> None:
        """Handle an access that is about to be done. `reached` has the allocations that it touches, each with
        a mask of the lanes (None: all); memory of the process that is not registered is among them.
        """
        ...


class LaunchMemory:
    """Reads, writes and updates the memory of a launch, and refuses accesses that are not allowed: outside of
    its memory, not aligned to the size of an element, or writing to read-only memory. Each of ``watchers``
    receives the accesses that are allowed.

    If ``complete``, only registered allocations may be accessed; otherwise also memory that is mapped into
    the process. Mapped memory is accessed, too, if the program ignores the finding.
    """

    def __init__(self, *, complete: bool, watchers: Sequence[AccessWatcher] = ()) -> None:
        self.complete = complete
        self.watchers = watchers
        self._bases: list[int] = []
        self._allocations: list[Allocation] = []
        self._process = ProcessMemory()

    @property
    def allocations(self) -> tuple[Allocation, ...]:
        """Return the registered allocations, sorted by address."""
        return tuple(self._allocations)

    def register(self, allocation: Allocation) -> Allocation:
        """Add an allocation to the known memory of the launch, and return it. It is merged with the known
        allocations that it overlaps; the merged allocation replaces them and is returned. An empty allocation
        is not added.
        """
        if allocation.end == allocation.base:
            return allocation
        first = bisect.bisect_right(self._bases, allocation.base)
        if first and self._allocations[first - 1].end > allocation.base:
            first -= 1
        last = bisect.bisect_left(self._bases, allocation.end)
        overlapping = self._allocations[first:last]
        if overlapping:
            allocation = _merge([*overlapping, allocation])
        self._bases[first:last] = [allocation.base]
        self._allocations[first:last] = [allocation]
        return allocation

    def release(self, allocation: Allocation) -> None:
        """Remove an allocation from the known memory of the launch. Nothing happens if it has been merged
        into another one.
        """
        position = bisect.bisect_left(self._bases, allocation.base)
        if position < len(self._bases) and self._allocations[position] is allocation:
            del self._bases[position], self._allocations[position]

    def read(self, access: LaneAccess) -> NumpyArray:
        """Return the elements at the addresses, in their shape, after the watchers have recorded the access.
        Raises `DiagnosticError` for an access that is not allowed.
        """
        access.reads = True
        return self._gather(access, self._reach(access))

    def write(self, access: LaneAccess, values: NumpyArray) -> None:
        """Write elements (in the shape of the addresses) after the watchers have recorded the access; of
        several at one address, the last one stays. Raises `DiagnosticError` for an access that is not
        allowed, and then writes nothing.
        """
        access.writes = True
        self._scatter(access, self._reach(access), values)

    def update(
        self, access: LaneAccess, combine: Callable[..., NumpyArray], *arguments: NumpyArray
    ) -> NumpyArray:
        """Replace each element by ``combine(element, *arguments)``, after the watchers have recorded the
        access; return the earlier values. The arguments have the shape of the addresses. Lanes with equal
        addresses run in lane order, as if each were an operation of its own. Raises `DiagnosticError` for an
        access that is not allowed.
        """
        access.reads = access.writes = True
        reached = self._reach(access)
        old = self._gather(access, reached)
        ranks = _turns(access.addresses.reshape(-1)).reshape(old.shape)
        if not ranks.any():
            self._scatter(access, reached, combine(old, *arguments))
            return old
        _, first, inverse = np.unique(access.addresses, return_index=True, return_inverse=True)
        cells = replace(access, addresses=access.addresses.reshape(-1)[first])
        inverse = inverse.reshape(old.shape)
        current = old.reshape(-1)[first]
        for turn in range(int(ranks.max()) + 1):
            lanes = ranks == turn
            at = inverse[lanes]
            old[lanes] = before = current[at]
            current[at] = combine(before, *(argument[lanes] for argument in arguments))
        self._scatter(cells, self._locate(cells), current)
        return old

    def _gather(self, access: LaneAccess, reached: Reached) -> NumpyArray:
        size = access.format.storage_bytes
        words = np.empty(access.addresses.shape, f"u{size}")
        for allocation, lanes in reached:
            first, memory = allocation.aligned_words(size)
            if lanes is None:
                words = np.asarray(memory[self._positions(access.addresses, first, size)])
            else:
                words[lanes] = memory[self._positions(access.addresses[lanes], first, size)]
        return _elements(words, access)

    def _scatter(self, access: LaneAccess, reached: Reached, values: NumpyArray) -> None:
        for allocation, lanes in reached:
            if lanes is None:
                self._write_words(allocation, access, access.addresses, access.nibbles, values)
            else:
                nibbles = None if access.nibbles is None else access.nibbles[lanes]
                self._write_words(allocation, access, access.addresses[lanes], nibbles, values[lanes])

    def _write_words(
        self,
        allocation: Allocation,
        access: LaneAccess,
        addresses: NumpyArray,
        nibbles: NumpyArray | None,
        values: NumpyArray,
    ) -> None:
        format = access.format
        size = format.storage_bytes
        first, memory = allocation.aligned_words(size)
        positions = self._positions(addresses, first, size)
        if nibbles is None:
            words = encode_memory(values, format).view(f"u{size}")
            memory[positions] = words.reshape(positions.shape)
            return
        bits = to_bits(values, format) & np.uint8(0xF)
        for half, kept in ((0, 0xF0), (1, 0x0F)):
            chosen = nibbles == half
            at = positions[chosen]
            memory[at] = (memory[at] & np.uint8(kept)) | (bits[chosen] << np.uint8(4 * half))

    @staticmethod
    def _positions(addresses: NumpyArray, first: int, size: int) -> NumpyArray:
        return (addresses - first) >> (size.bit_length() - 1)

    def _reach(self, access: LaneAccess) -> Reached:
        """Return the allocations that an access touches, and notify the watchers.

        Raises `DiagnosticError` for an access that is not allowed.
        """
        reached = self._locate(access)
        for allocation, lanes in reached:
            if access.writes and not allocation.writeable:
                raise self._read_only(access, allocation, lanes)
        for watcher in self.watchers:
            watcher.record(access, reached)
        return reached

    def _locate(self, access: LaneAccess) -> Reached:
        return list(self._allocations_of(access)) if access.addresses.size else []

    def _allocations_of(self, access: LaneAccess) -> Iterator[tuple[Allocation, BoolArray | None]]:
        addresses, size = access.addresses, access.format.storage_bytes
        if size > 1 and int(np.bitwise_or.reduce(addresses, axis=None)) & (size - 1):
            raise self._misaligned(access, size)
        low, high = int(addresses.min()), int(addresses.max()) + size
        position = bisect.bisect_right(self._bases, low) - 1
        if position >= 0 and high <= self._allocations[position].end:
            yield self._allocations[position], None
            return
        yield from self._scattered(access, size)

    def _scattered(self, access: LaneAccess, size: int) -> Iterator[tuple[Allocation, BoolArray | None]]:
        """Yield the allocations that contain lanes of an access, with a mask of these lanes; the lanes
        outside of all get an allocation that is not registered.

        Raises `DiagnosticError` for a lane outside them that may not be accessed.
        """
        addresses = access.addresses
        bases = np.array([-(1 << 62), *self._bases], dtype=np.int64)
        ends = np.array([-(1 << 62), *(a.end for a in self._allocations)], dtype=np.int64)
        owner = np.searchsorted(bases, addresses, side="right") - 1
        owner = np.where((owner > 0) & (addresses <= ends[np.maximum(owner, 0)] - size), owner, 0)
        for number in np.unique(owner):
            lanes = np.asarray(owner == number)
            if number:
                yield self._allocations[int(number) - 1], lanes
            else:
                yield self._unregistered(access, lanes, size), lanes

    def _unregistered(self, access: LaneAccess, lanes: BoolArray, size: int) -> Allocation:
        outside = access.addresses[lanes]
        allowed = (
            np.zeros(outside.shape, np.bool_) if self.complete else self._is_mapped(access, outside, size)
        )
        if not allowed.all() and self.complete and is_ignored(OUT_OF_BOUNDS, access.op.location):
            allowed = self._is_mapped(access, outside, size)
        if not allowed.all():
            bad = int(np.flatnonzero(lanes)[np.flatnonzero(~allowed)[0]])
            raise self._out_of_bounds(access, bad, int(np.count_nonzero(~allowed)))
        low, high = int(outside.min()), int(outside.max()) + size
        found = Allocation(low, high - low, "memory of the process")
        found.registered = False
        return found

    def _is_mapped(self, access: LaneAccess, addresses: NumpyArray, size: int) -> BoolArray:
        """Return a mask of the addresses at which the memory of the process allows the access of `size`
        bytes; false for the first `NULL_PAGE` bytes.
        """
        return self._process.permits(addresses, size, write=access.writes) & (addresses >= NULL_PAGE)

    def _out_of_bounds(self, access: LaneAccess, lane: int, count: int) -> Exception:
        address = int(access.addresses.reshape(-1)[lane])
        size, by = access.format.storage_bytes, access.lane_name(lane)
        if count > 1:
            by += f" (and {count - 1} more)"
        source = access.block.parameter_of(access.op)
        message = outside_words(access.verb, size, by, address, self.allocations, source)
        return access.block.failure(access.op, OUT_OF_BOUNDS, message, hint=OUTSIDE_HINT, names_op=False)

    def _misaligned(self, access: LaneAccess, size: int) -> Exception:
        lane = int(np.flatnonzero(access.addresses.reshape(-1) & (size - 1))[0])
        address = int(access.addresses.reshape(-1)[lane]) & ((1 << 64) - 1)
        message = f"{access.verb} of {size} bytes at {address:#x} by {access.lane_name(lane)} is not aligned to {size} bytes"
        hint = "pass an aligned array; byte offsets must be multiples of the element size"
        return access.block.failure(access.op, MISALIGNED, message, hint=hint, names_op=False)

    def _read_only(self, access: LaneAccess, allocation: Allocation, lanes: BoolArray | None) -> Exception:
        lane = 0 if lanes is None else int(np.flatnonzero(lanes)[0])
        place = place_words(allocation, int(access.addresses.reshape(-1)[lane]))
        message = f"{access.verb} by {access.lane_name(lane)} writes to {place}, which is read-only"
        hint = "pass a writeable array (numpy: array.flags.writeable), or copy it first"
        return access.block.failure(access.op, READ_ONLY, message, hint=hint, names_op=False)


def _elements(words: NumpyArray, access: LaneAccess) -> NumpyArray:
    """Return memory words as tile elements of the same shape."""
    format = access.format
    if access.nibbles is None:
        return decode_memory(words.reshape(-1).view(np.uint8), format).reshape(words.shape)
    nibbles = (words >> (access.nibbles.astype(np.uint8) << np.uint8(2))) & np.uint8(0xF)
    return from_bits(nibbles, format)


def _turns(addresses: NumpyArray) -> NumpyArray:
    """Return for each lane the number of preceding lanes with the same address."""
    order = np.argsort(addresses, kind="stable")
    ordered = addresses[order]
    positions = np.arange(addresses.size)
    starts = np.ones(addresses.size, np.bool_)
    starts[1:] = ordered[1:] != ordered[:-1]
    turns = np.empty(addresses.size, np.int64)
    turns[order] = positions - np.maximum.accumulate(np.where(starts, positions, 0))
    return turns


def _merge(allocations: list[Allocation]) -> Allocation:
    base = min(a.base for a in allocations)
    parts = tuple(part for allocation in allocations for part in allocation.parts)
    is_named = any(part.is_named for part in parts)
    names = dict.fromkeys(part.name for part in parts if part.is_named or not is_named)
    merged = Allocation(
        base,
        max(a.end for a in allocations) - base,
        " and ".join(names),
        writeable=any(a.writeable for a in allocations),
        owner=[a.owner for a in allocations],
    )
    merged.is_named = is_named
    merged.parts = _named_once(parts)
    return merged


def _named_once(parts: Sequence[Allocation]) -> tuple[Allocation, ...]:
    """Return `parts` without each allocation that covers exactly the memory of an allocation with a name of
    the program.

    The named allocation gets the parameter number of the dropped allocation, if it has none. Named
    allocations come first.
    """
    named = {(part.base, part.end): part for part in parts if part.is_named}
    for part in parts:
        again = named.get((part.base, part.end))
        if again is not None and again.parameter is None:
            again.parameter = part.parameter
    kept = [part for part in parts if part.is_named or (part.base, part.end) not in named]
    return tuple(sorted(kept, key=lambda part: not part.is_named))


def byte_addresses(
    base: int, offsets: NumpyArray, format: ElementFormat
) -> tuple[NumpyArray, NumpyArray | None]:
    """Return the addresses of the elements at `offsets`, counted in elements from ``base``, and the half of
    the byte of each for packed formats (0 is the lower one), or None.
    """
    start = np.int64(wrapped_address(base))
    if format.packed:
        return np.asarray(start + (offsets >> 1)), np.asarray(offsets & 1)
    return np.asarray(start + offsets * np.int64(format.storage_bytes)), None
