"""Intrinsic functions on vectors: reductions, masked memory accesses, matrices."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.kinds import DICTIONARIES
from tilewright.dialects.common.traits import PredicateTrait
from tilewright.dialects.llvm import base as llvm_base, constraints as llvm_constraints
from tilewright.dialects.llvm.enums import FastMathFlags
from tilewright.dialects.llvm.kinds import BIT, FAST_MATH
from tilewright.dialects.llvm.rules import common as common_rules
from tilewright.ir.builtin_attributes import DictionaryAttr
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration import constraint as declaration_constraint, fields, traits as ir_traits
from tilewright.ir.declaration.attribute_kind import IntegerKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

SAME_VECTOR = declaration_constraint.TypeVariable("T", llvm_constraints.VECTOR)
ALIGNMENT_DOC = "Alignment in bytes, a power of two."
ARG_ATTRS_DOC = "Attributes of the arguments, one dictionary each."
RES_ATTRS_DOC = "Attributes of the results, one dictionary each."
DATA_DOC = "The address."
MASK_DOC = "The mask."
COLUMNS_DOC = "The number of columns."
ROWS_DOC = "The number of rows."
RES_DOC = "The result."
VALUE_DOC = "The value."
SRCVEC_DOC = "The vector."
PASS_THRU_DOC = "The elements of masked-off lanes."
IS_VOLATILE_DOC = "Whether the access may not be moved, merged or dropped."


class IntegerReductionOp(llvm_base.ElementResultOp):
    """The base of reductions of all elements of an integer vector to one number."""

    in_: Value = fields.operand_def(llvm_constraints.INTEGER_VECTOR, "The operand.")
    res: Value = fields.result_def(llvm_constraints.LLVM_TYPE, RES_DOC)
    traits = (
        ir_traits.Pure(),
        ir_traits.SameOperandsAndResultElementType(),
    )


class VectorReduceAddOp(IntegerReductionOp, name="llvm.intr.vector.reduce.add"):
    """Computes the sum of all elements of a vector."""


class VectorReduceMulOp(IntegerReductionOp, name="llvm.intr.vector.reduce.mul"):
    """Computes the product of all elements of a vector."""


class VectorReduceAndOp(IntegerReductionOp, name="llvm.intr.vector.reduce.and"):
    """Computes the bitwise and of all elements of a vector."""


class VectorReduceOrOp(IntegerReductionOp, name="llvm.intr.vector.reduce.or"):
    """Computes the bitwise or of all elements of a vector."""


class VectorReduceXorOp(IntegerReductionOp, name="llvm.intr.vector.reduce.xor"):
    """Computes the bitwise exclusive or of all elements of a vector."""


class VectorReduceSmaxOp(IntegerReductionOp, name="llvm.intr.vector.reduce.smax"):
    """Returns the largest element of a vector of signed integers."""


class VectorReduceSminOp(IntegerReductionOp, name="llvm.intr.vector.reduce.smin"):
    """Returns the smallest element of a vector of signed integers."""


class VectorReduceUmaxOp(IntegerReductionOp, name="llvm.intr.vector.reduce.umax"):
    """Returns the largest element of a vector of unsigned integers."""


class VectorReduceUminOp(IntegerReductionOp, name="llvm.intr.vector.reduce.umin"):
    """Returns the smallest element of a vector of unsigned integers."""


class OrderedFloatReductionOp(llvm_base.StartValueResultOp):
    """The base of reductions of a start value and all elements of a vector, in order unless `reassoc` is set."""

    start_value: Value = fields.operand_def(llvm_constraints.SCALAR_FLOAT, "Where the combination begins.")
    input: Value = fields.operand_def(llvm_constraints.FLOAT_VECTOR, SRCVEC_DOC)
    fastmathFlags: FastMathFlags = fields.attr_def(
        FAST_MATH, "The fast-math flags.", default=FastMathFlags.NONE
    )
    res: Value = fields.result_def(llvm_constraints.LLVM_TYPE, RES_DOC)
    traits = (
        ir_traits.Pure(),
        ir_traits.SameOperandsAndResultElementType(),
    )


class VectorReduceFaddOp(OrderedFloatReductionOp, name="llvm.intr.vector.reduce.fadd"):
    """Computes the sum of a start value and all elements of a vector, in order unless reassociation is
    allowed.
    """


class VectorReduceFmulOp(OrderedFloatReductionOp, name="llvm.intr.vector.reduce.fmul"):
    """Computes the product of a start value and all elements of a vector, in order unless reassociation is
    allowed.
    """


class FloatReductionOp(llvm_base.ElementResultOp):
    """The base of reductions of all elements of a floating-point vector to one number."""

    in_: Value = fields.operand_def(llvm_constraints.FLOAT_VECTOR, "The operand.")
    fastmathFlags: FastMathFlags = fields.attr_def(
        FAST_MATH, "The fast-math flags.", default=FastMathFlags.NONE
    )
    res: Value = fields.result_def(llvm_constraints.LLVM_TYPE, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (
        ir_traits.Pure(),
        ir_traits.SameOperandsAndResultElementType(),
    )


class VectorReduceFmaxOp(FloatReductionOp, name="llvm.intr.vector.reduce.fmax"):
    """Returns the largest element that is not NaN."""


class VectorReduceFminOp(FloatReductionOp, name="llvm.intr.vector.reduce.fmin"):
    """Returns the smallest element that is not NaN."""


class VectorReduceFmaximumOp(FloatReductionOp, name="llvm.intr.vector.reduce.fmaximum"):
    """Returns the largest element; NaN if an element is NaN."""


class VectorReduceFminimumOp(FloatReductionOp, name="llvm.intr.vector.reduce.fminimum"):
    """Returns the smallest element; NaN if an element is NaN."""


class MaskedLoadOp(StandardOp, name="llvm.intr.masked.load"):
    """Loads the elements of a vector whose mask bit is set. Other elements come from `pass_thru`, or are
    undefined without it.
    """

    data: Value = fields.operand_def(llvm_constraints.POINTER, DATA_DOC)
    mask: Value = fields.operand_def(llvm_constraints.BOOL_VECTOR, MASK_DOC)
    alignment: int = fields.attr_def(IntegerKind(i32), ALIGNMENT_DOC)
    pass_thru: Value | None = fields.optional_operand_def(
        llvm_constraints.VECTOR, PASS_THRU_DOC, default=None
    )
    nontemporal: bool = fields.flag_def("Whether the data will not be used again soon.", default=False)
    res: Value = fields.result_def(llvm_constraints.VECTOR, RES_DOC)
    assembly_format = "operands attr-dict `:` functional-type(operands, results)"


class MaskedStoreOp(StandardOp, name="llvm.intr.masked.store"):
    """Stores the elements of a vector whose mask bit is set; memory at other elements is not accessed."""

    value: Value = fields.operand_def(llvm_constraints.VECTOR, VALUE_DOC)
    data: Value = fields.operand_def(llvm_constraints.POINTER, DATA_DOC)
    mask: Value = fields.operand_def(llvm_constraints.BOOL_VECTOR, MASK_DOC)
    alignment: int = fields.attr_def(IntegerKind(i32), ALIGNMENT_DOC)
    assembly_format = (
        "$value `,` $data `,` $mask attr-dict `:` type($value) `,` type($mask) `into` qualified(type($data))"
    )


class MaskedGatherOp(StandardOp, name="llvm.intr.masked.gather"):
    """Loads each element from an address of its own where the mask bit is set. Other elements come from
    `pass_thru`, or are undefined without it.
    """

    ptrs: Value = fields.operand_def(llvm_constraints.POINTER_VECTOR, "The addresses.")
    mask: Value = fields.operand_def(llvm_constraints.BOOL_VECTOR, MASK_DOC)
    alignment: int = fields.attr_def(IntegerKind(i32), ALIGNMENT_DOC)
    pass_thru: tuple[Value, ...] = fields.variadic_operand_def(
        llvm_constraints.VECTOR, PASS_THRU_DOC, default=()
    )
    res: Value = fields.result_def(llvm_constraints.VECTOR, RES_DOC)
    assembly_format = "operands attr-dict `:` functional-type(operands, results)"
    verifies_locally = True

    def verify_(self) -> None:
        common_rules.check_addresses(self.ptrs.type, self.res.type, 1)


class MaskedScatterOp(StandardOp, name="llvm.intr.masked.scatter"):
    """Stores each element of `value` whose mask bit is set to its own address in `ptrs`; other elements are
    not stored.
    """

    value: Value = fields.operand_def(llvm_constraints.VECTOR, VALUE_DOC)
    ptrs: Value = fields.operand_def(llvm_constraints.POINTER_VECTOR, "The addresses.")
    mask: Value = fields.operand_def(llvm_constraints.BOOL_VECTOR, MASK_DOC)
    alignment: int = fields.attr_def(IntegerKind(i32), ALIGNMENT_DOC)
    assembly_format = (
        "$value `,` $ptrs `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($ptrs)"
    )
    verifies_locally = True

    def verify_(self) -> None:
        common_rules.check_addresses(self.ptrs.type, self.value.type, 2)


class MaskedExpandloadOp(StandardOp, name="llvm.intr.masked.expandload"):
    """Loads consecutive elements from memory, from `ptr` on, into the lanes whose mask bit is set; other
    lanes are `passthru`.
    """

    ptr: Value = fields.operand_def(llvm_constraints.POINTER, DATA_DOC)
    mask: Value = fields.operand_def(llvm_constraints.BOOL_VECTOR, MASK_DOC)
    passthru: Value = fields.operand_def(llvm_constraints.VECTOR, PASS_THRU_DOC)
    arg_attrs: tuple[DictionaryAttr, ...] | None = fields.optional_attr_def(
        DICTIONARIES, ARG_ATTRS_DOC, default=None
    )
    res_attrs: tuple[DictionaryAttr, ...] | None = fields.optional_attr_def(
        DICTIONARIES, RES_ATTRS_DOC, default=None
    )
    res: Value = fields.result_def(llvm_constraints.LLVM_TYPE, RES_DOC)


class MaskedCompressstoreOp(StandardOp, name="llvm.intr.masked.compressstore"):
    """Stores the lanes of `value` whose mask bit is set to consecutive elements in memory, from `ptr` on."""

    value: Value = fields.operand_def(llvm_constraints.VECTOR, VALUE_DOC)
    ptr: Value = fields.operand_def(llvm_constraints.POINTER, DATA_DOC)
    mask: Value = fields.operand_def(llvm_constraints.BOOL_VECTOR, MASK_DOC)
    arg_attrs: tuple[DictionaryAttr, ...] | None = fields.optional_attr_def(
        DICTIONARIES, ARG_ATTRS_DOC, default=None
    )
    res_attrs: tuple[DictionaryAttr, ...] | None = fields.optional_attr_def(
        DICTIONARIES, RES_ATTRS_DOC, default=None
    )


class VectorInsertOp(StandardOp, name="llvm.intr.vector.insert"):
    """Returns `dstvec` with the elements from `pos` on, a constant, replaced by the vector `srcvec`."""

    dstvec: Value = fields.operand_def(SAME_VECTOR, "The vector to insert into.")
    srcvec: Value = fields.operand_def(llvm_constraints.VECTOR, SRCVEC_DOC)
    pos: int = fields.attr_def(IntegerKind(), "Where the part begins, in elements.")
    res: Value = fields.result_def(SAME_VECTOR, RES_DOC)
    assembly_format = "$srcvec `,` $dstvec `[` $pos `]` attr-dict `:` type($srcvec) `into` type($res)"
    traits = (
        ir_traits.Pure(),
        PredicateTrait("vectors are not bigger than 2^17 bits.", common_rules.are_small_vectors),
        PredicateTrait(
            "it is not inserting scalable into fixed-length vectors.",
            common_rules.keeps_scalability("dstvec", "srcvec"),
        ),
    )


class VectorExtractOp(StandardOp, name="llvm.intr.vector.extract"):
    """Extracts as many consecutive elements of `srcvec`, from the constant `pos` on, as the result has."""

    srcvec: Value = fields.operand_def(llvm_constraints.VECTOR, SRCVEC_DOC)
    pos: int = fields.attr_def(IntegerKind(), "Where the part begins, in elements.")
    res: Value = fields.result_def(llvm_constraints.VECTOR, RES_DOC)
    assembly_format = "$srcvec `[` $pos `]` attr-dict `:` type($res) `from` type($srcvec)"
    traits = (
        ir_traits.Pure(),
        PredicateTrait("vectors are not bigger than 2^17 bits.", common_rules.are_small_vectors),
        PredicateTrait(
            "it is not extracting scalable from fixed-length vectors.",
            common_rules.keeps_scalability("srcvec", "res"),
        ),
    )


class VectorInterleave2Op(StandardOp, name="llvm.intr.vector.interleave2"):
    """Interleaves two vectors: element 0 of the first, element 0 of the second, element 1 of the first, and
    so on.
    """

    vec1: Value = fields.operand_def(SAME_VECTOR, "The first vector.")
    vec2: Value = fields.operand_def(SAME_VECTOR, "The second vector.")
    res: Value = fields.result_def(llvm_constraints.LLVM_TYPE, RES_DOC)
    traits = (
        ir_traits.Pure(),
        PredicateTrait("result has twice as many elements as 'vec1'", common_rules.doubles_vector),
    )


class VectorDeinterleave2Op(StandardOp, name="llvm.intr.vector.deinterleave2"):
    """Splits a vector into its elements at even and at odd positions, as a struct of two vectors."""

    vec: Value = fields.operand_def(llvm_constraints.VECTOR, SRCVEC_DOC)
    res: Value = fields.result_def(llvm_constraints.LLVM_TYPE, RES_DOC)
    traits = (ir_traits.Pure(),)


class StepVectorOp(StandardOp, name="llvm.intr.stepvector"):
    """Returns the vector 0, 1, 2, ..."""

    res: Value = fields.result_def(llvm_constraints.INTEGER_VECTOR, RES_DOC)
    assembly_format = "attr-dict `:` type($res)"
    traits = (ir_traits.Pure(),)


class VscaleOp(StandardOp, name="llvm.intr.vscale"):
    """Returns ``vscale``, the run-time factor of the length of scalable vectors."""

    res: Value = fields.result_def(llvm_constraints.LLVM_TYPE, RES_DOC)


class GetActiveLaneMaskOp(StandardOp, name="llvm.intr.get.active.lane.mask"):
    """Computes a mask that is true for each lane `i` with `base + i < n`, compared without wrapping around."""

    base: Value = fields.operand_def(llvm_constraints.INTEGER, "Where lanes are counted from.")
    n: Value = fields.operand_def(llvm_constraints.INTEGER, "The bound.")
    res: Value = fields.result_def(llvm_constraints.LLVM_TYPE, RES_DOC)
    assembly_format = "$base `,` $n attr-dict `:` type($base) `,` type($n) `to` type($res)"
    traits = (ir_traits.Pure(),)


class MatrixColumnMajorLoadOp(StandardOp, name="llvm.intr.matrix.column.major.load"):
    """Loads a matrix of `rows` x `columns` elements from memory, where its columns are `stride` elements
    apart, into a vector in column-major order.
    """

    data: Value = fields.operand_def(llvm_constraints.POINTER, DATA_DOC)
    stride: Value = fields.operand_def(llvm_constraints.INTEGER, "The distance of two columns, in elements.")
    isVolatile: bool = fields.attr_def(BIT, IS_VOLATILE_DOC)
    rows: int = fields.attr_def(IntegerKind(i32), ROWS_DOC)
    columns: int = fields.attr_def(IntegerKind(i32), COLUMNS_DOC)
    res: Value = fields.result_def(llvm_constraints.VECTOR, RES_DOC)
    assembly_format = (
        "$data `,` `<` `stride` `=` $stride `>` attr-dict`:` type($res) `from` "
        "qualified(type($data)) `stride` type($stride)"
    )


class MatrixColumnMajorStoreOp(StandardOp, name="llvm.intr.matrix.column.major.store"):
    """Stores a matrix of `rows` x `columns` elements, which a vector holds in column-major order, to memory,
    where its columns are `stride` elements apart.
    """

    matrix: Value = fields.operand_def(llvm_constraints.VECTOR, "The matrix.")
    data: Value = fields.operand_def(llvm_constraints.POINTER, DATA_DOC)
    stride: Value = fields.operand_def(llvm_constraints.INTEGER, "The distance of two columns, in elements.")
    isVolatile: bool = fields.attr_def(BIT, IS_VOLATILE_DOC)
    rows: int = fields.attr_def(IntegerKind(i32), ROWS_DOC)
    columns: int = fields.attr_def(IntegerKind(i32), COLUMNS_DOC)
    assembly_format = (
        "$matrix `,` $data `,` `<` `stride` `=` $stride `>` attr-dict`:` type($matrix) `to` "
        "qualified(type($data)) `stride` type($stride)"
    )


class MatrixMultiplyOp(StandardOp, name="llvm.intr.matrix.multiply"):
    """Multiplies two matrices that vectors hold in column-major order: `lhs` of `lhs_rows` x `lhs_columns`
    elements, and `rhs` of `lhs_columns` x `rhs_columns`.
    """

    lhs: Value = fields.operand_def(llvm_constraints.VECTOR, "The left-hand operand.")
    rhs: Value = fields.operand_def(llvm_constraints.VECTOR, "The right-hand operand.")
    lhs_rows: int = fields.attr_def(IntegerKind(i32), "The number of rows of the left-hand matrix.")
    lhs_columns: int = fields.attr_def(IntegerKind(i32), "The number of columns of the left-hand matrix.")
    rhs_columns: int = fields.attr_def(IntegerKind(i32), "The number of columns of the right-hand matrix.")
    res: Value = fields.result_def(llvm_constraints.VECTOR, RES_DOC)
    assembly_format = "$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($res)"


class MatrixTransposeOp(StandardOp, name="llvm.intr.matrix.transpose"):
    """Transposes a matrix that a vector holds in column-major order; the operand has `rows` rows and
    `columns` columns.
    """

    matrix: Value = fields.operand_def(llvm_constraints.VECTOR, "The matrix.")
    rows: int = fields.attr_def(IntegerKind(i32), ROWS_DOC)
    columns: int = fields.attr_def(IntegerKind(i32), COLUMNS_DOC)
    res: Value = fields.result_def(llvm_constraints.VECTOR, RES_DOC)
    assembly_format = "$matrix attr-dict `:` type($matrix) `into` type($res)"


OPERATIONS: tuple[type[Operation], ...] = (
    VectorReduceAddOp,
    VectorReduceMulOp,
    VectorReduceAndOp,
    VectorReduceOrOp,
    VectorReduceXorOp,
    VectorReduceSmaxOp,
    VectorReduceSminOp,
    VectorReduceUmaxOp,
    VectorReduceUminOp,
    VectorReduceFaddOp,
    VectorReduceFmulOp,
    VectorReduceFmaxOp,
    VectorReduceFminOp,
    VectorReduceFmaximumOp,
    VectorReduceFminimumOp,
    MaskedLoadOp,
    MaskedStoreOp,
    MaskedGatherOp,
    MaskedScatterOp,
    MaskedExpandloadOp,
    MaskedCompressstoreOp,
    VectorInsertOp,
    VectorExtractOp,
    VectorInterleave2Op,
    VectorDeinterleave2Op,
    StepVectorOp,
    VscaleOp,
    GetActiveLaneMaskOp,
    MatrixColumnMajorLoadOp,
    MatrixColumnMajorStoreOp,
    MatrixMultiplyOp,
    MatrixTransposeOp,
)
"""The operations of this module."""
