"""Custom syntax from declarations: the functions that print and parse the operations of a kind by its ``assembly_format``.

A format is read once. Each element becomes a function bound to its fields; these are combined to a printing
function (`printing`) and a parsing function (`parsing`), each made at its first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tilewright.ir import codes
from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.fields import AttributeField
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS, RESULT_SEGMENTS, OperationKind
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation, print_by_declaration
from tilewright.ir.text.format.printing import PrintSteps
from tilewright.ir.text.format.spec import (
    Clauses,
    Custom,
    Directive,
    FieldElement,
    FormatElement,
    FormatError,
    FormatGroup,
    parse_format,
)
from tilewright.ir.text.hooks import hook

if TYPE_CHECKING:
    from tilewright.ir.text.format.parsing import ParseSteps


def stands_alone(op_class: type[Operation]) -> bool:
    """Return whether the custom form of a class shows nothing but attributes, types and names of operands
    (see `tilewright.ir.text.hooks`). The hook ``text_stands_alone`` decides if the class has it.

    False for classes without an assembly format, for formats with directives of a dialect, whose text may
    depend on more, or with line breaks, whose text depends on the nesting depth.
    """
    stated = hook(op_class, "text_stands_alone")
    if stated is not None:
        return bool(stated)
    if hook(op_class, "print_custom") is not print_by_declaration or hook(op_class, "has_custom_form"):
        return False
    return "custom<" not in op_class.assembly_format and "\\n" not in op_class.assembly_format


_FORMATS: dict[OperationKind, AssemblyFormat] = {}


def format_of(kind: OperationKind) -> AssemblyFormat:
    """Return the format of a kind (made once).  Raises `FormatError` if it is malformed."""
    found = _FORMATS.get(kind)
    if found is None:
        found = _FORMATS[kind] = AssemblyFormat(kind)
    return found


class AssemblyFormat:
    """A format bound to the fields of one kind of operation. Raises `FormatError` if the text of the format
    is malformed or names an unknown field or directive.
    """

    def __init__(self, kind: OperationKind) -> None:
        op_class: Any = kind.op_class
        self.kind = kind
        self.elements = parse_format(op_class.assembly_format)
        self.fields: dict[str, Any] = {}
        for group in (kind.operands, kind.results, kind.attributes, kind.regions, kind.successors):
            for field in group:
                self.fields.setdefault(getattr(field, "ir_name", "") or field.name, field)
                self.fields.setdefault(field.name, field)
        self.directives: Mapping[str, Any] = hook(op_class, "format_directives") or {}
        self.dialect: str = hook(op_class, "format_dialect") or ""
        """The dialect whose types go without ``!dialect.`` in this format."""
        self.implied: Mapping[str, Attribute] = hook(op_class, "format_defaults") or {}
        """Attributes that are required, but not in the text of the format if they have these values."""
        self.defaults = {
            field.ir_name: value for field in kind.attributes if (value := self.default(field)) is not None
        }
        """The values of attributes that the format may leave out."""
        self.printed_attributes = self._printed_attributes(self.elements)

    @cached_property
    def print(self) -> Callable[[Operation, Any], None]:
        """The function that prints an operation after its name, on a `Printer`."""
        steps: type[PrintSteps] = hook(self.kind.op_class, "format_printing") or PrintSteps
        return steps(self).function()

    @cached_property
    def parse(self) -> Callable[[Any], Any]:
        """The function that parses an operation after its name, by a `Parser`. It returns the operation, or a
        generator of requests for regions if the format has regions or such directives.
        """
        from tilewright.ir.text.format import parsing  # commands that only print need nothing of it

        steps: type[ParseSteps] = hook(self.kind.op_class, "format_parsing") or parsing.ParseSteps
        return steps(self).function()

    def field(self, name: str) -> Any:
        """Return the field that a variable names, by its name or its name in the IR. Raises `FormatError` for
        an unknown field.
        """
        try:
            return self.fields[name]
        except KeyError:
            raise FormatError(f"there is no field '{name}'") from None

    def default(self, field: AttributeField) -> Attribute | None:
        """Return the value of an attribute if it is absent in the text: from ``format_defaults`` of the
        class, or else the default of the field; None if it has neither.
        """
        if field.ir_name in self.implied:
            return self.implied[field.ir_name]
        return field.default if isinstance(field.default, Attribute) else None

    def directive(self, name: str) -> Any:
        """Return the object that prints and parses ``custom<Name>``.

        Raises `FormatError` for an unknown name.
        """
        try:
            return self.directives[name]
        except KeyError:
            raise FormatError(f"there is no custom directive '{name}'") from None

    def _printed_attributes(self, elements: Sequence[FormatElement]) -> set[str]:
        """Return the names of the attributes that the format spells, which ``attr-dict`` leaves out.

        Raises `FormatError` if the format names an unknown field.
        """
        names = {OPERAND_SEGMENTS, RESULT_SEGMENTS, *(hook(self.kind.op_class, "format_implied") or ())}
        pending = list(elements)
        while pending:
            element = pending.pop()
            match element:
                case FieldElement(name=name):
                    field = self.field(name)
                    if isinstance(field, AttributeField):
                        names.add(field.ir_name)
                case FormatGroup():
                    pending.extend((*element.elements, *element.otherwise))
                case Clauses():
                    pending.extend(inner for clause in element.clauses for inner in clause)
                case Custom(name=name):
                    self.directive(name)
                    pending.extend(element.arguments)
                case Directive():
                    pending.extend(element.arguments)
                case _:
                    pass
        return names


_GENERIC_HINT = "use the generic form, or mend the declaration"


def print_by_format(op: Operation, printer: Any) -> None:
    """Print an operation by its ``assembly_format``; the ``print_custom`` of such classes.

    Raises `DiagnosticError` if the format is malformed.
    """
    try:
        print_custom = format_of(op.kind).print
    except FormatError as problem:
        raise failure(
            codes.MALFORMED_DECLARATION, _format_message(op.kind, problem), op.location, hint=_GENERIC_HINT
        ) from problem
    print_custom(op, printer)


def parse_by_format(op_class: Any, parser: Any) -> Any:
    """Parse an operation by the ``assembly_format`` of its class, and return it, or a generator of requests
    for regions if the format has regions; the ``parse_custom`` of such classes. Raises `ParseError` for other
    text, and if the format is malformed.
    """
    try:
        parse = format_of(op_class.op_kind).parse
    except FormatError as problem:
        message = _format_message(op_class.op_kind, problem)
        raise parser.error(message, code=codes.MALFORMED_DECLARATION, hint=_GENERIC_HINT) from problem
    return parse(parser)


def _format_message(kind: OperationKind, problem: FormatError) -> str:
    return f"the custom syntax of '{kind.name}' is malformed: {problem}"
