"""Parsing of affine maps and strided layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.ir.arithmetic.affine import (
    AffineConstant,
    AffineDimension,
    AffineExpression,
    AffineMap,
    AffineMapAttr,
    AffineOperator,
    AffineSymbol,
    combine,
)
from tilewright.ir.arithmetic.strided_layout import StridedLayoutAttr
from tilewright.ir.builtin_types import DYNAMIC
from tilewright.ir.uniquer import InvalidParameters

if TYPE_CHECKING:
    from tilewright.ir.text.attribute_parser import AttributeParser

_Names = dict[str, AffineExpression]
_PRODUCTS = {
    "mod": AffineOperator.MODULO,
    "floordiv": AffineOperator.FLOOR_DIVIDE,
    "ceildiv": AffineOperator.CEIL_DIVIDE,
}


def parse_affine_map(parser: AttributeParser) -> AffineMapAttr:
    """Parse an affine map as an attribute: ``affine_map<(d0)[s0] -> (d0 + s0)>``. The keyword is not checked;
    other malformed text raises `ParseError`.
    """
    parser.expect_keyword()
    parser.expect("<")
    value = AffineMapAttr(parse_map_body(parser))
    parser.expect(">")
    return value


def parse_map_body(parser: AttributeParser) -> AffineMap:
    """Parse the text between ``affine_map<`` and ``>``, and return the map. Raises `ParseError` for text that
    is none, for undeclared identifiers and for expressions that are not affine.
    """
    names: _Names = {}
    dimensions = _parse_names(parser, "(", ")", names, AffineDimension)
    symbols = _parse_names(parser, "[", "]", names, AffineSymbol) if parser.at("[") else 0
    parser.expect("->")
    parser.expect("(")
    results: list[AffineExpression] = []
    while not parser.at(")"):
        results.append(_parse_sum(parser, names))
        if not parser.accept(","):
            break
    parser.expect(")")
    return AffineMap(dimensions, symbols, tuple(results))


def _parse_names(
    parser: AttributeParser,
    opening: str,
    closing: str,
    names: _Names,
    leaf: type[AffineDimension] | type[AffineSymbol],
) -> int:
    """Parse identifiers between ``opening`` and ``closing``, enter them into ``names`` as dimensions or
    symbols (``leaf``), and return their number.
    """
    parser.expect(opening)
    count = 0
    while not parser.at(closing):
        start = parser.position
        name = parser.expect_keyword("an identifier")
        if name in names:
            raise parser.error(f"redefinition of identifier '{name}'", start)
        names[name] = leaf(count)
        count += 1
        if not parser.accept(","):
            break
    parser.expect(closing)
    return count


def _parse_sum(parser: AttributeParser, names: _Names) -> AffineExpression:
    left = _parse_product(parser, names)
    while True:
        if parser.accept("+"):
            left = left + _parse_product(parser, names)
        elif parser.accept("-"):
            left = left - _parse_product(parser, names)
        else:
            return left


def _parse_product(parser: AttributeParser, names: _Names) -> AffineExpression:
    left = _parse_operand(parser, names)
    while True:
        start = parser.position
        operator = (
            AffineOperator.MULTIPLY if parser.accept("*") else _PRODUCTS.get(parser.peek_keyword() or "")
        )
        if operator is None:
            return left
        if operator is not AffineOperator.MULTIPLY:
            parser.expect_keyword()
        right = _parse_operand(parser, names)
        try:
            left = combine(operator, left, right)
        except InvalidParameters as problem:
            raise parser.error(str(problem), start) from problem


def _parse_operand(parser: AttributeParser, names: _Names) -> AffineExpression:
    start = parser.position
    if parser.accept("-"):
        return -parser.guarded(lambda: _parse_operand(parser, names), start)
    if parser.accept("("):
        inner = parser.guarded(lambda: _parse_sum(parser, names), start)
        parser.expect(")")
        return inner
    number = parser.optional_integer()
    if number is not None:
        return AffineConstant(number)
    name = parser.expect_keyword("affine expression")
    if name not in names:
        raise parser.error(f"use of undeclared identifier '{name}'", start)
    return names[name]


def parse_strided_layout(parser: AttributeParser) -> StridedLayoutAttr:
    """Parse a strided memref layout: ``strided<[4, ?], offset: 2>``; the offset may be absent, and is 0 then.
    The keyword is not checked; other malformed text raises `ParseError`.
    """
    parser.expect_keyword()
    parser.expect("<")
    parser.expect("[")
    strides: list[int] = []
    while not parser.at("]"):
        strides.append(_parse_extent(parser))
        if not parser.accept(","):
            break
    parser.expect("]")
    offset = 0
    if parser.accept(","):
        if not parser.accept_keyword("offset"):
            raise parser.unexpected("'offset'")
        parser.expect(":")
        offset = _parse_extent(parser)
    parser.expect(">")
    return StridedLayoutAttr(tuple(strides), offset)


def _parse_extent(parser: AttributeParser) -> int:
    return DYNAMIC if parser.accept("?") else parser.parse_integer()
