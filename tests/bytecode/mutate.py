"""Broken variants of real files, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

INTERESTING = (0, 1, 2, 3, 4, 7, 8, 11, 13, 0x10, 0x16, 0x29, 0x32, 0x4B, 0x5C, 0x6D, 0x7F, 0x80, 0xC0, 0xFF)


def mutations(files: Sequence[bytes], count: int, seed: int) -> Iterator[bytes]:
    """``count`` broken files; most have one change, so that reading gets far."""
    source = random.Random(seed)
    for _ in range(count):
        data = bytearray(source.choice(files))
        for _ in range(source.choice((1, 1, 1, 2, 4))):
            source.choice(_CHANGES)(source, data, files)
        yield bytes(data)


def _change_byte(source: random.Random, data: bytearray, files: Sequence[bytes]) -> None:
    if data:
        data[_place(source, data)] = (
            source.choice(INTERESTING) if source.random() < 0.7 else source.randrange(256)
        )


def _step_byte(source: random.Random, data: bytearray, files: Sequence[bytes]) -> None:
    if data:
        at = _place(source, data)
        data[at] = (data[at] + source.choice((-1, 1))) % 256


def _flip_bit(source: random.Random, data: bytearray, files: Sequence[bytes]) -> None:
    if data:
        data[_place(source, data)] ^= 1 << source.randrange(8)


def _cut(source: random.Random, data: bytearray, files: Sequence[bytes]) -> None:
    del data[_place(source, data) if data else 0 :]


def _remove(source: random.Random, data: bytearray, files: Sequence[bytes]) -> None:
    at = source.randrange(len(data) + 1)
    del data[at : at + source.randrange(1, 9)]


def _insert(source: random.Random, data: bytearray, files: Sequence[bytes]) -> None:
    at = source.randrange(len(data) + 1)
    data[at:at] = bytes(source.choice(INTERESTING) for _ in range(source.randrange(1, 9)))


def _splice(source: random.Random, data: bytearray, files: Sequence[bytes]) -> None:
    other = source.choice(files)
    at, start = source.randrange(len(data) + 1), source.randrange(len(other))
    piece = other[start : start + source.randrange(1, 40)]
    data[at : at + len(piece)] = piece


def _change_version(source: random.Random, data: bytearray, files: Sequence[bytes]) -> None:
    data[9:10] = bytes([source.randrange(1, 6)])


def _place(source: random.Random, data: bytearray) -> int:
    """A position; rarely in the header, where every change is refused the same way."""
    first = min(12, len(data) - 1) if source.random() < 0.97 else 0
    return source.randrange(first, len(data))


_CHANGES = (
    _change_byte,
    _change_byte,
    _change_byte,
    _step_byte,
    _step_byte,
    _flip_bit,
    _cut,
    _remove,
    _insert,
    _splice,
    _change_version,
)
