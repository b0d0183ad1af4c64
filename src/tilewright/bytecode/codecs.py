"""How an inherent attribute of an op is encoded: one codec per kind, chosen by the kind's class.

The op says which attributes there are and in which order (`tilewright.bytecode.wire`), so these encodings carry no
tags.  A codec holds both directions of one encoding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.bytecode import codes, enums
from tilewright.bytecode.cursor import Cursor, reading
from tilewright.bytecode.output import Output, WriteError
from tilewright.bytecode.reader.attributes import AttributeReader, inline_boolean, inline_integer
from tilewright.dialects.cuda_tile import attributes as cuda_tile_attributes, types as cuda_tile_types
from tilewright.dialects.cuda_tile.version import Version
from tilewright.ir import builtin_attributes
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_types import IntegerType, i1, i32
from tilewright.ir.declaration import attribute_kind

if TYPE_CHECKING:
    from tilewright.bytecode.writer.attributes import AttributeWriter

_UNSUPPORTED_ELEMENTS = (-(2**31), 2**31 - 1)
"""Numbers that the format reserves in arrays of 32-bit integers, and that cannot be elements."""


class AttributeCodec:
    """The encoding of one attribute of an operation in one version; `decode` and `encode` are its two
    directions.
    """

    def decode(self, cursor: Cursor, reader: AttributeReader, expected: Type | None) -> Attribute:
        """Read the attribute at ``cursor``. ``expected`` is the type of the operation's first result; None if
        it has no results. Raises `ReadError` for a malformed attribute, and for one that the version does not
        have.
        """
        raise NotImplementedError

    def encode(self, attribute: Attribute, writer: AttributeWriter, output: Output) -> None:
        """Append an attribute to ``output``. Raises `WriteError` for an attribute of another kind, and for
        one that the version cannot represent.
        """
        raise NotImplementedError


class EnumCodec(AttributeCodec):
    """Encodes a case of an enum as a varint."""

    def __init__(self, kind: attribute_kind.EnumKind, version: Version) -> None:
        self._cases: enums.EnumReader[Any] = enums.EnumReader(kind.attribute_class, version)
        self._encodings = enums.EnumWriter(kind.attribute_class, version)

    def decode(self, cursor: Cursor, reader: AttributeReader, expected: Type | None) -> Attribute:
        return self._cases.read(cursor).attribute

    def encode(self, attribute: Attribute, writer: AttributeWriter, output: Output) -> None:
        output.data += self._encodings.encode(attribute)


class IntegerCodec(AttributeCodec):
    """Encodes an integer as a varint of its zero-extended bits. Construction raises `TypeError` unless the
    kind has an integer type; other types are refused by `encode`.
    """

    def __init__(self, kind: attribute_kind.IntegerKind, version: Version) -> None:
        if not isinstance(kind.type, IntegerType):
            raise TypeError(f"no bytecode encoding for an integer attribute of type {kind.type}")
        self._type = kind.type

    def decode(self, cursor: Cursor, reader: AttributeReader, expected: Type | None) -> Attribute:
        return inline_integer(cursor, self._type)

    def encode(self, attribute: Attribute, writer: AttributeWriter, output: Output) -> None:
        if not (isinstance(attribute, builtin_attributes.IntegerAttr) and attribute.type is self._type):
            raise WriteError(f"expected an integer of type {self._type}, got {attribute}")
        output.varint(attribute.unsigned)


class BoolCodec(AttributeCodec):
    """Encodes a bool as one byte, 0 or 1; decoding accepts any nonzero byte as true."""

    def __init__(self, kind: attribute_kind.BoolKind, version: Version) -> None:
        pass

    def decode(self, cursor: Cursor, reader: AttributeReader, expected: Type | None) -> Attribute:
        return inline_boolean(cursor)

    def encode(self, attribute: Attribute, writer: AttributeWriter, output: Output) -> None:
        if not (isinstance(attribute, builtin_attributes.IntegerAttr) and attribute.type is i1):
            raise WriteError(f"expected a bool, got {attribute}")
        output.byte(attribute.value)


class StringCodec(AttributeCodec):
    """Encodes a string as its index in the string table."""

    def __init__(self, kind: attribute_kind.StringKind, version: Version) -> None:
        pass

    def decode(self, cursor: Cursor, reader: AttributeReader, expected: Type | None) -> Attribute:
        with reading("failed to read StringAttr.", cursor):
            return builtin_attributes.StringAttr(reader.strings.read(cursor))

    def encode(self, attribute: Attribute, writer: AttributeWriter, output: Output) -> None:
        if not isinstance(attribute, builtin_attributes.StringAttr):
            raise WriteError(f"expected a string, got {attribute}")
        writer.string(attribute, output)


class SymbolRefCodec(AttributeCodec):
    """Encodes a symbol reference as the index of the symbol's name in the string table. Nested references and
    empty names are refused.
    """

    def __init__(self, kind: attribute_kind.SymbolRefKind, version: Version) -> None:
        pass

    def decode(self, cursor: Cursor, reader: AttributeReader, expected: Type | None) -> Attribute:
        with reading("failed to read string for FlatSymbolRefAttr.", cursor):
            name = reader.strings.read(cursor)
        if not name:
            raise cursor.error(codes.INVALID_ATTRIBUTE, "empty symbol reference is invalid")
        return builtin_attributes.SymbolRefAttr(name)

    def encode(self, attribute: Attribute, writer: AttributeWriter, output: Output) -> None:
        if not (
            isinstance(attribute, builtin_attributes.SymbolRefAttr)
            and attribute.root
            and not attribute.nested
        ):
            raise WriteError(f"expected the name of a symbol, got {attribute}")
        output.varint(writer.strings.index(attribute.root))


class TypeCodec(AttributeCodec):
    """Encodes a type as its index in the type table."""

    def __init__(self, kind: attribute_kind.TypeKind, version: Version) -> None:
        pass

    def decode(self, cursor: Cursor, reader: AttributeReader, expected: Type | None) -> Attribute:
        with reading("failed to get referenced type for TypeAttr", cursor):
            return builtin_attributes.TypeAttr(reader.types.read(cursor))

    def encode(self, attribute: Attribute, writer: AttributeWriter, output: Output) -> None:
        if not isinstance(attribute, builtin_attributes.TypeAttr):
            raise WriteError(f"expected a type, got {attribute}")
        writer.type(attribute, output)


class DenseArrayCodec(AttributeCodec):
    """Encodes an array of i32 as a list of 32-bit integers, and an array of bools as a list of bytes. The
    smallest and the largest 32-bit integer are refused. Construction raises `TypeError` for other elements.
    """

    def __init__(self, kind: attribute_kind.DenseArrayKind, version: Version) -> None:
        if kind.element_type not in (i1, i32):
            raise TypeError(f"no bytecode encoding for a dense array of {kind.element_type}")
        self._element = kind.element_type
        self._width = 1 if kind.element_type is i1 else 4
        self._message = f"failed to read Dense{'Bool' if kind.element_type is i1 else 'I32'}ArrayAttr values."

    def decode(self, cursor: Cursor, reader: AttributeReader, expected: Type | None) -> Attribute:
        with reading(self._message, cursor):
            values = cursor.integers(self._width)
        if self._element is i1:
            return builtin_attributes.DenseArrayAttr(i1, tuple([value != 0 for value in values]))
        for value in values:
            if value in _UNSUPPORTED_ELEMENTS:
                raise cursor.error(codes.INVALID_ATTRIBUTE, f"array contains unsupported value {value}")
        return builtin_attributes.DenseArrayAttr(i32, values)

    def encode(self, attribute: Attribute, writer: AttributeWriter, output: Output) -> None:
        if not (
            isinstance(attribute, builtin_attributes.DenseArrayAttr)
            and attribute.element_type is self._element
        ):
            raise WriteError(f"expected a dense array of {self._element}, got {attribute}")
        if self._element is i32 and not set(attribute.values).isdisjoint(_UNSUPPORTED_ELEMENTS):
            raise WriteError(f"an array holds a value that bytecode reserves: {attribute}")
        output.integers(attribute.values, self._width)


class ElementsCodec(AttributeCodec):
    """Encodes dense elements as an index in the constant table; their type is the type of the operation's
    first result. If the operation has no results, decoding reads the index of the type before.
    """

    def __init__(self, kind: attribute_kind.ElementsKind, version: Version) -> None:
        pass

    def decode(self, cursor: Cursor, reader: AttributeReader, expected: Type | None) -> Attribute:
        return reader.constants.read(cursor, expected or self._own_type(cursor, reader))

    def encode(self, attribute: Attribute, writer: AttributeWriter, output: Output) -> None:
        output.varint(writer.constants.index(attribute))

    def _own_type(self, cursor: Cursor, reader: AttributeReader) -> Type:
        message = "failed to read valid MLIR Type for self-contained DenseElementsAttr"
        with reading(message, cursor):
            found = reader.types.read(cursor)
        if not isinstance(found, cuda_tile_types.TileType):
            raise cursor.error(codes.INVALID_ATTRIBUTE, message)
        return found


class ArrayCodec(AttributeCodec):
    """Encodes an array as its number of elements, then each element as a tagged attribute."""

    def __init__(self, kind: attribute_kind.ArrayKind, version: Version) -> None:
        pass

    def decode(self, cursor: Cursor, reader: AttributeReader, expected: Type | None) -> Attribute:
        return reader.array(cursor)

    def encode(self, attribute: Attribute, writer: AttributeWriter, output: Output) -> None:
        if not isinstance(attribute, builtin_attributes.ArrayAttr):
            raise WriteError(f"expected an array, got {attribute}")
        writer.array(attribute, output)


class HintsCodec(AttributeCodec):
    """Encodes optimisation hints as the body of a dictionary, without a tag."""

    def decode(self, cursor: Cursor, reader: AttributeReader, expected: Type | None) -> Attribute:
        return reader.hints(cursor)

    def encode(self, attribute: Attribute, writer: AttributeWriter, output: Output) -> None:
        if not isinstance(attribute, cuda_tile_attributes.OptimizationHintsAttr):
            raise WriteError(f"expected optimization hints, got {attribute}")
        writer.hints(attribute, output)


class PredicateCodec(AttributeCodec):
    """Encodes the predicate of an `assume` as a tagged attribute."""

    def decode(self, cursor: Cursor, reader: AttributeReader, expected: Type | None) -> Attribute:
        with reading("failed to parse self-contained attribute for AssumePredicateAttrInterface", cursor):
            found = reader.tagged(cursor)
        if not isinstance(found, cuda_tile_attributes.AssumePredicate):
            message = "failed to cast parsed attribute to AssumePredicateAttrInterface"
            raise cursor.error(codes.INVALID_ATTRIBUTE, message)
        return found

    def encode(self, attribute: Attribute, writer: AttributeWriter, output: Output) -> None:
        if not isinstance(attribute, cuda_tile_attributes.AssumePredicate):
            raise WriteError(f"expected an assume predicate, got {attribute}")
        writer.tagged(attribute, output)


def _instance_codec(kind: attribute_kind.InstanceKind, version: Version) -> AttributeCodec:
    if kind.classes is cuda_tile_attributes.OptimizationHintsAttr:
        return HintsCodec()
    if kind.classes is cuda_tile_attributes.AssumePredicate:
        return PredicateCodec()
    raise TypeError(f"no bytecode encoding for {kind.description}")


_CODECS: dict[type[attribute_kind.AttributeKind], Any] = {
    attribute_kind.EnumKind: EnumCodec,
    attribute_kind.IntegerKind: IntegerCodec,
    attribute_kind.BoolKind: BoolCodec,
    attribute_kind.StringKind: StringCodec,
    attribute_kind.SymbolRefKind: SymbolRefCodec,
    attribute_kind.TypeKind: TypeCodec,
    attribute_kind.DenseArrayKind: DenseArrayCodec,
    attribute_kind.ElementsKind: ElementsCodec,
    attribute_kind.ArrayKind: ArrayCodec,
    attribute_kind.InstanceKind: _instance_codec,
}


def codec(kind: attribute_kind.AttributeKind, version: Version) -> AttributeCodec:
    """Return the codec of an attribute kind in a version. Raises `TypeError` for kinds that bytecode cannot
    represent.
    """
    for kind_class in type(kind).__mro__:
        make = _CODECS.get(kind_class)
        if make is not None:
            return make(kind, version)
    raise TypeError(f"no bytecode encoding for {kind.description}")
