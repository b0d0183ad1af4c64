"""The constant table: untyped bytes that get their meaning from the type they are used with."""

from __future__ import annotations

from tilewright.bytecode.codes import INVALID_CONSTANT, INVALID_INDEX, INVALID_TABLE
from tilewright.bytecode.cursor import ByteRange, Cursor, OffsetTable, reading
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, element_bytes
from tilewright.ir.builtin_types import FloatType, IntegerType, i1

OFFSET_BYTES = 8
_BITS = [bytes(byte >> bit & 1 for byte in range(256)) for bit in range(8)]
"""For each of the eight bits of a byte, a table for `bytes.translate` that maps a byte to this bit (0 or
1).
"""


class ConstantTable:
    """The constants of a file, from a cursor over the constant section; None: the file has no constants. For
    each index and type, the attribute is made once.
    """

    def __init__(self, cursor: Cursor | None) -> None:
        self._data = cursor.data if cursor is not None else b""
        self.spans = _read_spans(cursor)
        """The byte range of each entry in the file."""
        self._raw: dict[int, bytes] = {}
        self._made: dict[tuple[int, Type], DenseElementsAttr] = {}

    def __len__(self) -> int:
        return len(self.spans)

    def read(self, cursor: Cursor, kind: Type) -> DenseElementsAttr:
        """Read the index of a constant and return the constant, with the tile type ``kind``. Raises
        `ReadError` for an index out of bounds, unless ``kind`` is a tile of integers or floats, and unless
        the bytes are one element or all of them.
        """
        with reading("failed to read constant index", cursor):
            index = cursor.varint()
        if index >= len(self.spans):
            raise cursor.error(INVALID_INDEX, f"constant index {index} out of bounds")
        return self.get(index, kind)

    def get(self, index: int, kind: Type) -> DenseElementsAttr:
        """Return the constant at ``index``, which must be in the table, with the tile type ``kind``. Raises
        `ReadError` unless ``kind`` is a tile of integers or floats, and the bytes are one element or all of
        them.
        """
        found = self._made.get((index, kind))
        if found is None:
            found = self._made[index, kind] = self._make(index, kind)
        return found

    def _make(self, index: int, kind: Type) -> DenseElementsAttr:
        cursor = Cursor(self._data, *self.spans[index])
        if not (isinstance(kind, TileType) and isinstance(kind.element_type, IntegerType | FloatType)):
            shown = kind if isinstance(kind, TileType) else "<<NULL TYPE>>"
            raise cursor.error(INVALID_CONSTANT, f"expect Cuda Tile integer or float type but got: '{shown}'")
        raw = self._raw_bytes(index, cursor)
        if kind.element_type is i1:
            return DenseElementsAttr(kind, _unpack_booleans(cursor, raw, kind.element_count))
        size = element_bytes(kind.element_type)
        if len(raw) not in (size, size * kind.element_count):
            raise cursor.error(INVALID_CONSTANT, "failed to validate buffer size and format")
        return DenseElementsAttr(kind, _without_unused_bits(raw, kind.element_type.width, size))

    def _raw_bytes(self, index: int, cursor: Cursor) -> bytes:
        """Read the length and the bytes of the entry at ``cursor``; the bytes are cached by ``index``. Raises
        `ReadError` if the entry ends before.
        """
        with reading("failed to read the size of the data buffer", cursor):
            length = cursor.varint()
        if length > cursor.remaining:
            raise cursor.truncated("a constant").within("failed to read the raw byte data", cursor)
        raw = self._raw.get(index)
        if raw is None:
            raw = self._raw[index] = cursor.take(length)
        else:
            cursor.position += length
        return raw


def _unpack_booleans(cursor: Cursor, raw: bytes, count: int) -> bytes:
    """Unpack ``count`` booleans to one byte each from ``raw``, which has one bit for each, or one byte whose
    lowest bit stands for all. If all are equal, return one byte, a splat, as the public tools do for this
    type. Raises `ReadError` for another size.
    """
    packed = (count + 7) // 8
    if len(raw) == 1 and packed > 1:
        return bytes([raw[0] & 1])
    if len(raw) != packed:
        raise cursor.error(
            INVALID_CONSTANT,
            f"i1 dense attribute payload size {len(raw)} is not a recognized encoding for {count} elements",
        )
    elements = bytearray(8 * packed)
    for bit, translation in enumerate(_BITS):
        elements[bit::8] = raw.translate(translation)
    del elements[count:]
    return bytes(elements[:1] if elements.count(elements[0]) == count else elements)


def pack_booleans(elements: bytes) -> bytes:
    """Pack booleans of one byte each into bits, the first in the lowest bit. If all are equal, or one byte
    stands for all, the result is one byte of ones or zeros.
    """
    if elements.count(elements[0]) == len(elements):
        return bytes([0xFF * (elements[0] & 1)])
    packed = 0
    for bit in range(
        8
    ):  # every eighth element at once: a shift by at most seven moves nothing into the next byte
        packed |= int.from_bytes(elements[bit::8].translate(_BITS[0]), "little") << bit
    return packed.to_bytes((len(elements) + 7) // 8, "little")


def _without_unused_bits(raw: bytes, bits: int, size: int) -> bytes:
    """Return elements of ``size`` bytes with the bits above the width of their type, ``bits``, cleared, as
    the public tools read them.
    """
    mask = (1 << bits) - 1 >> 8 * (size - 1)
    if mask == 0xFF or all(byte <= mask for byte in raw[size - 1 :: size]):
        return raw
    cleared = bytearray(raw)
    cleared[size - 1 :: size] = bytes(byte & mask for byte in raw[size - 1 :: size])
    return bytes(cleared)


def _read_spans(cursor: Cursor | None) -> list[ByteRange]:
    if cursor is None:
        return []
    with reading("failed to parse constant section"):
        return _spans(cursor)


def _spans(cursor: Cursor) -> list[ByteRange]:
    count = cursor.count()
    if count == 0:
        return []
    cursor.skip_padding(OFFSET_BYTES)
    if cursor.remaining // OFFSET_BYTES < count:
        raise cursor.error(INVALID_TABLE, "insufficient data for constant indices")
    offsets = OffsetTable(cursor, count, OFFSET_BYTES)
    return [_span(cursor, offsets, index) for index in range(count)]


def _span(cursor: Cursor, offsets: OffsetTable, index: int) -> ByteRange:
    start, end = offsets.bounds(index)
    if end < start:
        raise cursor.error(
            INVALID_TABLE,
            f"invalid constant start indices: end ({end}) is less than start ({start}) for constant {index}",
        )
    if end > offsets.size:
        raise cursor.error(
            INVALID_TABLE,
            f"constant {index} extends beyond available data: size={end - start}, start={start}, "
            f"total data size={offsets.size}",
        )
    return ByteRange(offsets.base + start, offsets.base + end)
