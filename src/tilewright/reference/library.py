"""Looks up the page of a name."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import cache, partial

from tilewright.reference import op_page as reference_op_page, type_page as reference_type_page
from tilewright.reference.pages import code_page
from tilewright.reference.subjects import PUBLISHED, codes, dialect, dialect_names, element_types

Page = Callable[[], str]
OTHER_NAMES = {"cuda_tile.fpowf": "cuda_tile.pow", "cuda_tile.print": "cuda_tile.print_tko"}
"""Names of operations in other tools and older versions, with the current name."""
_ROOM = 100
"""The size of the ranges of codes, one for each component; suggestions come from the range of the misspelt
code.
"""


def explain(name: str) -> str | None:
    """Return the Markdown page about an operation, type, attribute, enum, element type or diagnostic code.

    Names may have their dialect, ``!`` and ``#``, or lack them. Without a dialect, ``cuda_tile`` is searched
    first, and operations come before types and attributes. Return None if nothing has the name.
    """
    wanted = _normal(name)
    for known in _sources():
        if (found := known().get(wanted)) is not None:
            return found()
    return None


def suggestions(name: str, count: int = 3) -> list[str]:
    """Return at most `count` names similar to a misspelt one, the nearest first; empty if none is similar.
    For a diagnostic code these are codes of the same component. For a name without a dialect these are names
    without a dialect.
    """
    wanted = _normal(name)
    if wanted.startswith("TW") and wanted[2:].isdigit():
        number = int(wanted[2:])
        near = [text for text in codes() if int(text[2:]) // _ROOM == number // _ROOM]
        return sorted(near, key=lambda text: (abs(int(text[2:]) - number), text))[:count]
    if "." in wanted:
        return difflib.get_close_matches(wanted, _pages(), n=count)
    return difflib.get_close_matches(wanted, [known for known in _pages() if "." not in known], n=count)


def names() -> list[str]:
    """Return every name that `explain` has a page for; names of a dialect occur with and without their
    dialect.
    """
    return list(_pages())


def _normal(name: str) -> str:
    name = name.strip().lstrip("!#@%").strip("'\"`")
    return name.upper() if name[:2].lower() == "tw" and name[2:].isdigit() else name


def _sources() -> list[Callable[[], dict[str, Page]]]:
    """Return functions that return pages by name, in the order of look-up. A dialect is loaded when its
    function is called, only if the sources before it lack the name.
    """
    published = [partial(_dialect_pages, name) for name in PUBLISHED]
    others = [partial(_dialect_pages, name) for name in dialect_names() if name not in PUBLISHED]
    return [*published, _elements_and_codes, *others]


def _pages() -> dict[str, Page]:
    """Return, for each name, the function that makes its page; of equal names the first source counts."""
    found: dict[str, Page] = {}
    for known in _sources():
        for name, about in known().items():
            found.setdefault(name, about)
    return found


@cache
def _elements_and_codes() -> dict[str, Page]:
    found: dict[str, Page] = {text: partial(code_page, entry) for text, entry in codes().items()}
    for spelling, element in element_types().items():
        found[spelling] = partial(reference_type_page.element_page, element)
    return found


@cache
def _dialect_pages(name: str) -> dict[str, Page]:
    """Return, for each short and full name of a dialect, the function that makes its page. If names are
    equal, operations precede types, and types attributes.
    """
    known = dialect(name)
    own: dict[str, Page] = {}
    for op_class in known.operations:
        own[op_class.op_kind.mnemonic] = partial(reference_op_page.op_page, op_class.op_kind)
    for short, type_class in known.types.items():
        own.setdefault(short, partial(reference_type_page.type_page, type_class, known))
    for short, attribute_class in known.attributes.items():
        own.setdefault(short, partial(reference_type_page.attribute_page, attribute_class, known))
    for other, usual in OTHER_NAMES.items():
        if usual.partition(".")[0] == name:
            own.setdefault(other.partition(".")[2], own[usual.partition(".")[2]])
    return own | {f"{name}.{short}": about for short, about in own.items()}
