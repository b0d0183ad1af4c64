"""Run-time values: tiles are NumPy arrays of the operation's shape, everything else is here.

The array dtype of a tile is fixed by `tilewright.interp.numerics.element`; rank-0 tiles are 0-d arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, cast

import numpy as np

from tilewright.dialects.cuda_tile.types import PointerType, TensorViewType, TileType, TileViewType
from tilewright.interp.numerics.element import FORMATS, ElementFormat, NumpyArray, decode
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType
from tilewright.ir.support.print_conversions import Conversion, Piece, element_text


class TokenValue:
    """The one run-time value of every token: order is kept by execution itself."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "token"


TOKEN = TokenValue()


@dataclass(frozen=True, slots=True)
class TensorView:
    """A strided tensor in memory: element (i0, ...) is at the address ``base`` plus the sum of ``i_k *
    strides[k]`` elements. ``shape`` has its extents, without `?`.
    """

    base: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    type: TensorViewType


@dataclass(frozen=True, slots=True)
class TileView:
    """A tensor in memory, and the type of the view that divides it into tiles."""

    tensor: TensorView
    type: TileViewType


def element_format(element: Type) -> ElementFormat:
    """Return the format of an element type: integer, float or pointer. Raises `TypeError` for any other type."""
    if isinstance(element, PointerType):
        return FORMATS["ptr"]
    if not isinstance(element, IntegerType | FloatType):
        raise TypeError(f"{element} is not an element type")
    return FORMATS[element.spelling]


def tile_format(tile_type: Any) -> ElementFormat:
    """Return the format of the elements of a tile or tensor view type."""
    return element_format(tile_type.element_type)


def float_format(type: Any) -> ElementFormat | None:
    """Return the format of the elements of a tile of floats; None for any other type."""
    is_float = isinstance(type, TileType) and isinstance(type.element_type, FloatType)
    return tile_format(type) if is_float else None


def pointee_format(tile_type: Any) -> ElementFormat:
    """Return the format of the elements that the pointers of a pointer tile point to."""
    return element_format(tile_type.element_type.pointee)


def integer_scalar(value: int, format: ElementFormat) -> NumpyArray:
    """Return a rank-0 tile of the integer `format` with the low ``format.bits`` bits of ``value``. An i4 is
    sign-extended to its array dtype.
    """
    bits = value & ((1 << format.bits) - 1)
    sign = 1 << (format.bits - 1)
    return np.array(bits if format.bits == 1 else bits - ((bits & sign) << 1), dtype=format.array_dtype)


def unsigned_value(scalar: NumpyArray) -> int:
    """Return the number in a rank-0 integer tile, read as unsigned with the width of its array dtype."""
    value = int(scalar)
    return value if value >= 0 else value + (1 << (8 * scalar.dtype.itemsize))


def signed_value(scalar: NumpyArray) -> int:
    """Return the number in a rank-0 integer tile, read as signed (i1: 0 or -1)."""
    return -int(scalar) if scalar.dtype == np.bool_ else int(scalar)


def wrapped_address(value: int) -> int:
    """Return the low 64 bits of a number, as the signed integer that pointer tiles hold."""
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value


def text(case: Enum) -> str:
    """Return the name of an enum case in lower case, such as ``nearest_even``: numerics and diagnostics use
    it.
    """
    return case.name.lower()


def first_element(mask: Any) -> str:
    """Return a phrase such as `` at element [3] (and 2 more)`` for the set elements of a mask; an empty text
    for a scalar. At least one element must be set.
    """
    if np.ndim(mask) == 0:
        return ""
    where = np.argwhere(mask)
    rest = f" (and {len(where) - 1} more)" if len(where) > 1 else ""
    return f" at element {[int(i) for i in where[0]]}{rest}"


@dataclass(frozen=True, slots=True)
class InterpretOptions:
    """Run-time checks and limits; everything is off by default. Only ``accesses_only`` changes the
    results of a kernel whose results do not depend on the order of tile blocks.

    - ``memcheck``: every access must lie in an argument, global or alloca (see code TW0402 for what holds without).
    - ``initcheck``: use of unspecified elements is an error.
    - ``racecheck``: conflicting, unordered accesses are an error.
    - ``fpcheck``: a NaN or infinity made from finite numbers is an error.
    - ``promises``: broken promises and undefined behaviour of operations are errors.
    - ``max_steps``: maximum number of operations that the launch may execute; None for no limit.
    - ``max_reports``: maximum number of findings that are reported in full, of those that do not stop the launch.
    - ``references``: exact values and error bounds are kept beside floats (`tilewright.interp.precision`).
    - ``block_order``: the order of tile blocks: ``forward``, ``reversed``, or ``shuffled`` (the same at each launch).
    - ``accesses_only``: values that decide neither an access nor control flow are not computed; zeros are stored and
      printed instead.
    """

    memcheck: bool = False
    initcheck: bool = False
    racecheck: bool = False
    fpcheck: bool = False
    promises: bool = False
    max_steps: int | None = None
    max_reports: int = 16
    references: bool = False
    block_order: Literal["forward", "reversed", "shuffled"] = "forward"
    accesses_only: bool = False


def render(pieces: Sequence[Piece], tiles: Sequence[tuple[NumpyArray, ElementFormat]]) -> str:
    """Return the text of a print: the literal pieces of its format, and for each conversion the next tile,
    with brackets around each dimension.
    """
    remaining = iter(tiles)
    return "".join(p if isinstance(p, str) else _tile(p, *next(remaining)) for p in pieces)


def _tile(conversion: Conversion, tile: NumpyArray, format: ElementFormat) -> str:
    numbers: Any = decode(tile, format) if format.kind == "float" else tile
    show = element_text(conversion, 64 if format.kind == "float" else format.bits)
    return _nested(numbers.tolist(), show)


def _nested(items: Any, show: Callable[[Any], str]) -> str:
    if not isinstance(items, list):
        return show(items)
    parts = [_nested(item, show) for item in cast("list[Any]", items)]
    return f"[{', '.join(parts)}]"
