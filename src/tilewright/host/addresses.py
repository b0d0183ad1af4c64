"""Where NumPy arrays and tensors of PyTorch lie: asked for each array of each launch."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

_from_buffer: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer
_address_of = ctypes.addressof


def array_address(array: Any) -> tuple[int, bool]:
    """Return the address of the first element in bytes, and whether the array is read-only."""
    try:
        return _address_of(_from_buffer(array)), False
    except (TypeError, ValueError, BufferError):  # read-only, strided, empty, or of a type without buffers
        return array.__array_interface__["data"]


def plain_address(array: Any) -> int | None:
    """Return the address in bytes of the first element of a writable array whose elements follow it.

    None for an array that is read-only or has negative strides.
    """
    try:
        return _address_of(_from_buffer(array))
    except (TypeError, ValueError, BufferError):  # as above
        known = array.__array_interface__
        address, is_read_only = known["data"]
        strides: tuple[int, ...] = known["strides"] or ()
        return None if is_read_only or any(step < 0 for step in strides) else address


def is_tensor_type(kind: type) -> bool:
    """Return whether a class is PyTorch's own tensor class; classes of other libraries may derive from it."""
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
