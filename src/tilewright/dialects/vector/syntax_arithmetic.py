"""The custom syntax of vector arithmetic that assembly formats do not describe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.vector import enums as vector_enums
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import ArrayAttr, DictionaryAttr, StringAttr
from tilewright.ir.builtin_types import VectorType
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.dialects.vector.ops_arithmetic import ContractionOp, OuterProductOp
    from tilewright.ir.text import parser as text_parser, printer as text_printer

CONTRACTION = ("indexing_maps", "iterator_types", "kind")
"""The attributes of a contraction that are printed before its operands."""
_ADD = vector_enums.CombiningKindAttr(vector_enums.CombiningKind.ADD)
_ITERATORS = {
    attribute.text: attribute for attribute in map(vector_enums.IteratorTypeAttr, vector_enums.IteratorType)
}


def print_contraction(op: ContractionOp, printer: text_printer.Printer) -> None:
    """Print the text of a `vector.contract` after its name: `` {indexing_maps = [...], iterator_types =
    ["parallel"], kind = ...} %lhs, %rhs, %acc : type, type into type``. Other attributes follow the operands.
    """
    front = {name: op.held_attributes[name] for name in CONTRACTION if name in op.held_attributes}
    front.setdefault("kind", _ADD)
    front["iterator_types"] = ArrayAttr(tuple(StringAttr(_iterator_word(each)) for each in op.iterator_types))
    printer.print_attribute_dictionary(front)
    printer.write(" ")
    printer.print_operands(op.operands)
    printer.print_attribute_dictionary(op.held_attributes, elided=CONTRACTION)
    printer.write(" : ")
    printer.print_value_types((op.lhs, op.rhs))
    printer.write(" into ")
    printer.print_type(op.result.type)


def _iterator_word(iterator: vector_enums.IteratorType) -> str:
    return vector_enums.IteratorTypeAttr(iterator).text


def parse_contraction(kind: OperationKind, parser: text_parser.Parser) -> Operation:
    """Parse the text of a `vector.contract` after its name: a dictionary with at least ``indexing_maps`` and
    ``iterator_types``, three operands, an optional dictionary, and ``: type, type into type``. A missing kind
    is ``add``; the result has the type of the accumulator. Raises `ParseError` for other text.
    """
    attributes = _parse_contraction_attributes(parser)
    start = parser.position
    uses = parser.parse_operands()
    if len(uses) != 3:
        raise parser.error(f"expected the operands lhs, rhs and acc, got {len(uses)}", start)
    attributes.update(parser.optional_attribute_dictionary())
    parser.expect(":")
    types = parser.parse_types()
    if len(types) != 2:
        raise parser.error(f"expected the types of lhs and rhs, got {len(types)} types", start)
    if not parser.accept_keyword("into"):
        raise parser.unexpected("'into'")
    result = parser.parse_type()
    return Operation.from_parts(kind, parser.resolve_all(uses, [*types, result], start), [result], attributes)


def _parse_contraction_attributes(parser: text_parser.Parser) -> dict[str, Attribute]:
    start = parser.position
    front = parser.parse_attribute()
    if not isinstance(front, DictionaryAttr):
        raise parser.error("expected a dictionary with 'indexing_maps' and 'iterator_types'", start)
    attributes = dict(front.entries)
    words = attributes.get("iterator_types")
    if not isinstance(words, ArrayAttr):
        raise parser.error('expected "iterator_types" array attribute', start)
    for word in words.elements:
        if not isinstance(word, StringAttr) or word.value not in _ITERATORS:
            raise parser.error(f"unexpected iterator_type ({word})", start)
    iterators = [_ITERATORS[word.value] for word in words.elements if isinstance(word, StringAttr)]
    attributes["iterator_types"] = ArrayAttr(tuple(iterators))
    attributes.setdefault("kind", _ADD)
    return attributes


def print_outer_product(op: OuterProductOp, printer: text_printer.Printer) -> None:
    """Print the text of a `vector.outerproduct` after its name: `` %lhs, %rhs, %acc {kind =
    #vector.kind<add>} : type, type``.

    Without an accumulator MLIR leaves all attributes out; here only the default kind is left out.
    """
    printer.write(" ")
    printer.print_operands(op.operands)
    left_out = ("kind",) if op.acc is None and op.kind_ is vector_enums.CombiningKind.ADD else ()
    printer.print_attribute_dictionary(op.held_attributes, elided=left_out)
    printer.write(" : ")
    printer.print_value_types((op.lhs, op.rhs))


def parse_outer_product(kind: OperationKind, parser: text_parser.Parser) -> Operation:
    """Parse the text of a `vector.outerproduct` after its name: ``%lhs, %rhs, %acc {...} : type, type``,
    where the accumulator and the attributes may be missing. A missing kind is ``add``; the type of the result
    and of the accumulator follows from the types of the two factors. Raises `ParseError` for other text.
    """
    start = parser.position
    uses = parser.parse_operands()
    if len(uses) not in (2, 3):
        raise parser.error(f"expected two or three operands, got {len(uses)}", start)
    attributes = parser.optional_attribute_dictionary()
    attributes.setdefault("kind", _ADD)
    parser.expect(":")
    types = parser.parse_types()
    if len(types) != 2:
        raise parser.error(f"expected the types of lhs and rhs, got {len(types)} types", start)
    result = _outer_product_type(parser, types[0], types[1], start)
    operands = parser.resolve_all(uses, [*types, result][: len(uses)], start)
    return Operation.from_parts(kind, operands, [result], attributes)


def _outer_product_type(parser: text_parser.Parser, lhs: Type, rhs: Type, start: int) -> VectorType:
    """Return the result type: M x N for vectors of M and N elements, M if ``rhs`` is a scalar. Raises
    `ParseError` for other types.
    """
    if not isinstance(lhs, VectorType) or len(lhs.shape) != 1:
        raise parser.error(f"expected 1-d vector for operand #1, got '{lhs}'", start)
    if not isinstance(rhs, VectorType):
        return VectorType(lhs.shape, lhs.element_type, lhs.scalable)
    if len(rhs.shape) != 1:
        raise parser.error(f"expected 1-d vector for operand #2, got '{rhs}'", start)
    scalable = (bool(lhs.scalable), bool(rhs.scalable))
    return VectorType((*lhs.shape, *rhs.shape), lhs.element_type, scalable)
