"""Parses operations by their assembly formats: each element of a format becomes a function, once for a kind."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.attribute_kind import UnitKind
from tilewright.ir.declaration.fields import Arity, AttributeField, OperandField, ResultField
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS, OperationKind, segments
from tilewright.ir.declaration.traits import SingleBlock
from tilewright.ir.operation import Operation
from tilewright.ir.support.record import NamedTuple
from tilewright.ir.text.format.operand_types import operand_typing, result_typing
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
from tilewright.ir.text.hooks import OperandUse, RegionRequest, region_request

if TYPE_CHECKING:
    from tilewright.ir.text.format.assembly_format import AssemblyFormat
    from tilewright.ir.text.parser import Parser

Suspended = Generator[RegionRequest, Region, None]


class FormatParsing:
    """The state of parsing one operation: the parsed operands (``uses``), types, attributes, regions and
    successors of each field, by name. Custom directives read and set it.
    """

    __slots__ = (
        "all_operand_types",
        "all_operands",
        "all_result_types",
        "attributes",
        "format",
        "parser",
        "places",
        "regions",
        "skipped_result_types",
        "start",
        "successors",
        "types",
        "uses",
    )

    def __init__(self, format: AssemblyFormat, parser: Parser) -> None:
        self.format = format
        self.parser = parser
        self.start = parser.position
        self.uses: dict[str, list[OperandUse]] = {}
        self.types: dict[str, list[Type]] = {}
        """The parsed types of each field, by name. The names of result fields are prefixed with
        ``result``.
        """
        self.places: dict[str, int] = {}
        """The position in the text of the types of each field."""
        self.all_operands: list[OperandUse] | None = None
        self.all_operand_types: list[Type] | None = None
        self.all_result_types: list[Type] | None = None
        self.skipped_result_types = False
        """Whether an optional group that would have named result types was left out."""
        self.attributes: dict[str, Attribute] = {}
        self.regions: dict[str, list[Region]] = {}
        self.successors: dict[str, list[Block]] = {}


class ParsingStep(NamedTuple):
    """A step of parsing by a format: ``run`` parses an element and stores the result in the state that it
    gets. If the step ``suspends``, ``run`` returns a generator of requests for regions.
    """

    run: Callable[[FormatParsing], Any]
    suspends: bool = False


Test = Callable[["Parser"], bool]
"""A function that returns whether the text of an element begins at the current position."""


class ParseSteps:
    """Makes the function that parses operations by one format, from a step for each element of the format. An
    op class may name a subclass as ``format_parsing``.
    """

    def __init__(self, format: AssemblyFormat) -> None:
        self.format = format

    def function(self) -> Callable[[Parser], Operation | Generator[RegionRequest, Region, Operation]]:
        """Return the function that parses an operation after its name and returns it; if there may be
        regions, the function returns a generator of requests for them instead.
        """
        format, steps, build = self.format, self.sequence(self.format.elements), _building(self.format)

        def parse(parser: Parser) -> Operation:
            parsing = FormatParsing(format, parser)
            steps.run(parsing)
            return build(parsing)

        def parse_with_regions(parser: Parser) -> Generator[RegionRequest, Region, Operation]:
            parsing = FormatParsing(format, parser)
            yield from steps.run(parsing)
            return build(parsing)

        return parse_with_regions if steps.suspends else parse

    def sequence(self, elements: Sequence[FormatElement]) -> ParsingStep:
        """Return the step that parses elements one after the other; it suspends if one of them does."""
        steps = [step for element in elements if (step := self.step(element)) is not None]
        functions = [step.run for step in steps]

        def run(parsing: FormatParsing) -> None:
            for function in functions:
                function(parsing)

        def run_suspended(parsing: FormatParsing) -> Suspended:
            for step in steps:
                yield from _advance(step, parsing)

        if len(steps) == 1:
            return steps[0]
        return ParsingStep(run_suspended, True) if any(step.suspends for step in steps) else ParsingStep(run)

    def step(self, element: FormatElement) -> ParsingStep | None:
        """Return the step that parses an element; None if the element has no text.

        Raises `FormatError` for an unknown element.
        """
        match element:
            case Literal(text=text):
                return _word(text) if _is_word(text) else _punctuation(text)
            case Whitespace():
                return None
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

    def group(self, group: FormatGroup) -> ParsingStep:
        """Return the step that parses an optional group if its first element begins at the current position,
        else its alternative. If the group's anchor is a unit attribute, parsing the group sets it.
        """
        first = next((e for e in group.elements if not isinstance(e, Whitespace)), None)
        starts = self.test(first) if first is not None else _never
        taken, otherwise = self.sequence(group.elements), self.sequence(group.otherwise)
        skips_types = any(_names_result_types(element, self.format) for element in group.elements)
        anchor = group.anchored
        flag = self.flag(anchor) if isinstance(anchor, FieldElement) else None

        def run(parsing: FormatParsing) -> Suspended:
            if starts(parsing.parser):
                yield from _advance(taken, parsing)
                if flag is not None:
                    parsing.attributes.setdefault(*flag)
            else:
                parsing.skipped_result_types |= skips_types
                yield from _advance(otherwise, parsing)

        def run_at_once(parsing: FormatParsing) -> None:
            if starts(parsing.parser):
                taken.run(parsing)
                if flag is not None:
                    parsing.attributes.setdefault(*flag)
            else:
                parsing.skipped_result_types |= skips_types
                otherwise.run(parsing)

        return ParsingStep(run, True) if taken.suspends or otherwise.suspends else ParsingStep(run_at_once)

    def flag(self, variable: FieldElement) -> tuple[str, Attribute] | None:
        """Return the name and the value of the unit attribute that ``variable`` names; None if it names
        another field.
        """
        field = self.format.field(variable.name)
        if isinstance(field, AttributeField) and isinstance(field.kind, UnitKind):
            return field.ir_name, field.kind.to_attribute(True)
        return None

    def clauses(self, element: Clauses) -> ParsingStep:
        """Return the step that parses clauses in any order, each at most once; a clause sets the unit
        attributes that it names.
        """
        rows: list[tuple[Test, ParsingStep, list[tuple[str, Attribute]]]] = []
        for clause in element.clauses:
            flags = [self.flag(inner) for inner in clause if isinstance(inner, FieldElement)]
            rows.append((self.test(clause[0]), self.sequence(clause), [flag for flag in flags if flag]))

        def run(parsing: FormatParsing) -> Suspended:
            remaining = list(rows)
            while (row := next((row for row in remaining if row[0](parsing.parser)), None)) is not None:
                remaining.remove(row)
                _, clause, flags = row
                yield from _advance(clause, parsing)
                for flag in flags:
                    parsing.attributes.setdefault(*flag)

        def run_at_once(parsing: FormatParsing) -> None:
            for _ in run(parsing):
                raise AssertionError("no clause suspends the parse")

        return (
            ParsingStep(run, True)
            if any(clause.suspends for _, clause, _ in rows)
            else ParsingStep(run_at_once)
        )

    def test(self, element: FormatElement) -> Test:
        """Return the test whether the text of ``element`` begins at the current position. For elements
        without a test of their own it only requires that there is text.
        """
        match element:
            case Literal(text=text) if _is_word(text):
                return lambda parser: parser.peek_keyword() == text
            case Literal(text=text):
                return lambda parser: parser.at(text)
            case FieldElement(name=name):
                return _field_test(self.format.field(name))
            case Directive(name="attr-dict"):
                return lambda parser: parser.at("{")
            case Directive(name="operands"):
                return lambda parser: parser.at("%")
            case Custom(name=name):
                return self.format.directive(name).at
            case _:
                return lambda parser: not parser.at_end

    # --- fields

    def variable(self, field: Any) -> ParsingStep | None:
        """Return the step that parses ``$name`` for a field; None for a unit attribute, which has no text,
        and for a result.
        """
        if isinstance(field, OperandField):
            return _operands(field)
        if isinstance(field, AttributeField):
            return None if isinstance(field.kind, UnitKind) else _attribute(field)
        if field in self.format.kind.regions:
            return self.region(field)
        return _successors(field) if field in self.format.kind.successors else None

    def region(self, field: Any) -> ParsingStep:
        """Return the step that parses the region or the list of regions of a field. In a single-block region
        ``{}`` is an empty block.
        """
        kind = self.format.kind
        fills = field.single_block or kind.has_trait(SingleBlock)

        def run(parsing: FormatParsing) -> Suspended:
            is_there = parsing.parser.at("{") or not field.optional
            if field.variadic:
                regions = yield from _region_list(parsing, kind)
            else:
                request = region_request(kind)
                request.optional = field.optional
                regions = [(yield request)]
            parsing.regions[field.name] = regions
            if is_there and fills:
                _fill(regions)

        return ParsingStep(run, True)

    def custom(self, element: Custom) -> ParsingStep:
        """Return the step that parses ``custom<Name>(...)`` by ``parse(parsing, *arguments)`` of the
        directive, which stores its results in the parsing state. It may be a generator of requests for
        regions.
        """
        parse, arguments = self.format.directive(element.name).parse, tuple(element.arguments)

        def run(parsing: FormatParsing) -> Any:
            return parse(parsing, *arguments)

        from inspect import isgeneratorfunction  # half as slow to load as an empty Python; few formats ask

        return ParsingStep(run, isgeneratorfunction(parse))

    # --- directives

    def directive(self, directive: Directive) -> ParsingStep:
        """Return the step that parses ``attr-dict``, ``type(...)`` or another directive.

        Raises `FormatError` for an unknown one.
        """
        match directive.name:
            case "attr-dict" | "prop-dict":
                return ParsingStep(_attribute_dictionary)
            case "attr-dict-with-keyword":
                return ParsingStep(_attribute_dictionary_with_keyword)
            case "operands":
                return self.all_operands()
            case "successors":
                return ParsingStep(_all_successors)
            case "regions":
                return self.all_regions()
            case "type":
                return self.type(directive.arguments[0])
            case "functional-type":
                return self.functional_type(*directive.arguments)
            case "qualified":
                return self.sequence(directive.arguments)
            case name:
                raise FormatError(f"unknown directive '{name}'")

    def all_operands(self) -> ParsingStep:
        """Return the step that parses ``operands``: all operands of the operation, separated by commas. It
        assigns them to fields if each field is one operand.
        """
        fields = self.format.kind.operands
        names = [field.name for field in fields] if all(f.arity is Arity.ONE for f in fields) else []

        def run(parsing: FormatParsing) -> None:
            uses = parsing.all_operands = parsing.parser.parse_operands()
            if len(uses) == len(names):
                parsing.uses.update({name: [use] for name, use in zip(names, uses, strict=True)})

        return ParsingStep(run)

    def all_regions(self) -> ParsingStep:
        """Return the step that parses ``regions``: all regions of the operation, separated by commas,
        possibly none. They are stored under the name ``*``.
        """
        kind = self.format.kind

        def run(parsing: FormatParsing) -> Suspended:
            parsing.regions["*"] = yield from _region_list(parsing, kind)

        return ParsingStep(run, True)

    def type(self, target: FormatElement) -> ParsingStep:
        """Return the step that parses ``type($field)``, ``type(operands)`` or ``type(results)``: one type for
        a single value, else types separated by commas, possibly none.
        """
        parse = self.type_parser()
        field = self.format.field(target.name) if isinstance(target, FieldElement) else None
        if field is not None and field.arity is Arity.ONE:
            name, key = field.name, _key(field)

            def run(parsing: FormatParsing) -> None:
                parser = parsing.parser
                parsing.places[name] = parser.position
                parsing.types[key] = [parse(parser)]

            return ParsingStep(run)
        optional, store = self.optional_type_parser(), self.store(target)

        def run_list(parsing: FormatParsing) -> None:
            parser = parsing.parser
            if field is not None:
                parsing.places[field.name] = parser.position
            first = optional(parser)
            types = [] if first is None else [first]
            while types and parser.accept(","):
                types.append(parse(parser))
            store(parsing, types)

        return ParsingStep(run_list)

    def type_parser(self) -> Callable[[Parser], Type]:
        """Return the function that parses a type; types of the format's own dialect may omit the prefix."""
        dialect = self.format.dialect
        return (lambda parser: parser.parse_type_short(dialect)) if dialect else _type

    def optional_type_parser(self) -> Callable[[Parser], Type | None]:
        """Return the function that parses a type, or returns None if none is next; types of the format's own
        dialect may omit the prefix.
        """
        dialect = self.format.dialect
        if not dialect:
            return lambda parser: parser.optional_type()
        return lambda parser: (
            parser.parse_type_short(dialect) if parser.at("!") or parser.peek_keyword() else None
        )

    def functional_type(self, inputs: FormatElement, results: FormatElement) -> ParsingStep:
        """Return the step that parses ``functional-type(inputs, results)``: ``(types) -> types``, stored as
        the types of both targets.
        """
        store_inputs, store_results = self.store(inputs), self.store(results)

        def run(parsing: FormatParsing) -> None:
            found = parsing.parser.parse_functional_type()
            store_inputs(parsing, found[0])
            store_results(parsing, found[1])

        return ParsingStep(run)

    def store(self, target: FormatElement) -> Callable[[FormatParsing, list[Type]], None]:
        """Return the function that stores parsed types as the types of `target`. Raises `FormatError` for a
        target without types.
        """
        if isinstance(target, FieldElement):
            key = _key(self.format.field(target.name))
            return lambda parsing, types: parsing.types.__setitem__(key, types)
        if isinstance(target, Directive) and target.name == "operands":
            return lambda parsing, types: setattr(parsing, "all_operand_types", types)
        if isinstance(target, Directive) and target.name == "results":
            return lambda parsing, types: setattr(parsing, "all_result_types", types)
        raise FormatError(f"nothing has the types of {target}")


# --- single steps


def _is_word(text: str) -> bool:
    return text[0].isalpha() or text[0] == "_"


def _word(text: str) -> ParsingStep:
    def run(parsing: FormatParsing) -> None:
        if not parsing.parser.accept_keyword(text):
            raise parsing.parser.unexpected(f"'{text}'")

    return ParsingStep(run)


def _punctuation(text: str) -> ParsingStep:
    def run(parsing: FormatParsing) -> None:
        parsing.parser.expect(text)

    return ParsingStep(run)


def _never(parser: Parser) -> bool:
    return False


def _advance(step: ParsingStep, parsing: FormatParsing) -> Suspended:
    """Run a step inside of a generator; yield its requests for regions if it has some."""
    if step.suspends:
        yield from step.run(parsing)
    else:
        step.run(parsing)


def _field_test(field: Any) -> Test:
    if isinstance(field, OperandField):
        return lambda parser: parser.at("%")
    if isinstance(field, AttributeField):
        return field.kind.starts
    return lambda parser: parser.at("^") or parser.at("{")


def _names_result_types(element: FormatElement, format: AssemblyFormat) -> bool:
    if not isinstance(element, Directive) or element.name != "type":
        return False
    target = element.arguments[0]
    return isinstance(target, FieldElement) and isinstance(format.field(target.name), ResultField)


def _operands(field: OperandField) -> ParsingStep:
    name = field.name

    def one(parsing: FormatParsing) -> None:
        parsing.uses[name] = [parsing.parser.parse_operand()]

    def optional(parsing: FormatParsing) -> None:
        use = parsing.parser.parse_operand() if parsing.parser.at("%") else None
        parsing.uses[name] = [] if use is None else [use]

    def any_number(parsing: FormatParsing) -> None:
        parsing.uses[name] = parsing.parser.parse_operands()

    return ParsingStep({Arity.ONE: one, Arity.OPTIONAL: optional, Arity.VARIADIC: any_number}[field.arity])


def _attribute(field: AttributeField) -> ParsingStep:
    name, parse = field.ir_name, field.kind.parse_short

    def run(parsing: FormatParsing) -> None:
        parsing.attributes[name] = parse(parsing.parser)

    return ParsingStep(run)


def _attribute_dictionary(parsing: FormatParsing) -> None:
    if parsing.parser.at("{"):
        parsing.attributes.update(parsing.parser.parse_attribute_dictionary())


def _attribute_dictionary_with_keyword(parsing: FormatParsing) -> None:
    if parsing.parser.accept_keyword("attributes"):
        _attribute_dictionary(parsing)


def _type(parser: Parser) -> Type:
    return parser.parse_type()


def _key(field: Any) -> str:
    return f"result {field.name}" if isinstance(field, ResultField) else field.name


def _successors(field: Any) -> ParsingStep:
    def one(parsing: FormatParsing) -> None:
        parsing.successors[field.name] = [parsing.parser.parse_successor()]

    def any_number(parsing: FormatParsing) -> None:
        parsing.successors[field.name] = _successor_list(parsing.parser)

    return ParsingStep(one if field.arity is Arity.ONE else any_number)


def _all_successors(parsing: FormatParsing) -> None:
    parsing.successors["*"] = _successor_list(parsing.parser)


def _successor_list(parser: Parser) -> list[Block]:
    blocks: list[Block] = []
    while parser.at("^"):
        blocks.append(parser.parse_successor())
        if not parser.accept(","):
            break
    return blocks


def _region_list(
    parsing: FormatParsing, kind: OperationKind
) -> Generator[RegionRequest, Region, list[Region]]:
    regions: list[Region] = []
    while parsing.parser.at("{"):
        regions.append((yield region_request(kind)))
        if not parsing.parser.accept(","):
            break
    return regions


def _fill(regions: Sequence[Region]) -> None:
    """Append an empty block to each region without blocks: ``{}`` of a single-block region is one empty
    block.
    """
    for region in regions:
        if not region.blocks:
            region.append(Block())


# --- building


def _building(format: AssemblyFormat) -> Callable[[FormatParsing], Operation]:
    """Return the function that makes the operation from the parsed fields."""
    kind = format.kind
    absent = getattr(kind.op_class, "format_absent", ())
    defaults = [(name, value) for name, value in format.defaults.items() if name not in absent]
    operand_types, result_types = operand_typing(format), result_typing(format)

    def build(parsing: FormatParsing) -> Operation:
        attributes, parser = parsing.attributes, parsing.parser
        for name, default in defaults:
            attributes.setdefault(name, default)
        uses = _ordered_uses(parsing, kind)
        operands = parser.resolve_all(uses, operand_types(parsing), parsing.start)
        regions = _ordered(parsing.regions, kind.regions, Region) if kind.regions else ()
        successors = _ordered(parsing.successors, kind.successors, None) if kind.successors else ()
        types = result_types(parsing, operands, regions)
        return Operation.from_parts(kind, operands, types, attributes, regions, successors)

    return build


def _ordered_uses(parsing: FormatParsing, kind: OperationKind) -> list[OperandUse]:
    if parsing.all_operands is not None:
        return parsing.all_operands
    groups = [parsing.uses.get(field.name, []) for field in kind.operands]
    if kind.segmented_operands:
        parsing.attributes[OPERAND_SEGMENTS] = segments([len(group) for group in groups])
    return [use for group in groups for use in group]


def _ordered(found: dict[str, list[Any]], fields: Sequence[Any], missing: Any) -> list[Any]:
    if "*" in found:
        return found["*"]
    ordered: list[Any] = []
    for field in fields:
        without = [missing()] if missing and not getattr(field, "variadic", 0) else []
        ordered.extend(found.get(field.name, without))
    return ordered
