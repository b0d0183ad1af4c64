"""Products of matrices by multiplication and addition: the way of every GPU and every type of elements.

The factors, and the scales of their blocks, go to shared memory.  Each thread computes the elements of the result that it
holds, all in one loop over the common dimension; elements of a factor that several of them need are read once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import gcd

from tilewright.dialects.llvm.intrinsics.float import FMAOp
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.nv_tileaa.attributes import Signedness
from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.dialects.scf.ops_loop import ForOp, YieldOp
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_types import FloatType, f32, f64, i8, i32
from tilewright.ir.value import Value
from tilewright.layouts.layout import Layout
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.rounding import convert, widen
from tilewright.targets.elements.types import bytes_of, element_of, register_type, shape_of, size_of
from tilewright.targets.nvptx.body.code import PatternCode, stored_type
from tilewright.targets.nvptx.body.exchange import ALIGNMENT, meet, moves_of, scratch, write_tile
from tilewright.targets.nvptx.body.pattern import Registers, TilePattern, distribution
from tilewright.targets.nvptx.body.vectors import read_neighbours, together

Row = Callable[[Type, Type], tuple[Layout, int]]
"""From a factor and the result: where the row or column begins that an element of the result needs, and its steps."""
OF_MATRIX = slice(-2, None)
"""The dimensions of a tile without that of the batch."""


@dataclass(frozen=True, slots=True)
class Factor:
    """A tile in shared memory that has one element for each ``block`` products of a sum.

    - ``begin``, ``known``: where the row of A or the column of B begins that each register needs, in elements: a number of
      this thread, and a known distance for each register.
    - ``together``: so many of these are read at once.
    - ``step``: how far the elements of a row (or column) are apart.
    - ``scale``: what the elements are multiplied by.
    """

    base: Value
    element: Type
    begin: Value
    known: Sequence[int]
    together: int
    step: int
    block: int
    sign: Signedness | None = None
    scale: Factor | None = None

    def read(self, code: PatternCode, counter: Value, summed: Type) -> list[Value]:
        """The element that each register needs for one product, in the type of the sums; equal ones are read once."""
        number = code.bits_from(counter, self.block.bit_length() - 1)
        first = code.index(code.sum(self.begin, code.times(number, self.step)))
        place = code.pointer(self.base, first, stored_type(self.element))
        read = read_neighbours(code, place, self.known, self.element, self.together)
        found = {
            offset: widened(code, value, self.element, summed, self.sign)
            for offset, value in dict(zip(self.known, read, strict=True)).items()
        }
        elements = [found[offset] for offset in self.known]
        if self.scale is None:
            return elements
        scales = self.scale.read(code, counter, summed)
        return [code(llvm.FMulOp, *pair) for pair in zip(elements, scales, strict=True)]


class MultiplyAdd(TilePattern[DotOp]):
    """See the head of this file."""

    def lower(self, op: DotOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        element = element_of(op.result.type)
        summed = summed_type(element, scaled=op.sfa is not None)
        left, right = self._factors(op, at, code)
        given = [widened(code, value, element, summed) for value in at.c]
        if op.accumulate is not None:
            (wanted,) = at.accumulate
            given = [code(llvm.SelectOp, wanted, value, code.zero(summed), type=summed) for value in given]
        made = self._loop(code, (left, right), shape_of(op.a.type)[-1], given)
        return [[narrowed(code, value, element) for value in made]]

    def _factors(self, op: DotOp, at: Adaptor, code: PatternCode) -> Iterator[Factor]:
        """Write both factors and their scales, and say where this thread finds what it needs."""
        given = [
            (tile, values)
            for tile, values in ((op.a, at.a), (op.b, at.b), (op.sfa, at.sfa), (op.sfb, at.sfb))
            if tile is not None
        ]
        ends = list(accumulate(-(-bytes_of(tile.type) // ALIGNMENT) * ALIGNMENT for tile, _ in given))
        base = scratch(code, op, ends[-1])
        bases = [base, *(code.pointer(base, end, i8) for end in ends[:-1])]
        meet(code)
        for place, (tile, values) in zip(bases, given, strict=True):
            write_tile(code, place, distribution(tile.type), values, element_of(tile.type))
        meet(code)
        depth = shape_of(op.a.type)[-1]
        found = [
            _factor(code, place, tile.type, op.result.type, row, depth)
            for row, place, (tile, _) in zip((_row_of_left, _column_of_right) * 2, bases, given, strict=False)
        ]
        for side, sign in enumerate((op.signedness_a, op.signedness_b)):
            scale = found[side + 2] if op.sfa is not None else None
            yield replace(found[side], sign=sign, scale=scale)

    def _loop(
        self, code: PatternCode, factors: tuple[Factor, Factor], depth: int, given: Registers
    ) -> Registers:
        """One iteration for each product of a sum."""
        types = [value.type for value in given]
        body = Block([i32, *types])
        begin, end, step = (code.integer(number, i32) for number in (0, depth, 1))
        loop = ForOp(
            begin,
            end,
            step,
            tuple(given),
            unsignedCmp=False,
            region=Region([body]),
            result_types=types,
            location=code.location,
        )
        code.rewriter.insert(loop)
        with code.rewriter.at(InsertionPoint(body)):
            counter, *sums = body.arguments
            left, right = (factor.read(code, counter, types[0]) for factor in factors)
            made = [multiply_add(code, *row) for row in zip(left, right, sums, strict=True)]
            code.rewriter.insert(YieldOp(tuple(made), location=code.location))
        return loop.results


def _factor(code: PatternCode, base: Value, type: Type, result: Type, row: Row, depth: int) -> Factor:
    """A tile in shared memory, of which the threads that hold a result read what `row` says."""
    held, element = distribution(result), element_of(type)
    moves, step = row(type, result)
    begin = code.offset(moves, code.offset(held.threads, code.thread()))
    known = [moves(offset) for offset in held.offsets]
    count = gcd(together(held, moves, size_of(element)), step)
    return Factor(base, element, begin, known, count, step, depth // _length(type, row))


def _row_of_left(type: Type, result: Type) -> tuple[Layout, int]:
    """A tile whose rows are those of the result, A or its scales: from elements of the result to their row."""
    rows, length = shape_of(type)[OF_MATRIX]
    return moves_of(_batched(result), (rows * length, length, 0)), 1


def _column_of_right(type: Type, result: Type) -> tuple[Layout, int]:
    """A tile whose columns are those of the result: B, or its scales."""
    length, columns = shape_of(type)[OF_MATRIX]
    return moves_of(_batched(result), (length * columns, 0, 1)), columns


def _length(type: Type, row: Row) -> int:
    """How many elements a row of A has, or a column of B."""
    return shape_of(type)[-1 if row is _row_of_left else -2]


def _batched(type: Type) -> Sequence[int]:
    """The extents of a result, with that of the batch."""
    shape = shape_of(type)
    return shape if len(shape) == 3 else (1, *shape)


def multiply_add(code: PatternCode, left: Value, right: Value, total: Value) -> Value:
    """The sum of a product and a number."""
    if isinstance(total.type, FloatType):
        return code(FMAOp, left, right, total)
    return code(llvm.AddOp, code(llvm.MulOp, left, right), total)


def summed_type(element: Type, *, scaled: bool) -> Type:
    """In what sums are computed: short floats in f32.

    Those of factors with scales in f64: what is beyond f32 before it is multiplied need not be after.
    """
    if not isinstance(element, FloatType):
        return register_type(element)
    return f64 if scaled or element is f64 else f32


def widened(
    code: PatternCode, value: Value, element: Type, summed: Type, sign: Signedness | None = None
) -> Value:
    """An element in the type of the sums."""
    if isinstance(element, FloatType) and isinstance(summed, FloatType):
        return widen(Expression(code, value), element).to_float(summed).value
    signed = sign is not Signedness.UNSIGNED
    return Expression(code, value).extended(summed, signed=signed).value


def narrowed(code: PatternCode, value: Value, element: Type) -> Value:
    """A sum as an element of the result; NaN is the canonical one."""
    return convert(Expression(code, value), element).value if isinstance(element, FloatType) else value


def populate_products(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """The patterns of this file."""
    patterns.add(MultiplyAdd(converter))
