"""Floating-point operations, element by element."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tilewright.dialects.cuda_tile.base import TileOp, tile_op
from tilewright.dialects.cuda_tile.constraints import BASE_FLOAT_TILE, BOOLEAN_TILE, TileOf
from tilewright.dialects.cuda_tile.enums import (
    ComparisonOrdering,
    ComparisonOrderingAttr,
    ComparisonPredicate,
    ComparisonPredicateAttr,
    RoundingMode,
    RoundingModeAttr,
)
from tilewright.dialects.cuda_tile.rules.rounding import (
    DIVISION,
    IEEE,
    SQUARE_ROOT,
    TRANSCENDENTAL,
    check_f32_only,
    check_float_arithmetic,
)
from tilewright.dialects.cuda_tile.rules.shape import COMPARISON_RULE, comparison_type, is_comparison
from tilewright.dialects.cuda_tile.syntax.custom import NEAREST_EVEN
from tilewright.dialects.cuda_tile.version import V13_2, V13_3, V13_4
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import i1, i8, i16, i32
from tilewright.ir.declaration.attribute_kind import EnumKind
from tilewright.ir.declaration.constraint import TypeVariable
from tilewright.ir.declaration.fields import attr_def, flag_def, operand_def, result_def
from tilewright.ir.declaration.traits import Elementwise, Pure, TypesSatisfy, same_shape, same_type
from tilewright.ir.value import Value

GROUP = "Floating point"
T = TypeVariable("T", BASE_FLOAT_TILE)
ROUNDING = EnumKind(RoundingModeAttr)
FTZ = "Flush subnormal inputs and results to zero of the same sign (f32 only)."


class UnaryFloatOp(TileOp):
    """The base of float operations on each element of one tile. The result has the type of the operand."""

    source: Value = operand_def(T, "The operand.")
    result: Value = result_def(T, "The result.")
    assembly_format = "$source attr-dict `:` type($result)"
    traits = (Pure(), Elementwise())


class BinaryFloatOp(TileOp):
    """The base of float operations on each pair of elements of two tiles. The operands and the result have
    one type.
    """

    lhs: Value = operand_def(T, "The left-hand operand.")
    rhs: Value = operand_def(T, "The right-hand operand.")
    result: Value = result_def(T, "The result.")
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($result)"
    traits = (Pure(), Elementwise())


class RoundedBinaryFloatOp(BinaryFloatOp):
    """The base of `addf`, `subf`, `mulf` and `divf`: binary float operations with a rounding mode, which may
    flush subnormal numbers to zero (f32 only).
    """

    rounding_mode: RoundingMode = attr_def(ROUNDING, "How an inexact result is rounded.")
    flush_to_zero: bool = flag_def(FTZ, default=False)
    assembly_format = (
        "$lhs `,` $rhs custom<Rounding>($rounding_mode) (`flush_to_zero` $flush_to_zero^)? attr-dict `:` "
        "type($result)"
    )
    format_defaults: ClassVar[Mapping[str, Attribute]] = NEAREST_EVEN
    rounding_modes: ClassVar[tuple[RoundingMode, ...]] = IEEE

    def verify_(self) -> None:
        check_float_arithmetic(self.result, self.rounding_mode, IEEE, self.flush_to_zero)


@tile_op(0x00, GROUP)
class AbsFOp(UnaryFloatOp, name="cuda_tile.absf"):
    """Absolute value: clears the sign bit."""


@tile_op(0x4F, GROUP)
class NegFOp(UnaryFloatOp, name="cuda_tile.negf"):
    """Negation: flips the sign bit."""


@tile_op(0x02, GROUP)
class AddFOp(RoundedBinaryFloatOp, name="cuda_tile.addf"):
    """Floating-point addition.

    `addf(x, y)_i = x_i + y_i`, rounded once in the given mode.
    """


@tile_op(0x67, GROUP)
class SubFOp(RoundedBinaryFloatOp, name="cuda_tile.subf"):
    """Floating-point subtraction.

    `subf(x, y)_i = x_i - y_i`, rounded once in the given mode.
    """


@tile_op(0x4C, GROUP)
class MulFOp(RoundedBinaryFloatOp, name="cuda_tile.mulf"):
    """Floating-point multiplication.

    `mulf(x, y)_i = x_i * y_i`, rounded once in the given mode.
    """


@tile_op(0x14, GROUP)
class DivFOp(RoundedBinaryFloatOp, name="cuda_tile.divf"):
    """Floating-point division.

    With an IEEE mode the quotient is rounded once.  `approx` (f32) multiplies by the reciprocal: within 2 ulp while
    `2^-126 <= |rhs| <= 2^126`; for larger divisors 0, or NaN when `lhs` is infinite.  `full` (f32) is within 2 ulp
    over the full range but not IEEE.
    """

    rounding_modes: ClassVar[tuple[RoundingMode, ...]] = DIVISION

    def verify_(self) -> None:
        check_float_arithmetic(
            self.result,
            self.rounding_mode,
            DIVISION,
            self.flush_to_zero,
            f32_modes=(RoundingMode.APPROX, RoundingMode.FULL),
        )


@tile_op(0x28, GROUP)
class FmaOp(TileOp, name="cuda_tile.fma"):
    """Fused multiply-add: `lhs * rhs + acc` with a single rounding."""

    lhs: Value = operand_def(T, "The multiplicand.")
    rhs: Value = operand_def(T, "The multiplier.")
    acc: Value = operand_def(T, "The addend.")
    rounding_mode: RoundingMode = attr_def(ROUNDING, "How an inexact result is rounded.")
    flush_to_zero: bool = flag_def(FTZ, default=False)
    result: Value = result_def(T, "The result.")
    assembly_format = (
        "$lhs `,` $rhs `,` $acc custom<Rounding>($rounding_mode) (`flush_to_zero` $flush_to_zero^)? "
        "attr-dict `:` type($result)"
    )
    format_defaults: ClassVar[Mapping[str, Attribute]] = NEAREST_EVEN
    rounding_modes: ClassVar[tuple[RoundingMode, ...]] = IEEE
    traits = (Pure(), Elementwise())

    def verify_(self) -> None:
        check_float_arithmetic(self.result, self.rounding_mode, IEEE, self.flush_to_zero)


@tile_op(0x64, GROUP)
class SqrtOp(UnaryFloatOp, name="cuda_tile.sqrt"):
    """Square root.  `approx` is for f32 only."""

    rounding_mode: RoundingMode = attr_def(ROUNDING, "How an inexact result is rounded.")
    flush_to_zero: bool = flag_def(FTZ, default=False)
    assembly_format = (
        "$source custom<Rounding>($rounding_mode) (`flush_to_zero` $flush_to_zero^)? attr-dict `:` "
        "type($result)"
    )
    format_defaults: ClassVar[Mapping[str, Attribute]] = NEAREST_EVEN
    rounding_modes: ClassVar[tuple[RoundingMode, ...]] = SQUARE_ROOT

    def verify_(self) -> None:
        check_float_arithmetic(
            self.result, self.rounding_mode, SQUARE_ROOT, self.flush_to_zero, f32_modes=(RoundingMode.APPROX,)
        )


@tile_op(0x5D, GROUP)
class RsqrtOp(UnaryFloatOp, name="cuda_tile.rsqrt"):
    """Reciprocal square root: `1 / sqrt(x)`."""

    flush_to_zero: bool = flag_def(FTZ, default=False)
    assembly_format = "$source (`flush_to_zero` $flush_to_zero^)? attr-dict `:` type($result)"

    def verify_(self) -> None:
        check_f32_only(self.result, flush_to_zero=self.flush_to_zero)


@tile_op(0x17, GROUP)
class ExpOp(UnaryFloatOp, name="cuda_tile.exp"):
    """Exponential function: `e^x`.  `approx` (f32) is `exp2(x * log2 e)` in hardware precision."""

    rounding_mode: RoundingMode = attr_def(
        ROUNDING, "`full` or `approx`.", default=RoundingMode.FULL, since=V13_3
    )
    assembly_format = "$source custom<Rounding>($rounding_mode) attr-dict `:` type($result)"
    rounding_modes: ClassVar[tuple[RoundingMode, ...]] = TRANSCENDENTAL

    def verify_(self) -> None:
        check_float_arithmetic(
            self.result, self.rounding_mode, TRANSCENDENTAL, False, f32_modes=(RoundingMode.APPROX,)
        )


@tile_op(0x18, GROUP)
class Exp2Op(UnaryFloatOp, name="cuda_tile.exp2"):
    """Power of two: `2^x`."""

    flush_to_zero: bool = flag_def(FTZ, default=False)
    assembly_format = "$source (`flush_to_zero` $flush_to_zero^)? attr-dict `:` type($result)"

    def verify_(self) -> None:
        check_f32_only(self.result, flush_to_zero=self.flush_to_zero)


@tile_op(0x3F, GROUP)
class LogOp(UnaryFloatOp, name="cuda_tile.log"):
    """Computes the natural logarithm of each element."""


@tile_op(0x40, GROUP)
class Log2Op(UnaryFloatOp, name="cuda_tile.log2"):
    """Logarithm to base 2."""


@tile_op(0x62, GROUP)
class SinOp(UnaryFloatOp, name="cuda_tile.sin"):
    """Sine of an angle in radians."""


@tile_op(0x12, GROUP)
class CosOp(UnaryFloatOp, name="cuda_tile.cos"):
    """Cosine of an angle in radians."""


@tile_op(0x69, GROUP)
class TanOp(UnaryFloatOp, name="cuda_tile.tan"):
    """Tangent of an angle in radians."""


@tile_op(0x63, GROUP)
class SinHOp(UnaryFloatOp, name="cuda_tile.sinh"):
    """Computes the hyperbolic sine of each element."""


@tile_op(0x13, GROUP)
class CosHOp(UnaryFloatOp, name="cuda_tile.cosh"):
    """Computes the hyperbolic cosine of each element."""


@tile_op(0x6A, GROUP)
class TanHOp(UnaryFloatOp, name="cuda_tile.tanh"):
    """Hyperbolic tangent.  `full`: within 2 ulp (f32) or 1 ulp (f64); `approx` (f32) does not flush subnormals."""

    rounding_mode: RoundingMode = attr_def(
        ROUNDING, "`full` or `approx`.", default=RoundingMode.FULL, since=V13_2
    )
    assembly_format = "$source custom<Rounding>($rounding_mode) attr-dict `:` type($result)"

    def verify_(self) -> None:
        check_float_arithmetic(
            self.result, self.rounding_mode, TRANSCENDENTAL, False, f32_modes=(RoundingMode.APPROX,)
        )


@tile_op(0x54, GROUP)
class PowOp(TileOp, name="cuda_tile.pow"):
    """Power: `source ^ exponent`.  The public disassembler spells it `fpowf`."""

    source: Value = operand_def(T, "The base.")
    exponent: Value = operand_def(T, "The exponent.")
    result: Value = result_def(T, "The power.")
    assembly_format = "$source `,` $exponent attr-dict `:` type($result)"
    traits = (Pure(), Elementwise(), same_type("result", "source", "exponent"))


@tile_op(0x79, GROUP, V13_4)
class FPowIOp(TileOp, name="cuda_tile.fpowi"):
    """Integer power of a float: `source ^ exponent`, exponent of up to 32 bits, read as signed."""

    source: Value = operand_def(T, "The base.")
    exponent: Value = operand_def(TileOf((i1, i8, i16, i32)), "The integer exponent, of the same shape.")
    result: Value = result_def(T, "The power.")
    assembly_format = "$source `,` $exponent attr-dict `:` type($source) `,` type($exponent)"
    traits = (
        Pure(),
        Elementwise(),
        same_type("result", "source"),
        same_shape("source", "exponent"),
    )


@tile_op(0x6E, GROUP, V13_2)
class Atan2Op(TileOp, name="cuda_tile.atan2"):
    """Angle whose tangent is `x / y`, in the quadrant given by both signs; `x` is the numerator."""

    x: Value = operand_def(T, "The numerator.")
    y: Value = operand_def(T, "The denominator.")
    result: Value = result_def(T, "The angle in radians, from -pi to pi.")
    assembly_format = "$x `,` $y attr-dict `:` type($result)"
    traits = (Pure(), Elementwise())


@tile_op(0x59, GROUP)
class RemFOp(BinaryFloatOp, name="cuda_tile.remf"):
    """Truncated remainder: has the sign of `lhs`.

    A zero divisor, an infinite dividend or a NaN gives NaN; an infinite divisor gives `lhs`.
    """


@tile_op(0x0D, GROUP)
class CeilOp(UnaryFloatOp, name="cuda_tile.ceil"):
    """Smallest integral value not below the operand."""


@tile_op(0x27, GROUP)
class FloorOp(UnaryFloatOp, name="cuda_tile.floor"):
    """Largest integral value not above the operand."""


class ExtremumFOp(BinaryFloatOp):
    """The base of `maxf` and `minf`, with flags that propagate NaN and flush subnormal numbers to zero (f32
    only).
    """

    propagate_nan: bool = flag_def(
        "Return NaN if either operand is NaN (otherwise only if both are).", default=False
    )
    flush_to_zero: bool = flag_def(FTZ, default=False)
    assembly_format = (
        "$lhs `,` $rhs oilist(`flush_to_zero` $flush_to_zero | `propagate_nan` $propagate_nan) attr-dict "
        "`:` type($result)"
    )

    def verify_(self) -> None:
        check_f32_only(self.result, flush_to_zero=self.flush_to_zero)


@tile_op(0x45, GROUP)
class MaxFOp(ExtremumFOp, name="cuda_tile.maxf"):
    """Larger of two floats. +0 is larger than -0. If one operand is NaN, the result is the other operand, or
    NaN with `propagate_nan`; a NaN result is the canonical NaN.
    """


@tile_op(0x47, GROUP)
class MinFOp(ExtremumFOp, name="cuda_tile.minf"):
    """Smaller of two floats. -0 is smaller than +0. If one operand is NaN, the result is the other operand,
    or NaN with `propagate_nan`; a NaN result is the canonical NaN.
    """


@tile_op(0x0E, GROUP)
class CmpFOp(TileOp, name="cuda_tile.cmpf"):
    """Comparison of floats.

    If an operand is NaN, an `ordered` comparison is false, an `unordered` one true.
    """

    comparison_predicate: ComparisonPredicate = attr_def(EnumKind(ComparisonPredicateAttr), "The relation.")
    comparison_ordering: ComparisonOrdering = attr_def(EnumKind(ComparisonOrderingAttr), "What NaN answers.")
    lhs: Value = operand_def(T, "The left-hand operand.")
    rhs: Value = operand_def(T, "The right-hand operand.")
    result: Value = result_def(BOOLEAN_TILE, "Whether the relation holds, for each pair.")
    assembly_format = (
        "custom<Word>($comparison_predicate) custom<Word>($comparison_ordering) $lhs `,` $rhs attr-dict `:` "
        "type($lhs) `->` type($result)"
    )
    traits = (
        Pure(),
        Elementwise(),
        TypesSatisfy(COMPARISON_RULE, is_comparison, "lhs", "result"),
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return comparison_type(operands)


OPERATIONS = (
    AbsFOp,
    NegFOp,
    AddFOp,
    SubFOp,
    MulFOp,
    DivFOp,
    FmaOp,
    SqrtOp,
    RsqrtOp,
    ExpOp,
    Exp2Op,
    LogOp,
    Log2Op,
    SinOp,
    CosOp,
    TanOp,
    SinHOp,
    CosHOp,
    TanHOp,
    PowOp,
    FPowIOp,
    Atan2Op,
    RemFOp,
    CeilOp,
    FloorOp,
    MaxFOp,
    MinFOp,
    CmpFOp,
)
