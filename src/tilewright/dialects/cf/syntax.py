"""The ``custom<>`` part of the syntax of `cf.switch`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.operand_lists import parse_target, print_target
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import dense, dense_integers
from tilewright.ir.builtin_types import IntegerType, VectorType, i32
from tilewright.ir.text.hooks import OperandUse

if TYPE_CHECKING:
    from tilewright.ir.text.parser import Parser


class SwitchCases:
    """The cases of a switch in text: ``default: ^bb1(%x : f32), 7: ^bb2``, each on its own line."""

    def at(self, parser: Any) -> bool:
        """Return whether the text of the directive begins here: the word ``default``."""
        return parser.peek_keyword() == "default"

    def print(self, printing: Any, *arguments: Any) -> None:
        """Print the default block, then the case blocks with their values, as unsigned numbers."""
        printer, op = printing.printer, printing.op
        printer.write("  default: ")
        print_target(printer, op.defaultDestination, op.defaultOperands)
        values: list[int] = [] if op.case_values is None else op.case_values.patterns()
        if len(values) == 1:
            values *= len(op.caseDestinations)
        for value, block, operands in zip(values, op.caseDestinations, op.case_operands(), strict=False):
            printer.write(",")
            printer.print_newline()
            printer.write(f"  {value}: ")
            print_target(printer, block, operands)
        if values:
            printer.print_newline()

    def parse(
        self,
        parsing: Any,
        flag_type: Any,
        default: Any,
        operands: Any,
        types: Any,
        case_values: Any,
        cases: Any,
        case_operands: Any,
        case_types: Any,
    ) -> None:
        """Parse ``default: ^bb1(%x : f32), 7: ^bb2``, and store blocks, operands, types, case values and the
        numbers of operands of the cases in ``parsing``, for the fields that the other arguments name. Raises
        `DiagnosticError` for a value that does not fit the type of the flag.
        """
        parser: Parser = parsing.parser
        if not parser.accept_keyword("default"):
            raise parser.unexpected("'default'")
        parser.expect(":")
        block, uses, given = parse_target(parser)
        parsing.successors[default.name] = [block]
        parsing.uses[operands.name], parsing.types[operands.name] = uses, given
        numbers: list[int] = []
        targets: list[tuple[Block, list[OperandUse], list[Type]]] = []
        flag = parsing.types["flag"][0]
        while parser.accept(","):
            numbers.append(_parse_value(parser, flag))
            parser.expect(":")
            targets.append(parse_target(parser))
        if numbers:
            same = len(set(numbers)) == 1
            values = dense(VectorType((len(numbers),), flag), numbers[:1] if same else numbers)
            parsing.attributes[case_values.name] = values
        parsing.attributes["case_operand_segments"] = dense_integers(
            [len(uses) for _, uses, _ in targets], i32
        )
        parsing.successors[cases.name] = [block for block, _, _ in targets]
        parsing.uses[case_operands.name] = [use for _, uses, _ in targets for use in uses]
        parsing.types[case_operands.name] = [type for _, _, types in targets for type in types]


def _parse_value(parser: Parser, flag: Type) -> int:
    """Parse and return a case value. Raises `ParseError` for a number that does not fit the bits of the flag,
    with a sign or without.
    """
    start = parser.position
    value = parser.parse_integer()
    width = flag.width if isinstance(flag, IntegerType) else 0
    if not -(1 << width >> 1) <= value < 1 << width:
        raise parser.error(f"case value {value} does not fit in {flag}", start)
    return value


DIRECTIVES = {"SwitchOpCases": SwitchCases()}
"""The directive by the name that the assembly format has for it."""
