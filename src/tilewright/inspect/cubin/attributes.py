"""The records of `.nv.info` sections: the driver's facts about a kernel before its launch.

A record is a format byte, an attribute byte and a value: none, one byte, two bytes, or a length of two bytes and as
many bytes. The numbers are defined as public tools print them; unknown records are kept as they are.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

NO_VALUE, BYTE, HALF, SIZED = 1, 2, 3, 4

MAX_THREADS = 0x05
PARAMETER_BANK = 0x0A
REQUIRED_THREADS = 0x10
FRAME_SIZE = 0x11
MINIMUM_STACK = 0x12
PARAMETER = 0x17
PARAMETER_BYTES = 0x19
MAXIMUM_REGISTERS = 0x1B
EXITS = 0x1C
CALL_STACK = 0x1E
MAXIMUM_STACK = 0x23
REGISTERS = 0x2F
API_VERSION = 0x37
BARRIER_OBJECTS = 0x38
CLUSTER = 0x3D
EXPLICIT_CLUSTER = 0x3E
MAXIMUM_CLUSTER = 0x3F
BARRIERS = 0x4C
KIND_OF_KERNEL = 0x66

NAMES: dict[int, str] = {
    MAX_THREADS: "maximum threads",
    PARAMETER_BANK: "parameter bank",
    REQUIRED_THREADS: "required threads",
    FRAME_SIZE: "frame size",
    MINIMUM_STACK: "minimum stack size",
    PARAMETER: "parameter",
    PARAMETER_BYTES: "parameter bytes",
    MAXIMUM_REGISTERS: "register limit",
    EXITS: "exits",
    CALL_STACK: "call stack size",
    MAXIMUM_STACK: "maximum stack size",
    REGISTERS: "registers",
    0x31: "warp-wide instructions",
    0x35: "workaround 0x35",
    0x36: "workarounds",
    API_VERSION: "CUDA version",
    BARRIER_OBJECTS: "mbarrier objects",
    0x39: "mbarrier instructions",
    CLUSTER: "blocks per cluster",
    EXPLICIT_CLUSTER: "explicit cluster",
    MAXIMUM_CLUSTER: "maximum cluster rank",
    0x41: "reserved shared memory used",
    BARRIERS: "barriers",
    KIND_OF_KERNEL: "kind of kernel",
}
"""Attribute numbers to words."""

TILE_KERNEL_BIT = 4
"""Bit of `KIND_OF_KERNEL` that is set in cubins made from Tile IR and clear in those made from PTX (observed)."""


@dataclass(frozen=True, slots=True)
class CubinAttribute:
    """One record of a `.nv.info` section: ``number`` says which attribute it is (`NAMES` has the known ones),
    ``form`` is its format byte, ``value`` the raw value without its length, and ``offset`` the position of
    the record in its section.
    """

    number: int
    form: int
    value: bytes
    offset: int

    @property
    def name(self) -> str:
        """Return the name of the attribute; for an unknown one a text with its number, such as `attribute
        0x70`.
        """
        return NAMES.get(self.number, f"attribute {self.number:#x}")

    def numbers(self) -> tuple[int, ...]:
        """Return the value as unsigned little-endian 32-bit numbers; trailing bytes are dropped."""
        count = len(self.value) // 4
        return struct.unpack(f"<{count}I", self.value[: 4 * count])

    def number_value(self) -> int:
        """Return the value as one unsigned little-endian number of any size; 0 if the value is empty."""
        return int.from_bytes(self.value, "little")


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a section, ``attributes``, up to the first one that could not be read; ``problem`` says
    why it could not (empty if all were read).
    """

    attributes: tuple[CubinAttribute, ...]
    problem: str = ""


def records(data: bytes) -> Records:
    """Return the records of the bytes `data` of a section, up to one that is cut short or has an unknown
    format byte. The result's `problem` describes it; nothing is raised.
    """
    found: list[CubinAttribute] = []
    at = 0
    while at < len(data):
        if at + 4 > len(data):
            return Records(tuple(found), f"a record at offset {at} is cut short")
        form, number = data[at], data[at + 1]
        size = int.from_bytes(data[at + 2 : at + 4], "little") if form == SIZED else 0
        if form not in (NO_VALUE, BYTE, HALF, SIZED):
            return Records(tuple(found), f"the record at offset {at} has the unknown form {form}")
        if at + 4 + size > len(data):
            return Records(tuple(found), f"the record at offset {at} has {size} bytes, which are not there")
        inline = {NO_VALUE: b"", BYTE: data[at + 2 : at + 3], HALF: data[at + 2 : at + 4]}
        value = inline.get(form, data[at + 4 : at + 4 + size])
        found.append(CubinAttribute(number, form, value, at))
        at += 4 + size
    return Records(tuple(found))


@dataclass(frozen=True, slots=True)
class CubinParameter:
    """A parameter of a kernel: its index in the list of parameters (``ordinal``), its offset in the parameter
    block and its size, in bytes.
    """

    ordinal: int
    offset: int
    size: int


def parameter(attribute: CubinAttribute) -> CubinParameter | None:
    """Return the parameter that a record of kind `PARAMETER` describes; None if its value does not have 12
    bytes: an index, the ordinal, the offset, and a word with the size from bit 18 on.
    """
    if len(attribute.value) != 12:
        return None
    _, ordinal, offset, word = struct.unpack("<IHHI", attribute.value)
    return CubinParameter(ordinal, offset, word >> 18)
