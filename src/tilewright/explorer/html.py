"""The page as one HTML file: the data of a `Page` with the script and the style that show it.

Nothing of a kernel becomes HTML or script text: the data stand in the file in base 64, and the browser's side makes
elements of them.  The file names no other file and no address; its policy lets the browser run this one script only.
"""

from __future__ import annotations

import base64
import gzip
from functools import cache
from pathlib import Path

from tilewright.explorer import codes, schema
from tilewright.ir.diagnostic import failure
from tilewright.pages import markup as pages
from tilewright.pages.markup import element, markup

ASSETS = Path(__file__).with_name("assets")
"""The folder to which ``make explorer`` builds ``web``; the repository and all distributions have it."""

_BODY = markup(element("header"), element("nav", aria_label="Views"), element("main"))


def page_text(page: schema.Page) -> str:
    """Return the HTML of a page. Raises `DiagnosticError` if the browser's part of the package is missing."""
    data = base64.b64encode(data_of(page)).decode()
    body = markup(_BODY, element("script", data, type="application/octet-stream", id="data"))
    style, script = _asset(ASSETS / "style.css"), _asset(ASSETS / "main.js")
    return pages.page(page.title, body, style=style, script=script, connect="'self'")


def data_of(page: schema.Page) -> bytes:
    """Return the data of a page as JSON in UTF-8, compressed with gzip; the same page gives the same bytes."""
    return gzip.compress(page.json_text().encode(), mtime=0)


@cache
def _asset(file: Path) -> str:
    """Return the text of a built file. Raises `DiagnosticError` if it cannot be read."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        message = f"the explorer's page is not installed: {file.name}: {error.strerror or error}"
        hint = "install tilewright again: every installation brings the page"
        raise failure(codes.NOT_INSTALLED, message, hint=hint) from error
