"""Fat binaries: the containers in which `nvcc` embeds code for GPUs in executables."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from tilewright.bytecode import (
    container as bytecode_container,
    cursor as bytecode_cursor,
    magic as bytecode_magic,
)
from tilewright.cuda_programs import codes
from tilewright.ir.diagnostic import failure
from tilewright.ir.support.record import Record

MAGIC = 0xBA55ED50
_ELF_MAGIC = b"\x7fELF"
_HEAD = struct.Struct("<IHHQ")
_ENTRY = struct.Struct("<HHIQ")
_ARCHITECTURE, _COMPRESSED_SIZE = 28, 16
"""Offsets in the header of an entry."""
PTX, ELF, TILE_IR = 1, 2, 128
"""The kinds of entries in a fat binary, as `nvcc` numbers them."""
_ALIGNMENT = 8
_KINDS = {ELF: "machine code for GPUs"}


class EmbeddedImage(Record, frozen=True):
    """An entry of a fat binary: its kind (`PTX`, `ELF` or `TILE_IR`), the number of the architecture (90 for
    sm_90; 0 for code that is in no fat binary), and the bytes of the code.
    """

    kind: int
    architecture: int
    data: bytes


def images(data: bytes) -> list[EmbeddedImage]:
    """Return the PTX and Tile IR in code that a program loads, the newest architecture first, at least one
    entry. The code is a fat binary, or PTX or Tile IR itself.
    Raises `DiagnosticError` if a fat binary has no entries or only other code, if PTX or Tile IR is
    compressed, and for machine code.
    """
    if data.startswith(bytecode_magic.MAGIC):
        return [EmbeddedImage(TILE_IR, 0, data)]
    if data.startswith(_ELF_MAGIC):
        hint = "load PTX, or compile with NVRTC while tilewright runs the program"
        raise failure(codes.NO_DEVICE_CODE, "the program loads machine code for GPUs", hint=hint)
    if not data.startswith(MAGIC.to_bytes(4, "little")):
        if b".version" not in data:
            raise failure(codes.NO_DEVICE_CODE, "the device code of the program has an unknown form")
        return [EmbeddedImage(PTX, 0, data)]
    found = list(_entries(data))
    usable = [one for one in found if one.kind in (PTX, TILE_IR)]
    if not usable:
        kinds = sorted({_KINDS.get(one.kind, f"code of kind {one.kind}") for one in found})
        message = f"the executable has {'only ' + ', '.join(kinds) if kinds else 'no code for GPUs'}"
        raise failure(codes.NO_DEVICE_CODE, message, hint="build the program with `tilewright nvcc`")
    return sorted(usable, key=lambda one: -one.architecture)


def _entries(data: bytes) -> Iterator[EmbeddedImage]:
    _, _, head_size, size = _HEAD.unpack_from(data)
    at, end = head_size, head_size + size
    while at < end:
        kind, _, entry_size, padded = _ENTRY.unpack_from(data, at)
        (compressed,) = struct.unpack_from("<I", data, at + _COMPRESSED_SIZE)
        (architecture,) = struct.unpack_from("<I", data, at + _ARCHITECTURE)
        if compressed and kind in (PTX, TILE_IR):
            hint = "build the program with `tilewright nvcc`, or with `nvcc -no-compress`"
            raise failure(codes.NO_DEVICE_CODE, "the device code of the executable is compressed", hint=hint)
        begin = at + entry_size
        content = data[begin : begin + padded]
        yield EmbeddedImage(kind, architecture, _unpadded(content) if kind == TILE_IR else content)
        at = begin + padded


def _unpadded(data: bytes) -> bytes:
    """Return Tile IR bytecode without the zeros that pad its entry to a multiple of `_ALIGNMENT` bytes;
    unchanged if it is not valid without some of them.
    """
    for count in range(_ALIGNMENT):
        size = len(data) - count
        if any(data[size:]):
            break
        try:
            bytecode_container.open_container(data[:size], preview=True)
        except bytecode_cursor.ReadError:
            continue
        return data[:size]
    return data
