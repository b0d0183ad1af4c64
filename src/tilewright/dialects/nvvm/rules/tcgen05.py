"""Rules of tensor memory and of multiplications into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.nvvm.constraints import TENSOR_POINTER
from tilewright.dialects.nvvm.enums import mma as mma_enums, tcgen05 as tcgen05_enums
from tilewright.dialects.nvvm.rules.barrier import require
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import VectorType

if TYPE_CHECKING:
    from tilewright.dialects.nvvm.ops import tcgen05 as nvvm_tcgen05

SHORTEST = {tcgen05_enums.Tcgen05LdStShape.SHAPE_16X128B: 2, tcgen05_enums.Tcgen05LdStShape.SHAPE_16X256B: 4}
"""The minimum number of registers of an access to tensor memory, by its shape; 1 for other shapes."""
MULTICASTS = {
    tcgen05_enums.Tcgen05CpShape.SHAPE_64X128B: (
        tcgen05_enums.Tcgen05CpMulticast.WARPX2_01_23,
        tcgen05_enums.Tcgen05CpMulticast.WARPX2_02_13,
    ),
    tcgen05_enums.Tcgen05CpShape.SHAPE_32X128B: (tcgen05_enums.Tcgen05CpMulticast.WARPX4,),
}


def check_tensor_memory_copy(op: nvvm_tcgen05.Tcgen05CpOp) -> None:
    """Raise `VerifyError` unless the multicast of a copy to tensor memory fits its shape: one of the two for
    pairs of warps (``warpx2``) for 64x128b, ``warpx4`` for 32x128b, none for other shapes.
    """
    allowed = MULTICASTS.get(op.shape)
    if allowed is None:
        words = "Invalid multicast type for tcgen05.cp Op"
        require(op.multicast is tcgen05_enums.Tcgen05CpMulticast.NONE, words, prefix=False)
        return
    names = " or ".join(case.spelling for case in allowed)
    shape = op.shape.spelling.removeprefix("shape_")
    words = f"Shape {shape} requires multicast {names} for tcgen05.cp Op"
    require(op.multicast in allowed, words, prefix=False)


def check_tensor_memory_offset(op: nvvm_tcgen05.Tcgen05LdOp | nvvm_tcgen05.Tcgen05StOp) -> None:
    """Raise `VerifyError` unless an access to tensor memory has an offset exactly if its shape is
    ``16x32bx2``.
    """
    halves = op.shape is tcgen05_enums.Tcgen05LdStShape.SHAPE_16X32BX2
    require(not halves or op.offset is not None, "shape 16x32bx2 requires offset argument", prefix=False)
    words = "offset argument is only supported for shape 16x32bx2"
    require(halves or op.offset is None, words, prefix=False)


def check_tensor_memory_load(op: nvvm_tcgen05.Tcgen05LdOp) -> None:
    """Raise `VerifyError` unless a load from tensor memory has an offset exactly if its shape is
    ``16x32bx2``, and at least the number of registers that `SHORTEST` gives for its shape.
    """
    if op.shape is tcgen05_enums.Tcgen05LdStShape.SHAPE_16X32BX2 or op.offset is not None:
        check_tensor_memory_offset(op)
    _check_length(op, op.res.type, "result type", "ld")


def check_tensor_memory_store(op: nvvm_tcgen05.Tcgen05StOp) -> None:
    """Raise `VerifyError` unless a store to tensor memory has an offset exactly if its shape is ``16x32bx2``,
    and at least the number of registers that `SHORTEST` gives for its shape.
    """
    check_tensor_memory_offset(op)
    _check_length(op, op.val.type, "input", "st")


def _check_length(
    op: nvvm_tcgen05.Tcgen05LdOp | nvvm_tcgen05.Tcgen05StOp, type: Type, word: str, name: str
) -> None:
    length = type.shape[0] if isinstance(type, VectorType) else 1
    words = f"invalid {word} length {length} for shape {op.shape.spelling} in tcgen05.{name} Op"
    require(length >= SHORTEST.get(op.shape, 1), words, prefix=False)


def check_tensor_multiplication(op: nvvm_tcgen05.Tcgen05MMAOp | nvvm_tcgen05.Tcgen05MMASparseOp) -> None:
    """Raise `VerifyError` unless a multiplication into tensor memory disables lanes with a mask of 4 elements
    (8 for a pair of blocks), and shifts A only if A is in tensor memory and the collector neither fills nor
    uses its buffer.
    """
    if op.disableOutputLane is not None:
        length = checked_type(op.disableOutputLane).shape[0]
        fits = length == (4 if op.ctaGroup is tcgen05_enums.CTAGroupKind.CTA_1 else 8)
        words = f"Disable Output Lane of length {length} is incompatible with CtaGroupAttr"
        require(fits, words, prefix=False)
    if op.aShift:
        words = "A-shift can be applied only when matrix A is in tensor memory"
        require(TENSOR_POINTER.matches(op.matrixA.type), words, prefix=False)
        kept = (tcgen05_enums.Tcgen05MMACollectorOp.FILL, tcgen05_enums.Tcgen05MMACollectorOp.USE)
        words = "Cannot use collector buffer operation fill or use with ashift"
        require(op.collectorOp not in kept, words, prefix=False)


def check_scaled_multiplication(
    op: nvvm_tcgen05.Tcgen05MMABlockScaleOp | nvvm_tcgen05.Tcgen05MMASparseBlockScaleOp,
) -> None:
    """Raise `VerifyError` unless the block scale suits the kind: it must be stated for ``mxf4nvf4``, and may
    not be ``block16`` for the other kinds.
    """
    kind, scale = op.kind_.spelling, op.blockScale
    if op.kind_ is mma_enums.MMABlockScaleKind.MXF4NVF4:
        words = "mxf4nvf4 requires block scale attribute"
        require(scale is not tcgen05_enums.Tcgen05MMABlockScale.DEFAULT, words, prefix=False)
    else:
        words = f"{kind} kind does not support block16 attribute"
        require(scale is not tcgen05_enums.Tcgen05MMABlockScale.BLOCK16, words, prefix=False)
