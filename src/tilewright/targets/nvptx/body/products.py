"""Products of matrices by multiplication and addition: the way of every GPU and every type of elements.

Both factors go to shared memory.  Each thread computes the elements of the result that it holds, all in one loop over the
common dimension; elements of a factor that several of them need are read once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from tilewright.dialects.llvm.intrinsics.float import FMAOp
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.llvm.ops.conversion import SExtOp, ZExtOp
from tilewright.dialects.nv_tileaa.attributes import Signedness
from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.dialects.scf.ops_loop import ForOp, YieldOp
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_types import FloatType, IntegerType, f32, i32
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.tileas.distribution import coordinates_of
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.rounding import convert, widen
from tilewright.targets.elements.types import element_of, shape_of, size_of
from tilewright.targets.nvptx.body.code import PatternCode, stored_type
from tilewright.targets.nvptx.body.exchange import ALIGNMENT, meet, scratch, write_tile
from tilewright.targets.nvptx.body.pattern import Registers, TilePattern, distribution
from tilewright.targets.nvptx.body.program import places_in

Places = tuple[Value, Sequence[int]]
"""Where rows of a factor begin, in elements: a number of this thread, and a known distance for each register."""


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor in shared memory: its address, its elements, where rows begin, and how far apart the products are."""

    base: Value
    element: Type
    places: Places
    step: int
    widen: Callable[[Value], Value]


class MultiplyAdd(TilePattern[DotOp]):
    """See the head of this file."""

    def lower(self, op: DotOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        if op.sfa is not None or op.sfb is not None:
            return NoMatch("the factors have scales")
        element = element_of(op.result.type)
        summed = summed_type(element)
        factors = self._factors(op, at, code, summed)
        given = [widened(code, value, element, summed) for value in at.c]
        made = self._loop(op, code, factors, given)
        return [[narrowed(code, value, element, summed) for value in made]]

    def _factors(self, op: DotOp, at: Adaptor, code: PatternCode, summed: Type) -> tuple[Factor, Factor]:
        """Write both factors, and say where this thread finds what it needs."""
        elements = element_of(op.a.type), element_of(op.b.type)
        sizes = [
            prod(shape_of(factor.type)) * size_of(element)
            for factor, element in zip((op.a, op.b), elements, strict=True)
        ]
        behind = -(-sizes[0] // ALIGNMENT) * ALIGNMENT
        base = scratch(code, op, behind + sizes[1])
        bases = base, code.pointer(base, behind, IntegerType(8))
        meet(code)
        for place, factor, values, element in zip(bases, (op.a, op.b), (at.a, at.b), elements, strict=True):
            write_tile(code, place, distribution(factor.type), values, element)
        meet(code)
        places, steps = self._places(op, code), (1, shape_of(op.b.type)[-1])
        signs = op.signedness_a, op.signedness_b
        found = [
            Factor(
                *row,
                widen=lambda value, sign=sign, element=element: widened(code, value, element, summed, sign),
            )
            for row, sign, element in zip(
                zip(bases, elements, places, steps, strict=True), signs, elements, strict=True
            )
        ]
        return found[0], found[1]

    def _places(self, op: DotOp, code: PatternCode) -> tuple[Places, Places]:
        """Where the row of A and the column of B begin for the elements of this thread."""
        held, shape = distribution(op.result.type), shape_of(op.result.type)
        *_, rows, depth = shape_of(op.a.type)
        columns = shape[-1]
        first = places_in(code, shape, code.offset(held.threads, code.thread()))
        known = [coordinates_of(offset, shape) for offset in held.offsets]
        batch = first[0] if len(shape) == 3 else code.integer(0, i32)
        batches = [at[0] if len(shape) == 3 else 0 for at in known]
        a = code.sum(code.times(batch, rows * depth), code.times(first[-2], depth))
        b = code.sum(code.times(batch, depth * columns), first[-1])
        a_known = [number * rows * depth + at[-2] * depth for number, at in zip(batches, known, strict=True)]
        b_known = [number * depth * columns + at[-1] for number, at in zip(batches, known, strict=True)]
        return (a, a_known), (b, b_known)

    def _loop(
        self, op: DotOp, code: PatternCode, factors: tuple[Factor, Factor], given: Registers
    ) -> Registers:
        """One iteration for each product of a sum."""
        depth = shape_of(op.a.type)[-1]
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
            left, right = (read_all(code, factor, counter) for factor in factors)
            made = [multiply_add(code, *row) for row in zip(left, right, sums, strict=True)]
            code.rewriter.insert(YieldOp(tuple(made), location=code.location))
        return loop.results


def read_all(code: PatternCode, factor: Factor, counter: Value) -> list[Value]:
    """The element of a factor that each register needs, each of them read once."""
    stored = stored_type(factor.element)
    first, known = factor.places
    place = code.pointer(factor.base, code.index(code.sum(first, code.times(counter, factor.step))), stored)
    found: dict[int, Value] = {}
    for offset in known:
        if offset not in found:
            address = code.pointer(place, offset, stored)
            found[offset] = factor.widen(code.read(address, factor.element))
    return [found[offset] for offset in known]


def multiply_add(code: PatternCode, left: Value, right: Value, total: Value) -> Value:
    """The sum of a product and a number."""
    if isinstance(total.type, FloatType):
        return code(FMAOp, left, right, total)
    return code(llvm.AddOp, code(llvm.MulOp, left, right), total)


def summed_type(element: Type) -> Type:
    """In what sums are computed: short floats in f32."""
    return f32 if isinstance(element, FloatType) and element.width < f32.width else element


def widened(
    code: PatternCode, value: Value, element: Type, summed: Type, sign: Signedness | None = None
) -> Value:
    """An element in the type of the sums."""
    if isinstance(element, FloatType) and isinstance(summed, FloatType):
        return value if element is summed else widen(Expression(code, value, element), element).value
    if value.type is summed:
        return value
    return code(ZExtOp if sign is Signedness.UNSIGNED else SExtOp, value, type=summed)


def narrowed(code: PatternCode, value: Value, element: Type, summed: Type) -> Value:
    """A sum as an element of the result."""
    if element is summed or not isinstance(element, FloatType):
        return value
    return convert(Expression(code, value), element).value


def populate_products(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """The patterns of this file."""
    patterns.add(MultiplyAdd(converter))
