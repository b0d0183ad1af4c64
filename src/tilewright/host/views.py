"""Array arguments of kernels that are written in terms of arrays: memory with an element type and strides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.host.arrays import host_array
from tilewright.host.elements import BY_NUMPY_NAME, NAMES, ArrayElement
from tilewright.host.errors import UnusableMemoryError
from tilewright.ir.support.record import Record

if TYPE_CHECKING:
    import numpy.typing as npt

DENSE_COPY = "pass a dense copy, such as numpy.ascontiguousarray(x)"


class ArrayView(Record, frozen=True, eq=False):
    """Host memory ready to be passed: ``address`` in bytes, ``strides`` in elements.

    ``array`` covers the memory and keeps its owner alive; it is read-only where the memory must not be written.
    """

    array: npt.NDArray[Any]
    element: ArrayElement
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def array_view(value: object) -> ArrayView:
    """Return a view of an array argument.

    Raises `UnusableMemoryError` if its memory cannot be used as it is.
    """
    array = host_array(value)
    element = BY_NUMPY_NAME.get(array.dtype.name)
    if element is None:
        raise UnusableMemoryError(f"element type {array.dtype!r} is not supported", f"accepted: {NAMES}")
    if not array.dtype.isnative:
        raise UnusableMemoryError(
            f"element type {array.dtype!r} is not supported: its bytes are in the order of another machine",
            "pass x.astype(x.dtype.newbyteorder('='))",
        )
    address, size = array.__array_interface__["data"][0], array.dtype.itemsize
    if any(stride % size for stride in array.strides) or (array.size and address % size):
        raise UnusableMemoryError(f"its elements are not aligned to their size of {size} bytes", DENSE_COPY)
    pairs = zip(array.shape, array.strides, strict=True)
    strides = tuple(_stride(length, stride // size) for length, stride in pairs)
    return ArrayView(array, element, address, array.shape, strides)


def _stride(length: int, stride: int) -> int:
    if stride >= 0:
        return stride
    if length <= 1:  # never multiplied by anything but zero
        return -stride
    raise UnusableMemoryError(
        f"an axis of length {length} has the negative stride {stride}, which kernels do not support",
        DENSE_COPY,
    )
