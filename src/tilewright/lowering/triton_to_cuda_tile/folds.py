"""Reductions and scans with any combiner.

A combiner that is one operation with a neutral element becomes a fold with that element. Any other combiner
gets an i1 flag beside its operands. It is false for the initial accumulator, and combining that with an
element gives the element. So no neutral element has to be known, and elements are combined in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tilewright.dialects.arith import ops_float as arith_floats, ops_integer as arith
from tilewright.dialects.cuda_tile.ops import control, tile as tiles
from tilewright.dialects.cuda_tile.types import TileType, tile_of
from tilewright.dialects.tt.ops import reduction as tt
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import IntegerAttr, float_attribute
from tilewright.ir.builtin_types import FloatType, IntegerType, i1
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.pattern import LoweringResult
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.pattern import TritonLowering, TritonPattern
from tilewright.rewrite.conversion.pattern import Adaptor

_Op = TypeVar("_Op", bound=Operation)
INFINITY = float("inf")
NAN = float("nan")


def _number(value: int) -> Callable[[Any], int]:
    return lambda type: value


def _least(type: IntegerType) -> int:
    return -(1 << (type.width - 1))


def _most(type: IntegerType) -> int:
    return (1 << (type.width - 1)) - 1


NEUTRAL: dict[type[Operation], Callable[[Any], float]] = {
    arith.AddIOp: _number(0),
    arith.MulIOp: _number(1),
    arith.AndIOp: _number(-1),
    arith.OrIOp: _number(0),
    arith.XOrIOp: _number(0),
    arith.MaxSIOp: _least,
    arith.MinSIOp: _most,
    arith.MaxUIOp: _number(0),
    arith.MinUIOp: _number(-1),
    arith_floats.AddFOp: _number(0),
    arith_floats.MulFOp: _number(1),
    arith_floats.MaximumFOp: lambda _: -INFINITY,
    arith_floats.MaxNumFOp: lambda _: NAN,
    arith_floats.MinimumFOp: lambda _: INFINITY,
    arith_floats.MinNumFOp: lambda _: NAN,
}
"""For each combining operation, a function that returns its neutral element for an element type. For an
operation that ignores NaN it is NaN.
"""


def attribute(value: float, type: Type) -> Attribute:
    """Return `value` as an attribute of the integer or float type `type`. For i1 only the lowest bit of
    `value` counts, so that -1 becomes 1.
    """
    if isinstance(type, FloatType):
        return float_attribute(value, type)
    assert isinstance(type, IntegerType), "pointers are not folded"
    return IntegerAttr(type, int(value) & ((1 << type.width) - 1) if type is i1 else int(value))


def neutral_elements(body: Block) -> list[Attribute] | None:
    """Return the neutral element of each operand, if the combiner computes each result by one operation with
    a neutral element, from the two values of its operand, and does nothing else. Return None for other
    combiners.
    """
    last = body.last
    assert last is not None, "a combiner ends in its results"
    count, found = len(last.operands), list[Attribute]()
    for at, value in enumerate(last.operands):
        op = value.owner
        neutral = NEUTRAL.get(op.__class__) if isinstance(op, Operation) else None
        sides = {body.arguments[at], body.arguments[at + count]}
        if not isinstance(op, Operation) or neutral is None or set(op.operands) != sides:
            return None
        element = value.type
        found.append(attribute(neutral(element), element))
    return found if len(body.ops) == count + 1 else None


class FoldPattern(TritonPattern[_Op]):
    """The base of patterns for reductions and scans along a dimension, several tiles at a time. Subclasses
    call `folded` in `lower`: it makes the operation of Tile IR with the converted combiner. A combiner
    without a known neutral element gets an additional i1 operand, which tells elements from the initial
    value.
    """

    def folded(
        self,
        op: tt.ReduceOp | tt.ScanOp,
        operands: Sequence[Value],
        emit: CudaTileEmitter,
        target: Any,
        **named: Any,
    ) -> Any:
        """Insert the operation `target`, a reduction or scan of `operands` with the combiner of `op`, and
        return its results. If the combiner has no known neutral element, an i1 flag is folded beside the
        operands, which is true for elements and false for the initial accumulator; it is not returned.
        `named` are further attributes. `FoldEndPattern` converts the terminator.
        """
        body: Block = op.combineOp.block
        identities = neutral_elements(body)
        flags = [] if identities is not None else [emit.constant(1, _flags(operands[0]))]
        if identities is None:
            kinds = [tile_of(value).element_type for value in operands]
            identities = [attribute(0, i1), *(attribute(0, kind) for kind in kinds)]
        made = emit.insert(
            target, [*flags, *operands], op.axis, identities=identities, body=Region(), **named
        )
        self._take_body(body, made, emit)
        return made.results[len(flags) :]

    def _take_body(self, body: Block, made: Operation, emit: CudaTileEmitter) -> None:
        """Move the combiner into the body of `made`, whose arguments come in pairs for each operand: an
        element, and the value accumulated so far.
        """
        types = [TileType((), tile_of(value).element_type) for value in made.operands]
        with emit.rewriter.at(emit.rewriter.point):
            block = emit.rewriter.create_block(made.regions[0], [type for type in types for _ in range(2)])
        extra = 2 * (len(types) - len(body.arguments) // 2)
        elements, before = block.arguments[extra::2], block.arguments[extra + 1 :: 2]
        emit.rewriter.merge_blocks(body, block, [*before, *elements])


def _flags(operand: Value) -> TileType:
    return tile_of(operand).with_element_type(i1)


class TritonReducePattern(FoldPattern[tt.ReduceOp]):
    """Converts a reduction along a dimension to the `reduce` of Tile IR, with the converted combiner."""

    def lower(
        self, op: tt.ReduceOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        return self.folded(op, at.operands, emit, tiles.ReduceOp)


class TritonScanPattern(FoldPattern[tt.ScanOp]):
    """Converts an inclusive scan: each element becomes the combination of the elements up to it, or from it
    on if the scan is reversed.
    """

    def lower(
        self, op: tt.ScanOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        return self.folded(op, at.operands, emit, tiles.ScanOp, reverse=op.reverse)


class FoldEndPattern(TritonPattern[Operation]):
    """Converts the terminator of a combiner. If an i1 flag beside the operands says which side has a value,
    the result is the combination where both flags are set, else the side whose flag is set. It does not match
    before the reduction or scan around it is converted.
    """

    def lower(
        self, op: Operation, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        around = op.parent_op
        if not isinstance(around, tiles.AggregateOp):
            return emit.rewriter.no_match("the operation around it was not converted")
        values = list(at.operands)
        if len(around.operands) > len(values):
            values = self._chosen(op.parent, values, emit)
        emit.insert(control.YieldOp, values)
        return ()

    def _chosen(self, block: Any, values: list[Value], emit: CudaTileEmitter) -> list[Value]:
        flag, flag_before, *rest = block.arguments
        pairs = zip(values, rest[::2], rest[1::2], strict=True)
        chosen = [
            emit.choose(flag, emit.choose(flag_before, value, element), before)
            for value, element, before in pairs
        ]
        return [emit.either(flag, flag_before), *chosen]


def fold_patterns(lowering: TritonLowering) -> list[TritonPattern[Any]]:
    """Return the patterns for reductions, scans, and the ends of their combiners."""
    ends = [FoldEndPattern(lowering, root=end) for end in (tt.ReduceReturnOp, tt.ScanReturnOp)]
    return [TritonReducePattern(lowering), TritonScanPattern(lowering), *ends]
