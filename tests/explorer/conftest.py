"""Pictures of the explorer's pages for the docs, and what its panes show."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.browser import Open

__all__ = ["Open", "lit"]

IMAGES = Path(__file__).parents[2] / "docs" / "images"


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
