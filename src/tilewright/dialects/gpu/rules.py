"""Rules of GPU operations beyond the types of single operands."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.gpu.enums import AllReduceOperation, BroadcastType
from tilewright.dialects.gpu.types import MMAMatrixType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import (
    DYNAMIC,
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    VectorType,
)
from tilewright.ir.operation import Operation
from tilewright.ir.symbol_table import lookup_symbol
from tilewright.ir.traits import VerifyError

CONTAINER = "gpu.container_module"
KERNEL = "gpu.kernel"
WORKGROUP_COUNT = "workgroup_attributions"
LAUNCH_ARGUMENTS = 12
CLUSTER_LAUNCH_ARGUMENTS = 18
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


def has_matrix_element(op: Operation) -> bool:
    """Whether a value has the element type of the matrix next to it."""
    first = op.operands[0].type
    if isinstance(first, MMAMatrixType):
        return op.results[0].type is first.element_type
    matrix = next(v.type for v in (*op.operands, *op.results) if isinstance(v.type, MMAMatrixType))
    return first is matrix.element_type


def check_reduction_operation(operation: AllReduceOperation, type: Type) -> None:
    """Raise unless a reduction exists for a type, or for the elements of a vector."""
    element = type.element_type if isinstance(type, VectorType) else type
    wrong_float = operation in FLOAT_REDUCTIONS and not isinstance(element, FloatType)
    wrong_integer = operation in INTEGER_REDUCTIONS and not isinstance(element, IntegerType | IndexType)
    if wrong_float or wrong_integer:
        words = f"`{operation.name.lower()}` reduction operation is not compatible with type '{type}'"
        raise VerifyError(words, prefix=False)


def check_all_reduce(op: Any) -> None:
    """Raise unless ``all_reduce`` has either an operation or a region that combines two values."""
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


def _check_combined(last: Operation | None, type: Type) -> None:
    if last is None or last.name != "gpu.yield":
        return
    if len(last.operands) != 1:
        raise VerifyError("expected one gpu.yield operand", prefix=False)
    if last.operands[0].type is not type:
        raise VerifyError("incorrect gpu.yield type", prefix=False)


def check_subgroup_reduce(op: Any) -> None:
    """Raise unless a reduction over a warp exists for its type and cuts the warp into clusters."""
    check_reduction_operation(op.op, op.value.type)
    stride = op.cluster_stride
    if stride <= 0 or stride & (stride - 1):
        raise VerifyError(f"cluster stride {stride} is not a power of two")
    if stride != 1 and op.cluster_size is None:
        raise VerifyError("cluster stride can only be specified if cluster size is specified")


def check_broadcast(op: Any) -> None:
    """Raise unless a broadcast has a lane just when it asks for one."""
    specific = op.broadcast_type is BroadcastType.SPECIFIC_LANE
    if specific and op.lane is None:
        raise VerifyError("lane must be specified for `specific_lane` broadcast")
    if not specific and op.lane is not None:
        raise VerifyError("lane can only be specified for `specific_lane` broadcast")


def check_rotation(op: Any) -> None:
    """Raise unless a rotation stays inside of its lanes."""
    if not 0 <= op.offset < op.width:
        raise VerifyError(f"offset must be in the range [0, {op.width})")


def check_copy(op: Any) -> None:
    """Raise unless a copy goes between buffers of one shape and element type."""
    source, target = op.src.type, op.dst.type
    if source.element_type is not target.element_type:
        raise VerifyError("arguments have incompatible element type")
    pairs = zip(source.shape, target.shape, strict=False)
    known = all(a == b or DYNAMIC in (a, b) for a, b in pairs)
    if len(source.shape) != len(target.shape) or not known:
        raise VerifyError("arguments have incompatible shape")


def check_allocation(op: Any) -> None:
    """Raise unless an allocation has one size per unknown extent."""
    memref: MemRefType = op.memref.type
    wanted, found = memref.shape.count(DYNAMIC), len(op.dynamicSizes)
    if wanted != found:
        raise VerifyError(f"incorrect number of dynamic sizes, has {found}, expected {wanted}")


def check_return(op: Any) -> None:
    """Raise unless ``return`` gives what the function around it declares."""
    function: Any = op.parent_op
    signature = getattr(function, "function_type", None)
    if not isinstance(signature, FunctionType):
        return
    if len(op.operands) != len(signature.results):
        raise VerifyError(f"expected {len(signature.results)} result operands")
    for number, (value, type) in enumerate(zip(op.operands, signature.results, strict=True)):
        if value.type is not type:
            raise VerifyError(f"unexpected type `'{value.type}'' for operand #{number}")


def check_function(op: Any) -> None:
    """Raise unless a kernel returns nothing and the body takes the arguments and shared buffers."""
    signature: FunctionType = op.function_type
    if KERNEL in op.attributes and signature.results:
        raise VerifyError("expected void return type for kernel function")
    blocks = op.body.blocks
    if not blocks:
        return
    arguments = blocks[0].arguments
    wanted = len(signature.inputs) + getattr(op.attributes.get(WORKGROUP_COUNT), "value", 0)
    if len(arguments) < wanted:
        raise VerifyError(f"expected at least {wanted} arguments to body region")
    for number, type in enumerate(signature.inputs):
        if arguments[number].type is not type:
            raise VerifyError(
                f"expected body region argument #{number} to be of type '{type}', got '{arguments[number].type}'"
            )


def check_launch(op: Any) -> None:
    """Raise unless the region of a launch takes the ids and sizes."""
    blocks = op.body.blocks
    wanted = LAUNCH_ARGUMENTS if op.clusterSizeX is None else CLUSTER_LAUNCH_ARGUMENTS
    count = getattr(op.attributes.get(WORKGROUP_COUNT), "value", 0)
    if blocks and len(blocks[0].arguments) < wanted + count:
        raise VerifyError("unexpected number of region arguments")


def check_kernel_launch(op: Any) -> None:
    """Raise unless a launch stands in a module of kernels and names one of them."""
    module = next((outer for outer in op.ancestors() if outer.name == "builtin.module"), None)
    if module is None:
        raise VerifyError("expected to belong to a module")
    if CONTAINER not in module.attributes:
        words = "expected the closest surrounding module to have the 'gpu.container_module' attribute"
        raise VerifyError(words)
    container = lookup_symbol(module, op.kernel.root)
    if container is None:
        raise VerifyError(f"kernel container '{op.kernel.root}' is undefined")


def check_multiplication(op: Any) -> None:
    """Raise unless the matrices of a multiplication stand in order and have fitting extents."""
    left, right, sum = op.opA.type, op.opB.type, op.opC.type
    if (left.operand, right.operand, sum.operand) != ("AOp", "BOp", "COp"):
        raise VerifyError("operands must be in the order AOp, BOp, COp", prefix=False)
    (rows, common), (other, columns) = left.shape, right.shape
    if common != other or (rows, columns) != sum.shape:
        raise VerifyError("operand shapes do not satisfy matmul constraints", prefix=False)


def check_distribution(op: Any) -> None:
    """Raise unless the region of ``warp_execute_on_lane_0`` takes the operands and yields the results."""
    (block,) = op.warpRegion.blocks
    if len(block.arguments) != len(op.args):
        raise VerifyError("expected same number op arguments and block arguments.")
    if block.last is not None and len(block.last.operands) != len(op.results):
        raise VerifyError("expected same number of yield operands and return values.")
