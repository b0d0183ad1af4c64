"""Prints an operation by its assembly format, with MLIR's rules for blanks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tilewright.ir.attribute import Type
from tilewright.ir.attribute_kind import UnitKind
from tilewright.ir.declaration import AttributeField, OperandField, ResultField
from tilewright.ir.operation import Operation
from tilewright.ir.text.format_spec import (
    Clauses,
    Custom,
    Directive,
    Element,
    FormatError,
    Group,
    Literal,
    Variable,
    Whitespace,
)
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text.assembly_format import AssemblyFormat
    from tilewright.ir.text.printer import Printer

_NO_BLANK_BEFORE = "<>(){}[],"
_NO_BLANK_AFTER_PUNCTUATION_BEFORE = ">)}],"
_NO_BLANK_AFTER = "<({["


class FormatPrinting:
    """One print of one operation; also what custom directives work with."""

    def __init__(self, format: AssemblyFormat, op: Operation, printer: Printer) -> None:
        self.format = format
        self.op = op
        self.printer = printer
        self._blank = True  # whether a blank is due before the next element
        self._punctuation = False  # whether the last thing printed was punctuation

    def run(self) -> None:
        self._elements(self.format.elements)

    def _elements(self, elements: Sequence[Element]) -> None:
        for element in elements:
            self._element(element)

    def _element(self, element: Element) -> None:
        match element:
            case Literal(text=text):
                self._literal(text)
            case Whitespace(text=text):
                self._whitespace(text)
            case Variable(name=name):
                self._variable(self.format.field(name))
            case Group():
                self._elements(element.elements if self.present(element.anchored) else element.otherwise)
            case Clauses():
                self._clauses(element)
            case Custom(name=name):
                self._separate()
                self.format.directive(name).print(self, *element.arguments)
            case Directive():
                self._directive(element)
            case _:
                raise FormatError(f"unknown element {element}")

    # --- blanks

    def _literal(self, text: str) -> None:
        if self._blank and self._needs_blank_before(text):
            self.printer.write(" ")
        self.printer.write(text)
        self._blank = len(text) != 1 or text not in _NO_BLANK_AFTER
        self._punctuation = not (text[0].isalpha() or text[0] == "_")

    def _needs_blank_before(self, text: str) -> bool:
        if len(text) != 1 and text != "->":
            return True
        if self._punctuation:
            return text[0] not in _NO_BLANK_AFTER_PUNCTUATION_BEFORE
        return text[0] not in _NO_BLANK_BEFORE

    def _whitespace(self, text: str) -> None:
        if text == "\\n":
            self.printer.print_newline()
            return
        self.printer.write(text)
        self._blank = False
        self._punctuation = not text

    def _separate(self) -> None:
        """A blank before an element that is not a literal, unless one would be wrong."""
        if self._blank or not self._punctuation:
            self.printer.write(" ")
        self._blank = True
        self._punctuation = False

    # --- presence

    def present(self, element: Element) -> bool:
        """Whether the anchor of an optional group is there."""
        match element:
            case Variable(name=name):
                return self._field_present(self.format.field(name))
            case Directive(name="operands"):
                return bool(self.op.operands)
            case Directive(name="results"):
                return bool(self.op.results)
            case Directive(name="type" | "ref" | "qualified", arguments=arguments):
                return self.present(arguments[0])
            case Directive(name="functional-type"):
                return bool(self.op.operands or self.op.results)
            case Custom(name=name, arguments=arguments):
                directive = self.format.directive(name)
                if hasattr(directive, "present"):
                    return bool(directive.present(self, *arguments))
                return any(self.present(argument) for argument in arguments)
            case _:
                return True

    def _field_present(self, field: Any) -> bool:
        if isinstance(field, OperandField | ResultField):
            return bool(self.op.kind.field_values(self.op, field.name))
        if isinstance(field, AttributeField):
            attribute = self.op.attributes.get(field.ir_name)
            return attribute is not None and attribute is not self.format.default(field)
        if field in self.op.kind.regions:
            region = self._regions(field)
            return bool(region) and bool(region[0].blocks)
        return bool(self._successors(field))

    # --- fields

    def _regions(self, field: Any) -> Sequence[Any]:
        position = self.op.kind.regions.index(field)
        return self.op.regions[position:] if field.variadic else self.op.regions[position : position + 1]

    def _successors(self, field: Any) -> Sequence[Any]:
        from tilewright.ir.declaration import Arity

        position = self.op.kind.successors.index(field)
        if field.arity is Arity.VARIADIC:
            return self.op.successors[position:]
        return self.op.successors[position : position + 1]

    def values(self, name: str) -> Sequence[Value]:
        """The values of an operand or result field."""
        return self.op.kind.field_values(self.op, self.format.field(name).name)

    def _variable(self, field: Any) -> None:
        if isinstance(field, AttributeField):
            self._attribute(field)
            return
        self._separate()
        if isinstance(field, OperandField | ResultField):
            self.printer.print_operands(self.op.kind.field_values(self.op, field.name))
        elif field in self.op.kind.regions:
            for number, region in enumerate(self._regions(field)):
                if number:
                    self.printer.write(", ")
                self.printer.print_region(region, print_empty_terminator=False)
        else:
            for number, block in enumerate(self._successors(field)):
                if number:
                    self.printer.write(", ")
                self.printer.print_successor(block)

    def _attribute(self, field: AttributeField) -> None:
        if isinstance(field.kind, UnitKind):
            return
        attribute = self.op.attributes.get(field.ir_name)
        if attribute is None:
            attribute = self.format.default(field)
        self._separate()
        if attribute is not None:
            field.kind.print_short(attribute, self.printer)

    def _clauses(self, element: Clauses) -> None:
        for clause in element.clauses:
            variables = [inner for inner in clause if isinstance(inner, Variable)]
            if variables and any(self.present(variable) for variable in variables):
                self._elements(clause)

    # --- directives

    def _directive(self, directive: Directive) -> None:
        op, printer = self.op, self.printer
        match directive.name:
            case "attr-dict" | "attr-dict-with-keyword" | "prop-dict":
                keyword = directive.name == "attr-dict-with-keyword"
                printer.print_attribute_dictionary(op.attributes, elided=self._elided(), keyword=keyword)
                self._blank, self._punctuation = True, False
            case "operands":
                self._separate()
                printer.print_operands(op.operands)
            case "type":
                self._separate()
                self.print_types(self._types(directive.arguments[0]))
            case "functional-type":
                self._separate()
                printer.print_functional_type(*map(self._types, directive.arguments))
            case "regions":
                self._separate()
                for number, region in enumerate(op.regions):
                    printer.write(", " if number else "")
                    printer.print_region(region)
            case "successors":
                self._separate()
                for number, block in enumerate(op.successors):
                    printer.write(", " if number else "")
                    printer.print_successor(block)
            case "qualified":
                self._elements(directive.arguments)
            case name:
                raise FormatError(f"unknown directive '{name}'")

    def _elided(self) -> set[str]:
        """Attributes that ``attr-dict`` leaves out: those spelt elsewhere, and defaults."""
        elided = set(self.format.printed_attributes)
        for field in self.op.kind.attributes:
            default = self.format.default(field)
            if default is not None and self.op.attributes.get(field.ir_name) is default:
                elided.add(field.ir_name)
        return elided

    def print_types(self, types: Sequence[Type]) -> None:
        """Types separated by commas, those of the format's own dialect in its short spelling."""
        dialect = self.format.dialect
        if not dialect:
            self.printer.print_types(types)
            return
        self.printer.write(", ".join([self.printer.short_type_text(type, dialect) for type in types]))

    def _types(self, target: Element) -> list[Any]:
        if isinstance(target, Variable):
            return [value.type for value in self.values(target.name)]
        if isinstance(target, Directive) and target.name == "operands":
            return list(self.op.operand_types)
        return list(self.op.result_types)
