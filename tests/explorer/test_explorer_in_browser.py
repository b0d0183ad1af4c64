"""The page in a browser: linked panes, ways to a finding, keyboard, sizes, colours, accessibility.

Skipped with a word where Chromium is not installed, or the page has not been built (``make explorer``).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tilewright.explorer import html
from tilewright.explorer.html import page_text
from tilewright.explorer.program import of_script
from tilewright.gpu_programs.settings import Settings

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
AXE = html.ASSETS.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
FAULTY = """
import cuda.tile as ct
import numpy as np

@ct.kernel
def total(x, out):
    tile = ct.load(x, (ct.bid(0),), shape=(64,))
    so_far = ct.load(out, (0,), shape=(64,))
    ct.store(out, (0,), so_far + tile)

@ct.kernel
def outside(x, out):
    places = ct.arange(64, dtype=ct.int32) + 8
    ct.scatter(out, places, ct.load(x, (0,), shape=(64,)), check_bounds=False)

x, out = np.arange(128, dtype=np.float32), np.zeros(64, np.float32)
for kernel in (total, outside):
    try:
        ct.launch(None, (2,), kernel, (x, out))
    except Exception as error:
        print(error)
"""
HOSTILE = '<img src=x onerror="document.title=1">'

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed"),
    pytest.mark.skipif(not (html.ASSETS / "main.js").exists(), reason="run 'make explorer' first"),
]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a program with a race, and an access out of bounds."""
    folder = tmp_path_factory.mktemp("page")
    script = folder / "faulty.py"
    script.write_text(FAULTY)
    page, _ = of_script(str(script), [], Settings.of("cpu"), f"tilewright explore {HOSTILE}")
    page.title = HOSTILE
    written = folder / "page.html"
    written.write_text(page_text(page))
    return written


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(params=[(1280, "light"), (800, "dark")], ids=["wide-light", "narrow-dark"])
def page(request: pytest.FixtureRequest, browser: Any, file: Path) -> Iterator[Any]:
    """The page, opened; the console must stay silent."""
    width, scheme = request.param
    opened = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    said: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.goto(file.as_uri())
    opened.wait_for_selector(".cm-line")
    yield opened
    opened.close()
    assert said == []


def lit(page: Any, pane: str) -> list[str]:
    """The lines of a pane that are lit."""
    texts: list[str] = page.get_by_label(pane, exact=True).locator(".cm-line.lit").all_inner_texts()
    return [text.strip() for text in texts]


def test_a_line_of_the_program_lights_up_what_it_became_and_back(page: Any) -> None:
    page.get_by_label("Program", exact=True).get_by_text("so_far + tile").click()
    assert any("addf" in text for text in lit(page, "Stage on the left"))
    assert lit(page, "Stage on the right")
    page.get_by_label("Stage on the left").locator(".cm-line", has_text="load_view_tko").first.click()
    assert [text for text in lit(page, "Program") if "ct.load(x" in text]


def test_a_race_is_one_click_away_from_the_opening_view(page: Any) -> None:
    page.get_by_role("button", name="TW0406").first.click()
    assert any("out" in text for text in lit(page, "Program"))


def test_the_conflicts_of_a_race_are_one_click_away(page: Any) -> None:
    page.get_by_role("tab", name="Memory").click()
    assert "64 elements are touched by two tile blocks" in page.locator(".memory [role=status]").inner_text()
    page.get_by_role("button", name="Show its line").click()
    assert any("ct.store(out" in text for text in lit(page, "Program"))


def test_an_access_out_of_bounds_is_two_choices_away(page: Any) -> None:
    page.get_by_label("Kernel", exact=True).select_option(index=1)
    page.get_by_role("button", name="TW0402").first.click()
    assert any("ct.scatter" in text for text in lit(page, "Program"))


def test_everything_can_be_done_by_keyboard(page: Any) -> None:
    page.get_by_role("tab", name="Code").focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("tab", name="Passes").get_attribute("aria-selected") == "true"
    assert page.locator(".passes .cm-line.added").count()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="TW0406").first.focus()
    page.keyboard.press("Enter")
    before = lit(page, "Program")
    page.keyboard.press("ArrowUp")
    assert lit(page, "Program") != before, "the finding gave the focus to its line"


def test_nothing_that_a_kernel_says_becomes_html(page: Any) -> None:
    assert page.locator("h1").inner_text() == HOSTILE
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("tab", ["Code", "Passes", "Memory", "Figures"])
def test_there_is_nothing_that_axe_objects_to(page: Any, tab: str) -> None:
    page.get_by_role("tab", name=tab).click()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found["violations"]] == []


def test_the_page_is_small(page: Any, file: Path) -> None:
    assert file.stat().st_size < 3_000_000
    assert page.locator(".cm-line").count()
