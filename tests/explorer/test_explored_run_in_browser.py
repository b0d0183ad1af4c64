"""The run in a browser: bank conflicts on their lines, time bars, the roofline, and what leaves the page."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.explorer.conftest import Open, lit
from tests.explorer.test_explored_programs import explored
from tests.support.browser import objections
from tilewright.explorer.html import page_text
from tilewright.layouts.bits import BitMatrix
from tilewright.layouts.swizzles import RoundTrip
from tilewright.targets.nvptx import exchanges as placed

KERNEL = """
import cuda.tile as ct
import numpy as np

@ct.kernel
def turn(x, out):
    tile = ct.load(x, (0, ct.bid(0)), shape=(32, 32))
    ct.store(out, (ct.bid(0), 0), ct.transpose(tile) + 1)

x, out = np.ones((32, 64), np.float32), np.zeros((64, 32), np.float32)
ct.launch(None, (2,), turn, (x, out))
"""
PRODUCT = """
import cuda.tile as ct
import numpy as np

@ct.kernel
def product(a, b, c):
    i, j = ct.bid(0), ct.bid(1)
    total = ct.full((64, 64), 0, ct.float32)
    for k in range(4):
        total = ct.mma(ct.load(a, (i, k), shape=(64, 64)), ct.load(b, (k, j), shape=(64, 64)), total)
    ct.store(c, (i, j), total)

a, b, c = (np.ones((256, 256), np.float32) for _ in range(3))
ct.launch(None, (4, 4), product, (a, b, c))
"""


def made(folder: Path, text: str, target: str) -> Path:
    """The file of a page."""
    page, status = explored(folder, text, target)
    assert status == 0
    file = folder / "page.html"
    file.write_text(page_text(page))
    return file


@pytest.fixture(scope="module")
def conflicting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated kernel whose tiles lie in shared memory without the swizzle that keeps banks apart."""
    with pytest.MonkeyPatch.context() as patch:
        plain = lambda store, load, width: RoundTrip(BitMatrix.identity(store.last.bit_length()), 1)  # noqa: E731
        patch.setattr(placed, "store_to_load", plain)
        patch.setattr(placed, "matrices", lambda store, load, width: None)
        return made(tmp_path_factory.mktemp("conflicts"), KERNEL, "sim:sm_80")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kernel on the CPU."""
    return made(tmp_path_factory.mktemp("measured"), PRODUCT, "cpu")


def test_a_bank_conflict_is_one_click_away_from_the_opening_view(open_page: Open, conflicting: Path) -> None:
    page = open_page(conflicting)
    page.get_by_role("button", name="bank conflicts").first.click()
    assert any("ct.transpose(tile)" in text for text in lit(page, "Program"))


def test_bars_of_warps_lead_to_their_lines(
    open_page: Open, conflicting: Path, shoot: Callable[[Any, str], None]
) -> None:
    page = open_page(conflicting, 800, "dark")
    page.get_by_role("tab", name="Run").click()
    bars = page.locator(".bars rect")
    assert bars.count() > 2
    bars.last.click(force=True)
    assert "Tile block 1 on block 1, 0, 0: warp" in page.locator(".run > [role=status]").inner_text()
    page.get_by_role("button", name="Show its line").last.click()
    assert lit(page, "Program")
    page.get_by_role("tab", name="Figures").click()
    work = page.get_by_role("heading", name="Work of the lines in the simulator").locator("..")
    assert work.locator("tbody tr").count() >= 2


def test_the_run_of_a_kernel_has_bars_and_a_roofline(
    open_page: Open, measured: Path, shoot: Callable[[Any, str], None]
) -> None:
    page = open_page(measured)
    page.get_by_role("tab", name="Run").click()
    assert page.locator(".bars rect").count() == 16
    slider = page.get_by_label("Bar", exact=True)
    slider.focus()
    page.keyboard.press("End")
    assert "Tile block" in page.locator(".run > [role=status]").inner_text()
    assert "this launch" in page.get_by_role("region", name="Roofline", exact=True).inner_text()
    shoot(page, "run")
    assert objections(page) == []


def saved(page: Any, button: Any) -> tuple[str, str]:
    """Name and text of the file that a button saves."""
    with page.expect_download() as waited:
        button.click()
    return waited.value.suggested_filename, Path(waited.value.path()).read_text(encoding="utf-8")


def test_pictures_traces_and_reproducers_can_be_saved(open_page: Open, measured: Path) -> None:
    page = open_page(measured)
    page.get_by_role("tab", name="Run").click()
    name, text = saved(page, page.get_by_role("button", name="Save as SVG").first)
    assert name.startswith("time-product")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    _, text = saved(page, page.get_by_role("button", name="Save for Perfetto"))
    assert sum(event["ph"] == "X" for event in json.loads(text)["traceEvents"]) == 16
    name, text = saved(page, page.get_by_role("button", name="Save it"))
    assert name.startswith("again-product")
    assert "tilewright.launch(MODULE, 'product" in text


def test_a_reproducer_is_copied(open_page: Open, measured: Path) -> None:
    page = open_page(measured)
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    page.get_by_role("button", name="Copy as a reproducer").click()
    assert "tilewright.launch(MODULE, 'product" in page.evaluate("window.copied")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    page.get_by_role("button", name="Copy the command").click()
    assert page.locator(".share pre").inner_text() == "tilewright explore program.py"
