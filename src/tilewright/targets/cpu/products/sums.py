"""The accumulator of a product, and the memory of its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.ir.builtin_types import FloatType
from tilewright.ir.value import Value
from tilewright.targets.cpu.machine.product_kinds import ProductKind
from tilewright.targets.cpu.memory.buffer import Coordinate, Coordinates, TileBuffer, spread
from tilewright.targets.cpu.nest.block_code import BlockCode
from tilewright.targets.elements.element_types import element_of, vector
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.rounding import convert, widen
from tilewright.targets.llvm.code import Index, LlvmBuilder


class ProductAccumulation:
    """Adds sums of products to the accumulator ``op.c``, and writes the total to ``result``. With
    ``is_transposed`` the sums have rows and columns swapped.
    """

    def __init__(
        self, emit: BlockCode, op: DotOp, result: TileBuffer, kind: ProductKind, *, is_transposed: bool
    ) -> None:
        self.emit = emit
        self.code: LlvmBuilder = emit.code
        self.op = op
        self.result = result
        self.kind = kind
        self.is_transposed = is_transposed
        self.element = element_of(op.c.type)
        self.flag: Value | None = op.accumulate

    def nothing(self, lanes: int) -> Value:
        """Return zero in the type of a vector of `lanes` sums; a scalar for one lane."""
        type = vector(self.kind.sum, lanes)
        return self.code.float(0.0, type) if self._is_float else self.code.integer(0, type)

    def add(self, start: tuple[Index, Index, Index], sums: Sequence[Value], vectors: int, lanes: int) -> None:
        """Add `sums`, vectors of products row by row, to a block of the accumulator, round the totals to the
        element type, and write them to the result.

        The block starts at the matrix, row and column of `start`; each of its rows has `vectors` vectors of
        `lanes` lanes.
        """
        result, before = self._block(self.result, start), self._before(start, lanes)
        places = [self._at((0, *divmod(at, vectors)), lanes) for at in range(len(sums))]
        held = [spread(self.code, before(at), lanes) for at in places]
        for at, value, found in zip(places, sums, held, strict=True):
            total = self._added(self._if_wanted(self._widened(found)), value)
            result.store(self.code, at, self._rounded(total), lanes)

    def _before(self, start: tuple[Index, Index, Index], lanes: int) -> Callable[[Coordinates], Value]:
        """Return a function that emits a vector of `lanes` elements of the accumulator at coordinates in the
        block that begins at the matrix, row and column of `start`: loaded from memory, or computed.
        """
        held = self.emit.buffers.get(self.op.c)
        if held is not None:
            block = self._block(held, start)
            return lambda at: block.load(self.code, at, lanes)
        point, origin = self.emit.point(lanes, masked=False), self._coordinates(start)

        def computed(at: Coordinates) -> Value:
            moved = [
                replace(to, base=self.code.add(by.base, to.base)) for by, to in zip(origin, at, strict=True)
            ]
            return point.lanes_at(self.op.c, tuple(moved))

        return computed

    def _block(self, result: TileBuffer, start: tuple[Index, Index, Index]) -> TileBuffer:
        """Return the part of the buffer `result` from the matrix, row and column of `start` to its end."""
        return replace(result, address=result.place(self.code, self._coordinates(start))[0])

    def _at(self, place: tuple[int, int, int], lanes: int) -> Coordinates:
        """Return the coordinates of a vector, given as (matrix, row, number of the vector in its row)."""
        batch, row, vector = place
        return self._coordinates((batch, row, vector * lanes), lanes > 1)

    def _coordinates(self, place: tuple[Index, Index, Index], has_lanes: bool = False) -> Coordinates:
        batch, row, column = place
        pair = (Coordinate(row), Coordinate(column, has_lanes))
        pair = (pair[1], pair[0]) if self.is_transposed else pair
        return pair if len(self.result.shape) == 2 else (Coordinate(batch), *pair)

    @property
    def _is_float(self) -> bool:
        return isinstance(self.kind.sum, FloatType)

    def _widened(self, held: Value) -> Value:
        if self.element is self.kind.sum or not isinstance(self.kind.sum, FloatType):
            return held
        assert isinstance(self.element, FloatType)
        return widen(Expression(self.code, held), self.element).to_float(self.kind.sum).value

    def _if_wanted(self, value: Value) -> Value:
        """Return `value`, an accumulator, if the flag of the operation says at run time that it accumulates;
        else 0.
        """
        if self.flag is None:
            return value
        nothing = Expression(self.code, value).constant(0).value
        return self.code(llvm.SelectOp, self.emit.scalars[self.flag], value, nothing, type=value.type)

    def _added(self, before: Value, sums: Value) -> Value:
        if self._is_float:
            return self.code(llvm.FAddOp, before, sums, type=sums.type)
        return self.code.sum(before, sums)

    def _rounded(self, total: Value) -> Value:
        if self.element is self.kind.sum or not isinstance(self.element, FloatType):
            return total
        return convert(Expression(self.code, total), self.element).value
