"""Opens pages of the explorer in a headless Chromium, as wide as a window and as narrow as a phone."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support.browser import CHROMIUM, chromium, opened

WIDTHS = (1400, 420)
_OUTSIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def reason_against() -> str | None:
    """Why no page can be opened here, or None."""
    if CHROMIUM is None:
        return "no Chromium is installed"
    return None if importlib.util.find_spec("playwright") else "the package playwright is not installed"


def wrong(file: Path, finds: bool) -> list[str]:
    """Return what is wrong with a page at the widths; `finds` says that it opens at the line of a finding."""
    with chromium() as browser:
        return [f"{width} px: {text}" for width in WIDTHS for text in _wrong_at(browser, file, width, finds)]


def _wrong_at(browser: Any, file: Path, width: int, finds: bool) -> Iterator[str]:
    said: list[str] = []
    page = opened(browser, file, width, "light", said)
    page.wait_for_selector(".cm-line")
    program = page.get_by_label("Program", exact=True)
    if finds and not program.locator(".cm-line.lit").count():
        yield "no line of the program is lit, although there is a finding"
    tabs = page.get_by_role("tab")
    if not tabs.count():
        yield "there are no tabs"
    for tab in tabs.all():
        tab.click()
        outside = page.evaluate(_OUTSIDE)
        if outside > 0:
            yield f"the view '{tab.inner_text()}' is {outside} px wider than the window"
    yield from said
    page.close()
