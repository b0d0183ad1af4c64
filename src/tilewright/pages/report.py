"""A report as a page: groups of rows that fold and can be searched.  Without its script it is a page to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from tilewright.pages.markup import Child, Markup, element, head, markup, page, part, row

_FOLDED = 40
"""Larger groups are closed when the page opens."""


@dataclass(slots=True)
class RowGroup:
    """Rows with a title; ``key`` is its anchor within the page, ``size`` the number of its rows, if it is
    shown.
    """

    key: str
    title: str
    content: Markup
    size: int | None = None


@dataclass(slots=True)
class Report:
    """The contents of a report; ``facts`` are shown beside its name, and ``notes`` are problems."""

    name: str
    facts: str
    groups: list[RowGroup] = field(default_factory=list[RowGroup])
    notes: list[str] = field(default_factory=list[str])

    def to_html(self) -> str:
        """Return the report as one HTML page."""
        style = "".join(map(part, ("colours.css", "look.css", "report.css")))
        return page(self.name, self._body(), style=style, script=part("report.js"))

    def _body(self) -> Markup:
        found = element("input", type="search", autocomplete="off", aria_keyshortcuts="/")
        return markup(
            element(
                "header",
                element("h1", self.name),
                element("span", self.facts, class_="facts"),
                element("label", "Search", found),
                element("span", role="status", class_="facts"),
            ),
            element("nav", element("ul", map(_link, self.groups)), aria_label="Groups"),
            element(
                "main", [element("p", note, class_="note") for note in self.notes], map(_folded, self.groups)
            ),
        )


def _words(group: RowGroup) -> str:
    return group.title if group.size is None else f"{group.title} ({group.size:,})"


def _link(group: RowGroup) -> Markup:
    return element("li", element("a", _words(group), href=f"#{group.key}"))


def _folded(group: RowGroup) -> Markup:
    title = element("summary", element("h2", _words(group)))
    is_open = group.size is None or group.size <= _FOLDED
    return element("details", title, group.content, class_="group", id=group.key, open=is_open)


def grouped_table(
    heads: Sequence[str], rows: Iterable[tuple[str, Sequence[Child]]], **attributes: str
) -> Markup:
    """Return a table of rows with the names of families; adjacent rows of one family get a common heading."""
    return element("table", head(heads), _families(rows, len(heads)), **attributes)


def _families(rows: Iterable[tuple[str, Sequence[Child]]], columns: int) -> Iterator[Markup]:
    for family, members in groupby(rows, key=lambda one: one[0]):
        shown = [row(cells) for _, cells in members]
        title = f"{family} ({len(shown):,})"
        heading = (
            element("tr", element("th", title, colspan=str(columns), scope="rowgroup")) if family else ""
        )
        yield element("tbody", heading, shown)


def code(text: str) -> Markup:
    """Return a text as code of a program."""
    return element("code", text)


def folded(first: Child, rest: Sequence[Child], more: str | None = None) -> Markup:
    """Return a line with further lines below it, which a click unfolds."""
    if not rest:
        return markup(first)
    lines = list(lines_of(rest))
    if more is None:
        return element("details", element("summary", first), lines)
    return markup(first, element("details", element("summary", more), lines))


def lines_of(lines: Sequence[Child]) -> Iterator[Markup]:
    """Yield lines separated by line breaks."""
    for at, line in enumerate(lines):
        yield markup(element("br") if at else "", line)
