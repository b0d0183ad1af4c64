"""Host memory behind DLPack capsules, read with ctypes: NumPy imports neither bfloat16 nor fp8."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from tilewright.host.addresses import BY_DLPACK_TYPE, NAMES, ArrayElement, UnusableMemoryError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

HOST_DEVICES = frozenset({1, 3, 11, 13})
"""kDLCPU, kDLCUDAHost, kDLROCMHost, kDLCUDAManaged: memory the processor can address."""

_READ_ONLY_FLAG = 1


class _Device(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int32), ("id", ctypes.c_int32))


class _DataType(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    )


class MemoryView:
    """External memory in the form of NumPy's array interface; ``owner`` keeps it alive."""

    def __init__(self, owner: object, interface: dict[str, Any]) -> None:
        self.owner = owner
        self.__array_interface__ = interface


def memory_array(
    owner: object,
    address: int,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    element: ArrayElement,
    *,
    read_only: bool = False,
) -> npt.NDArray[Any]:
    """Return a NumPy array over the memory of ``owner`` at `address`, with elements of the type `element`;
    ``strides`` are in elements. The array keeps ``owner`` alive, and is not writeable if `read_only` is set.
    """
    import numpy as np

    size = element.bits // 8
    interface = {
        "version": 3,
        "typestr": f"|u{size}" if size == 1 else f"<u{size}",
        "shape": shape,
        "strides": tuple(stride * size for stride in strides),
        "data": (address, read_only),
    }
    return np.asarray(MemoryView(owner, interface)).view(numpy_dtype(element))


def numpy_dtype(element: ArrayElement) -> np.dtype[Any]:
    """Return the NumPy dtype of an element type (from ml_dtypes where NumPy has none)."""
    import numpy as np

    try:
        return np.dtype(element.numpy)
    except TypeError:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, element.numpy))


def from_capsule(producer: Any, *, is_writeable: bool = False) -> npt.NDArray[Any]:
    """Return the memory of an object with ``__dlpack__`` as a NumPy array, without a copy.

    The array is read-only if the capsule says so. A capsule from before DLPack 1.0 has no such flag: its
    array is read-only unless the caller passes ``is_writeable``. Raises `UnusableMemoryError` for memory on
    another device, an element type or DLPack version that is not supported, and a used capsule; exceptions of
    the object's ``__dlpack__``, such as `BufferError`, are passed on.
    """
    capsule = _export(producer)
    tensor, read_only = _open(capsule, is_writeable)
    if tensor.device.type not in HOST_DEVICES:
        raise UnusableMemoryError(
            f"the {type(producer).__name__} is on DLPack device type {tensor.device.type}, not the host",
            "copy it to the host first (torch: x.cpu(), CuPy: x.get())",
        )
    return _view(capsule, tensor, read_only)


def _export(producer: Any) -> object:
    try:
        return producer.__dlpack__(max_version=(1, 0))
    except TypeError:  # a producer from before DLPack 1.0
        return producer.__dlpack__()


def _open(capsule: object, is_writeable: bool) -> tuple[_Tensor, bool]:
    """Return the tensor struct of a capsule, which stays its owner, and whether the tensor is read-only. A
    capsule of a version before 1.0 does not say that: it is read-only unless `is_writeable`. Raises
    `UnusableMemoryError` for a version other than 1.x, and for an object that is no unused capsule.
    """
    versioned = _capsule_pointer(capsule, b"dltensor_versioned")
    if versioned is not None:
        header = _Versioned.from_address(versioned)
        if header.major != 1:
            raise UnusableMemoryError(f"its DLPack version is {header.major}.{header.minor}, not 1.x")
        return header.tensor, bool(header.flags & _READ_ONLY_FLAG)
    plain = _capsule_pointer(capsule, b"dltensor")
    if plain is None:
        raise UnusableMemoryError("its __dlpack__ method did not return a fresh DLPack capsule")
    return _Tensor.from_address(plain), not is_writeable


def _capsule_pointer(capsule: object, name: bytes) -> int | None:
    api = ctypes.pythonapi
    is_valid = api.PyCapsule_IsValid
    is_valid.argtypes, is_valid.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_int
    get_pointer = api.PyCapsule_GetPointer
    get_pointer.argtypes, get_pointer.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    return get_pointer(capsule, name) if is_valid(capsule, name) else None


def _view(capsule: object, tensor: _Tensor, read_only: bool) -> npt.NDArray[Any]:
    kind = tensor.dtype
    element = BY_DLPACK_TYPE.get((kind.code, kind.bits)) if kind.lanes == 1 else None
    if element is None:
        found = f"code {kind.code}, {kind.bits} bits, {kind.lanes} lanes"
        raise UnusableMemoryError(f"its DLPack element type ({found}) is not supported", f"accepted: {NAMES}")
    shape = tuple(tensor.shape[axis] for axis in range(tensor.ndim))
    strides = (
        tuple(tensor.strides[axis] for axis in range(tensor.ndim)) if tensor.strides else row_major(shape)
    )
    address = (tensor.data or 0) + tensor.byte_offset
    return memory_array(capsule, address, shape, strides, element, read_only=read_only)


def row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides, in elements, of a dense C-ordered array."""
    strides: list[int] = []
    step = 1
    for length in reversed(shape):
        strides.append(step)
        step *= length
    return tuple(reversed(strides))
