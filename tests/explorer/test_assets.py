"""The explorer's page is in the repository with the licences of what it contains, and comes with every distribution."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from tests.house.tree import ROOT
from tilewright.explorer import codes, html
from tilewright.explorer.schema import Page
from tilewright.ir.diagnostic import DiagnosticError
from tools import build_explorer

SCRIPT = (html.ASSETS / "main.js").read_text(encoding="utf-8")
NOTICE = (ROOT / "NOTICE").read_text(encoding="utf-8")


def named(text: str) -> set[tuple[str, str]]:
    """The packages and versions that are named on lines of their own."""
    return set(re.findall(r"^(@?[a-z][\w/-]*) (\d+\.\d+\.\d+)$", text, re.MULTILINE))


def required() -> dict[str, str]:
    """The packages that the page may contain, with their versions: what the lock file has for more than building."""
    lock = json.loads((build_explorer.WEB / "package-lock.json").read_text(encoding="utf-8"))
    return {
        path.removeprefix("node_modules/"): entry["version"]
        for path, entry in lock["packages"].items()
        if path and not entry.get("dev")
    }


def test_each_package_of_the_page_is_named_with_its_licence() -> None:
    """What the page contains is found by esbuild; a package that it takes nothing of may be missing."""
    assert named(SCRIPT) == named(NOTICE) <= required().items()
    declared = json.loads((build_explorer.WEB / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert declared.items() <= named(NOTICE)
    assert NOTICE.count("Permission is hereby granted") == SCRIPT.count("Permission is hereby granted") > 1


def test_pages_that_are_handed_on_have_the_licences() -> None:
    text = html.page_text(Page("t", ""))
    assert named(text) == named(NOTICE)


def test_what_esbuild_took_is_read() -> None:
    inputs = {
        "node_modules/@a/b/x.js": 3,
        "node_modules/c/x.js": 0,
        "node_modules/d/e/x.js": 1,
        "src/m.ts": 9,
    }
    output = {"inputs": {name: {"bytesInOutput": size} for name, size in inputs.items()}}
    assert build_explorer.bundled({"outputs": {"main.js": output}}) == ["@a/b", "d"]


def test_a_package_without_a_licence_ends_the_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    monkeypatch.setattr(build_explorer, "MODULES", tmp_path)
    with pytest.raises(SystemExit, match="bare: one file with its licence is expected"):
        build_explorer.licences_of(["bare"])


def test_the_repository_keeps_the_page_and_distributions_have_it() -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert not [line for line in ignored if "assets" in line]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "NOTICE" in project["license-files"]
    assert "page" in re.findall(r"^unit: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)[-1].split()


def test_a_page_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(html, "ASSETS", tmp_path)
    with pytest.raises(DiagnosticError, match=r"style\.css: No such file") as caught:
        html.page_text(Page("t", ""))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code is codes.NOT_INSTALLED
    assert diagnostic.hints == ["install tilewright again: every installation brings the page"]
