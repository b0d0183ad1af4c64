"""Conversions to and from floats of at most eight bits by instructions, two elements of a thread at once.

On chips without the instructions the element rules compute the conversion in integer arithmetic; both give
the same bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tilewright.dialects.llvm.ops.aggregate import ExtractElementOp
from tilewright.dialects.nvvm.enums.convert import FPRoundingMode, SaturationMode
from tilewright.dialects.nvvm.ops import convert as nvvm_convert
from tilewright.ir import builtin_types
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements import convert as elements_convert, rounding as elements_rounding
from tilewright.targets.elements.element_types import element_of
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.lanes import rounding_mode, shows_nan
from tilewright.targets.elements.rules import RULES
from tilewright.targets.elements.run_time_library import NativeInstructions
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, held_type
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class PairConversion:
    """How instructions convert a format, two elements at a time.

    - ``widening``: the operation that converts a pair to 16-bit floats of type ``wide``.
    - ``rounding``: the operation that rounds two f32, in the rounding modes ``modes`` (by their Tile IR
      names).
    - ``nan``: the result of rounding a NaN.
    """

    widening: type[nvvm_convert.WidenPairOp]
    wide: builtin_types.FloatType
    rounding: type[Operation]
    modes: Mapping[str, FPRoundingMode]
    nan: int


NEAREST = {elements_rounding.NEAREST_EVEN: FPRoundingMode.RN}
UNSIGNED = {"zero": FPRoundingMode.RZ, "positive_inf": FPRoundingMode.RP}
"""The rounding modes of conversions to f8E8M0FNU, the format of block scales, by their Tile IR names."""
PAIRS: Mapping[builtin_types.FloatType, PairConversion] = {
    builtin_types.f8E4M3FN: PairConversion(
        nvvm_convert.ConvertF8x2ToF16x2Op, builtin_types.f16, nvvm_convert.ConvertF32x2ToF8x2Op, NEAREST, 0x7F
    ),
    builtin_types.f8E5M2: PairConversion(
        nvvm_convert.ConvertF8x2ToF16x2Op, builtin_types.f16, nvvm_convert.ConvertF32x2ToF8x2Op, NEAREST, 0x7F
    ),
    builtin_types.f8E8M0FNU: PairConversion(
        nvvm_convert.ConvertF8x2ToBF16x2Op,
        builtin_types.bf16,
        nvvm_convert.ConvertF32x2ToF8x2Op,
        UNSIGNED,
        0xFF,
    ),
    builtin_types.f4E2M1FN: PairConversion(
        nvvm_convert.ConvertF4x2ToF16x2Op, builtin_types.f16, nvvm_convert.ConvertF32x2ToF4x2Op, NEAREST, 0x7
    ),
}
"""The formats that instructions convert in pairs; larger values saturate to the largest number."""
BYTE = 8


class RoundToTF32(ThreadPattern[Operation]):
    """Lower a conversion of f32 to tf32, rounded to nearest even, to the instruction of a chip that has it.
    Other conversions do not match.
    """

    def __init__(self, converter: LLVMTypeConverter, root: type[Operation]) -> None:
        super().__init__(converter, root=root, benefit=2, debug_name=f"tf32 of {root.op_kind.name}")

    def lower(self, op: Operation, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        source, target = element_of(op.operands[0].type), element_of(op.results[0].type)
        if (
            source is not builtin_types.f32
            or target is not builtin_types.tf32
            or rounding_mode(op) != elements_rounding.NEAREST_EVEN
        ):
            return NoMatch("the instruction rounds f32 to the nearest tf32, not {} to {}", (source, target))
        (values,) = at.operands
        words = [code(nvvm_convert.ConvertFloatToTF32Op, value, rnd=FPRoundingMode.RN) for value in values]
        made = [Expression(code, word).as_type(builtin_types.f32) for word in words]
        if shows_nan(op.results[0], stored=False):
            made = [elements_rounding.canonical(one) for one in made]
        return [self.scalars(code, [one.value for one in made], op.results[0].type)]


class NarrowConversion(ThreadPattern[Operation]):
    """Lower a conversion of floats by instructions for pairs: from a format of `PAIRS` that the chip
    converts, or to such a format in a rounding mode that the instruction has. The other half of a conversion
    follows the element rules. Other conversions do not match.
    """

    def __init__(
        self, converter: LLVMTypeConverter, native: NativeInstructions, root: type[Operation]
    ) -> None:
        name = f"pairs of {root.op_kind.name}"
        super().__init__(converter, root=root, benefit=2, debug_name=name)
        self.native = native.conversions & PAIRS.keys()

    def lower(self, op: Operation, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        source, target = element_of(op.operands[0].type), element_of(op.results[0].type)
        assert isinstance(source, builtin_types.FloatType), "floats are converted"
        assert isinstance(target, builtin_types.FloatType), "to floats"
        mode = rounding_mode(op)
        rounds = target in self.native and mode in PAIRS[target].modes
        if source is target or not (rounds or source in self.native):
            return NoMatch("the chip has no instruction for {} to {}", (source, target))
        (values,) = at.operands
        given = [code.in_form(value, held_type(source)) for value in values]
        if source in self.native and target is PAIRS[source].wide:
            made = self._as_pairs(op, code, given, source)
            return [self.scalars(code, made, op.results[0].type)]
        wide = _widened(code, given, source) if source in self.native else _as_floats(code, given, source)
        if rounds:
            made = _rounded(code, wide, target, mode)
        else:
            saturate = target.width <= BYTE
            shown = shows_nan(op.results[0], stored=False)
            made = [
                elements_rounding.convert(one, target, mode, saturate=saturate, shown=shown).value
                for one in wide
            ]
        return [self.scalars(code, made, op.results[0].type)]

    @staticmethod
    def _as_pairs(
        op: Operation, code: PatternCode, values: Sequence[Value], source: builtin_types.FloatType
    ) -> list[Value]:
        """Return `values`, narrow floats of the type `source`, as floats of 16 bits, converted two at a time.
        Each NaN is made canonical if the bits of a NaN of the result of `op` can be observed.
        """
        made = _wide(code, values, source)
        if shows_nan(op.results[0], stored=False):
            made = map(elements_rounding.canonical, made)
        return [one.value for one in made]


def _as_floats(
    code: PatternCode, values: Sequence[Value], source: builtin_types.FloatType
) -> list[Expression]:
    """Return `values`, floats of the type `source`, exactly as f32, or as f64 if the type is f64."""
    held = isinstance(held_type(source), builtin_types.FloatType)
    return [
        elements_rounding.widen(Expression(code, value, None if held else source), source) for value in values
    ]


def _widened(code: PatternCode, values: Sequence[Value], source: builtin_types.FloatType) -> list[Expression]:
    """Return `values`, narrow floats of the type `source`, as f32, converted two at a time."""
    return [one.to_float(builtin_types.f32) for one in _wide(code, values, source)]


def _wide(
    code: PatternCode, values: Sequence[Value], source: builtin_types.FloatType
) -> Iterable[Expression]:
    """Yield `values`, narrow floats of the type `source`, as f16 or bf16, which represent them exactly; an
    instruction converts two.
    """
    for low, high in _pairs(values):
        pair = _joined(code, low, code.integer(0, builtin_types.i8) if high is None else high, source.width)
        row = PAIRS[source]
        wide = code(row.widening, pair, srcType=source, type=builtin_types.VectorType((2,), row.wide))
        for place in range(1 if high is None else 2):
            yield Expression(code, code(ExtractElementOp, wide, code.integer(place), type=row.wide))


def _joined(code: PatternCode, low: Value, high: Value, width: int) -> Value:
    """Return `low` and `high`, elements of `width` bits in a byte each, as conversions take a pair: a vector
    of two bytes, or one byte with `high` in its upper half for 4 bits.
    """
    if width < BYTE:
        return (Expression(code, high) << width | Expression(code, low)).value
    return code.joined([low, high])


def _rounded(
    code: PatternCode, values: Sequence[Expression], target: builtin_types.FloatType, mode: str
) -> list[Value]:
    """Return the bits of the f32 or f64 `values` rounded to the narrow format `target`, each in an i8. `mode`
    is the Tile IR name of a rounding mode that `PAIRS` has for `target`. Larger values saturate to the
    largest number.
    """
    narrow = [
        elements_rounding.round_to_odd(one) if one.element is builtin_types.f64 else one for one in values
    ]
    found: list[Value] = []
    for low, high in _pairs(narrow):
        second = low.constant(0.0) if high is None else high
        bits = Expression(code, _rounded_pair(code, low, second, target, mode))
        width = target.width
        first = bits if width == BYTE else bits & ((1 << width) - 1)
        found.append(_canonical(low, first.extended(builtin_types.i8, signed=False), target).value)
        if high is not None:
            found.append(
                _canonical(high, (bits >> width).extended(builtin_types.i8, signed=False), target).value
            )
    return found


def _rounded_pair(
    code: PatternCode, low: Expression, high: Expression, target: builtin_types.FloatType, mode: str
) -> Value:
    row = PAIRS[target]
    if target.width < BYTE:
        return code(row.rounding, high.value, low.value, dstTy=target, type=builtin_types.i8)
    rounding = row.modes[mode]
    named = {"dstTy": target, "rnd": rounding, "sat": SaturationMode.SATFINITE}
    return code(row.rounding, high.value, low.value, type=builtin_types.i16, **named)


def _canonical(x: Expression, bits: Expression, target: builtin_types.FloatType) -> Expression:
    """Return `bits`, the bits of the rounded `x`, with the bits of the element rules for NaN where they
    differ from the result of the instruction.
    """
    nan = elements_rounding.nan_code(target.format)
    return bits if nan == PAIRS[target].nan else x.is_nan().select(bits.constant(nan), bits)


def _pairs(values: Sequence[_T]) -> list[tuple[_T, _T | None]]:
    """Return neighbouring pairs; with an odd number of values, the second element of the last pair is None."""
    firsts, seconds = values[::2], [*values[1::2], None]
    return list(zip(firsts, seconds, strict=False))


def populate_narrow_floats(
    patterns: RewritePatternSet, converter: LLVMTypeConverter, native: NativeInstructions
) -> None:
    """Add the patterns of conversions between float formats to `patterns`; `native` has the formats that the
    chip converts. The rounding to tf32 is added only if the chip has it.
    """
    roots = [root for root, rule in RULES.items() if rule is elements_convert.float_to_float]
    patterns.add(*(NarrowConversion(converter, native, root) for root in roots))
    if builtin_types.tf32 in native.conversions:
        patterns.add(*(RoundToTF32(converter, root) for root in roots))
