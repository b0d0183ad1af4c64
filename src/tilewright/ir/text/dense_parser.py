"""Parsing of dense constant data and dense arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import DenseArrayAttr, DenseElementsAttr, FloatAttr, element_bytes
from tilewright.ir.builtin_types import FloatType, IndexType, IntegerType, ShapedType, element_count, i1
from tilewright.ir.support.record import Record
from tilewright.ir.text.dense_text import unpack_bits

if TYPE_CHECKING:
    from tilewright.ir.text.attribute_parser import AttributeParser

_BOOLEANS = {"true": 1, "false": 0}


class ElementLiteral(Record, frozen=True):
    """A literal: its text without sign (``true`` and ``false`` included), whether it has a minus, and its
    position in the text.
    """

    literal: str
    negative: bool
    position: int


class DenseLiteral(Record, frozen=True):
    """Elements in row-major order with the shape of the lists around them; or raw bytes, ``raw``. ``shape``
    is None for a single element without list, which is a splat, for raw bytes, and for an empty literal.
    ``position`` is the position of the literal in the text, for errors.
    """

    elements: list[ElementLiteral]
    shape: tuple[int, ...] | None
    raw: bytes | None
    position: int

    def to_attribute(self, parser: AttributeParser, shaped_type: Type) -> DenseElementsAttr:
        """Return the dense attribute of a shaped type. Raises `ParseError` for a type without static shape,
        or if shape or elements do not fit, and `InvalidParameters` for a wrong number of raw bytes.
        """
        shape = _static_shape(parser, shaped_type, self.position)
        shaped: Any = shaped_type
        element_type: Type = shaped.element_type
        if self.raw is not None:
            return DenseElementsAttr(shaped_type, _raw_data(self.raw, element_type, element_count(shape)))
        if self.shape is not None and self.shape != shape and not (self.shape == (0,) and 0 in shape):
            raise parser.error(
                f"inferred shape of elements literal ({list(self.shape)}) does not match type ({list(shape)})",
                self.position,
            )
        if self.shape is None and not self.elements and element_count(shape):
            raise parser.error(f"no elements for type '{shaped_type}'", self.position)
        if not element_count(shape):
            return DenseElementsAttr(shaped_type, b"")
        return DenseElementsAttr(shaped_type, self._data(parser, element_type))

    def _data(self, parser: AttributeParser, element_type: Type) -> bytes:
        size = element_bytes(element_type)
        known: dict[tuple[str, bool], bytes] = {}
        data: list[bytes] = []
        for element in self.elements:
            key = element.literal, element.negative
            piece = known.get(key)
            if piece is None:
                piece = known[key] = element_pattern(parser, element_type, element).to_bytes(size, "little")
            data.append(piece)
        return b"".join(data)


def _static_shape(parser: AttributeParser, shaped_type: Type, position: int) -> tuple[int, ...]:
    if not isinstance(shaped_type, ShapedType) or not shaped_type.has_rank:
        raise parser.error(f"elements literal must be of a ranked shaped type, got '{shaped_type}'", position)
    if not shaped_type.has_static_shape:
        raise parser.error("elements literal type must have static shape", position)
    shaped: Any = shaped_type
    return shaped.shape


def _raw_data(raw: bytes, element_type: Type, count: int) -> bytes:
    if element_type is not i1:
        return raw
    if len(raw) == 1 and raw in (b"\x00", b"\xff"):
        return b"\x01" if raw == b"\xff" else b"\x00"
    return unpack_bits(raw, count) if len(raw) == (count + 7) // 8 else raw


def element_pattern(parser: AttributeParser, kind: Type, element: ElementLiteral) -> int:
    """Return the bit pattern of one literal in the element type ``kind``. Raises `ParseError` if it does not
    fit the type.
    """
    if element.literal in _BOOLEANS:
        if kind is not i1:
            raise parser.error("expected i1 type for 'true' or 'false' values", element.position)
        return _BOOLEANS[element.literal]
    number = parser.number(kind, element.negative, element.literal, element.position)
    return number.bits if isinstance(number, FloatAttr) else number.unsigned


def parse_literal(parser: AttributeParser) -> DenseLiteral:
    """Parse the text between ``dense<`` and ``>``, which may be empty, and return it; explicit bookkeeping
    instead of recursion, so any depth of lists is safe. Raises `ParseError` for lists of different lengths or
    depths.
    """
    start = parser.position
    text = parser.optional_string()
    if text is not None:
        return DenseLiteral([], None, _hexadecimal(parser, text, start), start)
    if not parser.at("["):
        element = _optional_element(parser)
        return DenseLiteral([element] if element else [], None, None, start)
    elements, shape = _lists(parser)
    return DenseLiteral(elements, shape, None, start)


def _hexadecimal(parser: AttributeParser, text: str, position: int) -> bytes:
    try:
        if not text.startswith("0x"):
            raise ValueError
        return bytes.fromhex(text[2:])
    except ValueError:
        raise parser.error("expected string containing hex digits starting with `0x`", position) from None


def _lists(parser: AttributeParser) -> tuple[list[ElementLiteral], tuple[int, ...]]:
    elements: list[ElementLiteral] = []
    counts: list[int] = []
    extents: dict[int, int] = {}
    leaf_depth: int | None = None
    while True:
        if parser.accept("["):
            counts.append(0)
            if not parser.at("]"):
                continue
        else:
            element = _optional_element(parser)
            if element is None:
                raise parser.unexpected("a number, 'true', 'false' or '['")
            leaf_depth = len(counts) if leaf_depth is None else leaf_depth
            if leaf_depth != len(counts):
                raise _inconsistent(parser, element.position)
            elements.append(element)
            counts[-1] += 1
        while not parser.accept(","):
            parser.expect("]")
            count = counts.pop()
            if extents.setdefault(len(counts), count) != count:
                raise _inconsistent(parser, parser.position)
            if not counts:
                if elements and leaf_depth != len(extents):
                    raise _inconsistent(parser, parser.position)
                return elements, tuple(extents[level] for level in range(len(extents)))
            counts[-1] += 1


def _inconsistent(parser: AttributeParser, position: int) -> Exception:
    return parser.error("tensor literal is invalid; ranks are not consistent between elements", position)


def _optional_element(parser: AttributeParser) -> ElementLiteral | None:
    position = parser.position
    negative = parser.accept("-")
    literal = parser.optional_number()
    if literal is None and not negative and parser.peek_keyword() in _BOOLEANS:
        literal = parser.expect_keyword()
    if literal is None:
        parser.position = position
        return None
    return ElementLiteral(literal, negative, position)


def parse_dense(parser: AttributeParser) -> DenseElementsAttr:
    """Parse a dense attribute: ``dense<literal> : type``. Raises `ParseError` for malformed text, and for a
    literal that does not fit the type.
    """
    start = parser.position
    parser.expect_keyword()
    parser.expect("<")
    literal = parse_literal(parser)
    parser.expect(">")
    parser.expect(":")
    shaped_type = parser.parse_type()
    return DenseLiteral(literal.elements, literal.shape, literal.raw, start).to_attribute(parser, shaped_type)


def parse_dense_array(parser: AttributeParser) -> DenseArrayAttr:
    """Parse a dense array: ``array<i32: 1, 2>``, or ``array<i32>`` without elements. Raises `ParseError` for
    a type that is neither an integer, a float nor ``index``, and for elements that do not fit it.
    """
    parser.expect_keyword()
    parser.expect("<")
    start = parser.position
    kind = parser.parse_type()
    if not isinstance(kind, IntegerType | FloatType | IndexType):
        raise parser.error("expected integer or float type", start)
    values: list[int] = []
    if parser.accept(":"):
        while not parser.at(">"):
            values.append(_array_element(parser, kind))
            if not parser.accept(","):
                break
    parser.expect(">")
    return DenseArrayAttr(kind, tuple(values))


def _array_element(parser: AttributeParser, kind: Type) -> int:
    element = _optional_element(parser)
    if element is None:
        raise parser.unexpected("a number, 'true' or 'false'")
    if kind is i1 and element.literal not in _BOOLEANS:
        raise parser.error("expected 'true' or 'false' values for i1 type", element.position)
    return element_pattern(parser, kind, element)
