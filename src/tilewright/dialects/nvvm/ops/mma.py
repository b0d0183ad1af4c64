"""Matrix multiplication by warps and warpgroups."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.traits import PredicateTrait
from tilewright.dialects.llvm.constraints import LLVM_TYPE, POINTER, STRUCT
from tilewright.dialects.nvvm import constraints as nvvm_constraints, kinds as nvvm_kinds
from tilewright.dialects.nvvm.attributes import LdStMatrixShapeAttr, MMAShapeAttr
from tilewright.dialects.nvvm.enums import memory as memory_enums, mma as mma_enums
from tilewright.dialects.nvvm.rules import matrix as matrix_rules, wmma as wmma_rules
from tilewright.dialects.nvvm.syntax.mma import REGISTERS, SCALES, SPARSITY, MultiplyOp
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration import attribute_kind, constraint as declaration_constraint, fields
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
    """Loads `num` matrices from shared memory to registers of a warp: 8x8 elements of 16 bits, or 8x16 or
    16x16 elements of at most 8 bits.
    """

    ptr: Value = fields.operand_def(nvvm_constraints.SHARED_POINTER, PTR_DOC)
    num: int = fields.attr_def(attribute_kind.IntegerKind(i32), "How many matrices.")
    layout: mma_enums.MMALayout = fields.attr_def(nvvm_kinds.MMA_LAYOUT, LAYOUT_DOC)
    shape: LdStMatrixShapeAttr = fields.attr_def(nvvm_kinds.MATRIX_SHAPE, SHAPE_DOC)
    eltType: memory_enums.LdStMatrixEltType = fields.attr_def(nvvm_kinds.LD_ST_MATRIX_ELT_TYPE, ELTYPE_DOC)
    res: Value = fields.result_def(declaration_constraint.ANY_TYPE, RES_DOC)
    assembly_format = "$ptr attr-dict `:` functional-type($ptr, $res)"

    def verify_(self) -> None:
        matrix_rules.check_matrix_load(self)


class StMatrixOp(StandardOp, name="nvvm.stmatrix"):
    """Stores 1, 2 or 4 matrices from registers of a warp to shared memory: 8x8 elements of 16 bits, or 16x8
    elements of 8 bits.
    """

    ptr: Value = fields.operand_def(nvvm_constraints.SHARED_POINTER, PTR_DOC)
    layout: mma_enums.MMALayout = fields.attr_def(nvvm_kinds.MMA_LAYOUT, LAYOUT_DOC)
    shape: LdStMatrixShapeAttr = fields.attr_def(nvvm_kinds.MATRIX_SHAPE, SHAPE_DOC)
    eltType: memory_enums.LdStMatrixEltType = fields.attr_def(nvvm_kinds.LD_ST_MATRIX_ELT_TYPE, ELTYPE_DOC)
    sources: tuple[Value, ...] = fields.variadic_operand_def(nvvm_constraints.INT32, ARGS_DOC, default=())
    assembly_format = "$ptr `,` $sources attr-dict `:` type(operands)"

    def verify_(self) -> None:
        matrix_rules.check_matrix_store(self)


class WMMALoadOp(StandardOp, name="nvvm.wmma.load"):
    """Loads the matrix `frag` (A, B or C) of an M x N x K product from memory, where its rows or columns are
    `stride` elements apart, to a fragment in registers of a warp. The result is a struct of registers, or one
    f64.
    """

    ptr: Value = fields.operand_def(POINTER, PTR_DOC)
    stride: Value = fields.operand_def(nvvm_constraints.INT32, STRIDE_DOC)
    m: int = fields.attr_def(attribute_kind.IntegerKind(i32), M_DOC)
    n: int = fields.attr_def(attribute_kind.IntegerKind(i32), N_DOC)
    k: int = fields.attr_def(attribute_kind.IntegerKind(i32), K_DOC)
    layout: mma_enums.MMALayout = fields.attr_def(nvvm_kinds.MMA_LAYOUT, LAYOUT_DOC)
    eltype: mma_enums.MMATypes = fields.attr_def(nvvm_kinds.MMA_TYPES, ELTYPE_DOC)
    frag: mma_enums.MMAFrag = fields.attr_def(nvvm_kinds.MMA_FRAG, "Which matrix.")
    res: Value = fields.result_def(nvvm_constraints.STRUCT_OR_FLOAT64, RES_DOC)
    assembly_format = "$ptr `,` $stride attr-dict `:` functional-type($ptr, $res)"

    def verify_(self) -> None:
        wmma_rules.check_fragment_load(self)


class WMMAStoreOp(StandardOp, name="nvvm.wmma.store"):
    """Stores the accumulator of an M x N x K product, the registers `args` of a warp, to memory, where its
    rows or columns are `stride` elements apart.
    """

    ptr: Value = fields.operand_def(POINTER, PTR_DOC)
    m: int = fields.attr_def(attribute_kind.IntegerKind(i32), M_DOC)
    n: int = fields.attr_def(attribute_kind.IntegerKind(i32), N_DOC)
    k: int = fields.attr_def(attribute_kind.IntegerKind(i32), K_DOC)
    layout: mma_enums.MMALayout = fields.attr_def(nvvm_kinds.MMA_LAYOUT, LAYOUT_DOC)
    eltype: mma_enums.MMATypes = fields.attr_def(nvvm_kinds.MMA_TYPES, ELTYPE_DOC)
    args: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, ARGS_DOC)
    stride: Value = fields.operand_def(nvvm_constraints.INT32, STRIDE_DOC)
    assembly_format = "$ptr `,` $stride `,` $args attr-dict `:` qualified(type($ptr)) `,` type($args)"

    def verify_(self) -> None:
        wmma_rules.check_fragment_store(self)


class WMMAMmaOp(StandardOp, name="nvvm.wmma.mma"):
    """Multiplies two matrix fragments and adds a third. The operands are the registers of this lane of A, B
    and C in this order; the result is a struct of its registers of the sum.
    """

    m: int = fields.attr_def(attribute_kind.IntegerKind(i32), M_DOC)
    n: int = fields.attr_def(attribute_kind.IntegerKind(i32), N_DOC)
    k: int = fields.attr_def(attribute_kind.IntegerKind(i32), K_DOC)
    layoutA: mma_enums.MMALayout = fields.attr_def(nvvm_kinds.MMA_LAYOUT, LAYOUT_A_DOC)
    layoutB: mma_enums.MMALayout = fields.attr_def(nvvm_kinds.MMA_LAYOUT, LAYOUT_B_DOC)
    eltypeA: mma_enums.MMATypes = fields.attr_def(nvvm_kinds.MMA_TYPES, "The type of the elements of A.")
    eltypeB: mma_enums.MMATypes = fields.attr_def(nvvm_kinds.MMA_TYPES, "The type of the elements of B.")
    args: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, ARGS_DOC, default=())
    res: Value = fields.result_def(STRUCT, RES_DOC)
    assembly_format = "$args attr-dict `:` functional-type($args, $res)"

    def verify_(self) -> None:
        wmma_rules.check_fragment_multiplication(self)


class MmaOp(MultiplyOp, name="nvvm.mma.sync"):
    """Multiplies two matrices that are distributed over a warp, and adds a third. Each lane passes its
    registers of the matrices; the result is a struct of its registers of the sum.
    """

    shape: MMAShapeAttr = fields.attr_def(nvvm_kinds.MMA_SHAPE, SHAPE_DOC)
    layoutA: mma_enums.MMALayout = fields.attr_def(nvvm_kinds.MMA_LAYOUT, LAYOUT_A_DOC)
    layoutB: mma_enums.MMALayout = fields.attr_def(nvvm_kinds.MMA_LAYOUT, LAYOUT_B_DOC)
    operandA: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, OPERAND_A_DOC, default=())
    operandB: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, OPERAND_B_DOC, default=())
    operandC: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, OPERAND_C_DOC, default=())
    b1Op: mma_enums.MMAB1Op | None = fields.optional_attr_def(
        nvvm_kinds.MMAB1_OP, "How single bits are multiplied and added.", default=None
    )
    intOverflowBehavior: mma_enums.MMAIntOverflow | None = fields.optional_attr_def(
        nvvm_kinds.MMA_INT_OVERFLOW, INT_OVERFLOW_BEHAVIOR_DOC, default=None
    )
    multiplicandAPtxType: mma_enums.MMATypes | None = fields.optional_attr_def(
        nvvm_kinds.MMA_TYPES, MULTIPLICAND_A_PTX_TYPE_DOC, default=None
    )
    multiplicandBPtxType: mma_enums.MMATypes | None = fields.optional_attr_def(
        nvvm_kinds.MMA_TYPES, MULTIPLICAND_B_PTX_TYPE_DOC, default=None
    )
    res: Value = fields.result_def(STRUCT, RES_DOC)
    gap = " "


class MmaSpOp(MultiplyOp, name="nvvm.mma.sp.sync"):
    """Multiplies two matrices that are distributed over a warp, and adds a third. The first is 2:4 sparse;
    `sparseMetadata` has the positions of its nonzero elements. The result is a struct of the registers of the
    sum.
    """

    shape: MMAShapeAttr = fields.attr_def(nvvm_kinds.MMA_SHAPE, SHAPE_DOC)
    operandA: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, OPERAND_A_DOC)
    operandB: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, OPERAND_B_DOC)
    operandC: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, OPERAND_C_DOC)
    sparseMetadata: Value = fields.operand_def(
        nvvm_constraints.INT32, "The positions of the nonzero elements."
    )
    sparsitySelector: Value = fields.operand_def(
        nvvm_constraints.INT32, "The threads that hold the positions."
    )
    intOverflowBehavior: mma_enums.MMAIntOverflow | None = fields.optional_attr_def(
        nvvm_kinds.MMA_INT_OVERFLOW, INT_OVERFLOW_BEHAVIOR_DOC, default=None
    )
    multiplicandAPtxType: mma_enums.MMATypes | None = fields.optional_attr_def(
        nvvm_kinds.MMA_TYPES, MULTIPLICAND_A_PTX_TYPE_DOC, default=None
    )
    multiplicandBPtxType: mma_enums.MMATypes | None = fields.optional_attr_def(
        nvvm_kinds.MMA_TYPES, MULTIPLICAND_B_PTX_TYPE_DOC, default=None
    )
    orderedMetadata: bool = fields.flag_def(ORDERED_METADATA_DOC, default=False)
    kind_: mma_enums.MMAKind | None = fields.optional_attr_def(nvvm_kinds.MMA_KIND, KIND_DOC, default=None)
    res: Value = fields.result_def(STRUCT, RES_DOC)
    parts = (*REGISTERS, *SPARSITY)


class MmaBlockScaleOp(MultiplyOp, name="nvvm.mma.block_scale"):
    """Multiplies two matrices that are distributed over a warp and have scale factors for blocks of elements,
    and adds a third.
    """

    shape: MMAShapeAttr = fields.attr_def(nvvm_kinds.MMA_SHAPE, SHAPE_DOC)
    scaleVecSize: mma_enums.ScaleVecSize = fields.attr_def(
        nvvm_kinds.SCALE_VEC_SIZE, "How many scale factors a row has."
    )
    blockScaleFormat: mma_enums.BlockScaleFormat = fields.attr_def(
        nvvm_kinds.BLOCK_SCALE_FORMAT, "The format of the scale factors."
    )
    kind_: mma_enums.MMABlockScaleKind = fields.attr_def(nvvm_kinds.MMA_BLOCK_SCALE_KIND, KIND_DOC)
    operandA: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, OPERAND_A_DOC)
    operandB: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, OPERAND_B_DOC)
    operandC: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, OPERAND_C_DOC)
    scaleAData: Value = fields.operand_def(nvvm_constraints.INT32, "The scale factors of A.")
    byteIdA: Value = fields.operand_def(nvvm_constraints.INT16, "The bytes that hold the scale factors of A.")
    threadIdA: Value = fields.operand_def(
        nvvm_constraints.INT16, "The threads that hold the scale factors of A."
    )
    scaleBData: Value = fields.operand_def(nvvm_constraints.INT32, "The scale factors of B.")
    byteIdB: Value = fields.operand_def(nvvm_constraints.INT16, "The bytes that hold the scale factors of B.")
    threadIdB: Value = fields.operand_def(
        nvvm_constraints.INT16, "The threads that hold the scale factors of B."
    )
    multiplicandAPtxType: mma_enums.MMATypes | None = fields.optional_attr_def(
        nvvm_kinds.MMA_TYPES, MULTIPLICAND_A_PTX_TYPE_DOC, default=None
    )
    multiplicandBPtxType: mma_enums.MMATypes | None = fields.optional_attr_def(
        nvvm_kinds.MMA_TYPES, MULTIPLICAND_B_PTX_TYPE_DOC, default=None
    )
    res: Value = fields.result_def(STRUCT, RES_DOC)
    parts = (*REGISTERS, *SCALES)


class MmaSpBlockScaleOp(MultiplyOp, name="nvvm.mma.sp.block_scale"):
    """Multiplies two matrices that are distributed over a warp and have scale factors for blocks of elements,
    and adds a third. The first is sparse; `sparseMetadata` has the positions of its nonzero elements.
    """

    shape: MMAShapeAttr = fields.attr_def(nvvm_kinds.MMA_SHAPE, SHAPE_DOC)
    scaleVecSize: mma_enums.ScaleVecSize = fields.attr_def(
        nvvm_kinds.SCALE_VEC_SIZE, "How many scale factors a row has."
    )
    blockScaleFormat: mma_enums.BlockScaleFormat = fields.attr_def(
        nvvm_kinds.BLOCK_SCALE_FORMAT, "The format of the scale factors."
    )
    kind_: mma_enums.MMABlockScaleKind = fields.attr_def(nvvm_kinds.MMA_BLOCK_SCALE_KIND, KIND_DOC)
    operandA: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, OPERAND_A_DOC)
    operandB: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, OPERAND_B_DOC)
    operandC: tuple[Value, ...] = fields.variadic_operand_def(LLVM_TYPE, OPERAND_C_DOC)
    sparseMetadata: Value = fields.operand_def(
        nvvm_constraints.INT32, "The positions of the nonzero elements."
    )
    sparsitySelector: Value = fields.operand_def(
        nvvm_constraints.INT32, "The threads that hold the positions."
    )
    scaleAData: Value = fields.operand_def(nvvm_constraints.INT32, "The scale factors of A.")
    byteIdA: Value = fields.operand_def(nvvm_constraints.INT16, "The bytes that hold the scale factors of A.")
    threadIdA: Value = fields.operand_def(
        nvvm_constraints.INT16, "The threads that hold the scale factors of A."
    )
    scaleBData: Value = fields.operand_def(nvvm_constraints.INT32, "The scale factors of B.")
    byteIdB: Value = fields.operand_def(nvvm_constraints.INT16, "The bytes that hold the scale factors of B.")
    threadIdB: Value = fields.operand_def(
        nvvm_constraints.INT16, "The threads that hold the scale factors of B."
    )
    multiplicandAPtxType: mma_enums.MMATypes | None = fields.optional_attr_def(
        nvvm_kinds.MMA_TYPES, MULTIPLICAND_A_PTX_TYPE_DOC, default=None
    )
    multiplicandBPtxType: mma_enums.MMATypes | None = fields.optional_attr_def(
        nvvm_kinds.MMA_TYPES, MULTIPLICAND_B_PTX_TYPE_DOC, default=None
    )
    orderedMetadata: bool = fields.flag_def(ORDERED_METADATA_DOC, default=False)
    res: Value = fields.result_def(STRUCT, RES_DOC)
    parts = (*REGISTERS, *SPARSITY, *SCALES)


class WgmmaFenceAlignedOp(StandardOp, name="nvvm.wgmma.fence.aligned"):
    """Orders accesses to registers before multiplications of the warpgroup."""

    assembly_format = "attr-dict"
    traits = (nvvm_constraints.RequiresSM(90, exact=True),)


class WgmmaGroupSyncAlignedOp(StandardOp, name="nvvm.wgmma.commit.group.sync.aligned"):
    """Makes a group of the multiplications of the warpgroup since the last group."""

    assembly_format = "attr-dict"
    traits = (nvvm_constraints.RequiresSM(90, exact=True),)


class WgmmaWaitGroupSyncOp(StandardOp, name="nvvm.wgmma.wait.group.sync.aligned"):
    """Waits until at most ``group`` groups of multiplications of the warpgroup are pending."""

    group: int = fields.attr_def(attribute_kind.IntegerKind(), "How many groups may be under way.")
    assembly_format = "attr-dict $group"
    traits = (nvvm_constraints.RequiresSM(90, exact=True),)


class WgmmaMmaAsyncOp(StandardOp, name="nvvm.wgmma.mma_async"):
    """Starts a multiplication by a warpgroup; both factors are in shared memory. The result is the new
    accumulator, of the type of `inouts`.
    """

    inouts: Value = fields.operand_def(STRUCT, "The accumulator.")
    descriptorA: Value = fields.operand_def(nvvm_constraints.INT64, "The descriptor of A.")
    descriptorB: Value = fields.operand_def(nvvm_constraints.INT64, "The descriptor of B.")
    shape: MMAShapeAttr = fields.attr_def(nvvm_kinds.MMA_SHAPE, SHAPE_DOC)
    typeA: mma_enums.WGMMATypes = fields.attr_def(nvvm_kinds.WGMMA_TYPES, "The type of the elements of A.")
    typeB: mma_enums.WGMMATypes = fields.attr_def(nvvm_kinds.WGMMA_TYPES, "The type of the elements of B.")
    typeD: mma_enums.WGMMATypes = fields.attr_def(nvvm_kinds.WGMMA_TYPES, "The type of the accumulator.")
    scaleD: mma_enums.WGMMAScaleOut = fields.attr_def(
        nvvm_kinds.WGMMA_SCALE_OUT, "Whether the accumulator is added."
    )
    scaleA: mma_enums.WGMMAScaleIn = fields.attr_def(nvvm_kinds.WGMMA_SCALE_IN, "Whether A is negated.")
    scaleB: mma_enums.WGMMAScaleIn = fields.attr_def(nvvm_kinds.WGMMA_SCALE_IN, "Whether B is negated.")
    layoutA: mma_enums.MMALayout = fields.attr_def(nvvm_kinds.MMA_LAYOUT, LAYOUT_A_DOC)
    layoutB: mma_enums.MMALayout = fields.attr_def(nvvm_kinds.MMA_LAYOUT, LAYOUT_B_DOC)
    satfinite: mma_enums.MMAIntOverflow | None = fields.optional_attr_def(
        nvvm_kinds.MMA_INT_OVERFLOW, INT_OVERFLOW_BEHAVIOR_DOC, default=None
    )
    results_: Value = fields.result_def(STRUCT, "The new accumulator.")
    assembly_format = (
        "$descriptorA `,` $descriptorB `,` $inouts `,` $shape `,` `D` `[` $typeD `,` $scaleD (`,` "
        "$satfinite^)? `]` `,` `A` `[` $typeA `,` $scaleA `,` $layoutA `]` `,` `B` `[` $typeB `,` "
        "$scaleB `,` $layoutB `]` attr-dict `:` type($inouts) `->` type($results)"
    )
    traits = (
        PredicateTrait("input struct and result struct must be the same type", matrix_rules.is_in_place),
    )

    def verify_(self) -> None:
        matrix_rules.check_warpgroup_multiplication(self)


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
