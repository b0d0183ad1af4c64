"""Rules of functions, global variables, aliases and tables of functions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from tilewright.dialects.common.functions import Symbols
from tilewright.dialects.llvm.attributes import ZeroAttr
from tilewright.dialects.llvm.enums import Linkage
from tilewright.dialects.llvm.roles import (
    ComdatSelectorRole,
    ExceptionRole,
    FunctionRole,
)
from tilewright.dialects.llvm.rules.constant import is_zero
from tilewright.dialects.llvm.types import (
    LLVMArrayType,
    LLVMLabelType,
    LLVMMetadataType,
    LLVMPointerType,
    LLVMTokenType,
    LLVMVoidType,
    is_loadable,
)
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import StringAttr, SymbolRefAttr
from tilewright.ir.builtin_types import i8
from tilewright.ir.declaration.traits import NoMemoryEffect, Pure, SymbolTable, VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.support.strings import utf8
from tilewright.ir.symbol_table import lookup_symbol

if TYPE_CHECKING:
    from tilewright.dialects.llvm.ops.symbol import (
        AliasOp,
        GlobalCtorsOp,
        GlobalDtorsOp,
        GlobalOp,
        IFuncOp,
        LLVMFuncOp,
    )

NO_GLOBALS = (LLVMVoidType, LLVMTokenType, LLVMMetadataType, LLVMLabelType)
ALIAS_LINKAGES = (
    Linkage.EXTERNAL,
    Linkage.INTERNAL,
    Linkage.PRIVATE,
    Linkage.WEAK,
    Linkage.WEAK_ODR,
    Linkage.LINKONCE,
    Linkage.LINKONCE_ODR,
    Linkage.AVAILABLE_EXTERNALLY,
)


def check_module_level(op: Operation) -> None:
    """Raise `VerifyError` unless an operation is directly in a module."""
    if op.parent_op is not None and not op.parent_op.has_trait(SymbolTable):
        raise VerifyError("must appear at the module level")


def check_function(op: LLVMFuncOp) -> None:
    """Raise `VerifyError` unless the body of a function, its linkage and its attributes fit its declaration."""
    _check_entry_block(op)
    if op.linkage is Linkage.COMMON:
        raise VerifyError("functions cannot have 'common' linkage")
    _check_comdat(op, op.comdat)
    if not op.body.blocks:
        if op.linkage not in (Linkage.EXTERNAL, Linkage.EXTERN_WEAK):
            raise VerifyError("external functions must have 'external' or 'extern_weak' linkage")
        return
    if op.no_inline and op.always_inline:
        raise VerifyError("no_inline and always_inline attributes are incompatible", prefix=False)
    if op.optimize_none and not op.no_inline:
        raise VerifyError("with optimize_none must also be no_inline")


@cache
def _is_of_exceptions(op_class: type[Operation]) -> bool:
    return issubclass(op_class, ExceptionRole)


def check_exceptions(op: Operation) -> None:
    """Raise `VerifyError` unless all exceptions of a function have one type."""
    expected: Type | None = None
    for inner in [inner for inner in op.walk() if _is_of_exceptions(inner.__class__)]:
        values, word = (inner.results, "result") if inner.results else (inner.operands, "input")
        type = values[0].type
        expected = expected or type
        if type is not expected:
            words = f"'{inner.name}' should have a consistent {word} type"
            raise VerifyError(f"{words} inside a function", prefix=False)


def _check_entry_block(op: LLVMFuncOp) -> None:
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


def _check_comdat(op: Operation, comdat: SymbolRefAttr | None) -> None:
    if comdat is None:
        return
    found = lookup_symbol(op, comdat)
    if not isinstance(found, ComdatSelectorRole):
        raise VerifyError("expected comdat symbol", prefix=False)


def check_global(op: GlobalOp) -> None:
    """Raise `VerifyError` unless a global has a type with a size, and an initial value of that type."""
    value, type = op.value, op.global_type
    if not is_loadable(type):
        raise VerifyError("expects type to be a valid element type for an LLVM global")
    check_module_level(op)
    if isinstance(value, StringAttr):
        _check_string(value, type)
    if op.linkage is Linkage.COMMON and value is not None and not is_zero(value):
        raise VerifyError("expected zero value for 'common' linkage")
    if op.linkage is Linkage.APPENDING and not isinstance(type, LLVMArrayType):
        raise VerifyError("expected array type for 'appending' linkage")
    _check_comdat(op, op.comdat)
    alignment = op.alignment
    if alignment is not None and (alignment == 0 or alignment & (alignment - 1)):
        raise VerifyError("alignment attribute is not a power of 2", prefix=False)


def _check_string(value: StringAttr, type: Any) -> None:
    is_bytes = isinstance(type, LLVMArrayType) and type.element_type is i8
    if not is_bytes or type.count != len(utf8(value.value)):
        raise VerifyError("requires an i8 array type of the length equal to that of the string attribute")


def check_initializer(op: GlobalOp) -> None:
    """Raise `VerifyError` unless the region of a global computes a value of its type, and there is no other
    value.
    """
    if not op.initializer.blocks:
        return
    block: Block = op.initializer.blocks[0]
    last = block.last
    if last is None or not last.operands:
        raise VerifyError("initializer region cannot return void")
    type = last.operands[0].type
    if type is not op.global_type:
        raise VerifyError(f"initializer region type '{type}' does not match global type '{op.global_type}'")
    _check_effects(block, "ops with side effects not allowed in global initializers")
    if op.value is not None:
        raise VerifyError("cannot have both initializer value and region")


def _check_effects(block: Block, message: str) -> None:
    for op in block:
        if not op.has_trait(Pure) and not op.has_trait(NoMemoryEffect):
            raise VerifyError(message, prefix=False, op=op)


def check_alias(op: AliasOp) -> None:
    """Raise `VerifyError` unless an alias has a type and a linkage that LLVM permits for aliases."""
    if isinstance(op.alias_type, NO_GLOBALS):
        raise VerifyError("expects type to be a valid element type for an LLVM global alias")
    if op.linkage not in ALIAS_LINKAGES:
        raise VerifyError(
            f"'{op.linkage.spelling}' linkage not supported in aliases, available options: private, internal, "
            "linkonce, weak, linkonce_odr, weak_odr, external or available_externally"
        )


def check_alias_region(op: AliasOp) -> None:
    """Raise `VerifyError` unless the region of an alias gives a pointer."""
    block: Block = op.initializer.blocks[0]
    last = block.last
    if last is None or not last.operands or not isinstance(last.operands[0].type, LLVMPointerType):
        raise VerifyError("initializer region must always return a pointer")
    _check_effects(block, "ops with side effects are not allowed in alias initializers")


def check_table(op: GlobalCtorsOp | GlobalDtorsOp, names: Sequence[str], word: str) -> None:
    """Raise `VerifyError` unless a table of functions has a priority and data for each function."""
    if not all(map(_is_data, op.data)):
        raise VerifyError("data element must be symbol or #llvm.zero", prefix=False)
    if not len(names) == len(op.priorities) == len(op.data):
        words = f"{word}, priorities, and data must have the same number of elements"
        raise VerifyError(words, prefix=False)


def _is_data(value: Attribute) -> bool:
    return isinstance(value, ZeroAttr) or (isinstance(value, SymbolRefAttr) and not value.nested)


def check_table_symbols(names: Sequence[str], symbols: Symbols) -> None:
    """Raise `VerifyError` unless all names in a table are functions defined in this module."""
    for name in names:
        function: Any = symbols.get(name)
        if not isinstance(function, FunctionRole):
            raise VerifyError(f"'{name}' does not reference a valid LLVM function")
        if not cast("LLVMFuncOp", function).body.blocks:
            raise VerifyError(f"'{name}' does not have a definition")


def check_indirect_function(op: IFuncOp) -> None:
    """Raise `VerifyError` unless an indirect function has a linkage that LLVM permits for it."""
    if op.linkage not in ALIAS_LINKAGES[:-1]:
        raise VerifyError(
            f"'{op.linkage.spelling}' linkage not supported in ifuncs, available options: private, internal, "
            "linkonce, weak, linkonce_odr, weak_odr, or external linkage"
        )
