"""The page as one HTML file: the data of a `Page` with the script and the style that show it.

Nothing of a kernel becomes HTML or script text: the data stand in the file in base 64, and the browser's side makes
elements of them.  The file names no other file and no address; its policy lets the browser run this one script only.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
from functools import cache
from pathlib import Path

from tilewright.explorer import codes
from tilewright.explorer.schema import Page
from tilewright.ir.diagnostic import failure

ASSETS = Path(__file__).with_name("assets")
"""Where ``make explorer`` puts what it builds from ``web``; wheels bring it."""

_TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '{digest}'; style-src 'unsafe-inline'; connect-src 'self'">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header></header>
<nav aria-label="Views"></nav>
<main></main>
<script type="application/octet-stream" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def page_text(page: Page) -> str:
    """The HTML of a page.  Raises `DiagnosticError` if the browser's side has not been built."""
    script = _asset(ASSETS / "main.js")
    return _TEMPLATE.format(
        title=html.escape(page.title),
        digest=f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}",
        style=_asset(ASSETS / "style.css"),
        data=base64.b64encode(data_of(page)).decode(),
        script=script,
    )


def data_of(page: Page) -> bytes:
    """The data of a page: compressed JSON, the same bytes for the same page."""
    return gzip.compress(page.json_text().encode(), mtime=0)


@cache
def _asset(file: Path) -> str:
    """A built file, fit to stand inside of an element of HTML."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        hint = "run 'make explorer' in the repository, which needs npm; wheels have it"
        raise failure(
            codes.NOT_BUILT, f"the explorer's page has not been built: no {file.name}", hint=hint
        ) from error
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")
