"""The memory that a launch shares with its kernel: the memory behind the argument ``counter``.

The kernel fetches tile blocks from the first word, which counts them. A tile block that must stop the launch (a failed
assertion, say) leaves a *report* — the `ReportSite` of the kernel and the tile block — if there is none yet, moves the
counter past every grid, and ends; the launcher turns the report into a diagnostic. Output goes through the callback,
which takes the launch context, the number of the site, the number of the tile block and the address of the values.
"""

from __future__ import annotations

from enum import IntEnum

from tilewright.ir.attribute import Location
from tilewright.ir.location import UNKNOWN
from tilewright.ir.support.record import Record

COUNTER = 0
"""Offset of the number of tile blocks that have been taken, 64 bits."""
SHARE = 8
"""Offset of the minimum number of tile blocks that a thread takes at once, 64 bits; 0: the kernel's choice.

A launch on one thread sets it to all tile blocks: each fetch waits for the stores before it.
"""
FROM_FRONT, FROM_BACK = 16, 24
"""Offsets of the numbers of tile blocks that calls with `FRONT` and calls with `BACK` have taken, 64 bits
each.
"""
STORE_NUMBER = 56
"""Offset of the number of the last checked store that had one, 64 bits; a kernel leaves the largest of all threads."""
REPORT = 64
"""Offset of the report, 64 bits: 0, or 1 + the number of the site.  Not on the cache line of the counter."""
REPORT_BLOCK = 72
"""Offset of the number of the tile block that reported, 64 bits."""
CALLBACK = 80
"""Offset of the address of ``void callback(ptr context, i64 site, i64 tile block, ptr values)``."""
ALLOCATIONS = 88
"""The offset of the address of the `KnownMemoryOffset` rows of all memory known to a checked launch, sorted by address."""
ALLOCATION_COUNT = 96
"""Offset of the number of those rows, 64 bits."""
OBSERVER = 104
"""Offset of the address of ``i64 observer(ptr context, i64 event, i64 site, i64 tile block, ptr details)``, which
checked kernels call with findings (see `CheckEvent`); a result other than 0 ends the tile block.
"""
WAITING = 120
"""Offset of the number of tile blocks that wait for others, 64 bits (see `workers.waiting`)."""
FIRST_NUMBER = 112
"""Offset of the number that the first tile block has in cells, 64 bits, at least 1; smaller numbers in cells
are of earlier launches.
"""
ATTENTION = 128
"""The offset of the launcher's request, 64 bits (`PAUSE`, `END`), read between tile blocks.

Nearly always 0, so all processors can keep its cache line.
"""
PAUSE = 1
"""In `ATTENTION`: the call that was made with `RETURNS` returns, and leaves the rest of its tile blocks.  In
a loop that may run for long it calls `ATTENDANT`, and goes on with its tile block."""
END = 2
"""In `ATTENTION`: all calls return, out of long loops, too, and the remaining tile blocks do not run."""
LEFT, LEFT_END = 136, 144
"""Offsets of the numbers of the first tile block that a paused call left over, and of the tile block after
the last.

The next call with `RETURNS` begins with these tile blocks.
"""
TITLE = 152
"""Offset of the address of the kernel's name in messages, which ends with a NUL; 0 if there is no name."""
RECORDS = 160
"""Offset of the address of the rows (`RecordedBlock`) that a recording kernel fills, one for each tile block; 0: no
recording. Other kernels do not read it.
"""
ATTENDANT = 168
"""Offset of the address of ``i64 attendant(ptr context)``, which the launcher calls in the middle of a tile block that
runs for long when `ATTENTION` says `PAUSE`; a result other than 0 ends the launch.
"""
CONTEXT_BYTES = 192
"""The size of the launch context in bytes; its address is a multiple of 64."""
STOP = 1 << 62
"""The value of the counter that lets no further tile block start."""
RETURNS = 1 << 63
"""Added to the argument ``count`` of one call of a launch: this call returns when `ATTENTION` says `PAUSE`.
"""

FRONT, BACK = 1 << 61, 1 << 62
"""Bits that are added to the argument ``count`` of a call: it takes tile blocks from the first one on
(`FRONT`), or from the last one backwards (`BACK`).

If a launch is repeated, a thread then gets the tile blocks again whose data is in the cache of its processor.
"""
COUNTS = FRONT - 1
"""The bits of the argument ``count`` that hold the number of tile blocks."""


class CheckEvent(IntEnum):
    """The events that a checked kernel reports to its observer: a failed condition of a check, an access
    outside of known memory, misaligned or to read-only memory, a race, an address that a store writes twice,
    a release and an acquire. The details of an event are 64-bit words.
    """

    FINDING = 0
    """The condition of a check does not hold; details: the number of the element, and up to three values for its message."""
    OUTSIDE = 1
    """An access outside of all known memory; details: address, element."""
    MISALIGNED = 2
    """An address that is no multiple of the size of the element; details: address, element."""
    READ_ONLY = 3
    """A write to memory that must not be written; details: address, element."""
    RACE = 4
    """A conflict with another tile block; details: address, element, the cell of the other access."""
    TWICE = 5
    """A store that writes an address twice; details: address, element."""
    RELEASE = 6
    """Earlier accesses become visible to tile blocks that acquire the address; details: address, clock, epoch."""
    ACQUIRE = 7
    """Accesses released at an address become visible; details: address, clock."""


PLANES = 5
"""Planes of cells: one for each of four kinds of accesses, and one for the numbers of stores."""


class KnownMemoryOffset:
    """Offsets in a row of the table of known memory: words of 64 bits, ``BYTES`` for a row.

    ``SHADOW`` is the address of the cells that racecheck keeps (0: not watched), planes of ``PLANE`` bytes one after
    the other; the first cell belongs to the byte at ``ORIGIN``.
    """

    START = 0
    END = 8
    WRITEABLE = 16
    SHADOW = 24
    PLANE = 32
    ORIGIN = 40
    BYTES = 64


class RecordedBlock:
    """Offsets in the record of a tile block, which has ``BYTES`` bytes: its begin and end in nanoseconds, and
    the number of its thread in the C library, 64 bits each.
    """

    BEGIN = 0
    END = 8
    THREAD = 16
    BYTES = 24


class ProgramGlobal(Record, frozen=True):
    """A global variable of the program, which a launcher has to know under checks: its name, its symbol in
    the object file, its size in bytes, and whether it is read-only (`is_constant`).
    """

    name: str
    symbol: str
    bytes: int
    is_constant: bool


class CheckRequirements(Record, frozen=True):
    """The requirements of a kernel that was compiled with checks.

    - ``granule``: bytes of memory for each cell of racecheck, 0 without it; ``cell_bytes`` the size of a cell.
    - ``site_bits``: the number of low bits of a cell that hold the site of an access; the 32 - ``site_bits`` above are
      the tile block, counted from `FIRST_NUMBER`.
    - ``clocks``: whether tile blocks release and acquire, so that each thread needs a clock before its scratch memory.
    - ``globals``: the global variables of the program, which accesses may touch, too.
    """

    granule: int = 0
    cell_bytes: int = 4
    site_bits: int = 0
    clocks: bool = False
    globals: tuple[ProgramGlobal, ...] = ()

    def numbers(self, count: int) -> int:
        """Return how many tile block numbers a launch of `count` tile blocks uses up in the cells.

        There is one for each tile block, as far as they fit into a cell, and one for "several tile blocks".
        """
        return min(count, (1 << (32 - self.site_bits)) - NUMBERS_KEPT) + 1


NUMBERS_KEPT = 4
"""How many of the numbers that fit a cell no tile block has.

If a launch has more tile blocks than the other numbers, tile blocks share a number.
"""
FINDINGS = frozenset({"memcheck", "fpcheck", "initcheck", "promises"})
"""The kinds of sites that are conditions of checks."""
HINTS: dict[str, tuple[str, ...]] = {
    "memcheck": ("see which tile block stands there, and how many there are for the tiles of the array",),
    "fpcheck": ("look for overflow, 0/0, or a logarithm or root of a negative number",),
    "initcheck": (
        "a load left it unspecified: give the view a padding value, or select another value in its place",
    ),
    "promises": ("compilers rely on this; mend the program or drop the promise",),
}
"""The hints for the findings of each check."""
FLOAT_WORD, SIGNED_WORD, UNSIGNED_WORD = "f64", "i64", "ui64"
"""How 64-bit words with values of a check are read."""


class ReportSite(Record, frozen=True):
    """A site of a kernel that may report or print: ``kind`` is ``assert``, ``print``, ``access``, ``wait``,
    ``loop`` or the name of a check. ``text`` is the message of an assertion or check, the kind of an access,
    or the format of a print. ``types`` are the spelled element types and ``shapes`` the extents of the values
    at the address of a print, which are consecutive and aligned to 64 bytes. For a check they are a hint, how
    the words of its values are read, and the extents of the condition; for an access the element type, the bytes of an element, the dimension of
    rows (if any), the number of the pointer's parameter (if known), and the extents of the tile.
    """

    kind: str
    text: str
    location: Location = UNKNOWN
    types: tuple[str, ...] = ()
    shapes: tuple[tuple[int, ...], ...] = ()
