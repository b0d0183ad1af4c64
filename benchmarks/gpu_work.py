"""What a kernel's machine code executes for a piece of work, from its listing and from what a turn of its hot loop does.

The work of products is multiply-adds: those of matrix instructions are spelled in their shapes, `tcgen05` does a whole turn
of the block, and else threads multiply.  The work of kernels on rows is elements.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.gpu_cases import Case
from tilewright.inspect.sass.cycles import cycles_of
from tilewright.inspect.sass.figures import CodeFigures, InstructionCounts, KernelFigures, LoopFigures
from tilewright.inspect.sass.model import SassInstruction
from tilewright.inspect.sass.units import Unit, unit_of

LANES = 32
GROUP = 4
"""Warps that share their registers' number: code that changes it has set as many aside for copies."""
SCHEDULERS = 4
"""Of a multiprocessor; each issues an instruction of a warp in a cycle."""
REFERENCE = 16 * 8 * 16
"""Multiply-adds of `mma.m16n8k16`, the unit in which products are compared."""
_SHAPE = re.compile(r"^(16|8)8(4|8|16|32|64|128|256)$")
_GROUP_SHAPE = re.compile(r"^(\d+)x(\d+)x(\d+)$")
_THREADS = {"FFMA": 1, "FFMA2": 2, "HFMA2": 2, "IMAD": 1, "IDP4A": 4, "DFMA": 1}
_WIDTHS = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16, "256": 32}
_COMPUTES = frozenset({Unit.MATRIX, Unit.FLOAT, Unit.HALF, Unit.SPECIAL})
_ASYNCHRONOUS = frozenset({"LDGSTS", "UTMALDG", "UBLKCP"})


@dataclass(frozen=True)
class Chip:
    """What a multiprocessor has, and the cycles that a scheduler's matrix unit takes for `REFERENCE` products of f16.

    Chips of one architecture differ in the latter; the names say which.
    """

    shared: int
    threads: int
    blocks: int
    matrix: Mapping[str, int]


CHIPS: Mapping[str, Chip] = {
    "sm_80": Chip(164 << 10, 2048, 32, {"A100": 8}),
    "sm_89": Chip(100 << 10, 1536, 24, {"L40": 16, "GeForce 40": 32}),
    "sm_90a": Chip(228 << 10, 2048, 32, {"H100, instructions of warps": 7, "H100": 4}),
    "sm_100a": Chip(228 << 10, 2048, 32, {"B200": 2}),
    "sm_120a": Chip(100 << 10, 1536, 24, {"RTX PRO": 16, "GeForce 50": 32}),
}
"""Whitepapers: 1,024 multiply-adds of f16 in a cycle of an A100, 512 of an L40 and 256 of GeForce, where sums are f32; an H100
has 2,048, of which instructions of single warps reach 0.63; a B200 has 4,096."""
REGISTERS = 1 << 16
RESERVED = 1 << 10
"""Bytes of shared memory that each block has for itself."""


def measured(kernel: KernelFigures, case: Case, chip: str, warps: int, shared: int) -> dict[str, Any]:
    """The figures of a kernel as JSON has them."""
    assert kernel.code is not None
    specialised = "USETMAXREG" in kernel.code.mix.opcodes and warps > GROUP
    workers = warps - GROUP if specialised else warps
    facts: dict[str, Any] = {
        "registers": kernel.registers,
        "stack": kernel.stack,
        "shared": shared,
        "warps": warps,
        "workers": workers,
        "resident": resident(kernel.registers or 0, warps, shared, CHIPS[chip]),
        "local_in_loops": kernel.code.local_in_loops,
        "instructions": kernel.code.mix.instructions,
        "executed": kernel.code.executed.instructions,
    }
    return facts | (_product if case.multiplies else _rows)(kernel.code, case, workers)


def resident(registers: int, warps: int, shared: int, chip: Chip) -> int:
    """Warps of a multiprocessor that registers, shared memory and threads leave room for."""
    each = -(-registers // 8) * 8 * LANES
    limits = (
        chip.threads // (LANES * warps),
        chip.blocks,
        REGISTERS // max(each * warps, 1),
        chip.shared // (shared + RESERVED),
    )
    return min(limits) * warps


# --- products


def _product(code: CodeFigures, case: Case, warps: int) -> dict[str, Any]:
    hot = code.hot
    if hot is None or not multiplies(hot.instructions, case, warps):
        return _turn(case, warps, [code.instructions], code.executed, 0, 0)
    loops = [hot.instructions, *(agent.instructions for agent in code.agents)]
    return _turn(case, warps, loops, hot.mix, hot.calls, len(code.agents)) | _around(code, hot, case, warps)


def _turn(
    case: Case,
    warps: int,
    loops: Sequence[Sequence[SassInstruction]],
    hot: InstructionCounts,
    calls: int,
    agents: int,
) -> dict[str, Any]:
    """A turn: the loop that multiplies, and those of the warps beside it."""
    shares = [share(loop, loops[0], warps) for loop in loops]
    cycles = [(found, part) for loop, part in zip(loops, shares, strict=True) if (found := cycles_of(loop))]
    return {
        "matrix": hot.units.get(Unit.MATRIX, 0),
        "multiplies": multiplies(loops[0], case, warps),
        "turn": {
            "instructions": sum(len(loop) * part for loop, part in zip(loops, shares, strict=True)),
            "issue": sum(one.issue * part for one, part in cycles),
            "replayed": sum(one.replayed * part for one, part in cycles),
        },
        "calls": calls,
        "agents": agents,
        "loops": [len(loop) for loop in loops],
        **traffic([one for loop in loops for one in loop], warps),
        "units": _units(loops, shares),
    }


def share(loop: Sequence[SassInstruction], hot: Sequence[SassInstruction], warps: int) -> float:
    """How many warps execute a loop for each warp that executes the hot one, of which there are ``warps``.

    A single warp copies, and a single one starts products in tensor memory, which takes four to read.
    """
    reads = any(one.opcode in ("LDTM", "STTM") for one in loop)
    if any(one.opcode.startswith("UTC") for one in hot):
        return GROUP if reads else 1
    computes = loop is hot or any(unit_of(one.opcode) in _COMPUTES for one in loop)
    return 1 if computes else 1 / warps


def _around(code: CodeFigures, hot: LoopFigures, case: Case, warps: int) -> dict[str, Any]:
    """How often a loop inside of a turn is passed in that turn, and what the turn executes beside it."""
    each = multiplies(hot.instructions, case, warps)
    trips = case.multiplies / warps / each if each else 0
    outer = [loop for loop in code.loops if loop.depth == hot.depth - 1 and loop.address <= hot.address]
    if not outer or trips < 2 or hot.mix.units.get(Unit.MATRIX, 0):
        return {}
    return {"trips": trips, "around": outer[-1].own.instructions}


def multiplies(instructions: Iterable[SassInstruction], case: Case, warps: int) -> int:
    """Multiply-adds that a warp does by some instructions; those of `tcgen05` are the whole turn of a block."""
    found, by_threads = 0, 0
    for one in instructions:
        if unit_of(one.opcode) is Unit.MATRIX:
            if one.opcode.startswith("UTC"):
                return case.multiplies
            found += next(filter(None, map(_matrix, one.modifiers)), 0)
        else:
            by_threads += _THREADS.get(one.opcode, 0) * LANES
    return found or min(by_threads, case.multiplies // warps)


def _matrix(word: str) -> int:
    """Multiply-adds of a warp by the shape of an instruction; 0 for a word that is none."""
    if (match := _SHAPE.match(word)) is not None:
        return int(match[1]) * 8 * int(match[2])
    if (match := _GROUP_SHAPE.match(word)) is not None:
        return int(match[1]) * int(match[2]) * int(match[3]) // 4
    return 0


# --- rows


def _rows(code: CodeFigures, case: Case, warps: int) -> dict[str, Any]:
    """Loops, each a turn, or the whole code where there are none."""
    outer = [loop for loop in code.loops if loop.depth == 1 and not loop.waits_only and _moves(loop)]
    parts = [loop.instructions for loop in outer] or [code.instructions]
    hot = next((part for part in parts if share(part, (), warps) == 1), parts[0])
    shares = [share(part, hot, warps) / _unrolled(part, case, warps) for part in parts] if outer else [1.0]
    turns = [_scaled(part, times) for part, times in zip(parts, shares, strict=True)]
    everything = [one for part in parts for one in part]
    return {
        "elements": case.elements,
        "turn": {name: sum(turn[name] for turn in turns) for name in ("instructions", "issue", "replayed")},
        "calls": sum(loop.calls for loop in outer),
        "loops": [len(part) for part in parts] if outer else [],
        "shares": shares if outer else [],
        **traffic(everything, warps),
        "units": _units(parts, shares),
    }


def _moves(loop: LoopFigures) -> bool:
    return any(unit in loop.mix.units for unit in (Unit.GLOBAL, Unit.COPY))


def _unrolled(part: Sequence[SassInstruction], case: Case, warps: int) -> int:
    """How many tiles a turn writes, or reads if it writes nothing; 1 where no access says how much."""
    stores, loads = (
        sum(width(one) for one in part if one.opcode in names) for names in (("STG",), ("LDG", "LDGSTS"))
    )
    return max(round((stores or loads) * LANES * warps / (case.elements * case.bytes)), 1)


def _scaled(part: Sequence[SassInstruction], times: float) -> dict[str, float]:
    cycles = cycles_of(part)
    issue, replayed = (0, 0) if cycles is None else (cycles.issue, cycles.replayed)
    return {"instructions": len(part) * times, "issue": issue * times, "replayed": replayed * times}


def _units(parts: Sequence[Sequence[SassInstruction]], shares: Sequence[float]) -> dict[str, float]:
    found: dict[str, float] = {}
    for part, times in zip(parts, shares, strict=True):
        for unit, count in InstructionCounts.of(part).units.items():
            found[str(unit)] = round(found.get(str(unit), 0.0) + count * times, 3)
    return found


# --- memory


def width(one: SassInstruction) -> int:
    """Bytes of a thread that an access moves."""
    return next((_WIDTHS[word] for word in one.modifiers if word in _WIDTHS), 4)


def traffic(instructions: Sequence[SassInstruction], warps: int) -> dict[str, Any]:
    """Accesses of global memory by width, asynchronous copies, barriers, and bytes that a block asks for in a turn."""
    loads = [one for one in instructions if one.opcode in ("LDG", "LD", "LDGSTS")]
    stores = [one for one in instructions if one.opcode in ("STG", "ST", "RED", "REDG", "ATOMG")]
    return {
        "loads": _widths(loads),
        "stores": _widths(stores),
        "asynchronous": sum(one.opcode in _ASYNCHRONOUS for one in instructions),
        "barriers": sum(one.opcode in ("BAR", "SYNCS") for one in instructions),
        "bytes": sum(map(width, loads)) * LANES * warps,
    }


def _widths(accesses: Iterable[SassInstruction]) -> dict[str, int]:
    return {str(size): count for size, count in sorted(Counter(map(width, accesses)).items())}


def of_work(cell: Mapping[str, Any], name: str) -> float:
    """Instructions or cycles for a unit of work: `REFERENCE` multiply-adds of a warp, or an element."""
    turn = cell["turn"][name]
    if "multiplies" not in cell:
        return turn * cell["workers"] * LANES / cell["elements"]
    if "trips" in cell:
        turn += cell["around"] * (turn / cell["turn"]["instructions"]) / cell["trips"]
    return turn * REFERENCE / cell["multiplies"] if cell["multiplies"] else 0.0
