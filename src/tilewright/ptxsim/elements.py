"""Elements of matrices: packing into words of 32 or 64 bits, and conversion to and from doubles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tilewright.ptxsim.rounding import FORMATS, Format, decoded
from tilewright.ptxsim.values import Array, some


def _table(row: Format, shift: int = 0) -> Array:
    """Return a table of 256 doubles: the value of each byte as an element of the format `row`. `shift` is the
    number of bits of the byte below the element.
    """
    codes = np.arange(256) >> shift & ((1 << row.bits) - 1)
    return decoded(codes, row)


_BYTES: dict[str, Array] = {name: _table(FORMATS[name]) for name in ("e4m3", "e5m2", "e3m2", "e2m3")}
_BYTES["e2m1"] = _table(FORMATS["e2m1"], 2)
"""An unpacked element of four bits is in bits 2 to 5 of its byte."""
_BYTES["ue8m0"] = np.where(np.arange(256) == 255, np.nan, np.ldexp(1.0, np.arange(256) - 127))
_BYTES["ue4m3"] = decoded(np.arange(256) & 127, FORMATS["e4m3"])
_NIBBLES: dict[str, Array] = {
    "e2m1": _table(FORMATS["e2m1"])[:16],
    "u4": np.arange(16.0),
    "s4": np.where(np.arange(16) < 8, np.arange(16.0), np.arange(16.0) - 16),
}


def _nibbles(words: Array) -> Array:
    found = words.view(np.uint8)
    return np.stack([found & 15, found >> 4], -1).reshape(*found.shape[:-1], -1)


def _tf32(words: Array) -> Array:
    return (words & np.uint32(0xFFFFE000)).view(np.float32).astype(np.float64)


_DECODE: dict[str, Callable[[Array], Array]] = {
    "f16": lambda words: words.view(np.float16).astype(np.float64),
    "bf16": lambda words: (
        (words.view(np.uint16).astype(np.uint32) << np.uint32(16)).view(np.float32).astype(np.float64)
    ),
    "f32": lambda words: words.view(np.float32).astype(np.float64),
    "tf32": _tf32,
    "f64": lambda words: words.view(np.float64),
    "s32": lambda words: words.view(np.int32).astype(np.float64),
    "u8": lambda words: words.view(np.uint8).astype(np.float64),
    "s8": lambda words: words.view(np.int8).astype(np.float64),
    "b1": lambda words: np.unpackbits(words.view(np.uint8), axis=-1, bitorder="little").astype(np.float64),
}
BITS = {"f16": 16, "bf16": 16, "f32": 32, "tf32": 32, "f64": 64, "s32": 32, "u4": 4, "s4": 4, "b1": 1}
"""The width of an element in a register in bits; all other types have 8."""


def bits_of(name: str, *, packed: bool = False) -> int:
    """Return the width in bits of an element of the type `name` in a register: 8 for all names that `BITS`
    lacks. An element of type e2m1 takes a byte, or four bits if `packed`.
    """
    return 4 if packed and name == "e2m1" else BITS.get(name, 8)


def decode(name: str, words: Array, *, packed: bool = False) -> Array:
    """Return the elements of type `name` in `words` as doubles, the lowest bits first; the last axis is
    longer by the number of elements in a word. Elements of u4 and s4 share a byte. Elements of e2m1 do so
    only if `packed`; otherwise each is in bits 2 to 5 of its byte.
    """
    words = np.ascontiguousarray(words)
    if name in _DECODE:
        return _DECODE[name](words)
    if name in ("u4", "s4") or packed:
        return _NIBBLES[name][_nibbles(words)]
    return _BYTES[name][words.view(np.uint8)]


def encode(name: str, values: Array, *, saturate: bool = False) -> Array:
    """Return `values`, doubles, as words of the type `name`, rounded to nearest: f16, f32, f64 or s32. For
    f16, two elements along the last axis become one word. NaN becomes the canonical NaN. Numbers beyond s32
    wrap around, or with `saturate` are clamped.
    """
    if name == "f64":
        return np.where(np.isnan(values), np.uint64(0x7FFFFFFFFFFFFFFF), values.view(np.uint64))
    if name == "s32":
        limited: Any = np.clip(values, -(2.0**31), 2.0**31 - 1) if saturate else values
        return (limited.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)
    kind, canonical = (
        (np.float32, np.uint32(0x7FFFFFFF)) if name == "f32" else (np.float16, np.uint16(0x7FFF))
    )
    rounded = values.astype(kind)
    words, unknown = rounded.view(canonical.dtype), rounded != rounded
    if some(unknown):
        words = np.where(unknown, canonical, words)
    return words if name == "f32" else np.ascontiguousarray(words).view(np.uint32)
