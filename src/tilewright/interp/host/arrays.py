"""The memory of NumPy arrays, torch tensors, DLPack producers and buffers as NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tilewright.interp.host.dlpack import from_capsule, memory_array
from tilewright.interp.host.elements import BY_NUMPY_NAME
from tilewright.interp.host.errors import UnusableMemoryError

if TYPE_CHECKING:
    import numpy.typing as npt


def host_array(value: object) -> npt.NDArray[Any]:
    """The memory of an object, never a copy; read-only where it must not be written.

    Raises `UnusableMemoryError` for what has none on the host.
    """
    import numpy as np

    if isinstance(value, np.ma.MaskedArray):
        raise UnusableMemoryError("masked arrays are not supported", "pass x.filled(...) or x.data")
    if isinstance(value, np.ndarray):
        return cast("npt.NDArray[Any]", value)
    if _is_torch_tensor(value):
        return _from_torch(value)
    if hasattr(value, "__dlpack__"):
        return from_capsule(value, is_writeable=_says_writeable(value))
    buffer = buffer_of(value)
    if buffer is not None:
        return np.asarray(buffer)
    where = (
        "is in GPU memory" if hasattr(value, "__cuda_array_interface__") else "has no host memory to share"
    )
    raise UnusableMemoryError(
        f"an object of type {type(value).__name__} {where}",
        "pass a NumPy array, or anything with __dlpack__ or the buffer protocol on the host",
    )


def _says_writeable(value: Any) -> bool:
    """Whether an object says outside of DLPack that its memory may be written: by NumPy's flag, or as a buffer."""
    if getattr(getattr(value, "flags", None), "writeable", False) is True:
        return True
    buffer = buffer_of(value)
    return buffer is not None and not buffer.readonly


def buffer_of(value: object) -> memoryview | None:
    """What an object shows by the buffer protocol, or None."""
    try:
        return memoryview(cast("Any", value))
    except (TypeError, ValueError, BufferError):  # no buffer, or one whose elements have no format
        return None


def _is_torch_tensor(value: object) -> bool:
    return any(t.__module__ == "torch" and t.__name__ == "Tensor" for t in type(value).__mro__)


def _from_torch(tensor: Any) -> npt.NDArray[Any]:
    """A CPU tensor's memory; through its address where its DLPack exporter refuses the element type."""
    if tensor.device.type != "cpu":
        raise UnusableMemoryError(f"the tensor is on device {tensor.device}", "copy it to the host: x.cpu()")
    detached = tensor.detach()
    element = BY_NUMPY_NAME.get(str(detached.dtype).removeprefix("torch."))
    try:
        return from_capsule(detached, is_writeable=True)
    except (BufferError, RuntimeError):
        if element is None:
            raise
    return memory_array(
        detached, detached.data_ptr(), tuple(detached.shape), tuple(detached.stride()), element
    )
