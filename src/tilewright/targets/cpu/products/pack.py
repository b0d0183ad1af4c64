"""Factors in the layout that the micro-kernel reads.

A factor is packed into *panels*: several rows of A or columns of B, word after word of the depth, so that the
words of an iteration are contiguous. If the depth of A is contiguous in memory, A keeps that order: its words
are read individually.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tilewright.dialects.llvm.ops import arithmetic as llvm, conversion as llvm_conversion
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, VectorType, f64, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.cpu.machine.product_kinds import ProductKind
from tilewright.targets.cpu.memory import access
from tilewright.targets.cpu.memory.buffer import Coordinate, spread, store_apart, store_lanes
from tilewright.targets.cpu.memory.point import NestPoint
from tilewright.targets.cpu.nest import block_code, shape, transpose
from tilewright.targets.cpu.plan.products import FactorPlan, FactorSource, FactorTile, Packing
from tilewright.targets.elements import expression, rounding as elements_rounding
from tilewright.targets.elements.element_types import (
    element_of,
    memory_type,
    register_type,
    shape_of,
    size_of,
)
from tilewright.targets.llvm.code import POINTER, Index, LlvmBuilder


def factor_lanes(
    factor: FactorTile,
    point: NestPoint,
    kind: ProductKind,
    batch: Index,
    across: Coordinate,
    depth: Coordinate,
) -> Value:
    """Return the lanes of a factor in the matrix `batch`, at the coordinates `across` (the row of A or column
    of B) and `depth`, multiplied by its scales, in the element type of the packed factor.
    """
    code = point.code
    lanes = point.lanes_at(factor.value, _coordinates(factor, batch, across, depth))
    held = spread(code, _as_held(code, lanes, factor.element, kind, factor.signed), point.lanes)
    if factor.scales is None:
        return held
    block = replace(depth, base=_divided(code, depth.base, factor.scales.block), lanes=False)
    scale = point.lanes_at(factor.scales.value, _coordinates(factor, batch, across, block))
    scaling = _as_held(code, scale, element_of(factor.scales.value.type), kind, factor.signed)
    return code(llvm.FMulOp, held, spread(code, scaling, point.lanes), type=held.type)


def _coordinates(
    factor: FactorTile, batch: Index, across: Coordinate, depth: Coordinate
) -> tuple[Coordinate, ...]:
    found = [shape.ORIGIN] * len(shape_of(factor.value.type))
    found[factor.across], found[factor.depth] = across, depth
    if factor.batch is not None:
        found[factor.batch] = Coordinate(batch)
    return tuple(found)


def _as_held(code: LlvmBuilder, lanes: Value, element: Type, kind: ProductKind, signed: bool) -> Value:
    if register_type(element) is kind.held:
        return lanes
    if not isinstance(element, FloatType):
        return expression.Expression(code, lanes).extended(kind.held, signed=signed).value
    wide = elements_rounding.widen(expression.Expression(code, lanes), element)
    return (wide.to_float(f64) if kind.held is f64 else wide).value


def _divided(code: LlvmBuilder, index: Index, block: int) -> Index:
    if isinstance(index, int):
        return index // block
    return index if block == 1 else code(llvm.LShrOp, index, code.integer(block.bit_length() - 1))


ROUND = 4
"""How many vectors of a row an iteration packs."""


@dataclass(frozen=True, slots=True)
class PanelWords:
    """The words of a panel in memory.

    ``address`` is the address of the first word. ``across`` is the distance to the next row of A or column of
    B, ``depth`` the distance to the next word along the depth, both in elements.
    """

    address: Value
    across: Index
    depth: Index


class PanelPacker:
    """Panels of a factor, read in place or packed, as planned.

    There is memory for one panel, which stays in the first-level cache while it is used. Factors that need no
    packing are read in place: rows of A, and columns of B if each is read once.
    """

    def __init__(self, emit: block_code.BlockCode, plan: FactorPlan, kind: ProductKind) -> None:
        self.emit = emit
        self.code: LlvmBuilder = emit.code
        self.plan = plan
        self.factor = plan.factor
        self.kind = kind
        self.lanes, self.width, self.words = plan.lanes, plan.width, plan.words
        for root in plan.roots:
            emit.prepare(*root.accesses)
        self.buffer = PanelWords(emit.address_of(plan.slot), plan.across, plan.depth)
        ways = {
            Packing.ROWS: self._pack_rows,
            Packing.PANELS: self._pack_panel,
            Packing.SQUARES: self._pack_transposed,
        }
        self._pack = ways[plan.packing]

    def panel(self, batch: Index, number: Index) -> PanelWords:
        """Return panel `number` of the factor in matrix number `batch`, read in place or packed by code that
        is emitted here, as the plan says.
        """
        if self.plan.source is FactorSource.PACKED:
            return self.packed(batch, number)
        if self.plan.source is FactorSource.TILE:
            buffer = self.emit.buffers[self.factor.value]
            return self._panel_in_place(buffer.address, buffer.strides, batch, number)
        load = self.load()
        if self.plan.source is FactorSource.ARRAY:
            return self._panel_in_place(load.origin, load.strides, batch, number)
        return self._inside_or_packed(load, batch, number)

    def packed(self, batch: Index, number: Index) -> PanelWords:
        """Pack panel `number` of the factor in matrix number `batch`, without masks if the factor and its
        scales are in bounds, else with masks. Return its words in the memory of the packed panel.
        """

        def write(masked: bool) -> Sequence[Value]:
            self._pack(masked, batch, number)
            return ()

        self.emit.masked_at_edges(self.plan.roots, write, is_masked=self.plan.is_masked)
        return self.buffer

    # --- addresses of panels

    def _panel_in_place(
        self, address: Value, strides: Sequence[Index], batch: Index, number: Index
    ) -> PanelWords:
        """Return panel `number` of a factor that is read in place, at `address` with `strides` in elements."""
        code, across, depth = self.code, strides[self.factor.across], strides[self.factor.depth]
        offset = code.multiply(code.multiply(number, self.width), across)
        if self.factor.batch is not None:
            offset = code.add(offset, code.multiply(batch, strides[self.factor.batch]))
        place = code.address(address, offset, memory_type(self.kind.held))
        return PanelWords(place, across, code.multiply(depth, self.kind.group))

    def load(self) -> access.MemoryTile:
        """Return the tile of memory from which the factor is loaded, which must be the result of a load."""
        owner = self.factor.value.owner
        assert isinstance(owner, Operation), "the factor is loaded"
        return self.emit.accesses[owner]

    def _inside_or_packed(self, load: access.MemoryTile, batch: Index, number: Index) -> PanelWords:
        """Return panel `number` of the factor in matrix number `batch`, read in place from the tile `load` if
        that is in bounds at run time, else packed.
        """
        code, buffer, emit = self.code, self.buffer, self.emit
        rows = emit.row_conditions(self.plan.roots)
        assert load.inside is not None, "the tile may be out of bounds"

        def inside() -> PanelWords:
            return self._panel_in_place(load.origin, load.strides, batch, number)

        def packed() -> PanelWords:
            emit.pointers.by_rows(rows, write)
            return buffer

        def write() -> Sequence[Value]:
            self._pack(True, batch, number)
            return ()

        address, across, depth = code.either(
            load.inside, lambda: self._values(inside()), lambda: self._values(packed()), (POINTER, i64, i64)
        )
        return self._with_known(PanelWords(address, across, depth), load.strides)

    def _values(self, words: PanelWords) -> Sequence[Value]:
        return words.address, self.code.value(words.across), self.code.value(words.depth)

    def _with_known(self, words: PanelWords, strides: Sequence[Index]) -> PanelWords:
        """Return `words` with constant distances where the panel read in place and the packed panel have the
        same.
        """
        group, buffer = self.kind.group, self.buffer
        across, depth = strides[self.factor.across], strides[self.factor.depth]
        same_across = across == buffer.across and isinstance(across, int)
        same_depth = isinstance(depth, int) and depth * group == buffer.depth
        return PanelWords(
            words.address,
            buffer.across if same_across else words.across,
            buffer.depth if same_depth else words.depth,
        )

    # --- packing

    def _point(self, lanes: int, masked: bool) -> NestPoint:
        return self.emit.point(lanes, masked=masked)

    def _held(self, point: NestPoint, batch: Index, across: Coordinate, depth: Coordinate) -> Value:
        return factor_lanes(self.factor, point, self.kind, batch, across, depth)

    def _store(self, value: Value, lanes: int, across: Index, depth: Index, within: Index = 0) -> None:
        """Store `lanes` elements of the packed panel, from row or column `across` and word `depth` on.

        ``within`` is an offset inside of the word, or of the row of words, in elements.
        """
        code, buffer = self.code, self.buffer
        offset = code.add(code.multiply(across, buffer.across), code.multiply(depth, buffer.depth))
        place = code.address(buffer.address, code.add(offset, within), memory_type(self.kind.held))
        store_lanes(code, value, place, self.kind.held, lanes)

    def _pack_rows(self, masked: bool, batch: Index, number: Index) -> None:
        """Pack all rows of the left factor, its only panel, with masks if `masked`; lanes run along the
        depth, in memory as well as in the panel. ``number`` is not used.
        """
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

    def _pack_panel(self, masked: bool, batch: Index, number: Index) -> None:
        """Pack panel `number` of the matrix `batch` word by word, with masks if `masked`: a vector holds one
        word of several rows of A or columns of B.
        """
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

    def _vector(self, point: NestPoint, batch: Index, number: Index, word: Index, column: Index) -> Value:
        """Return word number `word` of consecutive rows of A or columns of B of panel `number`, from `column`
        on, as a vector of elements. The elements of a word are neighbouring lanes.
        """
        code, group = self.code, self.kind.group
        start, first = code.multiply(number, self.width), code.multiply(word, group)
        across = Coordinate(code.add(start, column), self.lanes > 1)
        depths = [Coordinate(code.add(first, each)) for each in range(group)]
        return mixed(code, [self._held(point, batch, across, depth) for depth in depths])

    def _pack_transposed(self, masked: bool, batch: Index, number: Index) -> None:
        """Pack the panel `number`; lanes run along the depth in memory and across in the panel: squares of
        words are transposed.

        If `masked`, columns are packed individually: at edges, small code matters more than fast code.
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
        """Pack a square of words: from word `word` on, as many words as a vector has lanes, of as many
        columns from `column` on. ``row`` returns the vector of words of a column from a word on.
        """
        rows = [row(self.code.add(column, at), word) for at in range(self.lanes)]
        for at, value in enumerate(transpose.transpose_square(self.code, rows)):
            held = self._cast(value, self.kind.held)
            self._store(held, self.lanes * self.kind.group, column, self.code.add(word, at))

    def _column(self, row: Callable[[Index, Index], Value], column: Index, word: Index) -> None:
        """Pack as many words of one column as a vector has lanes, from word `word` on. ``row`` returns the
        vector of words of a column from a word on.
        """
        code, buffer = self.code, self.buffer
        assert isinstance(buffer.depth, int), "the distances of a panel are constant"
        offset = code.add(code.multiply(column, buffer.across), code.multiply(word, buffer.depth))
        place = code.address(buffer.address, offset, memory_type(self.kind.held))
        distance = buffer.depth // self.kind.group
        store_apart(code, row(column, word), place, self.kind.word, self.lanes, distance)

    def _cast(self, value: Value, element: Type) -> Value:
        """Return vectors of elements as words, if `element` is the type of a word, or words as elements; the
        bits are the same.
        """
        if self.kind.group == 1:
            return value
        count = self.lanes if element is self.kind.word else self.lanes * self.kind.group
        return self.code(llvm_conversion.BitcastOp, value, type=VectorType((count,), element))


def mixed(code: LlvmBuilder, parts: Sequence[Value]) -> Value:
    """Return the interleaved lanes of two or four vectors (or scalars); a single vector is unchanged.

    For example, ``(a0, a1)`` and ``(b0, b1)`` give ``(a0, b0, a1, b1)``: the elements of two words.
    """
    if len(parts) == 1:
        return parts[0]
    if len(parts) > 2:
        parts = mixed(code, parts[0::2]), mixed(code, parts[1::2])
    first, second = parts
    if not isinstance(first.type, VectorType):
        first, second = code.broadcast(first, 1), code.broadcast(second, 1)
        return code.shuffle(first, second, (0, 1))
    lanes = first.type.shape[0]
    return code.shuffle(first, second, [at for lane in range(lanes) for at in (lane, lane + lanes)])
