"""The representation of values of PTX types in NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.ptx.value_types import TYPES, ValueKind

Array = NDArray[Any]
"""A NumPy array over threads, or a scalar with an equal value for all threads."""

Compute = (
    Callable[[Array], Array]
    | Callable[[Array, Array], Array]
    | Callable[[Array, Array, Array], Array]
    | Callable[[Array, Array, Array, Array], Array]
)
"""A function of one to four operands that computes the result of an instruction."""

ROW: Any = np.complex128
"""Sixteen bytes as an element, which NumPy moves unchanged."""
UNSIGNED: dict[int, Any] = {1: np.bool_, 8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64, 128: ROW}
"""The element types of registers by width in bits."""
_SIGNED: dict[int, Any] = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}
_FLOATS: dict[int, Any] = {16: np.float16, 32: np.float32, 64: np.float64}


def dtype(name: str) -> Any:
    """Return the NumPy element type for registers of the PTX type `name`. Signed integers and f16, f32 and
    f64 have their own types; all others (bits, bf16, packed types) have the unsigned integer of their width,
    and predicates are booleans.
    """
    row = TYPES[name]
    if row.kind is ValueKind.SIGNED:
        return _SIGNED[row.bits]
    return _FLOATS[row.bits] if row.kind is ValueKind.FLOAT else UNSIGNED[row.bits]


def unsigned_bits(array: Array) -> Array:
    """Return a view of the bits of `array` as unsigned integers of the same width. Booleans and unsigned
    integers are returned unchanged.
    """
    kind = array.dtype
    return array if kind.kind in "ub" else array.view(UNSIGNED[kind.itemsize * 8])


def resized(array: Array, bits: int) -> Array:
    """Return the elements of `array` as unsigned integers of `bits` bits. Wider elements are truncated,
    narrower signed integers sign-extended, and others zero-extended. Booleans are returned unchanged.
    """
    if array.dtype.kind == "b" or array.dtype.itemsize * 8 == bits:
        return unsigned_bits(array)
    wide = (
        array.astype(_SIGNED[bits])
        if array.dtype.kind == "i"
        else unsigned_bits(array).astype(UNSIGNED[bits])
    )
    return unsigned_bits(wide)


def split(value: Array, count: int) -> list[Array]:
    """Return `count` arrays: the elements of `value`, unsigned integers or 16-byte rows, cut into `count`
    parts of equal width, the lowest bits first.
    """
    bits = value.dtype.itemsize * 8 // count
    kind = UNSIGNED[bits]
    if value.dtype == ROW:
        return list(np.ascontiguousarray(value).view(kind).reshape(-1, count).T)
    return [(value >> value.dtype.type(bits * at)).astype(kind) for at in range(count)]


def joined(parts: list[Array]) -> Array:
    """Return an array whose elements are the concatenated bits of the elements of `parts`, arrays of one
    unsigned type, the lowest bits first.
    """
    bits = parts[0].dtype.itemsize * 8
    kind = UNSIGNED[bits * len(parts)]
    if kind is ROW:
        return np.ascontiguousarray(np.stack(parts, -1)).view(ROW)[:, 0]
    result = parts[0].astype(kind)
    for at, part in enumerate(parts[1:], 1):
        result = result | (part.astype(kind) << kind(bits * at))
    return result


def where(condition: Any, first: Any, second: Any) -> Any:
    """Return `first` where `condition` is true and `second` elsewhere, as `numpy.where` does, for arrays and
    scalars of any kind.
    """
    choose: Any = np.where
    return choose(condition, first, second)


def some(flags: Array) -> bool:
    """Return whether one of `flags`, an array of booleans, is True. For arrays of a block's size it is faster
    than `any`.
    """
    return 1 in flags.tobytes()


def every(flags: Array) -> bool:
    """Return whether all of `flags`, an array of booleans, are True."""
    return 0 not in flags.tobytes()


def largest(numbers: Array) -> int:
    """Return the maximum of an array of integers. Raises `ValueError` if `numbers` is empty."""
    return numbers.item(numbers.argmax())


def smallest(numbers: Array) -> int:
    """Return the minimum of an array of integers. Raises `ValueError` if `numbers` is empty."""
    return numbers.item(numbers.argmin())


def any_along(flags: Array, axis: int) -> Array:
    """Return for each position of the other axes whether a flag along `axis` is True."""
    found: Any = flags.any(axis)
    return found


def touched_units(places: Array, size: int, unit: int) -> Array:
    """Return the indices of the units of `unit` bytes (a power of two) that accesses of `size` bytes touch: a
    row for each address in `places`. Accesses are aligned: one of at most `unit` bytes lies in one unit, and
    a larger one begins at the start of a unit.
    """
    first = places >> unit.bit_length() - 1
    if size <= unit:
        return first[:, None]
    found: Array = first + np.arange(-(-size // unit))[:, None]  # faster than with contiguous rows
    return found.T
