"""``func`` to ``llvm``: functions with their signatures, calls and returns under one calling convention.

A memref argument is passed as the fields of its descriptor, or as its aligned pointer (bare pointers); a memref result
as its descriptor. The descriptor of an unranked memref that is returned is copied to the heap: the callee's own
descriptor lives on its stack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tilewright.dialects.func import ops
from tilewright.dialects.llvm import enums as llvm_enums, types as llvm_types
from tilewright.dialects.llvm.intrinsics.memory import MemcpyOp
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, control as llvm_control
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.ir import block as ir_block, builder, builtin_attributes
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_types import UnrankedMemRefType, i8, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.emitter import LlvmEmitter
from tilewright.lowering.llvm_types import converter as llvm_types_converter, memref_descriptor
from tilewright.lowering.upstream_to_llvm import c_interface, patterns as upstream_to_llvm_patterns
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet

POINTER_BYTES = 8
NUMBER_BYTES = 8


def descriptor_bytes(emit: LlvmEmitter, unranked: Value) -> Value:
    """Return the size in bytes of the ranked descriptor that an unranked memref points to: two pointers, the
    offset, and two numbers for each dimension.
    """
    one, two = emit.index(1), emit.index(2)
    pointer, number = emit.index(POINTER_BYTES), emit.index(NUMBER_BYTES)
    pointers = emit.multiply(two, pointer)
    rank = memref_descriptor.resized(emit, emit.extract(unranked, 0), emit.index_type)
    numbers = emit.multiply(emit.add(emit.multiply(two, rank), one), number)
    return emit.add(pointers, numbers)


def copy_unranked_to_heap(emit: LlvmEmitter, op: Operation, value: Value) -> Value:
    """Return the unranked memref `value` with its ranked descriptor copied to fresh memory, for the caller to
    free. `malloc` is declared in the module around `op`.
    """
    size = descriptor_bytes(emit, value)
    malloc = upstream_to_llvm_patterns.declare_function(
        emit.rewriter,
        op,
        "malloc",
        llvm_types.LLVMFunctionType(llvm_types.LLVMPointerType(0), (emit.index_type,)),
    )
    memory = emit.call(malloc, [size], [llvm_types.POINTER]).results[0]
    return _copied(emit, value, memory, size)


def copy_unranked_to_stack(emit: LlvmEmitter, op: Operation, value: Value) -> Value:
    """Return the unranked memref `value`, which a call returned, with its ranked descriptor copied to the
    stack of the caller; the heap copy is freed. `free` is declared in the module around `op`.
    """
    size = descriptor_bytes(emit, value)
    memory = emit.stack_slot(i8, size)
    old = emit.extract(value, 1)
    copied = _copied(emit, value, memory, size)
    free = upstream_to_llvm_patterns.declare_function(
        emit.rewriter, op, "free", llvm_types.LLVMFunctionType(llvm_types.VOID, (llvm_types.POINTER,))
    )
    emit.call(free, [old])
    return copied


def _copied(emit: LlvmEmitter, value: Value, memory: Value, size: Value) -> Value:
    emit.insert(
        MemcpyOp, memory, emit.extract(value, 1), memref_descriptor.resized(emit, size, i64), isVolatile=False
    )
    form = value.type
    assert isinstance(form, llvm_types.LLVMStructType)
    return memref_descriptor.unranked_pair(emit, form, emit.extract(value, 0), memory)


BARE_POINTERS = "llvm.bareptr"
"""The unit attribute of a function whose memref arguments are passed as bare pointers, whatever the options
say.
"""
LINKAGE = "llvm.linkage"
CONSUMED = ("sym_name", "function_type", "arg_attrs", "res_attrs", "no_inline", LINKAGE)
"""Attributes of ``func.func`` that are translated, not copied to ``llvm.func``."""


def uses_bare_pointers(converter: llvm_types_converter.LLVMTypeConverter, function: Operation | None) -> bool:
    """Return whether memref arguments of a function are passed as bare pointers: by the options of the
    converter, or by the attribute `BARE_POINTERS` of `function`. `function` is None if the callee is not
    known.
    """
    is_marked = function is not None and BARE_POINTERS in function.held_attributes
    return converter.options.bare_pointers or is_marked


# --- functions


def _function(site: upstream_to_llvm_patterns.LoweringSite[ops.FuncOp]) -> Sequence[Value] | NoMatch:
    """Convert a function with its body. Raises `DiagnosticError` (TW0704) if its signature cannot be
    converted; does not match if a function with bare pointers requests a C interface.
    """
    op, converter, rewriter = site.op, site.converter, site.rewriter
    bare = uses_bare_pointers(converter, op)
    signature = converter.convert_function_signature(op.function_type, op.location, bare_pointers=bare)
    attributes = {n: a for n, a in op.held_attributes.items() if n not in CONSUMED}
    made = LLVMFuncOp(
        sym_name=op.sym_name,
        function_type=signature.type,
        linkage=_linkage(op),
        arg_attrs=_argument_attributes(op, signature),
        res_attrs=op.res_attrs if len(op.function_type.results) == 1 else None,
        no_inline=op.no_inline,
        body=type(op.body)(),
        attributes=dict(attributes),
        location=op.location,
    )
    rewriter.insert(made)
    if op.body.blocks:
        rewriter.take_region(op.body, made.body)
        _convert_body(site, made.body.blocks, signature)
    if c_interface.ATTRIBUTE in op.held_attributes:
        if bare:
            return NoMatch("the C interface passes descriptors, and this function takes bare pointers")
        c_interface.add_wrapper(site, made, attributes)
    return ()


def _linkage(op: Operation) -> llvm_enums.Linkage:
    attribute = op.held_attributes.get(LINKAGE)
    if isinstance(attribute, llvm_enums.LinkageAttr) and isinstance(attribute.value, llvm_enums.Linkage):
        return attribute.value
    return llvm_enums.Linkage.EXTERNAL


def _argument_attributes(op: ops.FuncOp, signature: llvm_types_converter.LLVMSignature) -> Any:
    """Return the attributes of the converted arguments: an argument that becomes one value keeps its
    attributes, the fields of an unpacked memref have none.
    """
    if op.arg_attrs is None:
        return None
    empty = builtin_attributes.DictionaryAttr()
    dictionaries: list[Attribute] = []
    for given, part in zip(op.arg_attrs, signature.arguments.parts, strict=True):
        dictionaries += [given] if len(part) == 1 else [empty] * len(part)
    return builtin_attributes.ArrayAttr(tuple(dictionaries))


def _convert_body(
    site: upstream_to_llvm_patterns.LoweringSite[Any],
    blocks: Sequence[ir_block.Block],
    signature: llvm_types_converter.LLVMSignature,
) -> None:
    """Convert the arguments of the entry block, and of blocks that no branch leads to. Branches convert the
    other blocks (`cf.convert_block`).
    """
    rewriter, entry = site.rewriter, blocks[0]
    old = list(entry.arguments)
    rewriter.convert_block(entry, signature.arguments)
    start = entry.first
    assert start is not None, "a function body ends in a terminator"
    with rewriter.at(builder.InsertionPoint.before(start)):
        for argument in reversed(old):
            _rebuild(site, argument)
    for block in blocks[1:]:
        conversion = site.converter.convert_signature([a.type for a in block.arguments])
        if not block.predecessor_uses and conversion is not None:
            rewriter.convert_block(block, conversion)


def _rebuild(site: upstream_to_llvm_patterns.LoweringSite[Any], argument: Value) -> None:
    """Replace `argument`, a memref, by a descriptor built from its converted arguments. Does nothing for an
    argument of another type or without uses.
    """
    rewriter, type = site.rewriter, argument.type
    if not isinstance(type, llvm_types_converter.MEMREFS) or not argument.has_uses:
        return
    found = rewriter.mapping[argument]
    parts = (found,) if isinstance(found, Value) else found
    form: Any = site.converter.convert_type(type)
    if len(parts) == 1 and isinstance(type, llvm_types_converter.RankedMemRef):
        layout = llvm_types_converter.static_layout(type)
        assert layout is not None, "the signature was converted"
        descriptor = memref_descriptor.bare_descriptor(site.emit, form, parts[0], type.shape, *layout)
    else:
        descriptor = memref_descriptor.pack_fields(site.emit, form, parts)
    remap(rewriter, argument, descriptor)


def remap(rewriter: ConversionRewriter, old: Value, new: Value) -> None:
    """Replace `old`, which already has a replacement, by `new` instead."""
    before = rewriter.mapping.pop(old)
    rewriter.log_undo(rewriter.mapping.__setitem__, old, before)
    rewriter.map_value(old, new)


# --- calls


def _call(site: upstream_to_llvm_patterns.LoweringSite[ops.CallOp]) -> Sequence[Value] | NoMatch:
    callee = upstream_to_llvm_patterns.find_symbol(
        upstream_to_llvm_patterns.enclosing_table(site.op), site.op.callee
    )
    return _call_of(site, [], site.adaptor.operands, site.op.operands, callee, callee_name=site.op.callee)


def _call_indirect(
    site: upstream_to_llvm_patterns.LoweringSite[ops.CallIndirectOp],
) -> Sequence[Value] | NoMatch:
    pointer, *operands = site.adaptor.operands
    return _call_of(site, [pointer], operands, site.op.operands[1:], None)


def _call_of(
    site: upstream_to_llvm_patterns.LoweringSite[Any],
    pointer: Sequence[Value],
    operands: Sequence[Value],
    old: Sequence[Value],
    callee: Operation | None,
    callee_name: str | None = None,
) -> Sequence[Value] | NoMatch:
    converter, emit, op = site.converter, site.emit, site.op
    bare = uses_bare_pointers(converter, callee)
    result = converter.pack_results(op.result_types, bare_pointers=bare)
    if result is None:
        return NoMatch("the result types of the call cannot be converted")
    values = converter.convert_call_signature(operands, [v.type for v in old], emit, bare_pointers=bare)
    attributes = {n: a for n, a in op.held_attributes.items() if not op.kind.is_inherent(n)}
    made = emit.insert(
        llvm_control.CallOp,
        op_bundle_sizes=(),
        callee_operands=[*pointer, *values],
        callee=callee_name,
        result_types=[] if isinstance(result, llvm_types.LLVMVoidType) else [result],
        attributes=attributes,
    )
    return _results_of(site, made, bare)


def _results_of(
    site: upstream_to_llvm_patterns.LoweringSite[Any], call: Operation, bare: bool
) -> Sequence[Value]:
    """Return the results of a call, extracted from their struct.

    A memref is returned as its descriptor; the descriptor of an unranked memref is copied to the stack of the
    caller.
    """
    emit, types = site.emit, site.op.result_types
    if len(types) > 1:
        values = [emit.extract(call.results[0], at) for at in range(len(types))]
    else:
        values = list(call.results)
    return [_received(site, value, type, bare) for value, type in zip(values, types, strict=True)]


def _received(
    site: upstream_to_llvm_patterns.LoweringSite[Any], value: Value, type: Type, bare: bool
) -> Value:
    form: Any = site.converter.convert_type(type)
    if bare and isinstance(type, llvm_types_converter.RankedMemRef):
        layout = llvm_types_converter.static_layout(type)
        assert layout is not None, "the result types were converted"
        return memref_descriptor.bare_descriptor(site.emit, form, value, type.shape, *layout)
    if isinstance(type, UnrankedMemRefType):
        return copy_unranked_to_stack(site.emit, site.op, value)
    return value


def _return(site: upstream_to_llvm_patterns.LoweringSite[ops.ReturnOp]) -> Sequence[Value]:
    """Lower a return. Several values are packed into a struct. A ranked memref with bare pointers is returned
    as its allocated pointer, an unranked one is copied to the heap.
    """
    emit, converter = site.emit, site.converter
    bare = uses_bare_pointers(converter, _function_around(site.op))
    values = [
        _returned(site, value, old.type, bare)
        for value, old in zip(site.adaptor.operands, site.op.operands, strict=True)
    ]
    if len(values) > 1:
        form = converter.pack_results([value.type for value in values])
        assert form is not None, "results that were converted can be packed"
        values = [emit.pack(form, values)]
    emit.insert(llvm_control.ReturnOp, values[0] if values else None)
    return ()


def _function_around(op: Operation) -> Operation | None:
    return next((outer for outer in op.ancestors() if isinstance(outer, ops.FuncOp | LLVMFuncOp)), None)


def _returned(
    site: upstream_to_llvm_patterns.LoweringSite[Any], value: Value, type: Type, bare: bool
) -> Value:
    if bare and isinstance(type, llvm_types_converter.RankedMemRef):
        return site.emit.extract(value, 0)  # the allocated pointer, which the caller may free
    if isinstance(type, UnrankedMemRefType):
        return copy_unranked_to_heap(site.emit, site.op, value)
    return value


def _constant(site: upstream_to_llvm_patterns.LoweringSite[ops.ConstantOp]) -> Value:
    return site.emit(llvm_aggregate.AddressOfOp, site.op.value, type=llvm_types.POINTER)


RULES: dict[type[Operation], upstream_to_llvm_patterns.Rule] = {
    ops.CallOp: _call,
    ops.CallIndirectOp: _call_indirect,
    ops.ConstantOp: _constant,
    ops.FuncOp: _function,
    ops.ReturnOp: _return,
}
"""For each operation of ``func``, the function that lowers it."""


def populate_func_to_llvm(
    patterns: RewritePatternSet, converter: llvm_types_converter.LLVMTypeConverter
) -> None:
    """Add the patterns that lower ``func``."""
    upstream_to_llvm_patterns.add_rules(patterns, converter, RULES)


@dataclass(frozen=True)
class ConvertFuncToLLVM(upstream_to_llvm_patterns.ToLLVM):
    """Converts functions, calls and returns of `func` to `llvm`.

    ``use-bare-ptr-memref-call-conv`` passes memrefs as aligned pointers; their layout must then be static.
    ``index-bitwidth`` is the width of ``index``, 0 for the machine's (64).
    """

    name: ClassVar[str] = "convert-func-to-llvm"
    use_bare_ptr_memref_call_conv: bool = False
    index_bitwidth: int = 0

    def populate(
        self, patterns: RewritePatternSet, converter: llvm_types_converter.LLVMTypeConverter
    ) -> None:
        populate_func_to_llvm(patterns, converter)

    def llvm_options(self) -> llvm_types_converter.LLVMOptions:
        return llvm_types_converter.LLVMOptions(self.index_bitwidth, self.use_bare_ptr_memref_call_conv)
