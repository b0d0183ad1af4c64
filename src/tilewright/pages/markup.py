"""Elements of HTML from texts.  Whatever is not `Markup` already is escaped here, and nowhere else."""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path


class Markup(str):
    """Text that is HTML."""

    __slots__ = ()


Child = str | Iterable["Child"]
"""A text, which is escaped unless it is `Markup`, or several children."""


def markup(*children: Child) -> Markup:
    """Return the children one after the other; texts that are not `Markup` are escaped."""
    return Markup("".join(map(_text, children)))


def _text(child: Child) -> str:
    if isinstance(child, str):
        return child if isinstance(child, Markup) else html.escape(child)
    return markup(*child)


_EMPTY = frozenset({"br", "input", "meta"})
"""Elements that have no content, and no end."""


def element(name: str, /, *children: Child, **attributes: str | bool) -> Markup:
    """Return an HTML element with its children and attributes.

    In the names of attributes ``_`` stands for ``-``, and a final ``_`` is dropped (``class_``). An attribute
    that is True has no value; one that is False is omitted.
    """
    start = "".join(_attribute(key, value) for key, value in attributes.items() if value is not False)
    if name in _EMPTY:
        return Markup(f"<{name}{start}>")
    return Markup(f"<{name}{start}>{markup(*children)}</{name}>")


def _attribute(name: str, value: str | bool) -> str:
    name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{html.escape(str(value))}"'


def table(heads: Sequence[str], rows: Iterable[Sequence[Child]], **attributes: str | bool) -> Markup:
    """Return a table with the column names `heads` and the cells of each row. ``attributes`` are attributes
    of the table, as in `element`.
    """
    return element("table", head(heads), element("tbody", map(row, rows)), **attributes)


def head(heads: Sequence[str]) -> Markup:
    """Return the head of a table: the names of its columns."""
    return element("thead", element("tr", [element("th", name, scope="col") for name in heads]))


def row(cells: Sequence[Child]) -> Markup:
    """Return a row of a table with these cells."""
    return element("tr", [element("td", cell) for cell in cells])


def in_script(text: str) -> Markup:
    """Return the text of a script or a style with ``</script`` and ``<!--`` written with a backslash, so that
    they do not end its element or begin a comment.
    """
    return Markup(text.replace("</script", "<\\/script").replace("<!--", "<\\!--"))


_FOLDER = Path(__file__).parent


def page(title: str, body: Markup, *, style: str, script: str, connect: str = "'none'") -> str:
    """Return a whole HTML document with the texts of its ``style`` and its ``script``. A content security
    policy forbids all other scripts. ``connect`` limits the requests of the script: ``'none'``, or ``'self'``
    for the server of the page.
    """
    script = in_script(script)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; connect-src {connect}"
    )
    head = markup(
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("title", title),
        element("style", in_script(style)),
    )
    shown = element("body", body, element("script", Markup(script)))
    return f"<!doctype html>\n{element('html', element('head', head), shown, lang='en')}\n"


@cache
def part(name: str) -> str:
    """Return the text of a file of this package: ``colours.css``, ``look.css``, ``notebook.css``,
    ``report.css`` or ``report.js``.
    """
    return (_FOLDER / name).read_text(encoding="utf-8")
