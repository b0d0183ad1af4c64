"""Memory of the device that CuPy's arrays and other packages share: pointers, and the protocol DLPack."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.gpu_programs import cupy_kernels

CPU, GPU = 1, 2
"""The numbers of kinds of devices in DLPack."""
_NAME = b"dltensor"
_KINDS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}
"""The kinds of NumPy's types by the numbers of DLPack."""


class DlpackTensor(ctypes.Structure):
    """A tensor as DLPack describes it."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


@dataclass
class UnownedMemory:
    """``cupy.cuda.UnownedMemory``: `size` bytes of memory of the device at the address `ptr`, which ``owner``
    keeps alive. `device_id` has no effect.
    """

    ptr: int
    size: int
    owner: Any
    device_id: int = -1


class MemoryPointer:
    """``cupy.cuda.MemoryPointer``: the address `offset` bytes after the begin of `mem`, memory of the device."""

    def __init__(self, mem: UnownedMemory, offset: int) -> None:
        self.mem, self.device_id = mem, 0
        self.ptr = mem.ptr + offset


def tensor_in(capsule: Any) -> DlpackTensor:
    """Return the description of a tensor in a capsule of DLPack. The capsule must live as long as the result
    is used, because the result shares its memory.
    """
    get: Any = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return DlpackTensor.from_address(get(capsule, _NAME))


def array_at(device: cupy_kernels.KernelDevice, address: int, keeps: Any) -> Any:
    """Return the bytes of the device from an address on as an array, which keeps `keeps` alive. Raises
    ValueError if the address is not in memory of the device.
    """
    found = device.bytes_at(address)
    if found is None:
        raise ValueError(f"{address:#x} is not an address in memory of the device")
    holder = _MemoryHolder(found, keeps)
    return np.asarray(holder)


class _MemoryHolder:
    """Presents the memory of `array` to NumPy, and keeps the object `keeps` alive as long as views of the
    memory live.
    """

    def __init__(self, array: Any, keeps: Any) -> None:
        self.__array_interface__ = array.__array_interface__
        self._keeps = keeps


def from_device(device: cupy_kernels.KernelDevice, value: Any) -> Any:
    """Return an array that shares the memory of `value`, an object with the methods of DLPack whose memory is
    on the device. Raises ValueError if the address is not in memory of the device, and KeyError for elements
    that NumPy does not have, such as bfloat16.
    """
    capsule = value.__dlpack__(stream=1)
    tensor = tensor_in(capsule)
    dtype = np.dtype(f"{_KINDS[tensor.code]}{tensor.bits // 8}")
    shape = tuple(tensor.shape[at] for at in range(tensor.ndim))
    strides = (
        tuple(tensor.strides[at] * dtype.itemsize for at in range(tensor.ndim)) if tensor.strides else None
    )
    memory = array_at(device, int(tensor.data or 0) + tensor.byte_offset, (capsule, value))
    return np.ndarray(shape, dtype, memory, 0, strides)


def is_of_device(value: Any) -> bool:
    """Return whether an object says by its method ``__dlpack_device__`` that its memory is a GPU's; False for
    an object without the method.
    """
    ask = getattr(value, "__dlpack_device__", None)
    return ask is not None and int(ask()[0]) == GPU


def exported(array: Any, capsule: Any) -> Any:
    """Change a capsule of DLPack for `array`, an array in memory of the host, so that it has the address of
    the array on the device and says that its memory is a GPU's. Return the capsule.
    """
    tensor = tensor_in(capsule)
    tensor.data = cupy_kernels.pointer_to(array)
    tensor.device_type, tensor.device_id, tensor.byte_offset = GPU, 0, 0
    return capsule
