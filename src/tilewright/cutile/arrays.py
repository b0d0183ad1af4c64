"""Array arguments: whatever Python object owns host memory, seen as one kind of view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from tilewright.cutile.dlpack import from_capsule, memory_array
from tilewright.cutile.elements import BY_NUMPY_NAME, NAMES, Element
from tilewright.cutile.errors import LaunchError

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class ArrayView:
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
    return hasattr(value, "__cuda_array_interface__") or _buffer(value) is not None


def array_view(value: object, subject: str) -> ArrayView:
    """View an array argument; LaunchError naming ``subject`` when its memory cannot be used as it is."""
    array = _as_ndarray(value, subject)
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


def _as_ndarray(value: object, subject: str) -> npt.NDArray[Any]:
    import numpy as np

    if isinstance(value, np.ma.MaskedArray):
        raise LaunchError(subject, "masked arrays are not supported", "pass x.filled(...) or x.data")
    if isinstance(value, np.ndarray):
        return cast("npt.NDArray[Any]", value)
    if _is_torch_tensor(value):
        return _from_torch(value, subject)
    if hasattr(value, "__dlpack__"):
        return from_capsule(value, subject, is_writeable=_says_writeable(value))
    buffer = _buffer(value)
    if buffer is not None:
        return np.asarray(buffer)
    where = (
        "is in GPU memory" if hasattr(value, "__cuda_array_interface__") else "has no host memory to share"
    )
    raise LaunchError(
        subject,
        f"an object of type {type(value).__name__} {where}",
        "pass a NumPy array, or anything with __dlpack__ or the buffer protocol on the host",
    )


def _says_writeable(value: Any) -> bool:
    """Whether an object says outside of DLPack that its memory may be written: by NumPy's flag, or as a buffer."""
    if getattr(getattr(value, "flags", None), "writeable", False) is True:
        return True
    buffer = _buffer(value)
    return buffer is not None and not buffer.readonly


def _buffer(value: object) -> memoryview | None:
    try:
        return memoryview(cast("Any", value))
    except (TypeError, ValueError, BufferError):  # no buffer, or one whose elements have no format
        return None


def _is_torch_tensor(value: object) -> bool:
    return any(t.__module__ == "torch" and t.__name__ == "Tensor" for t in type(value).__mro__)


def _from_torch(tensor: Any, subject: str) -> npt.NDArray[Any]:
    """A CPU tensor's memory; through its address where its DLPack exporter refuses the element type."""
    if tensor.device.type != "cpu":
        raise LaunchError(subject, f"the tensor is on device {tensor.device}", "copy it to the host: x.cpu()")
    detached = tensor.detach()
    element = BY_NUMPY_NAME.get(str(detached.dtype).removeprefix("torch."))
    try:
        return from_capsule(detached, subject, is_writeable=True)
    except (BufferError, RuntimeError):
        if element is None:
            raise
    return memory_array(
        detached, detached.data_ptr(), tuple(detached.shape), tuple(detached.stride()), element
    )
