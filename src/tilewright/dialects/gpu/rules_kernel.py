"""Rules of kernels and their launches beyond the types of single operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.dialects.gpu import enums as gpu_enums, rules as gpu_rules
from tilewright.ir import builtin_types, symbol_table, walker
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.dialects.gpu import ops_kernel as gpu_kernel

CONTAINER = "gpu.container_module"
KERNEL = "gpu.kernel"
WORKGROUP_COUNT = "workgroup_attributions"
LAUNCH_ARGUMENTS = 12
CLUSTER_LAUNCH_ARGUMENTS = 18


def check_return(op: Operation) -> None:
    """Raise `VerifyError` unless ``return`` has operands of the result types of the enclosing function.
    Without a function type nothing is checked.
    """
    function: Any = op.parent_op
    signature = getattr(function, "function_type", None)
    if not isinstance(signature, builtin_types.FunctionType):
        return
    if len(op.operands) != len(signature.results):
        raise VerifyError(f"expected {len(signature.results)} result operands")
    for number, (value, type) in enumerate(zip(op.operands, signature.results, strict=True)):
        if value.type is not type:
            raise VerifyError(f"unexpected type `'{value.type}'' for operand #{number}")


def check_function(op: gpu_kernel.GPUFuncOp) -> None:
    """Raise `VerifyError` if a kernel has results, or if the first arguments of the region are not the
    parameters and then the shared and private buffers. A function without a body has no arguments to check.
    """
    signature: builtin_types.FunctionType = op.function_type
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


def check_launch(op: gpu_kernel.LaunchOp) -> None:
    """Raise `VerifyError` unless the region of a launch has arguments for the indices, the sizes and the
    shared buffers, and each block ends in `gpu.terminator` or in a branch. A region without blocks is valid.
    """
    blocks = op.body.blocks
    wanted = LAUNCH_ARGUMENTS if op.clusterSizeX is None else CLUSTER_LAUNCH_ARGUMENTS
    count = getattr(op.held_attributes.get(WORKGROUP_COUNT), "value", 0)
    if not blocks:
        return
    arguments = blocks[0].arguments
    if len(arguments) < wanted + count:
        raise VerifyError("unexpected number of region arguments")
    _check_buffers(arguments[wanted:], count)
    for block in blocks:
        last = block.last
        if last is not None and not last.successors and not isinstance(last, gpu_rules.TerminatorRole):
            words = "expected 'gpu.terminator' or a terminator with successors"
            note = (("in 'gpu.launch' body region", op.location),)
            raise VerifyError(words, prefix=False, op=last, notes=note)


def _check_buffers(buffers: Sequence[Value], shared: int) -> None:
    """Raise `VerifyError` unless the buffers of a kernel are memrefs, the first ``shared`` ones in shared
    memory, the others private. A memref without a memory space of the dialect is valid.
    """
    for number, buffer in enumerate(buffers):
        space = gpu_enums.AddressSpace.WORKGROUP if number < shared else gpu_enums.AddressSpace.PRIVATE
        if not isinstance(buffer.type, builtin_types.MemRefType):
            raise VerifyError("expected memref type in attribution")
        given = buffer.type.memory_space
        if isinstance(given, gpu_enums.AddressSpaceAttr) and given.value is not space:
            raise VerifyError(f"expected memory space {space.name.lower()} in attribution")


def _is_module(op: Operation) -> bool:
    return isinstance(op, ModuleOp)


def check_kernel_launch(op: gpu_kernel.LaunchFuncOp) -> None:
    """Raise `VerifyError` unless the launch is in a module with the attribute `gpu.container_module` and
    names a kernel of a `gpu.module` in it. A `gpu.func` must take the operands of the launch. The extents of
    clusters must have one type.
    """
    module = walker.innermost_ancestor(op, _is_module)
    if module is None:
        raise VerifyError("expected to belong to a module")
    if CONTAINER not in module.attributes:
        words = "expected the closest surrounding module to have the 'gpu.container_module' attribute"
        raise VerifyError(words)
    container = symbol_table.lookup_symbol(module, op.kernel.root)
    if container is None:
        raise VerifyError(f"kernel container '{op.kernel.root}' is undefined")
    values = (op.clusterSizeX, op.clusterSizeY, op.clusterSizeZ)
    sizes = [value.type for value in values if value is not None]
    if any(type is not sizes[0] for type in sizes):
        raise VerifyError("expects types of the cluster dimensions must be the same")
    _check_kernel(op, module, container)


def _check_kernel(op: gpu_kernel.LaunchFuncOp, module: Operation, container: Operation) -> None:
    """Raise `VerifyError` unless `container` is a `gpu.module`, and the symbol in it is a function with the
    attribute `gpu.kernel`. A `gpu.func` must take the operands of the launch; operands of other functions are
    not checked.
    """
    if not isinstance(container, gpu_rules.GPUModuleRole):
        raise VerifyError(f"kernel module '{op.kernel.root}' is undefined")
    kernel: Any = symbol_table.lookup_symbol(module, op.kernel)
    if kernel is None:
        raise VerifyError(f"kernel function '{op.kernel}' is undefined")
    signature: Any = getattr(kernel, "function_type", None)
    if signature is None:
        raise VerifyError(f"referenced kernel '{op.kernel}' is not a function")
    if KERNEL not in kernel.attributes:
        raise VerifyError(f"kernel function is missing the '{KERNEL}' attribute")
    if not isinstance(kernel, gpu_rules.GPUFuncRole):
        return
    wanted, given = signature.inputs, op.kernelOperands
    if len(given) != len(wanted):
        raise VerifyError(f"got {len(given)} kernel operands but expected {len(wanted)}")
    for number, (value, type) in enumerate(zip(given, wanted, strict=True)):
        if value.type is not type:
            raise VerifyError(f"type of function argument {number} does not match")


def check_distribution(op: gpu_kernel.WarpExecuteOnLane0Op) -> None:
    """Raise `VerifyError` unless the region of ``warp_execute_on_lane_0`` has an argument for each operand
    and yields a value for each result. Where the types differ, the vector inside must be divided over the
    threads of the warp outside.
    """
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
    """Raise `VerifyError` unless a vector of the type `whole` can be divided into `threads` vectors of the
    type `part`, one for each thread. Equal types are valid, too.
    """
    if whole is part:
        return
    if not isinstance(whole, builtin_types.VectorType) or not isinstance(part, builtin_types.VectorType):
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
