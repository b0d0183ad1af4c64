"""The functions that machine code calls; the statistics of a stretch count them at each call.

The assembler places functions that it does not inline after the kernel, under their own labels, or in their
own sections. A call without a path back is a jump (ptxas writes such calls), and so is a call that leads to
its own caller again: both count as a single instruction, as does a call through a register.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from tilewright.inspect.sass.graph import CALLS, Graph, graph_of, targets
from tilewright.inspect.sass.model import SassCode, SassInstruction

RETURN = "RET"


class Callees:
    """The functions that the code of a kernel calls, each as its instructions with the instructions of its
    own callees at their calls. `graph` is the control-flow graph of `code`; `others` are the other sections
    of code in which functions may be.
    """

    def __init__(self, code: SassCode, graph: Graph, others: Sequence[SassCode] = ()) -> None:
        self._code = code
        self._graph = graph
        self._others = {other.name: other for other in others if other is not code}
        self._bodies: dict[int, tuple[SassInstruction, ...]] = {}
        self._open: set[int] = set()

    def expanded(self, instructions: Iterable[SassInstruction]) -> list[SassInstruction]:
        """Return instructions with each call followed by the instructions of the called function, callees of
        it included. A call that `of` gives no instructions stays alone.
        """
        found: list[SassInstruction] = []
        for one in instructions:
            found.append(one)
            if one.opcode in CALLS:
                found.extend(self.of(one))
        return found

    def of(self, call: SassInstruction) -> tuple[SassInstruction, ...]:
        """Return the instructions of the called function, followed at each call by the instructions of its
        callee. Return `()` for an instruction that is no call, a call through a register, a call of a
        function in no known section, a recursive call, and a target that never returns or leads back to the
        start of the code.
        """
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

    def _body(self, target: int) -> tuple[SassInstruction, ...]:
        if target in self._open:
            return ()
        if target not in self._bodies:
            self._open.add(target)
            self._bodies[target] = self._read(target)
            self._open.remove(target)
        return self._bodies[target]

    def _read(self, target: int) -> tuple[SassInstruction, ...]:
        starts = {block.first: number for number, block in enumerate(self._graph.blocks)}
        blocks = self._graph.reached(starts[target])
        spans = [self._graph.blocks[block] for block in sorted(blocks)]
        body = [one for span in spans for one in self._code.instructions[span.first : span.end]]
        if 0 in blocks or not any(one.opcode == RETURN for one in body):
            return ()
        return tuple(self.expanded(body))

    def _foreign(self, other: SassCode) -> tuple[SassInstruction, ...]:
        """Return the instructions of a called function that has a section of its own, callees included.
        Sections that the calls have already entered are not looked up again, so that recursion ends.
        """
        rest = [code for code in self._others.values() if code is not other]
        return tuple(Callees(other, graph_of(other), rest).expanded(other.instructions))
