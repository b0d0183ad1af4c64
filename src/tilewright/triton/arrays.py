"""NumPy arrays as arguments of Triton's kernels; Triton reads only ``data_ptr`` and ``dtype`` of a tensor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any, cast

import numpy as np

from tilewright.driver.launch_arguments import LaunchError, LaunchOverflowError
from tilewright.gpu_programs import active
from tilewright.host.addresses import UnusableMemoryError, array_address, data_pointer
from tilewright.host.arrays import array_view, host_array, is_array_like

SUBJECT = "kernel argument"
"""The subject of errors about an argument, before its name."""


class HostArray:
    """An array on the host with the attributes of a tensor that Triton reads."""

    __slots__ = ("array", "dtype")

    def __init__(self, array: Any) -> None:
        self.array = array
        self.dtype = array.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the dimensions."""
        return self.array.shape

    def data_ptr(self) -> int:
        """Return the address of the first element."""
        return array_address(self.array)[0]

    def stride(self) -> tuple[int, ...]:
        """Return the strides in elements."""
        return tuple(step // self.array.itemsize for step in self.array.strides)


def accepting(native: Any, is_ours: Callable[[], bool]) -> Any:
    """Return Triton's function for the type of an argument, extended to arrays.

    If ``is_ours`` returns True, kernels run here, and an argument that cannot be passed raises `LaunchError`.
    """

    def specialize(backend: Any, argument: Any, is_const: bool, specialize_value: bool, align: bool) -> Any:
        convert = _conversion(type(argument))
        try:
            seen = argument if convert is None else convert(argument)
            return native(backend, seen, is_const, specialize_value, align)
        except (TypeError, KeyError, OverflowError, UnusableMemoryError) as error:
            if not is_ours():
                raise
            seen = _from_memory(argument)
            if seen is None:
                raise obstacle(argument) or LaunchError(SUBJECT, str(error)) from None
        return native(backend, seen, is_const, specialize_value, align)

    return specialize


def _from_memory(value: Any) -> HostArray | None:
    """Return an argument of another type with memory, such as a buffer, as a `HostArray`; None if kernels
    cannot take its elements.
    """
    is_known = _conversion(type(value)) is not None or hasattr(value, "data_ptr")
    return None if is_known or obstacle(value) is not None else as_tensor(value)


UNSUPPORTED = "objects of type {} are not supported"


def _type_name(value: Any) -> str:
    return type(value).__name__


def obstacle(value: Any) -> LaunchError | None:
    """Return the error, for the caller to raise, for an argument that kernels cannot take, or for the first
    such item of a tuple; None if the argument can be passed. Integers must fit into 64 bits.
    """
    if isinstance(value, tuple):
        items = cast("tuple[Any, ...]", value)
        return next((found for item in items if (found := obstacle(item)) is not None), None)
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
        return LaunchOverflowError(SUBJECT, f"{value} does not fit in 64 bits", "pass it in parts")
    if isinstance(value, np.generic):
        return LaunchError(
            SUBJECT, UNSUPPORTED.format(_type_name(cast("Any", value))), "pass a Python number: x.item()"
        )
    if hasattr(value, "data_ptr") or isinstance(value, int | float | None):
        return None
    if not is_array_like(value):
        reason = UNSUPPORTED.format(_type_name(value))
        return LaunchError(SUBJECT, reason, "accepted: tensors, arrays, numbers, None and tuples of these")
    try:
        array_view(value)
    except UnusableMemoryError as error:
        return LaunchError(SUBJECT, error.reason, error.hint)
    return None


def described(tensor: Any) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """Return the address, the shape, and the strides in elements of a tensor or a `HostArray`.

    Raises `UnusableMemoryError` for memory that is not on the host, or that a kernel cannot use.
    """
    if isinstance(tensor, HostArray):
        view = array_view(tensor.array)
        return view.address, view.shape, view.strides
    if not lies_on_host(tensor):
        reason = f"the tensor is on device {tensor.device}"
        raise UnusableMemoryError(reason, "copy it to the host: x.cpu()")
    return data_pointer(tensor), tuple(tensor.shape), tuple(tensor.stride())


def lies_on_host(tensor: Any) -> bool:
    """Return whether the memory of a tensor is host memory; False for a tensor with elements but without an
    address. Memory of a simulated GPU is host memory, too.
    """
    if not getattr(tensor, "is_cpu", True):
        return active() is not None and tensor.is_cuda
    return bool(tensor.data_ptr()) or prod(tensor.shape) == 0


def as_tensor(value: Any) -> Any:
    """Return an array or a buffer as Triton reads a tensor, also within a tuple; return anything else
    unchanged. Raises `UnusableMemoryError` for an array that is not on the host.
    """
    convert = _conversion(type(value))
    if convert is not None:
        return convert(value)
    is_tensor = value is None or isinstance(value, int | float) or hasattr(value, "data_ptr")
    return HostArray(host_array(value)) if not is_tensor and is_array_like(value) else value


def _tuple_as_tensors(values: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(map(as_tensor, values))


_CONVERSIONS: Mapping[type, Callable[[Any], Any]] = {
    np.ndarray: HostArray,
    np.memmap: HostArray,
    tuple: _tuple_as_tensors,
}
_conversion: Any = _CONVERSIONS.get
"""Return the function that converts an argument of a type to a tensor; None for other types, which may have
memory as well.
"""
