"""Conversions to and from floats of eight bits, where the chip has instructions: two elements of a thread at once.

Elsewhere they are computed by parts, as the element rules say; both give the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from tilewright.dialects.llvm.ops.aggregate import ExtractElementOp, InsertElementOp
from tilewright.dialects.nvvm.enums.convert import FPRoundingMode, SaturationMode
from tilewright.dialects.nvvm.ops.convert import ConvertF8x2ToF16x2Op, ConvertF32x2ToF8x2Op
from tilewright.ir.builtin_types import (
    FloatType,
    VectorType,
    f8E4M3FN,
    f8E5M2,
    f16,
    f32,
    f64,
    i8,
    i16,
)
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.convert import float_to_float
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.lanes import rounding_mode
from tilewright.targets.elements.native import NativeInstructions
from tilewright.targets.elements.rounding import NEAREST_EVEN, convert, nan_code, round_to_odd, widen
from tilewright.targets.elements.rules import RULES
from tilewright.targets.elements.types import element_of
from tilewright.targets.nvptx.body.code import PatternCode, held_type
from tilewright.targets.nvptx.body.pattern import Registers, TilePattern

_T = TypeVar("_T")
IN_PAIRS = frozenset({f8E4M3FN, f8E5M2})
"""The formats that instructions convert two at a time."""
NAN_OF_INSTRUCTIONS = 0x7F
"""What rounding a NaN answers in each of these formats."""
BYTE = 8


class NarrowConversion(TilePattern[Operation]):
    """A conversion of floats, one side of which is a format that the chip converts."""

    def __init__(
        self, converter: LLVMTypeConverter, native: NativeInstructions, root: type[Operation]
    ) -> None:
        name = f"pairs of {root.op_kind.name}"
        super().__init__(converter, root=root, benefit=2, debug_name=name)
        self.native = native.conversions & IN_PAIRS

    def lower(self, op: Operation, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        source, target = element_of(op.operands[0].type), element_of(op.results[0].type)
        assert isinstance(source, FloatType), "floats are converted"
        assert isinstance(target, FloatType), "to floats"
        mode = rounding_mode(op)
        rounds = target in self.native and mode == NEAREST_EVEN
        if source is target or not (rounds or source in self.native):
            return NoMatch("the chip has no instruction for {} to {}", (source, target))
        (values,) = at.operands
        given = [code.in_form(value, held_type(source)) for value in values]
        wide = _widened(code, given, source) if source in self.native else _as_floats(code, given, source)
        if rounds:
            made = _rounded(code, wide, target)
        else:
            saturate = target.width <= BYTE
            made = [convert(one, target, mode, saturate=saturate).value for one in wide]
        return [self.scalars(code, made, op.results[0].type)]


def _as_floats(code: PatternCode, values: Sequence[Value], source: FloatType) -> list[Expression]:
    """Floats of any format as f32 or f64."""
    held = isinstance(held_type(source), FloatType)
    return [widen(Expression(code, value, None if held else source), source) for value in values]


def _widened(code: PatternCode, values: Sequence[Value], source: FloatType) -> list[Expression]:
    """Narrow floats as f32; pairs of them become pairs of f16, which hold them all."""
    found: list[Expression] = []
    type = VectorType((2,), i8)
    for low, high in _pairs(values):
        first = code(InsertElementOp, code.poison(type), low, code.integer(0), type=type)
        second = code.integer(0, i8) if high is None else high
        pair = code(InsertElementOp, first, second, code.integer(1), type=type)
        halves = code(ConvertF8x2ToF16x2Op, pair, srcType=source, type=VectorType((2,), f16))
        places = range(1 if high is None else 2)
        parts = (code(ExtractElementOp, halves, code.integer(place), type=f16) for place in places)
        found += [Expression(code, part).to_float(f32) for part in parts]
    return found


def _rounded(code: PatternCode, values: Sequence[Expression], target: FloatType) -> list[Value]:
    """Floats rounded to nearest in a narrow format; what is too large becomes the largest number."""
    narrow = [round_to_odd(one) if one.element is f64 else one for one in values]
    found: list[Value] = []
    for low, high in _pairs(narrow):
        pair = code(
            ConvertF32x2ToF8x2Op,
            low.constant(0.0).value if high is None else high.value,
            low.value,
            dstTy=target,
            rnd=FPRoundingMode.RN,
            sat=SaturationMode.SATFINITE,
            type=i16,
        )
        bits = Expression(code, pair)
        found.append(_canonical(low, bits.extended(i8, signed=False), target).value)
        if high is not None:
            found.append(_canonical(high, (bits >> BYTE).extended(i8, signed=False), target).value)
    return found


def _canonical(x: Expression, bits: Expression, target: FloatType) -> Expression:
    """The bits of a rounded number, with the canonical NaN."""
    nan = nan_code(target.format)
    return bits if nan == NAN_OF_INSTRUCTIONS else x.is_nan().select(bits.constant(nan), bits)


def _pairs(values: Sequence[_T]) -> list[tuple[_T, _T | None]]:
    """Neighbours; the last one may stand alone."""
    firsts, seconds = values[::2], [*values[1::2], None]
    return list(zip(firsts, seconds, strict=False))


def populate_narrow_floats(
    patterns: RewritePatternSet, converter: LLVMTypeConverter, native: NativeInstructions
) -> None:
    """The pattern of each conversion between formats of floats."""
    roots = [root for root, rule in RULES.items() if rule is float_to_float]
    patterns.add(*(NarrowConversion(converter, native, root) for root in roots))
