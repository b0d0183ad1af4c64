"""Tables under construction: entries numbered in order of first use, equal bytes once."""

from __future__ import annotations

from collections.abc import Collection

from tilewright.bytecode.output import Output, WriteError
from tilewright.bytecode.reader import constants as reader_constants, strings as reader_strings
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.builtin_types import FloatType, IntegerType, i1


class EntryPool:
    """A list of entries without repetitions, which are looked up by their bytes."""

    __slots__ = ("entries",)

    def __init__(self) -> None:
        self.entries: dict[bytes, int] = {}

    def add(self, entry: bytes) -> int:
        """Return the index of an entry, from 0; append it if it is new."""
        return self.entries.setdefault(entry, len(self.entries))


class StringPool(EntryPool):
    """The strings of a file that is being written, as UTF-8 and without repetitions."""

    __slots__ = ()

    def index(self, text: str) -> int:
        """Return the index of a string, appended if it is new. Surrogate escapes are written as the raw bytes
        that they stand for. Raises `WriteError` for a lone surrogate.
        """
        try:
            return self.add(text.encode("utf-8", "surrogateescape"))
        except UnicodeEncodeError:
            raise WriteError(f"the string {text!a} is no text: it holds a lone surrogate") from None

    def write(self, output: Output) -> None:
        """Write the payload of the string section."""
        write_table(output, self.entries, reader_strings.OFFSET_BYTES)


class ConstantPool(EntryPool):
    """The constants of a file; constants of different types with equal bytes share an entry."""

    __slots__ = ("_indices",)

    def __init__(self) -> None:
        super().__init__()
        self._indices: dict[Attribute, int] = {}

    def index(self, constant: Attribute) -> int:
        """Return the index of a constant, appended if it is new. Raises `WriteError` unless it is dense
        elements of an integer or float tile.
        """
        found = self._indices.get(constant)
        if found is None:
            found = self._indices[constant] = self.add(_constant_entry(constant))
        return found

    def write(self, output: Output) -> None:
        """Write the payload of the constant section."""
        write_table(output, self.entries, reader_constants.OFFSET_BYTES)


def _constant_entry(constant: Attribute) -> bytes:
    kind = constant.type if isinstance(constant, DenseElementsAttr) else None
    if not (isinstance(kind, TileType) and isinstance(kind.element_type, IntegerType | FloatType)):
        raise WriteError(f"a constant must be dense elements of an integer or float tile, not {constant}")
    assert isinstance(constant, DenseElementsAttr)
    data = constant.data
    if kind.element_type is i1:
        data = reader_constants.pack_booleans(data)
    entry = Output()
    entry.varint(len(data))
    return bytes(entry.data + data)


def write_table(output: Output, entries: Collection[bytes], offset_bytes: int) -> None:
    """Append a table to `output`: the number of entries, padding to a multiple of ``offset_bytes``, the start
    offset of each entry in ``offset_bytes`` bytes, the bytes of the entries.
    """
    output.varint(len(entries))
    output.pad(offset_bytes)
    offset = 0
    for entry in entries:
        output.data += offset.to_bytes(offset_bytes, "little")
        offset += len(entry)
    output.data += b"".join(entries)
