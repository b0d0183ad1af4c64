"""Extensions: dialects, passes and targets of other packages, and the installed extensions.

Entry points are looked up when a name is met that tilewright itself does not have, so that commands which need none do
not pay for them.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from tilewright.ir.support.record import Record, fresh

if TYPE_CHECKING:
    from tilewright.driver.target import Target

ENTRY_POINTS = "tilewright.extensions"
"""The group of entry points; the value of each is the place of an `Extension`, as "module:NAME"."""


class Extension(Record, frozen=True):
    """The dialects, passes and targets of a package; places are written "module:NAME", and imported at the first use.

    - ``dialects``: places of `Dialect` constants by the name of the dialect.
    - ``passes``: places of `Pass` classes by the name of the pass; a pipeline is a `PassPipeline`.
    - ``targets``: rows of the table of targets.
    """

    dialects: Mapping[str, str] = fresh(default_factory=dict[str, str])
    passes: Mapping[str, str] = fresh(default_factory=dict[str, str])
    targets: tuple[Target, ...] = ()


@cache
def named(place: str) -> Any:
    """Return the object at "module:NAME"; the module is imported. Raises `ImportError` or `AttributeError` if
    there is none.
    """
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


LOADED: list[Extension] = []
"""The extensions that the user named, in the order in which they were loaded."""


def loaded_extensions() -> tuple[Extension, ...]:
    """Return the extensions that `load_module` has loaded."""
    return tuple(LOADED)


def extensions() -> tuple[Extension, ...]:
    """Return all extensions: the loaded ones, and extensions of installed packages."""
    return (*LOADED, *_installed())


@cache
def _installed() -> tuple[Extension, ...]:
    """Return the extensions of installed packages, in the order of their names.

    An extension that cannot be loaded is left out, with a message on stderr: programs that do not use it must run.
    """
    from importlib.metadata import entry_points  # loads the parsers of e-mail and archives

    found: list[Extension] = []
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        try:
            extension = point.load()
            if not isinstance(extension, Extension):
                raise TypeError(f"{point.value} is no Extension")
        except (Exception, SystemExit) as error:
            print(f"warning: cannot load the extension '{point.name}': {in_words(error)}", file=sys.stderr)
        else:
            found.append(extension)
    return tuple(found)


def in_words(error: BaseException) -> str:
    """Return the type and the message of an exception that a module of another package raised, such as
    ``ImportError: no module named 'x'``.
    """
    return f"{type(error).__name__}: {error}"
