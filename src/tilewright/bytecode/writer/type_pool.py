"""The type table under construction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tilewright.bytecode.enums import EnumWriter
from tilewright.bytecode.output import Output, WriteError, encoded_varint
from tilewright.bytecode.reader.strings import OFFSET_BYTES
from tilewright.bytecode.reader.type_table import COMPOSITE_TAGS, MAXIMUM_DEPTH, SCALAR_TAGS
from tilewright.bytecode.writer.pools import EntryPool, write_table
from tilewright.dialects.cuda_tile import types as cuda_tile_types, version as cuda_tile_version
from tilewright.dialects.cuda_tile.availability import POINTER_ATTRIBUTE_SINCE
from tilewright.dialects.cuda_tile.enums import PaddingValue, PaddingValueAttr, PtrAttr, PtrAttrAttr
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FunctionType, i1, i32

FIRST_TYPES = (i1, i32)
"""The types with indices 0 and 1 in every file, used or not, as cuTile writes them."""


class TypePool:
    """The types of a file, numbered in order of first use. The element and parameter types of a type come
    before it.
    """

    def __init__(self, version: cuda_tile_version.Version) -> None:
        self._version = version
        self._pool = EntryPool()
        self._indices: dict[Type, int] = {}
        self._depth = 0
        self._padding = EnumWriter(PaddingValueAttr, version)
        self._ptr_attr = EnumWriter(PtrAttrAttr, version)
        for first in FIRST_TYPES:
            self.index(first)

    def index(self, type: Type) -> int:
        """Return the index of a type, appended if it is new. Raises `WriteError` for a type that the version
        cannot represent.
        """
        found = self._indices.get(type)
        if found is None:
            found = self._indices[type] = self._pool.add(self._encode(type))
        return found

    def write(self, output: Output) -> None:
        """Write the payload of the type section."""
        write_table(output, self._pool.entries, OFFSET_BYTES)

    def _encode(self, type: Type) -> bytes:
        scalar = _SCALARS.get(type)
        if scalar is not None:
            self._check_version(SCALAR_TAGS[scalar].name, SCALAR_TAGS[scalar].since)
            return encoded_varint(scalar)
        encoding = _COMPOSITES.get(type.__class__)
        if encoding is None:
            raise WriteError(f"unsupported type in bytecode writer: '{type}'")
        tag, encode = encoding
        self._check_version(COMPOSITE_TAGS[tag].name, COMPOSITE_TAGS[tag].since)
        return self._encode_composite(type, tag, encode)

    def _encode_composite(
        self, type: Type, tag: int, encode: Callable[[TypePool, Any, Output], None]
    ) -> bytes:
        if self._depth >= MAXIMUM_DEPTH:
            raise WriteError(f"types nest deeper than {MAXIMUM_DEPTH} levels")
        output = Output()
        output.varint(tag)
        self._depth += 1
        try:
            encode(self, type, output)
        finally:
            self._depth -= 1
        return bytes(output.data)

    def _check_version(self, name: str, since: cuda_tile_version.Version) -> None:
        if self._version < since:
            message = f"type '{name}' requires bytecode version {since}+, targeting {self._version}"
            raise WriteError(message, since)

    def pointer(self, type: cuda_tile_types.PointerType, output: Output) -> None:
        """Write the parameters of a pointer type, which follow its tag: flags (from 13.4 on), the pointee's
        index, the pointer's attribute. Raises `WriteError` for an attribute before 13.4, and for a pointee
        that the version cannot represent.
        """
        self._pointer_flags(type.attribute, output)
        output.varint(self.index(type.pointee))
        self._pointer_attribute(type.attribute, output)

    def tile(self, type: cuda_tile_types.TileType, output: Output) -> None:
        """Write the parameters of a tile type, which follow its tag: the index of the element type, the
        number of extents, and the extents of 8 bytes each. Raises `WriteError` for an element type that the
        version cannot represent.
        """
        output.varint(self.index(type.element_type))
        output.integers(type.shape, 8)

    def tensor_view(self, type: cuda_tile_types.TensorViewType, output: Output) -> None:
        """Write the parameters of a tensor view type, which follow its tag: flags (from 13.4 on), element
        type, shape, strides, the pointer's attribute. Raises `WriteError` for an attribute before 13.4, and
        for an element type that the version cannot represent.
        """
        self._pointer_flags(type.attribute, output)
        output.varint(self.index(type.element_type))
        output.integers(type.shape, 8)
        output.integers(type.strides, 8)
        self._pointer_attribute(type.attribute, output)

    def partition_view(self, type: cuda_tile_types.PartitionViewType, output: Output) -> None:
        """Write the parameters of a partition view type, which follow its tag: padding flag (from 13.3 on),
        tile, tensor view, dimension map, padding flag (before 13.3), and the padding value, if there is one.
        Raises `WriteError` for a part that the version cannot represent.
        """
        flagged = self._version >= cuda_tile_version.V13_3
        padded = type.padding_value is not None
        if flagged:
            output.byte(padded)
        output.integers(type.tile, 4)
        output.varint(self.index(type.tensor_view))
        output.integers(type.dim_map, 4)
        if not flagged:
            output.byte(padded)
        self._padding_value(type.padding_value, output)

    def strided_view(self, type: cuda_tile_types.StridedViewType, output: Output) -> None:
        """Write the parameters of a strided view type, which follow its tag: padding flag, tile, traversal
        strides, tensor view, dimension map, and the padding value, if there is one. Raises `WriteError` for a
        part that the version cannot represent.
        """
        output.byte(type.padding_value is not None)
        output.integers(type.tile, 4)
        output.integers(type.traversal_strides, 4)
        output.varint(self.index(type.tensor_view))
        output.integers(type.dim_map, 4)
        self._padding_value(type.padding_value, output)

    def gather_scatter_view(self, type: cuda_tile_types.GatherScatterViewType, output: Output) -> None:
        """Write the parameters of a gather-scatter view type, which follow its tag: padding flag, tile,
        tensor view, sparse dimension, and the padding value, if there is one. Raises `WriteError` for a part
        that the version cannot represent.
        """
        output.byte(type.padding_value is not None)
        output.integers(type.tile, 4)
        output.varint(self.index(type.tensor_view))
        output.varint(type.sparse_dim)
        self._padding_value(type.padding_value, output)

    def function(self, type: FunctionType, output: Output) -> None:
        """Write the parameters of a function type, which follow its tag: the number of inputs and the inputs,
        then the number of results and the results. Raises `WriteError` for one that the version cannot
        represent.
        """
        for types in (type.inputs, type.results):
            indices = [self.index(part) for part in types]
            output.varint(len(indices))
            for index in indices:
                output.varint(index)

    def _pointer_flags(self, attribute: PtrAttr | None, output: Output) -> None:
        since = POINTER_ATTRIBUTE_SINCE
        if self._version >= since:
            output.byte(attribute is not None)
        elif attribute is not None:
            message = f"parameter 'ptrAttr' requires bytecode version {since}+, but targeting {self._version}"
            raise WriteError(message, max(since, PtrAttrAttr.case_since.get(attribute, since)))

    def _pointer_attribute(self, attribute: PtrAttr | None, output: Output) -> None:
        if attribute is not None:
            output.data += self._ptr_attr.encode(PtrAttrAttr(attribute))

    def _padding_value(self, padding: PaddingValue | None, output: Output) -> None:
        if padding is not None:
            output.data += self._padding.encode(PaddingValueAttr(padding))


_SCALARS: dict[Type, int] = {scalar.type: tag for tag, scalar in SCALAR_TAGS.items()}
_COMPOSITES: Mapping[type[Type], tuple[int, Callable[[TypePool, Any, Output], None]]] = {
    cuda_tile_types.PointerType: (12, TypePool.pointer),
    cuda_tile_types.TileType: (13, TypePool.tile),
    cuda_tile_types.TensorViewType: (14, TypePool.tensor_view),
    cuda_tile_types.PartitionViewType: (15, TypePool.partition_view),
    FunctionType: (16, TypePool.function),
    cuda_tile_types.GatherScatterViewType: (20, TypePool.gather_scatter_view),
    cuda_tile_types.StridedViewType: (21, TypePool.strided_view),
}
