"""The page of `tilewright inspect --html` in a browser: search, groups, sizes, colours, keyboard, accessibility."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("elftools")
pytest.importorskip("capstone")

from tests.support.browser import Open, objections
from tests.support.synthetic.synthetic_cubin import cubin
from tests.support.synthetic.synthetic_program import SMALL, Program
from tilewright.inspect.analysis import inspect_image
from tilewright.inspect.arrays import octets
from tilewright.inspect.binary.elf import ElfFile
from tilewright.inspect.binary.loader import load
from tilewright.inspect.cubin import reports as cubin_reports
from tilewright.inspect.cubin.view import read_cubin
from tilewright.inspect.findings import KINDS
from tilewright.inspect.reports.html import to_html

HOSTILE = '<img src=x onerror="document.title=1">'


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The pages of a program, of a cubin, and of a few findings of each kind; their names try to become HTML."""
    program = inspect_image(load(octets(Program(figures=SMALL).executable()), HOSTILE))
    few = tuple(finding for kind in KINDS for finding in program.of_kind(kind)[:2])
    texts = [
        to_html(program),
        cubin_reports.to_html(read_cubin(ElfFile(octets(cubin()), HOSTILE))),
        to_html(replace(program, findings=few)),
    ]
    folder = tmp_path_factory.mktemp("reports")
    made = [folder / f"{number}.html" for number in range(len(texts))]
    for file, text in zip(made, texts, strict=True):
        file.write_text(text)
    return made


@pytest.fixture(params=[(1280, "light"), (800, "dark")], ids=["wide-light", "narrow-dark"])
def page(request: pytest.FixtureRequest, open_page: Open) -> Callable[[Path], Any]:
    """Opens a report; the console must stay silent."""
    width, scheme = request.param
    return lambda file: open_page(file, width, scheme, "summary")


def shown_rows(page: Any) -> list[str]:
    """The texts of the rows of findings that can be seen."""
    texts: list[str] = page.locator("table.findings tbody tr:visible").all_inner_texts()
    return texts


def test_rows_are_searched_and_come_back_by_keyboard(page: Callable[[Path], Any], files: list[Path]) -> None:
    opened = page(files[0])
    before = opened.locator("table.findings tbody tr").count()
    opened.keyboard.press("/")
    opened.keyboard.type("FuncOpConversion")
    opened.wait_for_function("document.querySelector('[role=status]').textContent.includes('found')")
    found = shown_rows(opened)
    assert 0 < len(found) < before
    assert any("FuncOpConversion" in text for text in found)
    assert opened.locator("details.group:visible").count() < opened.locator("details.group").count()
    opened.keyboard.press("Escape")
    assert opened.locator("details.group:visible").count() == opened.locator("details.group").count()


def test_groups_open_by_keyboard(page: Callable[[Path], Any], files: list[Path]) -> None:
    opened = page(files[0])
    summary = opened.locator("details.group:not([open]) > summary").first
    key = summary.locator("..").get_attribute("id")
    opened.locator(f'nav a[href="#{key}"]').focus()
    opened.keyboard.press("Enter")
    assert opened.locator(f"details#{key}").get_attribute("open") is not None
    opened.keyboard.press("Space")
    assert opened.locator(f"details#{key}").get_attribute("open") is None, "the focus is on the group"


@pytest.mark.parametrize("number", [1, 2], ids=["cubin", "program"])
def test_everything_stays_on_the_page_and_axe_objects_to_nothing(
    page: Callable[[Path], Any], files: list[Path], number: int
) -> None:
    opened = page(files[number])
    assert opened.locator("h1").inner_text() == HOSTILE
    assert opened.locator("img").count() == 0
    assert objections(opened) == []
    opened.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")
