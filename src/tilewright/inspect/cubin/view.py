"""A cubin as kernels with their resources, texts and lines, read from its ELF sections."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tilewright.inspect import codes
from tilewright.inspect.binary.elf import MACHINE_CUDA, ElfFile, ElfSection
from tilewright.inspect.cubin import attributes as cubin_attributes, line_table as cubin_line_table
from tilewright.ir.diagnostic import Diagnostic, Severity, failure

INFO, CODE, SHARED, CONSTANTS = ".nv.info", ".text.", ".nv.shared.", ".nv.constant"
PTX, TILE_IR = ".nv_debug_ptx_txt", ".nv.tileir.debug_txt."
LINE_TABLES = {"source": ".debug_line", "ptx": ".nv_debug_line_sass", "tile_ir": ".nv.tileir.debug_line"}
"""Level of text to the section whose line table leads to it."""
TOOL_NOTE, CUDA_NOTE = ".note.nv.tkinfo", ".note.nv.cuinfo"
SYMBOL = struct.Struct("<IBBHQQ")
NEW_FLAGS_ABI = 8
"""From this ABI version on the header's flags keep the architecture in bits 8 to 15, before in bits 0 to 7."""


@dataclass(frozen=True, slots=True)
class CubinSymbol:
    """A row of the symbol table: its name, its ELF type (2 for a function), the index of its section, its
    value, and its size in bytes.
    """

    name: str
    kind: int
    section: int
    value: int
    size: int


@dataclass(frozen=True, slots=True)
class InstructionRange:
    """Instructions from ``start`` to ``end``, exclusive (byte offsets in the kernel), and the lines that they
    come from; 0 or an empty text if unknown.

    ``text`` names the embedded Tile IR text that the line ``tile_ir`` is in; ``ptx`` is a line of the
    embedded PTX; ``source`` is `FILE:LINE`.
    """

    start: int
    end: int
    tile_ir: int = 0
    text: str = ""
    ptx: int = 0
    source: str = ""


@dataclass(frozen=True, slots=True)
class CubinKernel:
    """A kernel of a cubin: its resources, ``parameters``, records (``attributes``) and code ranges
    (``lines``, in order of address). Sizes are in bytes, and ``parameter_offset`` is the offset of the
    parameter block in its constant bank; None is unknown. ``required_threads``, ``maximum_threads`` and
    ``cluster`` are extents, empty if the kernel has none; ``constants`` maps numbers of constant banks, as
    text, to bytes. ``cuda_version`` is empty if unknown; ``from_tile_ir`` says that the kernel was made from
    Tile IR.
    """

    name: str
    code_size: int
    registers: int | None
    frame: int | None
    minimum_stack: int | None
    shared: int
    constants: Mapping[str, int]
    barriers: int | None
    required_threads: tuple[int, ...]
    maximum_threads: tuple[int, ...]
    cluster: tuple[int, ...]
    parameters: tuple[cubin_attributes.CubinParameter, ...]
    parameter_bytes: int | None
    parameter_offset: int | None
    cuda_version: str
    from_tile_ir: bool
    attributes: tuple[cubin_attributes.CubinAttribute, ...]
    lines: tuple[InstructionRange, ...]


@dataclass(frozen=True, slots=True)
class Cubin:
    """The contents of a cubin.

    ``size`` is in bytes; ``architecture`` is a name such as `sm_90`, and empty if unknown, like
    ``cuda_version``. ``tool`` has the words of the assembler's note. ``ptx`` has the lines of the embedded
    PTX, ``tile_ir`` maps the name of each embedded Tile IR text to its lines. ``notes`` are warnings about
    malformed parts.
    """

    name: str
    size: int
    architecture: str
    cuda_version: str
    tool: tuple[str, ...]
    kernels: tuple[CubinKernel, ...]
    ptx: tuple[str, ...]
    tile_ir: Mapping[str, tuple[str, ...]]
    sections: tuple[ElfSection, ...]
    notes: tuple[Diagnostic, ...]


def is_cubin(elf: ElfFile) -> bool:
    """Return whether an ELF file is for NVIDIA's GPUs, by the machine in its header."""
    return elf.header["e_machine"] == MACHINE_CUDA


def read_cubin(elf: ElfFile) -> Cubin:
    """Return the contents of a cubin from its ELF file. Malformed parts are left out, and warnings about them
    are in ``notes``. Raises `DiagnosticError` for a file of another machine, and for a file that is not
    64-bit little-endian.
    """
    if not is_cubin(elf):
        raise failure(codes.NOT_A_CUBIN, f"'{elf.name}' is an ELF file for {elf.machine}, not a cubin")
    if not elf.is_64_bit_little_endian:
        raise failure(codes.MALFORMED_CUBIN, f"'{elf.name}' is no 64-bit little-endian file")
    return _CubinReader(elf).read()


class _CubinReader:
    def __init__(self, elf: ElfFile) -> None:
        self.elf = elf
        self.notes: list[Diagnostic] = []
        self.symbols = self._symbols()
        self.tables = {level: self._table(name) for level, name in LINE_TABLES.items()}

    def read(self) -> Cubin:
        elf = self.elf
        shared = self._info(INFO)
        kernels = tuple(self._kernel(name, section, shared) for name, section in self._code())
        major, minor = divmod(self._cuda()[1], 10)
        texts = {
            s.name.removeprefix(TILE_IR): self._lines(s) for s in elf.sections if s.name.startswith(TILE_IR)
        }
        ptx = elf.section(PTX)
        return Cubin(
            elf.name,
            len(elf.data),
            self._architecture(),
            f"{major}.{minor}" if major else "",
            self._tool(),
            kernels,
            self._lines(ptx) if ptx else (),
            texts,
            elf.sections,
            (*elf.notes, *self.notes),
        )

    def _note(self, message: str) -> None:
        self.notes.append(Diagnostic(Severity.WARNING, message, code=codes.MALFORMED_CUBIN))

    def _content(self, name: str) -> bytes:
        section = self.elf.section(name)
        if section is None:
            return b""
        return self._bytes(section)

    def _bytes(self, section: ElfSection) -> bytes:
        """Return the bytes of a section. If the section extends beyond the file, add a note and return no
        bytes.
        """
        if section.offset + section.size > len(self.elf.data):
            self._note(f"section '{section.name}' lies outside of the file")
            return b""
        return self.elf.content(section).tobytes()

    def _lines(self, section: ElfSection) -> tuple[str, ...]:
        """Return the lines of the text in a section. Lines end with a NUL byte or a line feed; bytes that are
        not UTF-8 are replaced.
        """
        text = self._bytes(section).replace(b"\0", b"\n").decode("utf-8", "replace")
        return tuple(text.removesuffix("\n").split("\n"))

    def _symbols(self) -> list[CubinSymbol]:
        table, names = self.elf.section(".symtab"), self._content(".strtab")
        if table is None:
            return []
        data = self._bytes(table)
        whole = len(data) - len(data) % SYMBOL.size
        return [
            CubinSymbol(_text(names, name), info & 0xF, section, value, size)
            for name, info, _, section, value, size in SYMBOL.iter_unpack(data[:whole])
        ]

    def _symbol_name(self, index: int) -> str:
        return self.symbols[index].name if 0 <= index < len(self.symbols) else ""

    def _architecture(self) -> str:
        """Return the architecture, such as `sm_90`, from the CUDA note, or else from the flags of the header;
        empty if both have none.
        """
        number = self._cuda()[0]
        if not number:
            flags = self.elf.header["e_flags"]
            number = flags >> 8 & 0xFF if int(self.elf.data[8]) >= NEW_FLAGS_ABI else flags & 0xFF
        return f"sm_{number}" if number else ""

    def _cuda(self) -> tuple[int, int]:
        """Return the number of the architecture and the CUDA version times ten from the CUDA note; `(0, 0)`
        if there is no note.
        """
        description = _note_description(self._content(CUDA_NOTE))
        return struct.unpack_from("<HH", description, 2) if len(description) >= 6 else (0, 0)

    def _tool(self) -> tuple[str, ...]:
        """Return the texts of the assembler's note that are not empty: its name, version, build and
        arguments.
        """
        description = _note_description(self._content(TOOL_NOTE))[24:]
        words = [part.decode("utf-8", "replace").strip() for part in description.split(b"\0")]
        return tuple(word for word in words if word)

    def _code(self) -> Iterator[tuple[str, ElfSection]]:
        for section in self.elf.sections:
            if section.name.startswith(CODE) and section.flags & 4:
                yield section.name.removeprefix(CODE), section

    def _info(self, name: str) -> tuple[cubin_attributes.CubinAttribute, ...]:
        found = cubin_attributes.records(self._content(name))
        if found.problem:
            self._note(f"section '{name}': {found.problem}")
        return found.attributes

    def _kernel(
        self, name: str, section: ElfSection, shared: tuple[cubin_attributes.CubinAttribute, ...]
    ) -> CubinKernel:
        own = self._info(f"{INFO}.{name}")
        symbol = next((s for s in self.symbols if s.name == name and s.kind == 2), None)
        about = {
            number: self._about(name, number, shared)
            for number in (
                cubin_attributes.REGISTERS,
                cubin_attributes.FRAME_SIZE,
                cubin_attributes.MINIMUM_STACK,
            )
        }
        version = _number(own, cubin_attributes.API_VERSION)
        kind = _number(own, cubin_attributes.KIND_OF_KERNEL)
        bank = next(
            (a.numbers() for a in own if a.number == cubin_attributes.PARAMETER_BANK and len(a.value) == 8),
            (),
        )
        sections = self.elf.sections
        constants = {
            s.name.removeprefix(CONSTANTS).removesuffix(f".{name}"): s.size
            for s in sections
            if s.name.startswith(CONSTANTS) and s.name.endswith(f".{name}")
        }
        return CubinKernel(
            name,
            symbol.size if symbol else section.size,
            about[cubin_attributes.REGISTERS],
            about[cubin_attributes.FRAME_SIZE],
            about[cubin_attributes.MINIMUM_STACK],
            sum(s.size for s in sections if s.name == f"{SHARED}{name}"),
            constants,
            _number(own, cubin_attributes.BARRIERS),
            _words(own, cubin_attributes.REQUIRED_THREADS),
            _words(own, cubin_attributes.MAX_THREADS),
            _words(own, cubin_attributes.CLUSTER),
            _parameters(own),
            _number(own, cubin_attributes.PARAMETER_BYTES),
            bank[1] & 0xFFFF if bank else None,
            f"{version // 10}.{version % 10}" if version else "",
            bool(kind is not None and kind & cubin_attributes.TILE_KERNEL_BIT),
            own,
            self._spans(name, section.size),
        )

    def _about(
        self, name: str, number: int, shared: tuple[cubin_attributes.CubinAttribute, ...]
    ) -> int | None:
        """Return the value of attribute `number` for the kernel called `name`, from the records of the
        section that all kernels share; None if there is none.
        """
        for attribute in shared:
            words = attribute.numbers()
            if attribute.number == number and len(words) == 2 and self._symbol_name(words[0]) == name:
                return words[1]
        return None

    # -- lines

    def _table(self, name: str) -> cubin_line_table.LineTable:
        table = cubin_line_table.line_table(self._content(name))
        if table.problem:
            self._note(f"section '{name}': {table.problem}")
        return table

    def _owners(self, name: str) -> dict[int, str]:
        """Return the names of kernels by an offset in the line table `name`: the place of the start address
        of a sequence, which a relocation fills with an address in the kernel.
        """
        found: dict[int, str] = {}
        for prefix, size in ((".rela", 24), (".rel", 16)):
            data = self._content(prefix + name)
            for at in range(0, len(data) - size + 1, size):
                offset, info = struct.unpack_from("<QQ", data, at)
                found.setdefault(offset, self._symbol_name(info >> 32).removeprefix(CODE))
        return found

    def _rows(self, level: str, kernel: str) -> list[cubin_line_table.LineTableRow]:
        """Return the rows of the line table `level` (a key of `LINE_TABLES`) for `kernel`, in order of
        address. Sequences without a relocation count for every kernel.
        """
        owners = self._owners(LINE_TABLES[level])
        rows: list[cubin_line_table.LineTableRow] = []
        for sequence in self.tables[level].sequences:
            if owners.get(sequence.address_at, kernel) == kernel:
                rows.extend(sequence.rows)
        return sorted(rows, key=lambda row: (row.address, not row.end))

    def _spans(self, kernel: str, size: int) -> tuple[InstructionRange, ...]:
        rows = {level: self._rows(level, kernel) for level in LINE_TABLES}
        starts = sorted({row.address for of_level in rows.values() for row in of_level if not row.end})
        starts = [start for start in starts if start < size]
        ends = [*starts[1:], size] if starts else []
        return tuple(
            InstructionRange(
                start,
                end,
                *_tile_ir(rows["tile_ir"], start),
                _line(rows["ptx"], start),
                _source(rows["source"], start),
            )
            for start, end in zip(starts, ends, strict=True)
        )


def _at(rows: list[cubin_line_table.LineTableRow], address: int) -> cubin_line_table.LineTableRow | None:
    """Return the last row at or before `address`; None if there is none, or if it ends a sequence. `rows` are
    in order of address.
    """
    row = next((row for row in reversed(rows) if row.address <= address), None)
    return None if row is None or row.end else row


def _line(rows: list[cubin_line_table.LineTableRow], address: int) -> int:
    row = _at(rows, address)
    return row.line if row else 0


def _tile_ir(rows: list[cubin_line_table.LineTableRow], address: int) -> tuple[int, str]:
    """Return the line at an address, and the name of the embedded Tile IR text that it is in; `(0, '')` if no
    row covers the address, or its file is no Tile IR text. `rows` are in order of address.
    """
    row = _at(rows, address)
    if row is None or not row.file.startswith(TILE_IR):
        return 0, ""
    return row.line, row.file.removeprefix(TILE_IR)


def _source(rows: list[cubin_line_table.LineTableRow], address: int) -> str:
    row = _at(rows, address)
    return f"{row.file}:{row.line}" if row and row.file else ""


def _text(names: bytes, offset: int) -> str:
    return names[offset:].partition(b"\0")[0].decode("utf-8", "replace")


def _note_description(data: bytes) -> bytes:
    """Return the description of the first note in the bytes of a note section; no bytes if they are fewer
    than a note's header.
    """
    if len(data) < 12:
        return b""
    name_size, size, _ = struct.unpack_from("<III", data)
    start = 12 + (name_size + 3) // 4 * 4
    return data[start : start + size]


def _number(attributes: tuple[cubin_attributes.CubinAttribute, ...], number: int) -> int | None:
    found = next((a for a in attributes if a.number == number), None)
    return None if found is None else found.number_value()


def _words(attributes: tuple[cubin_attributes.CubinAttribute, ...], number: int) -> tuple[int, ...]:
    return next((a.numbers() for a in attributes if a.number == number), ())


def _parameters(
    attributes: tuple[cubin_attributes.CubinAttribute, ...],
) -> tuple[cubin_attributes.CubinParameter, ...]:
    found = [cubin_attributes.parameter(a) for a in attributes if a.number == cubin_attributes.PARAMETER]
    return tuple(sorted((p for p in found if p is not None), key=lambda p: p.ordinal))
