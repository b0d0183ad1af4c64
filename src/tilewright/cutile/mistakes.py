"""Mistakes in kernels that cuTile's frontend reports, as diagnostics."""

from __future__ import annotations

import re
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any

from tilewright.cutile.frontend import Frontend
from tilewright.driver import codes
from tilewright.driver.mistakes import error as mistakes_error, guide
from tilewright.ir import diagnostic, location as ir_location
from tilewright.ir.attribute import Location

ROWS = (
    guide.MistakeRow(
        r"Module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'",
        codes.UNKNOWN_NAME_IN_KERNEL,
        "look for the function in dir({module})",
        guide.MODULE,
    ),
    guide.MistakeRow(
        r"No such attribute '(?P<name>\w+)' for object of type (?P<type>\w+)",
        codes.UNKNOWN_NAME_IN_KERNEL,
        "look for the attribute in dir(cuda.tile.{type})",
        guide.TYPE,
    ),
    guide.MistakeRow(
        r"Undefined variable (?P<name>\w+)",
        codes.UNKNOWN_NAME_IN_KERNEL,
        "assign '{name}' before this line, on every path that leads to it",
        guide.SCOPE,
    ),
    guide.MistakeRow(
        r"^Unsupported syntax",
        codes.PYTHON_IN_KERNEL,
        "do this before the launch, outside of the kernel, or write it with for, while and if",
    ),
    guide.MistakeRow(
        r"must be wrapped in static_exception",
        codes.PYTHON_IN_KERNEL,
        "use ct.static_assert for constants, or ct.assert_ for values",
    ),
    guide.MistakeRow(
        r"while-else|for-else|is not supported$",
        codes.PYTHON_IN_KERNEL,
        "write it without this construct, with for, while and if",
    ),
    guide.MistakeRow(
        r"(?P<name>\w+)\(\) is not supported in device code",
        codes.PYTHON_IN_KERNEL,
        "call '{name}' before the launch, or use a function of cuda.tile",
    ),
    guide.MistakeRow(
        r"Tile kernels cannot return",
        codes.PYTHON_IN_KERNEL,
        "store the result into an array that the kernel gets: ct.store(out, index, tile)",
    ),
    guide.MistakeRow(
        r"not directly subscriptable|not support item assignment",
        codes.PYTHON_IN_KERNEL,
        "arrays are read by ct.load or ct.gather, and written by ct.store or ct.scatter",
    ),
    guide.MistakeRow(
        r"Directly indexing a tile",
        codes.PYTHON_IN_KERNEL,
        "take a part by ct.extract(tile, index, shape), or load a smaller tile",
    ),
    guide.MistakeRow(
        r"recursion depth",
        codes.PYTHON_IN_KERNEL,
        "functions of a kernel are put in the place of their calls: write the recursion as a loop",
    ),
    guide.MistakeRow(
        r"missing a required argument|too many positional|unexpected keyword|multiple values for",
        codes.CALL_IN_KERNEL,
        "compare with the function's signature: help(...) in Python shows it",
    ),
    guide.MistakeRow(
        r"static_assert\(\) condition|value is not constant|compile-time constant|[Ee]xpected a constant",
        codes.CONSTANT_IN_KERNEL,
        "write a literal, or annotate the parameter with ct.Constant[int]",
    ),
    guide.MistakeRow(
        r"does not match the array rank|shape length to be|shape of .* to be",
        codes.SHAPES_IN_KERNEL,
        "give one index and one extent for each axis of the array",
    ),
    guide.MistakeRow(
        r"Cannot reshape", codes.SHAPES_IN_KERNEL, "a reshaped tile has as many elements as before"
    ),
    guide.MistakeRow(r"[Aa]xis", codes.SHAPES_IN_KERNEL, "count axes from 0; a grid has the axes 0, 1 and 2"),
    guide.MistakeRow(
        r"is not positive", codes.SHAPES_IN_KERNEL, "give extents that are positive powers of two"
    ),
    guide.MistakeRow(
        r"depends on path taken",
        codes.TYPES_IN_KERNEL,
        "begin with a value of the same type, such as ct.zeros(shape, dtype)",
    ),
    guide.MistakeRow(
        r"Expected a scalar value",
        codes.TYPES_IN_KERNEL,
        "a tile has many values: choose between them by ct.where(condition, x, y), or reduce it first",
    ),
    guide.MistakeRow(
        r"same dtype|Unsupported operand types|Bitwise operations",
        codes.TYPES_IN_KERNEL,
        "convert one operand: ct.astype(tile, dtype)",
    ),
    guide.MistakeRow(r"unpack", codes.CALL_IN_KERNEL, "give as many names as there are values"),
    guide.MistakeRow(
        r"Invalid argument", codes.CALL_IN_KERNEL, "pass a value of the type that the message names"
    ),
)
"""Patterns of cuTile's messages in its versions 1.6 and 1.7."""
OF_TYPES = (
    (
        "TileStaticAssertionError",
        codes.ASSERTION_IN_KERNEL,
        "launch with arguments for which the assertion holds",
    ),
    ("TileStaticEvalError", codes.CONSTANT_IN_KERNEL, "mend what is evaluated while the kernel is compiled"),
    ("TileSyntaxError", codes.PYTHON_IN_KERNEL, "do this before the launch, outside of the kernel"),
    ("TileTypeError", codes.TYPES_IN_KERNEL, "print the types at this line: ct.static_eval(print(x))"),
    ("TileValueError", codes.CALL_IN_KERNEL, "pass a value that the function takes"),
)
"""The codes and hints for other messages, by the name of the exception in ``cuda.tile``."""


@contextmanager
def reported(front: Frontend) -> Generator[None]:
    """Convert exceptions of the frontend in a ``with`` block: every exception except `DiagnosticError`
    becomes a `FrontendError`, with the place, the code and a hint.
    """
    try:
        yield
    except diagnostic.DiagnosticError:
        raise
    except Exception as error:
        made = mistakes_error.as_diagnostic(
            error, _message(error), _places(error), _rows(front, error), _KnownCutileNames(front, error)
        )
        raise made from mistakes_error.cause_of(made)


def _message(error: Any) -> str:
    """Return the message of a frontend's exception without its location, which is another attribute of the
    exception.
    """
    return str(getattr(error, "message", None) or ("" if hasattr(error, "loc") else error))


def _rows(front: Frontend, error: BaseException) -> tuple[guide.MistakeRow, ...]:
    """Return the rows of the guide in which an exception is looked up: all rows for messages, then the rows
    for its type. For a failed assertion only the row of its type is returned, since the message is the
    kernel's own.
    """
    typed = [
        guide.MistakeRow("", code, hint)
        for name, code, hint in OF_TYPES
        if isinstance(error, getattr(front.tile, name, ()))
    ]
    if typed and typed[0].code is codes.ASSERTION_IN_KERNEL:
        return (typed[0],)  # the message is the kernel's own
    return (*guide.COMMON, *ROWS, *typed)


def _places(error: Any) -> list[Location]:
    """Return the locations of a mistake and of the calls that led to it, the innermost first. Locations in
    the frontend's own files are left out if there are others.
    """
    places: list[Location] = []
    loc: Any = getattr(error, "loc", None)
    while loc is not None:
        file, line = getattr(loc, "filename", None), getattr(loc, "line", None)
        if file and line:
            places.append(ir_location.FileLineColLocation.at(str(file), int(line), int(loc.col or 0) + 1))
        loc = getattr(loc, "call_site", None)
    own = [place for place in places if not ir_location.is_frontends(place)]
    return own or places


class _KnownCutileNames:
    """A function that returns the names among which a misspelt name of the exception ``error`` is searched:
    the names in a module or type of ``cuda.tile``, or in the source of the kernel.
    """

    def __init__(self, front: Frontend, error: Any) -> None:
        self._front = front
        self._error = error

    def __call__(self, among: str, match: re.Match[str]) -> Iterable[str]:
        found = match.groupdict()
        if among == guide.MODULE:
            return dir(sys.modules.get(found.get("module") or "cuda.tile", self._front.tile))
        if among == guide.TYPE:
            return dir(getattr(self._front.tile, found["type"], None))
        loc = self._error.loc
        return guide.names_at(str(loc.filename), int(loc.line))
