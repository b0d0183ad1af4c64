"""The figures of a kernel's machine code, as values: resources, executed instructions, loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tilewright.inspect.cubin.view import Cubin, Kernel
from tilewright.inspect.sass.cycles import Cycles, cycles_of
from tilewright.inspect.sass.graph import Graph, graph_of
from tilewright.inspect.sass.model import Code, Instruction, Listing
from tilewright.inspect.sass.units import Unit, unit_of

PASSES_OF_A_LOOP = 10
"""The assumed number of iterations of a loop without a known one: the usual guess of compilers."""
_WORK = frozenset(Unit) - {Unit.CONTROL, Unit.SYNCHRONIZE, Unit.UNIFORM, Unit.MOVE, Unit.INTEGER, Unit.OTHER}
_BYTES = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16, "256": 32}


@dataclass(frozen=True, slots=True)
class Mix:
    """A stretch of code: instructions by unit and by opcode, and its accesses of local memory in bytes of a thread."""

    instructions: int
    units: Mapping[Unit, int]
    opcodes: Mapping[str, int]
    local_load_bytes: int
    local_store_bytes: int

    @property
    def local(self) -> int:
        """Instructions that access local memory."""
        return self.units.get(Unit.LOCAL, 0)

    @classmethod
    def of(cls, instructions: Sequence[Instruction]) -> Mix:
        """Counts of some instructions."""
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
    """A loop from an address on.  ``waits_only`` tells a loop that does nothing but wait for others."""

    address: int
    depth: int
    mix: Mix
    cycles: Cycles | None
    waits_only: bool


@dataclass(frozen=True, slots=True)
class CodeFigures:
    """A whole code: its mix, its loops in the order of addresses, and which of them is hot, if there is one."""

    mix: Mix
    loops: tuple[LoopFigures, ...]
    hot: LoopFigures | None

    @property
    def local_in_loops(self) -> int:
        """Instructions in loops that access local memory."""
        return sum(loop.mix.local for loop in self.loops if loop.depth == 1)


@dataclass(frozen=True, slots=True)
class KernelFigures:
    """A kernel.  Sizes are bytes; None is unknown; ``code`` is None where nothing could disassemble it."""

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
    """Return the figures of all kernels of a cubin, and of their code if there is a listing of it."""
    codes = {code.name: code_figures(code) for code in listing.codes} if listing else {}
    return tuple(_kernel(cubin, kernel, codes.get(kernel.name)) for kernel in cubin.kernels)


def _kernel(cubin: Cubin, kernel: Kernel, code: CodeFigures | None) -> KernelFigures:
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


def code_figures(code: Code) -> CodeFigures:
    """Return the figures of one code."""
    graph = graph_of(code)
    own = _own_instructions(code, graph)
    loops = [_loop(code, graph, number, own[number]) for number in range(len(graph.loops))]
    hot = max(
        (number for number, loop in enumerate(loops) if not loop.waits_only),
        key=lambda number: _weight(own[number], loops[number].depth),
        default=None,
    )
    mix = Mix.of([one for one in code.instructions if one.opcode != "NOP"])
    return CodeFigures(
        mix,
        tuple(sorted(loops, key=lambda loop: loop.address)),
        None if hot is None else loops[hot],
    )


def _instructions(code: Code, graph: Graph, blocks: Iterable[int]) -> list[Instruction]:
    spans = (graph.blocks[block] for block in blocks)
    return [one for span in spans for one in code.instructions[span.first : span.end]]


def _own_instructions(code: Code, graph: Graph) -> list[list[Instruction]]:
    """Of each loop the instructions that lie in no loop inside of it."""
    found: list[list[Instruction]] = []
    for loop in graph.loops:
        inside = set(loop.blocks)
        inner = [other for other in graph.loops if other.depth > loop.depth and other.header in inside]
        nested = {block for other in inner for block in other.blocks}
        found.append(_instructions(code, graph, (block for block in loop.blocks if block not in nested)))
    return found


def _loop(code: Code, graph: Graph, number: int, own: Sequence[Instruction]) -> LoopFigures:
    """Return a loop with all that is inside, each instruction counted once."""
    loop = graph.loops[number]
    instructions = _instructions(code, graph, loop.blocks)
    address = code.instructions[graph.blocks[loop.header].first].address
    waits_only = not any(unit_of(one.opcode) in _WORK for one in instructions)
    return LoopFigures(address, loop.depth, Mix.of(instructions), cycles_of(instructions), waits_only)


def _weight(own: Sequence[Instruction], depth: int) -> tuple[int, int]:
    """How much a loop executes, if each loop is passed ten times: products of matrices first, then everything."""
    matrix = sum(unit_of(one.opcode) is Unit.MATRIX for one in own)
    passes = PASSES_OF_A_LOOP**depth
    return matrix * passes, len(own) * passes


def _bytes(instruction: Instruction) -> int:
    return next((_BYTES[word] for word in instruction.modifiers if word in _BYTES), 4)
