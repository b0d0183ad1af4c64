"""Places in x86-64 code that handle operations or their tables: masked operand counts, reserved keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tilewright.abi.hash_tables import EMPTY, TOMBSTONE
from tilewright.abi.layouts.operation import OPERAND_COUNT_MASK, OPERATION
from tilewright.inspect.arrays import Positions, find_bytes, no_positions
from tilewright.inspect.binary.image import MemoryRegion, ProgramImage
from tilewright.inspect.code.instructions import MachineInstruction, window
from tilewright.inspect.findings import LIKELY, STRONG, BinaryFinding, Evidence

NAME = ".eh_frame_hdr"
HEADER = b"\x01\x1b\x03\x3b"
"""The first four bytes of `.eh_frame_hdr` in the form that is read.

Version 1; a relative pointer of 4 bytes; a count of 4 bytes; a table of pairs relative to its own start.
"""
PAIR = np.dtype([("start", "<i4"), ("frame", "<i4")])


def function_starts(image: ProgramImage) -> Positions:
    """Return the sorted addresses of the functions that `.eh_frame_hdr` lists. Without section headers, the
    table is searched in the segments that are not writable. The result is empty if there is no table of the
    form `HEADER`.
    """
    found = [starts for region in image.data if len(starts := _of_region(image, region))]
    return np.unique(np.concatenate(found)) if found else no_positions()


def _of_region(image: ProgramImage, region: MemoryRegion) -> Positions:
    position = 0 if region.name == NAME else _search(region)
    data = region.data[position:]
    if len(data) < 12 or data[:4].tobytes() != HEADER:
        return no_positions()
    count = min(int.from_bytes(data[8:12].tobytes(), "little"), (len(data) - 12) // PAIR.itemsize)
    pairs = np.frombuffer(data[12 : 12 + count * PAIR.itemsize].tobytes(), PAIR)
    starts = pairs["start"].astype(np.int64) + region.address + position
    if not len(starts) or (np.diff(starts) < 0).any():
        return no_positions()
    return starts[image.is_code(starts.astype(np.uint64))] if (starts > 0).all() else no_positions()


def _search(region: MemoryRegion) -> int:
    """Return the position of `HEADER`, a multiple of four, in a read-only segment, for files whose sections
    are missing.

    Return the length of the region if it is no such segment, or the header is not in it.
    """
    if not region.name.startswith("segment") or region.writable:
        return len(region.data)
    for at in np.flatnonzero(region.data[:-12:4] == HEADER[0])[: 1 << 20].tolist():
        if region.data[4 * at : 4 * at + 4].tobytes() == HEADER:
            return 4 * at
    return len(region.data)


def enclosing(starts: Positions, addresses: Positions) -> Positions:
    """Return for each address the last of the sorted function addresses `starts` at or before it; 0 if there
    is none. The ends of functions are not known.
    """
    if not len(starts):
        return np.zeros(len(addresses), np.int64)
    at = np.searchsorted(starts, addresses, side="right") - 1
    return np.where(at >= 0, starts[np.maximum(at, 0)], 0)


COUNT_OFFSET = OPERATION.offset("num_operands")
LOAD, AND_MEMORY = 0x8B, 0x23
"""Opcodes of `mov r32, m32` and `and r32, m32`."""
AND_IMMEDIATE, AND_ACCUMULATOR, MOVE = 0x81, 0x25, 0xB8
"""Opcodes of `and r32, imm32`, `and eax, imm32` and `mov r32, imm32`."""
LOOK_BACK = 48
_LOAD = re.compile(rf"dword ptr \[r\w+ \+ {COUNT_OFFSET:#x}\]")
WIDE = {f"r{n}": f"e{n}" for n in ("ax", "bx", "cx", "dx", "si", "di", "bp", "sp")} | {
    f"r{n}": f"r{n}d" for n in range(8, 16)
}


def _immediate_sites(region: MemoryRegion, value: int) -> Positions:
    """Return the positions in ``region.data`` of `value` as four little-endian bytes, aligned or not."""
    return find_bytes(region.data, value.to_bytes(4, "little"))


def _near_loads(region: MemoryRegion, positions: Positions) -> Positions:
    """Return the `positions` of masks that have the bytes of a load of the word at offset 0x28 less than 48
    bytes before them, or of an `and` with this word less than 16 bytes after them. Boundaries of instructions
    are not checked.
    """
    data, last = region.data, len(region.data) - 1
    near = np.zeros(len(positions), np.bool_)
    for back in range(2, LOOK_BACK):
        at = np.maximum(positions - back, 3)
        near |= (data[at] == COUNT_OFFSET) & ((data[at - 2] == LOAD) | (data[at - 3] == LOAD))
    for forward in range(6, 16):
        at = np.minimum(positions + forward, last)
        near |= (data[at] == COUNT_OFFSET) & ((data[at - 2] == AND_MEMORY) | (data[at - 3] == AND_MEMORY))
    return positions[near]


@dataclass(frozen=True)
class MaskSite:
    """The instruction that loads the operand count of an operation, and the instruction with the mask. If an
    `and` has the count as its memory operand, `load` is this `and`, and `mask` is the `mov` of the mask
    before it.
    """

    load: MachineInstruction
    mask: MachineInstruction


def mask_sites(image: ProgramImage) -> list[MaskSite]:
    """Return the places in the code where the operand count (4 bytes at offset 0x28) is masked with 27 bits:
    by an `and` with the mask after the load, or by an `and` with memory within three instructions after a
    `mov` of the mask.
    """
    found: list[MaskSite] = []
    for region in image.code:
        for position in _near_loads(region, _immediate_sites(region, OPERAND_COUNT_MASK)).tolist():
            site = _mask_site(image, region.address + position)
            if site is not None:
                found.append(site)
    return found


def _mask_site(image: ProgramImage, number_at: int) -> MaskSite | None:
    """Return the site whose mask is the 32-bit number at address `number_at`: `and r32, mask` after a load of
    the operand count, or `mov r32, mask` followed by an `and` with the count in memory. Return None for other
    code.
    """
    for back in _operand_backs(image.read(number_at - 3, 3)):
        run = window(image, number_at - back, LOOK_BACK, 32)
        at = next((i for i, one in enumerate(run) if one.address == number_at - back), None)
        if at is None or run[at].end != number_at + 4 or run[at].immediate != OPERAND_COUNT_MASK:
            continue
        if run[at].mnemonic == "and":
            load = _loaded(run[:at], run[at].destination)
            return None if load is None else MaskSite(load, run[at])
        if run[at].mnemonic == "mov":
            return _masked_by_memory(run, at)
    return None


def _operand_backs(before: bytes) -> list[int]:
    """Return the possible distances, in bytes, from the start of an `and` or `mov` to its 32-bit number, by
    `before`, the three bytes before the number. Empty if they fit neither instruction, or are fewer than
    three.
    """
    if len(before) < 3:
        return []
    prefix, opcode, last = before
    backs: list[int] = []
    if opcode == AND_IMMEDIATE and last & 0xF8 == 0xE0:
        backs += [3, 2] if prefix & 0xF0 == 0x40 else [2]
    if last == AND_ACCUMULATOR:
        backs.append(1)
    if last & 0xF8 == MOVE:
        backs += [2, 1] if opcode & 0xF0 == 0x40 else [1]
    return backs


def _loaded(before: list[MachineInstruction], register: str) -> MachineInstruction | None:
    """Return the instruction of `before` that last writes `register`, if it loads the operand count; else
    None. Calls, returns and jumps end the search.
    """
    for instruction in reversed(before):
        if _narrow(instruction.destination) == _narrow(register):
            is_load = instruction.mnemonic == "mov" and _LOAD.search(instruction.operands)
            return instruction if is_load else None
        if instruction.mnemonic in ("call", "ret", "jmp"):
            return None
    return None


def _masked_by_memory(run: list[MachineInstruction], at: int) -> MaskSite | None:
    register = run[at].destination
    for instruction in run[at + 1 : at + 4]:
        if instruction.mnemonic == "and" and _narrow(instruction.destination) == _narrow(register):
            return MaskSite(instruction, run[at]) if _LOAD.search(instruction.operands) else None
    return None


def _narrow(register: str) -> str:
    return WIDE.get(register, register)


def mask_findings(sites: list[MaskSite], starts: Positions) -> Iterator[BinaryFinding]:
    """Yield one finding for each site. Its details are the address of its function (0 if unknown) and the
    number of different functions; the number of sites if no function is known. `starts` are the sorted
    addresses of functions.
    """
    functions = enclosing(starts, np.array([site.mask.address for site in sites], np.int64)).tolist()
    count = len(set(functions)) if any(functions) else len(sites)
    for site, function in zip(sites, functions, strict=True):
        evidence = (
            Evidence(f"{site.load.mnemonic} {site.load.operands}", site.load.address),
            Evidence(f"{site.mask.mnemonic} {site.mask.operands}", site.mask.address),
        )
        details = {"function": function, "functions": count}
        yield BinaryFinding(
            "mask site",
            f"27-bit mask at {site.mask.address:#x}",
            site.mask.address,
            evidence,
            STRONG,
            details,
        )


def sentinel_findings(image: ProgramImage, starts: Positions) -> Iterator[BinaryFinding]:
    """Yield a finding for each function, in order of address, that compares or moves both reserved keys of pointer tables,
    -4096 and -8192. `starts` are the sorted addresses of functions; code before the first of them is left out.
    """
    uses: dict[int, dict[int, int]] = {}
    for region in image.code:
        for key in (EMPTY, TOMBSTONE):
            positions = _sign_extended(region, key)
            addresses = region.address + positions
            for function, address in zip(
                enclosing(starts, addresses).tolist(), addresses.tolist(), strict=True
            ):
                if function:
                    uses.setdefault(function, {}).setdefault(key, address)
    for function, sites in sorted(uses.items()):
        if len(sites) == 2:
            evidence = (
                Evidence("uses -4096, the key of an empty bucket", sites[EMPTY]),
                Evidence("uses -8192, the key of a removed entry", sites[TOMBSTONE]),
            )
            yield BinaryFinding("sentinel site", f"function {function:#x}", function, evidence, LIKELY)


def _sign_extended(region: MemoryRegion, key: int) -> Positions:
    """Return the positions in the region of the 32-bit numbers, sign-extended to 64 bits, of `cmp r64, key`
    and `mov r64, key`.
    """
    at = find_bytes(region.data, (key & 0xFFFFFFFF).to_bytes(4, "little"))
    at = at[at >= 3]
    prefix, opcode, mode = region.data[at - 3], region.data[at - 2], region.data[at - 1]
    wide = (prefix & 0xF8) == 0x48
    compare = wide & (opcode == 0x81) & ((mode & 0xF8) == 0xF8)
    store = wide & (opcode == 0xC7) & ((mode & 0xF8) == 0xC0)
    short = (opcode == 0x48) & (mode == 0x3D)
    return at[compare | store | short]
