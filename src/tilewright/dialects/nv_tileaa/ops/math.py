"""Arithmetic that `arith` has no operation for: rounding modes, matrix products, functions defined elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.dialects.arith import ops_conversion as casts, ops_float as floats
from tilewright.dialects.arith.attributes import FAST_MATH, FastMathFlags
from tilewright.dialects.math import dialect as functions
from tilewright.dialects.nv_tileaa.attributes import (
    ConvParamsAttr,
    PropagateNan,
    RoundingMode,
    Signedness,
)
from tilewright.dialects.nv_tileaa.constraints import (
    COUNT,
    ELEMENT_LIKE,
    FIXED_INTEGER_LIKE,
    FLOAT_LIKE,
    INTEGER_LIKE,
    MASK,
    NUMBER_LIKE,
    PROPAGATE_NAN,
    ROUNDING_MODE,
    SIGNEDNESS,
    TEXT,
    TILE,
    SameTypeResultOp,
    TileDialectOp,
    shape_of,
)
from tilewright.dialects.nv_tileaa.rules.dot import check_dot, check_dot_elements
from tilewright.dialects.nv_tileaa.rules.shape import check_same_encoding, check_same_shape
from tilewright.ir.declaration.attribute_kind import InstanceKind
from tilewright.ir.declaration.fields import (
    attr_def,
    flag_def,
    operand_def,
    optional_attr_def,
    optional_operand_def,
    result_def,
    variadic_operand_def,
    variadic_result_def,
)
from tilewright.ir.declaration.traits import (
    Commutative,
    Elementwise,
    NoMemoryEffect,
    Pure,
    VerifyError,
    same_type,
)
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

LEFT = "The left-hand operand."
RIGHT = "The right-hand operand."
RESULT = "The result."
ROUNDING = "How the result is rounded."
FLUSH = "Numbers too small to be normal become zero."
FAST_MATH_DOC = "The fast-math flags, kept as the frontend gave them."
SATURATING = "Numbers out of range become the nearest integer of the type, and NaN becomes 0."
SCALE_A = "A scale for each block of the left-hand matrix."
SCALE_B = "A scale for each block of the right-hand matrix."
FAST_SUM = "The sum may be kept in fewer bits than its type has, where the processor adds up faster so."


class RoundedBinaryOp(SameTypeResultOp):
    """The base of float operations on two values, or on each pair of elements, with a rounding mode;
    `flush_to_zero` replaces subnormal numbers by zero.
    """

    lhs: Value = operand_def(FLOAT_LIKE, LEFT)
    rhs: Value = operand_def(FLOAT_LIKE, RIGHT)
    rounding_mode: RoundingMode = attr_def(ROUNDING_MODE, ROUNDING, default=RoundingMode.NEAREST_EVEN)
    flush_to_zero: bool = flag_def(FLUSH, default=False)
    result: Value = result_def(FLOAT_LIKE, RESULT)
    traits = (Pure(), same_type("lhs", "rhs", "result"))


class AddFOp(RoundedBinaryOp, name="nv_tileaa.addf"):
    """Adds two floating-point values."""

    traits = (Commutative(), *RoundedBinaryOp.traits)


class SubFOp(RoundedBinaryOp, name="nv_tileaa.subf"):
    """Subtracts the right floating-point value from the left one."""


class MulFOp(RoundedBinaryOp, name="nv_tileaa.mulf"):
    """Multiplies two floating-point values."""

    traits = (Commutative(), *RoundedBinaryOp.traits)


class DivFOp(RoundedBinaryOp, name="nv_tileaa.divf"):
    """Divides the left floating-point value by the right one."""


class FmaOp(SameTypeResultOp, name="nv_tileaa.fma"):
    """Computes `lhs * rhs + acc`, rounded once by `rounding_mode`; with `flush_to_zero` subnormal numbers are
    replaced by zero.
    """

    lhs: Value = operand_def(FLOAT_LIKE, LEFT)
    rhs: Value = operand_def(FLOAT_LIKE, RIGHT)
    acc: Value = operand_def(FLOAT_LIKE, "What is added.")
    rounding_mode: RoundingMode = attr_def(ROUNDING_MODE, ROUNDING, default=RoundingMode.NEAREST_EVEN)
    flush_to_zero: bool = flag_def(FLUSH, default=False)
    result: Value = result_def(FLOAT_LIKE, RESULT)
    traits = (Pure(), same_type("lhs", "rhs", "acc", "result"))


class UnaryFloatOp(SameTypeResultOp):
    """The base of functions of a float, or of each element, with optional rounding mode and fast-math flags;
    `flush_to_zero` replaces subnormal numbers by zero.
    """

    source: Value = operand_def(FLOAT_LIKE, "The argument.")
    rounding_mode: RoundingMode | None = optional_attr_def(ROUNDING_MODE, ROUNDING, default=None)
    fastmath: FastMathFlags | None = optional_attr_def(FAST_MATH, FAST_MATH_DOC, default=None)
    flush_to_zero: bool = flag_def(FLUSH, default=False)
    result: Value = result_def(FLOAT_LIKE, RESULT)
    traits = (Pure(), same_type("source", "result"))


class SqrtOp(UnaryFloatOp, name="nv_tileaa.sqrt"):
    """Computes the square root of each element."""


class RsqrtOp(UnaryFloatOp, name="nv_tileaa.rsqrt"):
    """Computes one divided by the square root of each element."""


class Exp2Op(UnaryFloatOp, name="nv_tileaa.exp2"):
    """Computes 2 to the power of each element."""


class ExpOp(UnaryFloatOp, name="nv_tileaa.exp"):
    """Computes e to the power of each element."""


class TanhOp(UnaryFloatOp, name="nv_tileaa.tanh"):
    """Computes the hyperbolic tangent of each element."""


class ExtremumFOp(SameTypeResultOp):
    """The base of minimum and maximum of two floats, or of each pair of elements; `flush_to_zero` replaces
    subnormal numbers by zero.
    """

    lhs: Value = operand_def(FLOAT_LIKE, LEFT)
    rhs: Value = operand_def(FLOAT_LIKE, RIGHT)
    flush_to_zero: bool = flag_def(FLUSH, default=False)
    result: Value = result_def(FLOAT_LIKE, RESULT)
    traits = (Pure(), Commutative(), Elementwise(), same_type("lhs", "rhs", "result"))


class MaximumFOp(ExtremumFOp, name="nv_tileaa.maximumf"):
    """Returns the larger of two floats; NaN if one of them is NaN."""


class MinimumFOp(ExtremumFOp, name="nv_tileaa.minimumf"):
    """Returns the smaller of two floats; NaN if one of them is NaN."""


class MaxNumFOp(ExtremumFOp, name="nv_tileaa.maxnumf"):
    """Returns the larger of two floats; if one of them is NaN, the other."""


class MinNumFOp(ExtremumFOp, name="nv_tileaa.minnumf"):
    """Returns the smaller of two floats; if one of them is NaN, the other."""


class FloatToIntegerOp(TileDialectOp):
    """The base of conversions of floats to integers, which round towards zero. `saturating` replaces numbers
    out of range by the nearest integer of the type, and NaN by 0.
    """

    source: Value = operand_def(FLOAT_LIKE, "The floats.")
    saturating: bool = flag_def(SATURATING, default=False)
    result: Value = result_def(FIXED_INTEGER_LIKE, "The integers.")
    traits = (Pure(), Elementwise())
    verifies_locally = True

    def verify_(self) -> None:
        check_same_shape(self.source.type, self.result.type)
        check_same_encoding(self.source.type, self.result.type)


class FPToSIOp(FloatToIntegerOp, name="nv_tileaa.fptosi"):
    """Converts floats to signed integers, rounding towards zero. Numbers out of range are undefined, or with
    `saturating` become the nearest integer; NaN then becomes 0.
    """


class FPToUIOp(FloatToIntegerOp, name="nv_tileaa.fptoui"):
    """Converts floats to unsigned integers, rounding towards zero. Numbers out of range are undefined, or
    with `saturating` become the nearest integer; NaN then becomes 0.
    """


class ClampFOp(SameTypeResultOp, name="nv_tileaa.clampf"):
    """Limits each element to the range from `lower` to `upper`: smaller elements become `lower`, larger ones
    `upper`. NaN becomes `lower`, or stays NaN if `propagate_nan` is `all`.
    """

    source: Value = operand_def(FLOAT_LIKE, "The number.")
    lower: Value = operand_def(FLOAT_LIKE, "The least result.")
    upper: Value = operand_def(FLOAT_LIKE, "The greatest result.")
    propagate_nan: PropagateNan = attr_def(PROPAGATE_NAN, "The treatment of NaN.", default=PropagateNan.NONE)
    result: Value = result_def(FLOAT_LIKE, RESULT)
    traits = (Pure(), same_type("source", "lower", "upper", "result"))


class ElementOp(TileDialectOp):
    """The base of element-wise operations that neither `arith` nor `math` has; back ends compute them
    directly.
    """


class MulhiUIOp(ElementOp, SameTypeResultOp, name="nv_tileaa.mulhiui"):
    """Computes the high half of the product of unsigned integers."""

    lhs: Value = operand_def(FIXED_INTEGER_LIKE, LEFT)
    rhs: Value = operand_def(FIXED_INTEGER_LIKE, RIGHT)
    result: Value = result_def(FIXED_INTEGER_LIKE, RESULT)
    traits = (Pure(), Commutative(), same_type("lhs", "rhs", "result"))


class FpToFpOp(TileDialectOp, name="nv_tileaa.fp_to_fp"):
    """Converts floats to another float format, rounded by `rounding_mode`, to nearest even without it."""

    source: Value = operand_def(FLOAT_LIKE, "The numbers.")
    rounding_mode: RoundingMode | None = optional_attr_def(ROUNDING_MODE, ROUNDING, default=None)
    result: Value = result_def(FLOAT_LIKE, "The numbers in the other format.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_same_shape(self.source.type, self.result.type)
        check_same_encoding(self.source.type, self.result.type)


class ProductOp(TileDialectOp):
    """The base of products of matrices plus a matrix. The attributes are the signedness and the rounding of
    the factors, the treatment of NaN, and whether the sum may lose precision.
    """

    a: Value = operand_def(TILE, "The left-hand matrix, M x K.")
    b: Value = operand_def(TILE, "The right-hand matrix, K x N.")
    c: Value = operand_def(TILE, "The addend, M x N.")
    signedness_a: Signedness | None = optional_attr_def(
        SIGNEDNESS, "How integers of A are read.", default=None
    )
    signedness_b: Signedness | None = optional_attr_def(
        SIGNEDNESS, "How integers of B are read.", default=None
    )
    propagate_nan: PropagateNan | None = optional_attr_def(
        PROPAGATE_NAN, "The treatment of NaN.", default=None
    )
    input_precision: str | None = optional_attr_def(
        TEXT, "To what floats are rounded before: `tf32`.", default=None
    )
    fast_accumulation: bool = flag_def(FAST_SUM, ir_name="fast_acc", default=False)
    result: Value = result_def(TILE, "The sum, of the type of C.")


class DotOp(ProductOp, name="nv_tileaa.dot"):
    """Multiplies two matrices and adds a matrix; blocks of the factors may have scales. Operands of rank 3
    are batches of matrices.
    """

    sfa: Value | None = optional_operand_def(TILE, SCALE_A, default=None)
    sfb: Value | None = optional_operand_def(TILE, SCALE_B, default=None)
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_dot(self)


class ConvDotOp(TileDialectOp, name="nv_tileaa.conv_dot"):
    """Multiplies a tile of activations with a tile of filters and adds a tile, for one step of a convolution."""

    a: Value = operand_def(TILE, "The activations.")
    b: Value = operand_def(TILE, "The filters.")
    c: Value = operand_def(TILE, "What is added.")
    conv_params: ConvParamsAttr = attr_def(
        InstanceKind(ConvParamsAttr, "parameters of a convolution"), "Filter, stride, padding, dilation."
    )
    signedness_a: Signedness | None = optional_attr_def(
        SIGNEDNESS, "How integers of A are read.", default=None
    )
    signedness_b: Signedness | None = optional_attr_def(
        SIGNEDNESS, "How integers of B are read.", default=None
    )
    result: Value = result_def(TILE, "The sum, of the type of C.")
    traits = (Pure(), same_type("c", "result"))
    verifies_locally = True

    def verify_(self) -> None:
        check_dot_elements(self)


class HistogramOp(TileDialectOp, name="nv_tileaa.histogram"):
    """Counts how often each number from 0 up to the extent of the result, exclusive, occurs in a tile, among
    the elements whose mask is true.
    """

    source: Value = operand_def(INTEGER_LIKE, "The numbers.")
    mask: Value | None = optional_operand_def(MASK, "The mask of the elements that count.", default=None)
    result: Value = result_def(INTEGER_LIKE, "The counts, a tile of rank 1.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        if len(shape_of(self.result.type)) != 1:
            raise VerifyError(f"expects a result of rank 1, got '{self.result.type}'")
        if self.mask is not None:
            check_same_shape(self.source.type, self.mask.type, "operand and mask")


class ElementwiseCallOp(TileDialectOp):
    """The base of operations that apply external code to each element; ``pure`` code has no side effects."""

    inputs: tuple[Value, ...] = variadic_operand_def(ELEMENT_LIKE, "The arguments.")
    pure: bool = flag_def("The code does nothing but compute its results.", default=False)
    outputs: tuple[Value, ...] = variadic_result_def(ELEMENT_LIKE, "The results.")

    def verify_(self) -> None:
        types = [value.type for value in (*self.inputs, *self.outputs)]
        for type in types[1:]:
            check_same_shape(types[0], type, "operands and results")


class ElementwiseInlineAsmOp(ElementwiseCallOp, name="nv_tileaa.elementwise_inline_asm"):
    """Applies the inline assembly `asm_string` to ``packed_element`` elements of each operand at a time;
    `constraints` say, in LLVM's notation, where operands and results are.
    """

    asm_string: str = attr_def(TEXT, "The text.")
    constraints: str = attr_def(TEXT, "Where operands and results are, in the words of LLVM.")
    packed_element: int = attr_def(COUNT, "How many elements one copy of the text handles.")


class ExternElementwiseOp(ElementwiseCallOp, name="nv_tileaa.extern_elementwise"):
    """Applies the function `symbol` of the library of device code `libname`, in the file `libpath`, to each
    element.
    """

    symbol: str = attr_def(TEXT, "The name of the function.")
    libname: str = attr_def(TEXT, "The name of the library.")
    libpath: str = attr_def(TEXT, "Where the library is.")


class CallElementwiseIntrinsicOp(ElementwiseCallOp, name="nv_tileaa.call_elementwise_intrinsic"):
    """Applies an intrinsic of the compiler to each element."""

    intrinsic: str = attr_def(TEXT, "The name of the intrinsic.")


class OptimizationBarrierOp(TileDialectOp, name="nv_tileaa.optimization_barrier"):
    """Returns the operand; no pass may derive facts about the result."""

    source: Value = operand_def(NUMBER_LIKE, "The value.")
    result: Value = result_def(NUMBER_LIKE, "The same value.")
    traits = (NoMemoryEffect(), same_type("source", "result"))


OPERATIONS: tuple[type[Operation], ...] = (
    AddFOp,
    SubFOp,
    MulFOp,
    DivFOp,
    FmaOp,
    SqrtOp,
    RsqrtOp,
    Exp2Op,
    ExpOp,
    TanhOp,
    MaximumFOp,
    MinimumFOp,
    MaxNumFOp,
    MinNumFOp,
    FPToSIOp,
    FPToUIOp,
    ClampFOp,
    MulhiUIOp,
    FpToFpOp,
    DotOp,
    ConvDotOp,
    HistogramOp,
    ElementwiseInlineAsmOp,
    ExternElementwiseOp,
    CallElementwiseIntrinsicOp,
    OptimizationBarrierOp,
)

PLAIN: Mapping[type[Operation], type[Operation]] = {
    AddFOp: floats.AddFOp,
    SubFOp: floats.SubFOp,
    MulFOp: floats.MulFOp,
    DivFOp: floats.DivFOp,
    MaximumFOp: floats.MaximumFOp,
    MinimumFOp: floats.MinimumFOp,
    MaxNumFOp: floats.MaxNumFOp,
    MinNumFOp: floats.MinNumFOp,
    FPToSIOp: casts.FPToSIOp,
    FPToUIOp: casts.FPToUIOp,
    FmaOp: functions.FmaOp,
    SqrtOp: functions.SqrtOp,
    RsqrtOp: functions.RsqrtOp,
    Exp2Op: functions.Exp2Op,
    ExpOp: functions.ExpOp,
    TanhOp: functions.TanhOp,
}
"""Operations with rounding, flushing or saturation attributes, and the equivalent operations of `arith` and `math` for
the default attributes.
"""
WITH_MODIFIERS: Mapping[type[Operation], type[Operation]] = {
    plain: modified for modified, plain in PLAIN.items()
}
"""The inverse of `PLAIN`."""
