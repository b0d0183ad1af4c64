"""Conversions between element formats, and between tiles and bytes.

Choices where the specification is silent:

- **ftof to an 8-bit or 4-bit float saturates**: out-of-range values, infinities included, become the largest
  finite value of their sign. The conversion instructions of the target hardware exist for these formats only
  in that form. Conversion to the wider formats overflows as IEEE 754 says. (itof is documented otherwise and
  follows its document: infinity, or NaN in formats without infinity.)
- NaN to ``f4E2M1FN``, which has none, is +6, as in hardware.
- ``f8E8M0FNU`` has neither sign nor zero: the sign of the source is dropped and values below 2**-127 become
  2**-127.
- ``fnv8E5M3FNU`` has no sign: negative numbers become NaN, -0 becomes 0.
- ftoi outside the target's range (undefined unless saturating) clamps as the hardware does, and NaN gives 0.
- ftoi to i1 asks whether the number is not zero (NaN is not): cuTile's ``astype(bool_)`` becomes this, and
  its published tests of it expect 0.5 and -2 to be true. No value counts as out of range there.
- tf32 in memory takes 4 bytes; loads keep the upper 19 bits and drop the rest.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from tilewright.doubles import expansions
from tilewright.interp.numerics import element, integers as numerics_integers
from tilewright.interp.numerics.rounding import Overflow, round_to_format

_F32 = element.FORMATS["f32"]
_TF32_DROPPED_BITS = 13
_NARROW_BITS = 8


def _ftof_overflow(target: element.ElementFormat) -> Overflow:
    return "saturate" if target.bits <= _NARROW_BITS else "non_finite"


@np.errstate(all="ignore")
def ftof(
    values: element.NumpyArray,
    source: element.ElementFormat,
    target: element.ElementFormat,
    rounding: str = "nearest_even",
) -> element.NumpyArray:
    """Return a float tile converted from ``source`` to ``target``, rounded once by `rounding`. Conversion to
    a format of at most 8 bits saturates; to a wider one, overflow gives an infinity or the largest number, as
    `rounding` requires.

    Raises `ValueError` for an unknown rounding mode.
    """
    return round_to_format(element.decode(values, source), target, rounding, overflow=_ftof_overflow(target))


@np.errstate(all="ignore")
def itof(
    values: element.NumpyArray, target: element.ElementFormat, signed: bool, rounding: str = "nearest_even"
) -> element.NumpyArray:
    """Return an integer tile, read by `signed`, converted to ``target``, rounded once by `rounding`.

    Overflow gives infinity, or NaN in a format without infinity, or the largest number in a format without
    both. Where `rounding` leads toward zero, it gives the largest number in every format. Raises `ValueError`
    for an unknown rounding mode.
    """
    wide = numerics_integers.signed_view(values) if signed else numerics_integers.unsigned_view(values)
    value, residual = _exact_float_pair(wide)
    return round_to_format(value, target, rounding, residual=residual)


def _exact_float_pair(
    wide: numerics_integers.SignedArray | numerics_integers.Unsigned,
) -> tuple[element.FloatArray, element.FloatArray]:
    """Return 64-bit integers as their nearest float64, and the sign (-1, 0, 1) of the rest."""
    low = (wide & wide.dtype.type(0xFFFF_FFFF)).astype(np.float64)
    high = (wide >> wide.dtype.type(32)).astype(np.float64) * 2.0**32
    value, rest = expansions.two_sum(high, low)
    return np.asarray(value), np.sign(rest)


def _integer_range(target: element.ElementFormat, signed: bool) -> tuple[int, int]:
    if signed:
        return -(1 << (target.bits - 1)), (1 << (target.bits - 1)) - 1
    return 0, (1 << target.bits) - 1


@np.errstate(all="ignore")
def ftoi(
    values: element.NumpyArray, source: element.ElementFormat, target: element.ElementFormat, signed: bool
) -> element.NumpyArray:
    """Return a float tile converted to integers of the format `target`, rounded toward zero; values beyond
    its range, signed or unsigned by `signed`, are clamped, and NaN gives 0. An i1 is true unless the value is
    zero; NaN gives true. This is the meaning of ``saturating``. Without the flag such elements are undefined
    (see :func:`undefined_ftoi`) and get the same result.
    """
    if target.bits == 1:
        return np.asarray(element.decode(values, source) != 0)
    whole = np.trunc(element.decode(values, source))
    low, high = _integer_range(target, signed)
    inside = ~_outside(whole, low, high)
    wide = np.int64 if signed else np.uint64
    integers = np.where(inside, whole, 0.0).astype(wide)
    clamped = np.where(whole > 0, wide(high), wide(low))
    clamped = np.where(np.isnan(whole), wide(0), clamped)
    return numerics_integers.wrap(np.where(inside, integers, clamped), target)


def _outside(whole: element.FloatArray, low: int, high: int) -> element.BoolArray:
    """Return for each integral value whether it is outside ``low..high``, both inclusive, or NaN. ``high +
    1`` and ``low`` must be exact in float64.
    """
    return ~((whole >= float(low)) & (whole < float(high + 1)))


@np.errstate(all="ignore")
def undefined_ftoi(
    values: element.NumpyArray, source: element.ElementFormat, target: element.ElementFormat, signed: bool
) -> element.BoolArray:
    """Return a mask of the elements whose conversion to integers of the format `target` by `ftoi`, if it is
    not saturating, is undefined: NaN, infinities, and values that after truncation are out of its range,
    which is signed or unsigned by `signed` (none for i1).
    """
    if target.bits == 1:
        return np.zeros(np.shape(values), np.bool_)
    return np.asarray(_outside(np.trunc(element.decode(values, source)), *_integer_range(target, signed)))


def _narrow_unsigned_view(
    values: element.NumpyArray, source: element.ElementFormat
) -> numerics_integers.Unsigned:
    """Return the elements zero-extended to 64 bits; i4, held sign-extended in int8, is masked to 4 bits."""
    return numerics_integers.unsigned_view(values) & np.uint64((1 << source.bits) - 1)


def exti(
    values: element.NumpyArray, source: element.ElementFormat, target: element.ElementFormat, signed: bool
) -> element.NumpyArray:
    """Return an integer tile (also i4) converted to a wider format: sign-extended if ``signed``, else
    zero-extended.
    """
    return numerics_integers.wrap(
        numerics_integers.signed_view(values) if signed else _narrow_unsigned_view(values, source), target
    )


def trunci(values: element.NumpyArray, target: element.ElementFormat) -> element.NumpyArray:
    """Return the low bits of an integer tile as a tile of ``target``, which may be i4."""
    return numerics_integers.wrap(numerics_integers.signed_view(values), target)


def broken_truncation_promise(
    values: element.NumpyArray, target: element.ElementFormat, overflow: str
) -> element.BoolArray:
    """Return a mask of the elements whose value ``trunci`` changes, read as signed if `overflow` promises
    no_signed_wrap, and as unsigned if it promises no_unsigned_wrap; no_wrap promises both, none neither.
    Raises `ValueError` for another promise.
    """
    broken = np.zeros(np.shape(values), np.bool_)
    narrow = trunci(values, target)
    promises = numerics_integers.promises_of(overflow)
    if "no_signed_wrap" in promises:
        broken = broken | (numerics_integers.signed_view(narrow) != numerics_integers.signed_view(values))
    if "no_unsigned_wrap" in promises:
        broken = broken | (_narrow_unsigned_view(narrow, target) != numerics_integers.unsigned_view(values))
    return np.asarray(broken)


def bitcast(
    values: element.NumpyArray, source: element.ElementFormat, target: element.ElementFormat
) -> element.NumpyArray:
    """Return a tile with equal bits in the format `target`. Raises `ValueError` if the widths of the formats
    differ.
    """
    if source.bits != target.bits:
        raise ValueError(f"cannot bitcast {source.bits}-bit {source.name} to {target.bits}-bit {target.name}")
    if source.bits == 4 and target.kind == "integer":
        return numerics_integers.wrap(element.to_bits(values, source), target)
    if source.bits == 4:
        return element.from_bits(element.to_bits(values, source) & np.uint8(0xF), target)
    return element.from_bits(element.to_bits(values, source), target)


def pack(values: element.NumpyArray, source: element.ElementFormat) -> element.NumpyArray:
    """Return the i8 tile of the bytes of a tile, in row-major order, little endian.

    i1 takes one bit (lowest first), tf32 four bytes, 4-bit elements a nibble (low nibble first). Raises
    `ValueError` if the tile does not fill whole bytes.
    """
    bits = 1 if source.bits == 1 else source.storage_bits
    if np.size(values) * bits % 8:
        raise ValueError(f"{np.size(values)} elements of {source.name} do not fill whole bytes")
    packed = np.packbits(values, bitorder="little") if source.bits == 1 else encode_memory(values, source)
    return packed.view(np.int8)


def unpack(packed: element.NumpyArray, target: element.ElementFormat) -> element.NumpyArray:
    """Return the rank-1 tile of ``target`` stored in an i8 tile of bytes, little endian: i1 takes one bit
    (lowest first), 4-bit elements a nibble (low nibble first). Raises `ValueError` if the bytes do not make
    whole elements.
    """
    data = np.asarray(packed).view(np.uint8)
    if target.bits == 1:
        return np.unpackbits(data, bitorder="little").astype(np.bool_)
    return decode_memory(data, target)


def decode_memory(data: element.ByteArray, format: element.ElementFormat) -> element.NumpyArray:
    """Return the rank-1 tile of the elements that memory bytes hold (little endian).

    i1: any nonzero byte is true. Packed formats give two elements per byte, low nibble first. Raises
    `ValueError` if the bytes do not make whole elements.
    """
    flat = np.ascontiguousarray(data, dtype=np.uint8).reshape(-1)
    if flat.size % format.storage_bytes:
        raise ValueError(f"{flat.size} bytes are not a whole number of {format.name} elements")
    if format.bits == 1:
        return flat != 0
    if format.packed:
        return _from_nibbles(np.stack([flat & 0xF, flat >> 4], axis=-1).reshape(-1), format)
    if format.name == "tf32":
        return _as_tf32(flat.view("<u4"))
    return element.from_bits(flat.view(f"<u{format.storage_bytes}"), format)


def encode_memory(values: element.NumpyArray, format: element.ElementFormat) -> element.ByteArray:
    """Return the memory bytes of a tile in row-major order, little endian: an i1 is a byte 0 or 1, and two
    packed elements share a byte, the first one in the low nibble. Raises `ValueError` for an odd number of
    packed elements.
    """
    flat = np.asarray(values).reshape(-1)
    if format.packed:
        return _join_nibbles(flat, format)
    bits = element.to_bits(flat, format)
    return np.ascontiguousarray(bits.astype(format.bits_dtype.newbyteorder("<"))).view(np.uint8)


def _join_nibbles(flat: element.NumpyArray, format: element.ElementFormat) -> element.ByteArray:
    if flat.size % 2:
        raise ValueError(f"an odd number ({flat.size}) of {format.name} elements does not fill whole bytes")
    nibbles = element.to_bits(flat, format) & np.uint8(0xF)
    return cast(element.ByteArray, nibbles[0::2] | (nibbles[1::2] << np.uint8(4)))


def _from_nibbles(nibbles: element.NumpyArray, format: element.ElementFormat) -> element.NumpyArray:
    return (
        numerics_integers.wrap(nibbles, format)
        if format.kind == "integer"
        else element.from_bits(nibbles, format)
    )


def _as_tf32(bits: element.NumpyArray) -> element.NumpyArray:
    """Return f32 patterns as tf32, without the 13 bits that tf32 does not have; a NaN stays a NaN."""
    kept = bits & np.uint32(0xFFFF_FFFF << _TF32_DROPPED_BITS & 0xFFFF_FFFF)
    is_nan = np.isnan(element.from_bits(bits, _F32))
    still_nan = np.isnan(element.from_bits(kept, _F32))
    return element.from_bits(
        np.where(is_nan & ~still_nan, kept | _F32.nan_bits, kept), element.FORMATS["tf32"]
    )


def decode_constant(data: bytes, format: element.ElementFormat, count: int) -> element.NumpyArray:
    """Return the rank-1 tile of ``count`` elements of a constant in a bytecode file.

    The bytes of a single element give a splat. i1 is bit-packed, lowest bit first (one byte is a splat of its
    bit 0 for more than 8 elements); tf32 takes 3 bytes with 19 significant bits; 4-bit elements take a byte
    each. Raises `ValueError` for a number of bytes that is neither one element nor ``count`` elements.
    """
    raw = np.frombuffer(data, dtype=np.uint8)
    if format.bits == 1:
        return _decode_i1_constant(raw, count)
    size = -(-format.bits // 8)
    if raw.size not in (size, size * count):
        raise ValueError(f"{raw.size} bytes are not a constant of {count} {format.name} elements")
    elements = _constant_elements(raw.reshape(-1, size), format)
    return elements if elements.size == count else np.repeat(elements, count)


def _decode_i1_constant(raw: element.ByteArray, count: int) -> element.NumpyArray:
    if raw.size == (count + 7) // 8:
        return np.unpackbits(raw, count=count, bitorder="little").astype(np.bool_)
    if raw.size == 1:
        return np.full(count, bool(raw[0] & 1))
    raise ValueError(f"{raw.size} bytes are not a constant of {count} i1 elements")


def _constant_elements(rows: element.ByteArray, format: element.ElementFormat) -> element.NumpyArray:
    """Return the elements of `rows`, an array with the bytes of one element in each row."""
    if format.bits == 4:
        return _from_nibbles(rows[:, 0] & np.uint8(0xF), format)
    if format.name == "tf32":
        padded = np.pad(rows, ((0, 0), (0, 1))).view("<u4").reshape(-1)
        return element.from_bits(padded << np.uint32(_TF32_DROPPED_BITS), format)
    return decode_memory(rows, format)
