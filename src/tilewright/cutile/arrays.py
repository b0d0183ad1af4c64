"""Array arguments: whatever Python object owns host memory, seen as one kind of view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.cutile.errors import LaunchError
from tilewright.interp.host.arrays import buffer_of, host_array
from tilewright.interp.host.elements import BY_NUMPY_NAME, NAMES, Element
from tilewright.interp.host.errors import UnusableMemoryError
from tilewright.ir.support.record import Record

if TYPE_CHECKING:
    import numpy.typing as npt


class ArrayView(Record, frozen=True, eq=False):
    """Host memory ready to be passed: ``address`` in bytes, ``strides`` in elements.

    ``array`` covers the memory and keeps its owner alive; it is read-only where the memory must not be written.
    """

    array: npt.NDArray[Any]
    element: Element
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def is_array_like(value: object) -> bool:
    """Whether ``array_view`` would look into ``value`` for memory."""
    import numpy as np

    if isinstance(value, np.ndarray) or hasattr(value, "__dlpack__"):
        return True
    return hasattr(value, "__cuda_array_interface__") or buffer_of(value) is not None


def array_view(value: object, subject: str) -> ArrayView:
    """View an array argument; LaunchError naming ``subject`` when its memory cannot be used as it is."""
    try:
        array = host_array(value)
    except UnusableMemoryError as error:
        raise LaunchError(subject, error.reason, error.hint) from None
    element = BY_NUMPY_NAME.get(array.dtype.name)
    if element is None or not array.dtype.isnative:
        raise LaunchError(subject, f"element type {array.dtype!r} is not supported", f"accepted: {NAMES}")
    return _checked_view(array, element, subject)


def _checked_view(array: npt.NDArray[Any], element: Element, subject: str) -> ArrayView:
    address = array.__array_interface__["data"][0]
    size = array.dtype.itemsize
    if any(stride % size for stride in array.strides) or (array.size and address % size):
        raise LaunchError(
            subject,
            f"its elements are not aligned to their size of {size} bytes",
            "pass a dense copy, such as numpy.ascontiguousarray(x)",
        )
    strides = tuple(
        _stride(length, stride // size, subject)
        for length, stride in zip(array.shape, array.strides, strict=True)
    )
    return ArrayView(array, element, address, array.shape, strides)


def _stride(length: int, stride: int, subject: str) -> int:
    if stride >= 0:
        return stride
    if length <= 1:  # never multiplied by anything but zero
        return -stride
    raise LaunchError(
        subject,
        f"an axis of length {length} has the negative stride {stride}, which cuTile does not support",
        "pass a dense copy, such as numpy.ascontiguousarray(x)",
    )
