"""The custom syntax of calls that may throw, and of where exceptions land."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.operand_lists import parse_target, print_target
from tilewright.dialects.common.short_kinds import optional_case
from tilewright.dialects.common.signatures import parse_parameters, parse_results, with_defaults
from tilewright.dialects.llvm.enums import CallingConvention, CConvAttr
from tilewright.dialects.llvm.syntax.call import (
    BUNDLES,
    check_results,
    parse_arguments,
    parse_variable_type,
    print_callee,
    print_groups,
    print_signature,
    print_variable_type,
)
from tilewright.dialects.llvm.syntax.custom import Bundles
from tilewright.dialects.llvm.types import LLVMArrayType
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import UNIT
from tilewright.ir.declaration.enum_attribute import spelling
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS, OperationKind, segments
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import OperandUse

if TYPE_CHECKING:
    from tilewright.dialects.llvm.ops.exception import InvokeOp, LandingpadOp
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

IN_INVOKE = ("callee", "var_callee_type", "CConv", *BUNDLES)
"""Attributes of invocations that have a place of their own in the text."""


def print_invoke(op: InvokeOp, printer: Printer) -> None:
    """`` fastcc @f(%x) to ^bb1(%y : i32) unwind ^bb2 vararg(type) ["tag"()] {...} : (i32) -> i32``."""
    printer.write(" ")
    if op.CConv is not CallingConvention.CCC:
        printer.write(f"{spelling(op.CConv)} ")
    arguments = print_callee(op, printer)
    printer.write(" to ")
    print_target(printer, op.normalDest, op.normalDestOperands)
    printer.write(" unwind ")
    print_target(printer, op.unwindDest, op.unwindDestOperands)
    print_variable_type(op, printer)
    print_groups(op, printer)
    printer.print_attribute_dictionary(op.attributes, elided=IN_INVOKE)
    print_signature(op, printer, arguments)


def parse_invoke(kind: OperationKind, parser: Parser) -> Operation:
    """Parse the text that `print_invoke` prints."""
    start = parser.position
    convention = optional_case(parser, CallingConvention) or CallingConvention.CCC
    attributes: dict[str, Attribute] = {"CConv": CConvAttr(convention)}
    pointer = parser.optional_operand()
    if pointer is None:
        attributes["callee"] = parser.parse_symbol_ref()
    uses = [*([pointer] if pointer is not None else []), *parse_arguments(parser)]
    targets = [_parse_way(parser, word) for word in ("to", "unwind")]
    parse_variable_type(parser, attributes)
    bundles = Bundles(parser)
    attributes.update(parser.optional_attribute_dictionary())
    parser.expect(":")
    types: list[Type] = []
    if pointer is not None:
        types.append(parser.parse_type())
        parser.expect(",")
    inputs, outputs = parse_parameters(parser), parse_results(parser)
    check_results(parser, outputs, start)
    inputs.store(attributes, "arg_attrs")
    outputs.store(attributes, "res_attrs")
    groups = [(uses, [*types, *inputs.types]), *[(use, type) for _, use, type in targets]]
    groups.append((bundles.uses, bundles.types))
    operands = [value for names, kinds in groups for value in parser.resolve_all(names, kinds, start)]
    bundles.store(attributes)
    attributes[OPERAND_SEGMENTS] = segments([len(names) for names, _ in groups])
    blocks = [block for block, _, _ in targets]
    return Operation.from_parts(kind, operands, outputs.types, with_defaults(kind, attributes), (), blocks)


def _parse_way(parser: Parser, word: str) -> Any:
    if not parser.accept_keyword(word):
        raise parser.unexpected(f"'{word}'")
    return parse_target(parser)


def print_landing(op: LandingpadOp, printer: Printer) -> None:
    """`` cleanup (catch %x : type) (filter %y : type) {...} : type``."""
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


def parse_landing(kind: OperationKind, parser: Parser) -> Operation:
    """Parse the text that `print_landing` prints."""
    start = parser.position
    attributes: dict[str, Attribute] = {"cleanup": UNIT} if parser.accept_keyword("cleanup") else {}
    uses: list[OperandUse] = []
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
