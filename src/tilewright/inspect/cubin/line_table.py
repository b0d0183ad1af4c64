"""Line tables of cubins: DWARF line programs, versions 2 to 4, one for each level of text.

The tables differ from the usual ones in their target: `.nv_debug_line_sass` names lines of the embedded PTX,
`.nv.tileir.debug_line` lines of the embedded Tile IR, `.debug_line` lines of the user's program.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

END_SEQUENCE, SET_ADDRESS, DEFINE_FILE = 1, 2, 3
MAXIMUM_ROWS = 1 << 20


@dataclass(frozen=True, slots=True)
class LineTableRow:
    """The source line of the code from ``address`` on. ``file`` is empty if the table names none.

    ``end`` marks the address after the last instruction of a sequence.
    """

    address: int
    file: str
    line: int
    end: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """The rows for one contiguous piece of code, in order; the last one marks its end.

    ``address_at`` is the offset in the section of the start address, which a relocation refers to; -1 if the
    program sets no address.
    """

    address_at: int
    rows: tuple[LineTableRow, ...]


@dataclass
class LineTable:
    """The ``sequences`` of rows of a section, up to the first program that could not be read; ``problem``
    says why it could not (empty if all were read).
    """

    sequences: list[Sequence] = field(default_factory=list[Sequence])
    problem: str = ""


class Malformed(Exception):
    """Raised for bytes that are no line program; the text says why."""


class _LineReader:
    """Reads the integers (of fixed width, and LEB128) and the strings of a line program from ``data``,
    starting at offset ``at``. Raises `Malformed` if a value extends beyond ``end``.
    """

    def __init__(self, data: bytes, at: int, end: int) -> None:
        self.data, self.at, self.end = data, at, end

    def fixed(self, size: int) -> int:
        if self.at + size > self.end:
            raise Malformed(f"it ends inside of a number at offset {self.at}")
        value = int.from_bytes(self.data[self.at : self.at + size], "little")
        self.at += size
        return value

    def unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self.fixed(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
            if shift > 63:
                raise Malformed(f"a number at offset {self.at} is too long")

    def signed(self) -> int:
        start = self.at
        value = self.unsigned()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) & 1 else value

    def string(self) -> str:
        stop = self.data.find(b"\0", self.at, self.end)
        if stop < 0:
            raise Malformed(f"a string at offset {self.at} has no end")
        text = self.data[self.at : stop].decode("utf-8", "replace")
        self.at = stop + 1
        return text


@dataclass
class _LineTableHeader:
    version: int
    minimum_instruction: int
    line_base: int
    line_range: int
    opcode_base: int
    operands: Mapping[int, int]
    files: list[str]


def line_table(data: bytes) -> LineTable:
    """Return the rows of a section, whose bytes are `data`. Nothing is raised: reading ends at a malformed
    place, which `problem` describes, and the sequences that were finished before it are kept.
    """
    table = LineTable()
    at = 0
    while at + 4 <= len(data):
        length = int.from_bytes(data[at : at + 4], "little")
        end = at + 4 + length
        if end > len(data) or length < 10:
            table.problem = f"the program at offset {at} has {length} bytes, which are not there"
            break
        try:
            _program(_LineReader(data, at + 4, end), table)
        except Malformed as error:
            table.problem = f"the program at offset {at} is malformed: {error}"
            break
        at = end
    return table


def _header(reader: _LineReader) -> _LineTableHeader:
    version = reader.fixed(2)
    if not 2 <= version <= 4:
        raise Malformed(f"version {version} is not 2, 3 or 4")
    start = reader.fixed(4) + reader.at
    minimum = reader.fixed(1)
    if version >= 4:
        reader.fixed(1)
    reader.fixed(1)
    base = reader.fixed(1)
    line_range, opcode_base = reader.fixed(1), reader.fixed(1)
    if line_range == 0 or opcode_base == 0:
        raise Malformed("a line range or opcode base of 0")
    operands = {opcode: reader.fixed(1) for opcode in range(1, opcode_base)}
    folders = [""]
    while folder := reader.string():
        folders.append(folder)
    files = [""]
    while name := reader.string():
        folder = reader.unsigned()
        reader.unsigned()
        reader.unsigned()
        place = folders[folder] if folder < len(folders) else ""
        files.append(f"{place}/{name}" if place and not name.startswith((".nv", "/")) else name)
    if start > reader.end:
        raise Malformed("its header is longer than it is")
    reader.at = start
    signed_base = base - 256 if base > 127 else base
    return _LineTableHeader(version, minimum, signed_base, line_range, opcode_base, operands, files)


class _Machine:
    """The state of a line program while it is executed: its registers, and the rows so far."""

    def __init__(self, header: _LineTableHeader, table: LineTable) -> None:
        self.header, self.table = header, table
        self.restart()

    def restart(self) -> None:
        self.address, self.file, self.line, self.address_at = 0, 1, 1, -1
        self.rows: list[LineTableRow] = []

    def emit(self, *, end: bool = False) -> None:
        names = self.header.files
        name = names[self.file] if self.file < len(names) else f"file {self.file}"
        if len(self.rows) >= MAXIMUM_ROWS:
            raise Malformed("it has too many rows")
        self.rows.append(LineTableRow(self.address, name, self.line, end))

    def finish(self) -> None:
        self.emit(end=True)
        self.table.sequences.append(Sequence(self.address_at, tuple(self.rows)))
        self.restart()

    def special(self, opcode: int) -> None:
        adjusted = opcode - self.header.opcode_base
        self.address += adjusted // self.header.line_range * self.header.minimum_instruction
        self.line += self.header.line_base + adjusted % self.header.line_range
        self.emit()


def _program(reader: _LineReader, table: LineTable) -> None:
    header = _header(reader)
    machine = _Machine(header, table)
    while reader.at < reader.end:
        opcode = reader.fixed(1)
        if opcode >= header.opcode_base:
            machine.special(opcode)
        elif opcode == 0:
            _extended(reader, machine)
        else:
            _standard(opcode, reader, machine)


def _extended(reader: _LineReader, machine: _Machine) -> None:
    """Execute an extended opcode, which states its length; unknown opcodes are skipped. Raises `Malformed` if
    the length is 0 or extends beyond the program.
    """
    length = reader.unsigned()
    end = reader.at + length
    if length == 0 or end > reader.end:
        raise Malformed(f"an extended opcode at offset {reader.at} has {length} bytes")
    opcode = reader.fixed(1)
    if opcode == END_SEQUENCE:
        machine.finish()
    elif opcode == SET_ADDRESS:
        machine.address_at = reader.at
        machine.address = reader.fixed(length - 1)
    elif opcode == DEFINE_FILE:
        machine.header.files.append(reader.string())
    reader.at = end


def _standard(opcode: int, reader: _LineReader, machine: _Machine) -> None:
    header = machine.header
    if opcode == 1:
        machine.emit()
    elif opcode == 2:
        machine.address += reader.unsigned() * header.minimum_instruction
    elif opcode == 3:
        machine.line += reader.signed()
    elif opcode == 4:
        machine.file = reader.unsigned()
    elif opcode == 8:
        machine.address += (255 - header.opcode_base) // header.line_range * header.minimum_instruction
    elif opcode == 9:
        machine.address += reader.fixed(2)
    else:
        for _ in range(header.operands.get(opcode, 0)):
            reader.unsigned()
