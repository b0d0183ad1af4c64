"""Every diagnostic code is declared once, explained, used, and exists where a document mentions it."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from tests.house.tree import ROOT, module_name, python_files, relative
from tilewright.ir.codes import CATALOGUE, code
from tilewright.ir.diagnostic import DiagnosticCode

CODE_FILES = [path for path in python_files("src") if path.name == "codes.py"]
for _path in CODE_FILES:
    importlib.import_module(module_name(_path))

RANGES = {
    "ir": (0, 299),
    "bytecode": (300, 399),
    "interp": (400, 499),
    "driver": (500, 599),
    "passes": (600, 699),
    "rewrite": (700, 799),
    "lowering": (800, 849),
    "optimizer": (850, 899),
    "targets": (900, 949),
    "runtime": (950, 999),
    "abi": (1000, 1049),
    "inspect": (1050, 1149),
    "cli": (1150, 1199),
    "ptx": (1200, 1249),
    "ptxsim": (1250, 1299),
    "gpu_programs": (1300, 1349),
    "cpp": (1350, 1359),
    "cuda_programs": (1360, 1399),
    "explorer": (1600, 1649),
    "layouts": (1400, 1449),
    "tool_server": (1700, 1719),
    "prover": (1720, 1729),
}
"""First and last code number of the packages that declare codes in a ``codes.py``."""


def declared(path: Path) -> dict[str, DiagnosticCode]:
    members = vars(importlib.import_module(module_name(path)))
    return {name: value for name, value in members.items() if isinstance(value, DiagnosticCode)}


def test_a_number_is_used_once() -> None:
    with pytest.raises(ValueError, match="TW0001 is declared twice"):
        code(1, "again", "again")


def test_titles_are_unique() -> None:
    titles = [entry.title for entry in CATALOGUE.values()]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("entry", CATALOGUE.values(), ids=str)
def test_every_code_has_a_page(entry: DiagnosticCode) -> None:
    assert entry.title
    assert not entry.title.endswith(".")
    assert len(entry.explanation) >= 40
    assert entry.explanation.rstrip("`").endswith((".", ")"))


@pytest.mark.parametrize("path", CODE_FILES, ids=relative)
def test_codes_lie_in_the_range_of_their_package(path: Path) -> None:
    package = module_name(path).split(".")[1]
    assert package in RANGES, "give the package a range"
    first, last = RANGES[package]
    numbers = [entry.number for entry in declared(path).values()]
    assert numbers
    assert first <= min(numbers) <= max(numbers) <= last


def test_every_code_is_used() -> None:
    homes = set(CODE_FILES)
    text = "\n".join(p.read_text(encoding="utf-8") for p in python_files("src") if p not in homes)
    words = set(re.findall(r"\b[A-Z][A-Z_]+\b", text))
    unused = {name for path in CODE_FILES for name in declared(path)} - words
    assert unused == set()


def test_every_code_that_a_document_mentions_exists() -> None:
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *python_files("examples")]
    mentioned = {
        (relative(path), number)
        for path in documents
        for number in re.findall(r"\bTW(\d{4})\b", path.read_text(encoding="utf-8"))
    }
    assert sorted((path, f"TW{n}") for path, n in mentioned if int(n) not in CATALOGUE) == []
