"""The custom syntax of functions of the device and of launches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tilewright.dialects.common import signatures
from tilewright.dialects.gpu.rules_kernel import KERNEL, WORKGROUP_COUNT
from tilewright.dialects.gpu.syntax import TOKEN, parse_attributions, parse_dependencies, print_dependencies
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import UNIT, IntegerAttr, StringAttr, TypeAttr
from tilewright.ir.builtin_types import FunctionType, i32, i64, index
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS, OperationKind, segments
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import CustomParse, OperandUse, RegionArgument, RegionRequest
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.dialects.gpu.ops_kernel import GPUFuncOp, LaunchOp, WarpExecuteOnLane0Op
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

IN_FUNCTION = (
    "sym_name",
    "function_type",
    "arg_attrs",
    "res_attrs",
    "workgroup_attrib_attrs",
    "private_attrib_attrs",
    WORKGROUP_COUNT,
    KERNEL,
)
"""Attributes of functions that have a place of their own in the text."""
IN_LAUNCH = (OPERAND_SEGMENTS, WORKGROUP_COUNT, "module", "function")
"""Attributes of launches that have a place of their own in the text."""
FIRST_BUFFER = 12
"""The number of arguments before the buffers in the region of a launch without clusters: the ids of block and
thread, and their numbers, in three dimensions each. Clusters add six.
"""
FIRST_BUFFER_WITH_CLUSTERS = 18


def _print_buffers(printer: Printer, word: str, values: Sequence[Value], attributes: Any) -> None:
    named = signatures.dictionaries(attributes, len(values))
    for number, value in enumerate(values):
        printer.write(", " if number else f" {word}(")
        printer.print_value(value)
        printer.write(" : ")
        printer.print_type(value.type)
        if number < len(named):
            printer.print_attribute_dictionary(named[number])
    printer.write(")" if values else "")


def _shared_count(op: GPUFuncOp | LaunchOp) -> int:
    return getattr(op.attributes.get(WORKGROUP_COUNT), "value", 0)


def print_function(op: GPUFuncOp, printer: Printer) -> None:
    """Print a function after its keyword: `` @k(%x: f32) -> f32 workgroup(%s : type) private(%p : type)
    kernel attributes {a} { ... }``. Results, buffers, ``kernel`` and attributes are omitted if there are
    none.
    """
    signature: FunctionType = op.function_type
    block = op.body.blocks[0] if op.body.blocks else None
    printer.write(" ")
    name: Any = op.attributes["sym_name"]
    printer.print_symbol_name(name.value)
    signatures.print_parameters(printer, signature.inputs, op.attributes.get("arg_attrs"), block)
    signatures.print_results(printer, signature.results, op.attributes.get("res_attrs"))
    buffers = block.arguments[len(signature.inputs) :] if block is not None else ()
    count = _shared_count(op)
    _print_buffers(printer, "workgroup", buffers[:count], op.attributes.get("workgroup_attrib_attrs"))
    _print_buffers(printer, "private", buffers[count:], op.attributes.get("private_attrib_attrs"))
    printer.write(" kernel" if KERNEL in op.attributes else "")
    printer.print_attribute_dictionary(op.attributes, elided=IN_FUNCTION, keyword=True)
    printer.write(" ")
    printer.print_region(op.body, print_entry_arguments=False)


def parse_function(kind: OperationKind, parser: Parser) -> CustomParse:
    """Parse the name, parameters, results, buffers, attributes and body of a `gpu.func`, as `print_function`
    prints them. Yields a request for the body and returns the operation of ``kind``. Raises `ParseError` for
    parameters without names, and for other text.
    """
    attributes: dict[str, Attribute] = {"sym_name": StringAttr(parser.parse_symbol_name())}
    start = parser.position
    parameters = signatures.parse_parameters(parser)
    if len(parameters.arguments) != len(parameters.types):
        raise parser.error("gpu.func requires named arguments", start)
    results = signatures.parse_results(parser)
    attributes["function_type"] = TypeAttr(FunctionType(tuple(parameters.types), tuple(results.types)))
    parameters.store(attributes, "arg_attrs")
    results.store(attributes, "res_attrs")
    shared = parse_attributions(parser, "workgroup")
    shared.store(attributes, "workgroup_attrib_attrs")
    private = parse_attributions(parser, "private")
    private.store(attributes, "private_attrib_attrs")
    attributes[WORKGROUP_COUNT] = IntegerAttr(i64, len(shared.types))
    if parser.accept_keyword("kernel"):
        attributes[KERNEL] = UNIT
    if parser.accept_keyword("attributes"):
        attributes.update(parser.parse_attribute_dictionary())
    arguments = [*parameters.arguments, *shared.arguments, *private.arguments]
    body = yield RegionRequest(arguments, isolated=True)
    return Operation.from_parts(kind, (), (), attributes, [body])


def _print_sizes(
    printer: Printer, word: str, ids: Sequence[Value], sizes: Sequence[Value], operands: Sequence[Value]
) -> None:
    printer.write(f" {word}(")
    printer.print_operands(ids)
    printer.write(") in (")
    for number, (size, operand) in enumerate(zip(sizes, operands, strict=True)):
        printer.write(", " if number else "")
        printer.print_value(size)
        printer.write(" = ")
        printer.print_value(operand)
    printer.write(")")


def print_launch(op: LaunchOp, printer: Printer) -> None:
    """Print a launch after its keyword: `` async [%t] clusters(...) in (...) blocks(%b, ...) in (%n = %size,
    ...) threads(...) in (...) dynamic_shared_memory_size %m module(@m) function(@f) workgroup(...)
    private(...) { ... } {...}``. Only blocks, threads and the region are printed in any case.
    """
    if op.asyncToken is not None or op.asyncDependencies:
        printer.write(" ")
        print_dependencies(printer, op)
    arguments = op.body.blocks[0].arguments
    first = FIRST_BUFFER
    if op.clusterSizeX is not None and op.clusterSizeY is not None and op.clusterSizeZ is not None:
        first = FIRST_BUFFER_WITH_CLUSTERS
        clusters = (op.clusterSizeX, op.clusterSizeY, op.clusterSizeZ)
        _print_sizes(printer, "clusters", arguments[12:15], arguments[15:18], clusters)
    grid, block = (op.gridSizeX, op.gridSizeY, op.gridSizeZ), (op.blockSizeX, op.blockSizeY, op.blockSizeZ)
    _print_sizes(printer, "blocks", arguments[:3], arguments[6:9], grid)
    _print_sizes(printer, "threads", arguments[3:6], arguments[9:12], block)
    if op.dynamicSharedMemorySize is not None:
        printer.write(" dynamic_shared_memory_size ")
        printer.print_value(op.dynamicSharedMemorySize)
    for name in ("module", "function"):
        if name in op.attributes:
            printer.write(f" {name}(")
            printer.print_attribute(op.attributes[name])
            printer.write(")")
    buffers, count = arguments[first:], _shared_count(op)
    _print_buffers(printer, "workgroup", buffers[:count], None)
    _print_buffers(printer, "private", buffers[count:], None)
    printer.write(" ")
    printer.print_region(op.body, print_entry_arguments=False)
    printer.print_attribute_dictionary(op.attributes, elided=IN_LAUNCH)


class _Sizes:
    """The parsed text ``word(%a, %b, %c) in (%x = %p, %y = %q, %z = %r)``: the indices and the sizes as
    arguments of the region, and the operands that give the sizes. If `word` is not next, all are empty with
    ``optional``; without it the constructor raises `ParseError`.
    """

    def __init__(self, parser: Parser, word: str, *, optional: bool = False) -> None:
        self.ids: list[OperandUse] = []
        self.sizes: list[OperandUse] = []
        self.operands: list[OperandUse] = []
        if parser.accept_keyword(word):
            self._parse(parser)
        elif not optional:
            raise parser.unexpected(f"'{word}'")

    def _parse(self, parser: Parser) -> None:
        start = parser.position
        parser.expect("(")
        self.ids = parser.parse_operands()
        parser.expect(")")
        if not parser.accept_keyword("in"):
            raise parser.unexpected("'in'")
        parser.expect("(")
        for number in range(3):
            if number:
                parser.expect(",")
            self.sizes.append(parser.parse_operand())
            parser.expect("=")
            self.operands.append(parser.parse_operand())
        parser.expect(")")
        if len(self.ids) != 3:
            raise parser.error(f"expected 3 names, got {len(self.ids)}", start)


def parse_launch(kind: OperationKind, parser: Parser) -> CustomParse:
    """Parse the tokens, sizes, names, buffers, body and attributes of a `gpu.launch`, as `print_launch`
    prints them. Yields a request for the body and returns the operation of ``kind``. Raises `ParseError` for
    other text.
    """
    start = parser.position
    attributes: dict[str, Attribute] = {}
    is_async, tokens = parse_dependencies(parser)
    clusters = _Sizes(parser, "clusters", optional=True)
    blocks, threads = _Sizes(parser, "blocks"), _Sizes(parser, "threads")
    sizes = [*blocks.operands, *threads.operands, *clusters.operands]
    memory = [parser.parse_operand()] if parser.accept_keyword("dynamic_shared_memory_size") else []
    _parse_names(parser, attributes)
    types: list[Type] = [*[TOKEN] * len(tokens), *[index] * len(sizes), *[i32] * len(memory)]
    operands = parser.resolve_all([*tokens, *sizes, *memory], types, start)
    shared = parse_attributions(parser, "workgroup")
    private = parse_attributions(parser, "private")
    arguments = _launch_arguments((blocks, threads, clusters), shared, private)
    body = yield RegionRequest(arguments)
    attributes.update(parser.optional_attribute_dictionary())
    attributes[WORKGROUP_COUNT] = IntegerAttr(i64, len(shared.types))
    has_clusters = int(bool(clusters.ids))
    attributes[OPERAND_SEGMENTS] = segments([len(tokens), *[1] * 6, *[has_clusters] * 3, len(memory)])
    return Operation.from_parts(kind, operands, [TOKEN] * is_async, attributes, [body])


def _parse_names(parser: Parser, attributes: dict[str, Attribute]) -> None:
    for name in ("module", "function"):
        if parser.accept_keyword(name):
            parser.expect("(")
            attributes[name] = parser.parse_symbol_ref()
            parser.expect(")")


def _launch_arguments(
    sizes: Sequence[_Sizes], shared: signatures.TypeList, private: signatures.TypeList
) -> list[RegionArgument]:
    blocks, threads, clusters = sizes
    uses = [*blocks.ids, *threads.ids, *blocks.sizes, *threads.sizes, *clusters.ids, *clusters.sizes]
    arguments = [RegionArgument(use, index) for use in uses]
    return [*arguments, *shared.arguments, *private.arguments]


def print_lane(op: WarpExecuteOnLane0Op, printer: Printer) -> None:
    """Print the operation after its keyword: ``(%lane)[32] args(%x : f32) -> (f32) { ... }``. Arguments and
    results are omitted if there are none; other attributes follow.
    """
    printer.write("(")
    printer.print_value(op.laneid)
    printer.write(f")[{op.warp_size}]")
    if op.args:
        printer.write(" args(")
        printer.print_operands(op.args)
        printer.write(" : ")
        printer.print_value_types(op.args)
        printer.write(")")
    if op.results:
        printer.write(" -> (")
        printer.print_types([value.type for value in op.results])
        printer.write(")")
    printer.write(" ")
    printer.print_region(op.warpRegion, print_empty_terminator=bool(op.results))
    printer.print_attribute_dictionary(op.held_attributes, elided=("warp_size",))


def parse_lane(kind: OperationKind, parser: Parser) -> CustomParse:
    """Parse ``(%lane)[32] args(%x : f32) -> (f32) { ... }`` and an attribute dictionary; arguments and
    results may be missing. Yields a request for the body and returns the operation of ``kind``.
    """
    start = parser.position
    parser.expect("(")
    uses = [parser.parse_operand()]
    parser.expect(")")
    parser.expect("[")
    attributes: dict[str, Attribute] = {"warp_size": IntegerAttr(i64, parser.parse_integer())}
    parser.expect("]")
    types: list[Type] = [index]
    if parser.accept_keyword("args"):
        parser.expect("(")
        uses.extend(parser.parse_operands())
        parser.expect(":")
        types.extend(parser.parse_types())
        parser.expect(")")
    results = parser.parse_result_types() if parser.accept("->") else []
    operands = parser.resolve_all(uses, types, start)
    body = yield RegionRequest()
    attributes.update(parser.optional_attribute_dictionary())
    return Operation.from_parts(kind, operands, results, attributes, [body])
