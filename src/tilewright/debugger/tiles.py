"""Values of a kernel as NumPy arrays and as text: shape and type, statistics, elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.dialects.cuda_tile.types import PointerType, TileType
from tilewright.interp.memory.access_messages import array_words
from tilewright.interp.memory.address_space import LaunchMemory
from tilewright.interp.numerics.element import NumpyArray, decode
from tilewright.interp.values import TensorView, TileView, tile_format
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType

UNDEFINED = "?"
"""The text of an element that a load left unspecified."""


def numbers(value: Any, type: Type, undefined: NumpyArray | None) -> Any:
    """Return the value of a register for expressions: a tile as an array of the same shape, whose undefined
    elements are masked; ``undefined`` is true for them, None if all elements are defined. Views and tokens
    are returned unchanged. Floats that NumPy does not have become `float32`, which has all their numbers;
    pointers are addresses.
    """
    if not isinstance(type, TileType):
        return value
    array = np.asarray(value)
    if isinstance(type.element_type, FloatType) and array.dtype.kind != "f":
        array = np.asarray(decode(array, tile_format(type))).astype(np.float32)
    if undefined is None or not np.any(undefined):
        return array
    return np.ma.MaskedArray(array, np.broadcast_to(undefined, array.shape))


def statistics(array: Any) -> str:
    """Return the smallest and largest element and the mean of the finite, defined elements, and the numbers
    of NaNs, infinities and undefined (masked) elements, as words: ``min 0, max 7, mean 3.5, 1 NaN``. Numbers
    that are 0 are left out. For booleans the words are such as ``3 of 8 true, 1 undefined``, where 8 elements
    are defined. For other types of elements only the undefined ones are counted, and the text is empty
    without these.
    """
    mask = np.broadcast_to(np.ma.getmaskarray(array), np.shape(array))
    given = np.asarray(np.ma.getdata(array))[~mask]
    words: list[str] = []
    if given.dtype.kind == "b":
        words.append(f"{np.count_nonzero(given)} of {given.size} true")
    elif given.dtype.kind in "iuf":
        finite = given[np.isfinite(given)]
        if finite.size:
            wide = finite.astype(np.float64) if finite.dtype.kind == "f" else finite
            words.append(f"min {finite.min():.6g}, max {finite.max():.6g}, mean {wide.mean():.6g}")
        for name, count in (("NaN", np.isnan(given).sum()), ("infinite", np.isinf(given).sum())):
            words += [f"{count} {name}"] if count else []
    undefined = np.count_nonzero(mask)
    return ", ".join([*words, *([f"{undefined} undefined"] if undefined else [])])


def elements(array: Any, *, whole: bool = False) -> str:
    """Return the elements as text, undefined ones as `UNDEFINED`. The middle of an array of more than 200
    elements is left out, unless `whole`.
    """
    data: Any = np.ma.getdata(array)
    mask: Any = np.ma.getmaskarray(array)
    limit = max(int(np.size(data)), 1) if whole else 200
    if not mask.any():
        return np.array2string(np.asarray(data), threshold=limit, max_line_width=110, separator=", ")
    texts = [UNDEFINED if hidden else f"{one:.6g}" for one, hidden in zip(data.flat, mask.flat, strict=True)]
    shown = np.array(texts, dtype=object).reshape(np.shape(data))
    return np.array2string(
        shown, threshold=limit, max_line_width=110, separator=", ", formatter={"object": str}
    )


def is_array(value: Any) -> bool:
    """Return whether a value is an array, or a number of NumPy."""
    return isinstance(value, np.ndarray | np.generic)


def summary(value: Any, type: Type | None = None, memory: LaunchMemory | None = None) -> str:
    """Return one line about a value: its type, and the range of its elements, such as ``tile<8xf32>: min 0,
    max 7, mean 3.5``. ``type`` is the type in the IR; if it is None, as for the result of an expression,
    NumPy's type and shape are shown. ``memory`` has the arrays of the launch, by whose names views and
    pointers are described; None: by addresses. For a value that is neither an array nor a view, return its
    `repr`.
    """
    if isinstance(value, TensorView | TileView):
        return _view(value, memory)
    if not is_array(value):
        return repr(value)
    words = type_words(type) if type is not None else f"{value.dtype}{list(value.shape)}"
    if isinstance(type, TileType) and isinstance(type.element_type, PointerType) and memory is not None:
        first = int(np.ravel(np.ma.getdata(value))[0])
        return f"{words}: pointers, the first into {array_words(first, memory.allocations)}"
    return f"{words}: {statistics(value) if np.ndim(value) else _scalar(value)}"


def text(
    value: Any, type: Type | None = None, memory: LaunchMemory | None = None, *, whole: bool = False
) -> str:
    """Return a value as text: its `summary`, and for arrays the elements in the lines that follow: all of
    them if ``whole`` is set. ``type`` and ``memory`` are as for `summary`.
    """
    first = summary(value, type, memory)
    if not is_array(value) or not np.ndim(value):
        return first
    return f"{first}\n{elements(value, whole=whole)}"


def type_words(type: Type) -> str:
    """Return a type as users read it, such as ``tile<1x8xf32>``."""
    return str(type).removeprefix("!").replace("cuda_tile.", "")


def _scalar(value: Any) -> str:
    return UNDEFINED if np.ma.getmaskarray(value).any() else str(np.ma.getdata(value)[()])


def _view(value: TensorView | TileView, memory: LaunchMemory | None) -> str:
    tensor = value.tensor if isinstance(value, TileView) else value
    name = array_words(tensor.base, memory.allocations if memory is not None else ())
    return f"{type_words(value.type)} of {name}: shape {tensor.shape}, strides {tensor.strides}"
