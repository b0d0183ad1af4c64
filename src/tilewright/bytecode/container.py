"""The frame of a bytecode file: header and sections."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from tilewright.bytecode import codes, magic as bytecode_magic
from tilewright.bytecode.cursor import Cursor, ErrorFrame, ReadError, reading
from tilewright.bytecode.preview import HEADER_BIT, NO_PREVIEW, Preview
from tilewright.bytecode.reader.strings import StringTable
from tilewright.dialects.cuda_tile.version import LATEST, VERSIONS, Version
from tilewright.ir.support.record import Record

ALIGNED = 0x80
"""The bit in the number of a section that says that the section has an alignment."""


class SectionKind(IntEnum):
    """The kind of a section; the values are stored in the file."""

    END = 0
    STRING = 1
    FUNCTION = 2
    DEBUG = 3
    CONSTANT = 4
    TYPE = 5
    GLOBAL = 6
    PRODUCER = 7


_KINDS: Mapping[int, SectionKind] = {kind.value: kind for kind in SectionKind}

REQUIRED_ALIGNMENT: Mapping[SectionKind, int] = {
    SectionKind.STRING: 4,
    SectionKind.FUNCTION: 8,
    SectionKind.DEBUG: 8,
    SectionKind.CONSTANT: 8,
    SectionKind.TYPE: 4,
}
"""Alignments that a section must have a multiple of; the other sections need none."""


class BytecodeSection(Record, frozen=True):
    """A section of the file: the ``offset`` of its payload from the start of the file, its ``length``, and
    its ``alignment`` (1 if the file gives none), all in bytes.
    """

    kind: SectionKind
    offset: int
    length: int
    alignment: int = 1


class BytecodeInfo(Record, frozen=True):
    """The contents of a file's frame: version, sections in file order, the producer if there is one, and whether the
    file declares preview content.
    """

    version: Version
    sections: tuple[BytecodeSection, ...]
    producer: str | None = None
    preview: bool = False


class Container:
    """The header and the sections of a file with the bytes ``data``; `open_container` fills ``sections``. Of
    several sections of one kind the last one is read.
    """

    __slots__ = ("data", "preview", "sections", "version")

    def __init__(self, data: bytes, version: Version, preview: Preview = NO_PREVIEW) -> None:
        self.data = data
        self.version = version
        self.preview = preview
        self.sections: list[BytecodeSection] = []

    def cursor(self, kind: SectionKind) -> Cursor | None:
        """Return a cursor over the payload of the last section of a kind; None if the file has none."""
        found = next((section for section in reversed(self.sections) if section.kind is kind), None)
        return found and Cursor(self.data, found.offset, found.offset + found.length)

    def mandatory(self, kind: SectionKind) -> Cursor:
        """Return a cursor over a section that every file must have. Raises `ReadError` if it is missing."""
        cursor = self.cursor(kind)
        if cursor is None:
            message = f"{kind.name.lower()} section is mandatory"
            raise ReadError(codes.MALFORMED_SECTION, ErrorFrame(message, len(self.data)))
        return cursor


def open_container(data: bytes, *, preview: bool = False) -> Container:
    """Return the header and the sections of a file, after checking their frames; the payloads are not read.
    With ``preview`` the file may have preview content. Raises `ReadError` if a frame is not valid.
    """
    if not data.startswith(bytecode_magic.MAGIC):
        raise ReadError(codes.NOT_BYTECODE, ErrorFrame("input does not correspond to Tile IR bytecode", 0))
    cursor = Cursor(data)
    cursor.position = len(bytecode_magic.MAGIC)
    version, advertised = _read_header(cursor)
    if advertised:
        _check_preview(cursor, version, preview)
    container = Container(data, version, Preview(preview, advertised))
    while (section := _read_section(cursor)) is not None:
        container.sections.append(section)
    return container


def _read_header(cursor: Cursor) -> tuple[Version, bool]:
    """Read the header; return the version, and whether the file declares preview content."""
    with reading("failed to parse bytecode header", cursor):
        version = Version(cursor.byte(), cursor.byte())
        tag = cursor.little_endian(2)
        _check_header(cursor, version, tag)
    return version, bool(tag & HEADER_BIT)


def _check_header(cursor: Cursor, version: Version, tag: int) -> None:
    if version not in VERSIONS:
        supported = f"[{VERSIONS[0]} - {VERSIONS[-1]}]"
        raise cursor.error(
            codes.UNSUPPORTED_VERSION,
            f"unsupported Tile version {version}.{tag}, this reader supports versions {supported}",
        )
    if unknown := tag & ~HEADER_BIT:
        raise cursor.error(
            codes.MALFORMED_HEADER, f"header has unrecognized version tag bits (0x{unknown:X});"
        )


def _check_preview(cursor: Cursor, version: Version, enabled: bool) -> None:
    """Raise `ReadError` for a file that declares preview content, if its version is not the newest, which
    alone has a preview range, or if the reader has not ``enabled`` it.
    """
    if version != LATEST:
        message = (
            f"public-preview bytecode at version {version}.{HEADER_BIT} is not readable; "
            f"preview content is only valid at the current version {LATEST}"
        )
        raise cursor.error(codes.UNSUPPORTED_VERSION, message)
    if not enabled:
        message = "public-preview bytecode requires at least one enabled preview feature"
        raise cursor.error(codes.PREVIEW, message)


def _read_section(cursor: Cursor) -> BytecodeSection | None:
    """Read the header of the next section and skip its payload; return the section, or None at the end
    section.
    """
    with reading("failed to parse section header", cursor):
        kind, length, alignment = _read_section_header(cursor)
    if kind is SectionKind.END:
        if cursor.remaining:
            raise cursor.error(codes.MALFORMED_SECTION, "end section is not the last section")
        return None
    _check_alignment(cursor, kind, alignment)
    if length > cursor.remaining:
        message = f"section length {length} exceeds remaining bytecode data. {cursor.remaining}"
        raise cursor.error(codes.MALFORMED_SECTION, message)
    section = BytecodeSection(kind, cursor.position, length, alignment or 1)
    cursor.position += length
    return section


def _read_section_header(cursor: Cursor) -> tuple[SectionKind, int, int | None]:
    """Read the header of a section and its padding; return the kind, the payload length in bytes, and the
    alignment (None: no alignment field).
    """
    if not cursor.remaining:
        raise cursor.error(codes.MALFORMED_SECTION, "unexpected end of data while reading section header")
    first = cursor.byte()
    number, aligned = first & ~ALIGNED, bool(first & ALIGNED)
    if number == SectionKind.END:
        if aligned:
            raise cursor.error(codes.MALFORMED_SECTION, "end section should not have alignment flag set")
        return SectionKind.END, 0, None
    kind = _KINDS.get(number)
    if kind is None:
        raise cursor.error(codes.MALFORMED_SECTION, f"unknown section ID: {number}")
    length = _read_length(cursor)
    return kind, length, _read_alignment(cursor) if aligned else None


def _read_length(cursor: Cursor) -> int:
    with reading("failed to read section length", cursor):
        length = cursor.varint()
    if length > cursor.remaining:
        message = f"section length {length} exceeds remaining data size {cursor.remaining}"
        raise cursor.error(codes.MALFORMED_SECTION, message)
    return length


def _read_alignment(cursor: Cursor) -> int:
    alignment = cursor.varint()
    if alignment == 0 or alignment & (alignment - 1):
        raise cursor.error(codes.MALFORMED_SECTION, f"invalid alignment value: {alignment}")
    cursor.skip_padding(alignment, from_file_start=True)
    return alignment


def _check_alignment(cursor: Cursor, kind: SectionKind, alignment: int | None) -> None:
    required = REQUIRED_ALIGNMENT.get(kind)
    if required is None or (alignment is not None and alignment % required == 0):
        return
    found = "has no alignment flag set" if alignment is None else f"has alignment of {alignment}"
    raise cursor.error(
        codes.MALFORMED_SECTION,
        f"section {kind.value} must have alignment that is a multiple of {required} bytes, but {found}",
    )


def read_strings(container: Container) -> StringTable:
    """Return the string table of a file. Raises `ReadError` if it is missing or malformed."""
    cursor = container.mandatory(SectionKind.STRING)
    with reading("failed to parse string section"):
        return StringTable(cursor)


def read_producer(container: Container, strings: StringTable) -> str | None:
    """Return the producer that the file names; None if it has no producer section. Raises `ReadError` if the
    section is malformed.
    """
    cursor = container.cursor(SectionKind.PRODUCER)
    if cursor is None:
        return None
    with reading("failed to parse producer section"):
        return _producer(cursor, strings)


def _producer(cursor: Cursor, strings: StringTable) -> str:
    with reading("failed to read producer string index", cursor):
        index = cursor.varint()
    with reading(f"failed to get producer string at index {index}", cursor):
        return strings.get(index, cursor.position)
