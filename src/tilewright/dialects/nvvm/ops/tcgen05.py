"""Tensor memory and its matrix multiplication (`tcgen05`)."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.nvvm import constraints as nvvm_constraints, kinds as nvvm_kinds
from tilewright.dialects.nvvm.enums import mma as mma_enums, tcgen05 as tcgen05_enums
from tilewright.dialects.nvvm.rules import tcgen05 as tcgen05_rules
from tilewright.ir.declaration import fields
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

SCALE_INPUT_D_DOC = "By which power of two the accumulator is divided."
GROUP_DOC = "How many blocks work together."
MATRIX_A_DOC = "Matrix A: its address in tensor memory or its descriptor."
MATRIX_D_DOC = "The accumulator."
TADDR_DOC = "The address in tensor memory."
MATRIX_B_DOC = "The descriptor of matrix B."
IDESC_DOC = "The descriptor of the instruction."
SPARSE_METADATA_DOC = "The positions of the nonzero elements."
HALF_OFFSET_DOC = "The distance of the second half in columns, for the shape 16x32bx2 only."
SHAPE_DOC = "The shape."
COLLECTOR_OP_DOC = "The use of the buffer that keeps a matrix."
ENABLE_INPUT_D_DOC = "Whether the accumulator is added."
KIND_DOC = "The kind of the instruction."


class Tcgen05AllocOp(StandardOp, name="nvvm.tcgen05.alloc"):
    """Allocates `nCols` columns of tensor memory, and writes their address to shared memory at `addr`."""

    addr: Value = fields.operand_def(nvvm_constraints.POINTER_OR_SHARED, "The address.")
    nCols: Value = fields.operand_def(nvvm_constraints.INT32, "How many columns, a power of two.")
    group: tcgen05_enums.CTAGroupKind = fields.attr_def(
        nvvm_kinds.CTA_GROUP, GROUP_DOC, default=tcgen05_enums.CTAGroupKind.CTA_1
    )
    assembly_format = "$addr `,` $nCols attr-dict `:` type(operands)"
    traits = (nvvm_constraints.RequiresSM(100, 101, exact=True),)


class Tcgen05DeallocOp(StandardOp, name="nvvm.tcgen05.dealloc"):
    """Frees the `nCols` columns of tensor memory at the address `taddr`, which an allocation returned."""

    taddr: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, TADDR_DOC)
    nCols: Value = fields.operand_def(nvvm_constraints.INT32, "How many columns, a power of two.")
    group: tcgen05_enums.CTAGroupKind = fields.attr_def(
        nvvm_kinds.CTA_GROUP, GROUP_DOC, default=tcgen05_enums.CTAGroupKind.CTA_1
    )
    assembly_format = "$taddr `,` $nCols attr-dict `:` type(operands)"
    traits = (nvvm_constraints.RequiresSM(100, 101, exact=True),)


class Tcgen05RelinquishAllocPermitOp(StandardOp, name="nvvm.tcgen05.relinquish_alloc_permit"):
    """Ends the block's right to allocate tensor memory; memory that is allocated stays allocated."""

    group: tcgen05_enums.CTAGroupKind = fields.attr_def(
        nvvm_kinds.CTA_GROUP, GROUP_DOC, default=tcgen05_enums.CTAGroupKind.CTA_1
    )
    assembly_format = "attr-dict"
    traits = (nvvm_constraints.RequiresSM(100, 101, exact=True),)


class Tcgen05FenceOp(StandardOp, name="nvvm.tcgen05.fence"):
    """Orders tensor-memory operations against a synchronization of threads: earlier operations before a
    synchronization that follows (`before`), or later operations after a preceding synchronization (`after`).
    """

    kind_: tcgen05_enums.Tcgen05FenceKind = fields.attr_def(nvvm_kinds.TCGEN05_FENCE, KIND_DOC)
    assembly_format = "$kind attr-dict"
    traits = (nvvm_constraints.RequiresSM(100, 101, exact=True),)


class Tcgen05WaitOp(StandardOp, name="nvvm.tcgen05.wait"):
    """Waits until the thread's earlier loads from tensor memory (kind `load`), or stores to it (kind
    `store`), are complete.
    """

    kind_: tcgen05_enums.Tcgen05WaitKind = fields.attr_def(nvvm_kinds.TCGEN05_WAIT, KIND_DOC)
    assembly_format = "$kind attr-dict"
    traits = (nvvm_constraints.RequiresSM(100, 101, exact=True),)


class Tcgen05CommitOp(StandardOp, name="nvvm.tcgen05.commit"):
    """Lets the mbarrier at `addr` count an arrival when all earlier tensor-memory operations of the thread
    are complete. With `multicastMask` the mbarriers at the same offset in these blocks of the cluster count
    it.
    """

    addr: Value = fields.operand_def(nvvm_constraints.POINTER_OR_SHARED, "The address.")
    multicastMask: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT16, "The blocks of the cluster that receive the data, one bit each.", default=None
    )
    group: tcgen05_enums.CTAGroupKind = fields.attr_def(
        nvvm_kinds.CTA_GROUP, GROUP_DOC, default=tcgen05_enums.CTAGroupKind.CTA_1
    )
    assembly_format = "$addr (`,` `multicast_mask` `=` $multicastMask^)? attr-dict `:` type(operands)"
    traits = (nvvm_constraints.RequiresSM(100, 101, exact=True),)


class Tcgen05ShiftOp(StandardOp, name="nvvm.tcgen05.shift"):
    """Starts to shift the rows of tensor memory from `taddr` on down by one row."""

    taddr: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, TADDR_DOC)
    group: tcgen05_enums.CTAGroupKind = fields.attr_def(
        nvvm_kinds.CTA_GROUP, GROUP_DOC, default=tcgen05_enums.CTAGroupKind.CTA_1
    )
    assembly_format = "$taddr attr-dict `:` type(operands)"
    traits = (nvvm_constraints.RequiresSM(100, 101, 103, exact=True),)


class Tcgen05CpOp(StandardOp, name="nvvm.tcgen05.cp"):
    """Starts a copy of the shape `shape` from the shared memory of `smem_desc` to the tensor memory at
    `taddr`. `multicast`, which the shape determines in part, says which warps receive the same data;
    `srcFormat` is the packed format of the source, None if nothing is unpacked.
    """

    shape: tcgen05_enums.Tcgen05CpShape = fields.attr_def(nvvm_kinds.TCGEN05_CP_SHAPE, SHAPE_DOC)
    taddr: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, TADDR_DOC)
    smem_desc: Value = fields.operand_def(nvvm_constraints.INT64, "The descriptor of the source.")
    group: tcgen05_enums.CTAGroupKind = fields.attr_def(
        nvvm_kinds.CTA_GROUP, GROUP_DOC, default=tcgen05_enums.CTAGroupKind.CTA_1
    )
    multicast: tcgen05_enums.Tcgen05CpMulticast = fields.attr_def(
        nvvm_kinds.TCGEN05_CP_MULTICAST,
        "The warps that receive the copy.",
        default=tcgen05_enums.Tcgen05CpMulticast.NONE,
    )
    srcFormat: tcgen05_enums.Tcgen05CpSrcFormat | None = fields.optional_attr_def(
        nvvm_kinds.TCGEN05_CP_SRC_FORMAT, "The packed format of the source.", default=None
    )
    assembly_format = "$taddr`,` $smem_desc attr-dict"
    traits = (nvvm_constraints.RequiresSM(100, 101, exact=True),)

    def verify_(self) -> None:
        tcgen05_rules.check_tensor_memory_copy(self)


class Tcgen05LdOp(StandardOp, name="nvvm.tcgen05.ld"):
    """Starts to load from the tensor memory at `tmemAddr` to registers of a warp, as an i32 or a vector of
    i32; `tcgen05.wait` waits for the result. With `pack` two 16-bit elements share a register.
    """

    shape: tcgen05_enums.Tcgen05LdStShape = fields.attr_def(nvvm_kinds.TCGEN05_LD_ST_SHAPE, SHAPE_DOC)
    tmemAddr: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, TADDR_DOC)
    offset: Value | None = fields.optional_operand_def(nvvm_constraints.INT64, HALF_OFFSET_DOC, default=None)
    pack: bool = fields.flag_def("Whether two 16-bit elements share a register.", default=False)
    res: Value = fields.result_def(nvvm_constraints.INT32_OR_VECTOR, "The result.")
    assembly_format = "$tmemAddr (`,` $offset^)? (`pack` $pack^)? attr-dict `:` type($res)"
    traits = (nvvm_constraints.RequiresSM(100, 101, exact=True),)

    def verify_(self) -> None:
        tcgen05_rules.check_tensor_memory_load(self)


class Tcgen05StOp(StandardOp, name="nvvm.tcgen05.st"):
    """Starts to store the registers `val` of a warp to the tensor memory at `tmemAddr`; `tcgen05.wait` waits
    for the end. With `unpack` a register holds two 16-bit elements.
    """

    shape: tcgen05_enums.Tcgen05LdStShape = fields.attr_def(nvvm_kinds.TCGEN05_LD_ST_SHAPE, SHAPE_DOC)
    tmemAddr: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, TADDR_DOC)
    val: Value = fields.operand_def(nvvm_constraints.INT32_OR_VECTOR, "The value.")
    offset: Value | None = fields.optional_operand_def(nvvm_constraints.INT64, HALF_OFFSET_DOC, default=None)
    unpack: bool = fields.flag_def("Whether a register holds two 16-bit elements.", default=False)
    assembly_format = "$tmemAddr `,` $val (`,` $offset^)? (`unpack` $unpack^)? attr-dict `:` type($val)"
    traits = (nvvm_constraints.RequiresSM(100, 101, exact=True),)

    def verify_(self) -> None:
        tcgen05_rules.check_tensor_memory_store(self)


class Tcgen05MmaSmemDescOp(StandardOp, name="nvvm.tcgen05.mma_smem_desc"):
    """Returns the 64-bit descriptor of a matrix in shared memory, made from its start address, the distances
    along both dimensions, a base offset and the swizzle mode.
    """

    startAddr: Value = fields.operand_def(nvvm_constraints.INT32, "Where the matrix begins.")
    leadingDimOffset: Value = fields.operand_def(
        nvvm_constraints.INT32, "The distance along the leading dimension."
    )
    strideDimOffset: Value = fields.operand_def(
        nvvm_constraints.INT32, "The distance along the other dimension."
    )
    baseOffset: Value = fields.operand_def(nvvm_constraints.INT8, "The offset of the base.")
    leadingDimMode: Value = fields.operand_def(nvvm_constraints.BOOL, "How the first distance is meant.")
    swizzleMode: Value = fields.operand_def(nvvm_constraints.INT8, "How addresses are swizzled.")
    res: Value = fields.result_def(nvvm_constraints.INT64, "The result.")
    assembly_format = "`(` operands `)` attr-dict `:` `(` type(operands) `)` `->` type($res)"


class Tcgen05MMAOp(StandardOp, name="nvvm.tcgen05.mma"):
    """Starts a multiplication of two matrices; the product, plus the accumulator if `enableInputD`, is
    written to tensor memory.
    """

    kind_: tcgen05_enums.Tcgen05MMAKind = fields.attr_def(nvvm_kinds.MMA5_KIND, KIND_DOC)
    ctaGroup: tcgen05_enums.CTAGroupKind = fields.attr_def(nvvm_kinds.CTA_GROUP, GROUP_DOC)
    matrixD: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, MATRIX_D_DOC)
    matrixA: Value = fields.operand_def(nvvm_constraints.TENSOR_OR_DESCRIPTOR, MATRIX_A_DOC)
    matrixB: Value = fields.operand_def(nvvm_constraints.INT64, MATRIX_B_DOC)
    idesc: Value = fields.operand_def(nvvm_constraints.INT32, IDESC_DOC)
    enableInputD: Value = fields.operand_def(nvvm_constraints.BOOL, ENABLE_INPUT_D_DOC)
    scaleInputD: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT64, SCALE_INPUT_D_DOC, default=None
    )
    disableOutputLane: Value | None = fields.optional_operand_def(
        nvvm_constraints.OUTPUT_LANES, "The mask of the lanes that are not written.", default=None
    )
    collectorOp: tcgen05_enums.Tcgen05MMACollectorOp = fields.attr_def(
        nvvm_kinds.MMA5_COLLECTOR_OP, COLLECTOR_OP_DOC, default=tcgen05_enums.Tcgen05MMACollectorOp.DISCARD
    )
    aShift: bool = fields.flag_def("Whether the rows of A are shifted by one.", default=False)
    assembly_format = (
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD (`scale` `=` "
        "$scaleInputD^)? (`mask` `=` $disableOutputLane^)? attr-dict `:` `(` type(operands) `)`"
    )
    traits = (nvvm_constraints.RequiresSM(100, 110, exact=True),)

    def verify_(self) -> None:
        tcgen05_rules.check_tensor_multiplication(self)


class Tcgen05MMASparseOp(StandardOp, name="nvvm.tcgen05.mma.sp"):
    """Starts a multiplication of two matrices, the first sparse; the product, plus the accumulator if
    `enableInputD`, is written to tensor memory.
    """

    kind_: tcgen05_enums.Tcgen05MMAKind = fields.attr_def(nvvm_kinds.MMA5_KIND, KIND_DOC)
    ctaGroup: tcgen05_enums.CTAGroupKind = fields.attr_def(nvvm_kinds.CTA_GROUP, GROUP_DOC)
    matrixD: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, MATRIX_D_DOC)
    matrixA: Value = fields.operand_def(nvvm_constraints.TENSOR_OR_DESCRIPTOR, MATRIX_A_DOC)
    matrixB: Value = fields.operand_def(nvvm_constraints.INT64, MATRIX_B_DOC)
    idesc: Value = fields.operand_def(nvvm_constraints.INT32, IDESC_DOC)
    enableInputD: Value = fields.operand_def(nvvm_constraints.BOOL, ENABLE_INPUT_D_DOC)
    sparseMetadata: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, SPARSE_METADATA_DOC)
    scaleInputD: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT64, SCALE_INPUT_D_DOC, default=None
    )
    disableOutputLane: Value | None = fields.optional_operand_def(
        nvvm_constraints.OUTPUT_LANES, "The mask of the lanes that are not written.", default=None
    )
    collectorOp: tcgen05_enums.Tcgen05MMACollectorOp = fields.attr_def(
        nvvm_kinds.MMA5_COLLECTOR_OP, COLLECTOR_OP_DOC, default=tcgen05_enums.Tcgen05MMACollectorOp.DISCARD
    )
    aShift: bool = fields.flag_def("Whether the rows of A are shifted by one.", default=False)
    assembly_format = (
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD `,` $sparseMetadata "
        "(`scale` `=` $scaleInputD^)? (`mask` `=` $disableOutputLane^)? attr-dict `:` `(` "
        "type(operands) `)`"
    )
    traits = (nvvm_constraints.RequiresSM(100, 110, exact=True),)

    def verify_(self) -> None:
        tcgen05_rules.check_tensor_multiplication(self)


class Tcgen05MMABlockScaleOp(StandardOp, name="nvvm.tcgen05.mma.block_scale"):
    """Starts a multiplication of two matrices with scale factors for blocks of elements; the product, plus
    the accumulator if `enableInputD`, is written to tensor memory.
    """

    kind_: mma_enums.MMABlockScaleKind = fields.attr_def(nvvm_kinds.MMA_BLOCK_SCALE_KIND, KIND_DOC)
    ctaGroup: tcgen05_enums.CTAGroupKind = fields.attr_def(nvvm_kinds.CTA_GROUP, GROUP_DOC)
    matrixD: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, MATRIX_D_DOC)
    matrixA: Value = fields.operand_def(nvvm_constraints.TENSOR_OR_DESCRIPTOR, MATRIX_A_DOC)
    matrixB: Value = fields.operand_def(nvvm_constraints.INT64, MATRIX_B_DOC)
    idesc: Value = fields.operand_def(nvvm_constraints.INT32, IDESC_DOC)
    enableInputD: Value = fields.operand_def(nvvm_constraints.BOOL, ENABLE_INPUT_D_DOC)
    scaleA: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, "The scale factors of A.")
    scaleB: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, "The scale factors of B.")
    blockScale: tcgen05_enums.Tcgen05MMABlockScale = fields.attr_def(
        nvvm_kinds.MMA5_BLOCK_SCALE,
        "How many elements share a scale factor.",
        default=tcgen05_enums.Tcgen05MMABlockScale.DEFAULT,
    )
    collectorOp: tcgen05_enums.Tcgen05MMACollectorOp = fields.attr_def(
        nvvm_kinds.MMA5_COLLECTOR_OP, COLLECTOR_OP_DOC, default=tcgen05_enums.Tcgen05MMACollectorOp.DISCARD
    )
    assembly_format = (
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD `,` $scaleA `,` $scaleB "
        "attr-dict `:` `(` type(operands) `)`"
    )
    traits = (nvvm_constraints.RequiresSM(100, 110, exact=True),)

    def verify_(self) -> None:
        tcgen05_rules.check_scaled_multiplication(self)


class Tcgen05MMASparseBlockScaleOp(StandardOp, name="nvvm.tcgen05.mma.sp.block_scale"):
    """Starts a multiplication of two matrices with scale factors for blocks of elements, the first sparse;
    the product, plus the accumulator if `enableInputD`, is written to tensor memory.
    """

    kind_: mma_enums.MMABlockScaleKind = fields.attr_def(nvvm_kinds.MMA_BLOCK_SCALE_KIND, KIND_DOC)
    ctaGroup: tcgen05_enums.CTAGroupKind = fields.attr_def(nvvm_kinds.CTA_GROUP, GROUP_DOC)
    matrixD: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, MATRIX_D_DOC)
    matrixA: Value = fields.operand_def(nvvm_constraints.TENSOR_OR_DESCRIPTOR, MATRIX_A_DOC)
    matrixB: Value = fields.operand_def(nvvm_constraints.INT64, MATRIX_B_DOC)
    idesc: Value = fields.operand_def(nvvm_constraints.INT32, IDESC_DOC)
    enableInputD: Value = fields.operand_def(nvvm_constraints.BOOL, ENABLE_INPUT_D_DOC)
    sparseMetadata: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, SPARSE_METADATA_DOC)
    scaleA: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, "The scale factors of A.")
    scaleB: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, "The scale factors of B.")
    blockScale: tcgen05_enums.Tcgen05MMABlockScale = fields.attr_def(
        nvvm_kinds.MMA5_BLOCK_SCALE,
        "How many elements share a scale factor.",
        default=tcgen05_enums.Tcgen05MMABlockScale.DEFAULT,
    )
    collectorOp: tcgen05_enums.Tcgen05MMACollectorOp = fields.attr_def(
        nvvm_kinds.MMA5_COLLECTOR_OP, COLLECTOR_OP_DOC, default=tcgen05_enums.Tcgen05MMACollectorOp.DISCARD
    )
    assembly_format = (
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD `,` $sparseMetadata `,` "
        "$scaleA `,` $scaleB attr-dict `:` `(` type(operands) `)`"
    )
    traits = (nvvm_constraints.RequiresSM(100, 110, exact=True),)

    def verify_(self) -> None:
        tcgen05_rules.check_scaled_multiplication(self)


class Tcgen05MMAWsOp(StandardOp, name="nvvm.tcgen05.mma.ws"):
    """Starts a weight-stationary multiplication: matrix B may stay in the buffer `collectorBBuffer` for later
    multiplications, as `collectorOp` says.
    """

    kind_: tcgen05_enums.Tcgen05MMAKind = fields.attr_def(nvvm_kinds.MMA5_KIND, KIND_DOC)
    matrixD: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, MATRIX_D_DOC)
    matrixA: Value = fields.operand_def(nvvm_constraints.TENSOR_OR_DESCRIPTOR, MATRIX_A_DOC)
    matrixB: Value = fields.operand_def(nvvm_constraints.INT64, MATRIX_B_DOC)
    idesc: Value = fields.operand_def(nvvm_constraints.INT32, IDESC_DOC)
    enableInputD: Value = fields.operand_def(nvvm_constraints.BOOL, ENABLE_INPUT_D_DOC)
    zeroColMask: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT64, "The mask of the columns of B that count as zero.", default=None
    )
    collectorBBuffer: tcgen05_enums.Tcgen05MMACollectorBBuffer = fields.attr_def(
        nvvm_kinds.MMA5_COLLECTOR_B_BUFFER,
        "The buffer that keeps matrix B.",
        default=tcgen05_enums.Tcgen05MMACollectorBBuffer.B0,
    )
    collectorOp: tcgen05_enums.Tcgen05MMACollectorOp = fields.attr_def(
        nvvm_kinds.MMA5_COLLECTOR_OP, COLLECTOR_OP_DOC, default=tcgen05_enums.Tcgen05MMACollectorOp.DISCARD
    )
    assembly_format = (
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD (`,` $zeroColMask^)? "
        "attr-dict `:` `(` type(operands) `)`"
    )
    traits = (nvvm_constraints.RequiresSM(100, 110, exact=True),)


class Tcgen05MMAWsSparseOp(StandardOp, name="nvvm.tcgen05.mma.ws.sp"):
    """Starts a weight-stationary multiplication with a sparse matrix A: matrix B may stay in the buffer
    `collectorBBuffer` for later multiplications, as `collectorOp` says.
    """

    kind_: tcgen05_enums.Tcgen05MMAKind = fields.attr_def(nvvm_kinds.MMA5_KIND, KIND_DOC)
    matrixD: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, MATRIX_D_DOC)
    matrixA: Value = fields.operand_def(nvvm_constraints.TENSOR_OR_DESCRIPTOR, MATRIX_A_DOC)
    matrixB: Value = fields.operand_def(nvvm_constraints.INT64, MATRIX_B_DOC)
    idesc: Value = fields.operand_def(nvvm_constraints.INT32, IDESC_DOC)
    enableInputD: Value = fields.operand_def(nvvm_constraints.BOOL, ENABLE_INPUT_D_DOC)
    sparseMetadata: Value = fields.operand_def(nvvm_constraints.TENSOR_POINTER, SPARSE_METADATA_DOC)
    zeroColMask: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT64, "The mask of the columns of B that count as zero.", default=None
    )
    collectorBBuffer: tcgen05_enums.Tcgen05MMACollectorBBuffer = fields.attr_def(
        nvvm_kinds.MMA5_COLLECTOR_B_BUFFER,
        "The buffer that keeps matrix B.",
        default=tcgen05_enums.Tcgen05MMACollectorBBuffer.B0,
    )
    collectorOp: tcgen05_enums.Tcgen05MMACollectorOp = fields.attr_def(
        nvvm_kinds.MMA5_COLLECTOR_OP, COLLECTOR_OP_DOC, default=tcgen05_enums.Tcgen05MMACollectorOp.DISCARD
    )
    assembly_format = (
        "$matrixD `,` $matrixA `,` $matrixB `,` $idesc `,` $enableInputD `,` $sparseMetadata (`,` "
        "$zeroColMask^)? attr-dict `:` `(` type(operands) `)`"
    )
    traits = (nvvm_constraints.RequiresSM(100, 110, exact=True),)


OPERATIONS: tuple[type[Operation], ...] = (
    Tcgen05AllocOp,
    Tcgen05DeallocOp,
    Tcgen05RelinquishAllocPermitOp,
    Tcgen05FenceOp,
    Tcgen05WaitOp,
    Tcgen05CommitOp,
    Tcgen05ShiftOp,
    Tcgen05CpOp,
    Tcgen05LdOp,
    Tcgen05StOp,
    Tcgen05MmaSmemDescOp,
    Tcgen05MMAOp,
    Tcgen05MMASparseOp,
    Tcgen05MMABlockScaleOp,
    Tcgen05MMASparseBlockScaleOp,
    Tcgen05MMAWsOp,
    Tcgen05MMAWsSparseOp,
)
"""The operations of this module."""
