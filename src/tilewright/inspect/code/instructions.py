"""Windows of x86-64 code as instructions, through capstone."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from tilewright.inspect.binary.image import ProgramImage

MAXIMUM_BODY = 8192
"""Bytes of one function that are looked at."""
_RELATIVE = re.compile(r"\[rip ([+-]) (0x[0-9a-f]+|\d+)\]")
_IMMEDIATE = re.compile(r"(?:^|, )(-?)(0x[0-9a-f]+|\d+)$")
_RETURNS = frozenset({"ret", "ud2", "hlt", "int3"})


@dataclass(frozen=True, slots=True)
class MachineInstruction:
    """One instruction of x86-64: its address, its size in bytes, its mnemonic, and its ``operands`` as
    capstone's text.
    """

    address: int
    size: int
    mnemonic: str
    operands: str

    @property
    def end(self) -> int:
        """The address after the instruction."""
        return self.address + self.size

    @property
    def memory(self) -> int | None:
        """The address of the memory operand, if it is relative to the instruction; None otherwise."""
        match = _RELATIVE.search(self.operands)
        if match is None:
            return None
        displacement = int(match[2], 0)
        return self.end + (displacement if match[1] == "+" else -displacement)

    @property
    def immediate(self) -> int | None:
        """The value of the last operand, if it is a number; None otherwise."""
        match = _IMMEDIATE.search(self.operands)
        return None if match is None else (-1 if match[1] else 1) * int(match[2], 0)

    @property
    def target(self) -> int | None:
        """The target of a direct call or jump; None for other instructions."""
        return self.immediate if self.mnemonic == "call" or self.mnemonic.startswith("j") else None

    @property
    def destination(self) -> str:
        """The text of the first operand, such as ``edi``; empty without operands."""
        return self.operands.partition(", ")[0]


@cache
def _decoder() -> Any:
    capstone = importlib.import_module("capstone")
    return capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)


def decode(code: bytes, address: int) -> Iterator[MachineInstruction]:
    """Yield the x86-64 instructions in `code`, whose first byte is at `address`, up to the first bytes that
    are no instruction.
    """
    for at, size, mnemonic, operands in _decoder().disasm_lite(code, address):
        yield MachineInstruction(at, size, mnemonic, operands)


def function_body(image: ProgramImage, address: int, limit: int = MAXIMUM_BODY) -> list[MachineInstruction]:
    """Return the instructions of the function at `address`, among the next `limit` bytes: up to a return (or
    a jump away) that no branch before it jumps over; all of them if there is no such end.
    """
    body: list[MachineInstruction] = []
    reach = address
    for instruction in decode(image.read(address, limit), address):
        body.append(instruction)
        target = instruction.target
        if target is not None and instruction.mnemonic != "call" and address <= target < address + limit:
            reach = max(reach, target)
        leaves = instruction.mnemonic in _RETURNS or (
            instruction.mnemonic == "jmp" and not (target is not None and address <= target <= reach)
        )
        if leaves and instruction.end > reach:
            break
    return body


def window(image: ProgramImage, address: int, before: int, after: int) -> list[MachineInstruction]:
    """Return the instructions from at most `before` bytes before to `after` bytes after an address where an
    instruction begins; an empty list if no sequence reaches it.

    Decoding of x86 code resynchronises after a few instructions. So the first sequence that begins in the
    bytes before, and has an instruction at the address, is right near the address.
    """
    region = image.region_at(address)
    start = max(address - before, region.address if region else address)
    code = image.read(start, address + after - start)
    for skip in range(min(16, address - start + 1)):
        run = list(decode(code[skip:], start + skip))
        if any(instruction.address == address for instruction in run):
            return run
    return []
