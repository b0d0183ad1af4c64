"""The custom syntax of functions, global variables and aliases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.common import signatures
from tilewright.dialects.common.short_kinds import optional_case
from tilewright.dialects.llvm import attributes as llvm_attributes, enums as llvm_enums, types as llvm_types
from tilewright.dialects.llvm.kinds import UNNAMED_ADDRESS, VISIBILITY
from tilewright.ir import block as ir_block, builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import UNIT, IntegerAttr, StringAttr, TypeAttr
from tilewright.ir.declaration import enum_attribute, kind as declaration_kind
from tilewright.ir.operation import Operation
from tilewright.ir.support.strings import utf8
from tilewright.ir.text.hooks import CustomParse, RegionRequest

if TYPE_CHECKING:
    from tilewright.dialects.llvm.ops.symbol import AliasOp, GlobalOp, LLVMFuncOp
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

IN_FUNCTION = (
    "sym_name",
    "function_type",
    "arg_attrs",
    "res_attrs",
    "linkage",
    "CConv",
    "visibility_",
    "comdat",
    "unnamed_addr",
    "vscale_range",
)
"""Attributes of functions that are printed outside of the attribute dictionary."""
IN_GLOBAL = (
    "sym_name",
    "global_type",
    "alias_type",
    "constant",
    "value",
    "linkage",
    "unnamed_addr",
    "thread_local_",
    "visibility_",
    "comdat",
)
"""Attributes of global variables and aliases that are printed outside of the attribute dictionary."""


def _print_words(printer: Printer, *words: str) -> None:
    for word in words:
        printer.write(f"{word} " if word else "")


def print_function(op: LLVMFuncOp, printer: Printer) -> None:
    """Print a function: `` internal fastcc @name(%x: i32 {a}, ...) -> i32 attributes {b} { ... }``. Default
    linkage, visibility and calling convention are omitted, as is the region of a function without a body.
    """
    signature: llvm_types.LLVMFunctionType = op.function_type
    printer.write(" ")
    linkage = _word(op.linkage, llvm_enums.Linkage.EXTERNAL)
    _print_words(printer, linkage, *_reach(op), _word(op.CConv, llvm_enums.CallingConvention.CCC))
    printer.print_symbol_name(op.sym_name)
    block = op.body.blocks[0] if op.body.blocks else None
    arguments = op.attributes.get("arg_attrs")
    signatures.print_parameters(printer, signature.arguments, arguments, block, variadic=signature.variadic)
    results = () if isinstance(signature.result, llvm_types.LLVMVoidType) else (signature.result,)
    signatures.print_results(printer, results, op.attributes.get("res_attrs"))
    if op.vscale_range is not None:
        bounds = op.vscale_range
        printer.write(f" vscale_range({bounds.minRange.value}, {bounds.maxRange.value})")
    _print_comdat(op, printer)
    printer.print_attribute_dictionary(op.attributes, elided=IN_FUNCTION, keyword=True)
    if block is not None:
        printer.write(" ")
        printer.print_region(op.body, print_entry_arguments=False)


def _word(case: enum_attribute.SpelledEnum, unspelt: enum_attribute.SpelledEnum) -> str:
    return "" if case is unspelt else case.spelling


def _reach(op: AliasOp | GlobalOp | LLVMFuncOp) -> tuple[str, str]:
    """Return the words that are printed for the visibility of a symbol, and for whether its address is
    significant; an empty text for the default visibility, and for a significant address.
    """
    unnamed = op.unnamed_addr or llvm_enums.UnnamedAddress.NONE
    return _word(op.visibility_, llvm_enums.LlvmVisibility.DEFAULT), _word(
        unnamed, llvm_enums.UnnamedAddress.NONE
    )


def _print_comdat(op: GlobalOp | LLVMFuncOp, printer: Printer) -> None:
    if op.comdat is not None:
        printer.write(" comdat(")
        printer.print_attribute(op.comdat)
        printer.write(")")


def parse_function(op_class: type[Operation], parser: Parser) -> CustomParse:
    """Parse a function as `print_function` prints it: the words before the name, the parameters, results and
    attributes, and the body, which may be missing. Yields a request for the body and returns the operation of
    ``op_class``. Raises `ParseError` for other text.
    """
    attributes = _parse_linkage(parser)
    attributes["unnamed_addr"] = _parse_unnamed(parser)
    convention = optional_case(parser, llvm_enums.CallingConvention) or llvm_enums.CallingConvention.CCC
    attributes["CConv"] = llvm_enums.CConvAttr(convention)
    attributes["sym_name"] = StringAttr(parser.parse_symbol_name())
    start = parser.position
    parameters = signatures.parse_parameters(parser, allow_variadic=True)
    results = signatures.parse_results(parser)
    attributes["function_type"] = TypeAttr(_function_type(parser, start, parameters, results))
    parameters.store(attributes, "arg_attrs")
    results.store(attributes, "res_attrs")
    if parser.accept_keyword("vscale_range"):
        attributes["vscale_range"] = _parse_scale(parser)
    _parse_comdat(parser, attributes)
    if parser.accept_keyword("attributes"):
        attributes.update(parser.parse_attribute_dictionary())
    body = yield RegionRequest(parameters.arguments, isolated=True, optional=True)
    kind = op_class.op_kind
    return Operation.from_parts(kind, (), (), signatures.with_defaults(kind, attributes), [body])


def _function_type(
    parser: Parser, start: int, parameters: signatures.TypeList, results: signatures.TypeList
) -> llvm_types.LLVMFunctionType:
    problem = "failed to construct function type: expected "
    if len(results.types) > 1:
        raise parser.error(f"{problem}zero or one function result", start)
    if not all(map(llvm_types.is_compatible, parameters.types)):
        raise parser.error(f"{problem}LLVM type for function arguments", start)
    if not all(map(llvm_types.is_compatible, results.types)):
        raise parser.error(f"{problem}LLVM type for function results{results.types[0]}", start)
    result = results.types[0] if results.types else llvm_types.VOID
    return llvm_types.LLVMFunctionType(result, tuple(parameters.types), parameters.variadic)


def _parse_linkage(parser: Parser) -> dict[str, Attribute]:
    linkage = optional_case(parser, llvm_enums.Linkage) or llvm_enums.Linkage.EXTERNAL
    return {"linkage": llvm_enums.LinkageAttr(linkage), "visibility_": VISIBILITY.parse_short(parser)}


def _parse_unnamed(parser: Parser) -> Attribute:
    return UNNAMED_ADDRESS.parse_short(parser)


def _parse_scale(parser: Parser) -> llvm_attributes.VScaleRangeAttr:
    parser.expect("(")
    low = IntegerAttr(builtin_types.i32, parser.parse_integer())
    parser.expect(",")
    high = IntegerAttr(builtin_types.i32, parser.parse_integer())
    parser.expect(")")
    return llvm_attributes.VScaleRangeAttr(low, high)


def _parse_comdat(parser: Parser, attributes: dict[str, Attribute]) -> None:
    if parser.accept_keyword("comdat"):
        parser.expect("(")
        attributes["comdat"] = parser.parse_symbol_ref()
        parser.expect(")")


def _print_head(op: AliasOp | GlobalOp, printer: Printer) -> None:
    printer.write(" ")
    shared = "thread_local" if op.thread_local_ else ""
    visibility, unnamed = _reach(op)
    _print_words(printer, op.linkage.spelling, visibility, shared, unnamed)


def print_global(op: GlobalOp, printer: Printer) -> None:
    """Print a global: `` internal constant @name(7 : i32) {...} : i32 { ... }``. The type and the region are
    omitted if the value is a string.
    """
    _print_head(op, printer)
    _print_words(printer, "constant" if op.constant else "")
    printer.print_symbol_name(op.sym_name)
    printer.write("(")
    if op.value is not None:
        printer.print_attribute(op.value)
    printer.write(")")
    _print_comdat(op, printer)
    printer.print_attribute_dictionary(op.attributes, elided=IN_GLOBAL)
    if isinstance(op.value, StringAttr):
        return
    printer.write(" : ")
    printer.print_type(op.global_type)
    if op.initializer.blocks:
        printer.write(" ")
        printer.print_region(op.initializer, print_entry_arguments=False)


def _parse_head(parser: Parser) -> dict[str, Attribute]:
    attributes = _parse_linkage(parser)
    if parser.accept_keyword("thread_local"):
        attributes["thread_local_"] = UNIT
    attributes["unnamed_addr"] = _parse_unnamed(parser)
    return attributes


def parse_global(kind: declaration_kind.OperationKind, parser: Parser) -> CustomParse:
    """Parse a global as `print_global` prints it, and return the operation of ``kind``. Yields a request for
    the initializer, which may be missing, unless the type is left out, which is allowed for a string only.
    Raises `ParseError` for other text.
    """
    start = parser.position
    attributes = _parse_head(parser)
    if parser.accept_keyword("constant"):
        attributes["constant"] = UNIT
    attributes["sym_name"] = StringAttr(parser.parse_symbol_name())
    parser.expect("(")
    if not parser.accept(")"):
        attributes["value"] = parser.parse_attribute()
        parser.expect(")")
    _parse_comdat(parser, attributes)
    attributes.update(parser.optional_attribute_dictionary())
    body = ir_block.Region()
    if parser.accept(":"):
        type = parser.parse_type()
        body = yield RegionRequest(isolated=True, optional=True)
    else:
        type = _string_type(parser, attributes.get("value"), start)
    attributes["global_type"] = TypeAttr(type)
    return Operation.from_parts(kind, (), (), signatures.with_defaults(kind, attributes), [body])


def _string_type(parser: Parser, value: Attribute | None, start: int) -> Type:
    if not isinstance(value, StringAttr):
        raise parser.error("type can only be omitted for string globals", start)
    return llvm_types.LLVMArrayType(builtin_types.i8, len(utf8(value.value)))


def print_alias(op: AliasOp, printer: Printer) -> None:
    """Print an alias: `` internal @name {...} : i32 { ... }``."""
    _print_head(op, printer)
    printer.print_symbol_name(op.sym_name)
    printer.print_attribute_dictionary(op.attributes, elided=IN_GLOBAL)
    printer.write(" : ")
    printer.print_type(op.alias_type)
    printer.write(" ")
    printer.print_region(op.initializer, print_entry_arguments=False)


def parse_alias(kind: declaration_kind.OperationKind, parser: Parser) -> CustomParse:
    """Parse ``internal @name {...} : i32 { ... }``. Yields a request for the region and returns the operation
    of ``kind``. Raises `ParseError` for other text.
    """
    attributes = _parse_head(parser)
    attributes["sym_name"] = StringAttr(parser.parse_symbol_name())
    attributes.update(parser.optional_attribute_dictionary())
    parser.expect(":")
    attributes["alias_type"] = TypeAttr(parser.parse_type())
    body = yield RegionRequest(isolated=True)
    return Operation.from_parts(kind, (), (), signatures.with_defaults(kind, attributes), [body])
