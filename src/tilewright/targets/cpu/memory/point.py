"""Computes the elements of tiles at a point of a loop nest: only the elements that are needed, and each once.

`lanes_at` requests a value at coordinates. The evaluator of its operation requests its operands in turn, so a
chain of operations on tiles becomes straight-line code on the lanes of one iteration. Values that depend on
outer loops only are hoisted before the inner loops.
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
from tilewright.targets.cpu.memory.buffer import Coordinate, Coordinates, TileBuffer
from tilewright.targets.elements.element_types import is_tile, memory_type
from tilewright.targets.llvm.code import Index, LlvmBuilder

T = TypeVar("T")
Request = tuple[Value, Coordinates]
"""The lanes of a tile that an evaluator requests."""
Evaluated = Value | Generator[Request, Value, Value]
"""Lanes, or a generator that computes them and requests other lanes by yielding."""
Evaluator = Callable[["NestPoint", Any, int, Coordinates], Evaluated]
"""Compute the lanes of one result (by number) of an operation at coordinates."""


class _Evaluation:
    """Lanes that are being computed: the insertion point of their code, and the state of the evaluator."""

    __slots__ = ("_code", "_front", "_key", "_known", "_location", "answer", "steps")

    def __init__(self, code: LlvmBuilder, known: dict[Request, Value], key: Request) -> None:
        self._code = code
        self._known = known
        self._key = key
        self._location = code.location
        self._front: AbstractContextManager[None] | None = None
        self.steps: Evaluated | None = None
        self.answer: Value | None = None

    def go_to_front(self, front: Operation | None) -> None:
        """Set the insertion point before the loop that the jump `front` enters, until `end`."""
        self._front = self._code.in_front_of(front)
        self._front.__enter__()

    def asks(self) -> Value | Request:
        """Run the evaluator on: return the next lanes that it requests, or its result when it has ended."""
        steps = self.steps
        assert steps is not None, "the evaluation has begun"
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
        """Restore the insertion point."""
        if self._front is not None:
            self._front.__exit__(None, None, None)
        self._code.location = self._location


def _level(coordinates: Coordinates) -> int:
    """Return the number of surrounding loops, counted from the outermost, that can change the lanes at
    coordinates: 0 if none can.
    """
    return max((coordinate.level for coordinate in coordinates), default=0)


class NestPoint:
    """The position in a loop nest: the surrounding loops, and the values that were computed for them. A
    vector has ``lanes`` elements. With ``masked``, elements at the position may not exist. ``evaluators`` has
    the `Evaluator` of each class of operations whose elements are computed here; ``scalars`` and ``buffers``
    have the other values, and tiles that are read from memory.
    """

    def __init__(
        self,
        code: LlvmBuilder,
        lanes: int,
        evaluators: Mapping[type[Operation], Evaluator],
        scalars: Mapping[Value, Value],
        buffers: Mapping[Value, TileBuffer],
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
        """Return the number of surrounding loops."""
        return len(self._fronts)

    def enter(self, before: Operation | None) -> None:
        """Add a loop to the surrounding loops; the loop was emitted, and ``before`` is the branch into it.
        Emits nothing.
        """
        self._fronts.append(before)
        self._known.append({})
        self._made.append({})

    def leave(self) -> None:
        """Forget the innermost loop, and the values that were computed in it, after its body was emitted.
        Emits nothing.
        """
        self._fronts.pop()
        self._known.pop()
        self._made.pop()

    def lanes_at(self, value: Value, coordinates: Coordinates) -> Value:
        """Return the lanes of a tile at coordinates, as they are known in the surrounding loops or else from
        `computed`; or the value of a scalar. The lanes are a vector, or a scalar that all lanes share.
        """
        if not is_tile(value.type):
            return self.scalars[value]
        found = self._known[_level(coordinates)].get((value, coordinates))
        return self.computed(value, coordinates) if found is None else found

    def computed(self, value: Value, coordinates: Coordinates) -> Value:
        """Return the lanes of the tile `value` at coordinates, computed by its evaluator or read from its
        buffer. Evaluators request lanes of operands by yielding: chains are longer than Python's stack.
        """
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
        """Return the result of ``make``, which is called once for each ``key`` and `level`.

        Its code is emitted inside of the outermost `level` loops, before the loops inside of them.
        """
        known = self._made[level]
        if key not in known:
            with self.code.in_front_of(self._fronts[level] if level < self.level else None):
                known[key] = make()
        return known[key]

    def set(self, value: Value, coordinates: Coordinates, lanes: Value) -> None:
        """Use `lanes` as the lanes of the tile `value` at `coordinates`, instead of computing them, until the
        innermost loop that changes the coordinates is left.
        """
        level = max((coordinate.level for coordinate in coordinates), default=0)
        self._known[level][value, coordinates] = lanes

    def anchored(
        self, origin: Value, coordinates: Coordinates, strides: Sequence[Index], element: Type
    ) -> tuple[Value, Coordinates]:
        """Return an address, and coordinates relative to it, for the element of a tile at `coordinates`.

        Coordinates that the innermost loop does not change are added to the address, outside of that loop.
        """
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

    def hoisted(self, buffer: TileBuffer, coordinates: Coordinates) -> tuple[TileBuffer, Coordinates]:
        """Return a buffer, and coordinates in it, for the element of `buffer` at `coordinates`. Coordinates
        that the innermost loop does not change are added to the address of the buffer, outside of that loop.
        """
        address, inner = self.anchored(buffer.address, coordinates, buffer.strides, buffer.element)
        return (buffer if address is buffer.address else replace(buffer, address=address)), inner

    def _begun(self, value: Value, coordinates: Coordinates) -> _Evaluation:
        """Set the insertion point for the lanes of a value, before the loops that do not change them; return
        their evaluation.
        """
        level = _level(coordinates)
        made = _Evaluation(self.code, self._known[level], (value, coordinates))
        if level < self.level:
            made.go_to_front(self._fronts[level])
        buffer = self.buffers.get(value)
        if buffer is not None:
            hoisted, inner = self.hoisted(buffer, coordinates)
            made.steps = hoisted.load(self.code, inner, self.lanes)
            return made
        op: Any = value.owner
        self.code.location = op.lazy_location
        made.steps = self.evaluators[op.__class__](self, op, value.index, coordinates)
        return made

    def vector_index(self, base: Index) -> Value:
        """Return the consecutive indices from ``base`` on, one for each lane of the point, as a vector of
        64-bit numbers.
        """
        steps = self.code.steps(self.lanes)
        if base == 0:
            return steps
        return self.code(AddOp, self.code.broadcast(self.code.value(base), self.lanes), steps)
