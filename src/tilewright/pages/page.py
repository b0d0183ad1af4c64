"""A page as one file of HTML, which names no other file and no address; its policy lets the browser run its one script."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path

from tilewright.pages.markup import Markup, element, in_script, markup

_FOLDER = Path(__file__).parent


def page(title: str, body: Markup, *, style: str, script: str, connect: str = "'none'") -> str:
    """Return the file of a page.

    ``connect`` limits the requests of the script: none, or ``'self'`` for the server of the page.
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
    """Return a file of this package: ``colours.css``, ``look.css``, ``notebook.css``, ``report.css`` or ``report.js``."""
    return (_FOLDER / name).read_text(encoding="utf-8")
