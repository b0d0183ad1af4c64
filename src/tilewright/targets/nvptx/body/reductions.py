"""Reductions, in the order of the elements: neighbours first, then pairs of neighbours, and so on.

The number of an element has bits; some of them count along the dimension that is reduced, and are removed from the lowest on.
One that tells registers apart goes by combining registers, one that tells lanes apart by an exchange between two lanes, one
that tells warps apart by an exchange through shared memory.  What is left is held by several threads, and goes to where the
result should be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.nv_tileas.ops_tile import ReduceOp, ScanOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import i32
from tilewright.ir.diagnostic import failure
from tilewright.ir.value import Value
from tilewright.layouts.layout import Layout
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.tileas.distribution import Distribution, bits_of
from tilewright.lowering.tileas_to_llvm.functions import THREADS
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.types import element_of, is_tile, shape_of, size_of
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.body.code import PatternCode
from tilewright.targets.nvptx.body.exchange import (
    exchanged,
    meet,
    moves_of,
    read_element,
    scratch,
    write_tile,
)
from tilewright.targets.nvptx.body.pattern import Registers, TilePattern, distribution
from tilewright.targets.nvptx.body.program import as_held, as_scalar, inlined
from tilewright.targets.nvptx.body.shuffles import from_partner

Aggregate = ReduceOp | ScanOp
"""Operations whose body combines elements along a dimension."""
Row = tuple[Value, ...]
"""One register of each operand."""
EXCHANGED = 8 << 10
"""The bytes of one exchange between warps, if an element of each thread needs no more."""


@dataclass(frozen=True)
class Axis:
    """The bits of element numbers that count along a dimension: from stride ``low`` to below ``high``, powers of two."""

    low: int
    high: int

    @classmethod
    def of(cls, shape: Sequence[int], dimension: int) -> Axis:
        """The bits of a dimension of a shape."""
        low = prod(shape[dimension + 1 :])
        return cls(low, low * shape[dimension])

    @property
    def strides(self) -> list[int]:
        """The bits, the lowest first: how far apart the elements are that an order of combination pairs in each step."""
        return [1 << bit for bit in range(self.low.bit_length() - 1, self.high.bit_length() - 1)]

    def has(self, stride: int) -> bool:
        """Whether a bit counts along the dimension."""
        return self.low <= stride < self.high

    def without(self, number: int) -> int:
        """The number of the element in the reduced tile."""
        return number // self.high * self.low + number % self.low

    def reduced(self, layout: Layout) -> Layout:
        """A layout in numbers of the reduced tile: bits along the dimension lead nowhere."""
        strides = [0 if self.has(stride) else self.without(stride) for stride in bits_of(layout)]
        return Layout.flat([(2, stride) for stride in strides])


class Reduce(TilePattern[ReduceOp]):
    """See the head of this file."""

    def lower(self, op: ReduceOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        types = [element_of(value.type) for value in op.inputs]
        shape = shape_of(op.inputs[0].type)
        held, axis = distribution(op.inputs[0].type), Axis.of(shape, op.axis)
        combine = Combination(self.converter, code, op, types)
        rows = combined(combine, held, axis, list(zip(*at.inputs, strict=True)))
        left = Distribution(axis.reduced(held.threads), registers_left(held, axis))
        return [
            self._placed(code, op, left, [row[number] for row in rows], result.type, type)
            for number, (result, type) in enumerate(zip(op.results, types, strict=True))
        ]

    def _placed(
        self,
        code: PatternCode,
        op: ReduceOp,
        held: Distribution,
        values: Registers,
        type: Type,
        element: Type,
    ) -> Registers:
        """The result where it should be; a scalar is with every thread."""
        shape = shape_of(type)
        if not shape:
            return self.scalars(code, values, type)
        wanted, moves = distribution(type), moves_of((prod(shape),), (1,))
        return exchanged(code, op, held, values, wanted, moves, element)


def combined(combine: Combination, held: Distribution, axis: Axis, rows: Sequence[Row]) -> list[Row]:
    """One row for each register that is left: bit by bit, from neighbours to elements that are far apart."""
    found = dict(zip(held.offsets, rows, strict=True))
    across = {stride: bit for bit, stride in enumerate(bits_of(held.threads)) if axis.has(stride)}
    for stride in axis.strides:
        if stride in across:
            moved = combine.across(list(found.values()), across[stride])
            found = dict(zip(found, moved, strict=True))
        else:
            lower = [offset for offset in found if not offset & stride]
            found = {offset: combine(found[offset], found[offset + stride]) for offset in lower}
    return list(found.values())


def registers_left(held: Distribution, axis: Axis) -> Layout:
    """The layout of the registers that `combined` leaves, in the same order."""
    strides = [axis.without(stride) for stride in bits_of(held.registers) if not axis.has(stride)]
    return Layout.flat([(2, stride) for stride in strides])


class Combination:
    """The body of a reduction or scan as a function of two rows, at the place of the operation."""

    def __init__(
        self, converter: LLVMTypeConverter, code: PatternCode, op: Aggregate, types: Sequence[Type]
    ) -> None:
        check_body(op)
        self.converter = converter
        self.code = code
        self.op = op
        self.types = types

    def __call__(self, left: Row, right: Row) -> Row:
        """What the body makes of two rows."""
        code = self.code
        given = [
            as_scalar(code, self.converter, value, type)
            for value, type in zip((*left, *right), (*self.types, *self.types), strict=True)
        ]
        made = inlined(code, self.op.body.blocks[0], given)
        return tuple(as_held(code, self.converter, value) for value in made)

    def across(self, rows: Sequence[Row], bit: int) -> list[Row]:
        """Rows combined with those of the thread whose number differs in one bit; the lower thread's come first."""
        code = self.code
        columns = list(zip(*rows, strict=True))
        if 1 << bit < THREADS:
            others = [[from_partner(code, value, bit) for value in column] for column in columns]
        else:
            pairs = zip(columns, self.types, strict=True)
            others = [list(self._through_memory(column, bit, type)) for column, type in pairs]
        upper = code.compare_integers("ne", code.bit_field(code.thread(), bit, 2), code.integer(0, i32))
        return [
            self(selected(code, upper, other, row), selected(code, upper, row, other))
            for row, other in zip(rows, zip(*others, strict=True), strict=True)
        ]

    def _through_memory(self, values: Registers, bit: int, element: Type) -> Iterator[Value]:
        """The values of a thread of another warp, as many in each exchange as `EXCHANGED` bytes hold."""
        code = self.code
        threads = 1 << len(bits_of(distribution(self.op.inputs[0].type).threads))
        partner = code(llvm.XOrOp, code.thread(), code.integer(1 << bit, i32))
        together = max(EXCHANGED // (threads * size_of(element)), 1)
        for first in range(0, len(values), together):
            part = values[first : first + together]
            base = scratch(code, self.op, threads * len(part) * size_of(element))
            meet(code)
            write_tile(
                code, base, Distribution(Layout(threads, 1), Layout(len(part), threads)), part, element
            )
            meet(code)
            yield from (read_element(code, base, partner, threads * at, element) for at in range(len(part)))


def check_body(op: Aggregate) -> None:
    """Raise `DiagnosticError` for a tile that depends on what is combined: threads of a block combine different elements.

    A tile is spread over all threads, so that they compute it together.
    """
    (block,) = op.body.blocks
    changing = set[Value](block.arguments)
    for inner in [inner for top in block.ops for inner in top.walk()]:
        if inner.parent is not block or inner.regions or changing.intersection(inner.operands):
            changing.update(inner.results)
            if any(is_tile(value.type) for value in (*inner.operands, *inner.results)):
                message = f"'{inner.name}' on tiles has no form on GPUs inside of '{op.name}'"
                hint = "compute the tile in front of the operation, or combine elements one by one"
                raise failure(codes.NO_GPU_FORM, message, inner.location, hint=hint)


def selected(code: PatternCode, condition: Value, row: Row, other: Row) -> Row:
    """One of two rows."""
    pairs = zip(row, other, strict=True)
    return tuple(code(llvm.SelectOp, condition, *pair, type=pair[0].type) for pair in pairs)


def populate_reductions(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """The patterns of this file."""
    patterns.add(Reduce(converter))
