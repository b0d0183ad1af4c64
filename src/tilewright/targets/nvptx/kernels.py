"""What a launch has to know of kernels for GPUs, read off their functions."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.nv_tileaa.discardable import DECLARED
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import DictionaryAttr, TypeAttr
from tilewright.ir.operation import Operation
from tilewright.runtime.description import KernelImage, Parameter
from tilewright.targets.nvptx.emission.function import is_kernel
from tilewright.targets.nvptx.emission.module import fitting
from tilewright.targets.parameters import parameter_of


def kernel_images(module: Operation) -> tuple[KernelImage, ...]:
    """The kernels of a module in `llvm` and `nvvm`."""
    functions = [op for op in module.regions[0].block if isinstance(op, LLVMFuncOp)]
    return tuple(
        KernelImage(op.sym_name, fitting(op.sym_name), tuple(_parameters(op)), 0)
        for op in functions
        if is_kernel(op)
    )


def _parameters(function: LLVMFuncOp) -> Iterator[Parameter]:
    types = function.function_type.arguments
    attributes = function.arg_attrs or (DictionaryAttr(),) * len(types)
    for type, held in zip(types, attributes, strict=True):
        yield parameter_of(_declared(held, type))


def _declared(held: DictionaryAttr, type: Type) -> Type:
    """The type that an argument had in the program."""
    declared = dict(held).get(DECLARED)
    return declared.type if isinstance(declared, TypeAttr) else type
