"""Matrix products by multiplication and addition, for every GPU and every element type.

The factors, and the scales of their blocks, go through shared memory. Each thread computes the elements of
the result that it holds, all in one loop over the common dimension; an element of a factor that several of
them need is read once.

Factors that exceed shared memory are processed in parts: the common dimension is divided into slices, and a
loop loads one slice after the other. If one slice does not fit, the batch, and the rows and columns of the
result, are divided as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import gcd, prod

from tilewright.dialects.llvm.intrinsics.float import FMAOp
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.nv_tileaa.attributes import Signedness
from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, f32, f64, i8
from tilewright.ir.value import Value
from tilewright.layouts.linear import log2
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements import lanes as elements_lanes, rounding as elements_rounding
from tilewright.targets.elements.element_types import element_of, register_type, shape_of, size_of
from tilewright.targets.elements.expression import Expression
from tilewright.targets.nvptx.exchanges import shared_memory
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, stored_type
from tilewright.targets.nvptx.tileas_to_nvvm.exchange import (
    ALIGNMENT,
    scratch,
    synchronize_block,
)
from tilewright.targets.nvptx.tileas_to_nvvm.large import parts as large_parts
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern, distribution
from tilewright.targets.nvptx.tileas_to_nvvm.vectors import read_neighbours, vector_width


@dataclass(frozen=True, slots=True)
class SharedFactor:
    """A factor, or its scales, in shared memory. An element belongs to ``block`` consecutive products of a
    sum: 1 for a factor, the block size for scales.

    - ``begin`` plus ``known[i]``: the offset, in elements, of the row of A or the column of B for register ``i`` of
      the result. ``begin`` depends on the thread; ``known`` is constant.
    - ``vector_width``: the number of adjacent offsets that one access reads.
    - ``step``: the distance of consecutive elements of a row of A (or a column of B).
    - ``sign``: the signedness of integers; None means signed.
    - ``scale``: the scales that multiply the elements; None without scales.
    """

    base: Value
    element: Type
    begin: Value
    known: Sequence[int]
    vector_width: int
    step: int
    block: int
    sign: Signedness | None = None
    scale: SharedFactor | None = None

    def read(self, code: PatternCode, counter: Value, summed: Type) -> list[Value]:
        """Emit the read of a factor's elements with index `counter` along the common dimension, and return
        one for each register of the result, in the type `summed` of the sums and multiplied by its scale.
        Equal elements are read once.
        """
        number = code.bits_from(counter, self.block.bit_length() - 1)
        first = code.index(code.sum(self.begin, code.times(number, self.step)))
        place = code.pointer(self.base, first, stored_type(self.element))
        read = read_neighbours(code, place, self.known, self.element, self.vector_width)
        found = {
            offset: widened(code, value, self.element, summed, self.sign)
            for offset, value in dict(zip(self.known, read, strict=True)).items()
        }
        elements = [found[offset] for offset in self.known]
        if self.scale is None:
            return elements
        scales = self.scale.read(code, counter, summed)
        return [code(llvm.FMulOp, *pair) for pair in zip(elements, scales, strict=True)]


class MultiplyAdd(ThreadPattern[DotOp]):
    """Lower `nv_tileas.dot` to multiplications and additions: the factors, and their scales, go through
    shared memory, in parts if they do not fit, and each thread computes the elements of the result that it
    holds.
    """

    def lower(self, op: DotOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        element = element_of(op.result.type)
        summed = summed_type(element, scaled=op.sfa is not None)
        given = [widened(code, value, element, summed) for value in at.c]
        if op.accumulate is not None:
            (wanted,) = at.accumulate
            given = [code(llvm.SelectOp, wanted, value, code.zero(summed), type=summed) for value in given]
        made = StagedProduct(code, op, at, given).sums()
        shown = elements_lanes.shows_nan(op.result, stored=False)
        return [[narrowed(code, value, element, shown=shown) for value in made]]


@dataclass(frozen=True)
class ProductExtents:
    """The extents of a product, or of the part that is multiplied at once: the batch, the rows and columns of
    the result, and the common dimension (``depth``).
    """

    batch: int
    rows: int
    columns: int
    depth: int

    @classmethod
    def of(cls, op: DotOp) -> ProductExtents:
        """Return the extents of the whole product `op`."""
        batch, rows, columns = _batched(op.result.type)
        return cls(batch, rows, columns, shape_of(op.a.type)[-1])

    @property
    def result(self) -> tuple[int, int, int]:
        """Return the extents of the result: batch, rows, columns."""
        return self.batch, self.rows, self.columns

    def box(self, side: int, block: int) -> tuple[int, int, int]:
        """Return the shape of the left (`side` 0) or right (1) factor of a product of these extents. The
        common dimension is divided by `block`, the number of products that an element belongs to.
        """
        depth = self.depth // block
        return (self.batch, depth, self.columns) if side else (self.batch, self.rows, depth)

    def halves(self, least: int) -> ProductExtents:
        """Return these extents with one of them halved: the common dimension if it exceeds ``least``,
        otherwise the batch if it exceeds 1, otherwise the larger one of rows and columns.
        """
        if self.depth > least:
            return replace(self, depth=self.depth // 2)
        if self.batch > 1:
            return replace(self, batch=self.batch // 2)
        if self.rows >= self.columns:
            return replace(self, rows=self.rows // 2)
        return replace(self, columns=self.columns // 2)


@dataclass(frozen=True)
class ProductOperand:
    """A factor, or its scales: its tile in registers, whether it is on the left (`side` 0) or right (1), the
    number of products that each element belongs to (`block`; 1 for a factor), and the signedness of integers
    (None: signed).
    """

    tile: Value
    values: Registers
    side: int
    block: int
    sign: Signedness | None = None

    def bytes(self, cut: ProductExtents) -> int:
        """Return how many bytes of shared memory this operand takes in a product of the extents `cut`."""
        size = prod(cut.box(self.side, self.block)) * size_of(element_of(self.tile.type))
        return -(-size // ALIGNMENT) * ALIGNMENT

    def boxes(self, whole: ProductExtents, cut: ProductExtents) -> large_parts.BoxGrid:
        """Return the division of this operand's tile, in a product of the extents ``whole``, into boxes for
        products of the extents ``cut``.
        """
        return large_parts.BoxGrid(whole.box(self.side, self.block), cut.box(self.side, self.block))


class StagedProduct:
    """A product whose factors pass through shared memory in parts that are as large as possible; usually
    there is one part. `given` has the registers of the accumulator, to which the products are added.
    """

    def __init__(self, code: PatternCode, op: DotOp, at: Adaptor, given: Registers) -> None:
        self.code = code
        self.given = given
        self.held = distribution(op.result.type)
        self.whole = ProductExtents.of(op)
        self.operands = list(_operands(op, at, self.whole.depth))
        self.cut = self._fitting(shared_memory(op))
        ends = list(accumulate(operand.bytes(self.cut) for operand in self.operands))
        base = scratch(code, op, ends[-1])
        self.bases = [base, *(code.pointer(base, end, i8) for end in ends[:-1])]

    def _fitting(self, available_bytes: int) -> ProductExtents:
        """Return the extents of the parts of the product, halved (`ProductExtents.halves`) until the boxes of
        all operands fit into `available_bytes` of shared memory.
        """
        cut, least = self.whole, max(operand.block for operand in self.operands)
        while sum(operand.bytes(cut) for operand in self.operands) > available_bytes:
            cut = cut.halves(least)
        return cut

    def sums(self) -> Registers:
        """Return the registers of the result: the sums of all products. The code computes one part of the
        result after the other, and for each part one slice of the common dimension after the other.
        """
        parts = large_parts.BoxGrid(self.whole.result, self.cut.result)
        slices = self.whole.depth // self.cut.depth

        def round(number: Value, before: Registers) -> Registers:
            part = self.code.bits_from(number, log2(slices))
            self._bring(parts, part, self.code.bit_field(number, 0, slices))
            return self._chosen(parts, part, before, self._multiplied(parts, before))

        return self.code.repeated(prod(parts.counts) * slices, self.given, round)

    def _bring(self, parts: large_parts.BoxGrid, part: Value, slice: Value) -> None:
        """Write boxes of both factors to shared memory, between two barriers: the elements that part number
        `part` of the result and slice number `slice` of the common dimension need.
        """
        synchronize_block(self.code)
        for operand, base in zip(self.operands, self.bases, strict=True):
            boxes, tile = operand.boxes(self.whole, self.cut), operand.tile.type
            wanted = self._box(operand.side, parts, part, slice)
            large_parts.write_box(
                self.code, base, boxes, wanted, distribution(tile), operand.values, element_of(tile)
            )
        synchronize_block(self.code)

    def _multiplied(self, parts: large_parts.BoxGrid, before: Registers) -> Registers:
        """Return the sums `before` plus the products of the slice that is in shared memory; sums of elements
        in other parts of the result are meaningless.
        """
        code = self.code
        left, right = self._factors(parts)

        def one(counter: Value, sums: Registers) -> Registers:
            rows, columns = (factor.read(code, counter, sums[0].type) for factor in (left, right))
            return [multiply_add(code, *row) for row in zip(rows, columns, sums, strict=True)]

        return code.repeated(self.cut.depth, before, one)

    def _chosen(
        self, parts: large_parts.BoxGrid, part: Value, before: Registers, made: Registers
    ) -> Registers:
        """Return the sums `made` for registers whose elements are in part number `part` of the result, and
        the sums `before` for the others.
        """
        found = list(made)
        for box, registers in large_parts.registers_of_boxes(parts, self.held.offsets).items():
            is_here = large_parts.in_box(self.code, parts, self.held, box, part)
            for register in registers if is_here is not None else ():
                pair = made[register], before[register]
                found[register] = self.code(llvm.SelectOp, is_here, *pair, type=pair[0].type)
        return found

    def _box(self, side: int, parts: large_parts.BoxGrid, number: Value, step: Value) -> Value:
        """Return the row-major number of the box of the left (`side` 0) or right (1) factor that part
        `number` of the result needs in slice `step` of the common dimension.
        """
        code, (batches, rows, columns) = self.code, parts.counts
        steps = self.whole.depth // self.cut.depth
        column = code.bit_field(number, 0, columns)
        row = code.bit_field(number, log2(columns), rows)
        batch = code.bit_field(number, log2(columns * rows), batches)
        first, second, extent = (step, column, columns) if side else (row, step, steps)
        upper = code.plus(code.times(batch, steps if side else rows), first)
        return code.plus(code.times(upper, extent), second)

    def _factors(self, parts: large_parts.BoxGrid) -> Iterator[SharedFactor]:
        """Yield the left and the right factor, with its scales and with the offsets at which this thread
        reads it.
        """
        found = [
            self._factor(operand, base, parts)
            for operand, base in zip(self.operands, self.bases, strict=True)
        ]
        for factor, *scales in (found[0::2], found[1::2]):
            yield replace(factor, scale=scales[0] if scales else None)

    def _factor(self, operand: ProductOperand, base: Value, parts: large_parts.BoxGrid) -> SharedFactor:
        _, high, wide = self.cut.box(operand.side, operand.block)
        element = element_of(operand.tile.type)
        moves = parts.along((high * wide, 0, 1) if operand.side else (high * wide, wide, 0))
        step = wide if operand.side else 1
        code = self.code
        begin = code.offset(moves, code.offset(self.held.threads, code.thread()))
        known = [moves(offset) for offset in self.held.offsets]
        count = gcd(vector_width(self.held, moves, size_of(element)), step)
        return SharedFactor(base, element, begin, known, count, step, operand.block, operand.sign)


def _operands(op: DotOp, at: Adaptor, depth: int) -> Iterator[ProductOperand]:
    """Yield the left and the right factor, then their scales if there are any. `depth` is the extent of the
    common dimension.
    """
    signs = op.signedness_a, op.signedness_b
    for tile, values, side in ((op.a, at.a, 0), (op.b, at.b, 1), (op.sfa, at.sfa, 0), (op.sfb, at.sfb, 1)):
        if tile is not None:
            length = shape_of(tile.type)[-2 if side else -1]
            yield ProductOperand(tile, values, side, depth // length, signs[side])


def _batched(type: Type) -> Sequence[int]:
    """Return the three extents of a tile of matrices of type `type`: batch, rows and columns; the batch is 1
    for a single matrix.
    """
    shape = shape_of(type)
    return shape if len(shape) == 3 else (1, *shape)


def multiply_add(code: PatternCode, left: Value, right: Value, total: Value) -> Value:
    """Emit and return ``left * right + total``: for floats a fused operation with one rounding."""
    if isinstance(total.type, FloatType):
        return code(FMAOp, left, right, total)
    return code(llvm.AddOp, code(llvm.MulOp, left, right), total)


def summed_type(element: Type, *, scaled: bool) -> Type:
    """Return the type of sums of products whose result has the type `element`: f64 for f64 and for products
    with scales (`scaled`), f32 for other floats, and the register type for integers.

    An unscaled element may exceed the range of f32 although its product does not.
    """
    if not isinstance(element, FloatType):
        return register_type(element)
    return f64 if scaled or element is f64 else f32


def widened(
    code: PatternCode, value: Value, element: Type, summed: Type, sign: Signedness | None = None
) -> Value:
    """Return an element of a factor converted to the type `summed`; an integer is zero-extended if `sign` is
    unsigned, otherwise sign-extended.
    """
    if isinstance(element, FloatType) and isinstance(summed, FloatType):
        return elements_rounding.widen(Expression(code, value), element).to_float(summed).value
    signed = sign is not Signedness.UNSIGNED
    return Expression(code, value).extended(summed, signed=signed).value


def narrowed(code: PatternCode, value: Value, element: Type, *, shown: bool) -> Value:
    """Return a sum as an element of the result: a float is rounded to `element`, an integer is unchanged. A
    NaN whose bits are `shown` becomes the canonical NaN.
    """
    if not isinstance(element, FloatType):
        return value
    return elements_rounding.convert(Expression(code, value), element, shown=shown).value


def populate_products(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns of this file."""
    patterns.add(MultiplyAdd(converter))
