"""ELF files as images: headers through pyelftools, tables in NumPy, every offset checked against the file.

Each part is read on its own: a broken section table costs the sections, not the segments.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from elftools.common.exceptions import ELFError
from elftools.common.utils import struct_parse
from elftools.elf.structs import ELFStructs

from tilewright.inspect import arrays, codes
from tilewright.inspect.binary.image import MemoryRegion, SectionRow
from tilewright.inspect.binary.magic import MACHINE_CUDA, MAGIC
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity, failure

FILE_TYPES = {1: "relocatable object", 2: "executable", 3: "shared library", 4: "core dump"}
MACHINES = {3: "x86", 40: "arm", 62: "x86-64", 183: "aarch64", MACHINE_CUDA: "cuda", 243: "riscv"}
SECTION_KINDS = {
    0: "null",
    1: "progbits",
    2: "symtab",
    3: "strtab",
    4: "rela",
    5: "hash",
    6: "dynamic",
    7: "note",
    8: "nobits",
    9: "rel",
    11: "dynsym",
    14: "init_array",
    15: "fini_array",
    16: "preinit_array",
    19: "relr",
}
ALLOCATED, WRITABLE, EXECUTABLE, THREAD_LOCAL = 0x2, 0x1, 0x4, 0x400
NOBITS, LOADED = 8, 1
MAXIMUM_ENTRIES = 1 << 20
"""The maximum number of sections or segments; a file that states more is taken to be broken."""

Value = TypeVar("Value")


@dataclass(frozen=True)
class ElfSection:
    """A section header with its name; the other fields are the numbers of the header: ``kind`` is its type,
    ``address`` its address in memory, ``offset`` its position in the file.
    """

    name: str
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    entry_size: int

    def row(self) -> SectionRow:
        """Return the section as a line of a report, with the name of its type, or the number in hexadecimal,
        and the letters of its flags: ``a``, ``w`` and ``x``.
        """
        letters = "".join(letter for bit, letter in zip((2, 1, 4), "awx", strict=True) if self.flags & bit)
        return SectionRow(
            self.name,
            SECTION_KINDS.get(self.kind, f"{self.kind:#x}"),
            self.address,
            self.offset,
            self.size,
            letters,
        )


@dataclass(frozen=True)
class ElfSegment:
    """The program header of a segment: the number of its type (``kind``), its flags, its offset in the file,
    its virtual address, and its sizes in bytes in the file and in memory.
    """

    kind: int
    flags: int
    offset: int
    address: int
    file_size: int
    memory_size: int


class ElfFile:
    """The headers of the ELF file `data`, which is called `name` in messages: ``header`` maps the names of
    the fields, such as ``e_entry``, to numbers; ``sections`` and ``segments`` are in file order. ``notes``
    collects broken parts, which are left out; a broken file header raises `DiagnosticError`.
    """

    def __init__(self, data: arrays.Octets, name: str) -> None:
        self.data = data
        self.name = name
        self.notes: list[Diagnostic] = []
        self.header = self._header()
        self.sections: tuple[ElfSection, ...] = self._part("section table", self._sections, ())
        self.segments: tuple[ElfSegment, ...] = self._part("segment table", self._segments, ())

    @property
    def type(self) -> str:
        """The file type: ``relocatable object``, ``executable``, ``shared library`` or ``core dump``; ``type
        N`` for another number N.
        """
        return FILE_TYPES.get(self.header["e_type"], f"type {self.header['e_type']}")

    @property
    def machine(self) -> str:
        """The machine that the code is for, such as ``x86-64``, ``aarch64`` or ``cuda``; ``machine N`` for an
        unknown number N.
        """
        return MACHINES.get(self.header["e_machine"], f"machine {self.header['e_machine']}")

    @property
    def is_64_bit_little_endian(self) -> bool:
        """Return whether the file is 64-bit and little-endian, which the searches for structures require."""
        return self.bits == 64 and self.little_endian

    def slice(self, offset: int, size: int, what: str) -> arrays.Octets:
        """Return the `size` bytes of the file from `offset` on. Raises `DiagnosticError` if some of them are
        outside the file; `what` names them in the message.
        """
        if not (0 <= offset <= len(self.data) and 0 <= size <= len(self.data) - offset):
            message = f"{what} takes {size} bytes from offset {offset}, but the file has {len(self.data)}"
            raise failure(codes.MALFORMED_ELF, message, offset=offset if 0 <= offset < 1 << 63 else None)
        return self.data[offset : offset + size]

    def section(self, name: str) -> ElfSection | None:
        """Return the first section of a name; None if there is none."""
        return next((section for section in self.sections if section.name == name), None)

    def content(self, section: ElfSection) -> arrays.Octets:
        """Return the bytes of a section; no bytes for a section that takes no space in the file. Raises
        `DiagnosticError` if some of them are outside the file.
        """
        if section.kind == NOBITS:
            return self.data[:0]
        return self.slice(section.offset, section.size, f"section '{section.name}'")

    def record_problem(self, message: str, offset: int | None = None) -> None:
        """Add a warning about a broken part of the file, at `offset` in the file if it is known, to `notes`."""
        self.notes.append(Diagnostic(Severity.WARNING, message, code=codes.MALFORMED_ELF, offset=offset))

    def _part(self, what: str, read: Callable[[], Value], default: Value) -> Value:
        """Return the result of `read`. If it raises `DiagnosticError`, add a note for each diagnostic that
        the part `what` is left out, and return `default`.
        """
        try:
            return read()
        except DiagnosticError as error:
            for diagnostic in error.diagnostics:
                self.record_problem(f"the {what} is left out: {diagnostic.message}", diagnostic.offset)
            return default

    def _header(self) -> dict[str, int]:
        identity = self.slice(0, 16, "the file identification").tobytes()
        if identity[:4] != MAGIC:
            raise failure(
                codes.NOT_AN_IMAGE, f"'{self.name}' is not an ELF file", hint="for a raw image say --raw"
            )
        if identity[4] not in (1, 2) or identity[5] not in (1, 2):
            message = f"class {identity[4]} and byte order {identity[5]} are not 1 or 2"
            raise failure(codes.MALFORMED_ELF, message, offset=4)
        self.bits, self.little_endian = 32 * identity[4], identity[5] == 1
        self.os_abi = identity[7]
        self._structs = ELFStructs(little_endian=self.little_endian, elfclass=self.bits)
        self._structs.create_basic_structs()
        fields = self._fields(FILE_HEADER, 0, 52 if self.bits == 32 else 64, "the file header")
        self._structs.create_advanced_structs()
        return fields

    def _fields(
        self, names: tuple[tuple[str, str], ...], offset: int, size: int, what: str
    ) -> dict[str, int]:
        """Return the numbers of the header of `size` bytes at `offset`, by the names in `names`, pairs of a
        name and a kind of width; the class of the file determines the widths in bytes. Raises
        `DiagnosticError` if the header is not in the file; `what` names it.
        """
        stream = io.BytesIO(self.slice(offset, size, what).tobytes())
        values: dict[str, int] = {}
        if what == "the file header":
            stream.seek(16)
        for name, width in names:
            parser: Any = getattr(self._structs, f"Elf_{width}")("")
            values[name] = _parsed(parser, stream, what)
        return values

    def _sections(self) -> tuple[ElfSection, ...]:
        header = self.header
        offset, size, count = header["e_shoff"], header["e_shentsize"], header["e_shnum"]
        if not offset:
            return ()
        wanted = 40 if self.bits == 32 else 64
        if size < wanted:
            raise failure(
                codes.MALFORMED_ELF, f"section headers of {size} bytes; at least {wanted} are needed"
            )
        first = self._fields(SECTION_HEADER, offset, wanted, "section header 0")
        count = count or first["sh_size"]
        names_at = first["sh_link"] if header["e_shstrndx"] == 0xFFFF else header["e_shstrndx"]
        self._check_count(count, size, offset, "section headers")
        rows = [
            self._fields(SECTION_HEADER, offset + size * i, wanted, f"section header {i}")
            for i in range(count)
        ]
        names = self._part("table of section names", lambda: self._names(rows, names_at), b"")
        return tuple(_section(row, names) for row in rows)

    def _names(self, rows: list[dict[str, int]], at: int) -> bytes:
        if not 0 <= at < len(rows):
            raise failure(codes.MALFORMED_ELF, f"the section names are in section {at} of {len(rows)}")
        return self.slice(rows[at]["sh_offset"], rows[at]["sh_size"], "the section names").tobytes()

    def _segments(self) -> tuple[ElfSegment, ...]:
        header = self.header
        offset, size, count = header["e_phoff"], header["e_phentsize"], header["e_phnum"]
        if not offset or not count:
            return ()
        wanted, layout = (32, SEGMENT_HEADER_32) if self.bits == 32 else (56, SEGMENT_HEADER_64)
        if size < wanted:
            raise failure(
                codes.MALFORMED_ELF, f"segment headers of {size} bytes; at least {wanted} are needed"
            )
        if count == 0xFFFF and self.sections:
            count = self.sections[0].info or count
        self._check_count(count, size, offset, "segment headers")
        rows = [self._fields(layout, offset + size * i, wanted, f"segment header {i}") for i in range(count)]
        return tuple(
            ElfSegment(
                row["p_type"],
                row["p_flags"],
                row["p_offset"],
                row["p_vaddr"],
                row["p_filesz"],
                row["p_memsz"],
            )
            for row in rows
        )

    def _check_count(self, count: int, size: int, offset: int, what: str) -> None:
        if count > MAXIMUM_ENTRIES:
            raise failure(codes.MALFORMED_ELF, f"{count} {what} are more than any file has", offset=offset)
        self.slice(offset, count * size, f"{count} {what}")


FILE_HEADER = (
    ("e_type", "half"),
    ("e_machine", "half"),
    ("e_version", "word"),
    ("e_entry", "addr"),
    ("e_phoff", "offset"),
    ("e_shoff", "offset"),
    ("e_flags", "word"),
    ("e_ehsize", "half"),
    ("e_phentsize", "half"),
    ("e_phnum", "half"),
    ("e_shentsize", "half"),
    ("e_shnum", "half"),
    ("e_shstrndx", "half"),
)
SECTION_HEADER = (
    ("sh_name", "word"),
    ("sh_type", "word"),
    ("sh_flags", "xword"),
    ("sh_addr", "addr"),
    ("sh_offset", "offset"),
    ("sh_size", "xword"),
    ("sh_link", "word"),
    ("sh_info", "word"),
    ("sh_addralign", "xword"),
    ("sh_entsize", "xword"),
)
SEGMENT_HEADER_64 = (
    ("p_type", "word"),
    ("p_flags", "word"),
    ("p_offset", "offset"),
    ("p_vaddr", "addr"),
    ("p_paddr", "addr"),
    ("p_filesz", "xword"),
    ("p_memsz", "xword"),
    ("p_align", "xword"),
)
SEGMENT_HEADER_32 = (
    ("p_type", "word"),
    ("p_offset", "offset"),
    ("p_vaddr", "addr"),
    ("p_paddr", "addr"),
    ("p_filesz", "word"),
    ("p_memsz", "word"),
    ("p_flags", "word"),
    ("p_align", "word"),
)
"""Fields of the headers in file order, with the name that pyelftools gives to their widths."""


def _parsed(parser: Any, stream: io.BytesIO, what: str) -> int:
    try:
        value: int = struct_parse(parser, stream)
    except ELFError as error:
        raise failure(codes.MALFORMED_ELF, f"{what} cannot be read: {error}") from error
    return value


def _section(row: dict[str, int], names: bytes) -> ElfSection:
    name = names[row["sh_name"] :].partition(b"\0")[0].decode("latin-1")
    return ElfSection(
        name,
        row["sh_type"],
        row["sh_flags"],
        row["sh_addr"],
        row["sh_offset"],
        row["sh_size"],
        row["sh_link"],
        row["sh_info"],
        row["sh_entsize"],
    )


def regions_of(elf: ElfFile) -> list[MemoryRegion]:
    """Return the memory that a file describes: its sections that are loaded or, for a core dump and a file
    without addresses of sections, its loaded segments. Empty and thread-local sections are left out. Bytes
    that the file should have and has not are unknown, and a note about them is added to `elf`.
    """
    sections = [s for s in elf.sections if s.flags & ALLOCATED and s.size and not s.flags & THREAD_LOCAL]
    if elf.type != "core dump" and any(section.address for section in sections):
        return [_section_region(elf, section) for section in sections]
    loaded = [segment for segment in elf.segments if segment.kind == LOADED and segment.memory_size]
    return [_segment_region(elf, segment, number) for number, segment in enumerate(loaded)]


def _section_region(elf: ElfFile, section: ElfSection) -> MemoryRegion:
    data = elf.data[:0]
    if section.kind != NOBITS:
        data = _present(elf, section.offset, section.size, f"section '{section.name}'")
    return MemoryRegion(
        section.name,
        section.address,
        section.size,
        data,
        bool(section.flags & WRITABLE),
        bool(section.flags & EXECUTABLE),
    )


def _segment_region(elf: ElfFile, segment: ElfSegment, number: int) -> MemoryRegion:
    name = f"segment {number}"
    size = min(segment.file_size, segment.memory_size)
    data = _present(elf, segment.offset, size, name)
    return MemoryRegion(
        name,
        segment.address,
        segment.memory_size,
        data,
        bool(segment.flags & 2),
        bool(segment.flags & 1),
    )


def _present(elf: ElfFile, offset: int, size: int, what: str) -> arrays.Octets:
    """Return the bytes of the file from `offset` on, at most `size`. If some of them are after the end of the
    file, add a note that names them `what` to `elf`.
    """
    if offset + size > len(elf.data):
        elf.record_problem(
            f"{what} ends at offset {offset + size}, after the end of the file at {len(elf.data)}"
        )
    return elf.data[min(offset, len(elf.data)) : offset + size]
