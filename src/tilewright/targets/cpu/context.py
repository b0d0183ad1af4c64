"""What a launch shares with its kernel: the memory behind the argument ``counter``.

The kernel fetches numbers of tile blocks from the first word.  A tile block that must stop the launch (a failed
assertion, say) leaves a *report* — which `Site` of the kernel it was, and in which tile block — if none is there yet,
moves the counter past every grid, and ends; the launcher turns the report into a diagnostic.  Output goes through
the callback, which takes the launch context, the number of the site, the number of the tile block and the address of
the values.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.ir.attribute import Location
from tilewright.ir.location import UNKNOWN

COUNTER = 0
"""Offset of the number of the next tile block, 64 bits."""
REPORT = 64
"""Offset of the report, 64 bits: 0, or 1 + the number of the site.  Not on the cache line of the counter."""
REPORT_BLOCK = 72
"""Offset of the number of the tile block that reported, 64 bits."""
CALLBACK = 80
"""Offset of the address of ``void callback(ptr context, i64 site, i64 tile block, ptr values)``."""
CONTEXT_BYTES = 128
"""Size of the whole; it is aligned to 64 bytes."""
STOP = 1 << 62
"""What the counter is set to so that no further tile block starts."""


@dataclass(frozen=True, slots=True)
class Site:
    """A place of a kernel that may report or print: ``kind`` is ``assert``, ``print`` or the name of a check.

    ``text`` is the message of an assertion or the format of what is printed; ``types`` are the spelled element types
    and ``shapes`` the extents of the values behind the address of a print, one after the other, each on 64 bytes.
    """

    kind: str
    text: str
    location: Location = UNKNOWN
    types: tuple[str, ...] = ()
    shapes: tuple[tuple[int, ...], ...] = ()
