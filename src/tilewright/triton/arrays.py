"""NumPy arrays as arguments of Triton's kernels, which know tensors by ``data_ptr`` and ``dtype`` only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tilewright.interp.host.addresses import array_address


class HostArray:
    """An array of the host as Triton sees a tensor."""

    __slots__ = ("array", "dtype")

    def __init__(self, array: Any) -> None:
        self.array = array
        self.dtype = array.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents."""
        return self.array.shape

    def data_ptr(self) -> int:
        """The address of the first element."""
        return array_address(self.array)[0]

    def stride(self) -> tuple[int, ...]:
        """Elements from one index to the next, for each axis."""
        return tuple(step // self.array.itemsize for step in self.array.strides)


def accepting(native: Any) -> Any:
    """Triton's function for the type of an argument, which takes arrays, too."""

    def specialize(backend: Any, argument: Any, is_const: bool, specialize_value: bool, align: bool) -> Any:
        convert = _conversion(type(argument))
        seen = argument if convert is None else convert(argument)
        return native(backend, seen, is_const, specialize_value, align)

    return specialize


def as_tensor(value: Any) -> Any:
    """An array as Triton sees a tensor, also within a tuple; anything else as it is."""
    convert = _conversion(type(value))
    return value if convert is None else convert(value)


def _tuple_as_tensors(values: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(map(as_tensor, values))


_CONVERSIONS: Mapping[type, Callable[[Any], Any]] = {np.ndarray: HostArray, tuple: _tuple_as_tensors}
_conversion: Any = _CONVERSIONS.get
"""What makes a tensor of an argument, by its type; None for one that stays as it is."""
