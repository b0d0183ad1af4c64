"""A browser for the tests of pages, which are skipped with a word where there is none; and pictures of it for the docs."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
IMAGES = Path(__file__).parents[2] / "docs" / "images"

Open = Callable[..., Any]
"""Opens a file at a width, in a color scheme."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-lcd-text"]
        )
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Open]:
    """Opens pages; their consoles must stay silent."""
    opened: list[Any] = []
    said: list[str] = []

    def open_file(file: Path, width: int = 1280, scheme: str = "light") -> Any:
        page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        opened.append(page)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(file.as_uri())
        page.wait_for_selector(".cm-line")
        return page

    yield open_file
    for page in opened:
        page.close()
    assert said == []


@pytest.fixture
def shoot(request: pytest.FixtureRequest) -> Callable[[Any, str], None]:
    """Takes a picture of a page for the docs, with ``pytest --screenshots``, of wide pages only."""
    wanted = bool(request.config.getoption("--screenshots"))

    def take(page: Any, name: str) -> None:
        if wanted and page.viewport_size["width"] == 1280:
            IMAGES.mkdir(exist_ok=True)
            page.screenshot(
                path=IMAGES / f"explorer-{name}.png", clip={"x": 0, "y": 0, "width": 1280, "height": 600}
            )

    return take


def lit(page: Any, pane: str) -> list[str]:
    """The lines of a pane that are lit."""
    texts: list[str] = page.get_by_label(pane, exact=True).locator(".cm-line.lit").all_inner_texts()
    return [text.strip() for text in texts]
