"""The ``custom<>`` parts of the syntax of ``pdl`` and ``pdl_interp``.

Every directive has ``at`` (whether it stands at the current position), ``print`` and ``parse``; the arguments are the
elements that the assembly format names. Blanks are printed as by MLIR, which prints two before a directive that
follows another element.
"""

from __future__ import annotations

from typing import Any

from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import UNIT, ArrayAttr, StringAttr
from tilewright.ir.text.hooks import OperandUse
from tilewright.pdl.dialects.pdl.types import RangeType, ValueType, element_type_or_self


class NamedAttributes:
    """Prints and parses named attributes: `` {"name" = %value, ...}``, or nothing."""

    def at(self, parser: Any) -> bool:
        """Return whether the text of the directive begins here: a brace."""
        return parser.at("{")

    def print(self, printing: Any, values: Any, names: Any) -> None:
        """Print ``{"name" = %value, ...}``, or nothing if there are no names."""
        listed = printing.op.attributes[names.name].elements
        if not listed:
            return
        printer = printing.printer
        printer.write(" {")
        for number, (name, value) in enumerate(zip(listed, printing.values(values.name), strict=False)):
            printer.write(", " if number else "")
            printer.print_attribute(name)
            printer.write(" = ")
            printer.print_value(value)
        printer.write("}")

    def parse(self, parsing: Any, values: Any, names: Any) -> None:
        """Parse ``{"name" = %value, ...}``, or nothing without a brace. Store the uses of the values in
        `parsing` under the name of the field ``values``, and the array of the names under the name of the
        field ``names``.
        """
        parser = parsing.parser
        uses: list[OperandUse] = []
        listed: list[Attribute] = []
        if parser.accept("{"):
            while not parser.accept("}"):
                if listed:
                    parser.expect(",")
                listed.append(StringAttr(parser.parse_string()))
                parser.expect("=")
                uses.append(parser.parse_operand())
        parsing.uses[values.name] = uses
        parsing.attributes[names.name] = ArrayAttr(tuple(listed))


class RangeOfArguments:
    """Prints and parses the type of a range. Only an empty range spells it, ``: !pdl.range<value>``;
    otherwise it follows from the first argument.
    """

    def at(self, parser: Any) -> bool:
        """Return whether the text of the directive begins here: a colon, which precedes the type."""
        return parser.at(":")

    def print(self, printing: Any, arguments: Any, result: Any) -> None:
        """Print ``: type`` if the range is empty, else nothing."""
        if not printing.op.operands:
            printing.printer.write(": ")
            printing.printer.print_type(printing.op.results[0].type)

    def parse(self, parsing: Any, arguments: Any, result: Any) -> None:
        """Set the type of the result in `parsing`: a range of the type of the first argument (its element
        type, if it is a range). Without arguments, parse ``: type``.
        """
        given = parsing.types.get("arguments")
        element = element_type_or_self(given[0]) if given else None
        type = RangeType(element) if element is not None else parsing.parser.parse_colon_type()
        parsing.types["result result"] = [type]


class TypeOfResults:
    """Prints and parses the type of the result of `pdl.results`: ``-> type``, a value or a range of values,
    if the operation has an index. Without an index nothing is written, and the type is a range of values.
    """

    def at(self, parser: Any) -> bool:
        """Return whether the text of the directive begins here: an arrow, which precedes the type."""
        return parser.at("->")

    def print(self, printing: Any, index: Any, value: Any) -> None:
        """Print ``-> type`` if the operation has an index, else nothing."""
        if printing.op.index is not None:
            printing.printer.write(" -> ")
            printing.printer.print_type(printing.op.results[0].type)

    def parse(self, parsing: Any, index: Any, value: Any) -> None:
        """Set the type of the result in `parsing`: parse ``-> type`` if the operation has an index; otherwise
        it is a range of values, and nothing is parsed.
        """
        type = RangeType(ValueType())
        if "index" in parsing.attributes:
            parsing.parser.expect("->")
            type = parsing.parser.parse_type()
        parsing.types["result val"] = [type]


class ResultTypes:
    """Prints and parses the result types of an operation: ``-> (%type : !pdl.type)``, ``-> <inferred>``, or
    nothing.
    """

    def at(self, parser: Any) -> bool:
        """Return whether the text of the directive begins here: an arrow."""
        return parser.at("->")

    def print(self, printing: Any, values: Any, types: Any, inferred: Any) -> None:
        """Print ``-> <inferred>`` if the result types are inferred, else ``-> (%type : !pdl.type)`` with the
        handles to the types; nothing without handles.
        """
        printer, given = printing.printer, printing.values(values.name)
        if printing.op.inferredResultTypes:
            printer.write(" -> <inferred>")
        elif given:
            printer.write(" -> (")
            printer.print_operands(given)
            printer.write(" : ")
            printer.print_value_types(given)
            printer.write(")")

    def parse(self, parsing: Any, values: Any, types: Any, inferred: Any) -> None:
        """Parse ``-> (%type : !pdl.type)``, ``-> <inferred>`` or nothing. Store in `parsing` the uses and
        types of the handles, under the name of the field ``values``, or set the flag ``inferred``.
        """
        parser = parsing.parser
        parsing.uses[values.name], parsing.types[values.name] = [], []
        if not parser.accept("->"):
            return
        if parser.accept("<"):
            if not parser.accept_keyword("inferred"):
                raise parser.unexpected("'inferred'")
            parser.expect(">")
            parsing.attributes[inferred.name] = UNIT
            return
        parser.expect("(")
        parsing.uses[values.name] = parser.parse_operands()
        parser.expect(":")
        parsing.types[values.name] = parser.parse_types()
        parser.expect(")")


DIRECTIVES = {
    "OperationOpAttributes": NamedAttributes(),
    "CreateOperationOpAttributes": NamedAttributes(),
    "CreateOperationOpResults": ResultTypes(),
    "RangeType": RangeOfArguments(),
    "ResultsValueType": TypeOfResults(),
}
"""The object that prints and parses each directive, by its name in assembly formats."""
