"""Prints operations by their assembly formats: each element of a format becomes a function, once for a kind.

Blanks stand where MLIR has them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.ir.attribute import Type
from tilewright.ir.declaration.attribute_kind import UnitKind
from tilewright.ir.declaration.fields import Arity, AttributeField, OperandField, ResultField
from tilewright.ir.operation import Operation
from tilewright.ir.text.format.spec import (
    Clauses,
    Custom,
    Directive,
    FieldElement,
    FormatElement,
    FormatError,
    FormatGroup,
    Literal,
    Whitespace,
)
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text.format.assembly_format import AssemblyFormat
    from tilewright.ir.text.printer import Printer

_NO_BLANK_BEFORE = "<>(){}[],"
_NO_BLANK_AFTER_PUNCTUATION_BEFORE = ">)}],"
_NO_BLANK_AFTER = "<({["


class FormatPrinting:
    """The state of printing the operation `op` by `format`: the printer, and whether a blank comes next.
    Custom directives use it.
    """

    __slots__ = ("blank", "format", "op", "printer", "punctuation")

    def __init__(self, format: AssemblyFormat, op: Operation, printer: Printer) -> None:
        self.format = format
        self.op: Any = op
        self.printer = printer
        self.blank = True
        """Whether a blank is printed before the next element."""
        self.punctuation = False
        """Whether the last text printed was punctuation."""

    def separate(self) -> None:
        """Print the blank before an element that is not a literal, unless the text before it is punctuation
        without a blank after it, such as ``(``. A blank then comes before the next element.
        """
        if self.blank or not self.punctuation:
            self.printer.write(" ")
        self.blank = True
        self.punctuation = False

    def values(self, name: str) -> Sequence[Value]:
        """Return the values of the operand or result field `name`. Raises `FormatError` for an unknown field."""
        return self.op.kind.field_values(self.op, self.format.field(name).name)


Step = Callable[[FormatPrinting], None]
"""Prints an element of the format."""
Test = Callable[[FormatPrinting], bool]
"""A function that returns whether the anchor of an optional group is present."""


class PrintSteps:
    """Makes the function that prints operations by one format, from a step for each element of the format. An
    op class may name a subclass as ``format_printing``.
    """

    def __init__(self, format: AssemblyFormat) -> None:
        self.format = format

    def function(self) -> Callable[[Operation, Printer], None]:
        """Return the function that prints an operation after its name."""
        format, run = self.format, self.sequence(self.format.elements)
        return lambda op, printer: run(FormatPrinting(format, op, printer))

    def sequence(self, elements: Sequence[FormatElement]) -> Step:
        """Return the step that prints elements one after the other."""
        steps = [step for element in elements if (step := self.step(element)) is not None]

        def run(printing: FormatPrinting) -> None:
            for step in steps:
                step(printing)

        return run

    def step(self, element: FormatElement) -> Step | None:
        """Return the step that prints an element; None if the element has no text.

        Raises `FormatError` for an unknown element.
        """
        match element:
            case Literal(text=text):
                return _literal(text)
            case Whitespace(text=text):
                return _newline if text == "\\n" else _whitespace(text)
            case FieldElement(name=name):
                return self.variable(self.format.field(name))
            case FormatGroup():
                return self.group(element)
            case Clauses():
                return self.clauses(element)
            case Custom():
                return self.custom(element)
            case Directive():
                return self.directive(element)
            case _:
                raise FormatError(f"unknown element {element}")

    # --- groups

    def group(self, group: FormatGroup) -> Step:
        """Return the step that prints an optional group if its anchor is present, else its alternative."""
        test = self.present(group.anchored)
        elements, otherwise = self.sequence(group.elements), self.sequence(group.otherwise)
        return lambda printing: elements(printing) if test(printing) else otherwise(printing)

    def clauses(self, element: Clauses) -> Step:
        """Return the step that prints the clauses with at least one present field, in order."""
        rows: list[tuple[list[Test], Step]] = []
        for clause in element.clauses:
            tests = [self.present(inner) for inner in clause if isinstance(inner, FieldElement)]
            rows.append((tests, self.sequence(clause)))

        def run(printing: FormatPrinting) -> None:
            for tests, clause in rows:
                if any(test(printing) for test in tests):
                    clause(printing)

        return run

    def present(self, element: FormatElement) -> Test:
        """Return the test whether the anchor ``element`` of an optional group is present in an operation. An
        element that cannot be absent, such as a literal, counts as present.
        """
        match element:
            case FieldElement(name=name):
                return self.field_present(self.format.field(name))
            case Directive(name="operands"):
                return lambda printing: bool(printing.op.operands)
            case Directive(name="results"):
                return lambda printing: bool(printing.op.results)
            case Directive(name="type" | "ref" | "qualified", arguments=arguments):
                return self.present(arguments[0])
            case Directive(name="functional-type"):
                return lambda printing: bool(printing.op.operands or printing.op.results)
            case Custom():
                return self.custom_present(element)
            case _:
                return lambda printing: True

    def custom_present(self, element: Custom) -> Test:
        """Return the test whether ``custom<Name>(...)`` is present: the directive's own ``present``, or else
        whether one of its arguments is.
        """
        directive, arguments = self.format.directive(element.name), tuple(element.arguments)
        if hasattr(directive, "present"):
            return lambda printing: bool(directive.present(printing, *arguments))
        tests = [self.present(argument) for argument in arguments]
        return lambda printing: any(test(printing) for test in tests)

    def field_present(self, field: Any) -> Test:
        """Return the test whether an operation has the field: a value, a region with blocks, a successor, or
        an attribute that differs from its default.
        """
        if isinstance(field, OperandField | ResultField):
            values = _values(self.format, field)
            return lambda printing: bool(values(printing.op))
        if isinstance(field, AttributeField):
            name, default = field.ir_name, self.format.default(field)
            return lambda printing: printing.op.held_attributes.get(name, default) is not default
        if field in self.format.kind.regions:
            regions = self.regions(field)
            return lambda printing: any(region.blocks for region in regions(printing.op)[:1])
        successors = self.successors(field)
        return lambda printing: bool(successors(printing.op))

    # --- fields

    def variable(self, field: Any) -> Step | None:
        """Return the step that prints ``$name`` for a field; None for a unit attribute, which has no text."""
        if isinstance(field, AttributeField):
            return None if isinstance(field.kind, UnitKind) else self.attribute(field)
        if isinstance(field, OperandField | ResultField):
            return _operands(_values(self.format, field))
        if field in self.format.kind.regions:
            return _regions(self.regions(field), print_empty_terminator=False)
        return _successors(self.successors(field))

    def attribute(self, field: AttributeField) -> Step:
        """Return the step that prints an attribute as short as its kind allows; its default if it is absent."""
        name, default, print_short = field.ir_name, self.format.default(field), field.kind.print_short

        def run(printing: FormatPrinting) -> None:
            attribute = printing.op.held_attributes.get(name, default)
            printing.separate()
            if attribute is not None:
                print_short(attribute, printing.printer)

        return run

    def regions(self, field: Any) -> Callable[[Operation], Sequence[Any]]:
        """Return the function from an operation to the regions of a field."""
        start = self.format.kind.regions.index(field)
        part = slice(start, None if field.variadic else start + 1)
        return lambda op: op.regions[part]

    def successors(self, field: Any) -> Callable[[Operation], Sequence[Any]]:
        """Return the function from an operation to the successors of a field."""
        start = self.format.kind.successors.index(field)
        part = slice(start, None if field.arity is Arity.VARIADIC else start + 1)
        return lambda op: op.successors[part]

    def custom(self, element: Custom) -> Step:
        """Return the step that prints ``custom<Name>(...)`` by ``print(printing, *arguments)`` of the
        directive, with a blank before it, unless the text before is punctuation without a blank after it.
        """
        print_directive, arguments = self.format.directive(element.name).print, tuple(element.arguments)

        def run(printing: FormatPrinting) -> None:
            printing.separate()
            print_directive(printing, *arguments)

        return run

    # --- directives

    def directive(self, directive: Directive) -> Step:
        """Return the step that prints ``attr-dict``, ``type(...)`` or another directive.

        Raises `FormatError` for an unknown one.
        """
        match directive.name:
            case "attr-dict" | "attr-dict-with-keyword" | "prop-dict":
                return self.attribute_dictionary(keyword=directive.name == "attr-dict-with-keyword")
            case "operands":
                return _operands(lambda op: op.operands)
            case "type":
                return self.type(directive.arguments[0])
            case "functional-type":
                return self.functional_type(*directive.arguments)
            case "regions":
                return _regions(lambda op: op.regions)
            case "successors":
                return _successors(lambda op: op.successors)
            case "qualified":
                return self.sequence(directive.arguments)
            case name:
                raise FormatError(f"unknown directive '{name}'")

    def attribute_dictionary(self, *, keyword: bool) -> Step:
        """Return the step that prints the attribute dictionary, without attributes that the format spells and
        defaults; with ``keyword``, the word ``attributes`` comes first. Nothing is printed if no entry is
        left.
        """
        spelt, defaults = self.format.printed_attributes, self.format.defaults

        def run(printing: FormatPrinting) -> None:
            held = printing.op.held_attributes
            left = {name: a for name, a in held.items() if name not in spelt and defaults.get(name) is not a}
            printing.printer.print_attribute_dictionary(left, keyword=keyword)
            printing.blank, printing.punctuation = True, False

        return run

    def type(self, target: FormatElement) -> Step:
        """Return the step that prints ``type(...)``: types separated by commas, types of the format's own
        dialect without prefix.
        """
        types_of, dialect = self.types(target), self.format.dialect

        def run(printing: FormatPrinting) -> None:
            printer = printing.printer
            printing.separate()
            if dialect:
                words = [printer.short_type_text(type, dialect) for type in types_of(printing.op)]
                printer.write(", ".join(words))
            else:
                printer.print_types(types_of(printing.op))

        return run

    def functional_type(self, inputs: FormatElement, results: FormatElement) -> Step:
        """Return the step that prints ``functional-type(inputs, results)``."""
        inputs_of, results_of = self.types(inputs), self.types(results)

        def run(printing: FormatPrinting) -> None:
            printing.separate()
            printing.printer.print_functional_type(inputs_of(printing.op), results_of(printing.op))

        return run

    def types(self, target: FormatElement) -> Callable[[Operation], Sequence[Type]]:
        """Return the function from an operation to the types of `target`: of the values of a field, of all
        operands, or else of all results.
        """
        if isinstance(target, FieldElement):
            values = _values(self.format, self.format.field(target.name))
            return lambda op: [value.type for value in values(op)]
        if isinstance(target, Directive) and target.name == "operands":
            return lambda op: op.operand_types
        return lambda op: op.result_types


# --- single steps


def _literal(text: str) -> Step:
    """Return the step that prints a keyword or punctuation, with a blank before it where MLIR prints one."""
    always = len(text) != 1 and text != "->"
    after_punctuation = always or text[0] not in _NO_BLANK_AFTER_PUNCTUATION_BEFORE
    after_others = always or text[0] not in _NO_BLANK_BEFORE
    blank = len(text) != 1 or text not in _NO_BLANK_AFTER
    punctuation = not (text[0].isalpha() or text[0] == "_")
    separated = f" {text}"

    def run(printing: FormatPrinting) -> None:
        needs_blank = printing.blank and (after_punctuation if printing.punctuation else after_others)
        printing.printer.write(separated if needs_blank else text)
        printing.blank, printing.punctuation = blank, punctuation

    return run


def _newline(printing: FormatPrinting) -> None:
    printing.printer.print_newline()


def _whitespace(text: str) -> Step:
    def run(printing: FormatPrinting) -> None:
        printing.printer.write(text)
        printing.blank, printing.punctuation = False, not text

    return run


def _values(format: AssemblyFormat, field: Any) -> Callable[[Operation], Sequence[Value]]:
    """Return the function from an operation to the values of an operand or result field."""
    name, place = field.name, format.kind.places.get(field.name)
    if place is None:
        return lambda op: op.kind.field_values(op, name)
    is_operand, part = place
    return (lambda op: op.operands[part]) if is_operand else (lambda op: op.results[part])


def _operands(values: Callable[[Operation], Sequence[Value]]) -> Step:
    def run(printing: FormatPrinting) -> None:
        printing.separate()
        printing.printer.print_operands(values(printing.op))

    return run


def _regions(regions: Callable[[Operation], Sequence[Any]], *, print_empty_terminator: bool = True) -> Step:
    def run(printing: FormatPrinting) -> None:
        printing.separate()
        for number, region in enumerate(regions(printing.op)):
            if number:
                printing.printer.write(", ")
            printing.printer.print_region(region, print_empty_terminator=print_empty_terminator)

    return run


def _successors(successors: Callable[[Operation], Sequence[Any]]) -> Step:
    def run(printing: FormatPrinting) -> None:
        printing.separate()
        for number, block in enumerate(successors(printing.op)):
            if number:
                printing.printer.write(", ")
            printing.printer.print_successor(block)

    return run
