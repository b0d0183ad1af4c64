"""No file and no function grows beyond what can be read in one go, and no folder beyond what can be looked over."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.house.sizes import (
    FILE_LIMIT,
    FOLDER_LIMIT,
    FUNCTION_LIMIT,
    LONGER_FILES,
    full_folders,
    functions,
    long_files,
    long_functions,
)
from tests.house.tree import python_files


def test_files() -> None:
    assert sorted(file for file, _ in long_files(FILE_LIMIT)) == sorted(LONGER_FILES)


def test_functions() -> None:
    assert list(long_functions(FUNCTION_LIMIT)) == []


def test_folders() -> None:
    """A folder with more files wants rooms; the page of the architecture lists the ones that there are."""
    assert full_folders(python_files("src"), FOLDER_LIMIT) == []


def test_how_folders_are_counted() -> None:
    paths = [Path("a/__init__.py"), Path("a/x.py"), Path("a/y.py"), Path("a/b/z.py")]
    assert full_folders(paths, 1) == [(Path("a"), 2)]
    assert full_folders(paths, 2) == []


def test_how_functions_are_measured() -> None:
    program = "@decorated\ndef outer(\n    a,\n):\n    def inner(): pass\n    return inner\n"
    assert dict(functions(ast.parse(program))) == {"outer": 5, "inner": 1}
