"""The diagrams of the architecture's page show the floors that imports keep to, and the stages that there are."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tests.golden import compare
from tests.house.test_import_floors import FLOORS
from tests.house.tree import ROOT
from tools import diagrams

FOLDER = ROOT / "docs" / "concepts"
PACKAGES = ROOT / "src" / "tilewright"


def page() -> str:
    return (FOLDER / "architecture.md").read_text(encoding="utf-8")


def test_the_page_has_every_package_on_its_floor() -> None:
    shown = diagrams.floors(page())
    present = {path.name for path in PACKAGES.iterdir() if any(path.rglob("*.py"))}
    assert {name.partition("/")[0]: floor for name, floor in shown.items()} == {
        name: floor for name, floor in FLOORS.items() if name in present
    }
    assert all((PACKAGES / name).is_dir() for name in shown)


def test_the_path_is_the_one_in_words() -> None:
    forms = " -> ".join(form for form, _ in diagrams.PATH)
    assert f"\n{forms}\n" in page()
    makers = [maker for _, maker in diagrams.PATH if maker] + [
        n for names in diagrams.INSIDE.values() for n in names
    ]
    assert all((PACKAGES / maker).is_dir() for maker in makers)


@pytest.mark.parametrize("name", ["floors", "path"])
def test_the_pictures(name: str, bless: bool) -> None:
    text = diagrams.floors_svg(diagrams.floors(page())) if name == "floors" else diagrams.path_svg()
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert f"]({name}.svg)" in page()
    compare(FOLDER / f"{name}.svg", text, bless=bless)
