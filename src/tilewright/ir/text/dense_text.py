"""Text of dense constant data."""

from __future__ import annotations

from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, wrap_integer
from tilewright.ir.builtin_types import FloatType, i1
from tilewright.ir.text import literals
from tilewright.ir.text.hooks import PrintOptions


def element_text(kind: Type, pattern: int) -> str:
    """Return the text of the element with the bit pattern `pattern`, without its type: a signed number
    (unsigned for unsigned types), ``true`` or ``false``, or a float literal.
    """
    if isinstance(kind, FloatType):
        return literals.float_literal(kind.format, pattern)
    value = wrap_integer(kind, pattern)
    if kind is i1:
        return "true" if value else "false"
    return literals.integer(value)


def dense_body(attribute: DenseElementsAttr, options: PrintOptions) -> str:
    """Return the text of a dense attribute without its type: ``dense<[1, 2]>``, ``dense<1>`` for a splat.
    Data that is no splat is ``dense_resource<__elided__>`` above `options.elide_elements_above` elements,
    else ``dense<"0x...">`` above `options.hex_elements_above`.
    """
    count = attribute.count
    limit = options.elide_elements_above
    if limit is not None and count > limit and not attribute.is_splat:
        return "dense_resource<__elided__>"
    return f"dense<{literal_text(attribute, options.hex_elements_above)}>"


def literal_text(attribute: DenseElementsAttr, hex_above: int | None = 100) -> str:
    """Return the text between ``dense<`` and ``>``: hexadecimal if there are more than ``hex_above`` elements
    that are no splat (None: never), empty without elements.
    """
    if not attribute.count:
        return ""
    if not attribute.is_splat and hex_above is not None and attribute.count > hex_above:
        data = pack_bits(attribute.data) if attribute.element_type is i1 else attribute.data
        return f'"0x{data.hex().upper()}"'
    texts = _element_texts(attribute)
    if attribute.is_splat:
        return texts[0]
    for extent in reversed(attribute.shape):
        texts = [f"[{', '.join(texts[at : at + extent])}]" for at in range(0, len(texts), extent)]
    return texts[0]


def _element_texts(attribute: DenseElementsAttr) -> list[str]:
    kind = attribute.element_type
    known: dict[int, str] = {}
    texts: list[str] = []
    for pattern in attribute.patterns():
        text = known.get(pattern)
        if text is None:
            text = known[pattern] = element_text(kind, pattern)
        texts.append(text)
    return texts


def pack_bits(data: bytes) -> bytes:
    """Return i1 elements of one byte each, packed into bits; the first element is the lowest bit of the first
    byte, as in MLIR's hexadecimal form.
    """
    bits = int("0" + "".join("1" if byte else "0" for byte in reversed(data)), 2)
    return bits.to_bytes((len(data) + 7) // 8, "little")


def unpack_bits(packed: bytes, count: int) -> bytes:
    """Return ``count`` i1 elements of one byte each, 0 or 1, from `packed`: the first element is the lowest
    bit of the first byte.
    """
    bits = int.from_bytes(packed, "little")
    return bytes(map(int, reversed(f"{bits:0{count}b}"))) if count else b""
