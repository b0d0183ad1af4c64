"""Reports as HTML pages, with groups of rows that fold and can be searched; without script the page can be
read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from tilewright.pages import markup as pages_markup

_FOLDED = 40
"""The number of rows above which a group is closed when the page opens."""


@dataclass(slots=True)
class RowGroup:
    """A group of rows with a title: its content, and the number ``size`` of its rows, which is shown after
    the title. A group of more than 40 rows is closed when the page opens. With the size None no number is
    shown, and the group is open. ``key`` is the anchor of the group.
    """

    key: str
    title: str
    content: pages_markup.Markup
    size: int | None = None


@dataclass(slots=True)
class Report:
    """The contents of a report: its name, a line ``facts`` that is shown beside the name, the groups of rows,
    and problems, ``notes``, which are shown first.
    """

    name: str
    facts: str
    groups: list[RowGroup] = field(default_factory=list[RowGroup])
    notes: list[str] = field(default_factory=list[str])

    def to_html(self) -> str:
        """Return the report as one HTML page."""
        style = "".join(map(pages_markup.part, ("colours.css", "look.css", "report.css")))
        return pages_markup.page(self.name, self._body(), style=style, script=pages_markup.part("report.js"))

    def _body(self) -> pages_markup.Markup:
        found = pages_markup.element("input", type="search", autocomplete="off", aria_keyshortcuts="/")
        return pages_markup.markup(
            pages_markup.element(
                "header",
                pages_markup.element("h1", self.name),
                pages_markup.element("span", self.facts, class_="facts"),
                pages_markup.element("label", "Search", found),
                pages_markup.element("span", role="status", class_="facts"),
            ),
            pages_markup.element(
                "nav", pages_markup.element("ul", map(_link, self.groups)), aria_label="Groups"
            ),
            pages_markup.element(
                "main",
                [pages_markup.element("p", note, class_="note") for note in self.notes],
                map(_folded, self.groups),
            ),
        )


def _words(group: RowGroup) -> str:
    return group.title if group.size is None else f"{group.title} ({group.size:,})"


def _link(group: RowGroup) -> pages_markup.Markup:
    return pages_markup.element("li", pages_markup.element("a", _words(group), href=f"#{group.key}"))


def _folded(group: RowGroup) -> pages_markup.Markup:
    title = pages_markup.element("summary", pages_markup.element("h2", _words(group)))
    is_open = group.size is None or group.size <= _FOLDED
    return pages_markup.element("details", title, group.content, class_="group", id=group.key, open=is_open)


def grouped_table(
    heads: Sequence[str], rows: Iterable[tuple[str, Sequence[pages_markup.Child]]], **attributes: str
) -> pages_markup.Markup:
    """Return a table with the column names `heads`. Each row is (family name, cells); adjacent rows with the
    same family name are below a heading with that name and their number. An empty name has no heading.
    """
    return pages_markup.element("table", pages_markup.head(heads), _families(rows, len(heads)), **attributes)


def _families(
    rows: Iterable[tuple[str, Sequence[pages_markup.Child]]], columns: int
) -> Iterator[pages_markup.Markup]:
    for family, members in groupby(rows, key=lambda one: one[0]):
        shown = [pages_markup.row(cells) for _, cells in members]
        title = f"{family} ({len(shown):,})"
        heading = (
            pages_markup.element(
                "tr", pages_markup.element("th", title, colspan=str(columns), scope="rowgroup")
            )
            if family
            else ""
        )
        yield pages_markup.element("tbody", heading, shown)


def code(text: str) -> pages_markup.Markup:
    """Return a text as code of a program."""
    return pages_markup.element("code", text)


def folded(
    first: pages_markup.Child, rest: Sequence[pages_markup.Child], more: str | None = None
) -> pages_markup.Markup:
    """Return the line ``first``, with the lines ``rest`` folded below it; ``first`` alone if there are none.
    A click on the text ``more``, or on the first line if ``more`` is None, shows them.
    """
    if not rest:
        return pages_markup.markup(first)
    lines = list(lines_of(rest))
    if more is None:
        return pages_markup.element("details", pages_markup.element("summary", first), lines)
    return pages_markup.markup(
        first, pages_markup.element("details", pages_markup.element("summary", more), lines)
    )


def lines_of(lines: Sequence[pages_markup.Child]) -> Iterator[pages_markup.Markup]:
    """Yield lines separated by line breaks."""
    for at, line in enumerate(lines):
        yield pages_markup.markup(pages_markup.element("br") if at else "", line)
