"""Places in files: bytecode keeps the column of the producer, and whoever shows a place counts from 1."""

from __future__ import annotations

import pytest

from tilewright.bytecode import read_bytecode, write_bytecode
from tilewright.cli.diagnostic_formats import place
from tilewright.dialects.cuda_tile.attributes import (
    DICompileUnitAttr,
    DIFileAttr,
    DILocation,
    DISubprogramAttr,
)
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.ir.attribute import Location
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import Diagnostic, Severity, render
from tilewright.ir.location import FileLineColLocation
from tilewright.ir.text.parser import parse_module

CONTEXT = Context([CUDA_TILE])
LINE = "    y = load(x)"
WRITTEN = {
    "kernel.py": 8,  # as `ast` has it
    "<ipython-input-3-0123>": 8,
    "kernel.mlir": 9,
}
"""The column of `load` in ``LINE``, as producers of files write it."""


def scoped(file: str, column: int) -> DILocation:
    """The place in debug information."""
    described = DIFileAttr(file, "")
    program = DISubprogramAttr(described, 1, "k", "k", DICompileUnitAttr(described))
    return DILocation(FileLineColLocation(file, 2, column), program)


@pytest.mark.parametrize("file", WRITTEN)
@pytest.mark.parametrize("has_scope", [False, True])
def test_all_who_show_a_place_count_from_1(file: str, has_scope: bool) -> None:
    location: Location = FileLineColLocation(file, 2, WRITTEN[file])
    if has_scope:
        location = scoped(file, WRITTEN[file])
    assert location.source == (file, 2, 9)
    assert place(location) == {"file": file, "line": 2, "column": 9}
    head, line, caret = render(Diagnostic(Severity.ERROR, "no", location), lambda *_: LINE).splitlines()
    assert head == f"{file}:2:9: error: no"
    assert caret.index("^") == line.index("load")


@pytest.mark.parametrize("file", WRITTEN)
def test_places_made_of_columns_that_count_from_1(file: str) -> None:
    assert FileLineColLocation.at(file, 2, 9) is FileLineColLocation(file, 2, WRITTEN[file])


@pytest.mark.parametrize("file", WRITTEN)
def test_without_a_line_there_is_no_column(file: str) -> None:
    assert FileLineColLocation(file, 0, 0).source == FileLineColLocation.at(file, 0, 0).source == (file, 0, 0)


@pytest.mark.parametrize("column", [0, 1, 8])
@pytest.mark.parametrize("file", WRITTEN)
def test_bytecode_keeps_the_column(file: str, column: int) -> None:
    text = "cuda_tile.module @kernels { entry @k() { return } }"
    module = parse_module(CONTEXT, text)
    for entry in module.regions[0].block:
        assert isinstance(entry, EntryOp)
        for op in entry.walk():
            op.location = scoped(file, column)
    data = write_bytecode(module)
    back = read_bytecode(data, CONTEXT)
    assert write_bytecode(back) == data
    (read,) = (op.location for op in back.regions[0].block)
    assert read is scoped(file, column)
