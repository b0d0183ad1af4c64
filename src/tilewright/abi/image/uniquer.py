"""The uniquer's two levels of tables in an image of profile tileiras-13.1.

The first level leads from a class to its table, by the address that stands for the class; the second from a key to the
instance.  How classes hash their keys is described nowhere; images use the CRC-32 of the text form.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping

from tilewright.abi import codes as abi_codes, layout
from tilewright.abi.hash_tables import EMPTY, TOMBSTONE, PointerTable, pointer_hash, probe
from tilewright.abi.image.segments import MemorySegment, ReadableMemory, read_field, read_text
from tilewright.abi.image.views import checked_count, malformed
from tilewright.abi.image.writer import ImageWriter, MemoryImage
from tilewright.abi.layouts import containers, uniquer as layouts
from tilewright.ir.attribute import Type
from tilewright.ir.diagnostic import failure

LOAD_NUMERATOR, LOAD_DENOMINATOR = 3, 4
"""The fraction of used slots at which a table grows."""


def key_hash(text: bytes) -> int:
    """Return the 32-bit hash of a key, the CRC-32 of its text."""
    return zlib.crc32(text)


class _TableWriter:
    def __init__(self, writer: ImageWriter) -> None:
        self.writer = writer
        self.segment = writer.image.add_segment("uniquer")

    def write(self) -> int:
        """Write both levels of the tables of types and of attributes, which include locations; return the
        address of the context.
        """
        types: dict[int, list[int]] = {}
        attributes: dict[int, list[int]] = {}
        for value, storage in self.writer.stored.items():
            tables = types if isinstance(value, Type) else attributes
            tables.setdefault(self.writer.class_id(type(value)), []).append(storage)
        type_buckets, type_count = self._level_one(types)
        attribute_buckets, attribute_count = self._level_one(attributes)
        return self._put(
            layouts.CONTEXT.encode(
                context_id=1,
                type_buckets=type_buckets,
                type_bucket_count=type_count,
                attribute_buckets=attribute_buckets,
                attribute_bucket_count=attribute_count,
            )
        )

    def _put(self, data: bytes) -> int:
        segment: MemorySegment = self.segment
        address = segment.allocate(len(data))
        segment.data[address - segment.base : address - segment.base + len(data)] = data
        return address

    def _level_one(self, classes: Mapping[int, list[int]]) -> tuple[int, int]:
        table = PointerTable.empty()
        for class_id, storages in classes.items():
            table.insert(class_id, self._level_two(storages))
        slots = [
            layouts.LEVEL_ONE_SLOT.encode(type_id=key, allocator=value)
            for key, value in zip(table.keys, table.values, strict=True)
        ]
        return (self._put(b"".join(slots)) if slots else 0), table.buckets

    def _level_two(self, storages: list[int]) -> int:
        memory = self.writer.image
        hashes = {storage: key_hash(stored_text(memory, storage)) for storage in storages}
        table = PointerTable.empty(hash=hashes.__getitem__)
        for storage in storages:
            table.insert(storage, hashes[storage])
        slots = [
            layouts.LEVEL_TWO_SLOT.encode(hash=value, storage=key)
            for key, value in zip(table.keys, table.values, strict=True)
        ]
        return self._put(
            layouts.STORAGE_ALLOCATOR.encode(
                buckets=self._put(b"".join(slots)),
                live=table.live,
                tombstones=table.tombstones,
                bucket_count=table.buckets,
                resize_threshold=table.buckets * LOAD_NUMERATOR // LOAD_DENOMINATOR,
            )
        )


def write_uniquer(writer: ImageWriter) -> int:
    """Write the uniquer's tables for all types, attributes and locations that a writer has stored; return the
    address of the context that refers to them.
    """
    return _TableWriter(writer).write()


def stored_text(memory: ReadableMemory, storage: int) -> bytes:
    """Return the text, as UTF-8 bytes, of the type, attribute or location whose storage is at the address
    ``storage``.
    """
    payload = read_field(memory, layouts.BASE_STORAGE, storage, "payload")
    data = read_field(memory, containers.STRING_REF, payload, "data")
    length = read_field(memory, containers.STRING_REF, payload, "length")
    return read_text(memory, data, length, "a stored text").encode("utf-8", "surrogateescape")


class UniquerTables:
    """Looks up types, attributes and locations in an image of profile tileiras-13.1 through the uniquer's two
    levels of hash tables, from the root ``context`` of the image.
    """

    def __init__(self, image: MemoryImage) -> None:
        self.memory: ReadableMemory = image.image
        self.context = image.roots["context"]

    def allocator(self, class_id: int, *, types: bool) -> int | None:
        """Return the address of the second-level table of a class; None if there is none. ``class_id`` is the
        address that stands for the class. ``types`` says which first-level table is searched: true for the
        table of types, false for the table of attributes and locations.
        """
        prefix = "type" if types else "attribute"
        buckets = read_field(self.memory, layouts.CONTEXT, self.context, f"{prefix}_buckets")
        count = self._count(layouts.CONTEXT, self.context, f"{prefix}_bucket_count")
        for at in probe(pointer_hash(class_id), count):
            slot = buckets + layouts.LEVEL_ONE_SLOT.size * at
            key = read_field(self.memory, layouts.LEVEL_ONE_SLOT, slot, "type_id")
            if key == class_id:
                return read_field(self.memory, layouts.LEVEL_ONE_SLOT, slot, "allocator")
            if key == EMPTY:
                return None
        return None

    def instance(self, allocator: int, text: bytes) -> int | None:
        """Return the address of the type, attribute or location whose printed text, as UTF-8 bytes, is
        `text`, in the second-level table at the address `allocator`; None if the table does not have it.
        """
        buckets = read_field(self.memory, layouts.STORAGE_ALLOCATOR, allocator, "buckets")
        count = self._count(layouts.STORAGE_ALLOCATOR, allocator, "bucket_count")
        wanted = key_hash(text)
        for at in probe(wanted, count):
            slot = buckets + layouts.LEVEL_TWO_SLOT.size * at
            storage = read_field(self.memory, layouts.LEVEL_TWO_SLOT, slot, "storage")
            if storage == EMPTY:
                return None
            if (
                storage == TOMBSTONE
                or read_field(self.memory, layouts.LEVEL_TWO_SLOT, slot, "hash") != wanted
            ):
                continue
            if stored_text(self.memory, storage) == text:
                return storage
        return None

    def _count(self, struct: layout.Struct, address: int, name: str) -> int:
        count = checked_count(read_field(self.memory, struct, address, name), "slots", address, "table")
        if count & (count - 1):
            raise malformed(f"the table at {address:#x} has {count} slots, which is no power of two")
        return count


KEY_BYTES = 8


def blake3_prefix(data: bytes, length: int = KEY_BYTES) -> bytes:
    """Return the first ``length`` bytes of the BLAKE3 hash of ``data``. Raises `DiagnosticError` if the
    package `blake3` is missing.
    """
    try:
        from blake3 import blake3
    except ImportError:
        raise failure(
            abi_codes.MISSING_PACKAGE,
            "interning keys need the package 'blake3'",
            hint="pip install 'tilewright[inspect]'",
        ) from None
    return blake3(data).digest(length=length)


def interning_key(parent: int, i: int, j: int) -> int:
    """Return the key of an async value in the interning table, a 64-bit number: the hash of the address of
    its parent and the 32-bit numbers `i` and `j`. Raises `DiagnosticError` if the package `blake3` is
    missing.
    """
    return hash_tuples([(parent, i, j)])


def hash_tuples(tuples: Iterable[tuple[int, int, int]]) -> int:
    """Return the key of a sequence of 16-byte tuples (u64, u32, u32), a 64-bit number: the first 8 bytes of
    the BLAKE3 hash of their concatenated little-endian bytes. Raises `DiagnosticError` if the package
    `blake3` is missing.
    """
    data = b"".join(
        first.to_bytes(8, "little")
        + (second & 0xFFFFFFFF).to_bytes(4, "little")
        + (third & 0xFFFFFFFF).to_bytes(4, "little")
        for first, second, third in tuples
    )
    return int.from_bytes(blake3_prefix(data), "little")
