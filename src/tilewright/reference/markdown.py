"""Small pieces of Markdown."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence

from tilewright.ir.support.strings import first_paragraph


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of Markdown with the cells `header` and one line for each of `rows`; an empty text
    without rows. Bars in cells are escaped.
    """
    lines = [_row(row) for row in rows]
    if not lines:
        return ""
    return "\n".join([_row(header), _row(["---"] * len(header)), *lines]) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def page(title: str, *parts: str) -> str:
    """Return a page: title and non-empty parts with a blank line between them."""
    kept = [part.strip("\n") for part in (f"# {title}", *parts) if part.strip()]
    return "\n\n".join(kept) + "\n"


def section(title: str, body: str) -> str:
    """Return the heading ``## title`` and `body` below it; an empty text if the body is empty or blank."""
    return f"## {title}\n\n{body}" if body.strip() else ""


def documentation(documented: object) -> tuple[str, str]:
    """Return the summary and the description of a class: the first paragraph of its docstring in one line,
    and the rest, with single backquotes. Both are empty without a docstring.
    """
    text = (inspect.getdoc(documented) or "").replace("``", "`")
    return first_paragraph(text), text.strip().partition("\n\n")[2].strip()


def code(text: str) -> str:
    """Return `text` between backticks, as inline code of Markdown. Nothing is escaped: `text` must not
    contain backticks.
    """
    return f"`{text}`"


def block(language: str, text: str) -> str:
    """Return `text`, without white space at its end, as a fenced code block marked with `language`."""
    return f"```{language}\n{text.rstrip()}\n```"


def slug(text: str) -> str:
    """Return a file name for a heading: lower case, with one `_` for each run of characters other than
    letters and digits, and none at the ends.
    """
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def link(text: str, target: str) -> str:
    """Return a link to the path `target`, with `text` as inline code."""
    return f"[{code(text)}]({target})"
