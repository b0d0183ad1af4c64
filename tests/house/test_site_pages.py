"""The site: every page of `docs/` is in its navigation, and links that leave `docs/` lead to copies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.house.tree import ROOT
from tools.explorer_pages import embedded, explored
from tools.site_pages import COPIES, copied, navigation, relinked


def entries(navigation: list[dict[str, Any]]) -> Iterator[str]:
    for entry in navigation:
        for target in entry.values():
            if isinstance(target, str):
                yield target
            else:
                yield from entries(target)


def test_every_page_is_in_the_navigation_once() -> None:
    listed = list(entries(navigation()))
    assert len(set(listed)) == len(listed)
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert {page for page in listed if not page.startswith(COPIES)} == pages
    assert set(listed) - pages <= set(copied())


def test_guides_stand_in_groups() -> None:
    (guides,) = (entry["Guides"] for entry in navigation() if "Guides" in entry)
    assert [name for group in guides for name in group] == [
        "Start",
        "Check",
        "Look inside",
        "GPU code",
        "Extend",
    ]


def test_search_finds_names_in_code() -> None:
    """The separator divides names in calls as it divides what a reader types."""
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    found = re.search(r"separator: '(.*)'", settings)
    assert found is not None
    words = re.split(found[1], "ct.atomic_add(total, 0, part)")
    assert {*re.split(found[1], "atomic_add")} <= {*words}


def test_what_the_copies_link_is_copied() -> None:
    assert copied()["project/benchmarks/results/cpu.md"] == ROOT / "benchmarks" / "results" / "cpu.md"


def test_links_are_those_of_the_site() -> None:
    source = ROOT / "docs" / "guides" / "cpu.md"
    for link, expected in {
        "[how](../../README.md#install)": "[how](../project/readme.md#install)",
        "[page](checks.md)": "[page](checks.md)",
        "[code](../../src/tilewright)": "code",
        "[home](https://example.org)": "[home](https://example.org)",
        "[here](#there)": "[here](#there)",
    }.items():
        assert relinked(link, source, "guides/cpu.md") == expected
    text = "[guide](docs/guides/cpu.md)"
    assert relinked(text, ROOT / "README.md", "project/readme.md") == "[guide](../guides/cpu.md)"


def test_documents_show_all_pages_of_the_explorer_and_no_others() -> None:
    text = (ROOT / "docs" / "guides" / "explorer-pages.md").read_text(encoding="utf-8")
    made = embedded(text, "guides/explorer-pages.md")
    for name, one in explored().items():
        assert (ROOT / one.file).exists()
        assert f'<iframe src="../explorer/{name}.html"' in made
    assert "<!-- explorer" not in made
    with pytest.raises(KeyError):
        embedded("<!-- explorer: none -->", "index.md")
