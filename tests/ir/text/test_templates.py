"""Printing repeated operations by templates gives the text of printing each by itself."""

from __future__ import annotations

import pytest

from tests.bytecode.fixture_files import Fixture, fixtures
from tests.ir.text.repeating_program import PROGRAM
from tilewright.bytecode import read_bytecode
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.disassembly import disassemble
from tilewright.driver import startup
from tilewright.ir.context import Context
from tilewright.ir.text import printer
from tilewright.ir.text.options import PrintOptions
from tilewright.ir.text.parser import parse_module

CONTEXT = Context([CUDA_TILE])


@pytest.mark.parametrize("debug_info", [False, True])
@pytest.mark.parametrize("case", fixtures(), ids=lambda case: case.name)
def test_templates_change_nothing(case: Fixture, debug_info: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    module = read_bytecode(case.data, CONTEXT)
    options = PrintOptions(debug_info=debug_info)
    texts = module.print(options), disassemble(module, debug_info=debug_info)
    monkeypatch.setattr(TileOp, "text_stands_alone", False)
    assert (module.print(options), disassemble(module, debug_info=debug_info)) == texts


def test_operands_in_any_order_and_marks_in_strings() -> None:
    text = r"""cuda_tile.module @m {
  entry @k() {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    assert %true, "50 %s \00 %" : tile<i1>
    assert %false, "50 %s \00 %" : tile<i1>
    %0 = select %true, %false, %true : tile<i1>, tile<i1>
    %1 = select %false, %true, %0 : tile<i1>, tile<i1>
    return
  }
}"""
    assert str(parse_module(CONTEXT, text)) == text


def test_standard_operations_by_templates(monkeypatch: pytest.MonkeyPatch) -> None:
    modules = [parse_module(startup.context(), text) for text in (PROGRAM, PROGRAM.replace("i32", "i8"))]
    for options in (PrintOptions(), PrintOptions(debug_info=True)):
        texts = [module.print(options) for module in modules]
        with monkeypatch.context() as patch:
            patch.setattr(printer, "stands_alone", lambda op_class: False)
            assert [module.print(options) for module in modules] == texts
