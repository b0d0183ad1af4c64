"""The custom syntax of masks that assembly formats do not describe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.vector.base import VectorYieldRole
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.text import hooks

if TYPE_CHECKING:
    from tilewright.dialects.vector.ops_mask import MaskOp
    from tilewright.ir.text import parser as text_parser, printer as text_printer


def print_mask(op: MaskOp, printer: text_printer.Printer) -> None:
    """Print the text of a `vector.mask` after its name: `` %mask, %passthru { operation } : type -> type``.
    The `yield` of the region is left out if it returns the results of the only operation; any other region is
    printed in full.
    """
    printer.write(" ")
    printer.print_operands(op.operands)
    printer.write(" ")
    masked = masked_operation(op.maskRegion)
    if masked is None:
        printer.print_region(op.maskRegion)
    else:
        printer.write("{ ")
        printer.print_operation(masked)
        printer.write(" }")
    printer.print_attribute_dictionary(op.held_attributes)
    printer.write(" : ")
    printer.print_type(op.mask.type)
    if op.results:
        printer.write(" -> ")
        printer.print_types([value.type for value in op.results])


def masked_operation(region: Region) -> Operation | None:
    """Return the operation that the text of a `mask` shows without the `yield`: the only operation before a
    `yield` of exactly its results, or a terminator that is alone. Return None for other regions, which are
    printed in full.
    """
    ops = list(region.blocks[0].ops) if len(region.blocks) == 1 else []
    if len(ops) == 1 and ops[0].kind.is_terminator:
        return ops[0]
    if len(ops) != 2 or not isinstance(ops[1], VectorYieldRole) or ops[1].attributes:
        return None
    return ops[0] if list(ops[1].operands) == list(ops[0].results) else None


def parse_mask(kind: OperationKind, parser: text_parser.Parser) -> hooks.CustomParse:
    """Parse the text of a `vector.mask` after its name: ``%mask, %passthru { operation } : type -> type``,
    without passthru and result types if there are none. The omitted `yield` of the region is added. Raises
    `ParseError` for other text, and for a passthru without a result.
    """
    start = parser.position
    uses = parser.parse_operands()
    body = yield hooks.RegionRequest()
    _complete(parser, body)
    attributes = parser.optional_attribute_dictionary()
    types = [parser.parse_colon_type()]
    results = _parse_mask_results(parser)
    if len(uses) > 1:
        if not results:
            raise parser.error("expects a result if passthru operand is provided", start)
        types.append(results[0])
    return Operation.from_parts(kind, parser.resolve_all(uses, types, start), results, attributes, [body])


def _parse_mask_results(parser: text_parser.Parser) -> list[Type]:
    if not parser.accept("->"):
        return []
    return parser.parse_result_types() if parser.at("(") else parser.parse_types()


def _complete(parser: text_parser.Parser, body: Region) -> None:
    """Add the omitted `yield` to the region of a `mask`, unless its block ends with a terminator. The `yield`
    returns the results of the only operation of the block, or nothing if there is not exactly one operation.
    """
    block = body.blocks[0] if body.blocks else body.append(Block())
    ops = list(block.ops)
    if ops and ops[-1].kind.is_terminator:
        return
    results = ops[0].results if len(ops) == 1 else ()
    kind = parser.context.kind("vector.yield")
    assert kind is not None, "the dialect of the mask is loaded"
    block.append(Operation.from_parts(kind, results))
