"""The two families of hash tables: their hashes, sentinels, growth and probe sequence.

Pointer-keyed tables (DenseMap and the two levels of the uniquer) keep two reserved keys in the slots themselves;
"Swiss" tables keep a control byte per slot. Published notes give the scheduler's tables to the second family, but the
constants that they quote belong to LLVM's integer hash, and their slots have reserved keys; both are here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

MASK64 = (1 << 64) - 1
MASK32 = (1 << 32) - 1

EMPTY = MASK64 - 0x1000 + 1
"""-4096: the key of a slot that was never used. A probe ends there."""
TOMBSTONE = MASK64 - 0x2000 + 1
"""-8192: the key of a slot whose key was removed. A probe continues after it; an insertion may use it."""
MINIMUM_BUCKETS = 64

FMIX_FIRST, FMIX_SECOND = 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53
HASH_MULTIPLIER = 0x9DDFEA08EB382D69
HASH_SEED = 0xFF51AFD7ED558CCD
"""LLVM's fixed seed.  Code that subtracts 0xAE502812AA7333 adds this number."""

CONTROL_EMPTY = 0x80
CONTROL_DELETED = 0xFE
CONTROL_END = 0xFF
GROUP_WIDTH = 16
"""The number of slots, and of control bytes, in a group of a Swiss table."""


def pointer_hash(pointer: int) -> int:
    """Return ``(p >> 9) ^ (p >> 4)`` for an address ``p``.

    Aligned addresses differ in none of the lowest four bits.
    """
    return (pointer >> 9) ^ (pointer >> 4)


def llvm_pointer_hash(pointer: int) -> int:
    """Return LLVM's hash of a pointer, computed from the low 32 bits of the address; below 4 GiB it equals
    `pointer_hash`.
    """
    low = pointer & MASK32
    return (low >> 4) ^ (low >> 9)


def fmix64(value: int) -> int:
    """Return `value` mixed by the finalizer of MurmurHash3."""
    value ^= value >> 33
    value = value * FMIX_FIRST & MASK64
    value ^= value >> 33
    value = value * FMIX_SECOND & MASK64
    return value ^ value >> 33


def llvm_hash_value(value: int) -> int:
    """Return the result of ``llvm::hash_value`` for a 64-bit integer."""
    low = (HASH_SEED + ((value & MASK32) << 3)) & MASK64
    high = value >> 32
    a = (low ^ high) * HASH_MULTIPLIER & MASK64
    a ^= a >> 47
    b = (high ^ a) * HASH_MULTIPLIER & MASK64
    b ^= b >> 47
    return b * HASH_MULTIPLIER & MASK64


def h1(hashed: int) -> int:
    """Return the upper 57 bits of a hash, which select the first group of a Swiss table to probe."""
    return hashed >> 7


def h2(hashed: int) -> int:
    """Return the lower 7 bits of a hash, which are the control byte of a slot in use."""
    return hashed & 0x7F


def next_power_of_two(value: int) -> int:
    """Return the smallest power of two greater than `value`, a 32-bit number; 0 if it does not fit 32 bits."""
    for shift in (1, 2, 4, 8, 16):
        value |= value >> shift
    return (value + 1) & MASK32


def grown(buckets: int) -> int:
    """Return the number of buckets of a table after it grows from `buckets`, which is 0 or a power of two:
    twice as many, at least 64.
    """
    return max(MINIMUM_BUCKETS, next_power_of_two((2 * buckets - 1) & MASK32))


def resized(buckets: int, live: int, tombstones: int) -> int | None:
    """Return the number of buckets to rebuild with before one more insertion, or None to keep the table.

    ``live`` counts entries before the insertion. A table that the insertion makes three quarters full grows.
    If at most an eighth of the buckets would remain unused, without entry or tombstone, the table is rebuilt
    at the same size, which drops the tombstones.
    """
    if buckets == 0 or 4 * (live + 1) >= 3 * buckets:
        return grown(buckets)
    if buckets - tombstones - (live + 1) <= buckets // 8:
        return buckets
    return None


def swiss_must_grow(capacity: int, remaining_empty: int) -> bool:
    """True if a Swiss table has to be rebuilt before an insertion: ``remaining_empty``, the number of slots
    that are still unused after the insertion, is below 7/16 of ``capacity``.
    """
    return remaining_empty < 7 * capacity // GROUP_WIDTH


def probe(hashed: int, buckets: int) -> Iterator[int]:
    """Yield the indices of the ``buckets`` slots to examine, in order, from ``hashed`` modulo ``buckets`` on.
    The distance to the next slot grows by one each time, so that each slot is yielded once if ``buckets`` is
    a power of two, as it must be.
    """
    at = hashed & (buckets - 1)
    for step in range(1, buckets + 1):
        yield at
        at = (at + step) & (buckets - 1)


@dataclass
class PointerTable:
    """A hash table from addresses to numbers as it is in memory: the keys of all slots, where the reserved
    keys `EMPTY` and `TOMBSTONE` mark slots without an entry, and the values of all slots. ``live`` counts the
    entries, ``tombstones`` the slots whose key was removed; ``hash`` computes the hash of a key.
    """

    keys: list[int]
    values: list[int]
    live: int = 0
    tombstones: int = 0
    hash: Callable[[int], int] = pointer_hash

    @classmethod
    def empty(cls, buckets: int = 0, hash: Callable[[int], int] = pointer_hash) -> PointerTable:
        """Return an empty table with ``buckets`` slots; for 0, the first insertion makes them. ``hash`` is
        the hash function of its keys.
        """
        return cls([EMPTY] * buckets, [0] * buckets, hash=hash)

    @property
    def buckets(self) -> int:
        """The number of slots of the table."""
        return len(self.keys)

    def find(self, key: int) -> int | None:
        """Return the value of a key; None if the table does not have it. The key must not be a reserved one:
        this is not checked.
        """
        for at in probe(self.hash(key), self.buckets):
            if self.keys[at] == key:
                return self.values[at]
            if self.keys[at] == EMPTY:
                return None
        return None

    def insert(self, key: int, value: int) -> None:
        """Set the value of a key, new or not. Before a new key is added, the table may be rebuilt, larger or
        without tombstones. Raises `ValueError` for a reserved key.
        """
        if key in (EMPTY, TOMBSTONE):
            raise ValueError(f"{key:#x} is reserved")
        if self.find(key) is None:
            size = resized(self.buckets, self.live, self.tombstones)
            if size is not None:
                self._rebuild(size)
        self._seat(key, value)

    def _seat(self, key: int, value: int) -> None:
        seat: int | None = None
        for at in probe(self.hash(key), self.buckets):
            held = self.keys[at]
            if held == key:
                self.values[at] = value
                return
            if held == TOMBSTONE and seat is None:
                seat = at
            if held == EMPTY:
                seat = at if seat is None else seat
                break
        assert seat is not None, "a table is never full"
        self.tombstones -= self.keys[seat] == TOMBSTONE
        self.keys[seat], self.values[seat] = key, value
        self.live += 1

    def erase(self, key: int) -> bool:
        """Remove a key, whose slot becomes a tombstone; return False if the table does not have it. The key
        must not be a reserved one: this is not checked.
        """
        for at in probe(self.hash(key), self.buckets):
            if self.keys[at] == key:
                self.keys[at], self.values[at] = TOMBSTONE, 0
                self.live -= 1
                self.tombstones += 1
                return True
            if self.keys[at] == EMPTY:
                return False
        return False

    def items(self) -> list[tuple[int, int]]:
        """Return pairs of key and value by ascending key. Programs must not depend on the order of slots."""
        return sorted(
            (key, value)
            for key, value in zip(self.keys, self.values, strict=True)
            if key not in (EMPTY, TOMBSTONE)
        )

    def _rebuild(self, buckets: int) -> None:
        old = self.items()
        self.keys, self.values = [EMPTY] * buckets, [0] * buckets
        self.live = self.tombstones = 0
        for key, value in old:
            self._seat(key, value)


class SwissTable:
    """A hash table from addresses to numbers with a control byte for each slot, in groups of 16 slots that
    are probed one after the other. A new table has ``groups`` groups. An insertion that leaves too few unused
    slots (`swiss_must_grow`) rebuilds the table without the marks of removed keys, with twice as many slots
    if at least half of them would be in use.
    """

    def __init__(self, groups: int = 1) -> None:
        self.control = bytearray([CONTROL_EMPTY]) * (GROUP_WIDTH * groups)
        self.keys = [0] * (GROUP_WIDTH * groups)
        self.values = [0] * (GROUP_WIDTH * groups)
        self.live = 0

    @property
    def capacity(self) -> int:
        """The number of slots of the table."""
        return len(self.control)

    def control_bytes(self) -> bytes:
        """Return the control bytes as they are in memory, with the sentinel at the end."""
        return bytes(self.control) + bytes([CONTROL_END])

    def find(self, key: int) -> int | None:
        """Return the value of a key; None if the table does not have it."""
        at = self._slot(key)
        return None if at is None else self.values[at]

    def insert(self, key: int, value: int) -> None:
        """Set the value of a key, new or not. Before a new key is added, the table may be rebuilt, larger or
        at the same size.
        """
        at = self._slot(key)
        if at is not None:
            self.values[at] = value
            return
        if swiss_must_grow(self.capacity, self.control.count(CONTROL_EMPTY) - 1):
            self._rebuild()
        self._seat(key, value)

    def erase(self, key: int) -> bool:
        """Remove a key; return False if the table does not have it."""
        at = self._slot(key)
        if at is None:
            return False
        self.control[at] = CONTROL_DELETED
        self.live -= 1
        return True

    def items(self) -> list[tuple[int, int]]:
        """Return pairs of key and value by ascending key."""
        used = [at for at, byte in enumerate(self.control) if byte < CONTROL_EMPTY]
        return sorted((self.keys[at], self.values[at]) for at in used)

    def _groups(self, hashed: int) -> Iterator[int]:
        groups = self.capacity // GROUP_WIDTH
        for step in range(groups):
            yield (h1(hashed) + step) % groups * GROUP_WIDTH

    def _slot(self, key: int) -> int | None:
        hashed = fmix64(key)
        for start in self._groups(hashed):
            for at in range(start, start + GROUP_WIDTH):
                if self.control[at] == h2(hashed) and self.keys[at] == key:
                    return at
            if CONTROL_EMPTY in self.control[start : start + GROUP_WIDTH]:
                return None
        return None

    def _seat(self, key: int, value: int) -> None:
        hashed = fmix64(key)
        for start in self._groups(hashed):
            for at in range(start, start + GROUP_WIDTH):
                if self.control[at] in (CONTROL_EMPTY, CONTROL_DELETED):
                    self.control[at], self.keys[at], self.values[at] = h2(hashed), key, value
                    self.live += 1
                    return
        raise AssertionError("a table is never full")

    def _rebuild(self) -> None:
        old = self.items()
        size = self.capacity
        if 2 * (self.live + 1) >= size:
            size *= 2
        self.control = bytearray([CONTROL_EMPTY]) * size
        self.keys, self.values = [0] * size, [0] * size
        self.live = 0
        for key, value in old:
            self._seat(key, value)
