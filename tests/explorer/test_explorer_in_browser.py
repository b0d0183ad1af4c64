"""The page in a browser: linked panes, ways to a finding, keyboard, sizes, colours, accessibility.

Skipped with a word where Chromium is not installed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.explorer.conftest import Open, lit
from tests.support.browser import objections
from tilewright.explorer.html import page_text
from tilewright.explorer.program import of_script
from tilewright.explorer.schema import Page
from tilewright.gpu_programs.settings import ProgramSettings

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


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Page:
    """The data of a program with a race, and an access out of bounds."""
    script = tmp_path_factory.mktemp("program") / "faulty.py"
    script.write_text(FAULTY)
    page, _ = of_script(str(script), [], ProgramSettings.of("cpu"), "tilewright explore faulty.py")
    return page


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, faulty: Page) -> Path:
    """The page of it."""
    written = tmp_path_factory.mktemp("page") / "page.html"
    written.write_text(page_text(faulty))
    return written


LOOKS = {"wide-light": (1280, "light"), "narrow-dark": (800, "dark")}
"""Widths and color schemes."""
in_each_look = pytest.fixture(params=LOOKS.values(), ids=[*LOOKS])


@in_each_look
def page(request: pytest.FixtureRequest, open_page: Open, file: Path) -> Any:
    """The page, opened."""
    return open_page(file, *request.param)


@in_each_look
def shown_page(request: pytest.FixtureRequest, show_page: Open, file: Path) -> Any:
    """The page, which other tests have in use, too."""
    return show_page(file, *request.param)


def test_a_line_of_the_program_lights_up_what_it_became_and_back(page: Any) -> None:
    page.get_by_label("Program", exact=True).get_by_text("so_far + tile").click()
    assert any("addf" in text for text in lit(page, "Stage on the left"))
    assert lit(page, "Stage on the right")
    page.get_by_label("Stage on the left").locator(".cm-line", has_text="load_view_tko").first.click()
    assert [text for text in lit(page, "Program") if "ct.load(x" in text]


def test_a_race_is_one_click_away_from_the_opening_view(page: Any, shoot: Callable[[Any, str], None]) -> None:
    page.get_by_role("button", name="TW0406").first.click()
    assert any("out" in text for text in lit(page, "Program"))
    shoot(page, "race")


def test_the_conflicts_of_a_race_are_one_click_away(page: Any, shoot: Callable[[Any, str], None]) -> None:
    page.get_by_role("tab", name="Memory").click()
    shoot(page, "memory")
    assert "64 elements are touched by two tile blocks" in page.locator(".memory [role=status]").inner_text()
    page.get_by_role("button", name="Show its line").click()
    assert any("ct.store(out" in text for text in lit(page, "Program"))


def test_an_access_out_of_bounds_is_one_click_away_also_if_it_is_another_kernels(page: Any) -> None:
    page.get_by_role("button", name="TW0402").first.click()
    assert any("ct.scatter" in text for text in lit(page, "Program"))
    assert page.get_by_role("combobox", name="Kernel").locator("option:checked").inner_text() == "outside"


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


def test_nothing_that_a_kernel_says_becomes_html(open_page: Open, tmp_path: Path, faulty: Page) -> None:
    written = tmp_path / "page.html"
    written.write_text(page_text(replace(faulty, title=HOSTILE, command=HOSTILE)))
    page = open_page(written)
    assert page.locator("h1").inner_text() == HOSTILE
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("tab", ["Code", "Passes", "Memory", "Run", "Figures"])
def test_there_is_nothing_that_axe_objects_to(shown_page: Any, tab: str) -> None:
    shown_page.get_by_role("tab", name=tab).click()
    assert objections(shown_page) == []


def test_the_page_is_small(page: Any, file: Path) -> None:
    assert file.stat().st_size < 3_000_000
    assert page.locator(".cm-line").count()
