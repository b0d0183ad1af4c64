"""Emit code for the positions of a plan, which are numbers, scalars of the program, and formulas of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.ir.value import Value
from tilewright.lowering.access_facts.corners import RangeCondition
from tilewright.lowering.access_facts.positions import Formula, Position
from tilewright.targets.elements.lanes import known_index
from tilewright.targets.llvm.code import Index, LlvmBuilder


class Formulas:
    """Emits the formulas of a plan, each once. ``scalar`` returns the emitted value of a scalar of the
    program; for a tile, of its element at the coordinates 0. ``known`` maps the ``id`` of positions to their
    emitted values, and is extended; None: nothing was emitted before.
    """

    def __init__(
        self, code: LlvmBuilder, scalar: Callable[[Value], Value], known: dict[int, Index] | None = None
    ) -> None:
        self.code = code
        self.scalar = scalar
        self._known: dict[int, Index] = {} if known is None else known
        """The emitted values by the identity of their formula, which the plan keeps alive."""

    def copy(self) -> Formulas:
        """Return a copy for one branch of the code: formulas that it emits do not dominate the code of the
        original.
        """
        return Formulas(self.code, self.scalar, dict(self._known))

    def __call__(self, position: Position) -> Index:
        """Return the value of `position`. Evaluation is iterative: chains of formulas may be longer than
        Python's stack is deep.
        """
        if isinstance(position, int):
            return position
        known, pending = self._known, [position]
        while pending:
            current = pending[-1]
            if id(current) in known:
                pending.pop()
            elif not isinstance(current, Formula):
                known[id(current)] = known_index(self.code, self.scalar(current))
            else:
                left, right = current.left, current.right
                waiting = [
                    part for part in (right, left) if not isinstance(part, int) and id(part) not in known
                ]
                pending += waiting
                if not waiting:
                    parts = (part if isinstance(part, int) else known[id(part)] for part in (left, right))
                    known[id(current)] = self.code.combine(current.operation, *parts)
        return known[id(position)]

    def all_of(self, positions: Sequence[Position]) -> tuple[Index, ...]:
        """Return the values of `positions`, in order."""
        return tuple(map(self, positions))

    def fit(self, fits: Sequence[RangeCondition]) -> list[Value]:
        """Emit the tests that positions are within their limits, inclusive, and return them as i1 values. A
        limit that is None needs no test.
        """
        tests: list[Value] = []
        for fit in fits:
            position = self(fit.position)
            if fit.least is not None:
                tests.append(self.code.compare("sge", position, fit.least))
            if fit.most is not None:
                tests.append(self.code.compare("sle", position, fit.most))
        return tests
