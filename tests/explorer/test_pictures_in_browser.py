"""Pictures in a browser: from a line to its layout and back, by keyboard, saved for paper, and safe whatever names say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.explorer.conftest import Open, lit
from tests.explorer.test_explorer_in_browser import HOSTILE, in_each_look
from tests.explorer.test_layout_pictures import PRODUCT
from tests.support.browser import objections
from tilewright.explorer import collect
from tilewright.explorer.collect import KernelOutcome
from tilewright.explorer.html import page_text
from tilewright.explorer.places import SourcePositions
from tilewright.explorer.schema import ArrayMap, Page, TileValue, Touch

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with a product on a GPU and on the CPU; the last picture, an array and a step have hostile names."""
    folder = tmp_path_factory.mktemp("pictures")
    module = folder / "product.mlir"
    module.write_text(PRODUCT.replace("SIZE", "16").replace("kernel.py", str(module)))
    page = Page("pictures", "")
    places = SourcePositions(page)
    page.kernels += [collect.kernel(module, "f", name, places, KernelOutcome()) for name in ("sm_80", "cpu")]
    _make_hostile(page)
    written = folder / "page.html"
    written.write_text(page_text(page))
    return written


def _make_hostile(page: Page) -> None:
    gpu, cpu = page.kernels
    pictures = next(stage.pictures for stage in gpu.stages if stage.pictures)
    table = replace(pictures[-1].tables[0], title=HOSTILE, rows=[HOSTILE] * len(pictures[-1].tables[0].rows))
    value = TileValue(HOSTILE, HOSTILE, -1, 1)
    pictures[-1] = replace(pictures[-1], text=HOSTILE, words=HOSTILE, values=[value], tables=[table])
    gpu.arrays.append(ArrayMap(HOSTILE, "f32", [2, 4], [Touch(0, 1, "store", -1, [(1, 2, 1)])], [7]))
    bars = next(stage.schedule for stage in cpu.stages if stage.schedule)
    bars[0] = replace(bars[0], title=HOSTILE, words=HOSTILE)


@in_each_look
def page(request: pytest.FixtureRequest, open_page: Open, file: Path) -> Any:
    """The page, opened."""
    return open_page(file, *request.param)


@in_each_look
def shown_page(request: pytest.FixtureRequest, show_page: Open, file: Path) -> Any:
    """The page, which other tests have in use, too."""
    return show_page(file, *request.param)


def saved(page: Any) -> tuple[str, ElementTree.Element]:
    """Name and contents of the file that the button in sight saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as SVG").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert "url(" not in text
    assert "href" not in text
    return download.value.suggested_filename, ElementTree.fromstring(text)


def texts(svg: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in svg.iter(f"{SVG}text")]


def test_a_line_leads_to_the_picture_of_its_layout_and_back(page: Any) -> None:
    page.locator(".code select").nth(2).select_option(label="layouts")
    side = page.get_by_label("Stage on the right")
    side.locator(".cm-line", has_text="nv_tileas.dot").click()
    side.get_by_role("button", name="registers").click()
    assert page.get_by_role("tab", name="Layouts").get_attribute("aria-selected") == "true"
    assert "T0:0" in page.locator(".picture").text_content()
    page.locator(".about details").evaluate("one => { one.open = true; }")
    page.locator(".about button", has_text="line").last.click()
    assert page.get_by_role("tab", name="Code").get_attribute("aria-selected") == "true"
    assert side.locator(".cm-activeLine").count() == 1
    assert lit(page, "Program"), "the line of the program is lit as well"


def test_pictures_are_used_by_keyboard(page: Any) -> None:
    page.get_by_role("tab", name="Passes").focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("tab", name="Layouts").get_attribute("aria-selected") == "true"
    page.get_by_role("spinbutton", name="Thread").focus()
    page.keyboard.press("ArrowUp")
    assert "Thread 1 holds (0," in page.locator(".shown [role=status]").inner_text()
    assert page.locator(".picture rect.chosen").count()
    page.locator(".layouts .list button").nth(1).focus()
    page.keyboard.press("Enter")
    assert page.locator(".layouts .list button").nth(1).get_attribute("aria-pressed") == "true"


def test_a_saved_layout_has_the_cells_that_are_shown(page: Any) -> None:
    page.get_by_role("tab", name="Layouts").click()
    name, svg = saved(page)
    assert name.startswith("tensor-view-16-16-")
    shown = [text.strip() for text in page.locator(".picture text").all_text_contents()]
    assert texts(svg) == shown
    assert svg[1].get("fill") == "#ffffff", "paper is white"


def test_a_tile_in_shared_memory_shows_its_banks(page: Any, shoot: Callable[[Any, str], None]) -> None:
    page.get_by_role("tab", name="Layouts").click()
    page.locator(".layouts .list button", has_text="S<").first.click()
    shoot(page, "layouts")
    assert page.locator(".picture").get_attribute("aria-label") == "tensor view: the bank of each element"
    page.locator(".shown select").select_option(label="memory view")
    assert "b31" in page.locator(".picture .label").all_text_contents()
    assert page.get_by_role("spinbutton").count() == 0, "there are no threads to choose from"


def test_a_saved_map_has_the_elements_that_were_touched(page: Any) -> None:
    page.get_by_role("tab", name="Memory").click()
    name, svg = saved(page)
    assert name.startswith("accesses-")
    assert texts(svg)[0].startswith(f"{HOSTILE}: f32[2, 4]"), "names stay text"
    boxes = [(one.get("x"), one.get("width"), one.get("fill")) for one in svg.iter(f"{SVG}rect")][1:3]
    assert boxes == [("28", "48", "#2273c3"), ("76", "24", "#d00000")]


def test_the_schedule_of_a_processor_is_shown_with_its_words(page: Any) -> None:
    page.get_by_label("Kernel").select_option(index=1)
    page.get_by_role("tab", name="Schedule").click()
    page.locator(".steps .product").click()
    assert "block of" in page.locator(".schedule [role=status]").inner_text()
    assert "product" in page.locator(".steps [aria-pressed=true]").get_attribute("class")
    page.get_by_role("button", name="Show its line").click()
    assert len(lit(page, "Program")) == 1


def test_nothing_that_a_picture_says_becomes_html(page: Any) -> None:
    page.get_by_role("tab", name="Layouts").click()
    page.locator(".layouts .list button").last.click()
    assert page.locator(".about h2").inner_text() == HOSTILE
    assert texts(saved(page)[1])[0] == HOSTILE
    page.get_by_label("Kernel").select_option(index=1)
    page.get_by_role("tab", name="Schedule").click()
    assert page.locator(".steps button").first.inner_text() == HOSTILE
    assert page.locator("img").count() == 0


@pytest.mark.parametrize(("tab", "kernel"), [("Layouts", 0), ("Schedule", 1)])
def test_there_is_nothing_that_axe_objects_to_in_pictures(shown_page: Any, tab: str, kernel: int) -> None:
    shown_page.get_by_label("Kernel").select_option(index=kernel)
    shown_page.get_by_role("tab", name=tab).click()
    if tab == "Layouts":  # of its pictures the smallest: axe looks at every cell
        shown_page.locator(".layouts .list button", has_text=".B.f16").click()
    assert objections(shown_page) == []
