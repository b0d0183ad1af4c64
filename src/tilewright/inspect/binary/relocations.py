"""Apply relocations, as the loader does, and find the names of imported symbols.

A program is treated as loaded at the addresses in its file, so a relative relocation writes its addend. A
word that refers to a symbol of another library gets an invented address, by which the name of the symbol is
found again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tilewright.inspect import arrays, codes
from tilewright.inspect.binary.elf import ElfFile
from tilewright.inspect.binary.image import IMPORT_STRIDE, MemoryRegion, ProgramImage
from tilewright.ir.diagnostic import Diagnostic, Severity

IMPORT_BASE = 1 << 61
DYNAMIC_SEGMENT, DYNAMIC_SECTION = 2, 6
TABLE, TABLE_SIZE, JUMPS, JUMPS_SIZE, SYMBOLS, STRINGS, STRINGS_SIZE = 7, 8, 23, 2, 6, 5, 10
INIT_ARRAY, INIT_ARRAY_SIZE = 25, 27
RELOCATION = np.dtype([("offset", "<u8"), ("kind", "<u4"), ("symbol", "<u4"), ("addend", "<i8")])
SYMBOL = np.dtype(
    [("name", "<u4"), ("info", "u1"), ("other", "u1"), ("section", "<u2"), ("value", "<u8"), ("size", "<u8")]
)
ENTRY = np.dtype([("tag", "<u8"), ("value", "<u8")])


@dataclass(frozen=True)
class Kinds:
    """The numbers of a machine's relocation kinds that are applied.

    ``relative`` writes the addend, ``absolute`` a symbol plus the addend, and the kinds in ``symbol`` write a
    symbol.
    """

    relative: int
    absolute: int
    symbol: tuple[int, int]


KINDS = {"x86-64": Kinds(8, 1, (6, 7)), "aarch64": Kinds(1027, 257, (1025, 1026))}


def dynamic_entries(elf: ElfFile, image: ProgramImage) -> dict[int, int]:
    """Return the values of the dynamic section by their tags; an empty dictionary for a file without the
    section. If the section is outside of memory, the result is empty, and a note is added to `elf`.
    """
    place = next((s.address for s in elf.segments if s.kind == DYNAMIC_SEGMENT), None)
    if place is None:
        place = next((s.address for s in elf.sections if s.kind == DYNAMIC_SECTION), None)
    if place is None:
        return {}
    region = image.region_at(place)
    if region is None:
        elf.record_problem(f"the dynamic section at {place:#x} lies outside of memory")
        return {}
    entries = _records(_from(region, place), ENTRY)
    ends = np.flatnonzero(entries["tag"] == 0)
    entries = entries[: int(ends[0])] if len(ends) else entries
    return {int(tag): int(value) for tag, value in zip(entries["tag"], entries["value"], strict=True)}


def relocated(elf: ElfFile, image: ProgramImage) -> ProgramImage:
    """Return the image with relocations applied, and with its imports and the ranges of the loader's tables.
    The image is returned unchanged if it has no dynamic section, or is for a machine that is not in `KINDS`.
    """
    kinds = KINDS.get(elf.machine)
    entries = dynamic_entries(elf, image)
    if kinds is None or not entries:
        return image
    table = _relocations(elf, image, entries)
    symbols = _symbols(image, entries)
    values, known, imports = _values(table, symbols, kinds, _names(image, entries))
    patched = tuple(_patch(region, table["offset"][known], values[known]) for region in image.regions)
    ranges = tuple(
        (entries[tag], entries[tag] + entries.get(size, 0))
        for tag, size in ((TABLE, TABLE_SIZE), (JUMPS, JUMPS_SIZE))
        if entries.get(tag, 0)
    )
    return replace(image, regions=patched, imports=imports, loader_ranges=ranges)


def _relocations(elf: ElfFile, image: ProgramImage, entries: dict[int, int]) -> arrays.Records:
    parts: list[arrays.Records] = []
    for tag, size_tag in ((TABLE, TABLE_SIZE), (JUMPS, JUMPS_SIZE)):
        address, size = entries.get(tag, 0), entries.get(size_tag, 0)
        if not address or not size:
            continue
        region = image.region_at(address)
        data = _from(region, address)[:size] if region else np.empty(0, np.uint8)
        if len(data) < size:
            _cut(elf, f"of {size} bytes of relocations at {address:#x} only {len(data)} are there")
        parts.append(_records(data, RELOCATION))
    return np.concatenate(parts) if parts else np.empty(0, RELOCATION)


def _cut(elf: ElfFile, message: str) -> None:
    elf.notes.append(Diagnostic(Severity.WARNING, message, code=codes.MALFORMED_ELF))


def _symbols(image: ProgramImage, entries: dict[int, int]) -> arrays.Records:
    region = image.region_at(entries.get(SYMBOLS, -1))
    return _records(_from(region, entries[SYMBOLS]), SYMBOL) if region else np.empty(0, SYMBOL)


def _names(image: ProgramImage, entries: dict[int, int]) -> bytes:
    region = image.region_at(entries.get(STRINGS, -1))
    if region is None:
        return b""
    return _from(region, entries[STRINGS])[: entries.get(STRINGS_SIZE, 0)].tobytes()


def _values(
    table: arrays.Records, symbols: arrays.Records, kinds: Kinds, names: bytes
) -> tuple[arrays.Words, arrays.Flags, dict[int, str]]:
    """Return, for each relocation in `table`, the word that it writes (0 if its kind is unknown), and whether
    its kind is known; then the imported symbols, names by invented addresses, which relocated words hold.
    """
    kind, addend = table["kind"], table["addend"].view(np.uint64)
    relative = kind == kinds.relative
    absolute = kind == kinds.absolute
    named = (absolute | np.isin(kind, kinds.symbol)) & (table["symbol"] < len(symbols))
    values = np.where(relative, addend, np.uint64(0))
    used = symbols[table["symbol"][named]]
    missing = used["section"] == 0
    places = np.uint64(IMPORT_BASE) + table["symbol"][named].astype(np.uint64) * np.uint64(IMPORT_STRIDE)
    values[named] = np.where(missing, places, used["value"]) + np.where(absolute[named], addend[named], 0)
    imports = {
        int(place): _name(names, int(offset))
        for place, offset in zip(places[missing], used["name"][missing], strict=True)
    }
    return values, relative | named, imports


def _name(names: bytes, offset: int) -> str:
    return names[offset : offset + 4096].partition(b"\0")[0].decode("latin-1")


def _patch(region: MemoryRegion, offsets: arrays.Words, values: arrays.Words) -> MemoryRegion:
    """Return the region with `values` written at the addresses `offsets`, as far as these are in the bytes of
    the region.
    """
    positions = offsets.astype(np.int64) - region.address if region.address < 1 << 62 else _none()
    inside = (positions >= 0) & (positions <= len(region.data) - 8)
    if not inside.any():
        return region
    data, at, what = region.data.copy(), positions[inside], values[inside]
    for byte in range(8):
        data[at + byte] = (what >> np.uint64(8 * byte)).astype(np.uint8)
    return replace(region, data=data)


def _none() -> arrays.Positions:
    return np.full(0, -1, np.int64)


def _from(region: MemoryRegion, address: int) -> arrays.Octets:
    return region.data[address - region.address :]


def _records(data: arrays.Octets, kind: np.dtype[np.void]) -> arrays.Records:
    count = len(data) // kind.itemsize
    return np.frombuffer(data[: count * kind.itemsize].tobytes(), kind)
