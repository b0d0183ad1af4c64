"""Code that computes where the trailing storage of an operation begins, whatever compiler wrote it.

All forms count the 8-byte cells in the top byte of the word at +0x2C, add 16 bytes when bit 23 of it is set, start at
+64, and go on by 32 bytes for each entry that the word at +0x28 counts.  They differ in how they get at the bits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tilewright.abi.layout import Profile
from tilewright.abi.layouts import operation
from tilewright.inspect.arrays import Positions, find_bytes, no_positions
from tilewright.inspect.binary.image import MemoryRegion, ProgramImage
from tilewright.inspect.code.instructions import MachineInstruction, window
from tilewright.inspect.code.sites import enclosing
from tilewright.inspect.findings import LIKELY, BinaryFinding, Evidence, combined

COUNT_OFFSET = operation.OPERATION.offset("num_operands")
WORD_OFFSET = operation.OPERATION.offset("num_results")
FLAG_OFFSET = operation.OPERATION.offset("trailing_result_byte")
CELLS_OFFSET = operation.OPERATION.offset("inline_results_byte")
ALIGNMENT = 8
BEFORE, AFTER = 56, 112
"""The numbers of bytes before and after the first step in which the other steps must be found."""
FLAG_SHIFT, FLAG_MASK, CELLS_SHIFT = 19, 16, 24
"""Bit 23 becomes 16 when shifted right by 19 and masked; the top byte is what a shift by 24 leaves."""

COUNT, ENTRIES, BASE = "count of entries", "entries of 32 bytes", "base of 64 bytes"
CELLS, FLAG, ROUNDING = "cells of 8 bytes", "flag of 16 bytes", "rounding to 8"
SHIFTED_CELLS, SHIFTED_FLAG, MASKED_FLAG = "cells shifted out", "flag shifted down", "flag as 16"
WIDE_MASK, NARROW_MASK = "mask of 27 bits", "mask of 23 bits"

_BYTE_LOAD = re.compile(r"byte ptr \[r\w+ \+ (0x[0-9a-f]+)\]")
_WORD_LOAD = re.compile(r"dword ptr \[r\w+ \+ (0x[0-9a-f]+)\]")


@dataclass(frozen=True)
class DecoderForm:
    """One form of the computation in machine code.

    ``anchors`` returns the positions in a region of the instruction from which the search starts; ``steps``
    are the names of the steps that must be near it, in any order.
    """

    anchors: Callable[[MemoryRegion], Positions]
    steps: tuple[str, ...]


def _byte_loads(region: MemoryRegion) -> Positions:
    """Return the positions of `movzx r32, byte ptr [r + 0x2f]` with base registers that need no extra byte."""
    at = find_bytes(region.data, b"\x0f\xb6")
    at = at[at + 4 <= len(region.data)]
    mode, displacement = region.data[at + 2], region.data[at + 3]
    return at[(mode & 0xC0 == 0x40) & (mode & 7 != 4) & (displacement == CELLS_OFFSET)]


def _flag_shifts(region: MemoryRegion) -> Positions:
    """Return the positions of `shr r32, 19` that an `and r32, 16` follows within 12 bytes."""
    at = find_bytes(region.data, bytes((FLAG_SHIFT,)))
    at = at[(at >= 2) & (at + 12 < len(region.data))]
    at = at[(region.data[at - 2] == 0xC1) & (region.data[at - 1] & 0xF8 == 0xE8)]
    near = np.zeros(len(at), np.bool_)
    for offset in range(3, 12):
        near |= (region.data[at + offset] == FLAG_MASK) & (region.data[at + offset - 2] == 0x83)
    return at[near] - 2


FORMS = (
    DecoderForm(_byte_loads, (CELLS, FLAG, ROUNDING, BASE, ENTRIES, COUNT)),
    DecoderForm(_flag_shifts, (SHIFTED_FLAG, MASKED_FLAG, SHIFTED_CELLS, BASE, ENTRIES, COUNT)),
)


def storage_decoders(image: ProgramImage, starts: Positions) -> Iterator[BinaryFinding]:
    """Yield one finding for each place that computes where the trailing storage of an operation begins,
    inlined copies included. Details are the function (0 if unknown), whether a 27-bit mask of the operand
    count is nearby, and the profile that follows from it. `starts` are the sorted addresses of functions.
    """
    for form in FORMS:
        reached = 0
        for address in _anchors(image, form).tolist():
            steps = _steps(image, address, form) if address >= reached else None
            if steps is not None:
                reached = address + AFTER
                yield _finding(address, steps, starts)


def _anchors(image: ProgramImage, form: DecoderForm) -> Positions:
    found = [region.address + form.anchors(region) for region in image.code]
    return np.sort(np.concatenate(found)) if found else no_positions()


def _finding(address: int, steps: list[tuple[str, MachineInstruction]], starts: Positions) -> BinaryFinding:
    evidence = tuple(Evidence(f"{what}: {i.mnemonic} {i.operands}", i.address) for what, i in steps)
    masked = any(what == WIDE_MASK for what, _ in steps)
    function = int(enclosing(starts, np.array([address], np.int64))[0])
    profile = Profile.TILEIRAS if masked else Profile.UPSTREAM
    details = {"function": function, "masked": masked, "profile": str(profile)}
    confidence = combined(LIKELY, LIKELY, LIKELY) if masked else combined(LIKELY, LIKELY)
    return BinaryFinding(
        "storage decoder", f"decoder at {address:#x}", address, evidence, confidence, details
    )


def _steps(
    image: ProgramImage, address: int, form: DecoderForm
) -> list[tuple[str, MachineInstruction]] | None:
    """Return the steps near `address`, as (name, first instruction of the step), in the order of
    ``form.steps``; the masks of 27 and 23 bits follow if they are there. Return None if a step of `form` is
    missing.
    """
    run = window(image, address, BEFORE, AFTER) or window(image, address - 1, BEFORE, AFTER)
    found: dict[str, MachineInstruction] = {}
    for instruction in run:
        step = _step(instruction)
        if step is not None:
            found.setdefault(step, instruction)
    if not all(name in found for name in form.steps):
        return None
    masks = [name for name in (WIDE_MASK, NARROW_MASK) if name in found]
    return [(name, found[name]) for name in (*form.steps, *masks)]


def _step(instruction: MachineInstruction) -> str | None:
    """Return the name of the step of the computation that an instruction performs, such as `COUNT` or
    `CELLS`, by its memory operand or its number; None for other instructions.
    """
    byte, word = _BYTE_LOAD.search(instruction.operands), _WORD_LOAD.search(instruction.operands)
    if byte is not None:
        return {CELLS_OFFSET: CELLS, FLAG_OFFSET: FLAG}.get(int(byte[1], 16))
    if word is not None:
        return {COUNT_OFFSET: COUNT, WORD_OFFSET: FLAG}.get(int(word[1], 16))
    if instruction.immediate is not None:
        return _step_with_number(instruction.mnemonic, instruction.immediate)
    bases = (operation.TRAILING_BASE, operation.TRAILING_BASE + ALIGNMENT - 1)
    if instruction.mnemonic == "lea" and any(f"+ {base:#x}]" in instruction.operands for base in bases):
        return BASE
    return None


STEPS_WITH_NUMBERS = {
    ("and", -ALIGNMENT & (1 << 64) - 1): ROUNDING,
    ("and", -ALIGNMENT & (1 << 32) - 1): ROUNDING,
    ("and", operation.OPERAND_COUNT_MASK): WIDE_MASK,
    ("and", operation.RESULT_COUNT_MASK): NARROW_MASK,
    ("and", FLAG_MASK): MASKED_FLAG,
    ("shr", FLAG_SHIFT): SHIFTED_FLAG,
    ("shr", CELLS_SHIFT): SHIFTED_CELLS,
    ("shl", 5): ENTRIES,
    ("sal", 5): ENTRIES,
    ("add", operation.TRAILING_BASE): BASE,
    ("add", operation.TRAILING_BASE + ALIGNMENT - 1): BASE,
}


def _step_with_number(mnemonic: str, number: int) -> str | None:
    return STEPS_WITH_NUMBERS.get((mnemonic, number & (1 << 64) - 1))
