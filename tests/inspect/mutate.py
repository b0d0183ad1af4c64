"""Broken variants of ELF files, the same for the same seed: headers and tables more often than the rest."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

NUMBERS = (
    0,
    1,
    2,
    7,
    8,
    0x3F,
    0x40,
    0xFF,
    0xFFFF,
    0x10000,
    0x7FFFFFFF,
    0xFFFFFFFF,
    1 << 40,
    1 << 62,
    1 << 63,
    (1 << 63) + 8,
    (1 << 64) - 1,
)


def mutations(files: Sequence[bytes], count: int, seed: int) -> Iterator[bytes]:
    """``count`` broken files; most have one change."""
    source = random.Random(seed)
    for _ in range(count):
        data = bytearray(source.choice(files))
        for _ in range(source.choice((1, 1, 2, 4))):
            source.choice((_field, _field, _field, _byte, _cut, _copy))(source, data)
        yield bytes(data)


def _place(source: random.Random, data: bytearray) -> int:
    """A position: in the headers at the front, in the table at the end, or anywhere."""
    if source.random() < 0.4:
        return source.randrange(min(400, len(data)))
    if source.random() < 0.6:
        return len(data) - 1 - source.randrange(min(1600, len(data)))
    return source.randrange(len(data))


def _field(source: random.Random, data: bytearray) -> None:
    """Replace an aligned number."""
    if not data:
        return
    size = source.choice((1, 2, 4, 8))
    at = _place(source, data) // size * size
    value = source.choice(NUMBERS) if source.random() < 0.7 else len(data) + source.randrange(-16, 16)
    data[at : at + size] = (max(value, 0) % (1 << 8 * size)).to_bytes(size, "little")


def _byte(source: random.Random, data: bytearray) -> None:
    if data:
        data[_place(source, data)] = source.randrange(256)


def _cut(source: random.Random, data: bytearray) -> None:
    if data and source.random() < 0.5:
        del data[_place(source, data) :]


def _copy(source: random.Random, data: bytearray) -> None:
    if data:
        at, start = source.randrange(len(data)), source.randrange(len(data))
        piece = data[start : start + source.randrange(1, 64)]
        data[at : at + len(piece)] = piece
