"""Functions that machine code calls: what a stretch of instructions executes counts them at each place of a call.

The assembler puts functions that it does not inline behind the kernel, under labels of their own, or into sections of their
own.  A call from which no way leads back is a jump (ptxas writes some so), and so is one that leads to its own caller again:
both count as the one instruction that they are, as does a call through a register.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from tilewright.inspect.sass.graph import CALLS, Graph, graph_of, targets
from tilewright.inspect.sass.model import Code, Instruction

RETURN = "RET"


class Callees:
    """The functions that a code calls, from their first instruction to what returns."""

    def __init__(self, code: Code, graph: Graph, others: Sequence[Code] = ()) -> None:
        self._code = code
        self._graph = graph
        self._others = {other.name: other for other in others if other is not code}
        self._bodies: dict[int, tuple[Instruction, ...]] = {}
        self._open: set[int] = set()

    def expanded(self, instructions: Iterable[Instruction]) -> list[Instruction]:
        """Instructions, each call followed by the function that it calls."""
        found: list[Instruction] = []
        for one in instructions:
            found.append(one)
            if one.opcode in CALLS:
                found.extend(self.of(one))
        return found

    def of(self, call: Instruction) -> tuple[Instruction, ...]:
        """The function that an instruction calls, with those that it calls in turn; nothing if it calls none."""
        if call.opcode not in CALLS:
            return ()
        for target in targets(call, self._labels):
            return self._body(target)
        name = "".join(call.operands).strip("`()")
        other = self._others.get(name)
        return () if other is None else self._foreign(other)

    @cached_property
    def _numbers(self) -> Mapping[int, int]:
        return {one.address: number for number, one in enumerate(self._code.instructions)}

    @cached_property
    def _labels(self) -> Mapping[str, int]:
        known = self._numbers
        return {name: known[address] for name, address in self._code.labels.items() if address in known}

    def _body(self, target: int) -> tuple[Instruction, ...]:
        if target in self._open:
            return ()
        if target not in self._bodies:
            self._open.add(target)
            self._bodies[target] = self._read(target)
            self._open.remove(target)
        return self._bodies[target]

    def _read(self, target: int) -> tuple[Instruction, ...]:
        starts = {block.first: number for number, block in enumerate(self._graph.blocks)}
        blocks = self._graph.reached(starts[target])
        spans = [self._graph.blocks[block] for block in sorted(blocks)]
        body = [one for span in spans for one in self._code.instructions[span.first : span.end]]
        if 0 in blocks or not any(one.opcode == RETURN for one in body):
            return ()
        return tuple(self.expanded(body))

    def _foreign(self, other: Code) -> tuple[Instruction, ...]:
        """A function in a section of its own."""
        rest = [code for code in self._others.values() if code is not other]
        return tuple(Callees(other, graph_of(other), rest).expanded(other.instructions))
