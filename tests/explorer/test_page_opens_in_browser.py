"""How a page opens and is passed on: at the first finding, at the address of a line, on a phone, and without a kernel."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.explorer.conftest import Open, lit
from tests.explorer.test_explored_programs import explored
from tests.explorer.test_explorer_in_browser import FAULTY, faulty, file
from tests.support.browser import objections
from tilewright.explorer.html import page_text

assert faulty
assert file

PHONE = 420
VIEWS = ("Code", "Passes", "Layouts", "Schedule", "Memory", "Run", "Figures")
CONSTANTS = "".join(f"SIZE_{number} = {number}\n" for number in range(80))


def is_in_view(locator: Any) -> bool:
    """Whether an element lies within the scrolled part of its pane."""
    return locator.evaluate(
        "(line) => { const own = line.getBoundingClientRect(), pane = line.closest('.cm-scroller').getBoundingClientRect();"
        " return own.top >= pane.top && own.bottom <= pane.bottom; }"
    )


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Makes the file of the page of a program."""

    def made(text: str) -> Path:
        folder = tmp_path_factory.mktemp("opened")
        page, _ = explored(folder, text)
        (folder / "page.html").write_text(page_text(page))
        return folder / "page.html"

    return made


def test_the_page_opens_at_the_first_finding(open_page: Open, make: Callable[[str], Path]) -> None:
    page = open_page(make(CONSTANTS + FAULTY))
    (line,) = lit(page, "Program")
    assert "out" in line
    for pane in ("Program", "Stage on the left", "Stage on the right"):
        lines = page.get_by_label(pane, exact=True).locator(".cm-line.lit")
        assert any(is_in_view(lines.nth(at)) for at in range(lines.count())), pane
    assert "view_tko" in " ".join(lit(page, "Stage on the left"))


def test_directives_and_constants_are_folded_away_until_all_lines_are_asked_for(
    open_page: Open, file: Path
) -> None:
    page = open_page(file)
    assembly = page.get_by_label("Stage on the right", exact=True)
    assembly.get_by_role("combobox").select_option("asm")
    scroller = assembly.locator(".cm-scroller")
    scroller.evaluate("(pane) => { pane.scrollTop = 0; }")
    shown = assembly.locator(".cm-line").all_inner_texts()
    assert shown
    assert not [
        text for text in shown if text.strip().startswith((".section", ".long", ".globl", ".p2align"))
    ]
    assembly.get_by_role("checkbox").check()
    scroller.evaluate("(pane) => { pane.scrollTop = 0; }")
    page.wait_for_function("document.querySelectorAll('.pane')[2].innerText.includes('.section')")
    assert "constant <" not in page.get_by_label("Stage on the left").locator(".cm-content").inner_text()


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_lies_outside_of_a_phone(show_page: Open, file: Path, view: str) -> None:
    page = show_page(file, PHONE)
    page.get_by_role("tab", name=view).click()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    for tab in page.get_by_role("tab").all():
        box = tab.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE
    if view == "Code":
        panes = [pane.bounding_box() for pane in page.locator(".code .pane").all()]
        assert {pane["x"] for pane in panes} == {0}, "one column"
        assert min(pane["width"] for pane in panes) == PHONE
    assert objections(page) == []


def test_views_kernels_and_lines_have_addresses(open_page: Open, file: Path) -> None:
    page = open_page(file)
    begin = page.url
    page.get_by_role("button", name="TW0402").first.click()
    address, there = page.url, lit(page, "Program")
    assert "kernel=1" in address
    page.get_by_role("tab", name="Memory").click()
    assert "view=Memory" in page.url
    page.go_back()
    assert page.url == address
    assert page.get_by_role("tab", name="Code").get_attribute("aria-selected") == "true"
    page.go_back()
    assert page.url == begin
    assert page.get_by_role("combobox", name="Kernel").locator("option:checked").inner_text() == "total"
    page.go_forward()
    assert lit(page, "Program") == there
    page.get_by_label("Program", exact=True).get_by_text("so_far + tile").click()
    line = page.url
    page.goto("about:blank")
    page.goto(line)
    page.wait_for_selector(".cm-line.lit")
    assert any("so_far + tile" in text for text in lit(page, "Program"))
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    page.get_by_role("button", name="Copy the link").click()
    assert page.evaluate("window.copied") == line


def test_an_address_that_names_nothing_opens_the_page_as_ever(open_page: Open, file: Path) -> None:
    page = open_page(file)
    opened = lit(page, "Program")
    for address in ("#kernel=77&view=Nothing&file=9&line=5000", "#kernel=0&file=0&line=99999", "#nothing"):
        page.goto("about:blank")
        page.goto(file.as_uri() + address)
        page.wait_for_selector(".cm-line")
        assert page.get_by_role("tab", name="Code").get_attribute("aria-selected") == "true"
    assert lit(page, "Program") == opened


def test_a_hint_stands_in_the_box_of_its_message(open_page: Open, file: Path) -> None:
    page = open_page(file)
    box = page.get_by_role("button", name="TW0406").first
    assert "hint: " in box.inner_text()
    assert box.evaluate("(box) => getComputedStyle(box).borderTopStyle") == "solid"


def test_a_program_that_fails_has_its_error_on_the_page(open_page: Open, make: Callable[[str], Path]) -> None:
    page = open_page(make("value = 1\nvalue.nothing()\n"))
    box = page.get_by_role("button", name="AttributeError")
    assert "line 2" in box.inner_text()
    assert lit(page, "Program") == ["value.nothing()"]
    assert objections(page) == []


def test_heads_of_tables_do_not_break_inside_words(open_page: Open, file: Path) -> None:
    page = open_page(file)
    page.get_by_role("tab", name="Passes").click()
    heads = page.locator(".patterns thead th")
    for at in range(heads.count()):
        assert heads.nth(at).evaluate("(head) => head.scrollWidth <= head.clientWidth")
        assert heads.nth(at).evaluate("(head) => getComputedStyle(head).overflowWrap") == "normal"


ONE = """
import cuda.tile as ct
import numpy as np

@ct.kernel
def count(out):
    ct.store(out, (0,), ct.full((1,), 1, ct.float32))

ct.launch(None, (2,), count, (np.zeros(1, np.float32),))
"""


def test_an_array_of_one_element_is_a_small_square(open_page: Open, make: Callable[[str], Path]) -> None:
    page = open_page(make(ONE))
    page.get_by_role("tab", name="Memory").click()
    box = page.locator("canvas.map").bounding_box()
    assert max(box["width"], box["height"]) <= 40
