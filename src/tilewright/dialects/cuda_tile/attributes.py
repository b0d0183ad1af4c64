"""Structured attributes of Tile IR: assume predicates, optimization hints, debug information."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from tilewright.ir import builtin_attributes, location as ir_location, uniquer
from tilewright.ir.attribute import Attribute, Location
from tilewright.ir.support.demangling import source_name

if TYPE_CHECKING:
    from tilewright.ir.text.parser import AttributeParser
    from tilewright.ir.text.printer import Printer

MAXIMUM_DIVISOR = 1 << 62


class AssumePredicate(Attribute):
    """The base of the predicates of `assume`: `div_by`, `same_elements` and `bounded`."""


class DivByAttr(AssumePredicate):
    """``div_by<16>``, ``div_by<4, every 2 along 0>``: elements (or the first of each group) are multiples of
    the divisor.

    With ``every`` and ``along``, dimension ``along`` is cut into groups of ``every`` elements that count up
    from a multiple of ``divisor``. The legal forms depend on the value; `assume` checks them.
    """

    name: ClassVar[str] = "cuda_tile.div_by"
    divisor: int
    every: int | None = None
    along: int | None = None

    def print_parameters(self, printer: Printer) -> None:
        group = "" if self.every is None else f", every {self.every} along {self.along}"
        printer.write(f"<{self.divisor}{group}>")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        divisor = parser.parse_integer()
        every = along = None
        if parser.accept(","):
            if parser.accept_keyword("every"):
                every = parser.parse_integer()
            if parser.accept_keyword("along"):
                along = parser.parse_integer()
        parser.expect(">")
        return cls(divisor, every, along)


class SameElementsAttr(AssumePredicate):
    """States that groups of consecutive elements are equal; the group size is given for each dimension:
    ``same_elements<[1, 4]>``.
    """

    name: ClassVar[str] = "cuda_tile.same_elements"
    values: tuple[int, ...]

    def print_parameters(self, printer: Printer) -> None:
        printer.write(f"<[{', '.join(map(str, self.values))}]>")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        parser.expect("[")
        values: list[int] = []
        while not parser.accept("]"):
            if values:
                parser.expect(",")
            values.append(parser.parse_integer())
        parser.expect(">")
        return cls(tuple(values))


class BoundedAttr(AssumePredicate):
    """States that elements are in a signed range, both ends included: ``bounded<0, ?>``; ``?`` (None) is no
    bound.
    """

    name: ClassVar[str] = "cuda_tile.bounded"
    lower: int | None = None
    upper: int | None = None

    def print_parameters(self, printer: Printer) -> None:
        bounds = ["?" if bound is None else str(bound) for bound in (self.lower, self.upper)]
        printer.write(f"<{', '.join(bounds)}>")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        lower = None if parser.accept("?") else parser.parse_integer()
        parser.expect(",")
        upper = None if parser.accept("?") else parser.parse_integer()
        parser.expect(">")
        return cls(lower, upper)


class OptimizationHintsAttr(Attribute):
    """Hints for the compiler by target, which never change results: ``#cuda_tile.optimization_hints<sm_90 =
    {latency = 3}>``.
    """

    name: ClassVar[str] = "cuda_tile.optimization_hints"
    hints: builtin_attributes.DictionaryAttr = builtin_attributes.DictionaryAttr()

    def verify_parameters(self) -> None:
        for key, value in self.hints:
            if not isinstance(value, builtin_attributes.DictionaryAttr):
                raise uniquer.InvalidParameters(
                    f"expected dictionary attribute for optimization_hints entry `{key}` got value={value}"
                )

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<")
        for position, (key, value) in enumerate(self.hints):
            printer.write(f"{', ' if position else ''}{key} = ")
            printer.print_attribute(value)
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        entries: list[tuple[str, Attribute]] = []
        while not parser.accept(">"):
            if entries:
                parser.expect(",")
            key = parser.expect_keyword()
            if any(key == known for known, _ in entries):
                raise parser.error(f"duplicate optimization_hints key `{key}`")
            parser.expect("=")
            entries.append((key, parser.parse_attribute()))
        return cls(builtin_attributes.DictionaryAttr(tuple(entries)))

    def for_target(self, target: str) -> builtin_attributes.DictionaryAttr | None:
        """Return the hints of a target (``sm_90``), or the default ones if it has none; None without either."""
        found = self.hints.get(target) or self.hints.get("default")
        return found if isinstance(found, builtin_attributes.DictionaryAttr) else None


class DebugAttribute(Attribute):
    """Base of debug-information attributes; prints its parameters as ``<name = value, ...>``, without
    parameters that are None or have their default.

    ``text_names`` are spellings of parameters in text; ``nested`` has the class of parameters that admit no
    other, whose name the text omits (``file = <"a.py" in "/">``). ``words`` are numbers that text spells as
    words.
    """

    text_names: ClassVar[dict[str, str]] = {}
    words: ClassVar[dict[str, dict[int, str]]] = {}
    nested: ClassVar[dict[str, type[Attribute]]] = {}

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<")
        separator = ""
        for parameter in type(self).parameters:
            value: Any = getattr(self, parameter)
            if value is None or value == type(self).parameter_defaults.get(parameter):
                continue
            printer.write(f"{separator}{type(self).text_names.get(parameter, parameter)} = ")
            separator = ", "
            if isinstance(value, Attribute):
                implied = f"#{value.name}" if parameter in self.nested else ""
                printer.write(printer.attribute_text(value).removeprefix(implied))
            elif isinstance(value, str):
                printer.print_string(value)
            else:
                printer.write(self.words.get(parameter, {}).get(value) or str(value))
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        names = {cls.text_names.get(parameter, parameter): parameter for parameter in cls.parameters}
        values: dict[str, Any] = {}
        parser.expect("<")
        while not values or not parser.accept(">"):
            if values:
                parser.expect(",")
            word = parser.optional_keyword()
            if word is None:
                raise parser.error("expected a parameter name in struct")
            if word not in names:
                raise parser.error(f"unknown parameter '{word}' of #{cls.name}")
            parser.expect("=")
            values[names[word]] = cls.parse_parameter(parser, names[word])
        cls._check_complete(parser, names, values)
        return cls(**values)

    @classmethod
    def _check_complete(cls, parser: AttributeParser, names: dict[str, str], values: dict[str, Any]) -> None:
        for word, parameter in names.items():
            if parameter not in values and parameter not in cls.parameter_defaults:
                raise parser.error(f"struct is missing required parameter: {word}")

    @classmethod
    def parse_parameter(cls, parser: AttributeParser, parameter: str) -> Any:
        """Parse the value of one parameter: a number, a word that stands for a number, a string or an
        attribute.
        """
        word = parser.peek_keyword() if parameter in cls.words else None
        if word is not None:
            return cls._parse_word(parser, parameter)
        if parameter in ("line", "column", "scope_line", "flags"):
            return parser.parse_integer()
        if parameter in ("label", "linkage_name"):
            return parser.parse_string()
        if parameter in cls.nested and parser.at("<"):
            return cls.nested[parameter].parse_parameters(parser)
        return parser.parse_attribute()

    @classmethod
    def _parse_word(cls, parser: AttributeParser, parameter: str) -> int:
        start = parser.position
        word = parser.expect_keyword()
        number = next((number for number, text in cls.words[parameter].items() if text == word), None)
        if number is None:
            known = ", ".join(cls.words[parameter].values())
            raise parser.error(f"unknown {parameter} '{word}', expected {known}", start)
        return number


class DIFileAttr(Attribute):
    """A file of debug information: ``#cuda_tile.di_file<"foo.py" in "/home/x">``."""

    name: ClassVar[str] = "cuda_tile.di_file"
    alias_name: ClassVar[str] = "di_file"
    file_name: str
    directory: str

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<")
        printer.print_string(self.file_name)
        printer.write(" in ")
        printer.print_string(self.directory)
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        file_name = parser.parse_string()
        if not parser.accept_keyword("in"):
            raise parser.error("expected 'in' between file name and directory")
        directory = parser.parse_string()
        parser.expect(">")
        return cls(file_name, directory)


class DICompileUnitAttr(DebugAttribute):
    """A compile unit of debug information: ``#cuda_tile.di_compile_unit<file = #file>``."""

    name: ClassVar[str] = "cuda_tile.di_compile_unit"
    alias_name: ClassVar[str] = "di_compile_unit"
    nested: ClassVar[dict[str, type[Attribute]]] = {"file": DIFileAttr}
    file: DIFileAttr


class DISubprogramAttr(DebugAttribute):
    """A function of the source program: its file and line, its name (``label``) and linkage name, its compile
    unit, and the line where its scope begins. The ``flags`` (1: a declaration) exist from version 13.5 on.
    """

    name: ClassVar[str] = "cuda_tile.di_subprogram"
    alias_name: ClassVar[str] = "di_subprogram"
    text_names: ClassVar[dict[str, str]] = {
        "label": "name",
        "linkage_name": "linkageName",
        "compile_unit": "compileUnit",
        "scope_line": "scopeLine",
    }
    nested: ClassVar[dict[str, type[Attribute]]] = {"file": DIFileAttr, "compile_unit": DICompileUnitAttr}
    words: ClassVar[dict[str, dict[int, str]]] = {"flags": {1: "declaration"}}
    file: DIFileAttr
    line: int
    label: str
    linkage_name: str
    compile_unit: DICompileUnitAttr
    scope_line: int = 0
    flags: int | None = None


class DILexicalBlockAttr(DebugAttribute):
    """A block of the source program: the subprogram or block around it (``scope``), its file, line and
    column.
    """

    name: ClassVar[str] = "cuda_tile.di_lexical_block"
    alias_name: ClassVar[str] = "di_lexical_block"
    nested: ClassVar[dict[str, type[Attribute]]] = {"file": DIFileAttr}
    scope: Attribute
    file: DIFileAttr
    line: int
    column: int


class DILocation(Location):
    """``#cuda_tile.di_loc<loc("foo.py":10:1) in #scope>``: a source position with its debug scope."""

    name: ClassVar[str] = "cuda_tile.di_loc"
    alias_name: ClassVar[str] = "loc"
    location: ir_location.FileLineColLocation
    scope: Attribute

    @property
    def source(self) -> tuple[str, int, int] | None:
        return self.location.source

    @property
    def subprogram(self) -> DISubprogramAttr | None:
        """The subprogram at the end of the scope chain; None if the chain ends in another attribute."""
        scope: Any = self.scope
        while isinstance(scope, DILexicalBlockAttr):
            scope = scope.scope
        return scope if isinstance(scope, DISubprogramAttr) else None

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<")
        printer.print_attribute(self.location)
        printer.write(" in ")
        printer.print_attribute(self.scope)
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        location = parser.parse_attribute() if parser.at("#") else parser.parse_location()
        if not parser.accept_keyword("in"):
            raise parser.error("expected 'in' between location and scope")
        scope = parser.parse_attribute()
        parser.expect(">")
        if not isinstance(location, ir_location.FileLineColLocation):
            raise parser.error("the location of a di_loc must be a file, line and column")
        return cls(location, scope)


def function_name(location: Location, symbol: str) -> str:
    """Return the user's name of the function called ``symbol``: its name in the debug information of
    ``location``, if the linkage name there is ``symbol``, or else ``symbol``. Names of C++ are demangled.
    """
    found = location.subprogram if isinstance(location, DILocation) else None
    return source_name(found.label if found is not None and found.linkage_name == symbol else symbol)


STRUCTURED_ATTRIBUTES: tuple[type[Attribute], ...] = (
    DivByAttr,
    SameElementsAttr,
    BoundedAttr,
    OptimizationHintsAttr,
    DIFileAttr,
    DICompileUnitAttr,
    DISubprogramAttr,
    DILexicalBlockAttr,
    DILocation,
)
