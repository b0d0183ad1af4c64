"""Element formats of Tile IR tiles: one table row per element type.

A tile is held as a NumPy array whose dtype is the format's ``array_dtype``:

- ``i1`` as ``bool``; ``i4`` as ``int8`` in -8..7; ``i8``..``i64`` as signed two's complement (Tile IR
  integers are signless, the operation decides how to read them); ``ptr`` as ``int64`` holding the unsigned
  address bits.
- ``f16``, ``f32``, ``f64`` as NumPy floats, ``bf16`` and the public 8-bit and 4-bit formats as ml_dtypes
  types.
- ``tf32`` as ``float32`` whose 13 lowest significand bits are zero.
- ``fnv8E5M3FNU`` as ``uint8`` bit patterns: no array library has the type, and bit patterns keep bitcast,
  pack and memory transfer exact. Go through :func:`decode` to see the values.

:func:`decode` widens any float tile to ``float64`` without error; every format except ``f64`` is a strict
subset of it, so all other modules work on ``float64`` and come back through ``rounding.round_to_format``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import ml_dtypes
import numpy as np
import numpy.typing as npt

NumpyArray: TypeAlias = npt.NDArray[Any]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
FloatArray: TypeAlias = npt.NDArray[np.float64]
ByteArray: TypeAlias = npt.NDArray[np.uint8]

Kind = Literal["integer", "float", "pointer"]
NegativeInput = Literal["kept", "magnitude", "nan"]


@dataclass(frozen=True)
class ElementFormat:
    """The properties of an element type: sizes, and limits of its numbers.

    ``bits`` is the width of the value and ``storage_bits`` its size in memory and in ``pack``'s byte view
    (``i1``: 1 value bit, 8 in memory; ``tf32``: 19 and 32). The float fields follow IEEE 754: ``precision``
    counts the hidden bit, finite normal values lie between ``2**emin`` and ``max_finite``; they are 0 for
    other kinds. ``nan_bits`` is the canonical NaN (positive, quiet, empty payload) as a bit pattern of
    ``array_dtype``. ``negative_input`` says to what a negative number is converted: itself, its magnitude, or
    NaN, in formats without a sign.
    """

    name: str
    kind: Kind
    bits: int
    storage_bits: int
    array_dtype: np.dtype[Any]
    precision: int = 0
    emin: int = 0
    emax: int = 0
    max_finite: float = 0.0
    has_inf: bool = False
    has_nan: bool = False
    has_zero: bool = True
    is_signed: bool = True
    negative_input: NegativeInput = "kept"
    nan_bits: int = 0

    @property
    def packed(self) -> bool:
        """Return whether memory holds two elements per byte (low nibble first)."""
        return self.storage_bits < 8

    @property
    def storage_bytes(self) -> int:
        """Return the number of bytes of memory that one element touches (1 for packed formats, where two
        elements share a byte).
        """
        return max(1, self.storage_bits // 8)

    @property
    def bits_dtype(self) -> np.dtype[Any]:
        """Return the unsigned dtype with the width of ``array_dtype``, for bit patterns."""
        return np.dtype(f"u{self.array_dtype.itemsize}")

    @property
    def min_subnormal(self) -> float:
        """Return the smallest positive value of a float format (the smallest normal value if the format has
        no zero).
        """
        return 2.0 ** (self.emin - self.precision + 1)

    def memory_bytes(self, count: int) -> int:
        """Return the number of bytes of ``count`` consecutive elements in memory, rounded up for packed
        formats.
        """
        return -(-count * self.storage_bits // 8)


def _integer(name: str, bits: int, storage_bits: int, dtype: type[Any]) -> ElementFormat:
    return ElementFormat(name, "integer", bits, storage_bits, np.dtype(dtype))


def _ieee(name: str, bits: int, dtype: Any, precision: int, emax: int, nan_bits: int) -> ElementFormat:
    return ElementFormat(
        name,
        "float",
        bits,
        np.dtype(dtype).itemsize * 8,
        np.dtype(dtype),
        precision=precision,
        emin=1 - emax,
        emax=emax,
        max_finite=(2.0 - 2.0 ** (1 - precision)) * 2.0**emax,
        has_inf=True,
        has_nan=True,
        nan_bits=nan_bits,
    )


_F8E4M3FN = ElementFormat(
    "f8E4M3FN",
    "float",
    8,
    8,
    np.dtype(ml_dtypes.float8_e4m3fn),
    precision=4,
    emin=-6,
    emax=8,
    max_finite=448.0,
    has_nan=True,
    nan_bits=0x7F,
)
_F8E8M0FNU = ElementFormat(
    "f8E8M0FNU",
    "float",
    8,
    8,
    np.dtype(ml_dtypes.float8_e8m0fnu),
    precision=1,
    emin=-127,
    emax=127,
    max_finite=2.0**127,
    has_nan=True,
    has_zero=False,
    is_signed=False,
    negative_input="magnitude",
    nan_bits=0xFF,
)
_F4E2M1FN = ElementFormat(
    "f4E2M1FN",
    "float",
    4,
    4,
    np.dtype(ml_dtypes.float4_e2m1fn),
    precision=2,
    emin=0,
    emax=2,
    max_finite=6.0,
)
_FNV8E5M3FNU = ElementFormat(
    "fnv8E5M3FNU",
    "float",
    8,
    8,
    np.dtype(np.uint8),
    precision=4,
    emin=-14,
    emax=16,
    max_finite=1.75 * 2.0**16,
    has_nan=True,
    is_signed=False,
    negative_input="nan",
    nan_bits=0xFF,
)

_ROWS = (
    _integer("i1", 1, 8, np.bool_),
    _integer("i4", 4, 4, np.int8),
    _integer("i8", 8, 8, np.int8),
    _integer("i16", 16, 16, np.int16),
    _integer("i32", 32, 32, np.int32),
    _integer("i64", 64, 64, np.int64),
    ElementFormat("ptr", "pointer", 64, 64, np.dtype(np.int64)),
    _ieee("f16", 16, np.float16, 11, 15, 0x7E00),
    _ieee("bf16", 16, ml_dtypes.bfloat16, 8, 127, 0x7FC0),
    _ieee("f32", 32, np.float32, 24, 127, 0x7FC0_0000),
    _ieee("tf32", 19, np.float32, 11, 127, 0x7FC0_0000),
    _ieee("f64", 64, np.float64, 53, 1023, 0x7FF8_0000_0000_0000),
    _ieee("f8E5M2", 8, ml_dtypes.float8_e5m2, 3, 15, 0x7E),
    _F8E4M3FN,
    _F8E8M0FNU,
    _F4E2M1FN,
    _FNV8E5M3FNU,
)

FORMATS: Mapping[str, ElementFormat] = MappingProxyType({row.name: row for row in _ROWS})
"""Every element format by its Tile IR name."""

_ARITHMETIC_INTEGERS = {
    FORMATS[name].array_dtype: FORMATS[name] for name in ("i1", "i8", "i16", "i32", "i64")
}
_BASE_FLOATS = {FORMATS[name].array_dtype: FORMATS[name] for name in ("f16", "bf16", "f32", "f64")}


def integer_format(values: NumpyArray) -> ElementFormat:
    """Return the format of an integer tile by its dtype (``int8`` means ``i8``).

    Raises `TypeError` for any other dtype.
    """
    return _by_dtype(_ARITHMETIC_INTEGERS, values, "an integer")


def base_float_format(values: NumpyArray) -> ElementFormat:
    """Return the format of a base float tile (f16, bf16, f32, f64) by its dtype.

    Raises `TypeError` for any other dtype.
    """
    return _by_dtype(_BASE_FLOATS, values, "a base float")


def _by_dtype(table: Mapping[np.dtype[Any], ElementFormat], values: NumpyArray, what: str) -> ElementFormat:
    try:
        return table[values.dtype]
    except KeyError:
        raise TypeError(f"dtype {values.dtype} is not the dtype of {what} tile") from None


def _unsigned_minifloat_values(format: ElementFormat) -> FloatArray:
    """Return the values of all 256 patterns of an unsigned 8-bit format with subnormals and an all-ones NaN."""
    fraction_bits = format.precision - 1
    pattern = np.arange(256)
    exponent, fraction = pattern >> fraction_bits, pattern & ((1 << fraction_bits) - 1)
    significand = fraction + np.where(exponent > 0, 1 << fraction_bits, 0)
    values = np.ldexp(
        significand.astype(np.float64), np.maximum(exponent, 1) - 1 + format.emin - fraction_bits
    )
    values[format.nan_bits] = np.nan
    return values


_PATTERN_VALUES: Mapping[str, FloatArray] = {_FNV8E5M3FNU.name: _unsigned_minifloat_values(_FNV8E5M3FNU)}


@np.errstate(all="ignore")
def decode(values: NumpyArray, format: ElementFormat) -> FloatArray:
    """Return a float tile of ``format`` as ``float64``, exactly; any NaN becomes a NaN."""
    if format.name in _PATTERN_VALUES:
        return np.asarray(_PATTERN_VALUES[format.name][values])
    return np.asarray(values).astype(np.float64)


@np.errstate(all="ignore")
def encode(values: FloatArray, format: ElementFormat) -> NumpyArray:
    """Return ``float64`` values that ``format`` can represent as a tile of it; NaN becomes the canonical NaN.

    Values that ``format`` cannot represent must first be rounded by `rounding.round_to_format`; here their
    result is unspecified.
    """
    if format.name in _PATTERN_VALUES:
        bits = np.searchsorted(_PATTERN_VALUES[format.name][: format.nan_bits], values)
    else:
        bits = to_bits(np.asarray(values).astype(format.array_dtype), format)
    return from_bits(np.where(np.isnan(values), format.nan_bits, bits), format)


def to_bits(values: NumpyArray, format: ElementFormat) -> NumpyArray:
    """Return the bit patterns of a tile as an unsigned array of the same item size (``bits_dtype``)."""
    return np.asarray(values).view(format.bits_dtype)


def from_bits(bits: NumpyArray, format: ElementFormat) -> NumpyArray:
    """Return the tile with these bit patterns, the inverse of :func:`to_bits`; ``bits`` may be any integer
    array whose values fit ``bits_dtype``.
    """
    return np.asarray(bits).astype(format.bits_dtype).view(format.array_dtype)


@np.errstate(all="ignore")
def canonical_nan(values: NumpyArray, format: ElementFormat) -> NumpyArray:
    """Return the tile with every NaN replaced by the canonical NaN of ``format``.

    Tile IR leaves NaN payloads open, and processors produce NaNs of different sign. So every arithmetic
    function that may produce a NaN ends with a call of this one, and gives the same bits on every host.
    """
    tile = np.asarray(values)
    nan = np.isnan(tile if tile.dtype.kind == "f" else decode(tile, format))
    if not nan.any():
        return tile
    return from_bits(np.where(nan, format.nan_bits, to_bits(tile, format)), format)
