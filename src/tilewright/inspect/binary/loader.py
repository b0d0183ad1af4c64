"""Files as images: ELF files, core dumps and raw memory."""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tilewright.inspect import codes
from tilewright.inspect.arrays import ADDRESS_LIMIT, Octets, octets
from tilewright.inspect.binary.elf import MAGIC, ElfFile, regions_of
from tilewright.inspect.binary.image import MemoryRegion, ProgramImage
from tilewright.inspect.binary.relocations import relocated
from tilewright.ir.diagnostic import Diagnostic, Severity, failure


def file_bytes(path: Path) -> Octets:
    """Return the bytes of a file, mapped into memory and not read. Raises `DiagnosticError` if the file is
    empty or cannot be read.
    """
    try:
        with path.open("rb") as file:
            return octets(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        reason = "it is empty" if isinstance(error, ValueError) else error.strerror or str(error)
        raise failure(codes.UNREADABLE_BINARY, f"'{path}' cannot be read: {reason}") from error


def load(data: Octets, name: str) -> ProgramImage:
    """Return an ELF file as an image with relocations applied; `name` is its name in messages. Raises
    `DiagnosticError` if the file is no ELF file or its header is broken.
    """
    if data[:4].tobytes() != MAGIC:
        hint = "give --raw, with --base and --code, for a raw image"
        raise failure(codes.NOT_AN_IMAGE, f"'{name}' does not start with the bytes of an ELF file", hint=hint)
    return from_elf(ElfFile(data, name))


def from_elf(elf: ElfFile) -> ProgramImage:
    """Return the image of an ELF file whose headers are read, with relocations applied. A file that is not
    64-bit little-endian, and an object file, are left as they are; the image is then not ``analysable``.
    """
    regions = regions_of(elf)
    image = ProgramImage(
        elf.name,
        elf.type,
        elf.machine,
        tuple(regions),
        _header(elf),
        tuple(section.row() for section in elf.sections),
        size=len(elf.data),
    )
    reason = _not_analysed(elf)
    if reason:
        return _with_notes(image, elf, reason)
    image = relocated(elf, image)
    return _with_notes(image, elf, None)


def _with_notes(image: ProgramImage, elf: ElfFile, reason: str | None) -> ProgramImage:
    notes = list(elf.notes)
    if reason:
        notes.append(Diagnostic(Severity.WARNING, reason, code=codes.UNSUPPORTED_ELF))
    elif image.machine != "x86-64":
        message = f"instructions of {image.machine} are not looked at"
        notes.append(Diagnostic(Severity.WARNING, message, code=codes.NO_CODE_ANALYSIS))
    low = [region for region in image.regions if region.size and region.end <= ADDRESS_LIMIT]
    if not reason and len(low) > len(image.scanned):
        message = f"{len(low) - len(image.scanned)} regions overlap others and are not looked at"
        notes.append(Diagnostic(Severity.WARNING, message, code=codes.MALFORMED_ELF))
    return replace(image, notes=tuple(notes), analysable=reason is None)


def _not_analysed(elf: ElfFile) -> str | None:
    if not elf.is_64_bit_little_endian:
        order = "little" if elf.little_endian else "big"
        return f"a {elf.bits}-bit {order}-endian file: only its headers are shown"
    if elf.type not in ("executable", "shared library", "core dump"):
        return f"a {elf.type} has no addresses yet: only its headers are shown"
    return None


def _header(elf: ElfFile) -> dict[str, str | int]:
    return {
        "class": elf.bits,
        "byte_order": "little" if elf.little_endian else "big",
        "os_abi": elf.os_abi,
        "type": elf.type,
        "machine": elf.machine,
        "entry": elf.header["e_entry"],
        "flags": elf.header["e_flags"],
        "sections": len(elf.sections),
        "segments": len(elf.segments),
    }


def raw_image(data: Octets, name: str, base: int, code: Sequence[tuple[int, int]] = ()) -> ProgramImage:
    """Return an image of memory without a header. Its first byte is at ``base``; ``code`` are half-open
    ranges (start, end) of addresses of code, which counts as x86-64, and the rest is data. Raises
    `DiagnosticError` for ranges that are outside the memory or overlap.
    """
    end = base + len(data)
    regions: list[MemoryRegion] = []
    at = base
    for start, stop in sorted(code):
        if not at <= start < stop <= end:
            message = (
                f"code {start:#x}..{stop:#x} does not lie in {at:#x}..{end:#x}, or overlaps another range"
            )
            raise failure(codes.BAD_RANGE, message)
        regions += [_part(data, base, at, start, False), _part(data, base, start, stop, True)]
        at = stop
    regions.append(_part(data, base, at, end, False))
    machine = "x86-64" if code else "unknown"
    header: dict[str, str | int] = {"base": base}
    found = tuple(region for region in regions if region.size)
    return ProgramImage(name, "raw image", machine, found, header, size=len(data))


def _part(data: Octets, base: int, start: int, end: int, executable: bool) -> MemoryRegion:
    name = f"{'code' if executable else 'data'} {start:#x}"
    return MemoryRegion(name, start, end - start, data[start - base : end - base], not executable, executable)
