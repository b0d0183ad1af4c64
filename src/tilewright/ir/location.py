"""The location attributes of MLIR's builtin dialect."""

from __future__ import annotations

from typing import ClassVar, Protocol, Self

from tilewright.ir.attribute import Attribute, Location


class UnknownLocation(Location):
    """The unknown location: ``loc(unknown)``."""

    name: ClassVar[str] = "builtin.unknown_loc"


class FileLineColLocation(Location):
    """``loc("file.mlir":3:7)``: a position in a file.

    Lines count from 1. ``column`` is the number that the producer wrote, which text and bytecode keep: it
    counts bytes from 0 in programs of Python, whose frontends take it from `ast`, and from 1 in all other
    files. To show the position, read `source`; to make a location from a column that counts from 1, call
    `at`. No other code converts. A line of 0 is unknown, and so is a column of 0, except in a line of Python,
    where it is the first one.
    """

    name: ClassVar[str] = "builtin.file_line_col_loc"
    file: str
    line: int
    column: int

    @classmethod
    def at(cls, file: str, line: int, column: int) -> Self:
        """Return the location whose `source` is this position; `column` counts from 1 in every file, and 0 is
        unknown.
        """
        return cls(file, line, column - _counted_from_zero(file, line) if column else column)

    @property
    def source(self) -> tuple[str, int, int] | None:
        """The file, the line, and the column counted from 1; a line or column of 0 is unknown. Never None."""
        return self.file, self.line, self.column + _counted_from_zero(self.file, self.line)


def is_python(file: str) -> bool:
    """Return whether `file`, by its name, is Python source: a ``.py`` file, or input typed into IPython."""
    return file.endswith(".py") or file.startswith("<ipython-input-")


def _counted_from_zero(file: str, line: int) -> bool:
    return line > 0 and is_python(file)


class NameLocation(Location):
    """A location with a name, ``label``: ``loc("name"(child))``. It has the source position and the callers
    of ``child``, which is unknown by default.
    """

    name: ClassVar[str] = "builtin.name_loc"
    label: str
    child: Location = UnknownLocation()

    @property
    def source(self) -> tuple[str, int, int] | None:
        return self.child.source

    @property
    def callers(self) -> tuple[Location, ...]:
        return self.child.callers


class CallSiteLocation(Location):
    """``loc(callsite(callee at caller))``: code at ``callee`` that was inlined at ``caller``. It has the
    source position of the innermost location that is not in a frontend's package, and the callers from there
    on.
    """

    name: ClassVar[str] = "builtin.call_site_loc"
    callee: Location
    caller: Location

    @property
    def source(self) -> tuple[str, int, int] | None:
        return self._frames[0].source

    @property
    def callers(self) -> tuple[Location, ...]:
        return self._frames[1:]

    @property
    def _frames(self) -> tuple[Location, ...]:
        """The innermost frame in the user's program, followed by its callers; all frames if each of them is
        in a frontend's package.
        """
        frames = (self.callee, *self._all_callers)
        inner = next((at for at, frame in enumerate(frames) if not is_frontends(frame)), 0)
        return frames[inner:]

    @property
    def _all_callers(self) -> tuple[Location, ...]:
        # A chain is as long as the recursion it stands for, so it is walked, not recursed into.
        found: list[Location] = []
        current: Location = self
        while isinstance(current, CallSiteLocation):
            found.extend((*current.callee.callers, current.caller))
            current = current.caller
        return (*found, *current.callers)


FRONTEND_PACKAGES = ("/cuda/tile/", "/triton/language/")
"""Folders of frontends' packages. A location inside of them is replaced by the user's call of the frontend's
function when it is shown.
"""


def is_frontends(location: Location) -> bool:
    """Return whether the source position of a location is in the package of a frontend; False for an unknown
    position.
    """
    source = location.source
    return source is not None and any(part in source[0].replace("\\", "/") for part in FRONTEND_PACKAGES)


class FusedLocation(Location):
    """``loc(fused<metadata>[a, b])``: several locations merged into one. It has the first known source
    position among them; ``metadata`` is None without ``<...>``.
    """

    name: ClassVar[str] = "builtin.fused_loc"
    locations: tuple[Location, ...]
    metadata: Attribute | None = None

    @property
    def source(self) -> tuple[str, int, int] | None:
        return next((location.source for location in self.locations if location.source), None)


def name_in(location: Location) -> str | None:
    """Return the first name that a location contains, the label of a `NameLocation`; None if there is none.
    The callee of a call site comes before the caller; fused locations come in order.
    """
    pending = [location]
    while pending:
        match pending.pop():
            case NameLocation(label=label):
                return label
            case CallSiteLocation(callee=callee, caller=caller):
                pending += (caller, callee)
            case FusedLocation(locations=locations):
                pending += reversed(locations)
            case _:
                pass
    return None


class LocationSource(Protocol):
    """A text that was read, which makes the location of a position in it."""

    def location(self, position: int) -> Location:
        """Return the location of `position`, an offset in the text."""
        ...


LazyLocation = tuple[LocationSource, int]
"""A location that is computed when it is first needed: the text that was read, and a position in it."""

UNKNOWN = UnknownLocation()
