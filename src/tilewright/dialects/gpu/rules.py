"""Rules of GPU operations on threads and memory beyond the types of single operands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.common import base, constraints
from tilewright.dialects.gpu.enums import AllReduceOperation, BroadcastType
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.dialects.gpu import ops_memory as gpu_memory, ops_thread as gpu_thread


class GpuYieldRole(base.StandardOp):
    """The base class of `gpu.yield`, by which rules recognise it."""


class TerminatorRole(base.StandardOp):
    """The base class of `gpu.terminator`, by which rules recognise it."""


class GPUModuleRole(base.StandardOp):
    """The base class of `gpu.module`, by which rules recognise it."""


class GPUFuncRole(base.StandardOp):
    """The base class of `gpu.func`, by which rules recognise it."""


INTEGER_REDUCTIONS = (
    AllReduceOperation.MINUI,
    AllReduceOperation.MINSI,
    AllReduceOperation.MAXUI,
    AllReduceOperation.MAXSI,
    AllReduceOperation.AND,
    AllReduceOperation.OR,
    AllReduceOperation.XOR,
)
FLOAT_REDUCTIONS = (
    AllReduceOperation.MINNUMF,
    AllReduceOperation.MAXNUMF,
    AllReduceOperation.MINIMUMF,
    AllReduceOperation.MAXIMUMF,
)


def check_reduction_operation(operation: AllReduceOperation, type: Type) -> None:
    """Raise `VerifyError` unless the reduction exists for the type, or for the elements of a vector:
    additions and products for all numbers, the others for integers or for floats only.
    """
    element = type.element_type if isinstance(type, builtin_types.VectorType) else type
    wrong_float = operation in FLOAT_REDUCTIONS and not isinstance(element, builtin_types.FloatType)
    wrong_integer = operation in INTEGER_REDUCTIONS and not isinstance(
        element, builtin_types.IntegerType | builtin_types.IndexType
    )
    if wrong_float or wrong_integer:
        words = f"`{operation.name.lower()}` reduction operation is not compatible with type '{type}'"
        raise VerifyError(words, prefix=False)


def check_all_reduce(op: gpu_thread.AllReduceOp) -> None:
    """Raise `VerifyError` unless ``all_reduce`` has either an operation that fits the type, or a region that
    takes two values of the operand's type and yields one.
    """
    blocks = op.body.blocks
    if bool(blocks) == (op.op is not None):
        raise VerifyError("expected either an op attribute or a non-empty body", prefix=False)
    if op.op is not None:
        check_reduction_operation(op.op, op.value.type)
        return
    if len(blocks[0].arguments) != 2:
        raise VerifyError("expected two region arguments", prefix=False)
    if any(argument.type is not op.value.type for argument in blocks[0].arguments):
        raise VerifyError("incorrect region argument type", prefix=False)
    for block in blocks:
        _check_combined(block.last, op.value.type)
    if not any(isinstance(block.last, GpuYieldRole) for block in blocks):
        raise VerifyError("expected gpu.yield op in region", prefix=False)


def _check_combined(last: Operation | None, type: Type) -> None:
    if not isinstance(last, GpuYieldRole):
        return
    if len(last.operands) != 1:
        raise VerifyError("expected one gpu.yield operand", prefix=False)
    if last.operands[0].type is not type:
        raise VerifyError("incorrect gpu.yield type", prefix=False)


def check_subgroup_reduce(op: gpu_thread.SubgroupReduceOp) -> None:
    """Raise `VerifyError` unless the reduction exists for the type, and the size and the stride of clusters
    are powers of two. A stride other than 1 needs a size.
    """
    check_reduction_operation(op.op, op.value.type)
    size, stride = op.cluster_size, op.cluster_stride
    if size is not None and (size <= 0 or size & (size - 1)):
        raise VerifyError(f"cluster size {size} is not a power of two")
    if stride <= 0 or stride & (stride - 1):
        raise VerifyError(f"cluster stride {stride} is not a power of two")
    if stride != 1 and op.cluster_size is None:
        raise VerifyError("cluster stride can only be specified if cluster size is specified")


def check_broadcast(op: gpu_thread.SubgroupBroadcastOp) -> None:
    """Raise `VerifyError` unless a broadcast has a lane exactly if it is of the type `specific_lane`."""
    specific = op.broadcast_type is BroadcastType.SPECIFIC_LANE
    if specific and op.lane is None:
        raise VerifyError("lane must be specified for `specific_lane` broadcast")
    if not specific and op.lane is not None:
        raise VerifyError("lane can only be specified for `specific_lane` broadcast")


def check_rotation(op: gpu_thread.RotateOp) -> None:
    """Raise `VerifyError` unless the offset of a rotation is at least 0 and less than its width."""
    if not 0 <= op.offset < op.width:
        raise VerifyError(f"offset must be in the range [0, {op.width})")


def check_copy(op: gpu_memory.MemcpyOp) -> None:
    """Raise `VerifyError` unless both buffers have the same element type and shape. A dynamic extent fits any
    extent.
    """
    source, target = constraints.checked_type(op.src), constraints.checked_type(op.dst)
    if source.element_type is not target.element_type:
        raise VerifyError("arguments have incompatible element type")
    pairs = zip(source.shape, target.shape, strict=False)
    known = all(a == b or builtin_types.DYNAMIC in (a, b) for a, b in pairs)
    if len(source.shape) != len(target.shape) or not known:
        raise VerifyError("arguments have incompatible shape")


def check_allocation(op: gpu_memory.AllocOp) -> None:
    """Raise `VerifyError` unless an allocation has one size per dynamic extent, and one operand per symbol of
    an affine layout; other layouts have no symbols.
    """
    memref: builtin_types.MemRefType = constraints.checked_type(op.memref)
    wanted, found = memref.shape.count(builtin_types.DYNAMIC), len(op.dynamicSizes)
    if wanted != found:
        raise VerifyError(f"incorrect number of dynamic sizes, has {found}, expected {wanted}")
    symbols = getattr(getattr(memref.layout, "map", None), "symbol_count", 0)
    if len(op.symbolOperands) != symbols:
        raise VerifyError("symbol operand count does not equal memref symbol count")
