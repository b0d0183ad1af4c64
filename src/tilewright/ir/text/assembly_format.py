"""Custom syntax from declarations: prints and parses operations by their ``assembly_format``."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from types import GeneratorType
from typing import TYPE_CHECKING, Any

from tilewright.ir import codes
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.attribute_kind import UnitKind
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration import Arity, AttributeField, OperandField, ResultField
from tilewright.ir.diagnostic import failure
from tilewright.ir.kind import OPERAND_SEGMENTS, RESULT_SEGMENTS, OperationKind, segments
from tilewright.ir.operation import Operation
from tilewright.ir.text.format_printing import FormatPrinting
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
    parse_format,
    stands_alone,
)
from tilewright.ir.text.format_types import resolve_operand_types, resolve_result_types
from tilewright.ir.text.hooks import OperandUse, RegionRequest
from tilewright.ir.traits import SingleBlock

if TYPE_CHECKING:
    from tilewright.ir.text.parser import Parser

Step = Generator[Any, Any, Any]

_FORMATS: dict[OperationKind, AssemblyFormat] = {}


def format_of(kind: OperationKind) -> AssemblyFormat:
    """The compiled format of a kind (compiled once)."""
    found = _FORMATS.get(kind)
    if found is None:
        found = _FORMATS[kind] = AssemblyFormat(kind)
    return found


class AssemblyFormat:
    """A format bound to the fields of one kind of operation."""

    def __init__(self, kind: OperationKind) -> None:
        op_class: Any = kind.op_class
        self.kind = kind
        self.elements = parse_format(op_class.assembly_format)
        self.fields: dict[str, Any] = {}
        for group in (kind.operands, kind.results, kind.attributes, kind.regions, kind.successors):
            for field in group:
                self.fields.setdefault(getattr(field, "ir_name", "") or field.name, field)
                self.fields.setdefault(field.name, field)
        self.directives: Mapping[str, Any] = getattr(op_class, "format_directives", {})
        self.dialect: str = getattr(op_class, "format_dialect", "")
        """The dialect whose types go without ``!dialect.`` in this format."""
        self.implied: Mapping[str, Attribute] = getattr(op_class, "format_defaults", {})
        """Attributes that the operation requires but the format leaves out when they have these values."""
        self.stands_alone = stands_alone(op_class)
        self.printed_attributes = self._printed_attributes(self.elements)

    def field(self, name: str) -> Any:
        """The field that a variable names."""
        try:
            return self.fields[name]
        except KeyError:
            raise FormatError(f"there is no field '{name}'") from None

    def default(self, field: AttributeField) -> Attribute | None:
        """The value of an attribute that the format may leave out."""
        if field.ir_name in self.implied:
            return self.implied[field.ir_name]
        return field.default if isinstance(field.default, Attribute) else None

    def directive(self, name: str) -> Any:
        """The object that prints and parses ``custom<Name>``."""
        try:
            return self.directives[name]
        except KeyError:
            raise FormatError(f"there is no custom directive '{name}'") from None

    def _printed_attributes(self, elements: Sequence[Element]) -> set[str]:
        """Names of the attributes that the format spells, which ``attr-dict`` leaves out.

        Raises `FormatError` if the format names what is not there.
        """
        names = {OPERAND_SEGMENTS, RESULT_SEGMENTS, *getattr(self.kind.op_class, "format_implied", ())}
        pending = list(elements)
        while pending:
            element = pending.pop()
            match element:
                case Variable(name=name):
                    field = self.field(name)
                    if isinstance(field, AttributeField):
                        names.add(field.ir_name)
                case Group():
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
    """The ``print_custom`` of every class with an ``assembly_format``.

    Raises `DiagnosticError` if the format is malformed.
    """
    try:
        format = format_of(op.kind)
    except FormatError as problem:
        raise failure(
            codes.MALFORMED_DECLARATION, _format_message(op.kind, problem), op.location, hint=_GENERIC_HINT
        ) from problem
    FormatPrinting(format, op, printer).run()


def parse_by_format(op_class: Any, parser: Any) -> Step:
    """The ``parse_custom`` of every class with an ``assembly_format``."""
    try:
        format = format_of(op_class.op_kind)
    except FormatError as problem:
        message = _format_message(op_class.op_kind, problem)
        raise parser.error(message, code=codes.MALFORMED_DECLARATION, hint=_GENERIC_HINT) from problem
    operation = yield FormatParsing(format, parser).run()
    return operation


def _format_message(kind: OperationKind, problem: FormatError) -> str:
    return f"the custom syntax of '{kind.name}' is malformed: {problem}"


def _names_result_types(element: Element, format: AssemblyFormat) -> bool:
    if not isinstance(element, Directive) or element.name != "type":
        return False
    target = element.arguments[0]
    return isinstance(target, Variable) and isinstance(format.field(target.name), ResultField)


class FormatParsing:
    """One parse of one operation; also what custom directives work with."""

    def __init__(self, format: AssemblyFormat, parser: Parser) -> None:
        self.format = format
        self.parser = parser
        self.start = parser.position
        self.uses: dict[str, list[OperandUse]] = {}
        self.types: dict[str, list[Type]] = {}
        self.places: dict[str, int] = {}
        """Where the types of fields stand."""
        self.all_operands: list[OperandUse] | None = None
        self.all_operand_types: list[Type] | None = None
        self.all_result_types: list[Type] | None = None
        self.skipped_result_types = False
        """Whether an optional group that would have named result types was left out."""
        self.attributes: dict[str, Attribute] = {}
        self.regions: dict[str, list[Region]] = {}
        self.successors: dict[str, list[Block]] = {}

    def run(self) -> Step:
        yield self._elements(self.format.elements)
        return self._build()

    def _elements(self, elements: Sequence[Element]) -> Step:
        for element in elements:
            match element:
                case Literal(text=text):
                    self._literal(text)
                case Whitespace():
                    pass
                case Variable():
                    yield self._variable(element)
                case Group():
                    yield self._group(element)
                case Clauses():
                    yield self._clauses(element)
                case Custom():
                    yield self._custom(element)
                case Directive():
                    yield self._directive(element)
                case _:
                    raise FormatError(f"unknown element {element}")

    # --- literals and groups

    def _literal(self, text: str) -> None:
        parser = self.parser
        if text[0].isalpha() or text[0] == "_":
            if not parser.accept_keyword(text):
                raise parser.unexpected(f"'{text}'")
        else:
            parser.expect(text)

    def _at_literal(self, text: str) -> bool:
        if text[0].isalpha() or text[0] == "_":
            return self.parser.peek_keyword() == text
        return self.parser.at(text)

    def _group(self, group: Group) -> Step:
        taken = self._starts(group)
        if not taken:
            self.skipped_result_types |= any(
                _names_result_types(element, self.format) for element in group.elements
            )
        yield self._elements(group.elements if taken else group.otherwise)
        anchor = group.anchored
        if isinstance(anchor, Variable):
            field = self.format.field(anchor.name)
            if taken:
                self._set_flag(field)

    def _starts(self, group: Group) -> bool:
        """Whether the group stands at the current position: decided by its first element that takes up text."""
        first = next((e for e in group.elements if not isinstance(e, Whitespace)), None)
        return first is not None and self._at(first)

    def _at(self, element: Element) -> bool:
        parser = self.parser
        match element:
            case Literal(text=text):
                return self._at_literal(text)
            case Variable(name=name):
                return self._at_field(self.format.field(name))
            case Directive(name="attr-dict"):
                return parser.at("{")
            case Directive(name="operands"):
                return parser.at("%")
            case Custom(name=name):
                return bool(self.format.directive(name).at(parser))
            case _:
                return not parser.at_end

    def _at_field(self, field: Any) -> bool:
        parser = self.parser
        if isinstance(field, OperandField):
            return parser.at("%")
        if isinstance(field, AttributeField):
            return field.kind.starts(parser)
        return parser.at("^") or parser.at("{")

    def _clauses(self, element: Clauses) -> Step:
        remaining = list(element.clauses)
        while True:
            clause = next((c for c in remaining if self._at(c[0])), None)
            if clause is None:
                return
            remaining.remove(clause)
            yield self._elements(clause)
            for inner in clause:
                if isinstance(inner, Variable):
                    self._set_flag(self.format.field(inner.name))

    def _set_flag(self, field: Any) -> None:
        if isinstance(field, AttributeField) and isinstance(field.kind, UnitKind):
            self.attributes.setdefault(field.ir_name, field.kind.to_attribute(True))

    # --- fields

    def _variable(self, variable: Variable) -> Step:
        field = self.format.field(variable.name)
        if isinstance(field, OperandField):
            self.uses[field.name] = self._operands(field)
        elif isinstance(field, AttributeField):
            self._attribute(field)
        elif field in self.format.kind.regions:
            is_there = self.parser.at("{") or not field.optional
            self.regions[field.name] = yield self._regions(field)
            if is_there:
                self._fill_single_block(field, self.regions[field.name])
        elif field in self.format.kind.successors:
            self.successors[field.name] = self._successors(field)

    def _operands(self, field: OperandField) -> list[OperandUse]:
        parser = self.parser
        if field.arity is Arity.ONE:
            return [parser.parse_operand()]
        if field.arity is Arity.OPTIONAL:
            return [parser.parse_operand()] if parser.at("%") else []
        return parser.parse_operands()

    def _attribute(self, field: AttributeField) -> None:
        if not isinstance(field.kind, UnitKind):
            self.attributes[field.ir_name] = field.kind.parse_short(self.parser)

    def _regions(self, field: Any) -> Step:
        from tilewright.ir.text.parser import region_request

        if not field.variadic:
            request = region_request(self.format.kind)
            request.optional = field.optional
            return [(yield request)]
        regions: list[Region] = []
        while self.parser.at("{"):
            regions.append((yield region_request(self.format.kind)))
            if not self.parser.accept(","):
                break
        return regions

    def _fill_single_block(self, field: Any, regions: Sequence[Region]) -> None:
        """``{}`` of a single-block region is one empty block."""
        if field.single_block or self.format.kind.has_trait(SingleBlock):
            for region in regions:
                if not region.blocks:
                    region.append(Block())

    def _successors(self, field: Any) -> list[Block]:
        parser = self.parser
        if field.arity is Arity.ONE:
            return [parser.parse_successor()]
        blocks: list[Block] = []
        while parser.at("^"):
            blocks.append(parser.parse_successor())
            if not parser.accept(","):
                break
        return blocks

    # --- directives

    def _directive(self, directive: Directive) -> Step:
        parser = self.parser
        match directive.name:
            case "attr-dict" | "prop-dict":
                self.attributes.update(parser.optional_attribute_dictionary())
            case "attr-dict-with-keyword":
                if parser.accept_keyword("attributes"):
                    self.attributes.update(parser.optional_attribute_dictionary())
            case "operands":
                self._store_operands(parser.parse_operands())
            case "successors":
                self.successors["*"] = self._all_successors()
            case "regions":
                self.regions["*"] = yield self._all_regions()
            case "type":
                self._type(directive.arguments[0])
            case "functional-type":
                inputs, results = parser.parse_functional_type()
                self._store_types(directive.arguments[0], inputs)
                self._store_types(directive.arguments[1], results)
            case "qualified":
                yield self._elements(directive.arguments)
            case name:
                raise FormatError(f"unknown directive '{name}'")

    def _store_operands(self, uses: list[OperandUse]) -> None:
        """Take note of all operands, and of what stands for which field where each is one operand."""
        self.all_operands = uses
        fields = self.format.kind.operands
        if len(uses) == len(fields) and all(field.arity is Arity.ONE for field in fields):
            self.uses.update({field.name: [use] for field, use in zip(fields, uses, strict=True)})

    def _all_successors(self) -> list[Block]:
        blocks: list[Block] = []
        while self.parser.at("^"):
            blocks.append(self.parser.parse_successor())
            if not self.parser.accept(","):
                break
        return blocks

    def _all_regions(self) -> Step:
        from tilewright.ir.text.parser import region_request

        regions: list[Region] = []
        while self.parser.at("{"):
            regions.append((yield region_request(self.format.kind)))
            if not self.parser.accept(","):
                break
        return regions

    def parse_type(self) -> Type:
        """A type; those of the format's own dialect may be spelt short."""
        dialect = self.format.dialect
        return self.parser.parse_type_short(dialect) if dialect else self.parser.parse_type()

    def _type(self, target: Element) -> None:
        if isinstance(target, Variable):
            field = self.format.field(target.name)
            self.places[field.name] = self.parser.position
            if field.arity is Arity.ONE:
                self.types[self._key(field)] = [self.parse_type()]
                return
        self._store_types(target, self._type_list())

    def _type_list(self) -> list[Type]:
        parser = self.parser
        if self.format.dialect:
            first = self.parse_type() if parser.at("!") or parser.peek_keyword() else None
        else:
            first = parser.optional_type()
        if first is None:
            return []
        types = [first]
        while parser.accept(","):
            types.append(self.parse_type())
        return types

    def _store_types(self, target: Element, types: Sequence[Type]) -> None:
        if isinstance(target, Variable):
            self.types[self._key(self.format.field(target.name))] = list(types)
        elif isinstance(target, Directive) and target.name == "operands":
            self.all_operand_types = list(types)
        elif isinstance(target, Directive) and target.name == "results":
            self.all_result_types = list(types)

    def _key(self, field: Any) -> str:
        return f"result {field.name}" if isinstance(field, ResultField) else field.name

    def _custom(self, element: Custom) -> Step:
        """A directive's ``parse`` may be a generator that yields requests for regions."""
        result = self.format.directive(element.name).parse(self, *element.arguments)
        if isinstance(result, GeneratorType):
            yield result

    # --- building

    def _build(self) -> Operation:
        kind, parser = self.format.kind, self.parser
        self._default_attributes(kind)
        uses = self._ordered_uses(kind)
        types = resolve_operand_types(self, uses)
        operands = parser.resolve_all(uses, types, self.start)
        regions = self._ordered(self.regions, kind.regions, Region)
        successors = self._ordered(self.successors, kind.successors, None)
        result_types = resolve_result_types(self, operands, regions)
        op = Operation.from_parts(kind, operands, result_types, self.attributes, regions, successors)
        if self.format.stands_alone:
            parser.read_by_format = op, uses
        return op

    def _default_attributes(self, kind: OperationKind) -> None:
        absent = getattr(kind.op_class, "format_absent", ())
        for field in kind.attributes:
            default = self.format.default(field)
            if default is not None and field.ir_name not in absent:
                self.attributes.setdefault(field.ir_name, default)

    def _ordered_uses(self, kind: OperationKind) -> list[OperandUse]:
        if self.all_operands is not None:
            return self.all_operands
        groups = [self.uses.get(field.name, []) for field in kind.operands]
        if kind.segmented_operands:
            self.attributes[OPERAND_SEGMENTS] = segments([len(group) for group in groups])
        return [use for group in groups for use in group]

    def _ordered(self, found: dict[str, list[Any]], fields: Sequence[Any], missing: Any) -> list[Any]:
        if "*" in found:
            return found["*"]
        ordered: list[Any] = []
        for field in fields:
            ordered.extend(
                found.get(field.name, [missing()] if missing and not getattr(field, "variadic", 0) else [])
            )
        return ordered


__all__ = [
    "AssemblyFormat",
    "FormatParsing",
    "RegionRequest",
    "format_of",
    "parse_by_format",
    "print_by_format",
]
