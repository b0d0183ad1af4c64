"""Part C: matrix products, reductions and scans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from tilewright.dialects.cuda_tile.enums import Signedness as SourceSignedness
from tilewright.dialects.cuda_tile.ops import tile as tiles
from tilewright.dialects.nv_tileaa.attributes import RoundingMode, Signedness
from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileaa.ops import math as aa_math, shape as aa
from tilewright.dialects.nv_tileaa.rules.dot import check_dot
from tilewright.ir import block as ir_block, builder, builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.value import Value
from tilewright.lowering.cuda_tile_to_tileaa.pattern import TileAAEmitter, TileAALowering, TilePattern
from tilewright.lowering.pattern import LoweringResult
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.pattern import NoMatch

_Op = TypeVar("_Op", bound=tiles.ReduceOp | tiles.ScanOp)

SIGNS = {
    SourceSignedness.SIGNED: Signedness.SIGNED,
    SourceSignedness.UNSIGNED: Signedness.UNSIGNED,
}


def product(emit: TileAAEmitter, operands: Sequence[Value], type: Type, **named: Any) -> Value | NoMatch:
    """Return ``a @ b + c`` for the operands ``(a, b, c, *scales)``; ``named`` are attributes of the product.
    An f16 accumulator is extended to f32 and the result truncated, because the dialect has no f16
    accumulator. Return `NoMatch` if the verifier of the product refuses the types.
    """
    a, b, c, *scales = operands
    narrow = element_of(type) is builtin_types.f16
    sum_type = builtin_types.RankedTensorType(shape_of(type), builtin_types.f32) if narrow else type
    if narrow:
        c = emit(aa_math.FpToFpOp, c, rounding_mode=RoundingMode.NEAREST_EVEN, type=sum_type)
    made = emit.insert(aa_math.DotOp, a, b, c, *scales, result_types=[sum_type], **named)
    try:
        check_dot(made)
    except VerifyError as error:
        return NoMatch("the dialect has no such product: {}", (error.message,))
    if narrow:
        return emit(aa_math.FpToFpOp, made.result, rounding_mode=RoundingMode.NEAREST_EVEN, type=type)
    return made.result


class MmaFPattern(TilePattern[tiles.MmaFOp]):
    """Converts a product of floats to the `dot` of `nv_tileaa`; factors of tf32 get this input precision.
    Types that `dot` refuses do not match.
    """

    def lower(
        self, op: tiles.MmaFOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        precision = "tf32" if element_of(at.lhs.type) is builtin_types.tf32 else None
        named = {"input_precision": precision, "fast_accumulation": op.fast_acc}
        return product(emit, at.operands, types[0], **named)


class MmaIPattern(TilePattern[tiles.MmaIOp]):
    """Converts a product of integers to the `dot` of `nv_tileaa`, with the signedness of both factors. Types
    that `dot` refuses do not match.
    """

    def lower(
        self, op: tiles.MmaIOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        signs = {
            "signedness_a": SIGNS[op.signedness_lhs],
            "signedness_b": SIGNS[op.signedness_rhs],
        }
        return product(emit, at.operands, types[0], **signs)


class MmaFScaledPattern(TilePattern[tiles.MmaFScaledOp]):
    """Converts a product of floats with a scale for each block of elements to the `dot` of `nv_tileaa` with
    scales. Types that `dot` refuses do not match.
    """

    def lower(
        self, op: tiles.MmaFScaledOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return product(emit, at.operands, types[0])


class AggregatePattern(TilePattern[_Op]):
    """The base of the conversions of reductions and scans to ``target``. In Tile IR the body takes, for each
    operand, an element and an accumulated value; the new body takes all accumulated values first, then all
    elements.
    """

    target: type[Any]

    def lower(self, op: _Op, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter) -> LoweringResult:
        rewriter = emit.rewriter
        made = emit.insert(
            self.target, at.operands, op.dim, body=ir_block.Region(), result_types=types, **self.stated(op)
        )
        _take_body(op, made, rewriter)
        return made

    def stated(self, op: _Op) -> dict[str, Any]:
        """Return further attributes of the new operation besides the dimension."""
        return {}


def _take_body(op: tiles.ReduceOp | tiles.ScanOp, made: Any, rewriter: ConversionRewriter) -> None:
    elements = [element_of(value.type) for value in made.operands]
    source = op.body.block
    with rewriter.at(builder.InsertionPoint(source)):  # creating a block moves the point
        block = rewriter.create_block(made.body, [*elements, *elements])
        combined, new = block.arguments[: len(elements)], block.arguments[len(elements) :]
        pairs = [value for pair in zip(new, combined, strict=True) for value in pair]
        rewriter.merge_blocks(source, block, pairs)


class ReducePattern(AggregatePattern[tiles.ReduceOp]):
    """Converts `reduce` to the operation of `nv_tileaa` with this name."""

    target = aa.ReduceOp


class ScanPattern(AggregatePattern[tiles.ScanOp]):
    """Converts `scan` to the operation of `nv_tileaa` with this name, which is inclusive, in the same
    direction (``reverse``).
    """

    target = aa.ScanOp

    def stated(self, op: tiles.ScanOp) -> dict[str, Any]:
        return {"reverse": op.reverse}


def product_patterns(lowering: TileAALowering) -> list[TilePattern[Any]]:
    """Return the patterns for matrix products, reductions and scans."""
    classes = (MmaFPattern, MmaIPattern, MmaFScaledPattern, ReducePattern, ScanPattern)
    return [pattern(lowering) for pattern in classes]
