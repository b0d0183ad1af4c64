"""Matrix multiplication by warps and warpgroups."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.traits import PredicateTrait
from tilewright.dialects.llvm.constraints import LLVM_TYPE, POINTER, STRUCT
from tilewright.dialects.nvvm.attributes import LdStMatrixShapeAttr, MMAShapeAttr
from tilewright.dialects.nvvm.constraints import (
    INT16,
    INT32,
    INT64,
    SHARED_POINTER,
    STRUCT_OR_FLOAT64,
    RequiresSM,
)
from tilewright.dialects.nvvm.enums.memory import LdStMatrixEltType
from tilewright.dialects.nvvm.enums.mma import (
    BlockScaleFormat,
    MMAB1Op,
    MMABlockScaleKind,
    MMAFrag,
    MMAIntOverflow,
    MMAKind,
    MMALayout,
    MMATypes,
    ScaleVecSize,
    WGMMAScaleIn,
    WGMMAScaleOut,
    WGMMATypes,
)
from tilewright.dialects.nvvm.kinds import (
    BLOCK_SCALE_FORMAT,
    LD_ST_MATRIX_ELT_TYPE,
    MATRIX_SHAPE,
    MMA_BLOCK_SCALE_KIND,
    MMA_FRAG,
    MMA_INT_OVERFLOW,
    MMA_KIND,
    MMA_LAYOUT,
    MMA_SHAPE,
    MMA_TYPES,
    MMAB1_OP,
    SCALE_VEC_SIZE,
    WGMMA_SCALE_IN,
    WGMMA_SCALE_OUT,
    WGMMA_TYPES,
)
from tilewright.dialects.nvvm.rules.matrix import (
    check_matrix_load,
    check_matrix_store,
    check_warpgroup_multiplication,
    is_in_place,
)
from tilewright.dialects.nvvm.rules.wmma import (
    check_fragment_load,
    check_fragment_multiplication,
    check_fragment_store,
)
from tilewright.dialects.nvvm.syntax.mma import REGISTERS, SCALES, SPARSITY, MultiplyOp
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration.attribute_kind import IntegerKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.declaration.fields import (
    attr_def,
    flag_def,
    operand_def,
    optional_attr_def,
    result_def,
    variadic_operand_def,
)
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

PTR_DOC = "The address."
K_DOC = "The common extent."
STRIDE_DOC = "The distance of two rows or columns, in elements."
N_DOC = "The number of columns."
M_DOC = "The number of rows."
OPERAND_A_DOC = "The registers of A."
OPERAND_B_DOC = "The registers of B."
OPERAND_C_DOC = "The registers of the accumulator."
ARGS_DOC = "The registers."
RES_DOC = "The result."
SHAPE_DOC = "The shape."
MULTIPLICAND_A_PTX_TYPE_DOC = "The type of the elements of A, where registers do not tell."
MULTIPLICAND_B_PTX_TYPE_DOC = "The type of the elements of B, where registers do not tell."
ELTYPE_DOC = "The type of the elements."
INT_OVERFLOW_BEHAVIOR_DOC = "The treatment of integer sums that are out of range."
LAYOUT_A_DOC = "Whether A lies by row or by column."
LAYOUT_B_DOC = "Whether B lies by row or by column."
LAYOUT_DOC = "Whether the matrices lie by row or by column."
ORDERED_METADATA_DOC = "Whether the positions of the nonzero elements are in ascending order."
KIND_DOC = "The kind of the instruction."


class LdMatrixOp(StandardOp, name="nvvm.ldmatrix"):
    """Loads 8x8 matrices from shared memory, spread over a warp."""

    ptr: Value = operand_def(SHARED_POINTER, PTR_DOC)
    num: int = attr_def(IntegerKind(i32), "How many matrices.")
    layout: MMALayout = attr_def(MMA_LAYOUT, LAYOUT_DOC)
    shape: LdStMatrixShapeAttr = attr_def(MATRIX_SHAPE, SHAPE_DOC)
    eltType: LdStMatrixEltType = attr_def(LD_ST_MATRIX_ELT_TYPE, ELTYPE_DOC)
    res: Value = result_def(ANY_TYPE, RES_DOC)
    assembly_format = "$ptr attr-dict `:` functional-type($ptr, $res)"

    def verify_(self) -> None:
        check_matrix_load(self)


class StMatrixOp(StandardOp, name="nvvm.stmatrix"):
    """Stores 8x8 matrices to shared memory, spread over a warp."""

    ptr: Value = operand_def(SHARED_POINTER, PTR_DOC)
    layout: MMALayout = attr_def(MMA_LAYOUT, LAYOUT_DOC)
    shape: LdStMatrixShapeAttr = attr_def(MATRIX_SHAPE, SHAPE_DOC)
    eltType: LdStMatrixEltType = attr_def(LD_ST_MATRIX_ELT_TYPE, ELTYPE_DOC)
    sources: tuple[Value, ...] = variadic_operand_def(INT32, ARGS_DOC, default=())
    assembly_format = "$ptr `,` $sources attr-dict `:` type(operands)"

    def verify_(self) -> None:
        check_matrix_store(self)


class WMMALoadOp(StandardOp, name="nvvm.wmma.load"):
    """Loads a matrix fragment."""

    ptr: Value = operand_def(POINTER, PTR_DOC)
    stride: Value = operand_def(INT32, STRIDE_DOC)
    m: int = attr_def(IntegerKind(i32), M_DOC)
    n: int = attr_def(IntegerKind(i32), N_DOC)
    k: int = attr_def(IntegerKind(i32), K_DOC)
    layout: MMALayout = attr_def(MMA_LAYOUT, LAYOUT_DOC)
    eltype: MMATypes = attr_def(MMA_TYPES, ELTYPE_DOC)
    frag: MMAFrag = attr_def(MMA_FRAG, "Which matrix.")
    res: Value = result_def(STRUCT_OR_FLOAT64, RES_DOC)
    assembly_format = "$ptr `,` $stride attr-dict `:` functional-type($ptr, $res)"

    def verify_(self) -> None:
        check_fragment_load(self)


class WMMAStoreOp(StandardOp, name="nvvm.wmma.store"):
    """Stores a matrix fragment."""

    ptr: Value = operand_def(POINTER, PTR_DOC)
    m: int = attr_def(IntegerKind(i32), M_DOC)
    n: int = attr_def(IntegerKind(i32), N_DOC)
    k: int = attr_def(IntegerKind(i32), K_DOC)
    layout: MMALayout = attr_def(MMA_LAYOUT, LAYOUT_DOC)
    eltype: MMATypes = attr_def(MMA_TYPES, ELTYPE_DOC)
    args: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, ARGS_DOC)
    stride: Value = operand_def(INT32, STRIDE_DOC)
    assembly_format = "$ptr `,` $stride `,` $args attr-dict `:` qualified(type($ptr)) `,` type($args)"

    def verify_(self) -> None:
        check_fragment_store(self)


class WMMAMmaOp(StandardOp, name="nvvm.wmma.mma"):
    """Multiplies fragments and adds a third."""

    m: int = attr_def(IntegerKind(i32), M_DOC)
    n: int = attr_def(IntegerKind(i32), N_DOC)
    k: int = attr_def(IntegerKind(i32), K_DOC)
    layoutA: MMALayout = attr_def(MMA_LAYOUT, LAYOUT_A_DOC)
    layoutB: MMALayout = attr_def(MMA_LAYOUT, LAYOUT_B_DOC)
    eltypeA: MMATypes = attr_def(MMA_TYPES, "The type of the elements of A.")
    eltypeB: MMATypes = attr_def(MMA_TYPES, "The type of the elements of B.")
    args: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, ARGS_DOC, default=())
    res: Value = result_def(STRUCT, RES_DOC)
    assembly_format = "$args attr-dict `:` functional-type($args, $res)"

    def verify_(self) -> None:
        check_fragment_multiplication(self)


class MmaOp(MultiplyOp, name="nvvm.mma.sync"):
    """Multiplies matrices that are spread over a warp and adds a third."""

    shape: MMAShapeAttr = attr_def(MMA_SHAPE, SHAPE_DOC)
    layoutA: MMALayout = attr_def(MMA_LAYOUT, LAYOUT_A_DOC)
    layoutB: MMALayout = attr_def(MMA_LAYOUT, LAYOUT_B_DOC)
    operandA: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, OPERAND_A_DOC, default=())
    operandB: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, OPERAND_B_DOC, default=())
    operandC: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, OPERAND_C_DOC, default=())
    b1Op: MMAB1Op | None = optional_attr_def(
        MMAB1_OP, "How single bits are multiplied and added.", default=None
    )
    intOverflowBehavior: MMAIntOverflow | None = optional_attr_def(
        MMA_INT_OVERFLOW, INT_OVERFLOW_BEHAVIOR_DOC, default=None
    )
    multiplicandAPtxType: MMATypes | None = optional_attr_def(
        MMA_TYPES, MULTIPLICAND_A_PTX_TYPE_DOC, default=None
    )
    multiplicandBPtxType: MMATypes | None = optional_attr_def(
        MMA_TYPES, MULTIPLICAND_B_PTX_TYPE_DOC, default=None
    )
    res: Value = result_def(STRUCT, RES_DOC)
    gap = " "


class MmaSpOp(MultiplyOp, name="nvvm.mma.sp.sync"):
    """Multiplies two matrices, the first 2:4 sparse, and adds a third."""

    shape: MMAShapeAttr = attr_def(MMA_SHAPE, SHAPE_DOC)
    operandA: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, OPERAND_A_DOC)
    operandB: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, OPERAND_B_DOC)
    operandC: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, OPERAND_C_DOC)
    sparseMetadata: Value = operand_def(INT32, "The positions of the nonzero elements.")
    sparsitySelector: Value = operand_def(INT32, "The threads that hold the positions.")
    intOverflowBehavior: MMAIntOverflow | None = optional_attr_def(
        MMA_INT_OVERFLOW, INT_OVERFLOW_BEHAVIOR_DOC, default=None
    )
    multiplicandAPtxType: MMATypes | None = optional_attr_def(
        MMA_TYPES, MULTIPLICAND_A_PTX_TYPE_DOC, default=None
    )
    multiplicandBPtxType: MMATypes | None = optional_attr_def(
        MMA_TYPES, MULTIPLICAND_B_PTX_TYPE_DOC, default=None
    )
    orderedMetadata: bool = flag_def(ORDERED_METADATA_DOC, default=False)
    kind_: MMAKind | None = optional_attr_def(MMA_KIND, KIND_DOC, default=None)
    res: Value = result_def(STRUCT, RES_DOC)
    parts = (*REGISTERS, *SPARSITY)


class MmaBlockScaleOp(MultiplyOp, name="nvvm.mma.block_scale"):
    """Multiplies matrices with scale factors and adds a third."""

    shape: MMAShapeAttr = attr_def(MMA_SHAPE, SHAPE_DOC)
    scaleVecSize: ScaleVecSize = attr_def(SCALE_VEC_SIZE, "How many scale factors a row has.")
    blockScaleFormat: BlockScaleFormat = attr_def(BLOCK_SCALE_FORMAT, "The format of the scale factors.")
    kind_: MMABlockScaleKind = attr_def(MMA_BLOCK_SCALE_KIND, KIND_DOC)
    operandA: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, OPERAND_A_DOC)
    operandB: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, OPERAND_B_DOC)
    operandC: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, OPERAND_C_DOC)
    scaleAData: Value = operand_def(INT32, "The scale factors of A.")
    byteIdA: Value = operand_def(INT16, "The bytes that hold the scale factors of A.")
    threadIdA: Value = operand_def(INT16, "The threads that hold the scale factors of A.")
    scaleBData: Value = operand_def(INT32, "The scale factors of B.")
    byteIdB: Value = operand_def(INT16, "The bytes that hold the scale factors of B.")
    threadIdB: Value = operand_def(INT16, "The threads that hold the scale factors of B.")
    multiplicandAPtxType: MMATypes | None = optional_attr_def(
        MMA_TYPES, MULTIPLICAND_A_PTX_TYPE_DOC, default=None
    )
    multiplicandBPtxType: MMATypes | None = optional_attr_def(
        MMA_TYPES, MULTIPLICAND_B_PTX_TYPE_DOC, default=None
    )
    res: Value = result_def(STRUCT, RES_DOC)
    parts = (*REGISTERS, *SCALES)


class MmaSpBlockScaleOp(MultiplyOp, name="nvvm.mma.sp.block_scale"):
    """Multiplies two matrices with scale factors, the first sparse, and adds a third."""

    shape: MMAShapeAttr = attr_def(MMA_SHAPE, SHAPE_DOC)
    scaleVecSize: ScaleVecSize = attr_def(SCALE_VEC_SIZE, "How many scale factors a row has.")
    blockScaleFormat: BlockScaleFormat = attr_def(BLOCK_SCALE_FORMAT, "The format of the scale factors.")
    kind_: MMABlockScaleKind = attr_def(MMA_BLOCK_SCALE_KIND, KIND_DOC)
    operandA: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, OPERAND_A_DOC)
    operandB: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, OPERAND_B_DOC)
    operandC: tuple[Value, ...] = variadic_operand_def(LLVM_TYPE, OPERAND_C_DOC)
    sparseMetadata: Value = operand_def(INT32, "The positions of the nonzero elements.")
    sparsitySelector: Value = operand_def(INT32, "The threads that hold the positions.")
    scaleAData: Value = operand_def(INT32, "The scale factors of A.")
    byteIdA: Value = operand_def(INT16, "The bytes that hold the scale factors of A.")
    threadIdA: Value = operand_def(INT16, "The threads that hold the scale factors of A.")
    scaleBData: Value = operand_def(INT32, "The scale factors of B.")
    byteIdB: Value = operand_def(INT16, "The bytes that hold the scale factors of B.")
    threadIdB: Value = operand_def(INT16, "The threads that hold the scale factors of B.")
    multiplicandAPtxType: MMATypes | None = optional_attr_def(
        MMA_TYPES, MULTIPLICAND_A_PTX_TYPE_DOC, default=None
    )
    multiplicandBPtxType: MMATypes | None = optional_attr_def(
        MMA_TYPES, MULTIPLICAND_B_PTX_TYPE_DOC, default=None
    )
    orderedMetadata: bool = flag_def(ORDERED_METADATA_DOC, default=False)
    res: Value = result_def(STRUCT, RES_DOC)
    parts = (*REGISTERS, *SPARSITY, *SCALES)


class WgmmaFenceAlignedOp(StandardOp, name="nvvm.wgmma.fence.aligned"):
    """Orders accesses to registers before multiplications of the warpgroup."""

    assembly_format = "attr-dict"
    traits = (RequiresSM(90, exact=True),)


class WgmmaGroupSyncAlignedOp(StandardOp, name="nvvm.wgmma.commit.group.sync.aligned"):
    """Unites all multiplications since the last group into one."""

    assembly_format = "attr-dict"
    traits = (RequiresSM(90, exact=True),)


class WgmmaWaitGroupSyncOp(StandardOp, name="nvvm.wgmma.wait.group.sync.aligned"):
    """Waits until at most ``group`` groups are under way."""

    group: int = attr_def(IntegerKind(), "How many groups may be under way.")
    assembly_format = "attr-dict $group"
    traits = (RequiresSM(90, exact=True),)


class WgmmaMmaAsyncOp(StandardOp, name="nvvm.wgmma.mma_async"):
    """Starts a multiplication by a warpgroup of matrices in shared memory."""

    inouts: Value = operand_def(STRUCT, "The accumulator.")
    descriptorA: Value = operand_def(INT64, "The descriptor of A.")
    descriptorB: Value = operand_def(INT64, "The descriptor of B.")
    shape: MMAShapeAttr = attr_def(MMA_SHAPE, SHAPE_DOC)
    typeA: WGMMATypes = attr_def(WGMMA_TYPES, "The type of the elements of A.")
    typeB: WGMMATypes = attr_def(WGMMA_TYPES, "The type of the elements of B.")
    typeD: WGMMATypes = attr_def(WGMMA_TYPES, "The type of the accumulator.")
    scaleD: WGMMAScaleOut = attr_def(WGMMA_SCALE_OUT, "Whether the accumulator is added.")
    scaleA: WGMMAScaleIn = attr_def(WGMMA_SCALE_IN, "Whether A is negated.")
    scaleB: WGMMAScaleIn = attr_def(WGMMA_SCALE_IN, "Whether B is negated.")
    layoutA: MMALayout = attr_def(MMA_LAYOUT, LAYOUT_A_DOC)
    layoutB: MMALayout = attr_def(MMA_LAYOUT, LAYOUT_B_DOC)
    satfinite: MMAIntOverflow | None = optional_attr_def(
        MMA_INT_OVERFLOW, INT_OVERFLOW_BEHAVIOR_DOC, default=None
    )
    results_: Value = result_def(STRUCT, "The new accumulator.")
    assembly_format = (
        "$descriptorA `,` $descriptorB `,` $inouts `,` $shape `,` `D` `[` $typeD `,` $scaleD (`,` "
        "$satfinite^)? `]` `,` `A` `[` $typeA `,` $scaleA `,` $layoutA `]` `,` `B` `[` $typeB `,` "
        "$scaleB `,` $layoutB `]` attr-dict `:` type($inouts) `->` type($results)"
    )
    traits = (PredicateTrait("input struct and result struct must be the same type", is_in_place),)

    def verify_(self) -> None:
        check_warpgroup_multiplication(self)


OPERATIONS: tuple[type[Operation], ...] = (
    LdMatrixOp,
    StMatrixOp,
    WMMALoadOp,
    WMMAStoreOp,
    WMMAMmaOp,
    MmaOp,
    MmaSpOp,
    MmaBlockScaleOp,
    MmaSpBlockScaleOp,
    WgmmaFenceAlignedOp,
    WgmmaGroupSyncAlignedOp,
    WgmmaWaitGroupSyncOp,
    WgmmaMmaAsyncOp,
)
"""The operations of this module."""
