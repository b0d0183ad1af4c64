"""Products of matrices.

A block of the result that fits into registers goes once along the depth: for each word of it a few vectors of B, and
as many elements of A as there are rows, each repeated over the lanes.  Factors are packed first (`dot_pack`), straight
from the memory that they are loaded from.  What a product is added to is read, and the result written, once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.dialects.llvm import ops_arithmetic as llvm
from tilewright.ir.builtin_types import FloatType, f32, f64
from tilewright.ir.value import OpResult, Value
from tilewright.targets.cpu import roster
from tilewright.targets.cpu.buffer import Buffer, Coordinate, spread
from tilewright.targets.cpu.code import Code, Index, Loop
from tilewright.targets.cpu.dot_ahead import Place, Walk, panel_of_right, quotient, rows_of_left
from tilewright.targets.cpu.dot_factor import Factor, left_factor, right_factor
from tilewright.targets.cpu.dot_kinds import MICRO_KERNELS, MOST_VECTORS, Kind, kind_of
from tilewright.targets.cpu.dot_pack import Panels, Rows, Words
from tilewright.targets.cpu.elements import element_of, memory_type, shape_of, size_of
from tilewright.targets.cpu.elementwise_expression import Expression
from tilewright.targets.cpu.elementwise_rounding import convert, widen

if TYPE_CHECKING:
    from tilewright.targets.cpu.function import KernelEmitter


Vectors = Callable[[Index], Sequence[Value]]
"""The vectors of B for a word of the depth."""


def dot(emit: KernelEmitter, op: Any) -> None:
    """``c + a @ b`` in memory: that of ``c``, if nobody else wants it."""
    room = _room(emit, op)
    left, right = left_factor(op), right_factor(op)
    lanes = emit.target.vector_bytes // 4
    turned = right.width < lanes and right.width < left.width
    if turned:
        left, right = right, left
    _Product(emit, op, left, right, _Sums(emit, op, room, turned)).emit()
    emit.buffers[op.result] = room
    emit.overwritable.add(op.result)


def _room(emit: KernelEmitter, op: Any) -> Buffer:
    """Memory for the result."""
    replaced = _replaced(emit, op.c, op)
    return emit.buffers[replaced] if replaced is not None else emit.buffer_for(op.result)


def _replaced(emit: KernelEmitter, value: Value, user: Any) -> Value | None:
    """A tile in memory that is read for the last time, at the element that is written then."""
    if value in emit.buffers:
        mine = emit.may_overwrite(value, user)
        return value if mine and value.type is user.results[0].type else None
    if not isinstance(value, OpResult) or not value.has_one_use or not roster.keeps_place(value.owner):
        return None
    found = [_replaced(emit, operand, value.owner) for operand in value.owner.operands]
    return next((leaf for leaf in found if leaf is not None), None)


class _Sums:
    """What products are added to, and where the sums go; ``turned``: rows are columns."""

    def __init__(self, emit: KernelEmitter, op: Any, room: Buffer, turned: bool) -> None:
        self.emit = emit
        self.code: Code = emit.code
        self.op = op
        self.room = room
        self.turned = turned
        self.element = element_of(op.c.type)
        self.flag: Value | None = getattr(op, "accumulate", None)

    def _coordinates(self, batch: Index, row: Index, column: Coordinate) -> tuple[Coordinate, ...]:
        place = (column, Coordinate(row)) if self.turned else (Coordinate(row), column)
        return place if len(self.room.shape) == 2 else (Coordinate(batch), *place)

    def load(
        self, kind: Kind, batch: Index, places: Sequence[tuple[Index, Index]], lanes: int
    ) -> list[Value]:
        """What is added to at rows and columns."""
        point = self.emit.point(lanes, masked=False)
        found: list[Value] = []
        for row, column in places:
            at = self._coordinates(batch, row, Coordinate(column, lanes > 1))
            held = spread(self.code, point.lanes_at(self.op.c, at), lanes)
            found.append(self._if_wanted(self._widened(kind, held)))
        return found

    def _widened(self, kind: Kind, held: Value) -> Value:
        if self.element is kind.sum or not isinstance(kind.sum, FloatType):
            return held
        assert isinstance(self.element, FloatType)
        return widen(Expression(self.code, held), self.element).to_float(kind.sum).value

    def _if_wanted(self, value: Value) -> Value:
        """0 where the operation does not accumulate."""
        if self.flag is None:
            return value
        nothing = Expression(self.code, value).constant(0).value
        return self.code(llvm.SelectOp, self.emit.scalars[self.flag], value, nothing, type=value.type)

    def store(self, kind: Kind, batch: Index, place: tuple[Index, Index], value: Value, lanes: int) -> None:
        """Write sums, rounded to the type of the result."""
        if self.element is not kind.sum and isinstance(self.element, FloatType):
            value = convert(Expression(self.code, value), self.element).value
        at = self._coordinates(batch, place[0], Coordinate(place[1], lanes > 1))
        self.room.store(self.code, at, value, lanes)


class _Product:
    """Loops over blocks of the result that fit into registers."""

    def __init__(self, emit: KernelEmitter, op: Any, left: Factor, right: Factor, sums: _Sums) -> None:
        self.code: Code = emit.code
        self.sums = sums
        self.rows, self.columns = left.width, right.width
        shape = shape_of(op.result.type)
        self.batches = shape[0] if len(shape) > 2 else 1
        self.kind = _kind(emit, op, left, right)
        lanes = emit.target.vector_bytes // size_of(self.kind.word)
        self.lanes = min(lanes, self.columns)
        kernel = MICRO_KERNELS[emit.target.vector_bytes]
        self.height = min(kernel.rows, self.rows)
        self.vectors = min(kernel.sums // self.height, MOST_VECTORS, self.columns // self.lanes)
        self.words = left.length // self.kind.group
        self.unroll = min(kernel.unroll, self.words)
        once = self.rows <= 2 * self.height
        self.width = self.lanes * self.vectors
        self.left = Rows(emit, left, self.kind, lanes, self.rows)
        self.right = Panels(emit, right, self.kind, lanes, self.width, once=once)

    def emit(self) -> None:
        """Write the loops over matrices, panels of B and rows of A."""

        def matrix(batch: Index) -> None:
            left = self.left.in_place(batch, 0) or self.left.packed(batch, 0)
            self.code.each(self.columns // self.width, 1, lambda number: self._panel(batch, left, number))

        self.code.each(self.batches, 1, matrix)

    def _panel(self, batch: Index, left: Words, number: Index) -> None:
        """All rows of the result for one panel of B; the first rows are computed while that is packed."""
        words = self.right.in_place(batch, number)
        start: Index = 0
        if words is None and self.right.is_turned:
            words = self.right.packed(batch, number)
        if words is None:
            words = self.right.room
            start = self.right.first_use(
                batch, number, lambda vectors: self._block(batch, 0, number, left, vectors), self.height
            )
        held = words

        def rows(loop: Loop) -> Sequence[Value]:
            self._block(batch, loop.index, number, left, lambda word: self.right.read(held, word))
            return ()

        self.code.loop(start, self.rows, self.height, (), rows, may_be_empty=True)

    def _block(self, batch: Index, row: Index, number: Index, left: Words, right: Vectors) -> None:
        """One block of the result: into registers, along the depth, and back."""
        code = self.code
        rows = [code.add(row, at) for at in range(self.height)]
        column = code.multiply(number, self.width)
        columns = [code.add(column, at * self.lanes) for at in range(self.vectors)]
        places = [(down, along) for down in rows for along in columns]
        first = self.sums.load(self.kind, batch, places, self.lanes)
        walks = self._walks(row, number)
        starts = [self._address(left.address, code.multiply(down, left.across)) for down in rows]

        def words(loop: Loop) -> Sequence[Value]:
            sums: Sequence[Value] = loop.carried
            for walk in walks:
                walk.ask(code, quotient(code, loop.index, self.unroll))
            for at in range(self.unroll):
                word = code.add(loop.index, at)
                offset = code.multiply(word, left.depth)
                sums = self._added(sums, [self._address(start, offset) for start in starts], right(word))
            return sums

        last = code.loop(0, self.words, self.unroll, first, words)
        for place, value in zip(places, last, strict=True):
            self.sums.store(self.kind, batch, place, value, self.lanes)

    def _walks(self, row: Index, number: Index) -> list[Walk]:
        """What the loop along the depth asks for."""
        panels = self.columns // self.width
        at = Place(row, number, self.height, self.rows, panels)
        found: list[Walk] = []
        left, right = self.left.load(), self.right.load()
        if left is not None and self.left.along_depth and self.rows > self.height:
            found.append(rows_of_left(self.code, self.left.factor, left, at))
        if right is not None and panels > 1:
            along = self.right.along_depth
            found.append(
                panel_of_right(self.code, self.right.factor, right, at, self.width, along_depth=along)
            )
        return found

    def _address(self, base: Value, offset: Index) -> Value:
        return self.code.address(base, offset, memory_type(self.kind.held))

    def _added(self, sums: Sequence[Value], left: Sequence[Value], right: Sequence[Value]) -> list[Value]:
        """Sums with the products of one word of the depth."""
        code, kind, found = self.code, self.kind, list[Value]()
        for row, address in enumerate(left):
            word = code.load(address, kind.word, size_of(kind.held))
            repeated = spread(code, word, self.lanes)
            for at, vector in enumerate(right):
                found.append(kind.step(code, repeated, vector, sums[row * self.vectors + at]))
        return found


def _kind(emit: KernelEmitter, op: Any, left: Factor, right: Factor) -> Kind:
    """How the products of two factors are summed."""
    exact = left.scales is not None or f64 in (left.element, right.element)
    element = left.element if left.element is right.element else f32
    total = element_of(op.c.type)
    return kind_of(element, total, emit.target, right.width, left.length, exact=exact)
