"""NumPy arrays as arguments of Triton's kernels, which know tensors by ``data_ptr`` and ``dtype`` only."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from types import NoneType
from typing import Any, cast


class HostArray:
    """An array of the host as Triton sees a tensor."""

    __slots__ = ("array", "dtype", "shape")

    def __init__(self, array: Any) -> None:
        self.array = array
        self.dtype = array.dtype
        self.shape = array.shape

    def data_ptr(self) -> int:
        """The address of the first element."""
        return self.array.__array_interface__["data"][0]

    def stride(self) -> tuple[int, ...]:
        """Elements from one index to the next, for each axis."""
        return tuple(step // self.array.itemsize for step in self.array.strides)


def accept_arrays() -> None:
    """Let kernels take NumPy arrays from now on: Triton asks for the type of each argument by one function."""
    jit: Any = import_module("triton.runtime.jit")
    native = jit.native_specialize_impl
    if not isinstance(native, partial):
        jit.native_specialize_impl = partial(_specialize, native)


def _specialize(native: Any, backend: Any, argument: Any, *how: Any) -> Any:
    if type(argument) in _PLAIN:
        return native(backend, argument, *how)
    return native(backend, as_tensor(argument), *how)


_PLAIN = frozenset({int, float, bool, str, NoneType})
"""Types of arguments that are no arrays and hold none: most launches pass several."""


def as_tensor(value: Any) -> Any:
    """An array as Triton sees a tensor, also within a tuple; anything else as it is."""
    kind = cast("type[Any]", type(value))
    if kind is tuple:
        return tuple(map(as_tensor, value))
    return HostArray(value) if kind.__name__ == "ndarray" else value
