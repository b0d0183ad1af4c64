"""The ``custom<...>`` directives in Tile IR's assembly formats for types, enumeration cases and constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.dialects.cuda_tile import (
    attributes as cuda_tile_attributes,
    constraints as cuda_tile_constraints,
    enums as cuda_tile_enums,
)
from tilewright.dialects.cuda_tile.syntax.value_names import compressed
from tilewright.dialects.cuda_tile.types import ELEMENTS, TensorViewType, TileType, TileViewType
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute, EnumAttribute, Type
from tilewright.ir.declaration.fields import OperandField
from tilewright.ir.support.record import Record, fresh
from tilewright.ir.text.dense_text import literal_text
from tilewright.ir.text.format.spec import Directive, FieldElement, FormatElement

if TYPE_CHECKING:
    from tilewright.ir.text.dense_parser import DenseLiteral
    from tilewright.ir.text.format.parsing import FormatParsing
    from tilewright.ir.text.format.printing import FormatPrinting
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

DIALECT = "cuda_tile"


class TextStyle(Record, frozen=True):
    """The differences between two texts of the same syntax.

    ``mnemonics`` maps names of operations to other spellings. ``terse`` leaves out ``inbounds`` without a
    true element, empty hints of a kernel, types of numbers in hints, locations of arguments, and all but one
    of the equal elements of a constant.
    """

    mnemonics: Mapping[str, str] = fresh(default_factory=dict[str, str])
    terse: bool = False


NEAREST_EVEN: Mapping[str, Attribute] = {
    "rounding_mode": cuda_tile_enums.RoundingModeAttr(cuda_tile_enums.RoundingMode.NEAREST_EVEN)
}
"""The default attributes of operations with a required rounding mode that the text may leave out."""

MLIR_STYLE = TextStyle()
"""The style of text that parses back to exactly the same module."""


def style_of(printer: Printer) -> TextStyle:
    """Return the printer's ``tile_style``, or `MLIR_STYLE` if it has none."""
    return getattr(printer, "tile_style", MLIR_STYLE)


# --- types


def print_types(printer: Printer, types: Sequence[Type]) -> None:
    """Print types without ``!cuda_tile.``, such as ``tile<i32>``, separated by commas."""
    printer.write(", ".join([printer.short_type_text(type, DIALECT) for type in types]))


def parse_type(parser: Parser) -> Type:
    """Parse a type in the short spelling (``tile<i32>``) or the full one (``!cuda_tile.tile<i32>``)."""
    return parser.parse_type_short(DIALECT)


def parse_types(parser: Parser) -> list[Type]:
    """Parse one or more types separated by commas."""
    types = [parse_type(parser)]
    while parser.accept(","):
        types.append(parse_type(parser))
    return types


def name_of(target: FormatElement) -> str:
    """Return ``name``, the name of the field in the format element ``$name`` or ``type($name)``."""
    if isinstance(target, Directive):
        return name_of(target.arguments[0])
    assert isinstance(target, FieldElement)
    return target.name


def set_types(parsing: FormatParsing, target: FormatElement, type: Type) -> None:
    """Record `type` in `parsing` as the type of each operand of the field `target`, or of its one result."""
    declared = parsing.format.field(name_of(target))
    is_result = declared in parsing.format.kind.results
    key = f"result {declared.name}" if is_result else declared.name
    parsing.types[key] = [type] * (1 if is_result else len(parsing.uses.get(declared.name, ())))


class OneType:
    """``custom<OneType>(type($a), type($b))``: one type that all values of the fields have."""

    def print(self, printing: FormatPrinting, *targets: FormatElement) -> None:
        """Print the type of the first value; print nothing if the fields have no values."""
        values = [value for target in targets for value in printing.values(name_of(target))]
        print_types(printing.printer, [value.type for value in values[:1]])

    def parse(self, parsing: FormatParsing, *targets: FormatElement) -> None:
        """Parse one type, and record it as the type of all values of the fields `targets`."""
        type = parse_type(parsing.parser)
        for target in targets:
            set_types(parsing, target, type)


class ExtentTypes:
    """``custom<ExtentTypes>(type($view), type($extents))``: ``-> type``, one type that all results have;
    there is a result for each dimension of the view.
    """

    def print(self, printing: FormatPrinting, view: FormatElement, extents: FormatElement) -> None:
        """Print the type of the extents; nothing if there are no dimensions."""
        values = printing.values(name_of(extents))
        if values:
            printing.printer.write("-> ")
            print_types(printing.printer, [values[0].type])

    def parse(self, parsing: FormatParsing, view: FormatElement, extents: FormatElement) -> None:
        """Parse the type of the extents; the type of the view determines their number. Without an arrow there
        are none. Raises `ParseError` if an arrow follows and the operand is not a view.
        """
        (type,) = parsing.types[name_of(view)]
        parser, types = parsing.parser, list[Type]()
        if parser.accept("->"):
            types = [parse_type(parser)] * _rank(parsing, type, parsing.format.field(name_of(view)))
        parsing.types[f"result {name_of(extents)}"] = types


def _rank(parsing: FormatParsing, type: Type, declared: OperandField) -> int:
    if declared.constraint.matches(type):
        if isinstance(type, TensorViewType):
            return type.rank
        if isinstance(type, TileViewType):
            return type.index_rank
    wanted = "tensor_view" if declared.constraint is cuda_tile_constraints.TENSOR_VIEW else "tile view"
    raise parsing.parser.operation_error(f"expected {wanted}, got '{type}'", parsing.start)


# --- words

_EXPECTED: dict[type[EnumAttribute], str] = {
    cuda_tile_enums.SignednessAttr: "expected signedness to be one of: {'signed', 'unsigned'}",
    cuda_tile_enums.ComparisonOrderingAttr: "expected 'comparison_ordering' to be one of: {'ordered', 'unordered'}",
    cuda_tile_enums.AtomicRMWModeAttr: "unknown atomic RMW mode: '{word}'; expected one of: {cases}",
}
"""Attribute class -> message for a wrong keyword. For other classes it is ``expected 'name' to be one of:
{...}``.
"""


def parse_case(parser: Parser, attribute_class: type[EnumAttribute]) -> Attribute:
    """Parse a case of an enumeration as a bare keyword, in lower case; return its attribute. Raises
    `ParseError` for another keyword.
    """
    start = parser.position
    word = parser.optional_keyword()
    value = attribute_class.case(word) if word is not None and word.islower() else None
    if value is None:
        problem = parser.operation_error(_wrong_case(attribute_class, word or parser.peek()), start)
        problem.earlier = parser.no_keyword() if word is None else None
        raise problem
    return attribute_class(value)


def _wrong_case(attribute_class: type[EnumAttribute], word: str) -> str:
    cases = attribute_class.cases()
    message = _EXPECTED.get(attribute_class)
    if message is not None:
        return message.replace("{word}", word).replace("{cases}", ", ".join(cases))
    quoted = ", ".join(f"'{case}'" for case in cases)
    return f"expected '{attribute_class.name.partition('.')[2]}' to be one of: {{{quoted}}}"


class Word:
    """``custom<Word>($attribute)``: a case of an enumeration as a bare word: ``signed``, ``less_than``."""

    def print(self, printing: FormatPrinting, variable: FieldElement) -> None:
        """Print the case of the enumeration; print nothing if the attribute is missing."""
        attribute: Any = printing.op.attributes.get(printing.format.field(variable.name).ir_name)
        if attribute is not None:
            printing.printer.write(attribute.text)

    def parse(self, parsing: FormatParsing, variable: FieldElement) -> None:
        """Parse the case of an enumeration. Raises `ParseError` for another word, with the list of all cases."""
        declared = parsing.format.field(variable.name)
        parsing.attributes[declared.ir_name] = parse_case(parsing.parser, declared.kind.attribute_class)


class Choice(Word):
    """``custom<Choice>($attribute)``: a case of an enumeration as a bare word, such as ``addf``; a wrong word
    gives MLIR's own message.
    """

    def parse(self, parsing: FormatParsing, variable: FieldElement) -> None:
        """Parse the case of an enumeration. Raises `ParseError` for another word, with MLIR's message, which
        lists all cases.
        """
        declared = parsing.format.field(variable.name)
        parsing.attributes[declared.ir_name] = parse_choice(
            parsing.parser, declared.kind.attribute_class, variable.name
        )


def parse_choice(parser: Parser, attribute_class: type[Any], name: str) -> Any:
    """Parse a case of an enumeration as a bare keyword; return its attribute.

    Raises `ParseError` for another keyword, with MLIR's message for the attribute ``name``.
    """
    start = parser.position
    word = parser.optional_keyword() or ""
    value = attribute_class.case(word) if word.islower() else None
    if value is None:
        what = "expected string or keyword containing one of the following enum values for attribute"
        raise parser.operation_error(f"{what} '{name}' [{', '.join(attribute_class.cases())}]", start)
    return attribute_class(value)


class Rounding:
    """``custom<Rounding>($mode)``: ``rounding<zero>``, or nothing for the default mode."""

    def print(self, printing: FormatPrinting, variable: FieldElement) -> None:
        """Print the rounding mode, unless it is the default or the attribute is missing."""
        declared = printing.format.field(variable.name)
        attribute: Any = printing.op.attributes.get(declared.ir_name)
        if attribute is not None and attribute is not printing.format.default(declared):
            printing.printer.write(f"rounding<{attribute.text}>")

    def parse(self, parsing: FormatParsing, variable: FieldElement) -> None:
        """Parse the rounding mode, if the next keyword is ``rounding``; otherwise leave the attribute unset.
        Raises `ParseError` for a mode that the operation never has.
        """
        parser = parsing.parser
        if not parser.accept_keyword("rounding"):
            return
        parser.expect("<")
        start = parser.position
        word = parser.expect_keyword()
        modes: Sequence[cuda_tile_enums.RoundingMode] = getattr(
            parsing.format.kind.op_class, "rounding_modes", tuple(cuda_tile_enums.RoundingMode)
        )
        mode = cuda_tile_enums.RoundingModeAttr.case(word) if word.islower() else None
        if mode is None or mode not in modes:
            listed = ", ".join(f"'{mode.name.lower()}'" for mode in modes)
            raise parser.operation_error(
                f"expected rounding mode to be one of: {listed}, got: '{word}'", start
            )
        parser.expect(">")
        parsing.attributes[parsing.format.field(variable.name).ir_name] = cuda_tile_enums.RoundingModeAttr(
            mode
        )


class Visibility:
    """``custom<Visibility>($visibility)``: ``private``, or nothing for ``public``."""

    def print(self, printing: FormatPrinting, variable: FieldElement) -> None:
        """Print the visibility and a blank, unless it is ``public`` or the attribute is missing."""
        attribute: Any = printing.op.attributes.get("symbol_visibility")
        if attribute is not None and attribute.value is not cuda_tile_enums.SymbolVisibility.PUBLIC:
            printing.printer.write(f"{attribute.text} ")

    def parse(self, parsing: FormatParsing, variable: FieldElement) -> None:
        """Parse ``public`` or ``private``; without one of these keywords, set no attribute."""
        if parsing.parser.peek_keyword() in cuda_tile_enums.SymbolVisibilityAttr.cases():
            parsing.attributes["symbol_visibility"] = parse_case(
                parsing.parser, cuda_tile_enums.SymbolVisibilityAttr
            )


_PREDICATES: dict[str, type[cuda_tile_attributes.AssumePredicate]] = {
    "div_by": cuda_tile_attributes.DivByAttr,
    "same_elements": cuda_tile_attributes.SameElementsAttr,
    "bounded": cuda_tile_attributes.BoundedAttr,
}


class Predicate:
    """``custom<Predicate>($predicate)``: the predicate of an `assume` without ``#cuda_tile.``, such as
    ``div_by<16>``.
    """

    def print(self, printing: FormatPrinting, variable: FieldElement) -> None:
        """Print the predicate in the short spelling."""
        text = printing.printer.attribute_text(printing.op.attributes["predicate"])
        printing.printer.write(text.removeprefix(f"#{DIALECT}."))

    def parse(self, parsing: FormatParsing, variable: FieldElement) -> None:
        """Parse the predicate in the short spelling, such as ``div_by<16>``, or in the full one, which begins
        with ``#``. Raises `ParseError` for other text.
        """
        parser = parsing.parser
        start = parser.position
        parsing.attributes["predicate"] = self._full(parser) if parser.at("#") else self._short(parser, start)

    def _full(self, parser: Parser) -> Attribute:
        start = parser.position
        attribute = parser.parse_attribute()
        if not isinstance(attribute, cuda_tile_attributes.AssumePredicate):
            raise parser.operation_error("expected assume predicate attribute", start)
        return attribute

    def _short(self, parser: Parser, start: int) -> Attribute:
        word = parser.optional_keyword()
        if word is None and parser.optional_number() is not None:
            raise parser.operation_error("expected assume predicate attribute", start)
        if word is None:
            raise parser.no_keyword()
        if word not in _PREDICATES:
            expected = "(expected 'div_by', 'same_elements', or 'bounded')"
            raise parser.operation_error(f"unknown assume predicate attribute: {word} {expected}", start)
        return _PREDICATES[word].parse_parameters(parser)


# --- constants

_ELEMENT_NAMES = (
    "i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or "
    "f8E8M0FNU or f4E2M1FN or fnv8E5M3FNU values"
)


class Elements:
    """``custom<Elements>($value, type($result))``: ``<i32: [1, 2]> : tile<2xi32>``; the result may be missing."""

    def print(
        self, printing: FormatPrinting, variable: FieldElement, result: FormatElement | None = None
    ) -> None:
        """Print the element type, the elements, and the type of the constant. Equal elements are printed
        once, and more elements than the option `elide_elements_above` as ``__elided__``. An attribute that is
        not dense elements is not printed.
        """
        attribute, printer = (
            printing.op.attributes.get(printing.format.field(variable.name).ir_name),
            printing.printer,
        )
        if not isinstance(attribute, builtin_attributes.DenseElementsAttr):
            return
        attribute = compressed(attribute)
        limit = printer.options.elide_elements_above
        elided = limit is not None and attribute.count > limit and not attribute.is_splat
        text = "__elided__" if elided else literal_text(attribute, printer.options.hex_elements_above)
        printer.write(f"<{printer.short_type_text(attribute.element_type, DIALECT)}: {text}> : ")
        print_types(printer, [attribute.type])

    def parse(
        self, parsing: FormatParsing, variable: FieldElement, result: FormatElement | None = None
    ) -> None:
        """Parse the elements, and set the attribute `variable`, and the type of the operation's `result`
        unless it is None. Raises `ParseError` for elements that do not fit the type.
        """
        parser = parsing.parser
        parser.expect("<")
        start = parser.position
        element = parse_type(parser)
        if element not in ELEMENTS or str(element) == "i4":
            raise parser.operation_error(
                f"expect element type to be one of {_ELEMENT_NAMES}, but got '{element}'", start
            )
        parser.expect(":")
        literal = parser.parse_dense_literal()
        _check_elements(parser, element, literal)
        parser.expect(">")
        parser.expect(":")
        shaped = _tile_of(parser, element)
        attribute = compressed(literal.to_attribute(parser, shaped))
        parsing.attributes[parsing.format.field(variable.name).ir_name] = attribute
        if result is not None:
            set_types(parsing, result, shaped)


_LONGEST = 100
"""Integer literals of this many digits or more are rejected unread: they fit no type."""


def _integer(digits: str) -> int:
    return int(digits[1:], 16) if digits.startswith("x") else int(digits)


def _check_elements(parser: Parser, element: Type, literal: DenseLiteral) -> None:
    """Raise `ParseError` unless every element of ``literal`` is valid for the type ``element``: integers must
    fit it, read as signed or as unsigned. An empty literal is valid only if the next token is ``>``.
    """
    if not literal.elements and literal.raw is None and literal.shape is None and not parser.at(">"):
        raise parser.operation_error("expected integer value")
    if isinstance(element, builtin_types.IntegerType):
        _check_integers(parser, element, literal)
        return
    from tilewright.ir.text.dense_parser import element_pattern  # printing needs nothing of it

    for item in literal.elements:
        element_pattern(parser, element, item)


def _check_integers(parser: Parser, element: builtin_types.IntegerType, literal: DenseLiteral) -> None:
    """Raise `ParseError` unless every integer of ``literal`` fits into ``element``, read as signed or as
    unsigned, and ``true`` and ``false`` occur for i1 only. Literals with a decimal point are not checked.
    """
    lowest, highest = -(1 << (element.width - 1)), (1 << element.width) - 1
    for item in literal.elements:
        if item.literal in ("true", "false"):
            if element is not builtin_types.i1:
                raise parser.operation_error("expected integer value", item.position)
        elif "." not in item.literal:
            digits = item.literal.lstrip("0") or "0"
            value = _integer(digits) if len(digits) < _LONGEST else highest + 1
            if not lowest <= (-value if item.negative else value) <= highest:
                raise parser.operation_error("integer constant out of range for type", item.position)


def _tile_of(parser: Parser, element: Type) -> TileType:
    """Parse a tile type and return it. Raises `ParseError` for another type, and unless its element type is
    ``element``.
    """
    start = parser.position
    type = parse_type(parser)
    if not isinstance(type, TileType):
        words = f"result #0 must be tile of {_ELEMENT_NAMES}, but got '{type}'"
        raise parser.operation_error(words, start)
    if type.element_type is not element:
        message = (
            f"mismatch between the element type: '{element}' and the tile element type '{type.element_type}'"
        )
        raise parser.operation_error(message, start)
    return type


DIRECTIVES: dict[str, Any] = {
    "Choice": Choice(),
    "Elements": Elements(),
    "ExtentTypes": ExtentTypes(),
    "OneType": OneType(),
    "Predicate": Predicate(),
    "Rounding": Rounding(),
    "Visibility": Visibility(),
    "Word": Word(),
}
