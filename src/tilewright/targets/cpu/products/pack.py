"""Factors as the micro-kernel reads them.

A factor is packed into *panels*: several rows of A or columns of B, word after word of the depth, so that the words of
an iteration are contiguous.  A whose depth lies side by side in memory keeps that order: its words are read one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.dialects.llvm.ops_conversion import BitcastOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import VectorType, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.cpu.memory import access
from tilewright.targets.cpu.memory.buffer import LINE, Coordinate, store_apart, store_lanes
from tilewright.targets.cpu.nest.point import Point
from tilewright.targets.cpu.nest.transpose import transpose_square
from tilewright.targets.cpu.products.factor import Factor, over, runs_along_depth
from tilewright.targets.cpu.products.kinds import Kind
from tilewright.targets.elements.types import memory_type, register_type, size_of
from tilewright.targets.llvm.code import POINTER, Code, Index

if TYPE_CHECKING:
    from tilewright.targets.cpu.kernel.function import KernelEmitter

CROWDED = 2048
"""Rows that are a multiple of so many bytes apart compete for the same lines of the first cache."""
ROUND = 4
"""So many vectors of a row are packed in an iteration."""


@dataclass(frozen=True, slots=True)
class Words:
    """Where the words of a panel are: the address of the first, and how far, in elements, it is ``across`` to the next
    row of A or column of B, and along the ``depth`` to the next word."""

    address: Value
    across: Index
    depth: Index


class Packer:
    """Panels of a factor, ``width`` wide; ``lanes`` is how many words a vector has.

    There is memory for one panel: while it is used it stays in the first cache.  What needs no packing is read where it
    is: rows of A, and columns of B if each is read once.
    """

    def __init__(self, emit: KernelEmitter, factor: Factor, kind: Kind, lanes: int, width: int) -> None:
        self.emit = emit
        self.code: Code = emit.code
        self.factor = factor
        self.kind = kind
        self.lanes = min(lanes, width)
        self.width = width
        self.words = factor.length // kind.group
        for tile in factor.tiles:
            emit.prepare_tile(tile)
        self.along_depth = runs_along_depth(emit, factor)
        self.pack, self.room = self._prepare()

    def in_place(self, batch: Index, number: Index) -> Words | None:
        """A panel that is read where it is; those that reach over the edge of memory are packed."""
        buffer = self.emit.buffers.get(self.factor.value)
        if buffer is not None and self._may_read(buffer.element, buffer.strides):
            return self._there(buffer.address, buffer.strides, batch, number)
        load = self.load()
        if load is not None and self._may_read(load.element, load.strides):
            return self._loaded(load, batch, number)
        return None

    def packed(self, batch: Index, number: Index) -> Words:
        """Pack a panel."""

        def write(masked: bool) -> Sequence[Value]:
            self.pack(masked, batch, number)
            return ()

        over(self.emit, self.factor, write)
        return self.room

    # --- where panels are

    def _prepare(self) -> tuple[Callable[[bool, Index, Index], None], Words]:
        """How panels are packed, and where."""
        raise NotImplementedError

    def _may_read(self, element: Type, strides: Sequence[Index]) -> bool:
        """Whether elements are held, and lie, as the micro-kernel wants them."""
        return (
            register_type(element) is self.kind.held
            and self.factor.scales is None
            and self._lies_well(strides)
        )

    def _lies_well(self, strides: Sequence[Index]) -> bool:
        raise NotImplementedError

    def _room(self, count: int, across: int, depth: int) -> Words:
        return Words(self.emit.allocate((count,), self.kind.held).address, across, depth)

    def _there(self, address: Value, strides: Sequence[Index], batch: Index, number: Index) -> Words:
        """A panel that is read where it is."""
        code, across, depth = self.code, strides[self.factor.across], strides[self.factor.depth]
        offset = code.multiply(code.multiply(number, self.width), across)
        if self.factor.batch is not None:
            offset = code.add(offset, code.multiply(batch, strides[self.factor.batch]))
        place = code.address(address, offset, memory_type(self.kind.held))
        return Words(place, across, code.multiply(depth, self.kind.group))

    def load(self) -> access.Access | None:
        """The tile of memory that the factor is."""
        owner = self.factor.value.owner
        return self.emit.accesses.get(owner) if isinstance(owner, Operation) else None

    def _loaded(self, load: access.Access, batch: Index, number: Index) -> Words:
        """A tile of memory is read where it is, unless it reaches over the edge."""
        code, room = self.code, self.room

        def inside() -> Words:
            return self._there(load.origin, load.strides, batch, number)

        if load.inside is None:
            return inside()

        def packed() -> Words:
            self.pack(True, batch, number)
            return room

        address, across, depth = code.either(
            load.inside, lambda: self._values(inside()), lambda: self._values(packed()), (POINTER, i64, i64)
        )
        return self._with_known(Words(address, across, depth), load.strides)

    def _values(self, words: Words) -> Sequence[Value]:
        return words.address, self.code.value(words.across), self.code.value(words.depth)

    def _with_known(self, words: Words, strides: Sequence[Index]) -> Words:
        """Distances that are the same in both places are numbers."""
        group, room = self.kind.group, self.room
        across, depth = strides[self.factor.across], strides[self.factor.depth]
        same_across = across == room.across and isinstance(across, int)
        same_depth = isinstance(depth, int) and depth * group == room.depth
        return Words(
            words.address,
            room.across if same_across else words.across,
            room.depth if same_depth else words.depth,
        )

    # --- packing

    def _point(self, lanes: int, masked: bool) -> Point:
        return self.emit.point(lanes, masked=masked)

    def _held(self, point: Point, batch: Index, across: Coordinate, depth: Coordinate) -> Value:
        return self.factor.held_lanes(point, self.kind, batch, across, depth)

    def _store(self, value: Value, lanes: int, across: Index, depth: Index, within: Index = 0) -> None:
        """Elements into the room: ``within`` a word, or a row of words."""
        code, room = self.code, self.room
        offset = code.add(code.multiply(across, room.across), code.multiply(depth, room.depth))
        place = code.address(room.address, code.add(offset, within), memory_type(self.kind.held))
        store_lanes(code, value, place, self.kind.held, lanes)

    def _pack_panel(self, masked: bool, batch: Index, number: Index) -> None:
        """Lanes go across."""
        point = self._point(self.lanes, masked)
        step = min(self.width, ROUND * self.lanes)

        def columns(word: Index, column: Index) -> None:
            for at in range(0, step, self.lanes):
                along = self.code.add(column, at)
                vector = self._vector(point, batch, number, word, along)
                self._store(vector, self.lanes * self.kind.group, along, word)

        self.code.each(
            self.words, 1, lambda word: self.code.each(self.width, step, lambda column: columns(word, column))
        )

    def _vector(self, point: Point, batch: Index, number: Index, word: Index, column: Index) -> Value:
        """Lanes that go across; those of the elements of a word are mixed."""
        code, group = self.code, self.kind.group
        start, first = code.multiply(number, self.width), code.multiply(word, group)
        across = Coordinate(code.add(start, column), self.lanes > 1)
        depths = [Coordinate(code.add(first, each)) for each in range(group)]
        return mixed(code, [self._held(point, batch, across, depth) for depth in depths])

    def _pack_turned(self, masked: bool, batch: Index, number: Index) -> None:
        """Lanes go along the depth in memory, and across when packed: squares of words are transposed.

        Masked columns are packed one by one: at edges short code counts more than fast code.
        """
        code, lanes = self.code, self.lanes
        point = self._point(lanes * self.kind.group, masked)
        start = code.multiply(number, self.width)

        def row(column: Index, word: Index) -> Value:
            depth = Coordinate(code.multiply(word, self.kind.group), True)
            across = Coordinate(code.add(start, column))
            return self._cast(self._held(point, batch, across, depth), self.kind.word)

        step, pack = (1, self._column) if masked else (lanes, self._square)
        code.each(
            self.width,
            step,
            lambda column: code.each(self.words, lanes, lambda word: pack(row, column, word)),
        )

    def _square(self, row: Callable[[Index, Index], Value], column: Index, word: Index) -> None:
        """As many words as a vector has lanes, of as many columns."""
        rows = [row(self.code.add(column, at), word) for at in range(self.lanes)]
        for at, value in enumerate(transpose_square(self.code, rows)):
            held = self._cast(value, self.kind.held)
            self._store(held, self.lanes * self.kind.group, column, self.code.add(word, at))

    def _column(self, row: Callable[[Index, Index], Value], column: Index, word: Index) -> None:
        """As many words as a vector has lanes, of one column."""
        code, room = self.code, self.room
        assert isinstance(room.depth, int), "a panel has distances that are known"
        offset = code.add(code.multiply(column, room.across), code.multiply(word, room.depth))
        place = code.address(room.address, offset, memory_type(self.kind.held))
        distance = room.depth // self.kind.group
        store_apart(code, row(column, word), place, self.kind.word, self.lanes, distance)

    def _cast(self, value: Value, element: Type) -> Value:
        """Elements as words, or words as elements."""
        if self.kind.group == 1:
            return value
        count = self.lanes if element is self.kind.word else self.lanes * self.kind.group
        return self.code(BitcastOp, value, type=VectorType((count,), element))


class Panels(Packer):
    """Columns of B: a few vectors of each row, one below the other."""

    def __init__(
        self, emit: KernelEmitter, factor: Factor, kind: Kind, lanes: int, width: int, *, once: bool
    ) -> None:
        self.once = once
        super().__init__(emit, factor, kind, lanes, width)

    def _prepare(self) -> tuple[Callable[[bool, Index, Index], None], Words]:
        group = self.kind.group
        room = self._room(self.width * self.factor.length, group, self.width * group)
        is_square = self.along_depth and self.words >= self.lanes > 1 and self.factor.scales is None
        return self._pack_turned if is_square else self._pack_panel, room

    def _lies_well(self, strides: Sequence[Index]) -> bool:
        return (
            self.once
            and self.kind.group == 1
            and (strides[self.factor.across] == 1 or self.factor.width == 1)
        )


class Rows(Packer):
    """Rows of A: word after word, or, where rows lie apart in memory, the same word of all rows side by side."""

    def _prepare(self) -> tuple[Callable[[bool, Index, Index], None], Words]:
        group, length = self.kind.group, self.factor.length
        if not self.along_depth:
            return self._pack_panel, self._room(self.width * length, group, self.width * group)
        if length * size_of(self.kind.held) % CROWDED == 0:
            length += LINE // size_of(self.kind.held)
        return self._pack_rows, self._room(self.width * length, length, group)

    def _lies_well(self, strides: Sequence[Index]) -> bool:
        known = all(isinstance(stride, int) for stride in strides)
        return (
            strides[self.factor.depth] == 1
            or self.words == 1 == self.kind.group
            or (known and self.kind.group == 1)
        )

    def _pack_rows(self, masked: bool, batch: Index, number: Index) -> None:
        """Lanes go along the depth, in memory as well as packed."""
        code, length = self.code, self.factor.length
        block = self.factor.scales.block if self.factor.scales else length
        lanes = min(length, block, self.emit.target.vector_bytes // size_of(self.kind.held))
        step = min(length, lanes * ROUND)
        point = self._point(lanes, masked)

        def vectors(row: Index, start: Index) -> None:
            for at in range(0, step, lanes):
                depth = Coordinate(code.add(start, at), lanes > 1)
                value = self._held(point, batch, Coordinate(row), depth)
                self._store(value, lanes, row, 0, depth.base)

        code.each(self.width, 1, lambda row: code.each(length, step, lambda at: vectors(row, at)))


def mixed(code: Code, parts: Sequence[Value]) -> Value:
    """The lanes of two vectors in turn: the elements of words; one vector as it is."""
    if len(parts) == 1:
        return parts[0]
    first, second = parts
    if not isinstance(first.type, VectorType):
        first, second = code.broadcast(first, 1), code.broadcast(second, 1)
        return code.shuffle(first, second, (0, 1))
    lanes = first.type.shape[0]
    return code.shuffle(first, second, [at for lane in range(lanes) for at in (lane, lane + lanes)])
