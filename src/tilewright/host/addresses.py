"""The addresses of NumPy arrays and PyTorch tensors; every launch needs them for each array."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from tilewright.ir.support.record import Record

_from_buffer: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer
_address_of = ctypes.addressof


def array_address(array: Any) -> tuple[int, bool]:
    """Return the address of the first element in bytes, and whether the array is read-only."""
    try:
        return _address_of(_from_buffer(array)), False
    except (TypeError, ValueError, BufferError):  # read-only, strided, empty, or of a type without buffers
        return array.__array_interface__["data"]


def plain_address(array: Any) -> int | None:
    """Return the address in bytes of the first element of a writable array, which has no elements at lower
    addresses. Return None for an array that is read-only or has negative strides.
    """
    try:
        return _address_of(_from_buffer(array))
    except (TypeError, ValueError, BufferError):  # as above
        known = array.__array_interface__
        address, is_read_only = known["data"]
        strides: tuple[int, ...] = known["strides"] or ()
        return None if is_read_only or any(step < 0 for step in strides) else address


def is_tensor_type(kind: type) -> bool:
    """Return whether a class is `torch.Tensor` or `torch.nn.Parameter` itself; classes of other libraries may
    derive from these.
    """
    return (kind.__module__, kind.__name__) in _TENSORS


_TENSORS = frozenset({("torch", "Tensor"), ("torch.nn.parameter", "Parameter")})


def tensor_memory(tensor: Any) -> tuple[int, tuple[int, ...], tuple[int, ...]] | None:
    """Return the location of a tensor in memory: the address of its first element in bytes, its shape, and
    its strides in elements.

    None unless the elements are plain host memory: not for other devices, sparse tensors, tensors with a
    pending negation, and while PyTorch transforms a function.
    """
    if not tensor.is_cpu or tensor.is_neg():
        return None
    try:
        return tensor.data_ptr(), tensor.shape, tensor.stride()
    except RuntimeError:  # sparse, nested, or a stand-in for a tensor
        return None


HOST_POINTER = "host_data_ptr"
"""The method of tensors of a simulated GPU that returns their address on the host: ``data_ptr`` may return an address
of the device that runs the kernels in CUDA C++ of a program.
"""


def data_pointer(tensor: Any) -> int:
    """Return the address on the host of the first element of a tensor, or of an object that has ``data_ptr``."""
    return getattr(tensor, HOST_POINTER, tensor.data_ptr)()


class ArrayElement(Record, frozen=True):
    """One element type of an array argument. ``numpy`` is the name of the dtype, ``tile_ir`` the scalar type,
    ``bits`` the size in memory, ``dlpack`` the (type code, bits) pair of DLPack 1.1.
    """

    numpy: str
    tile_ir: str
    bits: int
    dlpack: tuple[int, int]


_INT, _UINT, _FLOAT, _BFLOAT, _BOOL, _E4M3FN, _E5M2, _E8M0FNU = 0, 1, 2, 4, 6, 10, 12, 14

ELEMENTS: tuple[ArrayElement, ...] = (
    ArrayElement("bool", "i1", 8, (_BOOL, 8)),
    ArrayElement("int8", "i8", 8, (_INT, 8)),
    ArrayElement("int16", "i16", 16, (_INT, 16)),
    ArrayElement("int32", "i32", 32, (_INT, 32)),
    ArrayElement("int64", "i64", 64, (_INT, 64)),
    ArrayElement("uint8", "i8", 8, (_UINT, 8)),
    ArrayElement("uint16", "i16", 16, (_UINT, 16)),
    ArrayElement("uint32", "i32", 32, (_UINT, 32)),
    ArrayElement("uint64", "i64", 64, (_UINT, 64)),
    ArrayElement("float16", "f16", 16, (_FLOAT, 16)),
    ArrayElement("float32", "f32", 32, (_FLOAT, 32)),
    ArrayElement("float64", "f64", 64, (_FLOAT, 64)),
    ArrayElement("bfloat16", "bf16", 16, (_BFLOAT, 16)),
    ArrayElement("float8_e4m3fn", "f8E4M3FN", 8, (_E4M3FN, 8)),
    ArrayElement("float8_e5m2", "f8E5M2", 8, (_E5M2, 8)),
    ArrayElement("float8_e8m0fnu", "f8E8M0FNU", 8, (_E8M0FNU, 8)),
)
"""The element types that launchers take. ``bits`` counts memory, so a bool has 8."""

BY_NUMPY_NAME = {element.numpy: element for element in ELEMENTS}
BY_DLPACK_TYPE = {element.dlpack: element for element in ELEMENTS}

NAMES = ", ".join(element.numpy for element in ELEMENTS)
"""For messages: the accepted element types."""


class UnusableMemoryError(Exception):
    """Memory that is missing, on another device, or of unsupported elements; ``reason`` says so, and ``hint``
    is the way out.
    """

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint
