"""The C interface of a function: ``_mlir_ciface_NAME`` takes memrefs as pointers to their descriptors.

A defined function gets a wrapper of that name, which unpacks the descriptors and calls the function. A
declared function gets a body, which packs descriptors and calls the wrapper's name; a library has to define
it. A struct result is returned through a pointer that is the first argument.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.llvm.enums import Linkage
from tilewright.dialects.llvm.ops.control import ReturnOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import POINTER, VOID, LLVMFunctionType, LLVMStructType, LLVMVoidType
from tilewright.ir import block as ir_block, builder
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.converter import MEMREFS, unpacked
from tilewright.lowering.llvm_types.memref_descriptor import pack_fields
from tilewright.lowering.upstream_to_llvm.patterns import LoweringSite

ATTRIBUTE = "llvm.emit_c_interface"
PREFIX = "_mlir_ciface_"


def wrapper_type(site: LoweringSite[Any], function: LLVMFunctionType) -> LLVMFunctionType:
    """Return the type of the C wrapper of a function with the LLVM type `function`: memref arguments are
    pointers to descriptors, and a struct result is a pointer before the arguments. Other arguments and
    results are as they are.
    """
    arguments = [POINTER if isinstance(type, MEMREFS) else _form(site, type) for type in _inputs(site)]
    if isinstance(function.result, LLVMStructType):
        return LLVMFunctionType(VOID, (POINTER, *arguments))
    return LLVMFunctionType(function.result, tuple(arguments))


def _inputs(site: LoweringSite[Any]) -> Sequence[Type]:
    return site.op.function_type.inputs


def _form(site: LoweringSite[Any], type: Type) -> Type:
    form = site.converter.convert_value_type(type)
    assert form is not None, "the signature was converted"
    return form


def add_wrapper(site: LoweringSite[Any], function: LLVMFuncOp, attributes: dict[str, Attribute]) -> None:
    """Insert the C wrapper of `function`, with the attributes `attributes`. The wrapper of a defined function
    calls it. For a declared function the wrapper is a declaration, and `function` gets a body that calls it,
    and becomes private.
    """
    type = wrapper_type(site, function.function_type)
    name = f"{PREFIX}{function.sym_name}"
    is_defined = bool(function.body.blocks)
    wrapper = LLVMFuncOp(
        sym_name=name,
        function_type=type,
        linkage=function.linkage if is_defined else Linkage.EXTERNAL,
        body=ir_block.Region([ir_block.Block(type.arguments)] if is_defined else []),
        attributes=dict(attributes),
        location=site.op.location,
    )
    site.rewriter.insert(wrapper)
    if is_defined:
        _fill_wrapper(site, function, wrapper.body.blocks[0])
    else:
        function.linkage = Linkage.PRIVATE  # only its C name is seen from outside
        function.body.append(ir_block.Block(function.function_type.arguments))
        _fill_function(site, function, name)


def _fill_wrapper(site: LoweringSite[Any], function: LLVMFuncOp, block: ir_block.Block) -> None:
    """Fill the body of a wrapper: load the descriptors, call `function` with their fields, and store a struct
    result.
    """
    emit, result = site.emit, function.function_type.result
    is_struct = isinstance(result, LLVMStructType)
    with site.rewriter.at(builder.InsertionPoint(block)):
        values: list[Value] = []
        for value, type in zip(block.arguments[is_struct:], _inputs(site), strict=True):
            is_memref = isinstance(type, MEMREFS)
            values += unpacked(emit, emit.load(value, _form(site, type))) if is_memref else [value]
        returned = emit.call(function.sym_name, values, _results(result)).results
        if is_struct:
            emit.store(returned[0], block.arguments[0])
        emit.insert(ReturnOp, returned[0] if returned and not is_struct else None)


def _fill_function(site: LoweringSite[Any], function: LLVMFuncOp, name: str) -> None:
    """Fill the body of a declared function: store the descriptors on the stack, call the function `name` with
    their addresses, and load a struct result.
    """
    emit, result = site.emit, function.function_type.result
    block = function.body.blocks[0]
    is_struct = isinstance(result, LLVMStructType)
    with site.rewriter.at(builder.InsertionPoint(block)):
        values = [emit.stack_slot(result)] if is_struct else []
        rest = iter(block.arguments)
        for type in _inputs(site):
            fields = [next(rest) for _ in site.converter.convert_arguments(type)]
            values.append(_stored(site, type, fields) if isinstance(type, MEMREFS) else fields[0])
        returned = emit.call(name, values, () if is_struct else _results(result)).results
        if is_struct:
            emit.insert(ReturnOp, emit.load(values[0], result))
        else:
            emit.insert(ReturnOp, returned[0] if returned else None)


def _stored(site: LoweringSite[Any], type: Type, fields: Sequence[Value]) -> Value:
    """Build a descriptor of type `type` from its fields, store it on the stack, and return its address."""
    form = _form(site, type)
    assert isinstance(form, LLVMStructType), "memrefs are descriptors"
    descriptor = pack_fields(site.emit, form, fields)
    slot = site.emit.stack_slot(form)
    site.emit.store(descriptor, slot)
    return slot


def _results(result: Type) -> Sequence[Type]:
    return () if isinstance(result, LLVMVoidType) else (result,)
