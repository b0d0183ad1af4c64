"""NumPy arrays as arguments of Triton's kernels, which know tensors by ``data_ptr`` and ``dtype`` only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any, cast

import numpy as np

from tilewright.driver.launch_arguments import LaunchError, LaunchOverflowError
from tilewright.gpu_programs import active
from tilewright.host.addresses import array_address
from tilewright.host.arrays import host_array, is_array_like
from tilewright.host.errors import UnusableMemoryError
from tilewright.host.views import array_view

SUBJECT = "kernel argument"
"""What refusals call an argument, which they name."""


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


def accepting(native: Any, is_ours: Callable[[], bool]) -> Any:
    """Triton's function for the type of an argument, which takes arrays, too.

    Where ``is_ours`` says that kernels run here, an argument that is refused is refused with a `LaunchError`.
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
    """An argument of another type that has memory, as Triton sees a tensor, if kernels take its elements."""
    is_known = _conversion(type(value)) is not None or hasattr(value, "data_ptr")
    return None if is_known or obstacle(value) is not None else as_tensor(value)


UNSUPPORTED = "objects of type {} are not supported"


def _type_name(value: Any) -> str:
    return type(value).__name__


def obstacle(value: Any) -> LaunchError | None:
    """What is wrong with an argument or an item of it, if anything is."""
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
    """The address, shape and strides, in elements, of a tensor or `HostArray`.

    Raises `UnusableMemoryError` for memory that is not on the host, or that a kernel cannot be given.
    """
    if isinstance(tensor, HostArray):
        view = array_view(tensor.array)
        return view.address, view.shape, view.strides
    if not lies_on_host(tensor):
        reason = f"the tensor is on device {tensor.device}"
        raise UnusableMemoryError(reason, "copy it to the host: x.cpu()")
    return tensor.data_ptr(), tuple(tensor.shape), tuple(tensor.stride())


def lies_on_host(tensor: Any) -> bool:
    """Whether the memory of a tensor is that of the host, as memory of the GPU is that a program is told about."""
    if not getattr(tensor, "is_cpu", True):
        return active() is not None and tensor.is_cuda
    return bool(tensor.data_ptr()) or prod(tensor.shape) == 0


def as_tensor(value: Any) -> Any:
    """An array or a buffer as Triton sees a tensor, also within a tuple; anything else as it is.

    Raises `UnusableMemoryError` for an array that is not on the host.
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
"""What makes a tensor of an argument, by its type; None for other types, which may have memory as well."""
