"""Sizes of files, functions and folders.  ``python -m tests.house.sizes`` lists what is longer than we like."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.house.tree import nodes, python_files, relative, trees

FILE_LIMIT, FILE_GOAL = 600, 400
FUNCTION_LIMIT, FUNCTION_GOAL = 80, 40
FOLDER_LIMIT = 25
LONGER_FILES = {
    "tests/support/invalid/invalid_tile.py": "a table: one broken program for each rule of a chapter",
    "tests/support/lowering_samplers.py": "a table: one sampler for each operation",
    "tests/targets/cpu/checks/test_checked_values.py": "the tests of one check",
}
"""Files of more than `FILE_LIMIT` lines, with the reason why each is one file."""


def long_files(longer_than: int) -> Iterator[tuple[str, int]]:
    """Files with more lines than that, and how many they have."""
    for path in python_files():
        length = len(path.read_text(encoding="utf-8").splitlines())
        if length > longer_than:
            yield relative(path), length


def long_functions(longer_than: int) -> Iterator[tuple[str, int]]:
    """Functions with more lines than that, from ``def`` to their end."""
    for path, tree in trees().items():
        for name, length in functions(tree):
            if length > longer_than:
                yield f"{relative(path)}: {name}", length


def full_folders(paths: Iterable[Path], more_than: int) -> list[tuple[Path, int]]:
    """Folders with more modules than that, and how many they have; ``__init__`` is not counted."""
    found = Counter(path.parent for path in paths if path.name != "__init__.py")
    return sorted((folder, count) for folder, count in found.items() if count > more_than)


def functions(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every function of a file with its number of lines."""
    for node in nodes(tree, ast.FunctionDef, ast.AsyncFunctionDef):
        yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


if __name__ == "__main__":
    for place, lines in sorted((*long_files(FILE_GOAL), *long_functions(FUNCTION_GOAL))):
        print(f"{lines:5}  {place}")
