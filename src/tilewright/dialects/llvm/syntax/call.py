"""The custom syntax of calls of functions and intrinsics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tilewright.dialects.common import short_kinds, signatures
from tilewright.dialects.llvm.enums import CallingConvention, CConvAttr, TailCallKind, TailCallKindAttr
from tilewright.dialects.llvm.syntax import custom as llvm_custom_syntax
from tilewright.dialects.llvm.types import LLVMVoidType
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import StringAttr, TypeAttr
from tilewright.ir.declaration import enum_attribute, kind as declaration_kind
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import OperandUse
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.dialects.llvm.ops.control import CallIntrinsicOp, CallOp
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

BUNDLES = (declaration_kind.OPERAND_SEGMENTS, "op_bundle_sizes", "op_bundle_tags", "arg_attrs", "res_attrs")
IN_CALL = ("callee", "TailCallKind", "var_callee_type", "CConv", *BUNDLES)
"""Attributes of calls that are printed outside of the attribute dictionary."""


def _print_arguments(printer: Printer, values: Sequence[Value]) -> None:
    printer.write("(")
    printer.print_operands(values)
    printer.write(")")


def print_groups(op: Any, printer: Printer) -> None:
    """Print the operand bundles of a call, if it has any: `` ["tag"(%x : i32)]``."""
    groups = llvm_custom_syntax.bundle_operands(op)
    if groups:
        printer.write(" ")
        llvm_custom_syntax.print_bundles(printer, groups, op.op_bundle_tags or ())


def print_signature(op: Any, printer: Printer, arguments: Sequence[Value]) -> None:
    """Print the types of the arguments and results of a call with their attributes: `` : (i32) -> i32``. For
    a call through a pointer, the type of the pointer comes first.
    """
    printer.write(" : ")
    if getattr(op, "callee", "") is None:
        printer.print_type(op.callee_operands[0].type)
        printer.write(", ")
    types = [value.type for value in arguments]
    signatures.print_parameters(printer, types, op.attributes.get("arg_attrs"), None)
    signatures.print_results(printer, op.result_types, op.attributes.get("res_attrs"), print_empty=True)


def print_callee(op: Any, printer: Printer) -> Sequence[Value]:
    """Print ``@f(%x)`` for a call by name, or ``%p(%x)`` for a call through a pointer. Return the arguments,
    without the pointer.
    """
    arguments = op.callee_operands
    if op.callee is not None:
        printer.print_symbol_name(op.callee)
    else:
        printer.print_value(arguments[0])
        arguments = arguments[1:]
    _print_arguments(printer, arguments)
    return arguments


def print_variable_type(op: Any, printer: Printer) -> None:
    """Print the type of a callee that takes variable arguments: `` vararg(type)``. Print nothing if the call
    has no such type.
    """
    if op.var_callee_type is not None:
        printer.write(" vararg(")
        printer.print_type(op.var_callee_type)
        printer.write(")")


def parse_variable_type(parser: Parser, attributes: dict[str, Attribute]) -> None:
    """Parse the type of a callee that takes variable arguments, `` vararg(type)``, into ``attributes`` as
    ``var_callee_type``. Do nothing if the keyword is not next.
    """
    if parser.accept_keyword("vararg"):
        parser.expect("(")
        attributes["var_callee_type"] = TypeAttr(parser.parse_type())
        parser.expect(")")


def print_call(op: CallOp, printer: Printer) -> None:
    """Print a call: `` fastcc tail @f(%x) vararg(type) ["tag"()] {...} : (i32) -> i32``, or `` %p(...) :
    !llvm.ptr, ...``.
    """
    printer.write(" ")
    if op.CConv is not CallingConvention.CCC:
        printer.write(f"{enum_attribute.spelling(op.CConv)} ")
    if op.TailCallKind is not TailCallKind.NONE:
        printer.write(f"{enum_attribute.spelling(op.TailCallKind)} ")
    arguments = print_callee(op, printer)
    print_variable_type(op, printer)
    print_groups(op, printer)
    llvm_custom_syntax.print_attributes(op, printer, IN_CALL)
    print_signature(op, printer, arguments)


def parse_call(kind: declaration_kind.OperationKind, parser: Parser) -> Operation:
    """Parse a call by name or through a pointer, as `print_call` prints it, and return the operation of
    ``kind``. Raises `ParseError` for other text, and for more than one result or a void result.
    """
    start = parser.position
    convention = short_kinds.optional_case(parser, CallingConvention) or CallingConvention.CCC
    tail = short_kinds.optional_case(parser, TailCallKind) or TailCallKind.NONE
    attributes: dict[str, Attribute] = {
        "CConv": CConvAttr(convention),
        "TailCallKind": TailCallKindAttr(tail),
    }
    pointer = parser.optional_operand()
    if pointer is None:
        attributes["callee"] = parser.parse_symbol_ref()
    uses = parse_arguments(parser)
    parse_variable_type(parser, attributes)
    bundles = llvm_custom_syntax.Bundles(parser)
    attributes.update(parser.optional_attribute_dictionary())
    parser.expect(":")
    types: list[Type] = []
    if pointer is not None:
        types.append(parser.parse_type())
        parser.expect(",")
        uses.insert(0, pointer)
    return _finish(kind, parser, start, attributes, uses, types, bundles)


def parse_arguments(parser: Parser) -> list[OperandUse]:
    """Parse the arguments of a call, ``(%x, %y)``, and return their uses; an empty list for ``()``."""
    parser.expect("(")
    uses = parser.parse_operands()
    parser.expect(")")
    return uses


def _finish(
    kind: declaration_kind.OperationKind,
    parser: Parser,
    start: int,
    attributes: dict[str, Attribute],
    uses: list[OperandUse],
    types: list[Type],
    bundles: llvm_custom_syntax.Bundles,
) -> Operation:
    """Parse the types of the arguments and results, and return the call. ``uses`` are the operands: the
    function pointer of an indirect call, then the arguments; ``types`` has the type of the pointer. ``start`` is the position for errors;
    ``attributes`` get what the types and ``bundles`` add.
    """
    inputs, outputs = signatures.parse_parameters(parser), signatures.parse_results(parser)
    check_results(parser, outputs, start)
    inputs.store(attributes, "arg_attrs")
    outputs.store(attributes, "res_attrs")
    operands = parser.resolve_all(uses, [*types, *inputs.types], start)
    operands.extend(parser.resolve_all(bundles.uses, bundles.types, start))
    bundles.store(attributes)
    attributes[declaration_kind.OPERAND_SEGMENTS] = declaration_kind.segments([len(uses), len(bundles.uses)])
    return Operation.from_parts(kind, operands, outputs.types, signatures.with_defaults(kind, attributes))


def check_results(parser: Parser, outputs: signatures.TypeList, start: int) -> None:
    """Raise `ParseError` unless a call has no result type, or a single one that is the type of a value."""
    if len(outputs.types) > 1:
        raise parser.error("expected function with 0 or 1 result", start)
    if any(isinstance(type, LLVMVoidType) for type in outputs.types):
        raise parser.error("expected a non-void result type", start)


def print_intrinsic_call(op: CallIntrinsicOp, printer: Printer) -> None:
    """Print the call of an intrinsic: `` "llvm.name"(%x) ["tag"()] {...} : (i32) -> i32``."""
    printer.write(" ")
    printer.print_string(op.intrin)
    _print_arguments(printer, op.args)
    print_groups(op, printer)
    llvm_custom_syntax.print_attributes(op, printer, ("intrin", *BUNDLES))
    print_signature(op, printer, op.args)


def parse_intrinsic_call(kind: declaration_kind.OperationKind, parser: Parser) -> Operation:
    """Parse ``"llvm.name"(%x) ["tag"()] {...} : (i32) -> i32``, and return the operation of ``kind``. Raises
    `ParseError` for other text, and for more than one result or a void result.
    """
    start = parser.position
    attributes: dict[str, Attribute] = {"intrin": StringAttr(parser.parse_string())}
    uses = parse_arguments(parser)
    bundles = llvm_custom_syntax.Bundles(parser)
    attributes.update(parser.optional_attribute_dictionary())
    parser.expect(":")
    return _finish(kind, parser, start, attributes, uses, [], bundles)
