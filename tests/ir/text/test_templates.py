"""Printing repeated operations by templates gives the text of printing each by itself."""

from __future__ import annotations

import pytest

from tests.bytecode.fixture_files import Fixture, fixtures
from tests.ir.text.repeating_program import PROGRAM
from tilewright.bytecode import read_bytecode
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.ops.control import ModuleOp
from tilewright.dialects.cuda_tile.syntax.disassembly import disassemble
from tilewright.driver import startup
from tilewright.ir.context import Context
from tilewright.ir.operation import Operation
from tilewright.ir.text import printer
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import parse_module

CONTEXT = Context([CUDA_TILE])
STANDARD = startup.context()


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


def test_printers_of_one_style_share_templates() -> None:
    module = parse_module(STANDARD, PROGRAM)
    text, spelt = module.print(), list[Operation]()
    name_of = printer.Printer.operation_name

    def counted(self: printer.Printer, op: Operation) -> str:
        spelt.append(op)
        return name_of(self, op)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(printer.Printer, "operation_name", counted)
        assert module.print() == text
    assert all(op.regions or op.successors for op in spelt)


def test_styles_do_not_share_templates() -> None:
    text = """cuda_tile.module @m {
  entry @k() {
    %cst_i32 = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    return
  }
}"""
    module = parse_module(CONTEXT, text)
    assert isinstance(module, ModuleOp)
    every = [PrintOptions(), PrintOptions(elide_elements_above=2), PrintOptions(hex_elements_above=2)]
    every += [PrintOptions(generic=True), PrintOptions(generic=True, elide_elements_above=2)]
    texts = [module.print(options) for options in every] + [disassemble(module)]
    assert len({*texts}) == len(texts)
    assert [module.print(options) for options in every] + [disassemble(module)] == texts


def test_results_of_several_and_names_with_hints() -> None:
    text = """module {
  func.func @f(%arg0: i32) {
    %true = arith.constant true
    %cst = arith.constant 1.000000e+00 : f32
    %c7_i32 = arith.constant 7 : i32
    %c7_i32_0 = arith.constant 7 : i32
    %low, %high = arith.mulsi_extended %arg0, %c7_i32 : i32
    %0 = arith.addi %low, %high : i32
    %low_1, %high_2 = arith.mulsi_extended %0, %c7_i32_0 : i32
    return
  }
}"""
    assert parse_module(STANDARD, text).print() == text
