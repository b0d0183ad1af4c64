"""Hash tables in memory, by their reserved keys and by keys that lie where their hash puts them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tilewright.abi import hash_tables
from tilewright.abi.layouts.containers import DENSE_MAP
from tilewright.inspect import arrays
from tilewright.inspect.binary.image import MemoryRegion, ProgramImage
from tilewright.inspect.findings import LIKELY, STRONG, WEAK, BinaryFinding, Evidence
from tilewright.inspect.tables.vtables import WORD

BUCKET_SIZES = (16, 40, 48, 72, 80, 208, 8, 24)
"""The sizes of buckets that are tried, in bytes; sizes from published notes come first."""
MAXIMUM_BUCKETS = 1 << 24
SLOT_SIZE = 16
MINIMUM_LIVE = 2
SAMPLE = 4096
"""The maximum number of live keys of a table whose positions are checked."""


@dataclass(frozen=True)
class DenseTable:
    """An open-addressing hash table with reserved keys for empty and deleted buckets (LLVM's `DenseMap`).

    ``head`` is the address of the object with pointer and counts, ``buckets_address`` the address of the
    buckets; ``bucket_size`` is in bytes. ``live``, ``tombstones`` and ``buckets`` are the numbers of live
    keys, deleted buckets and all buckets. Of the live keys, ``checked`` were tested, and ``placed`` of them
    are in a bucket that their hash leads to.
    """

    head: int
    buckets_address: int
    live: int
    tombstones: int
    buckets: int
    bucket_size: int
    placed: int
    checked: int


def dense_tables(image: ProgramImage) -> list[DenseTable]:
    """Return the tables in data whose heads agree with their buckets: a pointer, the counts, and, for one of
    `BUCKET_SIZES`, exactly these numbers of live and removed keys, and at least one empty bucket.
    """
    found: list[DenseTable] = []
    for region in image.data:
        for head in _heads(image, region).tolist():
            table = _dense_table(image, head)
            if table is not None:
                found.append(table)
    return found


def _heads(image: ProgramImage, region: MemoryRegion) -> arrays.Positions:
    """Return the addresses of words that may be heads: an address of data, then counts that fit a power of
    two of buckets.
    """
    first, words = region.aligned_words
    found = [
        start + _head_positions(image, words[start : start + arrays.WORDS_CHUNK + 2])
        for start in range(0, max(len(words) - 2, 0), arrays.WORDS_CHUNK)
    ]
    return first + WORD * np.concatenate(found) if found else arrays.no_positions()


def _head_positions(image: ProgramImage, words: arrays.Words) -> arrays.Positions:
    low = np.uint64(0xFFFFFFFF)
    live, tombstones = words[1:-1] & low, words[1:-1] >> np.uint64(32)
    buckets = words[2:] & low
    fits = (buckets >= 4) & (buckets <= MAXIMUM_BUCKETS) & (buckets & (buckets - np.uint64(1)) == 0)
    fits &= (live + tombstones < buckets) & (live * np.uint64(4) <= buckets * np.uint64(3))
    fits &= (words[:-2] % np.uint64(WORD) == 0) & (words[:-2] > 0)
    at = np.flatnonzero(fits).astype(np.int64)
    return at[image.is_data(words[at])]


def _dense_table(image: ProgramImage, head: int) -> DenseTable | None:
    values = DENSE_MAP.decode(image.read(head, DENSE_MAP.size).ljust(DENSE_MAP.size, b"\0"))
    region = image.region_at(values["buckets"])
    if region is None:
        return None
    first, words = region.aligned_words
    start = (values["buckets"] - first) // WORD
    for size in BUCKET_SIZES:
        keys = words[start : start + values["bucket_count"] * size // WORD : size // WORD]
        if len(keys) != values["bucket_count"]:
            continue
        empty, removed = int((keys == hash_tables.EMPTY).sum()), int((keys == hash_tables.TOMBSTONE).sum())
        if empty == 0 or removed != values["tombstones"] or len(keys) - empty - removed != values["live"]:
            continue
        placed, checked = _placed(keys)
        return DenseTable(
            head,
            values["buckets"],
            values["live"],
            values["tombstones"],
            values["bucket_count"],
            size,
            placed,
            checked,
        )
    return None


def _placed(keys: arrays.Words) -> tuple[int, int]:
    """Return the number of live keys, of the first `SAMPLE` ones, that probing reaches by the better of the
    two known pointer hashes, and the number of keys that were tried.
    """
    live = np.flatnonzero((keys != hash_tables.EMPTY) & (keys != hash_tables.TOMBSTONE))[:SAMPLE].tolist()
    best = max(
        sum(_reached(keys, at, hashed) for at in live)
        for hashed in (hash_tables.pointer_hash, hash_tables.llvm_pointer_hash)
    )
    return best, len(live)


def _reached(keys: arrays.Words, place: int, hashed: Callable[[int], int]) -> bool:
    """Return whether probing for the key in slot `place` from the slot `hashed(key)` on reaches it before an
    empty slot.
    """
    key = int(keys[place])
    at = hashed(key) & (len(keys) - 1)
    for step in range(1, len(keys) + 1):
        if at == place:
            return True
        if int(keys[at]) == hash_tables.EMPTY:
            return False
        at = (at + step) & (len(keys) - 1)
    return False


def dense_findings(tables: list[DenseTable]) -> Iterator[BinaryFinding]:
    """Yield one finding for each table. Its confidence is weak if most of the checked keys are not where the
    pointer hash puts them, strong if all checked keys are there, and else, or without checked keys, likely.
    """
    for table in tables:
        evidence = [
            Evidence(
                f"a head says {table.live} live, {table.tombstones} removed of {table.buckets} buckets",
                table.head,
            ),
            Evidence(
                f"in {table.bucket_size}-byte buckets as many keys are -8192, and as many neither that nor -4096",
                table.buckets_address,
            ),
        ]
        if table.checked:
            evidence.append(
                Evidence(
                    f"{table.placed} of {table.checked} keys lie where the pointer hash puts them",
                    table.buckets_address,
                )
            )
        details = {
            "family": "dense",
            "buckets": table.buckets,
            "live": table.live,
            "tombstones": table.tombstones,
            "bucket_size": table.bucket_size,
            "buckets_address": table.buckets_address,
        }
        misplaced = table.checked - table.placed
        confidence = (
            WEAK if 2 * misplaced > table.checked else LIKELY if misplaced or not table.checked else STRONG
        )
        name = f"dense table of {table.buckets} buckets"
        yield BinaryFinding("hash table", name, table.head, tuple(evidence), confidence, details)


def swiss_findings(image: ProgramImage) -> Iterator[BinaryFinding]:
    """Yield one finding for each table with control bytes in writable data: groups of 16 bytes before an end
    mark, with the slots behind. At least two slots must be live, and each live control byte must be the lower
    seven bits of the hash of the key in its slot.
    """
    for region in image.data:
        if region.writable:
            for address, groups, live in _swiss_runs(region):
                slots = groups * hash_tables.GROUP_WIDTH
                evidence = (
                    Evidence(f"{slots} control bytes: {live} below 0x80, the others 0x80 or 0xFE", address),
                    Evidence(f"each of the {live} equals the lower 7 bits of the hash of its key", address),
                )
                details = {"family": "swiss", "groups": groups, "slots": slots, "live": live}
                yield BinaryFinding(
                    "hash table", f"table of {slots} control bytes", address, evidence, STRONG, details
                )


def _swiss_runs(region: MemoryRegion) -> Iterator[tuple[int, int, int]]:
    """Yield (address of the control bytes, number of groups, number of live slots) of tables whose control
    bytes precede the slots, with at least `MINIMUM_LIVE` live slots.
    """
    data = region.data
    reached = -1
    for end in _control_ends(data).tolist():
        for groups in _group_counts(data, end):
            start = end - groups * hash_tables.GROUP_WIDTH
            live = _live(data, start, groups, end) if start > reached else None
            if live is not None and live >= MINIMUM_LIVE:
                yield region.address + start, groups, live
                reached = end
                break


def _control_ends(data: arrays.Octets) -> arrays.Positions:
    """Return the positions of end marks with 16 control bytes before them, at least one of them for an empty
    slot.
    """
    at = arrays.find_bytes(data, bytes([hash_tables.CONTROL_END]))
    at = at[at >= hash_tables.GROUP_WIDTH]
    empty = np.zeros(len(at), np.bool_)
    for step in range(1, hash_tables.GROUP_WIDTH + 1):
        byte = data[at - step]
        fits = (byte <= hash_tables.CONTROL_EMPTY) | (byte == hash_tables.CONTROL_DELETED)
        at, empty = at[fits], (empty | (byte == hash_tables.CONTROL_EMPTY))[fits]
    return at[empty]


def _group_counts(data: arrays.Octets, end: int) -> Iterator[int]:
    """Yield the numbers of groups, the largest first: powers of two such that the groups right before
    position `end` have only control bytes.
    """
    groups = 1
    possible: list[int] = []
    while groups * hash_tables.GROUP_WIDTH <= end:
        part = data[end - groups * hash_tables.GROUP_WIDTH : end]
        if not bool(((part <= hash_tables.CONTROL_EMPTY) | (part == hash_tables.CONTROL_DELETED)).all()):
            break
        possible.append(groups)
        groups *= 2
    yield from reversed(possible)


def _live(data: arrays.Octets, start: int, groups: int, end: int) -> int | None:
    """Return the number of live slots of the `groups` groups of control bytes from `start` to `end`, if the
    first `SAMPLE` of the slots have the right control byte. Return None for another byte, without live slots,
    if all their control bytes are 0, and if the slots extend beyond `data`.
    """
    slots_at = -(-(end + 1) // WORD) * WORD
    control = data[start:end]
    live = np.flatnonzero(control < hash_tables.CONTROL_EMPTY)
    places = slots_at + SLOT_SIZE * live
    if not len(live) or int(places[-1]) + WORD > len(data):
        return None
    keys = arrays.unsigned64(data, places.astype(np.int64)).tolist()
    bytes_ = control[live].tolist()
    good = all(
        hash_tables.h2(hash_tables.fmix64(key)) == byte
        for key, byte in zip(keys[:SAMPLE], bytes_, strict=False)
    )
    return len(live) if good and any(bytes_) else None
