"""The first bytes of ELF files, for callers that only test whether a file is one."""

from __future__ import annotations

MAGIC = b"\x7fELF"
MACHINE_CUDA = 190
"""The machine of files for NVIDIA's GPUs."""
_MACHINE_AT = 18


def is_cubin_image(data: bytes) -> bool:
    """Return whether bytes begin as a cubin does: a little-endian ELF file for NVIDIA's GPUs."""
    return data[:4] == MAGIC and data[_MACHINE_AT : _MACHINE_AT + 2] == MACHINE_CUDA.to_bytes(2, "little")
