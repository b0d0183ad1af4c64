"""Images as ELF core files: one PT_LOAD per segment, one note that describes the contents.

Every tool that reads core dumps reads these, ``tilewright inspect`` among them.
"""

from __future__ import annotations

import itertools
import struct
from pathlib import Path

from tilewright.abi import codes as abi_codes, layout
from tilewright.abi.image.segments import AbiImage, MemorySegment
from tilewright.abi.image.writer import MemoryImage
from tilewright.ir.diagnostic import DiagnosticError, failure

MAGIC = b"\x7fELF\x02\x01\x01"
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_PROGRAM = struct.Struct("<IIQQQQQQ")
_NOTE = struct.Struct("<III")
CORE_FILE, X86_64 = 4, 62
LOAD, NOTE = 1, 4
EXECUTE, WRITE, READ = 1, 2, 4
NOTE_NAME = b"tilewright\0\0"
NOTE_TYPE = 1
PAGE = 4096


def save(image: MemoryImage, path: Path) -> None:
    """Write an image to a core file, in place of a file that exists."""
    path.write_bytes(core_bytes(image))


def core_bytes(image: MemoryImage) -> bytes:
    """Return the bytes of the core file of an image. An empty segment has no program header; only the note
    names it.
    """
    note = _note(image)
    segments = [segment for segment in image.image.segments if len(segment.data)]
    at = _HEADER.size + _PROGRAM.size * (len(segments) + 1)
    programs = [_PROGRAM.pack(NOTE, READ, at, 0, 0, len(note), 0, 4)]
    body = bytearray(note)
    for segment in segments:
        body.extend(bytes(-(at + len(body)) % PAGE))
        flags = READ | (EXECUTE if segment.name == "code" else WRITE)
        size = len(segment.data)
        programs.append(
            _PROGRAM.pack(LOAD, flags, at + len(body), segment.base, segment.base, size, size, PAGE)
        )
        body += segment.data
    header = _HEADER.pack(
        MAGIC.ljust(16, b"\0"),
        CORE_FILE,
        X86_64,
        1,
        0,
        _HEADER.size,
        0,
        0,
        _HEADER.size,
        _PROGRAM.size,
        len(programs),
        0,
        0,
        0,
    )
    return header + b"".join(programs) + bytes(body)


def _note(image: MemoryImage) -> bytes:
    """Return the note of a core file: lines with the profile, the roots, and the names of segments."""
    lines = [f"profile {image.profile}"]
    lines += [f"root {name} {address:#x}" for name, address in sorted(image.roots.items())]
    lines += [f"segment {segment.base:#x} {segment.name}" for segment in image.image.segments]
    text = "\n".join(lines).encode("ascii")
    padded = text + bytes(-len(text) % 4)
    return _NOTE.pack(len(NOTE_NAME), len(text), NOTE_TYPE) + NOTE_NAME + padded


def load(path: Path) -> MemoryImage:
    """Read an image from a core file that `save` wrote.  Raises `DiagnosticError` for anything else."""
    return image_of_core(path.read_bytes())


def image_of_core(data: bytes) -> MemoryImage:
    """Return the image in the bytes of a core file. Raises `DiagnosticError` if the file is damaged, or was
    not written by `save`.
    """
    try:
        return _parse(data)
    except (struct.error, ValueError, KeyError, IndexError) as error:
        raise _damaged(f"the core file is damaged: {error}") from None


def _damaged(message: str) -> DiagnosticError:
    return failure(abi_codes.MALFORMED_IMAGE, message, hint="write it again with `tilewright abi image`")


def _parse(data: bytes) -> MemoryImage:
    if not data.startswith(MAGIC):
        raise _damaged("no 64-bit little-endian ELF file")
    header = _HEADER.unpack_from(data)
    start, size, count = header[5], header[9], header[10]
    if header[1] != CORE_FILE or size != _PROGRAM.size:
        raise _damaged("no core file")
    segments: list[MemorySegment] = []
    lines: list[str] = []
    for position in range(count):
        kind, _, offset, address, _, length, _, _ = _PROGRAM.unpack_from(data, start + size * position)
        if offset + length > len(data):
            raise _damaged(f"a segment ends at byte {offset + length} of {len(data)}")
        part = data[offset : offset + length]
        if kind == NOTE:
            lines = _note_lines(part)
        elif kind == LOAD:
            segments.append(MemorySegment("", address, part))
    return _described(segments, lines)


def _note_lines(note: bytes) -> list[str]:
    name_size, text_size, kind = _NOTE.unpack_from(note)
    start = _NOTE.size + name_size
    if kind != NOTE_TYPE or note[_NOTE.size : start] != NOTE_NAME:
        raise _damaged("the note of the core file is not tilewright's")
    return note[start : start + text_size].decode("ascii").splitlines()


def _described(segments: list[MemorySegment], lines: list[str]) -> MemoryImage:
    profile: layout.Profile | None = None
    roots: dict[str, int] = {}
    names: dict[int, str] = {}
    for line in lines:
        what, first, *rest = line.split(" ", 2)
        if what == "profile":
            profile = layout.Profile(first)
        elif what == "root":
            roots[first] = int(rest[0], 0)
        elif what == "segment":
            names[int(first, 0)] = rest[0]
    if profile is None:
        raise _damaged("the core file does not say in which profile it was written")
    held = {segment.base: segment for segment in segments}
    for base, name in names.items():
        held.setdefault(base, MemorySegment(name, base)).name = name
    _check_apart(list(held.values()))
    return MemoryImage(AbiImage(held.values()), profile, roots)


def _check_apart(segments: list[MemorySegment]) -> None:
    ordered = sorted(segments, key=lambda segment: segment.base)
    for before, after in itertools.pairwise(ordered):
        if before.end > after.base:
            raise _damaged(f"segments overlap at {after.base:#x}")
