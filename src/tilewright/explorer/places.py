"""Numbers for source positions, which the lines of a page refer to."""

from __future__ import annotations

import linecache
from pathlib import Path

from tilewright.explorer import reproducer, schema
from tilewright.ir.attribute import Location

NOWHERE = -1
_LARGEST_SOURCE = 1 << 20
"""The maximum size in bytes of a source that is shown. A larger source is generated code, of no use to a
reader.
"""


class SourcePositions:
    """The source positions of a page, numbered from 0 in the order of their first use: the number is the
    index in `Page.places`, to which a new position is added.
    """

    def __init__(self, page: schema.Page) -> None:
        self._page = page
        self._numbers: dict[tuple[str, int, int], int] = {}
        self._sources: dict[str, int] = {}

    def of(self, location: Location) -> int:
        """Return the number of the source position of a location, which is added to the page if it is new;
        `NOWHERE` if the location names no line.
        """
        source = location.source
        return NOWHERE if source is None else self.at(*source)

    def at(self, file: str, line: int, column: int) -> int:
        """Return the number of a line, from 1, and a column, from 1 or 0 for an unknown one, of a file; they
        are added to the page if they are new. `NOWHERE` for line 0, or an empty `file`.
        """
        if line < 1 or not file:
            return NOWHERE
        key = file, line, column
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self._page.places)
            self._page.places.append(schema.Place(self._source(file), line, column))
        return found

    def text_around(self, location: Location) -> str:
        """Return the source text of the function that contains a location; an empty text if it is unknown.
        The position of the location is added to the page if it is new.
        """
        return reproducer.source_of(self._page.sources, self._page.places, self.of(location))

    def _source(self, file: str) -> int:
        found = self._sources.get(file)
        if found is None:
            found = self._sources[file] = len(self._page.sources)
            self._page.sources.append(schema.Source(file, _text(file)))
        return found


def _text(file: str) -> str:
    """Return the text of a source file; an empty text if it is larger than `_LARGEST_SOURCE`, or cannot be
    read, since the module may come from another machine.

    A cell of a notebook is not a file, but Python caches its lines.
    """
    if file in linecache.cache:
        return "".join(linecache.getlines(file))
    path = Path(file)
    try:
        if path.stat().st_size > _LARGEST_SOURCE:
            return ""
        return path.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        return ""
