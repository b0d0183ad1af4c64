"""Evaluation of tiles at a point of a loop nest: only the elements that are needed, and each once.

A value is asked for at coordinates.  Whatever its operation needs of its operands is asked for in turn, so a chain of
operations on tiles becomes straight code on the lanes of one round.  What depends on outer loops only is written in
front of the inner ones.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from tilewright.dialects.llvm.ops.arithmetic import AddOp
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.cpu.memory.buffer import Buffer, Coordinate, Coordinates
from tilewright.targets.elements.types import is_tile, memory_type
from tilewright.targets.llvm.code import Code, Index

T = TypeVar("T")
Request = tuple[Value, Coordinates]
"""Lanes of a tile that an evaluator asks for."""
Evaluated = Value | Generator[Request, Value, Value]
"""Lanes, or what computes them and asks for others by yielding them."""
Evaluator = Callable[["Point", Any, int, Coordinates], Evaluated]
"""Lanes of one result (by number) of an operation at coordinates."""


class _Evaluation:
    """Lanes that are being computed: where their code goes, and what the evaluator is at."""

    __slots__ = ("_code", "_front", "_key", "_known", "_location", "answer", "steps")

    def __init__(self, code: Code, known: dict[Request, Value], key: Request) -> None:
        self._code = code
        self._known = known
        self._key = key
        self._location = code.location
        self._front: AbstractContextManager[None] | None = None
        self.steps: Evaluated | None = None
        self.answer: Value | None = None

    def go_to_front(self, front: Operation | None) -> None:
        """Write in front of a loop until the end."""
        self._front = self._code.in_front_of(front)
        self._front.__enter__()

    def asks(self) -> Value | Request:
        """The lanes, or the ones that the evaluator needs before it can go on."""
        steps = self.steps
        assert steps is not None, "it has begun"
        if isinstance(steps, Value):
            found = steps
        else:
            try:
                return next(steps) if self.answer is None else steps.send(self.answer)
            except StopIteration as end:
                found = end.value
        self._known[self._key] = found
        return found

    def end(self) -> None:
        """Go back to where code was written before."""
        if self._front is not None:
            self._front.__exit__(None, None, None)
        self._code.location = self._location


def _level(coordinates: Coordinates) -> int:
    """In how many of the loops around lanes at coordinates change."""
    return max((coordinate.level for coordinate in coordinates), default=0)


class Point:
    """Where a loop nest is: the loops around, and what was computed for them."""

    def __init__(
        self,
        code: Code,
        lanes: int,
        evaluators: Mapping[type[Operation], Evaluator],
        scalars: Mapping[Value, Value],
        buffers: Mapping[Value, Buffer],
        *,
        masked: bool,
    ) -> None:
        self.code = code
        self.lanes = lanes
        self.evaluators = evaluators
        self.scalars = scalars
        self.buffers = buffers
        self.masked = masked
        self._known: list[dict[Request, Value]] = [{}]
        self._made: list[dict[Hashable, Any]] = [{}]
        self._fronts: list[Operation | None] = []

    @property
    def level(self) -> int:
        """How many loops are around."""
        return len(self._fronts)

    def enter(self, before: Operation | None) -> None:
        """A loop begins, into which ``before`` jumps."""
        self._fronts.append(before)
        self._known.append({})
        self._made.append({})

    def leave(self) -> None:
        """The innermost loop ends."""
        self._fronts.pop()
        self._known.pop()
        self._made.pop()

    def lanes_at(self, value: Value, coordinates: Coordinates) -> Value:
        """The lanes of a tile at coordinates, or a scalar: a vector, or one element that is the same for all lanes."""
        if not is_tile(value.type):
            return self.scalars[value]
        found = self._known[_level(coordinates)].get((value, coordinates))
        return self.computed(value, coordinates) if found is None else found

    def computed(self, value: Value, coordinates: Coordinates) -> Value:
        """Lanes that are not known yet.  Evaluators ask for lanes by yielding: chains are longer than Python's stack."""
        pending = [self._begun(value, coordinates)]
        try:
            while True:
                asked = pending[-1].asks()
                if isinstance(asked, Value):
                    pending.pop().end()
                    if not pending:
                        return asked
                    pending[-1].answer = asked
                elif not is_tile(asked[0].type):
                    pending[-1].answer = self.scalars[asked[0]]
                else:
                    known = self._known[_level(asked[1])].get(asked)
                    pending[-1].answer = known
                    if known is None:
                        pending.append(self._begun(*asked))
        finally:
            while pending:
                pending.pop().end()

    def once(self, key: Hashable, level: int, make: Callable[[], T]) -> T:
        """What ``make`` makes, once for each round of the loops up to a level, in front of the inner ones."""
        known = self._made[level]
        if key not in known:
            with self.code.in_front_of(self._fronts[level] if level < self.level else None):
                known[key] = make()
        return known[key]

    def set(self, value: Value, coordinates: Coordinates, lanes: Value) -> None:
        """Say what the lanes of a tile at coordinates are."""
        level = max((coordinate.level for coordinate in coordinates), default=0)
        self._known[level][value, coordinates] = lanes

    def anchored(
        self, origin: Value, coordinates: Coordinates, strides: Sequence[Index], element: Type
    ) -> tuple[Value, Coordinates]:
        """An address, and coordinates behind it: what stays the same in the innermost loop is part of the address."""
        levels = {coordinate.level for coordinate in coordinates}
        top = max(levels, default=0)
        outer = tuple(
            (coordinate.base, stride)
            for coordinate, stride in zip(coordinates, strides, strict=True)
            if coordinate.level < top and coordinate.base != 0
        )
        if not outer:
            return origin, coordinates
        level = max(levels - {top})
        make = partial(self._behind, origin, outer, element)
        address = self.once((origin, outer, element), level, make)
        inner = [at if at.level == top else Coordinate(0, at.lanes) for at in coordinates]
        return address, tuple(inner)

    def _behind(self, origin: Value, steps: Sequence[tuple[Index, Index]], element: Type) -> Value:
        offset: Index = 0
        for base, stride in steps:
            offset = self.code.add(offset, self.code.multiply(base, stride))
        return self.code.address(origin, offset, memory_type(element))

    def settled(self, buffer: Buffer, coordinates: Coordinates) -> tuple[Buffer, Coordinates]:
        """The part of a tile in memory that does not change in the innermost loop, and coordinates in it."""
        address, inner = self.anchored(buffer.address, coordinates, buffer.strides, buffer.element)
        return (buffer if address is buffer.address else replace(buffer, address=address)), inner

    def _begun(self, value: Value, coordinates: Coordinates) -> _Evaluation:
        """Begin to compute lanes, in front of the loops that do not change them."""
        level = _level(coordinates)
        made = _Evaluation(self.code, self._known[level], (value, coordinates))
        if level < self.level:
            made.go_to_front(self._fronts[level])
        buffer = self.buffers.get(value)
        if buffer is not None:
            settled, inner = self.settled(buffer, coordinates)
            made.steps = settled.load(self.code, inner, self.lanes)
            return made
        op: Any = value.owner
        self.code.location = op.lazy_location
        made.steps = self.evaluators[op.__class__](self, op, value.index, coordinates)
        return made

    def vector_index(self, base: Index) -> Value:
        """Consecutive positions from ``base`` on as a vector of 64-bit numbers."""
        steps = self.code.steps(self.lanes)
        if base == 0:
            return steps
        return self.code(AddOp, self.code.broadcast(self.code.value(base), self.lanes), steps)
