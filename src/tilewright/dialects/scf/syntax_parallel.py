"""The custom syntax of parallel loops and of the branch on an index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from tilewright.dialects.common import operand_lists
from tilewright.dialects.scf.syntax import print_initial, region_arguments
from tilewright.ir import block as ir_block, builtin_attributes
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_types import FunctionType, i64, index
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS, OperationKind, segments
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import CustomParse, OperandUse, RegionRequest
from tilewright.ir.value import OpResult, Value

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

BOUNDS = ("staticLowerBound", "staticUpperBound", "staticStep")


class Parallel(Protocol):
    """A parallel loop as `print_parallel` reads it: `lowerBound`, `upperBound` and `step` of each dimension,
    the initial values `initVals`, `region`, `results` and `held_attributes`.
    """

    held_attributes: Mapping[str, Attribute]
    initVals: tuple[Value, ...]
    lowerBound: tuple[Value, ...]
    region: ir_block.Region
    results: tuple[OpResult, ...]
    step: tuple[Value, ...]
    upperBound: tuple[Value, ...]


class Forall(Protocol):
    """A `forall` as `print_forall` reads it: bounds and steps as numbers (`staticLowerBound` and so on) and
    operands (`dynamicLowerBound` and so on), `outputs`, `region`, `results` and `held_attributes`.
    """

    held_attributes: Mapping[str, Attribute]
    dynamicLowerBound: tuple[Value, ...]
    dynamicStep: tuple[Value, ...]
    dynamicUpperBound: tuple[Value, ...]
    outputs: tuple[Value, ...]
    region: ir_block.Region
    results: tuple[OpResult, ...]
    staticLowerBound: tuple[int, ...]
    staticStep: tuple[int, ...]
    staticUpperBound: tuple[int, ...]


class InParallel(Protocol):
    """An `in_parallel` as `print_in_parallel` reads it: its `region`, and its attributes in
    `held_attributes`.
    """

    held_attributes: Mapping[str, Attribute]
    region: ir_block.Region


def _print_operands(printer: text_printer.Printer, word: str, values: Sequence[Any]) -> None:
    printer.write(f" {word}(" if word else "(")
    printer.print_operands(values)
    printer.write(")")


def _parse_operands(parser: text_parser.Parser) -> list[OperandUse]:
    parser.expect("(")
    uses = parser.parse_operands()
    parser.expect(")")
    return uses


def expect_keyword(parser: text_parser.Parser, word: str) -> None:
    """Parse a required keyword. Raises `ParseError` for anything else."""
    if not parser.accept_keyword(word):
        raise parser.unexpected(f"'{word}'")


def print_parallel(op: Parallel, printer: text_printer.Printer) -> None:
    """Print the text of a `scf.parallel` after its name: `` (%i) = (%a) to (%b) step (%s) init (%x) -> type {
    ... }``, without ``init`` and types if nothing is reduced.
    """
    printer.write(" ")
    _print_operands(printer, "", op.region.blocks[0].arguments)
    for word, values in (("= ", op.lowerBound), ("to ", op.upperBound), ("step ", op.step)):
        _print_operands(printer, word, values)
    if op.initVals:
        _print_operands(printer, "init ", op.initVals)
    if op.results:
        bare = len(op.results) == 1 and not isinstance(op.results[0].type, FunctionType)
        printer.write(" -> " if bare else " -> (")
        printer.print_types([value.type for value in op.results])
        printer.write("" if bare else ")")
    printer.write(" ")
    printer.print_region(op.region, print_entry_arguments=False)
    printer.print_attribute_dictionary(op.held_attributes, elided=(OPERAND_SEGMENTS,))


def parse_parallel(kind: OperationKind, parser: text_parser.Parser, ending: OperationKind) -> CustomParse:
    """Parse the text of a `scf.parallel` after its name: ``(%i) = (%a) to (%b) step (%s) init (%x) -> type {
    ... }``, where ``init`` and the types may be missing. If the only block of the region has no terminator,
    append an operation of the kind `ending`. Raises `ParseError` for other text.
    """
    start = parser.position
    names = _parse_operands(parser)
    parser.expect("=")
    groups = [_parse_operands(parser)]
    for word in ("to", "step"):
        expect_keyword(parser, word)
        groups.append(_parse_operands(parser))
    groups.append(_parse_operands(parser) if parser.accept_keyword("init") else [])
    types = parser.parse_result_types() if parser.accept("->") else []
    numbers = [use for group in groups[:3] for use in group]
    operands = parser.resolve_all([*numbers, *groups[3]], [*[index] * len(numbers), *types], start)
    body = yield RegionRequest(region_arguments(parser, names, [index] * len(names)))
    _end_region(body, ending)
    attributes = parser.optional_attribute_dictionary()
    attributes[OPERAND_SEGMENTS] = segments([len(group) for group in groups])
    return Operation.from_parts(kind, operands, types, attributes, [body])


def _end_region(region: Any, ending: OperationKind) -> None:
    block = region.entry or region.append(ir_block.Block())
    if len(region.blocks) == 1 and block.terminator is None:
        block.append(Operation.from_parts(ending))


def print_forall(op: Forall, printer: text_printer.Printer) -> None:
    """Print the text of a `scf.forall` after its name: `` (%i) in (%n) shared_outs(%o = %t) -> (type) { ...
    }``, with ``= (a) to (b) step (s)`` in place of ``in (%n)`` unless all dimensions count from 0 by 1.
    Outputs and types are omitted if there are none.
    """
    rank = len(op.staticLowerBound)
    arguments = op.region.blocks[0].arguments
    printer.write(" ")
    _print_operands(printer, "", arguments[:rank])
    upper = (op.dynamicUpperBound, op.staticUpperBound)
    if set(op.staticLowerBound) <= {0} and set(op.staticStep) <= {1}:
        printer.write(" in ")
        operand_lists.print_index_list(printer, *upper, "()")
    else:
        lower, step = (op.dynamicLowerBound, op.staticLowerBound), (op.dynamicStep, op.staticStep)
        for word, bounds in ((" = ", lower), (" to ", upper), (" step ", step)):
            printer.write(word)
            operand_lists.print_index_list(printer, *bounds, "()")
    if op.outputs:
        printer.write(" shared_outs")
        print_initial(printer, arguments[rank:], op.outputs)
        printer.write(" -> (")
        printer.print_types([value.type for value in op.results])
        printer.write(")")
    printer.write(" ")
    printer.print_region(op.region, print_entry_arguments=False, print_empty_terminator=bool(op.results))
    printer.print_attribute_dictionary(op.held_attributes, elided=(OPERAND_SEGMENTS, *BOUNDS))


def parse_forall(kind: OperationKind, parser: text_parser.Parser) -> CustomParse:
    """Parse the text of a `scf.forall` after its name: ``(%i) in (%n)``, or ``(%i) = (%a) to (%b) step
    (%s)``, then ``shared_outs(%o = %t) -> (type) { ... }``, where the outputs and types may be missing.
    Raises `ParseError` for other text.
    """
    start = parser.position
    names = _parse_operands(parser)
    bounds = _parse_bounds(parser, len(names))
    shared, outputs = (
        operand_lists.parse_assignments(parser) if parser.accept_keyword("shared_outs") else ([], [])
    )
    types = parser.parse_result_types() if parser.accept("->") else []
    numbers = [use for bound in bounds for use in bound.dynamic]
    operands = parser.resolve_all([*numbers, *outputs], [*[index] * len(numbers), *types], start)
    arguments = region_arguments(parser, [*names, *shared], [*[index] * len(names), *types])
    body = yield RegionRequest(arguments)
    attributes = parser.optional_attribute_dictionary()
    for name, bound in zip(BOUNDS, bounds, strict=True):
        attributes[name] = bound.attribute
    attributes[OPERAND_SEGMENTS] = segments([*[len(bound.dynamic) for bound in bounds], len(outputs)])
    return Operation.from_parts(kind, operands, types, attributes, [body])


def _parse_bounds(parser: text_parser.Parser, rank: int) -> list[operand_lists.IndexList]:
    """Parse and return the lower bounds, the upper bounds and the steps of `rank` dimensions: ``in (upper)``,
    with lower bounds 0 and steps 1, or ``= (lower) to (upper) step (step)``.
    """
    if parser.accept_keyword("in"):
        upper = operand_lists.parse_index_list(parser, "()")
        return [operand_lists.IndexList([], [0] * rank), upper, operand_lists.IndexList([], [1] * rank)]
    parser.expect("=")
    bounds = [operand_lists.parse_index_list(parser, "()")]
    for word in ("to", "step"):
        expect_keyword(parser, word)
        bounds.append(operand_lists.parse_index_list(parser, "()"))
    return bounds


def print_in_parallel(op: InParallel, printer: text_printer.Printer) -> None:
    """Print the text of a `scf.forall.in_parallel` after its name: the region, `` { ... }``, and the
    attributes, if there are any.
    """
    printer.write(" ")
    printer.print_region(op.region, print_entry_arguments=False)
    printer.print_attribute_dictionary(op.held_attributes)


def parse_in_parallel(kind: OperationKind, parser: text_parser.Parser) -> CustomParse:
    """Parse the region of a `scf.forall.in_parallel`, ``{ ... }``, and an optional attribute dictionary. An
    empty region gets an empty block. Raises `ParseError` for other text.
    """
    body = yield RegionRequest()
    if not body.blocks:
        body.append(ir_block.Block())
    return Operation.from_parts(kind, (), (), parser.optional_attribute_dictionary(), [body])


class SwitchCases:
    """The directive for the cases of a switch: ``case 1 { ... } case 2 { ... }``, with one line for each
    case.
    """

    def at(self, parser: Any) -> bool:
        """Return whether the text of the directive begins here: the word ``case``."""
        return parser.peek_keyword() == "case"

    def print(self, printing: Any, cases: Any, regions: Any) -> None:
        """Print each case value of the operation with its region, ``case 1 { ... }``, on a line of its own.
        `cases` and `regions`, the arguments of the directive, are not used.
        """
        printer, op = printing.printer, printing.op
        for value, region in zip(op.cases, op.caseRegions, strict=False):
            printer.print_newline()
            printer.write(f"case {value} ")
            printer.print_region(region, print_entry_arguments=False)

    def parse(self, parsing: Any, cases: Any, regions: Any) -> Any:
        """Parse any number of cases, ``case 1 { ... }``, and store the values as the attribute that `cases`
        names and the regions as the field that `regions` names, in `parsing`. The generator yields a
        `RegionRequest` for each region.
        """
        parser = parsing.parser
        values: list[int] = []
        found: list[Any] = []
        while parser.accept_keyword("case"):
            values.append(parser.parse_integer())
            found.append((yield RegionRequest()))
        attributes: dict[str, Attribute] = parsing.attributes
        attributes[cases.name] = builtin_attributes.DenseArrayAttr(i64, tuple(values))
        parsing.regions[regions.name] = found


SWITCH_DIRECTIVES = {"SwitchCases": SwitchCases()}
