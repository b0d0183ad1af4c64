"""BLAKE3 keys of the scheduler's interning tables: the first 8 bytes of a plain hash over a parent and two indices."""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.abi.codes import MISSING_PACKAGE
from tilewright.ir.diagnostic import failure

KEY_BYTES = 8


def blake3_prefix(data: bytes, length: int = KEY_BYTES) -> bytes:
    """Return the first bytes of the BLAKE3 hash of some data."""
    try:
        from blake3 import blake3
    except ImportError:
        raise failure(
            MISSING_PACKAGE,
            "interning keys need the package 'blake3'",
            hint="pip install 'tilewright[inspect]'",
        ) from None
    return blake3(data).digest(length=length)


def interning_key(parent: int, i: int, j: int) -> int:
    """Return the key of (parent address, i32, i32) as the 64-bit number that the table holds."""
    return hash_tuples([(parent, i, j)])


def hash_tuples(tuples: Iterable[tuple[int, int, int]]) -> int:
    """Return the key of a sequence of 16-byte tuples (u64, u32, u32), hashed one after the other and finished once."""
    data = b"".join(
        first.to_bytes(8, "little")
        + (second & 0xFFFFFFFF).to_bytes(4, "little")
        + (third & 0xFFFFFFFF).to_bytes(4, "little")
        for first, second, third in tuples
    )
    return int.from_bytes(blake3_prefix(data), "little")
