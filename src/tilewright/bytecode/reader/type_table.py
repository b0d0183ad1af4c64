"""The type table: types by index, decoded on first use."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from functools import cache

from tilewright.bytecode import codes, enums, limits
from tilewright.bytecode.cursor import Cursor, ErrorFrame, OffsetTable, ReadError, reading
from tilewright.bytecode.preview import NO_PREVIEW, Preview
from tilewright.bytecode.reader.strings import read_table_head
from tilewright.dialects.cuda_tile import enums as cuda_tile_enums, types as cuda_tile_types
from tilewright.dialects.cuda_tile.version import V13_1, V13_2, V13_3, V13_4, Version
from tilewright.ir import builtin_types, uniquer
from tilewright.ir.attribute import Type
from tilewright.ir.support.record import Record

MAXIMUM_DEPTH = 100
"""The maximum nesting depth of types (in practice it is 4)."""
MAXIMUM_WEIGHT = 1 << 16
"""The maximum number of types in a type, shared ones counted each time."""
UINT32_MAX = 2**32 - 1
TILE = 13
"""The tag of tile types, which are most entries of a table."""


class ScalarTag(Record, frozen=True):
    """A type without parameters: its tag is its encoding; ``name`` is its name in diagnostics, ``since`` the
    first version that has it.
    """

    name: str
    type: Type
    since: Version = V13_1


SCALAR_TAGS: Mapping[int, ScalarTag] = {
    0: ScalarTag("Int1", builtin_types.i1),
    1: ScalarTag("Int8", builtin_types.i8),
    2: ScalarTag("Int16", builtin_types.i16),
    3: ScalarTag("Int32", builtin_types.i32),
    4: ScalarTag("Int64", builtin_types.i64),
    5: ScalarTag("Float16", builtin_types.f16),
    6: ScalarTag("BFloat16", builtin_types.bf16),
    7: ScalarTag("Float32", builtin_types.f32),
    8: ScalarTag("TFloat32", builtin_types.tf32),
    9: ScalarTag("Float64", builtin_types.f64),
    10: ScalarTag("Float8E4M3FN", builtin_types.f8E4M3FN),
    11: ScalarTag("Float8E5M2", builtin_types.f8E5M2),
    17: ScalarTag("TokenType", cuda_tile_types.TOKEN),
    18: ScalarTag("Float8E8M0FNU", builtin_types.f8E8M0FNU, V13_2),
    19: ScalarTag("Float4E2M1FN", builtin_types.f4E2M1FN, V13_3),
    22: ScalarTag("Int4", builtin_types.i4, V13_3),
    130: ScalarTag("FloatNV8E5M3FNU", builtin_types.fnv8E5M3FNU, V13_4),
}


_TILE_EXTENSIONS = {
    False: "malformed bytecode: preview type extension requires the header to advertise preview content",
    True: "preview type extension: tiles whose extents are expressions are not read",
}
"""The message for a tile type with an extension, by whether the file declares preview content."""


class TypeTable:
    """The types of a file of a version, from a cursor over the type section; None: the file has no types.
    Tiles whose extents are expressions are refused with a message that depends on ``preview``.
    """

    def __init__(self, cursor: Cursor | None, version: Version, preview: Preview = NO_PREVIEW) -> None:
        self._version = version
        self._preview = preview
        self._offsets = _read_head(cursor)
        self.known: list[Type | None] = [None] * (self._offsets.count if self._offsets else 0)
        """The types by index; None for a type that was not decoded yet."""
        self._nesting = limits.Nesting("type", MAXIMUM_DEPTH, MAXIMUM_WEIGHT)
        self._budget = limits.Budget(self._offsets.size if self._offsets else 0, "types")
        self._padding = _padding_values(version)
        self._ptr_attr = _pointer_attributes(version)

    def __len__(self) -> int:
        return len(self.known)

    def read(self, cursor: Cursor) -> Type:
        """Read an index at ``cursor`` and return its type. Raises `ReadError` for an index out of bounds, and
        for a malformed entry.
        """
        index = cursor.varint()
        if index < len(self.known) and (found := self.known[index]) is not None:
            return found
        return self.get(index, cursor.position)

    def get(self, index: int, offset: int | None = None) -> Type:
        """Return the type at ``index``, which was read from the file just before ``offset``; it is decoded at
        the first call. Raises `ReadError` for an index out of bounds, and for an entry that is malformed or
        not in this version.
        """
        offsets = self._offsets
        if offsets is None or index >= offsets.count:
            detail = f"type index {index} out of bounds (size={len(self)})"
            raise ReadError(codes.INVALID_INDEX, offset=offset, detail=detail)
        found = self.known[index]
        if found is None:
            found = self.known[index] = self._decode(index, offsets, offset)
        self._nesting.use(index, offset)
        return found

    def _decode(self, index: int, offsets: OffsetTable, offset: int | None) -> Type:
        span = offsets.span(index)
        if span is None:
            detail = f"the start offsets of type {index} make no sense"
            raise ReadError(codes.INVALID_TABLE, offset=offset, detail=detail)
        self._nesting.enter(index, offset)
        done = False
        try:
            self._budget.spend(span.end - span.start, span.start)
            data = offsets.cursor.data
            decoded = self._tile(data[span.start : span.end], span.start)
            if decoded is None:
                decoded = self._decode_entry(Cursor(data, span.start, span.end))
            done = True
            return decoded
        finally:
            self._nesting.leave(index, done=done)

    def _tile(self, entry: bytes, offset: int) -> cuda_tile_types.TileType | None:
        """Decode an entry that is a valid tile type whose element type is decoded already; return None for
        any other entry.
        """
        if len(entry) < 3 or entry[0] != TILE or len(entry) != 3 + 8 * entry[2]:
            return None
        number, rank = entry[1], entry[2]
        if number >= min(len(self.known), 0x80) or rank >= 0x80 or (element := self.known[number]) is None:
            return None
        try:
            made = cuda_tile_types.TileType(struct.unpack_from(f"<{rank}q", entry, 3), element)
        except uniquer.InvalidParameters:
            return None
        self._nesting.use(number, offset + 2)
        return made

    def _decode_entry(self, cursor: Cursor) -> Type:
        """Decode an entry of the table. Only the low eight bits of its tag are used, as in the public tools.
        Raises `ReadError` for an unknown tag, for a type that the version does not have, and for invalid
        parameters.
        """
        tag = cursor.varint() & 0xFF
        offset = cursor.position
        scalar = SCALAR_TAGS.get(tag)
        if scalar is not None:
            self._check_version(scalar.name, scalar.since, offset)
            return scalar.type
        composite = COMPOSITE_TAGS.get(tag)
        if composite is None:
            raise ReadError(codes.INVALID_TYPE, ErrorFrame(f"unknown type tag: {tag}", offset))
        self._check_version(composite.name, composite.since, offset)
        payload = cursor.rest()
        try:
            return composite.decode(self, payload)
        except uniquer.InvalidParameters as error:
            raise payload.error(codes.INVALID_TYPE, str(error)) from None

    def _check_version(self, name: str, since: Version, offset: int) -> None:
        if self._version < since:
            message = f"type '{name}' requires bytecode version {since}+, file version is {self._version}"
            raise ReadError(codes.NOT_IN_VERSION, ErrorFrame(message, offset))

    def pointer(self, cursor: Cursor) -> Type:
        """Read the parameters of a pointer type, which follow its tag: [flags from 13.4] pointee [attribute].
        Raises `ReadError` for malformed ones, and `InvalidParameters` for those that the type refuses.
        """
        flags = self._flags(cursor, V13_4)
        pointee = self._component(cursor, "failed to get pointeeType type")
        attribute = self._ptr_attr.read(cursor).case if flags & 1 else None
        _check_flags(cursor, flags)
        return cuda_tile_types.PointerType(pointee, attribute)

    def tile(self, cursor: Cursor) -> Type:
        """Read the parameters of a tile type, which follow its tag: element type, extents. Raises `ReadError`
        for malformed ones, and for bytes after the extents, which are a preview extension;
        `InvalidParameters` for those that the type refuses.
        """
        element = self._component(cursor, "failed to get elementType type")
        shape = _integers(cursor, 8, "failed to read concreteShapeCache")
        if cursor.remaining:
            raise cursor.error(codes.PREVIEW, _TILE_EXTENSIONS[self._preview.advertised])
        return cuda_tile_types.TileType(shape, element)

    def tensor_view(self, cursor: Cursor) -> Type:
        """Read the parameters of a ``tensor_view`` type, which follow its tag: [flags from 13.4] element
        type, extents, strides [attribute]. Raises `ReadError` for malformed ones, and `InvalidParameters` for
        those that the type refuses.
        """
        flags = self._flags(cursor, V13_4)
        element = self._component(cursor, "failed to get elementType type")
        shape = _integers(cursor, 8, "failed to read shape")
        strides = _integers(cursor, 8, "failed to read strides")
        attribute = self._ptr_attr.read(cursor).case if flags & 1 else None
        _check_flags(cursor, flags)
        return cuda_tile_types.TensorViewType(shape, element, strides, attribute)

    def partition_view(self, cursor: Cursor) -> Type:
        """Read the parameters of a ``partition_view`` type, which follow its tag: [flags from 13.3] tile,
        tensor view, dimension map, [before 13.3 a byte: nonzero with a padding value] padding value, if there
        is one. Raises `ReadError` for malformed ones, and `InvalidParameters` for those that the type
        refuses.
        """
        flags = self._flags(cursor, V13_3)
        tile = _integers(cursor, 4, "failed to read tile_shape data")
        tensor_view = self._tensor_view(cursor)
        dim_map = _integers(cursor, 4, "failed to read dim_map")
        if self._version < V13_3:
            flags = self._presence(cursor)
        padding = self._padding_value(cursor, flags)
        return cuda_tile_types.PartitionViewType(tile, tensor_view, dim_map, padding)

    def strided_view(self, cursor: Cursor) -> Type:
        """Read the parameters of a ``strided_view`` type, which follow its tag: flags, tile, traversal
        strides, tensor view, dimension map, padding value, if the flags say that there is one. Raises
        `ReadError` for malformed ones, and `InvalidParameters` for those that the type refuses.
        """
        flags = self._flags(cursor, V13_3)
        tile = _integers(cursor, 4, "failed to read tile_shape data")
        strides = _integers(cursor, 4, "failed to read traversal_strides data")
        tensor_view = self._tensor_view(cursor)
        dim_map = _integers(cursor, 4, "failed to read dim_map")
        padding = self._padding_value(cursor, flags)
        return cuda_tile_types.StridedViewType(tile, strides, tensor_view, dim_map, padding)

    def gather_scatter_view(self, cursor: Cursor) -> Type:
        """Read the parameters of a ``gather_scatter_view`` type, which follow its tag: flags, tile, tensor
        view, sparse dimension, padding value, if the flags say that there is one. Raises `ReadError` for
        malformed ones, and `InvalidParameters` for those that the type refuses.
        """
        flags = self._flags(cursor, V13_3)
        tile = _integers(cursor, 4, "failed to read tile_shape data")
        tensor_view = self._tensor_view(cursor)
        sparse_dim = _sparse_dim(cursor)
        padding = self._padding_value(cursor, flags)
        return cuda_tile_types.GatherScatterViewType(tile, tensor_view, sparse_dim, padding)

    def function(self, cursor: Cursor) -> Type:
        """Read the parameters of a function type, which follow its tag: the number of parameter types and the
        types, then the same for the result types. Raises `ReadError` for malformed ones.
        """
        inputs = self._components(
            cursor, "failed to read number of parameters", "failed to get parameter type"
        )
        results = self._components(cursor, "failed to read number of results", "failed to get result type")
        return builtin_types.FunctionType(inputs, results)

    def _components(self, cursor: Cursor, count_message: str, item_message: str) -> tuple[Type, ...]:
        try:
            count = cursor.count()
        except ReadError as error:
            raise error.within(count_message, cursor) from None
        try:
            types = self._small_components(cursor, count)
        except ReadError as error:
            raise error.within(item_message, cursor) from None
        for _ in range(count - len(types)):
            types.append(self._component(cursor, item_message))
        return tuple(types)

    def _small_components(self, cursor: Cursor, count: int) -> list[Type]:
        """Read at most ``count`` types, up to the first whose index takes more than one byte or is out of
        bounds; return them.
        """
        known, bound, types = self.known, min(len(self.known), 0x80), list[Type]()
        for index in cursor.data[cursor.position : min(cursor.position + count, cursor.end)]:
            if index >= bound:
                break
            cursor.position += 1
            found = known[index]
            if found is None:
                found = self.get(index, cursor.position)
            else:
                self._nesting.use(index, cursor.position)
            types.append(found)
        return types

    def _component(self, cursor: Cursor, message: str) -> Type:
        try:
            index = cursor.varint()
            return self.get(index, cursor.position)
        except ReadError as error:
            raise error.within(message, cursor) from None

    def _tensor_view(self, cursor: Cursor) -> cuda_tile_types.TensorViewType:
        found = self._component(cursor, "failed to get tensor_view type")
        if not isinstance(found, cuda_tile_types.TensorViewType):
            message = f"expected ::mlir::cuda_tile::TensorViewType but got '{found}'"
            raise cursor.error(codes.INVALID_TYPE, message)
        return found

    def _flags(self, cursor: Cursor, since: Version) -> int:
        if self._version < since:
            return 0
        try:
            return cursor.varint()
        except ReadError as error:
            raise error.within("failed to read optional parameter flags", cursor) from None

    def _presence(self, cursor: Cursor) -> int:
        with reading("failed to read OptionalEnum presence flag", cursor):
            return int(cursor.byte() != 0)

    def _padding_value(self, cursor: Cursor, flags: int) -> cuda_tile_enums.PaddingValue | None:
        padding = self._padding.read(cursor).case if flags & 1 else None
        _check_flags(cursor, flags)
        return padding


def _read_head(cursor: Cursor | None) -> OffsetTable | None:
    if cursor is None:
        return None
    with reading("failed to parse type section"):
        return read_table_head(cursor, "types")


def _check_flags(cursor: Cursor, flags: int) -> None:
    if flags & ~1:
        raise cursor.error(codes.INVALID_TYPE, "unused bits set in optional parameter flags")


def _integers(cursor: Cursor, width: int, message: str) -> tuple[int, ...]:
    try:
        return cursor.integers(width)
    except ReadError as error:
        raise error.within(message, cursor) from None


@cache
def _padding_values(version: Version) -> enums.EnumReader[cuda_tile_enums.PaddingValue]:
    return enums.EnumReader(cuda_tile_enums.PaddingValueAttr, version)


@cache
def _pointer_attributes(version: Version) -> enums.EnumReader[cuda_tile_enums.PtrAttr]:
    return enums.EnumReader(cuda_tile_enums.PtrAttrAttr, version)


def _sparse_dim(cursor: Cursor) -> int:
    with reading("failed to read sparse_dim", cursor):
        value = cursor.varint()
    if value > UINT32_MAX:
        raise cursor.error(codes.INVALID_ATTRIBUTE, f"sparse_dim value {value} exceeds uint32_t range")
    return value


class CompositeTag(Record, frozen=True):
    """A type with parameters: the method that reads them, ``name``, its name in diagnostics, and ``since``,
    the first version that has it.
    """

    name: str
    decode: Callable[[TypeTable, Cursor], Type]
    since: Version = V13_1


COMPOSITE_TAGS: Mapping[int, CompositeTag] = {
    12: CompositeTag("PointerType", TypeTable.pointer),
    TILE: CompositeTag("TileType", TypeTable.tile),
    14: CompositeTag("TensorViewType", TypeTable.tensor_view),
    15: CompositeTag("PartitionViewType", TypeTable.partition_view),
    16: CompositeTag("FunctionType", TypeTable.function),
    20: CompositeTag("GatherScatterViewType", TypeTable.gather_scatter_view, V13_3),
    21: CompositeTag("StridedViewType", TypeTable.strided_view, V13_3),
}
