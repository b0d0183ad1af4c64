"""The figures of a kernel's machine code, as values: resources, executed instructions, loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tilewright.inspect.cubin.view import Cubin, CubinKernel
from tilewright.inspect.sass import calls as sass_calls, cycles as sass_cycles
from tilewright.inspect.sass.graph import Graph, graph_of
from tilewright.inspect.sass.model import Listing, SassCode, SassInstruction
from tilewright.inspect.sass.units import Unit, unit_of

PASSES_OF_A_LOOP = 10
"""The assumed number of iterations of a loop without a known one: the usual guess of compilers."""
_WORK = frozenset(Unit) - {Unit.CONTROL, Unit.SYNCHRONIZE, Unit.UNIFORM, Unit.MOVE, Unit.INTEGER, Unit.OTHER}
MEETING = frozenset({"SYNCS", "ARRIVES", "BAR", "UTCBAR", "WARPGROUP", "DEPBAR", "ACQBULK"})
"""Opcodes by which warps with different roles wait for each other."""
_TRIED = frozenset({"UTCATOMSWS"})
"""Opcodes that are repeated until another warp lets them succeed."""
_ROLES = frozenset({Unit.COPY, Unit.MATRIX, Unit.TENSOR_MEMORY, Unit.SPECIAL})
"""Units whose use shows the role of a warp."""
_BYTES = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16, "256": 32}


@dataclass(frozen=True, slots=True)
class InstructionCounts:
    """The counts of a stretch of code: instructions by unit and by opcode, and the bytes that one thread
    loads from local memory (``LDL``) and stores to it (``STL``). Units and opcodes without an instruction are
    left out.
    """

    instructions: int
    units: Mapping[Unit, int]
    opcodes: Mapping[str, int]
    local_load_bytes: int
    local_store_bytes: int

    @property
    def local(self) -> int:
        """Return the number of instructions that access local memory."""
        return self.units.get(Unit.LOCAL, 0)

    @classmethod
    def of(cls, instructions: Sequence[SassInstruction]) -> InstructionCounts:
        """Return the counts of `instructions`: their number, their numbers by unit and by opcode, and the
        bytes that one thread loads from local memory and stores to it.
        """
        units = Counter(unit_of(one.opcode) for one in instructions)
        return cls(
            len(instructions),
            {unit: units[unit] for unit in Unit if unit in units},
            dict(sorted(Counter(one.opcode for one in instructions).items())),
            sum(_bytes(one) for one in instructions if one.opcode == "LDL"),
            sum(_bytes(one) for one in instructions if one.opcode == "STL"),
        )


@dataclass(frozen=True, slots=True)
class LoopFigures:
    """A loop with the functions that it calls, counted at every call; ``address`` is the address of its
    header, ``depth`` begins at 1.

    ``mix`` counts all instructions, inner loops once, and ``instructions`` has them; ``own`` counts only
    instructions outside inner loops. ``cycles`` is None without control bits. ``calls`` is the number of call
    instructions whose functions are counted. ``waits_only`` marks a loop that only waits for other threads.
    """

    address: int
    depth: int
    mix: InstructionCounts
    cycles: sass_cycles.Cycles | None
    waits_only: bool
    calls: int
    instructions: tuple[SassInstruction, ...]
    own: InstructionCounts


@dataclass(frozen=True, slots=True)
class CodeFigures:
    """The figures of one section of code: its loops in the order of addresses, and the hot loop; None if no
    loop does work.

    ``mix`` counts every instruction once. ``executed`` counts the instructions reachable from the start,
    called functions at each call; ``instructions`` has them. All three are without NOPs, which the loops
    have. ``agents`` are the loops that other warps execute beside the hot loop, the hottest first.
    """

    mix: InstructionCounts
    executed: InstructionCounts
    instructions: tuple[SassInstruction, ...]
    loops: tuple[LoopFigures, ...]
    hot: LoopFigures | None
    agents: tuple[LoopFigures, ...]

    @property
    def local_in_loops(self) -> int:
        """Return the number of instructions in loops that access local memory, called functions at each call."""
        return sum(loop.mix.local for loop in self.loops if loop.depth == 1)


@dataclass(frozen=True, slots=True)
class KernelFigures:
    """The figures of a kernel: resources, and counts of its machine code, ``code``, which is None if no
    disassembly of the kernel is given. ``stack``, ``shared`` and ``constants`` (of all banks) are in bytes;
    ``parameters`` and ``barriers`` are numbers. None is unknown.
    """

    name: str
    architecture: str
    registers: int | None
    stack: int | None
    shared: int
    constants: int
    barriers: int | None
    parameters: int
    parameter_bytes: int | None
    code_bytes: int
    code: CodeFigures | None


def figures_of(cubin: Cubin, listing: Listing | None) -> tuple[KernelFigures, ...]:
    """Return the figures of all kernels of a cubin. ``code`` of the figures is None for a kernel that
    `listing` does not have, and without a listing.
    """
    others = listing.codes if listing else ()
    codes = {code.name: code_figures(code, others) for code in others}
    return tuple(_kernel(cubin, kernel, codes.get(kernel.name)) for kernel in cubin.kernels)


def _kernel(cubin: Cubin, kernel: CubinKernel, code: CodeFigures | None) -> KernelFigures:
    return KernelFigures(
        kernel.name,
        cubin.architecture,
        kernel.registers,
        kernel.frame,
        kernel.shared,
        sum(kernel.constants.values()),
        kernel.barriers,
        len(kernel.parameters),
        kernel.parameter_bytes,
        kernel.code_size,
        code,
    )


def code_figures(code: SassCode, others: Sequence[SassCode] = ()) -> CodeFigures:
    """Return the figures of `code`. The functions that it calls are in it, or in `others`, which may contain
    `code` itself.
    """
    graph = graph_of(code)
    callees = sass_calls.Callees(code, graph, others)
    own = [callees.expanded(part) for part in _own_instructions(code, graph)]
    loops = [_loop(code, graph, number, own[number], callees) for number in range(len(graph.loops))]
    weights = [_weight(own[number], loop.depth) for number, loop in enumerate(loops)]
    ranked = sorted(range(len(loops)), key=lambda number: weights[number], reverse=True)
    working = [number for number in ranked if not loops[number].waits_only]
    entered = callees.expanded(_instructions(code, graph, sorted(graph.reached(0))))
    executed = [one for one in entered if one.opcode != "NOP"]
    return CodeFigures(
        InstructionCounts.of([one for one in code.instructions if one.opcode != "NOP"]),
        InstructionCounts.of(executed),
        tuple(executed),
        tuple(sorted(loops, key=lambda loop: loop.address)),
        loops[working[0]] if working else None,
        tuple(loops[number] for number in _agents(graph, loops, working)),
    )


def _instructions(code: SassCode, graph: Graph, blocks: Iterable[int]) -> list[SassInstruction]:
    spans = (graph.blocks[block] for block in blocks)
    return [one for span in spans for one in code.instructions[span.first : span.end]]


def _own_instructions(code: SassCode, graph: Graph) -> list[list[SassInstruction]]:
    """Return for each loop of the graph, in order, the instructions that are in no inner loop."""
    found: list[list[SassInstruction]] = []
    for loop in graph.loops:
        inside = set(loop.blocks)
        inner = [other for other in graph.loops if other.depth > loop.depth and other.header in inside]
        nested = {block for other in inner for block in other.blocks}
        found.append(_instructions(code, graph, (block for block in loop.blocks if block not in nested)))
    return found


def _loop(
    code: SassCode, graph: Graph, number: int, own: Sequence[SassInstruction], callees: sass_calls.Callees
) -> LoopFigures:
    """Return the figures of loop number `number`, with inner loops once and with functions at each of their
    calls. `own` are the instructions outside of inner loops, functions included.
    """
    loop = graph.loops[number]
    written = _instructions(code, graph, loop.blocks)
    instructions = callees.expanded(written)
    return LoopFigures(
        code.instructions[graph.blocks[loop.header].first].address,
        loop.depth,
        InstructionCounts.of(instructions),
        sass_cycles.cycles_of(instructions),
        not any(unit_of(one.opcode) in _WORK and one.opcode not in _TRIED for one in instructions),
        sum(bool(callees.of(one)) for one in written),
        tuple(instructions),
        InstructionCounts.of(own),
    )


def _agents(graph: Graph, loops: Sequence[LoopFigures], ranked: Sequence[int]) -> list[int]:
    """Return the numbers of the loops that other warps run concurrently with the hottest one: at the same
    depth, and concurrent with each loop that is already chosen. `ranked` are the numbers of the loops that
    work, the hottest first.
    """
    found = list(ranked[:1])
    reached = [graph.reached(loop.header) for loop in graph.loops]
    for number in ranked[1:]:
        if loops[number].depth == loops[found[0]].depth and all(
            _run_concurrently(graph, reached, loops, number, other) for other in found
        ):
            found.append(number)
    return found[1:]


def _run_concurrently(
    graph: Graph, reached: Sequence[frozenset[int]], loops: Sequence[LoopFigures], first: int, second: int
) -> bool:
    """Return whether two loops run concurrently, in different warps that synchronise: both must have an
    opcode of `MEETING`.

    Either no path leads from one loop to the other, or both use barriers in memory and different units of
    `_ROLES`: code that tests roles in sequence has a path past the loop of another role. `reached` has the
    blocks reachable from each loop.
    """
    if not _meets(loops[first]) or not _meets(loops[second]):
        return False
    headers = graph.loops[first].header, graph.loops[second].header
    if headers[0] not in reached[second] and headers[1] not in reached[first]:
        return True
    mixes = loops[first].mix, loops[second].mix
    return (
        all("SYNCS" in mix.opcodes for mix in mixes) and len({_ROLES & set(mix.units) for mix in mixes}) > 1
    )


def _meets(loop: LoopFigures) -> bool:
    return any(opcode in MEETING for opcode in loop.mix.opcodes)


def _weight(own: Sequence[SassInstruction], depth: int) -> tuple[int, int]:
    """Return the weight of a loop: its number of matrix instructions, and its number of all instructions,
    each times ten for each level of nesting.

    ``own`` are the instructions outside of inner loops, ``depth`` is the nesting depth, from 1.
    """
    matrix = sum(unit_of(one.opcode) is Unit.MATRIX for one in own)
    passes = PASSES_OF_A_LOOP**depth
    return matrix * passes, len(own) * passes


def _bytes(instruction: SassInstruction) -> int:
    return next((_BYTES[word] for word in instruction.modifiers if word in _BYTES), 4)
