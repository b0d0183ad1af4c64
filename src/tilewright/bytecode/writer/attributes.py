"""Writing self-contained attributes: the way back of `tilewright.bytecode.reader.attributes`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tilewright.bytecode.output import Output, WriteError
from tilewright.bytecode.reader.attributes import MAXIMUM_DEPTH
from tilewright.bytecode.writer.pools import ConstantPool, StringPool
from tilewright.bytecode.writer.type_pool import TypePool
from tilewright.dialects.cuda_tile import attributes as cuda_tile_attributes, enums as cuda_tile_enums
from tilewright.dialects.cuda_tile.version import V13_5, Version
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute

_BOOLEAN_TAG = 3
_INT64_LIMIT = 1 << 63


class AttributeWriter:
    """Writes attributes. `tagged` writes the tag of an attribute, then the attribute; the other methods write
    what follows the tag. It has the tables of types, strings and constants that attributes refer to. All
    methods raise `WriteError` for a type or an attribute that the version cannot represent.
    """

    def __init__(
        self, types: TypePool, strings: StringPool, constants: ConstantPool, version: Version
    ) -> None:
        self.types = types
        self.strings = strings
        self.constants = constants
        self.version = version
        self.preview = False
        """Whether preview content was written."""
        self._depth = 0

    def tagged(self, attribute: Attribute, output: Output) -> None:
        """Write an attribute, tag first.

        Raises `WriteError` for an attribute that bytecode cannot represent, or that is nested too deep.
        """
        if isinstance(attribute, builtin_attributes.IntegerAttr) and attribute.type is builtin_types.i1:
            output.data += bytes([_BOOLEAN_TAG, attribute.value])
            return
        encoding = ENCODERS.get(attribute.__class__)
        if encoding is None:
            raise WriteError(f"unsupported attribute for serialization: {attribute}")
        if self._depth >= MAXIMUM_DEPTH:
            raise WriteError(f"attributes nest deeper than {MAXIMUM_DEPTH} levels")
        tag, encode = encoding
        output.varint(tag)
        self._depth += 1
        try:
            encode(self, attribute, output)
        finally:
            self._depth -= 1

    def integer(self, attribute: builtin_attributes.IntegerAttr, output: Output) -> None:
        """Write an integer: its type index, then its zero-extended bits; `tagged` writes i1 integers as
        Booleans. Raises `WriteError` for a number whose type is not an integer type, such as ``index``.
        """
        if not isinstance(attribute.type, builtin_types.IntegerType):
            raise WriteError(f"an integer must have an integer type, got {attribute}")
        output.varint(self.types.index(attribute.type))
        output.varint(attribute.unsigned)

    def floating(self, attribute: builtin_attributes.FloatAttr, output: Output) -> None:
        """Write a float: its type index, then its bit pattern, as one byte for types of at most 8 bits,
        otherwise as a zig-zag varint. Patterns of 64 bits wrap to signed numbers.
        """
        assert isinstance(attribute.type, builtin_types.FloatType), "float attributes have a float type"
        output.varint(self.types.index(attribute.type))
        bits = attribute.bits
        if attribute.type.width <= 8:
            output.byte(bits)
        else:
            output.signed_varint(bits if bits < _INT64_LIMIT else bits - 2 * _INT64_LIMIT)

    def type(self, attribute: builtin_attributes.TypeAttr, output: Output) -> None:
        """Write a type attribute as a type index."""
        output.varint(self.types.index(attribute.type))

    def string(self, attribute: builtin_attributes.StringAttr, output: Output) -> None:
        """Write a string attribute as a string index. Raises `WriteError` for a string with a type."""
        if attribute.type is not None:
            raise WriteError(f"a string must have no type, got {attribute}")
        output.varint(self.strings.index(attribute.value))

    def array(self, attribute: builtin_attributes.ArrayAttr, output: Output) -> None:
        """Write an array: the number of elements, then each with its tag."""
        output.varint(len(attribute.elements))
        for element in attribute.elements:
            self.tagged(element, output)

    def div_by(self, attribute: cuda_tile_attributes.DivByAttr, output: Output) -> None:
        """Write a `div_by` predicate: the divisor, a byte with flags, then ``every`` and ``along`` if they
        are present, as the flags say.
        """
        output.varint(attribute.divisor)
        _optional_integers(output, attribute.every, attribute.along)

    def same_elements(self, attribute: cuda_tile_attributes.SameElementsAttr, output: Output) -> None:
        """Write a `same_elements` predicate: its values as a list of 64-bit integers."""
        output.integers(attribute.values, 8)

    def bounded(self, attribute: cuda_tile_attributes.BoundedAttr, output: Output) -> None:
        """Write a `bounded` predicate: a byte with flags, then the lower and the upper bound if they are
        present, as the flags say.
        """
        _optional_integers(output, attribute.lower, attribute.upper)

    def dictionary(self, attribute: builtin_attributes.DictionaryAttr, output: Output) -> None:
        """Write a dictionary: the number of entries, then for each, in the order of the names, the string
        index of its name and its value as a tagged attribute. Raises `WriteError` for an entry without a
        name.
        """
        output.varint(len(attribute))
        for key, value in attribute:
            if not key:
                raise WriteError("an entry of a dictionary attribute must have a name")
            output.varint(self.strings.index(key))
            self.tagged(value, output)

    def hints(self, attribute: cuda_tile_attributes.OptimizationHintsAttr, output: Output) -> None:
        """Write optimisation hints as a dictionary."""
        self.dictionary(attribute.hints, output)

    def reduction_kind(self, attribute: cuda_tile_enums.MultimemReductionKindAttr, output: Output) -> None:
        """Write a reduction kind as a varint; raises `WriteError` before version 13.5."""
        if self.version < V13_5:
            message = f"attribute 'MultimemReductionKindAttr' requires bytecode version {V13_5}+, targeting {self.version}"
            raise WriteError(message, V13_5)
        output.varint(attribute.value.value)


def _optional_integers(output: Output, first: int | None, second: int | None) -> None:
    """Write a byte with a bit for each of two integers that is present, then the integers."""
    output.byte((first is not None) | (second is not None) << 1)
    for value in (first, second):
        if value is not None:
            output.signed_varint(value)


ENCODERS: Mapping[type[Attribute], tuple[int, Callable[[AttributeWriter, Any, Output], None]]] = {
    builtin_attributes.IntegerAttr: (1, AttributeWriter.integer),
    builtin_attributes.FloatAttr: (2, AttributeWriter.floating),
    builtin_attributes.TypeAttr: (4, AttributeWriter.type),
    builtin_attributes.StringAttr: (5, AttributeWriter.string),
    builtin_attributes.ArrayAttr: (6, AttributeWriter.array),
    cuda_tile_attributes.DivByAttr: (8, AttributeWriter.div_by),
    cuda_tile_attributes.SameElementsAttr: (9, AttributeWriter.same_elements),
    builtin_attributes.DictionaryAttr: (10, AttributeWriter.dictionary),
    cuda_tile_attributes.OptimizationHintsAttr: (11, AttributeWriter.hints),
    cuda_tile_attributes.BoundedAttr: (12, AttributeWriter.bounded),
    cuda_tile_enums.MultimemReductionKindAttr: (13, AttributeWriter.reduction_kind),
}
"""For each class of attributes, its tag and the method that writes the attribute after the tag."""
