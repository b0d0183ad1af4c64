"""The custom syntax of transfers between memory and vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tilewright.dialects.vector.rules_memory import mask_type
from tilewright.ir.arithmetic.affine import AffineConstant, AffineDimension, AffineMap, AffineMapAttr
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import ArrayAttr, boolean
from tilewright.ir.builtin_types import MemRefType, RankedTensorType, VectorType, index
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS, OperationKind, segments
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import OperandUse

if TYPE_CHECKING:
    from tilewright.dialects.vector.ops_memory import TransferReadOp, TransferWriteOp
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

Shaped = MemRefType | RankedTensorType


class _TransferTypes(NamedTuple):
    """The types of the buffer or tensor and of the vector of a transfer."""

    shaped: Shaped
    vector: VectorType


def minor_identity(dimensions: int, results: int) -> AffineMap:
    """Return the map from `dimensions` dimensions to the last `results` of them, in order: ``(d0, d1, d2) ->
    (d1, d2)``.
    """
    first = dimensions - results
    return AffineMap(dimensions, 0, tuple(AffineDimension(first + number) for number in range(results)))


def default_map(shaped: Shaped, vector: VectorType) -> AffineMap | None:
    """Return the permutation map of a transfer whose text has none: the map to the last dimensions, or to the
    constant 0 for one element and a buffer of rank 0. Return None if the vector has more dimensions than the
    buffer.
    """
    inner = shaped.element_type
    rank = len(vector.shape) - (len(inner.shape) if isinstance(inner, VectorType) else 0)
    if not shaped.shape and vector.shape == (1,):
        return AffineMap(0, 0, (AffineConstant(0),))
    return minor_identity(len(shaped.shape), rank) if 0 <= rank <= len(shaped.shape) else None


def print_transfer_read(op: TransferReadOp, printer: Printer) -> None:
    """Print the text of a `vector.transfer_read` after its name: `` %base[%i], %padding, %mask {in_bounds =
    [true]} : type, vector``. A map to the last dimensions in order, and ``in_bounds`` that are all false, are
    left out.
    """
    printer.write(" ")
    _print_base(op, printer)
    printer.write(", ")
    printer.print_value(op.padding)
    _print_rest(op, printer)
    printer.print_value_types((op.base, op.vector))


def print_transfer_write(op: TransferWriteOp, printer: Printer) -> None:
    """Print the text of a `vector.transfer_write` after its name: `` %vector, %base[%i], %mask {in_bounds =
    [true]} : vector, type``. A map to the last dimensions in order, and ``in_bounds`` that are all false, are
    left out.
    """
    printer.write(" ")
    printer.print_value(op.valueToStore)
    printer.write(", ")
    _print_base(op, printer)
    _print_rest(op, printer)
    printer.print_value_types((op.valueToStore, op.base))


def _print_base(op: TransferReadOp | TransferWriteOp, printer: Printer) -> None:
    printer.print_value(op.base)
    printer.write("[")
    printer.print_operands(op.indices)
    printer.write("]")


def _print_rest(op: TransferReadOp | TransferWriteOp, printer: Printer) -> None:
    """Print the mask and the attributes, without a map to the last dimensions in order, and without
    ``in_bounds`` if all are false.
    """
    if op.mask is not None:
        printer.write(", ")
        printer.print_value(op.mask)
    elided = [OPERAND_SEGMENTS]
    map = op.permutation_map.map
    if map.dimension_count >= len(map.results) and map is minor_identity(
        map.dimension_count, len(map.results)
    ):
        elided.append("permutation_map")
    if not any(op.in_bounds):
        elided.append("in_bounds")
    printer.print_attribute_dictionary(op.attributes, elided=elided)
    printer.write(" : ")


def parse_transfer_read(kind: OperationKind, parser: Parser) -> Operation:
    """Parse the text of a `vector.transfer_read` after its name: ``%base[%i], %padding, %mask {...} : type,
    vector``, where mask and attributes may be missing; an omitted map leads to the last dimensions, omitted
    ``in_bounds`` are false. Raises `ParseError` for other text.
    """
    start = parser.position
    uses, indices = _parse_base(parser)
    parser.expect(",")
    uses.append(parser.parse_operand())
    mask = _parse_mask(parser)
    attributes = parser.optional_attribute_dictionary()
    types = _parse_types(parser, start, vector_first=False)
    map = _complete(parser, attributes, types, start)
    operand_types: list[Type] = [types.shaped, *[index] * indices, types.shaped.element_type]
    operand_types.extend(_mask_types(parser, mask, types, map, start))
    attributes[OPERAND_SEGMENTS] = segments([1, indices, 1, len(mask)])
    operands = parser.resolve_all([*uses, *mask], operand_types, start)
    return Operation.from_parts(kind, operands, [types.vector], attributes)


def parse_transfer_write(kind: OperationKind, parser: Parser) -> Operation:
    """Parse the text of a `vector.transfer_write` after its name: ``%vector, %base[%i], %mask {...} : vector,
    type``, where mask and attributes may be missing; an omitted map leads to the last dimensions, omitted
    ``in_bounds`` are false. The operation has a result if the destination is a tensor. Raises `ParseError`
    for other text.
    """
    start = parser.position
    value = parser.parse_operand()
    parser.expect(",")
    uses, indices = _parse_base(parser)
    mask = _parse_mask(parser)
    attributes = parser.optional_attribute_dictionary()
    types = _parse_types(parser, start, vector_first=True)
    map = _complete(parser, attributes, types, start)
    operand_types: list[Type] = [types.vector, types.shaped, *[index] * indices]
    operand_types.extend(_mask_types(parser, mask, types, map, start))
    attributes[OPERAND_SEGMENTS] = segments([1, 1, indices, len(mask)])
    operands = parser.resolve_all([value, *uses, *mask], operand_types, start)
    results = [types.shaped] if isinstance(types.shaped, RankedTensorType) else []
    return Operation.from_parts(kind, operands, results, attributes)


def _parse_base(parser: Parser) -> tuple[list[OperandUse], int]:
    """Parse ``%base[%i, %j]``; return the base and its subscripts, and the number of subscripts."""
    base = parser.parse_operand()
    parser.expect("[")
    indices = parser.parse_operands()
    parser.expect("]")
    return [base, *indices], len(indices)


def _parse_mask(parser: Parser) -> list[OperandUse]:
    return [parser.parse_operand()] if parser.accept(",") else []


def _parse_types(parser: Parser, start: int, *, vector_first: bool) -> _TransferTypes:
    parser.expect(":")
    types = parser.parse_types()
    if len(types) != 2:
        raise parser.error("requires two types", start)
    vector, shaped = types if vector_first else reversed(types)
    if not isinstance(vector, VectorType):
        raise parser.error(f"requires vector type, got '{vector}'", start)
    if not isinstance(shaped, Shaped):
        raise parser.error(f"requires memref or ranked tensor type, got '{shaped}'", start)
    return _TransferTypes(shaped, vector)


def _complete(
    parser: Parser, attributes: dict[str, Attribute], types: _TransferTypes, start: int
) -> AffineMap:
    """Add the omitted ``permutation_map`` and ``in_bounds`` (all false) to `attributes`; return the map.
    Raises `ParseError` for an attribute that is no map, and if there is no default map.
    """
    given = attributes.get("permutation_map")
    if given is not None and not isinstance(given, AffineMapAttr):
        raise parser.error("expected 'permutation_map' to be an affine map", start)
    map = default_map(*types) if given is None else given.map
    if map is None:
        raise parser.error("expected a custom permutation_map when rank(source) != rank(destination)", start)
    attributes["permutation_map"] = AffineMapAttr(map)
    attributes.setdefault("in_bounds", ArrayAttr((boolean(False),) * len(map.results)))
    return map


def _mask_types(
    parser: Parser, mask: list[OperandUse], types: _TransferTypes, map: AffineMap, start: int
) -> list[Type]:
    if not mask:
        return []
    if isinstance(types.shaped.element_type, VectorType):
        raise parser.error("does not support masks with vector element type", start)
    if len(types.vector.shape) != len(map.results):
        raise parser.error(
            "expected the same rank for the vector and the results of the permutation map", start
        )
    return [mask_type(types.vector, map)]
