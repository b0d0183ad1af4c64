"""Rules of functions, global variables, aliases and tables of functions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from tilewright.dialects.common.functions import Symbols
from tilewright.dialects.llvm import enums as llvm_enums, roles as llvm_roles, types as llvm_types
from tilewright.dialects.llvm.attributes import ZeroAttr
from tilewright.dialects.llvm.rules.constant import is_zero
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types, symbol_table
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.declaration.traits import NoMemoryEffect, Pure, SymbolTable, VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.support.strings import utf8

if TYPE_CHECKING:
    from tilewright.dialects.llvm.ops import symbol as llvm_symbol

NO_GLOBALS = (
    llvm_types.LLVMVoidType,
    llvm_types.LLVMTokenType,
    llvm_types.LLVMMetadataType,
    llvm_types.LLVMLabelType,
)
ALIAS_LINKAGES = (
    llvm_enums.Linkage.EXTERNAL,
    llvm_enums.Linkage.INTERNAL,
    llvm_enums.Linkage.PRIVATE,
    llvm_enums.Linkage.WEAK,
    llvm_enums.Linkage.WEAK_ODR,
    llvm_enums.Linkage.LINKONCE,
    llvm_enums.Linkage.LINKONCE_ODR,
    llvm_enums.Linkage.AVAILABLE_EXTERNALLY,
)


def check_module_level(op: Operation) -> None:
    """Raise `VerifyError` unless the parent of an operation is a symbol table, such as a module, or there is
    no parent.
    """
    if op.parent_op is not None and not op.parent_op.has_trait(SymbolTable):
        raise VerifyError("must appear at the module level")


def check_function(op: llvm_symbol.LLVMFuncOp) -> None:
    """Raise `VerifyError` unless the arguments of a function's entry block have the types of its declaration,
    its linkage is not `common` (without a body: `external` or `extern_weak`), and its COMDAT exists. With a
    body, `no_inline` excludes `always_inline`, and `optimize_none` requires `no_inline`.
    """
    _check_entry_block(op)
    if op.linkage is llvm_enums.Linkage.COMMON:
        raise VerifyError("functions cannot have 'common' linkage")
    _check_comdat(op, op.comdat)
    if not op.body.blocks:
        if op.linkage not in (llvm_enums.Linkage.EXTERNAL, llvm_enums.Linkage.EXTERN_WEAK):
            raise VerifyError("external functions must have 'external' or 'extern_weak' linkage")
        return
    if op.no_inline and op.always_inline:
        raise VerifyError("no_inline and always_inline attributes are incompatible", prefix=False)
    if op.optimize_none and not op.no_inline:
        raise VerifyError("with optimize_none must also be no_inline")


@cache
def _is_of_exceptions(op_class: type[Operation]) -> bool:
    return issubclass(op_class, llvm_roles.ExceptionRole)


def check_exceptions(op: Operation) -> None:
    """Raise `VerifyError` unless all landing pads and resumes of a function have the same exception type."""
    expected: Type | None = None
    for inner in [inner for inner in op.walk() if _is_of_exceptions(inner.__class__)]:
        values, word = (inner.results, "result") if inner.results else (inner.operands, "input")
        type = values[0].type
        expected = expected or type
        if type is not expected:
            words = f"'{inner.name}' should have a consistent {word} type"
            raise VerifyError(f"{words} inside a function", prefix=False)


def _check_entry_block(op: llvm_symbol.LLVMFuncOp) -> None:
    blocks = op.body.blocks
    if not blocks:
        return
    wanted = op.function_type.arguments
    arguments = blocks[0].arguments
    if len(arguments) != len(wanted):
        raise VerifyError(f"entry block must have {len(wanted)} arguments to match function signature")
    for number, (argument, type) in enumerate(zip(arguments, wanted, strict=True)):
        if argument.type is not type:
            raise VerifyError(
                f"type of entry block argument #{number}('{argument.type}') must match the type of the "
                f"corresponding argument in function signature('{type}')"
            )


def _check_comdat(op: Operation, comdat: builtin_attributes.SymbolRefAttr | None) -> None:
    if comdat is None:
        return
    found = symbol_table.lookup_symbol(op, comdat)
    if not isinstance(found, llvm_roles.ComdatSelectorRole):
        raise VerifyError("expected comdat symbol", prefix=False)


def check_global(op: llvm_symbol.GlobalOp) -> None:
    """Raise `VerifyError` unless a global is at module level, its type has a size, a string has its length,
    its COMDAT exists, and its alignment is a power of two. The linkage `common` requires a value of zero,
    `appending` an array. The type of another value is not checked.
    """
    value, type = op.value, op.global_type
    if not llvm_types.is_loadable(type):
        raise VerifyError("expects type to be a valid element type for an LLVM global")
    check_module_level(op)
    if isinstance(value, builtin_attributes.StringAttr):
        _check_string(value, type)
    if op.linkage is llvm_enums.Linkage.COMMON and value is not None and not is_zero(value):
        raise VerifyError("expected zero value for 'common' linkage")
    if op.linkage is llvm_enums.Linkage.APPENDING and not isinstance(type, llvm_types.LLVMArrayType):
        raise VerifyError("expected array type for 'appending' linkage")
    _check_comdat(op, op.comdat)
    alignment = op.alignment
    if alignment is not None and (alignment == 0 or alignment & (alignment - 1)):
        raise VerifyError("alignment attribute is not a power of 2", prefix=False)


def _check_string(value: builtin_attributes.StringAttr, type: Any) -> None:
    is_bytes = isinstance(type, llvm_types.LLVMArrayType) and type.element_type is builtin_types.i8
    if not is_bytes or type.count != len(utf8(value.value)):
        raise VerifyError("requires an i8 array type of the length equal to that of the string attribute")


def check_initializer(op: llvm_symbol.GlobalOp) -> None:
    """Raise `VerifyError` unless the region of a global, if it has one, returns a value of its type without
    side effects, and there is no other value.
    """
    if not op.initializer.blocks:
        return
    block: ir_block.Block = op.initializer.blocks[0]
    last = block.last
    if last is None or not last.operands:
        raise VerifyError("initializer region cannot return void")
    type = last.operands[0].type
    if type is not op.global_type:
        raise VerifyError(f"initializer region type '{type}' does not match global type '{op.global_type}'")
    _check_effects(block, "ops with side effects not allowed in global initializers")
    if op.value is not None:
        raise VerifyError("cannot have both initializer value and region")


def _check_effects(block: ir_block.Block, message: str) -> None:
    for op in block:
        if not op.has_trait(Pure) and not op.has_trait(NoMemoryEffect):
            raise VerifyError(message, prefix=False, op=op)


def check_alias(op: llvm_symbol.AliasOp) -> None:
    """Raise `VerifyError` if the type of an alias is void, a token, metadata or a label, or if its linkage is
    not in `ALIAS_LINKAGES`.
    """
    if isinstance(op.alias_type, NO_GLOBALS):
        raise VerifyError("expects type to be a valid element type for an LLVM global alias")
    if op.linkage not in ALIAS_LINKAGES:
        raise VerifyError(
            f"'{op.linkage.spelling}' linkage not supported in aliases, available options: private, internal, "
            "linkonce, weak, linkonce_odr, weak_odr, external or available_externally"
        )


def check_alias_region(op: llvm_symbol.AliasOp) -> None:
    """Raise `VerifyError` unless the region of an alias returns a pointer and has no side effects."""
    block: ir_block.Block = op.initializer.blocks[0]
    last = block.last
    if last is None or not last.operands or not isinstance(last.operands[0].type, llvm_types.LLVMPointerType):
        raise VerifyError("initializer region must always return a pointer")
    _check_effects(block, "ops with side effects are not allowed in alias initializers")


def check_table(
    op: llvm_symbol.GlobalCtorsOp | llvm_symbol.GlobalDtorsOp, names: Sequence[str], word: str
) -> None:
    """Raise `VerifyError` unless a table of functions has a priority and data for each name in `names`. Data
    are a symbol or `#llvm.zero`; `word` names the functions in the message.
    """
    if not all(map(_is_data, op.data)):
        raise VerifyError("data element must be symbol or #llvm.zero", prefix=False)
    if not len(names) == len(op.priorities) == len(op.data):
        words = f"{word}, priorities, and data must have the same number of elements"
        raise VerifyError(words, prefix=False)


def _is_data(value: Attribute) -> bool:
    return isinstance(value, ZeroAttr) or (
        isinstance(value, builtin_attributes.SymbolRefAttr) and not value.nested
    )


def check_table_symbols(names: Sequence[str], symbols: Symbols) -> None:
    """Raise `VerifyError` unless all names in a table are functions defined in this module."""
    for name in names:
        function: Any = symbols.get(name)
        if not isinstance(function, llvm_roles.FunctionRole):
            raise VerifyError(f"'{name}' does not reference a valid LLVM function")
        if not cast("llvm_symbol.LLVMFuncOp", function).body.blocks:
            raise VerifyError(f"'{name}' does not have a definition")


def check_indirect_function(op: llvm_symbol.IFuncOp) -> None:
    """Raise `VerifyError` unless the linkage of an indirect function is one of `ALIAS_LINKAGES` other than
    `available_externally`.
    """
    if op.linkage not in ALIAS_LINKAGES[:-1]:
        raise VerifyError(
            f"'{op.linkage.spelling}' linkage not supported in ifuncs, available options: private, internal, "
            "linkonce, weak, linkonce_odr, weak_odr, or external linkage"
        )
