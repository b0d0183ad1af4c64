"""The custom syntax of calls that may throw, and of landing pads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.dialects.common import operand_lists, short_kinds
from tilewright.dialects.common.signatures import parse_parameters, parse_results, with_defaults
from tilewright.dialects.llvm.enums import CallingConvention, CConvAttr
from tilewright.dialects.llvm.syntax import call as call_syntax, custom as llvm_custom_syntax
from tilewright.dialects.llvm.types import LLVMArrayType
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import UNIT
from tilewright.ir.declaration.enum_attribute import spelling
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS, OperationKind, segments
from tilewright.ir.operation import Operation
from tilewright.ir.text import hooks

if TYPE_CHECKING:
    from tilewright.dialects.llvm.ops.exception import InvokeOp, LandingpadOp
    from tilewright.ir.text import parser as text_parser, printer as text_printer

IN_INVOKE = ("callee", "var_callee_type", "CConv", *call_syntax.BUNDLES)
"""Attributes of `llvm.invoke` that are printed outside of the attribute dictionary."""


def print_invoke(op: InvokeOp, printer: text_printer.Printer) -> None:
    """Print a call that may throw: `` fastcc @f(%x) to ^bb1(%y : i32) unwind ^bb2 vararg(type) ["tag"()]
    {...} : (i32) -> i32``.
    """
    printer.write(" ")
    if op.CConv is not CallingConvention.CCC:
        printer.write(f"{spelling(op.CConv)} ")
    arguments = call_syntax.print_callee(op, printer)
    printer.write(" to ")
    operand_lists.print_target(printer, op.normalDest, op.normalDestOperands)
    printer.write(" unwind ")
    operand_lists.print_target(printer, op.unwindDest, op.unwindDestOperands)
    call_syntax.print_variable_type(op, printer)
    call_syntax.print_groups(op, printer)
    printer.print_attribute_dictionary(op.attributes, elided=IN_INVOKE)
    call_syntax.print_signature(op, printer, arguments)


def parse_invoke(kind: OperationKind, parser: text_parser.Parser) -> Operation:
    """Parse the convention, the callee, the arguments, both blocks, the bundles and the types of a call that
    may throw, as `print_invoke` prints them. Return the operation of ``kind``. Raises `ParseError` for other
    text, and for more than one result or a void result.
    """
    start = parser.position
    convention = short_kinds.optional_case(parser, CallingConvention) or CallingConvention.CCC
    attributes: dict[str, Attribute] = {"CConv": CConvAttr(convention)}
    pointer = parser.optional_operand()
    if pointer is None:
        attributes["callee"] = parser.parse_symbol_ref()
    uses = [*([pointer] if pointer is not None else []), *call_syntax.parse_arguments(parser)]
    targets = [_parse_way(parser, word) for word in ("to", "unwind")]
    call_syntax.parse_variable_type(parser, attributes)
    bundles = llvm_custom_syntax.Bundles(parser)
    attributes.update(parser.optional_attribute_dictionary())
    parser.expect(":")
    types: list[Type] = []
    if pointer is not None:
        types.append(parser.parse_type())
        parser.expect(",")
    inputs, outputs = parse_parameters(parser), parse_results(parser)
    call_syntax.check_results(parser, outputs, start)
    inputs.store(attributes, "arg_attrs")
    outputs.store(attributes, "res_attrs")
    groups = [(uses, [*types, *inputs.types]), *[(use, type) for _, use, type in targets]]
    groups.append((bundles.uses, bundles.types))
    operands = [value for names, kinds in groups for value in parser.resolve_all(names, kinds, start)]
    bundles.store(attributes)
    attributes[OPERAND_SEGMENTS] = segments([len(names) for names, _ in groups])
    blocks = [block for block, _, _ in targets]
    return Operation.from_parts(kind, operands, outputs.types, with_defaults(kind, attributes), (), blocks)


def _parse_way(parser: text_parser.Parser, word: str) -> Any:
    if not parser.accept_keyword(word):
        raise parser.unexpected(f"'{word}'")
    return operand_lists.parse_target(parser)


def print_landing(op: LandingpadOp, printer: text_printer.Printer) -> None:
    """Print a landing pad: `` cleanup (catch %x : type) (filter %y : type) {...} : type``. A clause of an
    array type is a filter, any other one a catch.
    """
    printer.write(" cleanup " if op.cleanup else " ")
    for value in op.clauses:
        word = "filter" if isinstance(value.type, LLVMArrayType) else "catch"
        printer.write(f"({word} ")
        printer.print_value(value)
        printer.write(" : ")
        printer.print_type(value.type)
        printer.write(") ")
    printer.print_attribute_dictionary(op.attributes, elided=("cleanup",))
    printer.write(": ")
    printer.print_type(op.res.type)


def parse_landing(kind: OperationKind, parser: text_parser.Parser) -> Operation:
    """Parse ``cleanup (catch %x : type) (filter %y : type) {...} : type``, and return the operation of
    ``kind``. The type of an operand, not the word, decides whether a clause catches or filters. Raises
    `ParseError` for other text.
    """
    start = parser.position
    attributes: dict[str, Attribute] = {"cleanup": UNIT} if parser.accept_keyword("cleanup") else {}
    uses: list[hooks.OperandUse] = []
    types: list[Type] = []
    while parser.accept("("):
        if not parser.accept_keyword("catch") and not parser.accept_keyword("filter"):
            raise parser.unexpected("'catch' or 'filter'")
        uses.append(parser.parse_operand())
        types.append(parser.parse_colon_type())
        parser.expect(")")
    attributes.update(parser.optional_attribute_dictionary())
    result = parser.parse_colon_type()
    return Operation.from_parts(kind, parser.resolve_all(uses, types, start), [result], attributes)
