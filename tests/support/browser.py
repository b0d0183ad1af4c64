"""A browser for the tests of pages, which are skipped with a word where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

WEB = Path(__file__).parents[2] / "src" / "tilewright" / "explorer" / "web"
AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"

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


@pytest.fixture(scope="module")
def pages_in_use(browser: Any) -> Iterator[tuple[dict[Any, Any], list[str]]]:
    """The pages that `show_page` has opened, by how they were opened, and what their consoles said."""
    pages: dict[Any, Any] = {}
    yield pages, []
    for page in pages.values():
        page.close()


@pytest.fixture
def show_page(browser: Any, pages_in_use: tuple[dict[Any, Any], list[str]]) -> Iterator[Open]:
    """Opens each page once for all tests of a module that go through its views; their consoles must stay silent."""
    pages, said = pages_in_use

    def show(file: Path, width: int = 1280, scheme: str = "light", shown: str = ".cm-line") -> Any:
        page = pages.get((file, width, scheme))
        if page is None:
            page = pages[file, width, scheme] = opened(browser, file, width, scheme, said)
            page.wait_for_selector(shown)
        return page

    yield show
    assert said == []


def objections(page: Any) -> list[tuple[str, list[Any]]]:
    """Return the rules of accessibility that axe says a page breaks, and where."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")
    return [(one["id"], [node["target"] for node in one["nodes"]]) for one in found["violations"]]


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
