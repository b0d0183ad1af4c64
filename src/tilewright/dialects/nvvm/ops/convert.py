"""Conversions between packed formats, and small arithmetic."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.nvvm import constraints as nvvm_constraints, kinds as nvvm_kinds
from tilewright.dialects.nvvm.enums.barriers import PermuteMode
from tilewright.dialects.nvvm.enums.convert import DotAccumulateType, FPRoundingMode, SaturationMode
from tilewright.dialects.nvvm.rules import convert as convert_rules
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.attribute_kind import BoolKind, TypeKind
from tilewright.ir.declaration.fields import attr_def, operand_def, optional_operand_def, result_def
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

RND_DOC = "How the result is rounded."
RBITS_DOC = "The bits for stochastic rounding."
A_DOC = "The first operand."
SRC_TYPE_DOC = "The format of the operand."
DST_TY_DOC = "The format of the result."
SRC_DOC = "The operand."
DST_DOC = "The result."
B_DOC = "The second operand."
SAT_DOC = "The treatment of numbers that are out of range."
RELU_DOC = "Whether negative results become zero."


class ConvertFloatToTF32Op(StandardOp, name="nvvm.convert.float.to.tf32"):
    """Rounds an f32 to tf32 by the mode `rnd`; the result is an i32 with the bits. `sat` limits large
    numbers, and `relu` makes negative results zero.
    """

    src: Value = operand_def(nvvm_constraints.FLOAT32, SRC_DOC)
    rnd: FPRoundingMode = attr_def(nvvm_kinds.FP_ROUNDING_MODE, RND_DOC, default=FPRoundingMode.NONE)
    sat: SaturationMode = attr_def(nvvm_kinds.SATURATION_MODE, SAT_DOC, default=SaturationMode.NONE)
    relu: bool = attr_def(BoolKind(), RELU_DOC, default=False)
    res: Value = result_def(nvvm_constraints.INT32, DST_DOC)
    assembly_format = "$src attr-dict"

    def verify_(self) -> None:
        convert_rules.check_to_tf32(self)


class RoundPairOp(StandardOp):
    """The base of operations that round two f32 to a pair of 16-bit floats, ``src_hi`` to the high half.
    `random_bits` is required for stochastic rounding, and not allowed otherwise.
    """

    src_hi: Value = operand_def(nvvm_constraints.FLOAT32, "The value of the high half.")
    src_lo: Value = operand_def(nvvm_constraints.FLOAT32, "The value of the low half.")
    random_bits: Value | None = optional_operand_def(nvvm_constraints.INT32, RBITS_DOC, default=None)
    rnd: FPRoundingMode = attr_def(nvvm_kinds.FP_ROUNDING_MODE, RND_DOC, default=FPRoundingMode.NONE)
    sat: SaturationMode = attr_def(nvvm_kinds.SATURATION_MODE, SAT_DOC, default=SaturationMode.NONE)
    relu: bool = attr_def(BoolKind(), RELU_DOC, default=False)
    dst: Value = result_def(nvvm_constraints.PACKED_PAIR, DST_DOC)
    assembly_format = "$src_hi `,` $src_lo (`,` $random_bits^)? attr-dict `:` type($dst)"
    traits = (Pure(),)

    def verify_(self) -> None:
        convert_rules.check_single_to_half(self)


class ConvertF32x2ToF16x2Op(RoundPairOp, name="nvvm.convert.f32x2.to.f16x2"):
    """Rounds two f32 to a pair of f16; `src_hi` becomes the high half."""

    dst: Value = result_def(nvvm_constraints.F16X2, DST_DOC)


class ConvertF32x2ToBF16x2Op(RoundPairOp, name="nvvm.convert.f32x2.to.bf16x2"):
    """Rounds two f32 to a pair of bf16; `src_hi` becomes the high half."""

    dst: Value = result_def(nvvm_constraints.BF16X2, DST_DOC)


class ConvertF32x2ToF8x2Op(StandardOp, name="nvvm.convert.f32x2.to.f8x2"):
    """Rounds two f32 to a pair of 8-bit floats of the format `dstTy`; `a` goes to the high half, `b` to the
    low half.
    """

    a: Value = operand_def(nvvm_constraints.FLOAT32, A_DOC)
    b: Value = operand_def(nvvm_constraints.FLOAT32, B_DOC)
    dstTy: Type = attr_def(TypeKind(), DST_TY_DOC)
    rnd: FPRoundingMode = attr_def(nvvm_kinds.FP_ROUNDING_MODE, RND_DOC, default=FPRoundingMode.NONE)
    sat: SaturationMode = attr_def(nvvm_kinds.SATURATION_MODE, SAT_DOC, default=SaturationMode.NONE)
    relu: bool = attr_def(BoolKind(), RELU_DOC, default=False)
    dst: Value = result_def(nvvm_constraints.PACKED_PAIR, DST_DOC)
    assembly_format = "$a `,` $b attr-dict `:` type($dst) `(` $dstTy `)`"

    def verify_(self) -> None:
        convert_rules.check_single_to_float8(self)


class ConvertF16x2ToF8x2Op(StandardOp, name="nvvm.convert.f16x2.to.f8x2"):
    """Rounds a pair of f16 to a pair of 8-bit floats of the format `dstTy`, f8E4M3FN or f8E5M2; `relu` makes
    negative results zero.
    """

    a: Value = operand_def(nvvm_constraints.F16X2, A_DOC)
    dstTy: Type = attr_def(TypeKind(), DST_TY_DOC)
    relu: bool = attr_def(BoolKind(), RELU_DOC, default=False)
    dst: Value = result_def(nvvm_constraints.PACKED_PAIR, DST_DOC)
    assembly_format = "$a attr-dict `:` type($a) `->` type($dst) `(` $dstTy `)`"

    def verify_(self) -> None:
        convert_rules.check_narrow_format(self)


class ConvertBF16x2ToF8x2Op(StandardOp, name="nvvm.convert.bf16x2.to.f8x2"):
    """Rounds a pair of bf16 to a pair of 8-bit scale factors (`f8E8M0FNU`, the only format of `dstTy`),
    towards zero or up.
    """

    a: Value = operand_def(nvvm_constraints.BF16X2, A_DOC)
    dstTy: Type = attr_def(TypeKind(), DST_TY_DOC)
    rnd: FPRoundingMode = attr_def(nvvm_kinds.FP_ROUNDING_MODE, RND_DOC, default=FPRoundingMode.NONE)
    sat: SaturationMode = attr_def(nvvm_kinds.SATURATION_MODE, SAT_DOC, default=SaturationMode.NONE)
    dst: Value = result_def(nvvm_constraints.PACKED_PAIR, DST_DOC)
    assembly_format = "$a attr-dict `:` type($a) `->` type($dst) `(` $dstTy `)`"

    def verify_(self) -> None:
        convert_rules.check_bfloat_to_float8(self)


class NarrowPairOp(StandardOp):
    """The base of operations that round two f32 to a pair of floats of 6 or 4 bits, whose format is `dstTy`;
    `a` goes to the high half, `b` to the low half.
    """

    a: Value = operand_def(nvvm_constraints.FLOAT32, A_DOC)
    b: Value = operand_def(nvvm_constraints.FLOAT32, B_DOC)
    dstTy: Type = attr_def(TypeKind(), DST_TY_DOC)
    relu: bool = attr_def(BoolKind(), RELU_DOC, default=False)
    dst: Value = result_def(nvvm_constraints.PACKED_PAIR, DST_DOC)
    assembly_format = "$a `,` $b attr-dict `:` type($dst) `(` $dstTy `)`"

    def verify_(self) -> None:
        convert_rules.check_narrow_format(self)


class ConvertF32x2ToF6x2Op(NarrowPairOp, name="nvvm.convert.f32x2.to.f6x2"):
    """Rounds two f32 to a pair of 6-bit floats of the format `dstTy`; `a` goes to the high half."""


class ConvertF32x2ToF4x2Op(NarrowPairOp, name="nvvm.convert.f32x2.to.f4x2"):
    """Rounds two f32 to a pair of 4-bit floats of the format `dstTy`; `a` goes to the high half of the byte."""

    dst: Value = result_def(nvvm_constraints.INT8, DST_DOC)


class StochasticRoundOp(StandardOp):
    """The base of operations that round four f32 stochastically, by the bits `rbits`, to floats of at most 8
    bits, whose format is `dstTy`.
    """

    src: Value = operand_def(nvvm_constraints.F32X4, SRC_DOC)
    rbits: Value = operand_def(nvvm_constraints.INT32, RBITS_DOC)
    dstTy: Type = attr_def(TypeKind(), DST_TY_DOC)
    relu: bool = attr_def(BoolKind(), RELU_DOC, default=False)
    dst: Value = result_def(nvvm_constraints.I8X4, DST_DOC)
    assembly_format = "$src `,` $rbits attr-dict `:` type($src) `->` type($dst) `(` $dstTy `)`"
    traits = (
        Pure(),
        nvvm_constraints.RequiresSM(100, 103, exact=True),
    )

    def verify_(self) -> None:
        convert_rules.check_narrow_format(self)


class ConvertF32x4ToF8x4Op(StochasticRoundOp, name="nvvm.convert.f32x4.to.f8x4"):
    """Rounds four f32 stochastically, by the bits `rbits`, to 8-bit floats of the format `dstTy`, one in each
    byte of the result.
    """


class ConvertF32x4ToF6x4Op(StochasticRoundOp, name="nvvm.convert.f32x4.to.f6x4"):
    """Rounds four f32 stochastically, by the bits `rbits`, to 6-bit floats of the format `dstTy`, one in each
    byte of the result.
    """


class ConvertF32x4ToF4x4Op(StochasticRoundOp, name="nvvm.convert.f32x4.to.f4x4"):
    """Rounds four f32 stochastically, by the bits `rbits`, to 4-bit floats of the format `dstTy`, one in each
    four bits of the result.
    """

    dst: Value = result_def(nvvm_constraints.INT16, DST_DOC)


class WidenPairOp(StandardOp):
    """The base of operations that convert a pair of floats of at most 8 bits, whose format is `srcType`, to a
    pair of 16-bit floats.
    """

    src: Value = operand_def(nvvm_constraints.I8X2, SRC_DOC)
    srcType: Type = attr_def(TypeKind(), SRC_TYPE_DOC)
    dst: Value = result_def(nvvm_constraints.F16X2, DST_DOC)
    assembly_format = "$src attr-dict `:` type($src) `(` $srcType `)` `->` type($dst)"

    def verify_(self) -> None:
        convert_rules.check_narrow_format(self)


class ConvertF8x2ToF16x2Op(WidenPairOp, name="nvvm.convert.f8x2.to.f16x2"):
    """Converts a pair of 8-bit floats to f16."""

    relu: bool = attr_def(BoolKind(), RELU_DOC, default=False)


class ConvertF8x2ToBF16x2Op(WidenPairOp, name="nvvm.convert.f8x2.to.bf16x2"):
    """Converts a pair of 8-bit scale factors to bf16."""

    dst: Value = result_def(nvvm_constraints.BF16X2, DST_DOC)


class ConvertF6x2ToF16x2Op(WidenPairOp, name="nvvm.convert.f6x2.to.f16x2"):
    """Converts a pair of 6-bit floats to f16."""

    relu: bool = attr_def(BoolKind(), RELU_DOC, default=False)


class ConvertF4x2ToF16x2Op(WidenPairOp, name="nvvm.convert.f4x2.to.f16x2"):
    """Converts a pair of 4-bit floats to f16."""

    src: Value = operand_def(nvvm_constraints.INT8, SRC_DOC)
    relu: bool = attr_def(BoolKind(), RELU_DOC, default=False)


class RcpApproxFtzF32Op(StandardOp, name="nvvm.rcp.approx.ftz.f"):
    """An approximate reciprocal; subnormal numbers count as zero."""

    arg: Value = operand_def(nvvm_constraints.FLOAT32, SRC_DOC)
    res: Value = result_def(nvvm_constraints.FLOAT32, DST_DOC)
    assembly_format = "$arg attr-dict `:` type($res)"
    traits = (Pure(),)


class PermuteOp(StandardOp, name="nvvm.prmt"):
    """Returns four bytes of `lo` and, in some modes, `hi`, which `selector` and `mode` select."""

    lo: Value = operand_def(nvvm_constraints.INT32, "The low four bytes.")
    hi: Value | None = optional_operand_def(nvvm_constraints.INT32, "The high four bytes.")
    selector: Value = operand_def(nvvm_constraints.INT32, "Which bytes.")
    mode: PermuteMode = attr_def(nvvm_kinds.PERMUTE_MODE, "How bytes are picked.")
    res: Value = result_def(nvvm_constraints.INT32, DST_DOC)
    assembly_format = "$mode $selector `,` $lo (`,` $hi^)? attr-dict `:` type($res)"
    traits = (Pure(),)

    def verify_(self) -> None:
        convert_rules.check_permutation(self)


class DotAccumulateOp(StandardOp):
    """The base of dot products of small integers, which are added to a third operand. `a_type` and `b_type`
    state whether the integers of `a` and of `b` are signed.
    """

    a: Value = operand_def(nvvm_constraints.I8X4, A_DOC)
    a_type: DotAccumulateType = attr_def(
        nvvm_kinds.DOT_ACCUMULATE_TYPE, "Whether the first operand is signed."
    )
    b: Value = operand_def(nvvm_constraints.I8X4, B_DOC)
    b_type: DotAccumulateType = attr_def(
        nvvm_kinds.DOT_ACCUMULATE_TYPE, "Whether the second operand is signed."
    )
    c: Value = operand_def(nvvm_constraints.INT32, "The third operand.")
    res: Value = result_def(nvvm_constraints.INT32, DST_DOC)
    assembly_format = "$a $a_type `,` $b $b_type `,` $c attr-dict `:` type($a) `,` type($b)"


class DotAccumulate2WayOp(DotAccumulateOp, name="nvvm.dot.accumulate.2way"):
    """The dot product of two 16-bit integers with two of the four 8-bit integers of `b`, the upper two if
    `b_hi`, added to a third operand.
    """

    a: Value = operand_def(nvvm_constraints.I16X2, A_DOC)
    b_hi: bool = attr_def(BoolKind(), "Whether the high half of the second operand is used.")


class DotAccumulate4WayOp(DotAccumulateOp, name="nvvm.dot.accumulate.4way"):
    """The dot product of four 8-bit integers, added to a third operand."""


OPERATIONS: tuple[type[Operation], ...] = (
    ConvertFloatToTF32Op,
    ConvertF32x2ToF16x2Op,
    ConvertF32x2ToBF16x2Op,
    ConvertF32x2ToF8x2Op,
    ConvertF16x2ToF8x2Op,
    ConvertBF16x2ToF8x2Op,
    ConvertF32x2ToF6x2Op,
    ConvertF32x2ToF4x2Op,
    ConvertF32x4ToF8x4Op,
    ConvertF32x4ToF6x4Op,
    ConvertF32x4ToF4x4Op,
    ConvertF8x2ToF16x2Op,
    ConvertF8x2ToBF16x2Op,
    ConvertF6x2ToF16x2Op,
    ConvertF4x2ToF16x2Op,
    RcpApproxFtzF32Op,
    PermuteOp,
    DotAccumulate2WayOp,
    DotAccumulate4WayOp,
)
"""The operations of this module."""
