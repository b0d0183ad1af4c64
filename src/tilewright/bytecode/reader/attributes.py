"""Self-contained attributes: a tag, then the fields that the tag implies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from tilewright.bytecode.codes import INVALID_ATTRIBUTE, LIMIT, NOT_IN_VERSION
from tilewright.bytecode.cursor import Cursor, ErrorFrame, ReadError, reading
from tilewright.bytecode.preview import NO_PREVIEW, Preview
from tilewright.bytecode.reader.constants import ConstantTable
from tilewright.bytecode.reader.strings import StringTable
from tilewright.bytecode.reader.type_table import TypeTable
from tilewright.dialects.cuda_tile import attributes as cuda_tile_attributes, types as cuda_tile_types
from tilewright.dialects.cuda_tile.enums import MultimemReductionKind, MultimemReductionKindAttr
from tilewright.dialects.cuda_tile.version import V13_5, Version
from tilewright.ir import builtin_attributes, uniquer
from tilewright.ir.attribute import Attribute, SharedAttributes, Type
from tilewright.ir.builtin_attributes import boolean
from tilewright.ir.builtin_types import FloatType, IntegerType

_Type = TypeVar("_Type", bound=Type)
MAXIMUM_DEPTH = 100
"""The maximum nesting depth of arrays and dictionaries (in practice it is 2)."""


class AttributeReader:
    """Reads attributes. `tagged` reads the tag of an attribute, then the attribute; the other methods read
    what follows the tag. It has the tables of types, strings and constants that attributes refer to. All
    methods raise `ReadError` for malformed input.
    """

    def __init__(
        self,
        types: TypeTable,
        strings: StringTable,
        constants: ConstantTable,
        version: Version,
        preview: Preview = NO_PREVIEW,
    ) -> None:
        self.types = types
        self.strings = strings
        self.constants = constants
        self.version = version
        self.preview = preview
        self.known: dict[Any, SharedAttributes] = {}
        """The attribute dictionaries of operations read so far, by their encoding in the file."""
        self.known_short: dict[Any, list[tuple[bytes, Attribute]]] = {}
        """Single attributes read so far, each with its bytes, by codec and first byte."""
        self._depth = 0

    def tagged(self, cursor: Cursor) -> Attribute:
        """Read the tag of an attribute, then the attribute. Raises `ReadError` for an unknown tag, and for
        attributes that nest deeper than `MAXIMUM_DEPTH`.
        """
        with reading("failed to read AttributeTag for self-contained attribute.", cursor):
            tag = cursor.varint()
        decode = DECODERS.get(tag)
        if decode is None:
            message = f"unsupported AttributeTag {tag} for self-contained attribute"
            raise cursor.error(INVALID_ATTRIBUTE, message)
        if self._depth >= MAXIMUM_DEPTH:
            raise cursor.error(LIMIT, f"attributes nest deeper than {MAXIMUM_DEPTH}")
        self._depth += 1
        try:
            return decode(self, cursor)
        finally:
            self._depth -= 1

    def integer(self, cursor: Cursor) -> Attribute:
        """Read an integer: type, then the zero-extended bits (i1: a byte, nonzero is true)."""
        kind = self._typed(cursor, IntegerType, "failed to read valid IntegerType for IntegerAttr")
        return inline_integer(cursor, kind)

    def floating(self, cursor: Cursor) -> Attribute:
        """Read a float: its type, then the bit pattern.

        Patterns of at most 8 bits are one byte, others zig-zag varints of at most 64 bits. A writer that does
        not wrap negative f64 patterns loses their sign, as with the public tools.
        """
        kind = self._typed(cursor, FloatType, "failed to read valid FloatType for FloatAttr")
        return builtin_attributes.FloatAttr(kind, _bit_pattern(cursor, kind.width))

    def boolean(self, cursor: Cursor) -> Attribute:
        """Read a bool: one byte, nonzero is true."""
        return inline_boolean(cursor)

    def type(self, cursor: Cursor) -> Attribute:
        """Read a type attribute: a type index."""
        with reading("failed to get referenced type for TypeAttr", cursor):
            return builtin_attributes.TypeAttr(self.types.read(cursor))

    def string(self, cursor: Cursor) -> Attribute:
        """Read a string attribute: a string index."""
        with reading("failed to read StringAttr.", cursor):
            return builtin_attributes.StringAttr(self.strings.read(cursor))

    def array(self, cursor: Cursor) -> builtin_attributes.ArrayAttr:
        """Read an array: the number of elements, then each element as a tagged attribute."""
        with reading("failed to read size for ArrayAttr.", cursor):
            count = cursor.count()
        elements: list[Attribute] = []
        for number in range(count):
            with reading(f"failed to parse ArrayAttr element {number}", cursor):
                elements.append(self.tagged(cursor))
        return builtin_attributes.ArrayAttr(tuple(elements))

    def dense_elements(self, cursor: Cursor) -> Attribute:
        """Raise `ReadError` for dense elements outside of an operation, which the public tools have never
        accepted; the tile type is read first, so that a malformed type is reported instead.
        """
        message = "failed to read valid MLIR Type for self-contained DenseElementsAttr"
        self._typed(cursor, cuda_tile_types.TileType, message)
        raise cursor.error(INVALID_ATTRIBUTE, "unknown DenseElementsAttr based Attr")

    def div_by(self, cursor: Cursor) -> Attribute:
        """Read a `div_by` predicate: divisor, flags, then the group size and the dimension, if the flags say
        that they are present. Raises `ReadError` for unknown flags, or parameters that the predicate does not
        allow.
        """
        with reading("failed to read divisor", cursor):
            divisor = cursor.varint()
        flags = self._flags(cursor)
        every = _optional(cursor, flags & 1, "failed to read every_val")
        along = _optional(cursor, flags & 2, "failed to read along_val")
        _check_flags(cursor, flags)
        try:
            return cuda_tile_attributes.DivByAttr(divisor, every, along)
        except uniquer.InvalidParameters as error:
            raise cursor.error(INVALID_ATTRIBUTE, f"'cuda_tile.assume' op {error}") from None

    def same_elements(self, cursor: Cursor) -> Attribute:
        """Read a `same_elements` predicate: a list of 64-bit run lengths, one for each dimension."""
        with reading("failed to read values data", cursor):
            return cuda_tile_attributes.SameElementsAttr(cursor.integers(8))

    def bounded(self, cursor: Cursor) -> Attribute:
        """Read a `bounded` predicate: flags, then the lower and the upper bound, if the flags say that they
        are present. Raises `ReadError` for unknown flags.
        """
        flags = self._flags(cursor)
        lower = _optional(cursor, flags & 1, "failed to read lb_val")
        upper = _optional(cursor, flags & 2, "failed to read ub_val")
        _check_flags(cursor, flags)
        return cuda_tile_attributes.BoundedAttr(lower, upper)

    def dictionary(self, cursor: Cursor) -> builtin_attributes.DictionaryAttr:
        """Read a dictionary: the number of entries, then for each a string index and a tagged attribute.
        Raises `ReadError` for an empty or a repeated name.
        """
        with reading("failed to read size for DictionaryAttr", cursor):
            count = cursor.count()
        entries: dict[str, Attribute] = {}
        repeated = None
        for number in range(count):
            key = self._key(cursor, number)
            with reading(f"failed to parse DictionaryAttr value for key {key}", cursor):
                value = self.tagged(cursor)
            if key in entries:
                repeated = key if repeated is None else min(repeated, key)
            entries[key] = value
        if repeated is not None:
            message = f'failed to parse DictionaryAttr, duplicate key found: "{repeated}"'
            raise cursor.error(INVALID_ATTRIBUTE, message)
        return builtin_attributes.DictionaryAttr(tuple(entries.items()))

    def _key(self, cursor: Cursor, number: int) -> str:
        with reading(f"failed to read key for DictionaryAttr element {number}", cursor):
            key = self.strings.read(cursor)
        if not key:
            message = f"invalid empty attribute name for DictionaryAttr element {number}"
            raise cursor.error(INVALID_ATTRIBUTE, message)
        return key

    def hints(self, cursor: Cursor) -> cuda_tile_attributes.OptimizationHintsAttr:
        """Read optimisation hints: the body of a dictionary. Raises `ReadError` if a value is not a
        dictionary.
        """
        hints = self.dictionary(cursor)
        for key, value in hints:
            if not isinstance(value, builtin_attributes.DictionaryAttr):
                message = (
                    f"expected dictionary attribute for optimization_hints entry `{key}` got value={value}"
                )
                raise cursor.error(INVALID_ATTRIBUTE, message)
        return cuda_tile_attributes.OptimizationHintsAttr(hints)

    def reduction_kind(self, cursor: Cursor) -> Attribute:
        """Read a reduction kind (13.5). Raises `ReadError` in an older version, and for an unknown kind."""
        if self.version < V13_5:
            message = f"attribute 'MultimemReductionKindAttr' requires bytecode version {V13_5}+, targeting {self.version}"
            raise ReadError(NOT_IN_VERSION, ErrorFrame(message, cursor.position))
        with reading("failed to read value", cursor):
            value = cursor.varint()
        if value >= 1 << 32:
            message = f"enum value for value ({value}) does not fit in 32-bit storage"
            raise cursor.error(INVALID_ATTRIBUTE, message)
        try:
            return MultimemReductionKindAttr(MultimemReductionKind(value))
        except ValueError:
            raise cursor.error(INVALID_ATTRIBUTE, f"invalid enum value for value: {value}") from None

    def _flags(self, cursor: Cursor) -> int:
        with reading("failed to read optional parameter flags", cursor):
            return cursor.varint()

    def _typed(self, cursor: Cursor, kind: type[_Type], message: str) -> _Type:
        with reading(message, cursor):
            found = self.types.read(cursor)
        if not isinstance(found, kind):
            raise cursor.error(INVALID_ATTRIBUTE, message)
        return found


def inline_integer(cursor: Cursor, kind: IntegerType) -> builtin_attributes.IntegerAttr:
    """Read the zero-extended bits of an integer of type ``kind``, without a tag (i1: a byte, nonzero is
    true). Raises `ReadError` for bits beyond its width.
    """
    if kind.width == 1:
        return inline_boolean(cursor)
    with reading(f"failed to read VarInt for inline integer (width={kind.width})", cursor):
        value = cursor.varint()
    if value >> kind.width:
        raise cursor.error(INVALID_ATTRIBUTE, f"value {value} does not fit in {kind.width} bits")
    return builtin_attributes.IntegerAttr(kind, value)


def inline_boolean(cursor: Cursor) -> builtin_attributes.IntegerAttr:
    """Read an i1 without a tag: one byte, nonzero is true."""
    with reading("failed to read byte for inline bool (i1)", cursor):
        return boolean(cursor.byte() != 0)


def _bit_pattern(cursor: Cursor, width: int) -> int:
    if width <= 8:
        with reading("failed to read byte for APInt (<= 8 bits).", cursor):
            value = cursor.byte()
    else:
        with reading("failed to read signed varint for APInt (<= 64 bits).", cursor):
            value = cursor.signed_varint() & (1 << 64) - 1
    if value >> width:
        stop = "." if width <= 8 else ""
        raise cursor.error(INVALID_ATTRIBUTE, f"value {value} does not fit in {width} bits{stop}")
    return value


def _optional(cursor: Cursor, present: int, message: str) -> int | None:
    if not present:
        return None
    with reading(message, cursor):
        return cursor.signed_varint()


def _check_flags(cursor: Cursor, flags: int) -> None:
    if flags & ~3:
        raise cursor.error(INVALID_ATTRIBUTE, "unused bits set in optional parameter flags")


DECODERS: Mapping[int, Callable[[AttributeReader, Cursor], Attribute]] = {
    1: AttributeReader.integer,
    2: AttributeReader.floating,
    3: AttributeReader.boolean,
    4: AttributeReader.type,
    5: AttributeReader.string,
    6: AttributeReader.array,
    7: AttributeReader.dense_elements,
    8: AttributeReader.div_by,
    9: AttributeReader.same_elements,
    10: AttributeReader.dictionary,
    11: AttributeReader.hints,
    12: AttributeReader.bounded,
    13: AttributeReader.reduction_kind,
}
"""The method that decodes the attributes of each tag."""
