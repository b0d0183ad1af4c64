"""The ``custom<...>`` directives of memory operations: memory orders, hints, ``inbounds``, indices, extents
of views.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tilewright.dialects.cuda_tile import enums as cuda_tile_enums, types as cuda_tile_types
from tilewright.dialects.cuda_tile.attributes import OptimizationHintsAttr
from tilewright.dialects.cuda_tile.syntax.custom import parse_choice, parse_type, print_types, style_of
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import DenseArrayAttr, DictionaryAttr, IntegerAttr
from tilewright.ir.builtin_types import DYNAMIC, i1, i32
from tilewright.ir.declaration import attribute_kind, kind as declaration_kind
from tilewright.ir.text.format.spec import FieldElement, FormatElement
from tilewright.ir.text.hooks import OperandUse
from tilewright.ir.uniquer import InvalidParameters
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text.format.parsing import FormatParsing
    from tilewright.ir.text.format.printing import FormatPrinting
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

_ORDER, _SCOPE = "memory_ordering_semantics", "memory_scope"
_FLAGS = attribute_kind.DenseArrayKind(i1)


class Order:
    """``custom<Order>($memory_ordering_semantics, $memory_scope)``: ``weak``, ``acquire device``.

    The verifier checks the combination.
    """

    def print(self, printing: FormatPrinting, order: FieldElement, scope: FieldElement) -> None:
        """Print the memory ordering and, if there is one, the scope."""
        found: list[Any] = [printing.op.attributes.get(name) for name in (_ORDER, _SCOPE)]
        printing.printer.write(" ".join(attribute.text for attribute in found if attribute is not None))

    def parse(self, parsing: FormatParsing, order: FieldElement, scope: FieldElement) -> None:
        """Parse the memory ordering and, if there is one, the scope."""
        parser = parsing.parser
        parsing.attributes[_ORDER] = parse_choice(parser, cuda_tile_enums.MemoryOrderingSemanticsAttr, _ORDER)
        if parser.peek_keyword() in cuda_tile_enums.MemoryScopeAttr.cases():
            parsing.attributes[_SCOPE] = parse_choice(parser, cuda_tile_enums.MemoryScopeAttr, _SCOPE)


class StrictOrder(Order):
    """``custom<StrictOrder>(...)``: the memory ordering and its scope, ``weak`` or ``acquire device``; a
    scope after ``weak`` is a parse error.
    """

    def parse(self, parsing: FormatParsing, order: FieldElement, scope: FieldElement) -> None:
        """Parse the memory ordering and, if a word follows, the scope. Raises `ParseError` for any other
        word, and for a scope after ``weak``.
        """
        parser = parsing.parser
        semantics = _case(parser, cuda_tile_enums.MemoryOrderingSemanticsAttr)
        parsing.attributes[_ORDER] = semantics
        word = parser.peek_keyword()
        if word is None:
            return
        if semantics.value is cuda_tile_enums.MemoryOrderingSemantics.WEAK:
            raise parser.operation_error(
                "operation specifies weak memory ordering semantics, but then provides "
                f'"{word}" scope, expected no memory scope.'
            )
        parsing.attributes[_SCOPE] = _case(parser, cuda_tile_enums.MemoryScopeAttr)


def _case(parser: Parser, attribute_class: type[Any]) -> Any:
    start = parser.position
    word = parser.optional_keyword() or ""
    value = attribute_class.case(word) if word.islower() else None
    if value is None:
        name = attribute_class.name.partition(".")[2]
        expected = ", ".join(attribute_class.cases())
        message = f'invalid {name} attribute specification. Got "{word}" but expect one of: {expected}'
        raise parser.operation_error(message, start)
    return attribute_class(value)


class Hints:
    """``custom<Hints>($optimization_hints)``: ``<sm_90 = {latency = 3}>``; numbers are 32 bits wide unless
    the text states a type.
    """

    def print(self, printing: FormatPrinting, variable: FieldElement) -> None:
        """Print the hints in brackets."""
        print_hints(printing.printer, printing.op.attributes.get("optimization_hints"))

    def parse(self, parsing: FormatParsing, variable: FieldElement) -> None:
        """Parse the hints in brackets."""
        parsing.attributes["optimization_hints"] = parse_hints(parsing.parser)


def print_hints(printer: Printer, attribute: Any) -> None:
    """Print the hints in `attribute`, an `OptimizationHintsAttr`: ``<sm_90 = {latency = 3}>``."""
    targets = [
        f"{target} = {{{', '.join(f'{key} = {_hint(printer, value)}' for key, value in entries)}}}"
        for target, entries in attribute.hints
    ]
    printer.write(f"<{', '.join(targets)}>")


def _hint(printer: Printer, value: Attribute) -> str:
    is_short = isinstance(value, IntegerAttr) and value.type is i32
    if is_short or style_of(printer).terse:
        return printer.untyped_text(value)
    if isinstance(value, IntegerAttr) and value.type is not i1:
        return f"{printer.untyped_text(value)} : {printer.attribute_text(value.type)}"
    return printer.attribute_text(value)


def parse_hints(parser: Parser) -> OptimizationHintsAttr:
    """Parse ``<sm_90 = {latency = 3}>``, or the attribute by its full name, and return it. Integers without a
    type are 32 bits wide. Raises `ParseError` for invalid hints, and for a target or key that occurs twice.
    """
    if parser.at("#"):
        return _full_hints(parser)
    start = parser.position
    parser.expect("<")
    targets: dict[str, Attribute] = {}
    while not parser.accept(">"):
        if targets:
            parser.expect(",")
        place = parser.position
        target = parser.parse_keyword_or_string("valid keyword or string")
        if target in targets:
            raise parser.operation_error(f"duplicate optimization_hints key `{target}`", place)
        parser.expect("=")
        targets[target] = _parse_entries(parser) if parser.at("{") else parser.parse_attribute()
    try:
        return OptimizationHintsAttr(DictionaryAttr.of(targets))
    except InvalidParameters as problem:
        raise parser.operation_error(str(problem), start) from problem


def _full_hints(parser: Parser) -> OptimizationHintsAttr:
    start = parser.position
    attribute = parser.parse_attribute()
    if not isinstance(attribute, OptimizationHintsAttr):
        raise parser.operation_error("expected optimization hints", start)
    return attribute


def _parse_entries(parser: Parser) -> DictionaryAttr:
    entries: dict[str, Attribute] = {}
    parser.expect("{")
    while not parser.accept("}"):
        if entries:
            parser.expect(",")
        place = parser.position
        key = parser.parse_keyword_or_string("attribute name")
        if key in entries:
            raise parser.operation_error(f"duplicate key '{key}' in dictionary attribute", place)
        parser.expect("=")
        entries[key] = _parse_hint(parser)
    return DictionaryAttr.of(entries)


def _parse_hint(parser: Parser) -> Attribute:
    start = parser.position
    attribute = parser.parse_attribute()
    text = parser.text[start : parser.position]
    if isinstance(attribute, IntegerAttr) and ":" not in text and attribute.type is not i1:
        return parser.number(i32, attribute.value < 0, str(abs(attribute.value)), start)
    return attribute


class InBounds:
    """``custom<InBounds>($inbounds)``: `` inbounds = [true, false]``."""

    def present(self, printing: FormatPrinting, variable: FieldElement) -> bool:
        """Return whether ``inbounds`` is to be printed: it has a true element, or exists and the style is not
        terse.
        """
        attribute = printing.op.attributes.get("inbounds")
        if not isinstance(attribute, DenseArrayAttr):
            return False
        return any(attribute.values) or not style_of(printing.printer).terse

    def print(self, printing: FormatPrinting, variable: FieldElement) -> None:
        """Print ``inbounds = [...]``, if `present`."""
        if self.present(printing, variable):
            printing.printer.write("inbounds = ")
            _FLAGS.print_short(printing.op.attributes["inbounds"], printing.printer)

    def at(self, parser: Parser) -> bool:
        """Return whether the next token is ``inbounds``."""
        return parser.peek_keyword() == "inbounds"

    def parse(self, parsing: FormatParsing, variable: FieldElement) -> None:
        """Parse ``inbounds = [...]``, if it comes next."""
        if parsing.parser.accept_keyword("inbounds"):
            parsing.parser.expect("=")
            parsing.attributes["inbounds"] = _FLAGS.parse_short(parsing.parser)


class IndexTypes:
    """``custom<IndexTypes>($index)``: ``, type`` for all indices, or one per index if the types differ.

    With ``custom<IndexTypes>($index, $token)`` the type of the token comes last.
    """

    def print(self, printing: FormatPrinting, index: FieldElement, token: FieldElement | None = None) -> None:
        """Print the types of the indices, each after a comma, or one type if all are equal; then the type of
        the token, if there is one.
        """
        types = [value.type for value in printing.values(index.name)]
        shown = types[:1] if len(set(types)) == 1 else types
        if token is not None:
            shown = [*shown, *[value.type for value in printing.values(token.name)]]
        for type in shown:
            printing.printer.write(", ")
            print_types(printing.printer, [type])

    def parse(self, parsing: FormatParsing, index: FieldElement, token: FieldElement | None = None) -> None:
        """Parse the types of the indices: one for each, or one for all. If the operand `token` is present,
        the last type is the type of the token.

        Raises `ParseError` for another number of types.
        """
        parser = parsing.parser
        count = len(parsing.uses.get(index.name, ()))
        start, types = parser.position, list[Type]()
        while parser.accept(","):
            types.append(parse_type(parser))
        if token is not None and parsing.uses.get(token.name) and types:
            parsing.types[token.name] = [types.pop()]
        if count and not types:
            raise parser.operation_error("index types must be specified when indices are present")
        if len(types) == 1:
            types *= count
        if len(types) != count:
            raise parser.operation_error(f"expected {count} index types, got {len(types)}", start)
        parsing.types[index.name] = types


class LaneTypes:
    """``custom<LaneTypes>($mask, $padding)``: ``, type`` for each of the two operands that is present.

    The text does not distinguish the operands; a single operand that is not a mask is the padding.
    """

    def print(self, printing: FormatPrinting, mask: FieldElement, padding: FieldElement) -> None:
        """Print the types of mask and padding, each after a comma."""
        for variable in (mask, padding):
            for value in printing.values(variable.name):
                printing.printer.write(", ")
                print_types(printing.printer, [value.type])

    def parse(self, parsing: FormatParsing, mask: FieldElement, padding: FieldElement) -> None:
        """Parse a type for each operand that is there. A single operand whose type is not a mask (`_is_mask`)
        becomes the padding.
        """
        uses = parsing.uses
        for variable in (mask, padding):
            if uses.get(variable.name):
                parsing.parser.expect(",")
                parsing.types[variable.name] = [parse_type(parsing.parser)]
        types = parsing.types.get(mask.name)
        if types and not uses.get(padding.name) and not _is_mask(types[0]):
            uses[padding.name], parsing.types[padding.name] = (
                uses.pop(mask.name),
                parsing.types.pop(mask.name),
            )


def _is_mask(type: Type) -> bool:
    """Return whether a single operand of this type is parsed as the mask: a tile of i1, or of pointers, which
    is an error but never padding.
    """
    return isinstance(type, cuda_tile_types.TileType) and (
        type.element_type is i1 or isinstance(type.element_type, cuda_tile_types.PointerType)
    )


class Extents:
    """``custom<Extents>($base, $dynamic_shape, $dynamic_strides, type($result))``: the syntax of
    `make_tensor_view` after the base. ``shape = [%n, 32], strides = [32, 1] : tile<i64> ->
    tensor_view<?x32xf32, strides=[32,1]>``: each number repeats the extent or stride in the type, and an
    operand stands for each ``?``.
    """

    def print(
        self,
        printing: FormatPrinting,
        base: FieldElement,
        shape: FieldElement,
        strides: FieldElement,
        result: FormatElement,
    ) -> None:
        """Print the extents, strides, remaining attributes and types. The type of the base is left out if it
        is a pointer without attribute to the elements of the view.
        """
        op, printer = printing.op, printing.printer
        view: Any = op.results[0].type
        sizes, steps = printing.values(shape.name), printing.values(strides.name)
        printer.write(f"shape = [{_mixed(printer, view.shape, sizes)}], ")
        printer.write(f"strides = [{_mixed(printer, view.strides, steps)}]")
        printer.print_attribute_dictionary(op.attributes, elided=(declaration_kind.OPERAND_SEGMENTS,))
        printer.write(" : ")
        shown = [value.type for value in (*sizes, *steps)[:1]]
        pointer = op.operands[0].type
        if pointer is not _plain_pointer(view):
            shown.insert(0, pointer)
        print_types(printer, shown)
        printer.write(" -> " if shown else "")
        print_types(printer, [view])

    def parse(
        self,
        parsing: FormatParsing,
        base: FieldElement,
        shape: FieldElement,
        strides: FieldElement,
        result: FormatElement,
    ) -> None:
        """Parse the extents, strides, an optional attribute dictionary and the types. Raises `ParseError` if
        they do not agree, or if the type of the operands is missing.
        """
        parser = parsing.parser
        sizes = _MixedList(parser, "shape")
        parser.expect(",")
        steps = _MixedList(parser, "strides")
        parsing.attributes.update(parser.optional_attribute_dictionary())
        parser.expect(":")
        view, shown = _view_type(parser)
        sizes.check(parser, "shape", view.shape)
        steps.check(parser, "stride", view.strides)
        parsing.uses[shape.name], parsing.uses[strides.name] = sizes.uses, steps.uses
        number = shown.pop() if shown and (sizes.uses or steps.uses) else None
        pointer = shown.pop() if shown else _plain_pointer(view)
        if number is None and (sizes.uses or steps.uses):
            raise parser.operation_error("expected the type of the dynamic shape and strides before '->'")
        parsing.types[base.name] = [pointer]
        parsing.types[shape.name] = [number] * len(sizes.uses) if number else []
        parsing.types[strides.name] = [number] * len(steps.uses) if number else []
        parsing.types["result result"] = [view]


def _plain_pointer(view: cuda_tile_types.TensorViewType) -> Type:
    return cuda_tile_types.TileType((), cuda_tile_types.PointerType(view.element_type))


def _mixed(printer: Printer, extents: Sequence[int], values: Sequence[Value]) -> str:
    """Return extents as text, separated by commas: a number, or for a dynamic extent the name of the next
    value in ``values``, or ``?`` if no value is left.
    """
    names = iter([printer.names[value] for value in values])
    return ", ".join(next(names, "?") if extent == DYNAMIC else str(extent) for extent in extents)


def _view_type(parser: Parser) -> tuple[cuda_tile_types.TensorViewType, list[Type]]:
    """Parse ``pointer, type -> view``, where the pointer, or both and the arrow, may be missing. Return the
    type of the view and the types before it. Raises `ParseError` if the last type is not a `tensor_view`.
    """
    shown = [parse_type(parser)]
    while parser.accept(","):
        shown.append(parse_type(parser))
    if parser.accept("->"):
        shown.append(parse_type(parser))
    view = shown.pop()
    if not isinstance(view, cuda_tile_types.TensorViewType):
        raise parser.operation_error(f"expected 'tensor_view' type, but got '{view}'")
    return view, shown


class _MixedList:
    """``word = [%n, 32]``: a list of numbers and operands, parsed by the constructor, which raises
    `ParseError` for other text. ``extents`` has the numbers, and `DYNAMIC` for each operand; ``uses`` has the
    operands.
    """

    def __init__(self, parser: Parser, word: str) -> None:
        self.extents: list[int] = []
        self.places: list[int] = []
        self.uses: list[OperandUse] = []
        if not parser.accept_keyword(word):
            raise parser.unexpected(f"'{word}'")
        parser.expect("=")
        self.start = parser.position
        parser.expect("[")
        while not parser.accept("]"):
            if self.extents:
                parser.expect(",")
            self._element(parser)

    def _element(self, parser: Parser) -> None:
        self.places.append(parser.position)
        use = parser.optional_operand()
        if use is not None:
            self.uses.append(use)
            self.extents.append(DYNAMIC)
        elif parser.at("-") or parser.peek().isdigit():
            self.extents.append(parser.parse_integer())
        else:
            raise parser.operation_error("expected either integer or SSA value")

    def check(self, parser: Parser, word: str, expected: Sequence[int]) -> None:
        """Raise `ParseError` unless the list equals ``expected``, the extents or strides of the type, where
        an operand equals `DYNAMIC` only. ``word`` names the list in the message.
        """
        if len(expected) != len(self.extents):
            message = (
                f"expected {word} declaration to contain {len(expected)} elements due to tensor_view type"
            )
            raise parser.operation_error(f"{message}, but {len(self.extents)} were provided", self.start)
        for position, (given, wanted) in enumerate(zip(self.extents, expected, strict=True)):
            if given != wanted:
                texts = ["dynamic" if extent == DYNAMIC else str(extent) for extent in (wanted, given)]
                message = f"input {word} dimension {position} does not match tensor_view type"
                place = self.places[position]
                raise parser.operation_error(f"{message} (expected {texts[0]}, got {texts[1]})", place)


MEMORY_DIRECTIVES: dict[str, Any] = {
    "Extents": Extents(),
    "Hints": Hints(),
    "IndexTypes": IndexTypes(),
    "LaneTypes": LaneTypes(),
    "Order": Order(),
    "InBounds": InBounds(),
    "StrictOrder": StrictOrder(),
}
