"""The descriptions of GPU kernels for launches, read from their functions."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.dialects.cuda_tile.attributes import function_name
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.nv_tileaa.discardable import DECLARED
from tilewright.dialects.nv_tileaa.ops.program import AssertOp, CheckOp, FuncOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import DictionaryAttr, IntegerAttr, TypeAttr
from tilewright.ir.operation import Operation
from tilewright.lowering.memory_order.memory_roots import written_parameters
from tilewright.runtime.context import ReportSite
from tilewright.runtime.description import KernelImage, Parameter
from tilewright.targets.check_sites import site_of
from tilewright.targets.nvptx.nvvm_to_ptx.function import is_kernel
from tilewright.targets.nvptx.nvvm_to_ptx.module import PtxNames
from tilewright.targets.nvptx.shared_memory.allocate import DYNAMIC_SHARED_MEMORY
from tilewright.targets.parameters import parameter_of


def kernel_images(module: Operation, tiles: Operation) -> tuple[KernelImage, ...]:
    """Return the kernels of a module in `llvm` and `nvvm`; `tiles` is the TileAS module that it was compiled
    from.
    """
    functions = [op for op in module.regions[0].block if isinstance(op, LLVMFuncOp)]
    origins: dict[str, FuncOp] = {op.sym_name: op for op in tiles.regions[0].block if isinstance(op, FuncOp)}
    names = PtxNames(module)
    return tuple(
        _kernel_image(op, names.name(op.sym_name), origins[op.sym_name]) for op in functions if is_kernel(op)
    )


def _kernel_image(function: LLVMFuncOp, symbol: str, origin: FuncOp) -> KernelImage:
    """Return the description of the kernel `function`, which PTX calls `symbol`. `origin` is its function in
    TileAS, which says which parameters are written, and has the assertions.
    """
    written = written_parameters(origin)
    parameters = tuple(
        parameter.replace(is_written=written is None or at in written)
        for at, parameter in enumerate(_parameters(function))
    )
    name = function.sym_name
    return KernelImage(
        name,
        symbol,
        parameters,
        0,
        tuple(_sites(origin)),
        writes_anywhere=written is None,
        shared_bytes=_dynamic_shared_memory(function),
        user_name=function_name(origin.location, name),
    )


def _sites(kernel: FuncOp) -> Iterator[ReportSite]:
    """Yield the assertions and checks of a kernel."""
    for op in kernel.walk():
        if isinstance(op, AssertOp):
            yield ReportSite("assert", op.message, op.location)
        elif isinstance(op, CheckOp):
            yield site_of(op)


def _dynamic_shared_memory(function: LLVMFuncOp) -> int:
    """Return the shared memory in bytes that a launch must request; 0 if the code declares all of it."""
    asked = function.attributes.get(DYNAMIC_SHARED_MEMORY)
    return asked.value if isinstance(asked, IntegerAttr) else 0


def _parameters(function: LLVMFuncOp) -> Iterator[Parameter]:
    types = function.function_type.arguments
    attributes = function.arg_attrs or (DictionaryAttr(),) * len(types)
    for type, held in zip(types, attributes, strict=True):
        yield parameter_of(_declared(held, type))


def _declared(held: DictionaryAttr, type: Type) -> Type:
    """Return the type that an argument has in the program, from its attributes `held`; `type` if they name no
    type.
    """
    declared = dict(held).get(DECLARED)
    return declared.type if isinstance(declared, TypeAttr) else type
