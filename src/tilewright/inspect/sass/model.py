"""Machine code as values: instructions with their scheduling bits.

From Volta on an instruction has 128 bits, and bits 105 to 121 hold what hardware does not check: how many cycles to
wait before the next instruction, which of six barriers the instruction releases, and the barriers it waits for. The
places of these bits are public from work on microbenchmarks (Jia et al., arXiv:1804.06826).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

BARRIERS = 6
_NO_BARRIER = 7


@dataclass(frozen=True, slots=True)
class Control:
    """The scheduling bits of an instruction.

    ``stall``: cycles until the next instruction of the warp may issue. ``write_barrier`` is the number (0 to
    5) of the barrier that is released when the results are there, ``read_barrier`` when the operands have
    been read; None if the instruction releases none. ``waits`` are the barriers that must be free before the
    instruction issues.
    """

    stall: int
    write_barrier: int | None
    read_barrier: int | None
    waits: tuple[int, ...]

    @classmethod
    def of(cls, high_word: int) -> Control:
        """Return the control bits of an instruction, from bits 64 to 127 of its encoding."""
        bits = high_word >> 41
        write, read, waits = bits >> 5 & 7, bits >> 8 & 7, bits >> 11 & 0x3F
        return cls(
            bits & 0xF,
            None if write == _NO_BARRIER else write,
            None if read == _NO_BARRIER else read,
            tuple(barrier for barrier in range(BARRIERS) if waits >> barrier & 1),
        )


@dataclass(frozen=True, slots=True)
class SassInstruction:
    """One instruction of a listing: its address, its ``opcode`` without ``modifiers`` (``LDG`` with ``E`` and
    ``128``), and its operands as text. ``guard`` is the predicate before it (``P0``, ``!UP1``); empty without
    a predicate, and for one that is always true. ``control`` is None if the listing has no encodings.
    """

    address: int
    opcode: str
    modifiers: tuple[str, ...] = ()
    operands: tuple[str, ...] = ()
    guard: str = ""
    control: Control | None = None

    @property
    def spelling(self) -> str:
        """Return the opcode with its modifiers, as the listing spells it."""
        return ".".join((self.opcode, *self.modifiers))


@dataclass(frozen=True, slots=True)
class SassCode:
    """The instructions of one section of code, in order of address, and the addresses of its labels by name.
    ``name`` is the name of the section without ``.text.``: the name of a kernel or function.
    """

    name: str
    instructions: tuple[SassInstruction, ...]
    labels: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Listing:
    """The output of a disassembler: ``codes`` has its sections of code. ``unread`` are the numbers, from 1,
    of lines that look like instructions but could not be read.
    """

    codes: tuple[SassCode, ...]
    unread: tuple[int, ...] = ()
