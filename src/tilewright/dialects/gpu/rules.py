"""Rules of GPU operations beyond the types of single operands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from tilewright.dialects.builtin.ops import ModuleOp
from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.gpu.enums import AddressSpace, AddressSpaceAttr, AllReduceOperation, BroadcastType
from tilewright.dialects.gpu.roles import GPUFuncRole, GPUModuleRole, TerminatorRole, YieldRole
from tilewright.dialects.gpu.types import MMAMatrixType
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import SymbolRefAttr
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
from tilewright.ir.value import OpResult, Value
from tilewright.ir.walker import innermost_ancestor

if TYPE_CHECKING:
    from tilewright.dialects.gpu.ops_memory import AllocOp, MemcpyOp
    from tilewright.dialects.gpu.ops_thread import (
        AllReduceOp,
        RotateOp,
        SubgroupBroadcastOp,
        SubgroupReduceOp,
    )

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


class GPUFunc(Protocol):
    """The fields of `GPUFuncOp` that the functions here read."""

    held_attributes: Mapping[str, Attribute]
    body: Region
    function_type: FunctionType


class LaunchFunc(Protocol):
    """The fields of `LaunchFuncOp` that the functions here read."""

    clusterSizeX: Value | None
    clusterSizeY: Value | None
    clusterSizeZ: Value | None
    kernel: SymbolRefAttr
    kernelOperands: tuple[Value, ...]


class SubgroupMmaLoadMatrix(Protocol):
    """The fields of `SubgroupMmaLoadMatrixOp` that the functions here read."""

    srcMemref: Value


class SubgroupMmaStoreMatrix(Protocol):
    """The fields of `SubgroupMmaStoreMatrixOp` that the functions here read."""

    dstMemref: Value
    src: Value


class SubgroupMmaCompute(Protocol):
    """The fields of `SubgroupMmaComputeOp` that the functions here read."""

    opA: Value
    opB: Value
    opC: Value


class WarpExecuteOnLane0(Protocol):
    """The fields of `WarpExecuteOnLane0Op` that the functions here read."""

    args: tuple[Value, ...]
    results: tuple[OpResult, ...]
    warpRegion: Region
    warp_size: int


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


def check_all_reduce(op: AllReduceOp) -> None:
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
    if not any(isinstance(block.last, YieldRole) for block in blocks):
        raise VerifyError("expected gpu.yield op in region", prefix=False)


def _check_combined(last: Operation | None, type: Type) -> None:
    if not isinstance(last, YieldRole):
        return
    if len(last.operands) != 1:
        raise VerifyError("expected one gpu.yield operand", prefix=False)
    if last.operands[0].type is not type:
        raise VerifyError("incorrect gpu.yield type", prefix=False)


def check_subgroup_reduce(op: SubgroupReduceOp) -> None:
    """Raise unless a reduction over a warp exists for its type and cuts the warp into clusters."""
    check_reduction_operation(op.op, op.value.type)
    size, stride = op.cluster_size, op.cluster_stride
    if size is not None and (size <= 0 or size & (size - 1)):
        raise VerifyError(f"cluster size {size} is not a power of two")
    if stride <= 0 or stride & (stride - 1):
        raise VerifyError(f"cluster stride {stride} is not a power of two")
    if stride != 1 and op.cluster_size is None:
        raise VerifyError("cluster stride can only be specified if cluster size is specified")


def check_broadcast(op: SubgroupBroadcastOp) -> None:
    """Raise unless a broadcast has a lane just when it asks for one."""
    specific = op.broadcast_type is BroadcastType.SPECIFIC_LANE
    if specific and op.lane is None:
        raise VerifyError("lane must be specified for `specific_lane` broadcast")
    if not specific and op.lane is not None:
        raise VerifyError("lane can only be specified for `specific_lane` broadcast")


def check_rotation(op: RotateOp) -> None:
    """Raise unless a rotation stays inside of its lanes."""
    if not 0 <= op.offset < op.width:
        raise VerifyError(f"offset must be in the range [0, {op.width})")


def check_copy(op: MemcpyOp) -> None:
    """Raise unless a copy goes between buffers of one shape and element type."""
    source, target = checked_type(op.src), checked_type(op.dst)
    if source.element_type is not target.element_type:
        raise VerifyError("arguments have incompatible element type")
    pairs = zip(source.shape, target.shape, strict=False)
    known = all(a == b or DYNAMIC in (a, b) for a, b in pairs)
    if len(source.shape) != len(target.shape) or not known:
        raise VerifyError("arguments have incompatible shape")


def check_allocation(op: AllocOp) -> None:
    """Raise unless an allocation has one size per unknown extent."""
    memref: MemRefType = checked_type(op.memref)
    wanted, found = memref.shape.count(DYNAMIC), len(op.dynamicSizes)
    if wanted != found:
        raise VerifyError(f"incorrect number of dynamic sizes, has {found}, expected {wanted}")
    symbols = getattr(getattr(memref.layout, "map", None), "symbol_count", 0)
    if len(op.symbolOperands) != symbols:
        raise VerifyError("symbol operand count does not equal memref symbol count")


def check_return(op: Operation) -> None:
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


def check_function(op: GPUFunc) -> None:
    """Raise unless a kernel returns nothing and the body takes the arguments and shared buffers."""
    signature: FunctionType = op.function_type
    if KERNEL in op.held_attributes and signature.results:
        raise VerifyError("expected void return type for kernel function")
    blocks = op.body.blocks
    if not blocks:
        return
    arguments = blocks[0].arguments
    wanted = len(signature.inputs) + getattr(op.held_attributes.get(WORKGROUP_COUNT), "value", 0)
    if len(arguments) < wanted:
        raise VerifyError(f"expected at least {wanted} arguments to body region")
    for number, type in enumerate(signature.inputs):
        if arguments[number].type is not type:
            raise VerifyError(
                f"expected body region argument #{number} to be of type '{type}', got '{arguments[number].type}'"
            )
    inputs = len(signature.inputs)
    _check_buffers(arguments[inputs:], wanted - inputs)


class Launch(Protocol):
    """The fields of `LaunchOp` that the functions here read."""

    body: Region
    clusterSizeX: Value | None


def check_launch(op: Operation) -> None:
    """Raise unless the region of a launch takes the ids and sizes."""
    launch = cast(Launch, op)
    blocks = launch.body.blocks
    wanted = LAUNCH_ARGUMENTS if launch.clusterSizeX is None else CLUSTER_LAUNCH_ARGUMENTS
    count = getattr(op.held_attributes.get(WORKGROUP_COUNT), "value", 0)
    if not blocks:
        return
    arguments = blocks[0].arguments
    if len(arguments) < wanted + count:
        raise VerifyError("unexpected number of region arguments")
    _check_buffers(arguments[wanted:], count)
    for block in blocks:
        last = block.last
        if last is not None and not last.successors and not isinstance(last, TerminatorRole):
            words = "expected 'gpu.terminator' or a terminator with successors"
            note = (("in 'gpu.launch' body region", op.location),)
            raise VerifyError(words, prefix=False, op=last, notes=note)


def _check_buffers(buffers: Sequence[Value], shared: int) -> None:
    """Raise unless the buffers of a kernel, of which the first are shared, lie in the right memory."""
    for number, buffer in enumerate(buffers):
        space = AddressSpace.WORKGROUP if number < shared else AddressSpace.PRIVATE
        if not isinstance(buffer.type, MemRefType):
            raise VerifyError("expected memref type in attribution")
        given = buffer.type.memory_space
        if isinstance(given, AddressSpaceAttr) and given.value is not space:
            raise VerifyError(f"expected memory space {space.name.lower()} in attribution")


def _is_module(op: Operation) -> bool:
    return isinstance(op, ModuleOp)


def check_kernel_launch(op: Operation) -> None:
    """Raise unless a launch stands in a module of kernels and names one of them."""
    launch = cast(LaunchFunc, op)
    module = innermost_ancestor(op, _is_module)
    if module is None:
        raise VerifyError("expected to belong to a module")
    if CONTAINER not in module.attributes:
        words = "expected the closest surrounding module to have the 'gpu.container_module' attribute"
        raise VerifyError(words)
    container = lookup_symbol(module, launch.kernel.root)
    if container is None:
        raise VerifyError(f"kernel container '{launch.kernel.root}' is undefined")
    values = (launch.clusterSizeX, launch.clusterSizeY, launch.clusterSizeZ)
    sizes = [value.type for value in values if value is not None]
    if any(type is not sizes[0] for type in sizes):
        raise VerifyError("expects types of the cluster dimensions must be the same")
    _check_kernel(launch, module, container)


def _check_kernel(op: LaunchFunc, module: Operation, container: Operation) -> None:
    """Raise unless the name is that of a kernel that takes these operands."""
    if not isinstance(container, GPUModuleRole):
        raise VerifyError(f"kernel module '{op.kernel.root}' is undefined")
    kernel: Any = lookup_symbol(module, op.kernel)
    if kernel is None:
        raise VerifyError(f"kernel function '{op.kernel}' is undefined")
    signature: Any = getattr(kernel, "function_type", None)
    if signature is None:
        raise VerifyError(f"referenced kernel '{op.kernel}' is not a function")
    if KERNEL not in kernel.attributes:
        raise VerifyError(f"kernel function is missing the '{KERNEL}' attribute")
    if not isinstance(kernel, GPUFuncRole):
        return
    wanted, given = signature.inputs, op.kernelOperands
    if len(given) != len(wanted):
        raise VerifyError(f"got {len(given)} kernel operands but expected {len(wanted)}")
    for number, (value, type) in enumerate(zip(given, wanted, strict=True)):
        if value.type is not type:
            raise VerifyError(f"type of function argument {number} does not match")


def _check_rows(memref: Any, word: str) -> None:
    """Raise unless the elements of a row of a buffer lie side by side."""
    strides = getattr(memref.layout, "strides", (1,))
    if strides and strides[-1] != 1:
        words = f"expected {word} memref most minor dim must have unit stride"
        raise VerifyError(words, prefix=False)


def check_matrix_load(op: SubgroupMmaLoadMatrix) -> None:
    """Raise unless a matrix is loaded from a buffer that has its rows in one piece."""
    _check_rows(op.srcMemref.type, "source")


def check_matrix_store(op: SubgroupMmaStoreMatrix) -> None:
    """Raise unless a sum is stored, to a buffer that has its rows in one piece."""
    _check_rows(op.dstMemref.type, "destination")
    if checked_type(op.src).operand != "COp":
        words = "expected the operand matrix being stored to have 'COp' operand type"
        raise VerifyError(words, prefix=False)


def check_multiplication(op: SubgroupMmaCompute) -> None:
    """Raise unless the matrices of a multiplication stand in order and have fitting extents."""
    left, right, sum = checked_type(op.opA), checked_type(op.opB), checked_type(op.opC)
    if (left.operand, right.operand, sum.operand) != ("AOp", "BOp", "COp"):
        raise VerifyError("operands must be in the order AOp, BOp, COp", prefix=False)
    (rows, common), (other, columns) = left.shape, right.shape
    if common != other or (rows, columns) != sum.shape:
        raise VerifyError("operand shapes do not satisfy matmul constraints", prefix=False)


def check_distribution(op: WarpExecuteOnLane0) -> None:
    """Raise unless the region of ``warp_execute_on_lane_0`` takes the operands and yields the results."""
    (block,) = op.warpRegion.blocks
    if len(block.arguments) != len(op.args):
        raise VerifyError("expected same number op arguments and block arguments.")
    if block.last is not None and len(block.last.operands) != len(op.results):
        raise VerifyError("expected same number of yield operands and return values.")
    for inner, outer in zip(block.arguments, op.args, strict=True):
        _check_spread(inner.type, outer.type, op.warp_size)
    for inner, outer in zip(block.last.operands if block.last else (), op.results, strict=True):
        _check_spread(inner.type, outer.type, op.warp_size)


def _check_spread(whole: Type, part: Type, threads: int) -> None:
    """Raise unless a value of a type can be spread over the threads as parts of another."""
    if whole is part:
        return
    if not isinstance(whole, VectorType) or not isinstance(part, VectorType):
        raise VerifyError("expected vector type for distributed operands.")
    if len(whole.shape) != len(part.shape) or whole.element_type is not part.element_type:
        raise VerifyError("expected distributed vectors to have same rank and element type.")
    product = 1
    for number, (large, small) in enumerate(zip(whole.shape, part.shape, strict=True)):
        if large % small:
            raise VerifyError(
                f"expected expanded vector dimension #{number} ({large}) to be a multipler of the distributed "
                f"vector dimension ({small})"
            )
        product *= large // small
    if product != threads:
        words = f"incompatible distribution dimensions from '{whole}' to '{part}'"
        raise VerifyError(f"{words} with warp size = {threads}")
