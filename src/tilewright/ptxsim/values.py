"""How values of PTX types lie in NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.ptx.types import TYPES, Kind

Array = NDArray[Any]
"""A NumPy array over threads, or a scalar that is the same for all."""

Compute = (
    Callable[[Array], Array]
    | Callable[[Array, Array], Array]
    | Callable[[Array, Array, Array], Array]
    | Callable[[Array, Array, Array, Array], Array]
)
"""What an instruction computes from one to four operands."""

UNSIGNED: dict[int, Any] = {1: np.bool_, 8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}
"""What registers of a width hold."""
ROW: Any = np.complex128
"""Sixteen bytes as one element, which NumPy moves as they are."""
_SIGNED: dict[int, Any] = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}
_FLOATS: dict[int, Any] = {16: np.float16, 32: np.float32, 64: np.float64}


def dtype(name: str) -> Any:
    """The element type of arrays that hold a PTX type; packed types are words."""
    row = TYPES[name]
    if row.kind is Kind.SIGNED:
        return _SIGNED[row.bits]
    return _FLOATS[row.bits] if row.kind is Kind.FLOAT else UNSIGNED[row.bits]


def words(array: Array) -> Array:
    """The bits of an array, as registers hold them."""
    kind = array.dtype
    return array if kind.kind in "ub" else array.view(UNSIGNED[kind.itemsize * 8])


def resized(array: Array, bits: int) -> Array:
    """The words of an array in registers of another width: signed values keep their sign, others get zeros."""
    if array.dtype.kind == "b" or array.dtype.itemsize * 8 == bits:
        return words(array)
    wide = array.astype(_SIGNED[bits]) if array.dtype.kind == "i" else words(array).astype(UNSIGNED[bits])
    return words(wide)


def split(value: Array, count: int) -> list[Array]:
    """The parts of words, the lowest first."""
    bits = value.dtype.itemsize * 8 // count
    kind = UNSIGNED[bits]
    return [(value >> value.dtype.type(bits * at)).astype(kind) for at in range(count)]


def joined(parts: list[Array]) -> Array:
    """Words of parts, the lowest first."""
    bits = parts[0].dtype.itemsize * 8
    kind = UNSIGNED[bits * len(parts)]
    result = parts[0].astype(kind)
    for at, part in enumerate(parts[1:], 1):
        result = result | (part.astype(kind) << kind(bits * at))
    return result


def where(condition: Any, first: Any, second: Any) -> Any:
    """`numpy.where` of arrays and scalars of any kind."""
    choose: Any = np.where
    return choose(condition, first, second)


def some(flags: Array) -> bool:
    """Whether a flag is set; for as many as a block has threads quicker than `any`, as the other three of these are."""
    return 1 in flags.tobytes()


def every(flags: Array) -> bool:
    """Whether all flags are set."""
    return 0 not in flags.tobytes()


def largest(numbers: Array) -> int:
    """The largest of integers."""
    return numbers.item(numbers.argmax())


def smallest(numbers: Array) -> int:
    """The smallest of integers."""
    return numbers.item(numbers.argmin())


def any_along(flags: Array, axis: int) -> Array:
    """Whether one flag along an axis is set."""
    found: Any = flags.any(axis)
    return found


def parts(places: Array, size: int, unit: int) -> Array:
    """The numbers of the parts of ``unit`` bytes, a power of two, that so many bytes from each place on touch: a row each."""
    first = places >> unit.bit_length() - 1
    if size <= unit:
        return first[:, None]
    found: Array = first + np.arange(-(-size // unit))[:, None]  # quicker than with rows that lie together
    return found.T
