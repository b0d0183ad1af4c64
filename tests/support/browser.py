"""A browser for the tests of pages, which are skipped with a word where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

Open = Callable[..., Any]
"""Opens a file at a width, in a color scheme, and waits until an element is shown."""


@contextmanager
def chromium() -> Iterator[Any]:
    """Start a headless Chromium.  Needs playwright and the program."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-lcd-text"]
        )
        yield browser
        browser.close()


def opened(browser: Any, file: Path, width: int, scheme: str, said: list[str]) -> Any:
    """Open a file in a window of this width; what its console says is added to a list."""
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(file.as_uri())
    return page


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    pytest.importorskip("playwright.sync_api")
    with chromium() as started:
        yield started


@pytest.fixture
def open_page(browser: Any) -> Iterator[Open]:
    """Opens pages; their consoles must stay silent."""
    pages: list[Any] = []
    said: list[str] = []

    def open_file(file: Path, width: int = 1280, scheme: str = "light", shown: str = ".cm-line") -> Any:
        page = opened(browser, file, width, scheme, said)
        pages.append(page)
        page.wait_for_selector(shown)
        return page

    yield open_file
    for page in pages:
        page.close()
    assert said == []
