"""A page within an output of a notebook, in a browser: it runs, and cannot reach the notebook."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tilewright.explorer.html import page_text
from tilewright.explorer.program import of_file
from tilewright.pages.notebook import embedded


def test_the_page_runs_and_sees_nothing_of_the_notebook(browser: Any, tmp_path: Path) -> None:
    kernel, notebook = tmp_path / "k.mlir", tmp_path / "notebook.html"
    kernel.write_text("cuda_tile.module @m { entry @f() { return } }")
    page = page_text(of_file(kernel, "interp", ""))
    notebook.write_text(f"<!doctype html><title>notebook</title>{embedded(page, 'page')}")
    opened = browser.new_page()
    opened.goto(notebook.as_uri())
    frame = opened.frame_locator("iframe")
    frame.locator(".cm-line").first.wait_for()
    assert frame.locator("h1").inner_text() == "k.mlir"
    with pytest.raises(Exception, match="Blocked a frame"):
        opened.frames[1].evaluate("parent.document.title")
    opened.close()
