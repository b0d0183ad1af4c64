"""The memory of NumPy arrays, torch tensors, DLPack producers and buffers as NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tilewright.host.addresses import BY_NUMPY_NAME, NAMES, ArrayElement, UnusableMemoryError
from tilewright.host.dlpack import from_capsule, memory_array
from tilewright.ir.support.record import Record

if TYPE_CHECKING:
    import numpy.typing as npt


def is_array_like(value: object) -> bool:
    """Return whether `host_array` accepts objects of this kind: NumPy arrays, objects with a protocol of
    arrays, and buffers, but no NumPy scalars. It may still refuse the memory.
    """
    import numpy as np

    if isinstance(value, np.ndarray):
        return True
    if isinstance(value, np.generic):  # shows its one element as a buffer, and is a number
        return False
    return any(hasattr(value, name) for name in _PROTOCOLS) or buffer_of(value) is not None


_PROTOCOLS = ("__dlpack__", "__array_interface__", "__cuda_array_interface__")


def host_array(value: object) -> npt.NDArray[Any]:
    """Return the memory of an object as an array, never a copy; read-only where it must not be written.

    Every way to launch uses this function to decide which objects are arrays: NumPy arrays with
    `numpy.memmap` and other subclasses, tensors of PyTorch on the CPU, objects with ``__array_interface__``
    or DLPack, and buffers. Raises `UnusableMemoryError` for objects without memory on the host, and for
    masked arrays.
    """
    import numpy as np

    if isinstance(value, np.ma.MaskedArray):
        raise UnusableMemoryError("masked arrays are not supported", "pass x.filled(...) or x.data")
    if isinstance(value, np.ndarray):
        return cast("npt.NDArray[Any]", value)
    if _is_torch_tensor(value):
        return _from_torch(value)
    if hasattr(value, "__array_interface__"):
        return _from_interface(value)
    if hasattr(value, "__dlpack__"):
        return _from_dlpack(value, is_writeable=_says_writeable(value))
    buffer = buffer_of(value)
    if buffer is not None:
        return _from_buffer(buffer)
    where = (
        "is in GPU memory" if hasattr(value, "__cuda_array_interface__") else "has no host memory to share"
    )
    raise UnusableMemoryError(f"an object of type {type(value).__name__} {where}", PASS_AN_ARRAY)


PASS_AN_ARRAY = "pass a NumPy array, or anything with __dlpack__ or the buffer protocol on the host"


def _from_interface(value: Any) -> npt.NDArray[Any]:
    import numpy as np

    try:
        return np.asarray(value)
    except (TypeError, ValueError) as error:
        raise UnusableMemoryError(f"its __array_interface__ describes no memory: {error}") from error


def _from_dlpack(value: Any, *, is_writeable: bool) -> npt.NDArray[Any]:
    try:
        return from_capsule(value, is_writeable=is_writeable)
    except (BufferError, RuntimeError) as error:
        reason = f"the {type(value).__name__} does not export its memory: {error}"
        raise UnusableMemoryError(reason, "pass a dense copy on the host") from error


def _from_buffer(buffer: memoryview) -> npt.NDArray[Any]:
    """Return a buffer as an array; of elements that NumPy does not know, its bytes."""
    import numpy as np

    try:
        return np.asarray(buffer)
    except (TypeError, ValueError):
        return np.frombuffer(buffer.cast("B"), np.uint8)


def _says_writeable(value: Any) -> bool:
    """Return whether an object states outside of DLPack that its memory may be written: by NumPy's flag, or
    as a buffer.
    """
    if getattr(getattr(value, "flags", None), "writeable", False) is True:
        return True
    buffer = buffer_of(value)
    return buffer is not None and not buffer.readonly


def buffer_of(value: object) -> memoryview | None:
    """Return the memory of an object by the buffer protocol. Return None for an object without the protocol,
    and if its elements have no format.
    """
    try:
        return memoryview(cast("Any", value))
    except (TypeError, ValueError, BufferError):  # no buffer, or one whose elements have no format
        return None


def _is_torch_tensor(value: object) -> bool:
    return any(t.__module__ == "torch" and t.__name__ == "Tensor" for t in type(value).__mro__)


def _from_torch(tensor: Any) -> npt.NDArray[Any]:
    """Return the memory of a CPU tensor as an array; through its address where its DLPack exporter refuses
    the element type. Raises `UnusableMemoryError` for a tensor on another device or with a pending negation
    or conjugation.
    """
    if tensor.device.type != "cpu":
        raise UnusableMemoryError(f"the tensor is on device {tensor.device}", "copy it to the host: x.cpu()")
    if tensor.is_neg() or tensor.is_conj():
        raise UnusableMemoryError(
            "the signs of the tensor's elements are not in its memory yet",
            "pass x.resolve_neg().resolve_conj()",
        )
    detached = tensor.detach()
    element = BY_NUMPY_NAME.get(str(detached.dtype).removeprefix("torch."))
    if element is None or str(detached.layout) != "torch.strided":
        return _from_dlpack(detached, is_writeable=True)
    try:
        return from_capsule(detached, is_writeable=True)
    except (BufferError, RuntimeError):
        place = detached.data_ptr(), tuple(detached.shape), tuple(detached.stride())
        return memory_array(detached, *place, element)


DENSE_COPY = "pass a dense copy, such as numpy.ascontiguousarray(x)"


class ArrayView(Record, frozen=True, eq=False):
    """Host memory ready to be passed: ``address`` in bytes, ``shape``, and ``strides`` in elements.

    ``array`` covers the memory and keeps its owner alive; it is read-only where the memory must not be
    written.
    """

    array: npt.NDArray[Any]
    element: ArrayElement
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def array_view(value: object) -> ArrayView:
    """Return a view of an array argument. Raises `UnusableMemoryError` if there is no host memory, an element
    type or byte order is not supported, elements are not aligned, or a stride is negative in an axis of more
    than one element.
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
