"""The custom syntax of operations with regions: kernels, loops, branches, and the bodies of folds."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from tilewright.dialects.common.operand_lists import parse_assignments
from tilewright.dialects.cuda_tile.attributes import OptimizationHintsAttr
from tilewright.dialects.cuda_tile.syntax import custom as custom_syntax, memory as memory_syntax
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import UNIT, ArrayAttr, DictionaryAttr, StringAttr, TypeAttr
from tilewright.ir.builtin_types import FunctionType
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.text.format.spec import FieldElement
from tilewright.ir.text.hooks import CustomParse, OperandUse, RegionArgument, RegionRequest
from tilewright.ir.value import OpResult, Value

if TYPE_CHECKING:
    from tilewright.ir.text.format.parsing import FormatParsing
    from tilewright.ir.text.format.printing import FormatPrinting
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

_IN_ENTRY = ("sym_name", "function_type", "arg_attrs", "res_attrs", "optimization_hints")
"""Attributes of kernels that the text spells outside the attribute dictionary."""
_UNSIGNED = "unsignedCmp"


class For(Protocol):
    """The fields of a `for` operation that its syntax reads: `held_attributes`, `body`, `init_values`, and
    `operands`, which start with the two bounds and the step.
    """

    held_attributes: Mapping[str, Attribute]
    body: Region
    init_values: tuple[Value, ...]
    operands: tuple[Value, ...]


class Loop(Protocol):
    """The fields of a `loop` operation that its syntax reads: `held_attributes`, `body`, `init_values` and
    `results`.
    """

    held_attributes: Mapping[str, Attribute]
    body: Region
    init_values: tuple[Value, ...]
    results: tuple[OpResult, ...]


def _body(arguments: Sequence[RegionArgument] = (), *, isolated: bool = False) -> RegionRequest:
    return RegionRequest(arguments, isolated=isolated, default_dialect=custom_syntax.DIALECT)


def _filled(region: Region) -> Region:
    """Return ``region``, with an empty block added if the text was ``{}``; the parser adds the implied
    terminator.
    """
    if not region.blocks:
        region.append(Block())
    return region


# --- kernels


class Entry(Protocol):
    """The fields of a kernel that its syntax reads: `sym_name`, `function_type`, `arg_attrs`,
    `optimization_hints`, `body` and `held_attributes`.
    """

    arg_attrs: tuple[DictionaryAttr, ...] | None
    body: Region
    function_type: FunctionType
    optimization_hints: OptimizationHintsAttr | None
    sym_name: str

    @property
    def held_attributes(self) -> Mapping[str, Attribute]:
        """The inherent and discardable attributes of the entry."""
        ...


def print_entry(op: Entry, printer: Printer) -> None:
    """Print the text after the name of a kernel: `` @k(%x: tile<i32>) optimization_hints=<sm_90 = {occupancy
    = 2}> { ... } {attributes}``. The hints are left out if there are none, and the dictionary if the text
    before shows all attributes.
    """
    signature: FunctionType = op.function_type
    block = op.body.blocks[0] if op.body.blocks else None
    printer.write(" ")
    printer.print_symbol_name(op.sym_name)
    _print_parameters(printer, signature.inputs, op.held_attributes.get("arg_attrs"), block)
    _print_results(printer, signature.results, op.held_attributes.get("res_attrs"))
    hints = op.optimization_hints
    if hints is not None and hints.hints.entries:
        printer.write(" optimization_hints=")
        memory_syntax.print_hints(printer, hints)
    printer.write(" ")
    printer.print_region(op.body, print_entry_arguments=False)
    printer.print_attribute_dictionary(
        op.held_attributes, elided=_elided(op.held_attributes, custom_syntax.style_of(printer))
    )


def _elided(attributes: Mapping[str, Attribute], style: custom_syntax.TextStyle) -> list[str]:
    """Return the names of attributes that the dictionary after the body leaves out.

    In a style that is not terse, ``arg_attrs`` and ``res_attrs`` without any entry are kept: nothing else
    shows them.
    """
    shown = ("arg_attrs", "res_attrs") if not style.terse else ()
    return [name for name in _IN_ENTRY if name not in shown or any(_dictionaries(attributes.get(name)))]


def _dictionaries(attribute: Any) -> list[Any]:
    return [dictionary.entries for dictionary in attribute.elements] if attribute is not None else []


def _named(attributes: Any, number: int) -> Mapping[str, Attribute]:
    return dict(attributes.elements[number].entries) if attributes is not None else {}


def _print_parameters(printer: Printer, types: Sequence[Type], attributes: Any, block: Block | None) -> None:
    """Print ``(%x: tile<i32> {a}, ...)``: the types, with the names of the block's arguments (none without a
    block) and the attributes in ``attributes``, an array of one dictionary for each type, or None.
    """
    printer.write("(")
    for number, type in enumerate(types):
        printer.write(", " if number else "")
        if block is not None and number < len(block.arguments):
            printer.print_value(block.arguments[number])
            printer.write(": ")
        custom_syntax.print_types(printer, [type])
        printer.print_attribute_dictionary(_named(attributes, number))
        if block is not None and number < len(block.arguments) and not custom_syntax.style_of(printer).terse:
            printer.print_location(block.argument_location(number))
    printer.write(")")


def _print_results(printer: Printer, types: Sequence[Type], attributes: Any) -> None:
    """Print `` -> (tile<i32> {a})``, or nothing if there are no types. No kernel has results, but invalid
    operations can be printed, too.
    """
    printer.write(" -> (" if types else "")
    for number, type in enumerate(types):
        printer.write(", " if number else "")
        custom_syntax.print_types(printer, [type])
        printer.print_attribute_dictionary(_named(attributes, number))
    printer.write(")" if types else "")


def parse_entry(kind: OperationKind, parser: Parser) -> CustomParse:
    """Parse the name, parameters, results, hints, body and attribute dictionary of a kernel, as `print_entry`
    prints them. Yields a request for the body and returns the operation of ``kind``. Raises `ParseError` for
    other text.
    """
    attributes: dict[str, Attribute] = {"sym_name": StringAttr(parser.parse_symbol_name())}
    arguments, inputs, named = _parse_parameters(parser)
    results, of_results = _parse_results(parser)
    attributes["function_type"] = TypeAttr(FunctionType(tuple(inputs), tuple(results)))
    _store(attributes, "arg_attrs", named)
    _store(attributes, "res_attrs", of_results)
    if parser.accept_keyword("optimization_hints"):
        parser.expect("=")
        attributes["optimization_hints"] = memory_syntax.parse_hints(parser)
    body = yield _body(arguments, isolated=True)
    attributes.update(parser.optional_attribute_dictionary())
    return Operation.from_parts(kind, (), (), attributes, [_filled(body)])


def _store(attributes: dict[str, Attribute], name: str, named: Sequence[Mapping[str, Attribute]]) -> None:
    if any(named):
        attributes[name] = ArrayAttr(tuple(map(DictionaryAttr.of, named)))


def _parse_parameters(
    parser: Parser,
) -> tuple[list[RegionArgument], list[Type], list[Mapping[str, Attribute]]]:
    arguments: list[RegionArgument] = []
    named: list[Mapping[str, Attribute]] = []
    parser.expect("(")
    while not parser.accept(")"):
        if arguments:
            parser.expect(",")
        use = parser.parse_operand()
        parser.expect(":")
        type = custom_syntax.parse_type(parser)
        named.append(parser.optional_attribute_dictionary())
        arguments.append(RegionArgument(use, type, parser.optional_location()))
    return arguments, [argument.type for argument in arguments], named


def _parse_results(parser: Parser) -> tuple[list[Type], list[Mapping[str, Attribute]]]:
    types: list[Type] = []
    named: list[Mapping[str, Attribute]] = []
    if not parser.accept("->"):
        return types, named
    if not parser.accept("("):
        return [custom_syntax.parse_type(parser)], [{}]
    while not parser.accept(")"):
        if types:
            parser.expect(",")
        types.append(custom_syntax.parse_type(parser))
        named.append(parser.optional_attribute_dictionary())
    return types, named


# --- loops


def _print_carried(printer: Printer, arguments: Sequence[Value], values: Sequence[Value]) -> None:
    """Print ``iter_values(%x = %y, ...)``: each argument with its initial value."""
    pairs = zip(arguments, values, strict=False)
    text = ", ".join(f"{printer.names[argument]} = {printer.names[value]}" for argument, value in pairs)
    printer.write(f"iter_values({text})")


def _arguments(uses: Sequence[OperandUse], types: Sequence[Type]) -> list[RegionArgument]:
    return [RegionArgument(use, type) for use, type in zip(uses, types, strict=True)]


def print_for(op: For, printer: Printer) -> None:
    """Print `` unsigned %i in (%a to %b, step %s) : tile<i32> iter_values(%x = %y) -> (tile<f32>) { ... }``."""
    counter, *arguments = op.body.block.arguments
    printer.write(" unsigned " if _UNSIGNED in op.held_attributes else " ")
    names = [printer.names[value] for value in (counter, *op.operands[:3])]
    printer.write("{} in ({} to {}, step {}) : ".format(*names))
    custom_syntax.print_types(printer, [counter.type])
    printer.write(" ")
    if op.init_values:
        _print_carried(printer, arguments, op.init_values)
        printer.write(" -> (")
        custom_syntax.print_types(printer, [value.type for value in op.init_values])
        printer.write(") ")
    printer.print_region(op.body, print_entry_arguments=False, print_empty_terminator=False)
    printer.print_attribute_dictionary(op.held_attributes, elided=(_UNSIGNED,))


def parse_for(kind: OperationKind, parser: Parser) -> CustomParse:
    """Parse the counter and its range, the carried values, the body and the attribute dictionary of a `for`,
    as `print_for` prints them. Yields a request for the body and returns the operation of ``kind``. Raises
    `ParseError` for other text.
    """
    start = parser.position
    attributes: dict[str, Attribute] = {_UNSIGNED: UNIT} if parser.accept_keyword("unsigned") else {}
    counter, bounds = _parse_range(parser)
    parser.expect(":")
    type = custom_syntax.parse_type(parser)
    names, values, types = _parse_for_carried(parser)
    body = yield _body(_arguments([counter, *names], [type, *types]))
    operands = parser.resolve_all([*bounds, *values], [type, type, type, *types], start)
    attributes.update(parser.optional_attribute_dictionary())
    return Operation.from_parts(kind, operands, types, attributes, [_filled(body)])


def _parse_range(parser: Parser) -> tuple[OperandUse, list[OperandUse]]:
    """Parse ``%i in (%a to %b, step %s)``; return the counter, and the two bounds and the step."""
    counter = parser.parse_operand()
    expect_word(parser, "in")
    parser.expect("(")
    bounds = [parser.parse_operand()]
    expect_word(parser, "to")
    bounds.append(parser.parse_operand())
    parser.expect(",")
    expect_word(parser, "step")
    bounds.append(parser.parse_operand())
    parser.expect(")")
    return counter, bounds


def expect_word(parser: Parser, word: str) -> None:
    """Consume the keyword ``word``. Raises `ParseError` if another token is next."""
    if not parser.accept_keyword(word):
        raise parser.unexpected(f"'{word}'")


def _parse_for_carried(parser: Parser) -> tuple[list[OperandUse], list[OperandUse], list[Type]]:
    start = parser.position
    if not parser.accept_keyword("iter_values"):
        return [], [], []
    names, values = parse_assignments(parser)
    parser.expect("->")
    parser.expect("(")
    types = [] if parser.at(")") else custom_syntax.parse_types(parser)
    parser.expect(")")
    if len(types) != len(values):
        raise parser.operation_error("mismatch in number of loop-carried values and defined values", start)
    return names, values, types


def print_loop(op: Loop, printer: Printer) -> None:
    """Print `` iter_values(%x = %y) : tile<f32> -> tile<i32> { ... }``."""
    printer.write(" ")
    if op.init_values:
        _print_carried(printer, op.body.block.arguments, op.init_values)
        printer.write(" : ")
        custom_syntax.print_types(printer, [value.type for value in op.init_values])
        printer.write(" -> " if op.results else " ")
    elif op.results:
        printer.write(": ")
    if op.results:
        custom_syntax.print_types(printer, [value.type for value in op.results])
        printer.write(" ")
    printer.print_region(op.body, print_entry_arguments=False, print_empty_terminator=False)
    printer.print_attribute_dictionary(op.held_attributes)


def parse_loop(kind: OperationKind, parser: Parser) -> CustomParse:
    """Parse the carried values, the types of the results, the body and the attribute dictionary of a `loop`,
    as `print_loop` prints them. Yields a request for the body and returns the operation of ``kind``. Raises
    `ParseError` for other text.
    """
    start = parser.position
    names: list[OperandUse] = []
    values: list[OperandUse] = []
    types: list[Type] = []
    has_results = ":"
    if parser.accept_keyword("iter_values"):
        names, values = parse_assignments(parser)
        parser.expect(":")
        types = custom_syntax.parse_types(parser)
        has_results = "->"
    if len(types) != len(names):
        raise parser.operation_error("found different number of iter_values and types", start)
    results = custom_syntax.parse_types(parser) if parser.accept(has_results) else []
    body = yield _body(_arguments(names, types))
    operands = parser.resolve_all(values, types, start)
    attributes = parser.optional_attribute_dictionary()
    return Operation.from_parts(kind, operands, results, attributes, [_filled(body)])


# --- directives


class Branch:
    """``custom<Branch>($region)``: a block whose terminator may be implicit."""

    def print(self, printing: FormatPrinting, variable: FieldElement) -> None:
        """Print the region, without a `yield` that has no operands."""
        for region in _regions(printing, variable):
            printing.printer.print_region(region, print_entry_arguments=False, print_empty_terminator=False)

    def parse(self, parsing: FormatParsing, variable: FieldElement) -> Generator[RegionRequest, Region]:
        """Parse the region of the branch: yield a request for it, and store the region as the field of the
        directive. An empty region gets a block.
        """
        region = yield _body()
        parsing.regions[variable.name] = [_filled(region)]


def _regions(printing: FormatPrinting, variable: FieldElement) -> Sequence[Region]:
    position = printing.format.kind.regions.index(printing.format.field(variable.name))
    return printing.op.regions[position : position + 1]


class FoldBody:
    """``custom<FoldBody>($body)``: a line ``(%element: type, %accumulator: type) { ... }``."""

    def print(self, printing: FormatPrinting, variable: FieldElement) -> None:
        """Print the arguments of the region, then the region."""
        printer = printing.printer
        printer.print_newline()
        for region in _regions(printing, variable):
            block = region.blocks[0] if region.blocks else None
            types = [argument.type for argument in block.arguments] if block is not None else []
            _print_parameters(printer, types, None, block)
            printer.write(" ")
            printer.print_region(region, print_entry_arguments=False)

    def parse(self, parsing: FormatParsing, variable: FieldElement) -> Generator[RegionRequest, Region]:
        """Parse the arguments of the region, then the region: yield a request for it, and store the region as
        the field of the directive.
        """
        arguments, _, _ = _parse_parameters(parsing.parser)
        region = yield _body(arguments)
        parsing.regions[variable.name] = [region]


CONTROL_DIRECTIVES: dict[str, Any] = {"Branch": Branch(), "FoldBody": FoldBody()}
