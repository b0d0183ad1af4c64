"""Memory of a state space: bytes, and masks of existing and undefined bytes."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

import numpy as np

from tilewright.ptxsim import codes, values as ptxsim_values
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.races.clocks import SharedWatch

GUARD = 64
"""The minimum distance of two allocations in bytes; no access may touch the bytes between them."""


DISCARDED = 0xDC
"""The value of indeterminate bytes."""
WRITTEN, BARRIER, READ = 1, 2, 4
"""Flags of reserved bytes: written by an asynchronous operation, part of an mbarrier, or read (counted) by
asynchronous operations.
"""
REASONS = {
    WRITTEN: "that an asynchronous operation still writes",
    BARRIER: "of an mbarrier",
    READ: "that an asynchronous operation still reads",
}


class ReservedBytes:
    """The bytes, among the first `size` of a storage, that asynchronous operations still write or read, and
    the bytes of mbarriers.
    """

    def __init__(self, size: int) -> None:
        self.uses: Any = np.zeros(size, np.uint16)
        self.quads: Any = self.uses.view(np.uint64)
        """A view of `uses` whose elements cover four bytes of the storage each."""
        self.count = 0
        """The number of reservations; without any, no byte is checked."""

    def grow(self, size: int) -> None:
        """Grow to `size` bytes, and keep the reservations."""
        before, self.uses = self.uses, np.zeros(size, np.uint16)
        self.uses[: len(before)] = before
        self.quads = self.uses.view(np.uint64)

    def refuse_stores(self, places: ptxsim_values.Array) -> None:
        """Raise `Fault` if a byte at `places` is reserved, so that a store must not write it."""
        found = int(self.uses[places].max(initial=0))
        if found:
            reason = REASONS[next(bit for bit in (READ, BARRIER, WRITTEN) if found >= bit)]
            raise Fault(codes.IN_FLIGHT, f"a store to bytes {reason}", HINT)

    def refuse_stores_of(self, places: ptxsim_values.Array, size: int) -> None:
        """Raise `Fault` if a byte of the words of `size` bytes at `places` is reserved, so that a store must
        not write it.
        """
        if size < 4 or self.quads[ptxsim_values.touched_units(places, size, 4)].any():
            self.refuse_stores(places[:, None] + np.arange(size))

    def pending_writes(self, places: ptxsim_values.Array) -> ptxsim_values.Array:
        """Return a mask of the bytes at `places` that an asynchronous operation still writes; bytes with
        another reservation are not among them.
        """
        return self.uses[places] == WRITTEN


WRITTEN_QUAD = np.uint64(sum(WRITTEN << 16 * at for at in range(4)))


SHIFTS = {1 << bits: bits for bits in range(5)}
"""The binary logarithms of the sizes of words."""


def _views(data: ptxsim_values.Array) -> dict[int, ptxsim_values.Array]:
    """Return views of `data` by the size of a word in bytes."""
    words = {bits // 8: data.view(kind) for bits, kind in ptxsim_values.UNSIGNED.items() if bits > 1}
    return words | {16: data.view(ptxsim_values.ROW)}


FLAGS = {flag: {size: word[0] for size, word in _views(np.full(16, flag)).items()} for flag in (False, True)}
"""A word of each size whose bytes are all true, or all false."""

HINT = "wait for the operation first; an mbarrier ends with mbarrier.inval"


class Storage:
    """Bytes from the address `base`, initially `size` of them; only bytes in opened ranges exist. `name` is
    the state space in messages. Without `poison` every byte is defined. Places are offsets from `base`.
    """

    def __init__(self, name: str, base: int, size: int, *, poison: bool) -> None:
        self.name = name
        self.base = base
        self.used = 0
        self.spans: list[tuple[int, int]] = []
        """The begin and end of each range of existing bytes, in increasing order."""
        self._resize(size)
        self.poison: Any = None
        if poison:
            self._set_poison()
        self.reserved = ReservedBytes(len(self.bytes))
        self.watch: SharedWatch | None = None
        """The race detection, if it is active."""

    def _resize(self, size: int) -> None:
        self.bytes: Any = np.zeros(-(-size // 16) * 16 + GUARD, np.uint8)
        self.valid: Any = np.zeros(len(self.bytes), np.bool_)
        self._set_views(self.bytes)

    def _set_views(self, data: ptxsim_values.Array) -> None:
        self._views = _views(data)

    def _set_poison(self, *, undefined: bool = True) -> None:
        self.poison = np.full(len(self.bytes), undefined)
        self._set_poison_views(self.poison)

    def _set_poison_views(self, data: ptxsim_values.Array) -> None:
        self._poisons = _views(data)

    def grow(self, size: int) -> None:
        """Grow the storage to at least `size` bytes, and keep its contents and reservations. The new bytes do
        not exist until `open` makes them exist; in a storage with `poison` they are undefined.
        """
        if size + GUARD <= len(self.bytes):
            return
        before, valid, poison = self.bytes, self.valid, self.poison
        self._resize(2 * size)
        self.bytes[: len(before)], self.valid[: len(before)] = before, valid
        if poison is not None:
            self._set_poison()
            self.poison[: len(before)] = poison
        self.reserved.grow(len(self.bytes))

    def allocate(self, size: int, align: int, skew: int = 0) -> int:
        """Allocate `size` bytes at `skew` bytes after a multiple of `align`, at least `GUARD` bytes after all
        others, and return their address. The storage grows if needed.
        """
        address = self.reserve(size, align, skew)
        start = address - self.base
        self.open(start, start + size)
        return address

    def reserve(self, size: int, align: int, skew: int = 0) -> int:
        """Return the address of `size` bytes at `skew` bytes after a multiple of `align`, at least `GUARD`
        bytes after all others, which no later call returns; the bytes do not exist yet. The storage grows if
        needed.
        """
        start = -(-self.used // max(align, 1)) * max(align, 1) + skew
        self.grow(start + size)
        self.used = start + size + GUARD
        return self.base + start

    def open(self, start: int, end: int) -> None:
        """Make the bytes from the offset `start` to `end` (exclusive) exist; the range must follow all
        others.
        """
        self.valid[start:end] = True
        self.spans.append((start, end))

    def write(self, address: int, data: bytes) -> None:
        """Write `data` at an address; the bytes are defined afterwards. Neither their existence nor
        reservations are checked.
        """
        start = address - self.base
        self.bytes[start : start + len(data)] = np.frombuffer(data, np.uint8)
        if self.poison is not None:
            self.poison[start : start + len(data)] = False

    def check(
        self, addresses: ptxsim_values.Array, size: int, verb: str, align: int = 0, *, in_part: bool = False
    ) -> ptxsim_values.Array:
        """Return the offsets of addresses in the storage. Raises `Fault` for an address whose `size` bytes do
        not exist, or that is misaligned; `verb` names the access in the message.

        `align` is a power of two; 0 means `size`. With `in_part`, it is enough that the first or the last
        byte exists.
        """
        least = ptxsim_values.smallest(addresses) - self.base
        span = self._span(least)
        ends = span is not None and ptxsim_values.largest(addresses) - self.base + size <= span
        if ends and not int(np.bitwise_or.reduce(addresses)) & ((align or size) - 1):
            found = addresses.astype(np.int64)
            return found - self.base if self.base else found
        places = addresses - np.uint64(self.base)
        inside = places < np.uint64(max(len(self.bytes) - size, 0))
        first = self.valid[np.where(inside, places, 0)]
        last = self.valid[np.where(inside, places + np.uint64(size - 1), 0)]
        legal = inside & (first | last if in_part else first & last)
        if not legal.all():
            at = int(addresses[int(np.argmin(legal))])
            message = f"{verb} of {size} bytes at {self.name} address {at:#x}, which is not allocated"
            raise Fault(codes.OUT_OF_BOUNDS, message, address=at if self.name == "global" else None)
        low = np.uint64((align or size) - 1)
        if (places & low).any():
            at = int(addresses[int(np.argmax((places & low) != 0))])
            multiple = f", which is not a multiple of {align}" if align else ""
            raise Fault(codes.MISALIGNED, f"{verb} of {size} bytes at {self.name} address {at:#x}{multiple}")
        return places.astype(np.int64)

    def _span(self, place: int) -> int | None:
        """Return the end of the existing range that contains the offset `place`; `None` if it does not exist."""
        at = bisect_right(self.spans, (place, len(self.bytes))) - 1
        if at < 0 or place >= self.spans[at][1]:
            return None
        return self.spans[at][1]

    def load(
        self, places: ptxsim_values.Array, size: int
    ) -> tuple[ptxsim_values.Array, ptxsim_values.Array | None]:
        """Return the words of `size` bytes at the offsets `places`, multiples of `size`, and a mask of
        undefined words, or `None` if all are defined.
        """
        found = self._views[size][places >> SHIFTS[size]]
        if self.poison is None:
            return found, self._unfinished(places, size)
        undefined = self._poisons[size][places >> SHIFTS[size]]
        return found, undefined != 0 if ptxsim_values.some(undefined) else None

    def store(
        self,
        places: ptxsim_values.Array,
        size: int,
        value: ptxsim_values.Array,
        poison: ptxsim_values.Array | None,
    ) -> None:
        """Store words of `size` bytes at the offsets `places`, multiples of `size`; at equal places the last
        value remains. `poison` is a mask of undefined words, or `None`. Raises `Fault` for reserved bytes.
        """
        if self.reserved.count:
            self.reserved.refuse_stores_of(places, size)
        self._views[size][places >> SHIFTS[size]] = value
        if self.poison is not None:
            clear, undefined = FLAGS[False][size], FLAGS[True][size]
            flags = clear if poison is None else ptxsim_values.where(poison, undefined, clear)
            self._poisons[size][places >> SHIFTS[size]] = flags

    def holds(
        self, places: ptxsim_values.Array, size: int, value: ptxsim_values.Array
    ) -> ptxsim_values.Array:
        """Return a mask of the places whose word of `size` bytes in memory is equal to its `value`."""
        there = self._views[size][places >> SHIFTS[size]]
        if size == 16:
            pairs = [np.ascontiguousarray(one).view(np.uint64).reshape(-1, 2) for one in (there, value)]
            return np.asarray((pairs[0] == pairs[1]).all(1))
        return np.asarray(there == value)

    def discard(self, places: ptxsim_values.Array) -> None:
        """Make bytes indeterminate until they are written; memory without undefined bytes has them from now on."""
        if self.poison is None:
            self._set_poison(undefined=False)
        poison: Any = self.poison
        self.bytes[places], poison[places] = DISCARDED, True

    def undefine(self, places: ptxsim_values.Array, size: int) -> None:
        """Mark the words of `size` bytes at the offsets `places`, multiples of `size`, as undefined; no
        effect in memory without undefined bytes.
        """
        if self.poison is not None:
            self._poisons[size][places >> SHIFTS[size]] = FLAGS[True][size]

    # --- single bytes

    def gather(self, places: ptxsim_values.Array) -> tuple[ptxsim_values.Array, ptxsim_values.Array | None]:
        """Return bytes at places of any shape, and a mask of undefined bytes, or `None` if all are defined."""
        undefined = self._unfinished(places, 1) if self.poison is None else self.poison[places]
        return self.bytes[places], undefined if undefined is not None and ptxsim_values.some(
            undefined
        ) else None

    def gather_rows(
        self, places: ptxsim_values.Array
    ) -> tuple[ptxsim_values.Array, ptxsim_values.Array | None]:
        """Return sixteen bytes from each of `places`, multiples of sixteen, and a mask of undefined bytes, or
        `None` if all are defined; both have a last axis of 16.
        """
        rows = places >> 4
        data = self._views[16][rows].view(np.uint8).reshape(*places.shape, 16)
        if self.poison is None:
            return data, self._unfinished(places[:, None] + np.arange(16), 1)
        undefined = self._poisons[16][rows].view(np.bool_)
        return data, undefined.reshape(data.shape) if ptxsim_values.some(undefined) else None

    def scatter(
        self, places: ptxsim_values.Array, value: ptxsim_values.Array, poison: ptxsim_values.Array | None
    ) -> None:
        """Write bytes at places of any shape; `poison` is a mask of undefined ones, or `None`. Raises `Fault`
        for reserved bytes.
        """
        if self.reserved.count:
            self.reserved.refuse_stores(places)
        self.bytes[places] = value
        if self.poison is not None:
            self.poison[places] = False if poison is None else poison

    def _unfinished(self, places: ptxsim_values.Array, size: int) -> ptxsim_values.Array | None:
        """Return a mask of the words of `size` bytes at `places` with a pending asynchronous write, in memory
        that has no undefined bytes otherwise; None if there are none.
        """
        if not self.reserved.count:
            return None
        found = self.reserved.pending_writes(places)
        for at in range(1, size):
            found = found | self.reserved.pending_writes(places + at)
        return found if found.any() else None

    # --- asynchronous operations

    def begin_write(self, places: ptxsim_values.Array) -> None:
        """Mark bytes as undefined and reserved until `end_write`. Raises `Fault` if one is reserved already."""
        if self.reserved.count:
            self.reserved.refuse_stores(places)
        self.reserved.count += 1
        self.reserved.uses[places] = WRITTEN
        if self.poison is not None:
            self.poison[places] = True

    def end_write(self, places: ptxsim_values.Array, value: ptxsim_values.Array) -> None:
        """Write all or some of the bytes of `begin_write`, and release them; `finish` ends the operation."""
        self.reserved.uses[places] = 0
        self.bytes[places] = value
        if self.poison is not None:
            self.poison[places] = False

    def begin_words(self, places: ptxsim_values.Array, size: int) -> None:
        """Mark the words of `size` (4, 8 or 16) bytes at `places` as undefined and reserved until
        `end_words`. Raises `Fault` if a byte is reserved already.
        """
        if self.reserved.count:
            self.reserved.refuse_stores_of(places, size)
        self.reserved.count += 1
        self.reserved.quads[ptxsim_values.touched_units(places, size, 4)] = WRITTEN_QUAD
        self._poison_words(places, size, True)

    def end_words(self, places: ptxsim_values.Array, size: int, value: ptxsim_values.Array) -> None:
        """Write all or some of the words of `begin_words`, and release their bytes; `value` has a row of
        bytes for each. `finish` ends the operation.
        """
        self.reserved.quads[ptxsim_values.touched_units(places, size, 4)] = 0
        words = self._views[size]
        words[places >> SHIFTS[size]] = np.ascontiguousarray(value).view(words.dtype)[:, 0]
        self._poison_words(places, size, False)

    def _poison_words(self, places: ptxsim_values.Array, size: int, undefined: bool) -> None:
        if self.poison is not None:
            self._poisons[size][places >> SHIFTS[size]] = FLAGS[undefined][size]

    def begin_read(self, places: ptxsim_values.Array) -> None:
        """Reserve bytes that must not be written until `end_read`; `places` are distinct. Several operations
        may reserve a byte. Raises `Fault` if a write is pending.
        """
        if self.reserved.count and self.reserved.pending_writes(places).any():
            raise Fault(codes.POISON, "an asynchronous operation reads bytes that another one still writes")
        self.reserved.count += 1
        self.reserved.uses[places] += READ

    def end_read(self, places: ptxsim_values.Array) -> None:
        """Release the bytes of `begin_read`."""
        self.reserved.uses[places] -= READ
        self.reserved.count -= 1

    def finish(self) -> None:
        """End an operation that `begin_write` or `begin_words` began; all of its bytes must have been
        written. Stores are not checked while no operation is pending and no mbarrier exists.
        """
        self.reserved.count -= 1

    def set_barrier(self, place: int, there: bool) -> None:
        """Make the eight bytes at `place` an mbarrier (`there`), or memory again; they are undefined
        afterwards.
        """
        self.reserved.uses[place : place + 8] = BARRIER if there else 0
        self.reserved.count += 1 if there else -1
        if self.watch is not None:
            self.watch.forget(np.arange(place, place + 8))
        if self.poison is not None:
            self.poison[place : place + 8] = True
