"""Pools of strings under the XOR-3 cipher, found by the bit that text never sets.

The eighth bit of a character is 0, so in a pool it equals the key's: it changes after 43, 86, 128, 171, 214 and
256 bytes, and so on.  A row of such distances gives the start of the pool up to a multiple of 256; decoding gives the
rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tilewright.abi.pools import KEY, KEY_PERIOD, strings, xor3
from tilewright.inspect.arrays import CHUNK, Flags, Octets
from tilewright.inspect.binary.image import MemoryRegion, ProgramImage
from tilewright.inspect.findings import STRONG, BinaryFinding, Evidence

MINIMUM_RUN = 130
"""Bytes that must all decode to text: shorter pools do not show three changes of the high bit."""
MINIMUM_STRINGS = 4


@dataclass(frozen=True)
class EncryptedStringPool:
    """An encrypted pool of strings: its address, its size in bytes, and the decoded strings in order of
    address.
    """

    address: int
    size: int
    strings: tuple[str, ...]


def _text_table() -> Flags:
    table = np.zeros(256, np.bool_)
    table[0x20:0x7F] = True
    table[[0, 9, 10]] = True
    return table


TEXT = _text_table()
"""A table of the bytes that may stand in a pool: printable ASCII, tabulator, line feed and the terminator."""
_KEY = np.frombuffer(KEY, np.uint8)
_HIGH = _KEY >= 0x80
_CHANGES = np.flatnonzero(np.diff(_HIGH, prepend=_HIGH[-1]))
"""Positions in a period of the key at which its high bit changes; position 0 among them."""


def string_pools(image: ProgramImage) -> list[EncryptedStringPool]:
    """Return the encrypted pools in data, by region and address: at least `MINIMUM_RUN` bytes that decode to
    text, with at least `MINIMUM_STRINGS` strings that are not empty, and no more empty strings than others.
    """
    return [pool for region in image.data for pool in _of_region(region)]


def _of_region(region: MemoryRegion) -> Iterator[EncryptedStringPool]:
    reached = 0
    for phase, near in _candidates(region.data):
        if near < reached:
            continue
        found = _extent(region.data, phase, near)
        if found is None:
            continue
        start, end = found
        reached = end
        pool = _decoded(region, start, end)
        if pool is not None:
            yield pool


def _candidates(data: Octets) -> Iterator[tuple[int, int]]:
    """Yield (start modulo 256, position) of possible pools: for each position at which the high bit changes
    and whose next two changes are 41 to 44 bytes apart each, all phases of the key that change there.
    """
    for begin in range(0, len(data), CHUNK):
        part = data[begin : begin + CHUNK + 2 * KEY_PERIOD]
        changes = np.flatnonzero(np.diff((part >= 0x80).astype(np.int8))) + 1
        if len(changes) < 3:
            continue
        gaps = np.diff(changes)
        rows = np.flatnonzero((gaps[:-1] >= 41) & (gaps[:-1] <= 44) & (gaps[1:] >= 41) & (gaps[1:] <= 44))
        for row in rows.tolist():
            for change in _CHANGES.tolist():
                at = begin + int(changes[row])
                yield (at - change) % KEY_PERIOD, at


def _extent(data: Octets, phase: int, near: int) -> tuple[int, int] | None:
    """Return the range (start, end) around position `near` that decodes to text if the key has the phase
    `phase`, from the first start of a period in it. Return None if it is shorter than `MINIMUM_RUN` bytes.
    """
    end = _while_text(data, phase, near, forward=True)
    begin = _while_text(data, phase, near, forward=False)
    start = begin + (phase - begin) % KEY_PERIOD
    if end - start < MINIMUM_RUN:
        return None
    return start, end


def _while_text(data: Octets, phase: int, at: int, *, forward: bool) -> int:
    """Return the position after the last of the bytes from `at` on that decode to text if the key has the
    phase `phase`; `at` if there is none. Backward (not ``forward``), return the position of the first of the
    bytes right before `at` that do.
    """
    step = 1 << 8
    while True:
        low, high = (at, min(at + step, len(data))) if forward else (max(at - step, 0), at)
        if low == high:
            return at
        key = _KEY[(np.arange(low, high) - phase) % KEY_PERIOD]
        other = np.flatnonzero(~TEXT[data[low:high] ^ key])
        if len(other):
            return low + int(other[0]) if forward else low + int(other[-1]) + 1
        at = high if forward else low
        step = min(2 * step, 1 << 16)


def _decoded(region: MemoryRegion, start: int, end: int) -> EncryptedStringPool | None:
    """Return the encrypted pool in the data of `region` from offset `start` to offset `end`, cut after the
    last terminator, with its strings decoded. Return None if the pool has too few bytes or strings, if most
    strings are empty, or if the bytes are not encrypted.
    """
    plain = xor3(region.data[start:end].tobytes())
    size = _terminated(plain)
    entries = [text for _, text in strings(plain[:size])]
    filled = [text for text in entries if text]
    if size < MINIMUM_RUN or len(filled) < MINIMUM_STRINGS or 2 * len(filled) < len(entries):
        return None
    if not _is_encrypted(region.data[start : start + size]):
        return None
    return EncryptedStringPool(region.address + start, size, tuple(text.decode("ascii") for text in entries))


def _terminated(plain: bytes) -> int:
    """Return the number of the decoded bytes `plain` that belong to the pool: up to the last terminator,
    without a padding zero after it. At the start of a period the key is 0, so that padding reads as an
    additional empty string.
    """
    size = plain.rfind(b"\0") + 1
    filling = size % KEY_PERIOD == 1 and plain[:size].endswith(b"\0\0")
    return size - filling


def _is_encrypted(data: Octets) -> bool:
    """Return whether more than 30 % of the bytes have the high bit; about half of the bytes of the key have
    it, and plain text has none.
    """
    return bool((data >= 0x80).mean() > 0.3)


def pool_findings(pools: list[EncryptedStringPool]) -> Iterator[BinaryFinding]:
    """Yield one finding for each pool, with its strings."""
    for number, pool in enumerate(pools):
        shown = ", ".join(repr(text) for text in pool.strings[:3])
        evidence = (
            Evidence(f"the high bits of {pool.size} bytes follow the key 3 * i mod 256", pool.address),
            Evidence(
                f"all of them decode to text, {len(pool.strings)} strings that begin with {shown}",
                pool.address,
            ),
        )
        details = {"bytes": pool.size, "count": len(pool.strings), "strings": pool.strings}
        name = f"pool {number} at {pool.address:#x}"
        yield BinaryFinding("string pool", name, pool.address, evidence, STRONG, details)
