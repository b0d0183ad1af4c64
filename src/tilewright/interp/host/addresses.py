"""Where NumPy arrays lie: asked for each array of each launch."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

_from_buffer: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer
_address_of = ctypes.addressof


def array_address(array: Any) -> tuple[int, bool]:
    """The address of the first element in bytes, and whether the array is read-only."""
    try:
        return _address_of(_from_buffer(array)), False
    except (TypeError, ValueError, BufferError):  # read-only, strided, empty, or of a type without buffers
        return array.__array_interface__["data"]
