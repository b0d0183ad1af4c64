"""Compiled kernels as a value: object code, and the data for launching it; can be written to bytes and read back."""

from __future__ import annotations

import struct

from tilewright.ir.support.record import Record
from tilewright.runtime.description import KernelImage, describe, described

_LENGTH = struct.Struct("<Q")


class Image(Record, frozen=True):
    """An object file and its kernels."""

    object_code: bytes
    kernels: tuple[KernelImage, ...]

    def to_bytes(self) -> bytes:
        """Return the image as bytes; equal images give equal bytes."""
        head = describe(self.kernels).encode()
        return _LENGTH.pack(len(head)) + head + self.object_code

    @classmethod
    def from_bytes(cls, data: bytes) -> Image:
        """Return the image that `to_bytes` wrote. Raises `ValueError` for other bytes."""
        try:
            (length,) = _LENGTH.unpack_from(data)
            kernels = described(data[_LENGTH.size : _LENGTH.size + length])
        except struct.error as error:
            raise ValueError(f"not an image: {error}") from error
        return cls(data[_LENGTH.size + length :], kernels)
