"""Memory as a program sees it: regions with addresses, rights and bytes, relocations applied.

Everything that looks for structures works on an `ProgramImage` and does not care whether it came from an executable, a
shared library, a core dump or a raw file.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tilewright.inspect import arrays
from tilewright.ir.diagnostic import Diagnostic

MAXIMUM_STRING = 4096
IMPORT_STRIDE = 16


@dataclass(frozen=True)
class MemoryRegion:
    """Contiguous memory: ``size`` bytes at ``address``, with its rights. ``data`` holds the bytes that the
    file has; memory behind them up to ``size`` is unknown.
    """

    name: str
    address: int
    size: int
    data: arrays.Octets
    writable: bool = False
    executable: bool = False

    @property
    def end(self) -> int:
        """The address after the last byte."""
        return self.address + self.size

    @property
    def rights(self) -> str:
        """The access rights as `ls` shows them, such as `r-x`."""
        return f"r{'w' if self.writable else '-'}{'x' if self.executable else '-'}"

    @cached_property
    def aligned_words(self) -> tuple[int, arrays.Words]:
        """The address of the first aligned word, and all aligned words."""
        return arrays.aligned_words(self.data, self.address)


@dataclass(frozen=True)
class SectionRow:
    """One line of the table of sections: ``kind`` is the name of the type, such as ``progbits``, and
    ``flags`` has the letters ``a`` (takes memory), ``w`` (writable) and ``x`` (executable).
    """

    name: str
    kind: str
    address: int
    offset: int
    size: int
    flags: str


@dataclass(frozen=True)
class ProgramImage:
    """A program in memory.

    ``imports`` maps addresses, made up so that they lie outside of every region, to names of symbols that
    other libraries provide; relocated words hold these addresses. ``loader_ranges`` are (start, end) of
    tables that only the loader reads. ``notes`` are problems that did not stop the reading. ``analysable``
    says whether searches can read the regions; ``size`` is the size of the file in bytes.
    """

    name: str
    format: str
    machine: str
    regions: tuple[MemoryRegion, ...]
    header: Mapping[str, str | int] = field(default_factory=dict[str, str | int])
    sections: tuple[SectionRow, ...] = ()
    imports: Mapping[int, str] = field(default_factory=dict[int, str])
    notes: tuple[Diagnostic, ...] = ()
    loader_ranges: tuple[tuple[int, int], ...] = ()
    analysable: bool = True
    size: int = 0

    @cached_property
    def scanned(self) -> tuple[MemoryRegion, ...]:
        """Return the regions that searches read, by address.

        Regions that overlap an earlier region, or lie at very high addresses, are left out.
        """
        kept: list[MemoryRegion] = []
        for region in sorted(self.regions, key=lambda r: (r.address, -r.size)):
            if (
                region.size
                and region.end <= arrays.ADDRESS_LIMIT
                and (not kept or kept[-1].end <= region.address)
            ):
                kept.append(region)
        return tuple(kept)

    @cached_property
    def code(self) -> tuple[MemoryRegion, ...]:
        """The executable regions of ``scanned``."""
        return tuple(region for region in self.scanned if region.executable)

    @cached_property
    def data(self) -> tuple[MemoryRegion, ...]:
        """The regions of ``scanned`` that are not executable."""
        return tuple(region for region in self.scanned if not region.executable)

    @cached_property
    def _bounds(self) -> tuple[arrays.Positions, arrays.Positions, arrays.Flags]:
        starts = np.array([region.address for region in self.scanned], np.int64)
        ends = np.array([region.end for region in self.scanned], np.int64)
        return starts, ends, np.array([region.executable for region in self.scanned], np.bool_)

    @cached_property
    def _starts(self) -> list[int]:
        return [region.address for region in self.scanned]

    @cached_property
    def _import_range(self) -> tuple[int, int]:
        return (min(self.imports), max(self.imports) + IMPORT_STRIDE) if self.imports else (0, 0)

    def region_numbers(self, addresses: arrays.Positions) -> arrays.Positions:
        """Return for each address the index in ``scanned`` of the region that contains it, or -1."""
        starts, ends, _ = self._bounds
        if not len(starts):
            return np.full(len(addresses), -1, np.int64)
        found = np.searchsorted(starts, addresses, side="right").astype(np.int64) - 1
        inside = (found >= 0) & (addresses < ends[np.maximum(found, 0)])
        return np.where(inside, found, -1)

    def is_code(self, words: arrays.Words) -> arrays.Flags:
        """Return for each word whether it is an address of code, functions of other libraries included."""
        low, high = self._import_range
        executable = self._bounds[2]

        def check(addresses: arrays.Positions) -> arrays.Flags:
            found = self.region_numbers(addresses)
            imported = (addresses >= low) & (addresses < high)
            return ((found >= 0) & executable[np.maximum(found, 0)]) | imported

        return _by_parts(words, check) if len(executable) else np.zeros(len(words), np.bool_)

    def is_data(self, words: arrays.Words) -> arrays.Flags:
        """Return for each word whether it is an address in a region of ``scanned`` that is not executable."""
        executable = self._bounds[2]

        def check(addresses: arrays.Positions) -> arrays.Flags:
            found = self.region_numbers(addresses)
            return (found >= 0) & ~executable[np.maximum(found, 0)]

        return _by_parts(words, check) if len(executable) else np.zeros(len(words), np.bool_)

    def region_at(self, address: int) -> MemoryRegion | None:
        """Return the region of ``scanned`` that contains an address; None if there is none."""
        number = bisect_right(self._starts, address) - 1
        return self.scanned[number] if number >= 0 and address < self.scanned[number].end else None

    def place(self, address: int) -> str:
        """Return the name of the region that holds an address, or an empty string."""
        region = self.region_at(address)
        return region.name if region else ""

    def read(self, address: int, size: int) -> bytes:
        """Return up to ``size`` bytes; fewer at the end of the known bytes of a region, and none outside of
        all regions.
        """
        region = self.region_at(address)
        if region is None:
            return b""
        start = address - region.address
        return region.data[start : start + size].tobytes()

    def word(self, address: int) -> int | None:
        """Return the little-endian 64-bit number at an address; None if not all of its bytes are known."""
        data = self.read(address, 8)
        return int.from_bytes(data, "little") if len(data) == 8 else None

    def c_string(self, address: int) -> bytes | None:
        """Return the bytes from an address up to the next NUL, without it; None if there is none among the
        known bytes of the region and the next `MAXIMUM_STRING` bytes.
        """
        text, end, _ = self.read(address, MAXIMUM_STRING).partition(b"\0")
        return text if end else None

    def text(self, address: int, length: int) -> str | None:
        """Return the `length` bytes at an address as text; None unless all are printable ASCII and `length`
        is 1 to `MAXIMUM_STRING`.
        """
        data = self.read(address, length) if 0 < length <= MAXIMUM_STRING else b""
        if len(data) != length or not all(0x20 <= byte < 0x7F for byte in data):
            return None
        return data.decode("ascii")


def _by_parts(words: arrays.Words, check: Callable[[arrays.Positions], arrays.Flags]) -> arrays.Flags:
    """Return the results of `check` for all words, which gets some words at a time, so that temporary arrays
    stay small.
    """
    answer = np.zeros(len(words), np.bool_)
    for start in range(0, len(words), arrays.WORDS_CHUNK):
        part = slice(start, start + arrays.WORDS_CHUNK)
        answer[part] = check(words[part].astype(np.int64))
    return answer
