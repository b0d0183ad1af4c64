"""Fixes are edits of a line: those of misspelt names, and of comments that ignore nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tilewright.cli.diagnostic_formats import edits, shown_as
from tilewright.driver.verification import check
from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.location import FileLineColLocation
from tilewright.ir.support.ignores import Ignore
from tilewright.runtime.findings.ignores import warning


def mended(file: Path, diagnostic: Diagnostic) -> str:
    """The line of a diagnostic after its only edit."""
    (edit,) = edits(diagnostic)
    line = file.read_text().splitlines()[edit["line"] - 1]
    assert line[edit["column"] - 1 : edit["end_column"] - 1] == edit["replaced"]
    return line[: edit["column"] - 1] + edit["text"] + line[edit["end_column"] - 1 :]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("  %a = arith.addii %x, %x : i32", "  %a = arith.addi %x, %x : i32"),
        (
            '  %a = "arith.addii"(%x, %x) : (i32, i32) -> i32',
            '  %a = "arith.addi"(%x, %x) : (i32, i32) -> i32',
        ),
    ],
)
def test_misspelt_operations(tmp_path: Path, wrong: str, right: str) -> None:
    file = tmp_path / "k.mlir"
    file.write_text(f"func.func @f(%x: i32) {{\n{wrong}\n  return\n}}\n")
    (found,) = check(file.read_bytes(), str(file)).findings
    assert mended(file, found.diagnostic) == right
    sarif: Any = json.loads("\n".join(shown_as("sarif", str(file), [found.diagnostic])))
    ((fix,),) = [result["fixes"] for result in sarif["runs"][0]["results"]]
    (change,) = fix["artifactChanges"]
    assert change["replacements"][0]["insertedContent"] == {"text": "arith.addi"}


@pytest.mark.parametrize(
    ("line", "code", "right"),
    [
        ("x = 1  # tilewright: ignore[TW0406] a reason", "TW0406", "x = 1  "),
        (
            "x = 1  # tilewright: ignore[TW0406, tw0411] why",
            "TW0406",
            "x = 1  # tilewright: ignore[tw0411] why",
        ),
    ],
)
def test_comments_that_ignore_nothing(tmp_path: Path, line: str, code: str, right: str) -> None:
    file = tmp_path / "k.py"
    file.write_text(f"{line}\n")
    assert mended(file, warning(Ignore(str(file), 1, line.index("#") + 1, code))) == right


def test_a_word_that_is_there_twice_or_not_at_all_has_no_edit(tmp_path: Path) -> None:
    file = tmp_path / "k.py"
    file.write_text("lod(lod(lods))\n")
    place = FileLineColLocation.at(str(file), 1, 1)
    for word in ("lod", "load"):
        assert edits(Diagnostic(Severity.ERROR, "wrong", place).fix(word, "x")) == []
    assert len(edits(Diagnostic(Severity.ERROR, "wrong", place).fix("lods", "x"))) == 1
