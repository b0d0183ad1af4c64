"""No file and no function grows beyond what can be read in one go."""

from __future__ import annotations

import ast

from tests.house.sizes import FILE_LIMIT, FUNCTION_LIMIT, functions, long_files, long_functions


def test_files() -> None:
    assert list(long_files(FILE_LIMIT)) == []


def test_functions() -> None:
    assert list(long_functions(FUNCTION_LIMIT)) == []


def test_how_functions_are_measured() -> None:
    program = "@decorated\ndef outer(\n    a,\n):\n    def inner(): pass\n    return inner\n"
    assert dict(functions(ast.parse(program))) == {"outer": 5, "inner": 1}
