"""Text as the disassembler prints it reads back: the same text, the same bytecode."""

from __future__ import annotations

import pytest

from tests.bytecode.fixture_files import Fixture, fixtures
from tilewright.bytecode import read_bytecode, write_bytecode
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.syntax.disassembly import disassemble
from tilewright.dialects.cuda_tile.syntax.disassembly_parser import parse_disassembly
from tilewright.dialects.cuda_tile.version import Version
from tilewright.driver.reading import is_disassembly
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.verifier import verify_or_raise

CONTEXT = Context([CUDA_TILE])
FILLED = [case for case in fixtures() if not case.name.startswith("module.no-functions")]


@pytest.mark.parametrize("debug_info", [False, True])
@pytest.mark.parametrize("case", FILLED, ids=lambda case: case.name)
def test_round_trip(case: Fixture, debug_info: bool) -> None:
    text = disassemble(read_bytecode(case.data, CONTEXT), debug_info=debug_info)
    assert is_disassembly(text)
    module = parse_disassembly(CONTEXT, text)
    verify_or_raise(module)
    assert disassemble(module, debug_info=debug_info) == text
    again = read_bytecode(write_bytecode(module, Version.parse(case.version)), CONTEXT)
    assert disassemble(again, debug_info=debug_info) == text


def test_other_names_of_operations() -> None:
    text = (
        "entry @k() {\n  %x = constant <f32: 2.0> : tile<f32>\n  %y = fpowf %x, %x : tile<f32>\n  return\n}\n"
    )
    module = parse_disassembly(CONTEXT, text)
    assert [op.name for op in module.walk()][-2] == "cuda_tile.pow"
    assert "fpowf %cst_2_f32, %cst_2_f32" in disassemble(module)


def test_producer() -> None:
    text = "// Producer: a compiler 1.0\nentry @k() {\n  return\n}\n"
    module = parse_disassembly(CONTEXT, text)
    assert module.producer == "a compiler 1.0"
    assert disassemble(module) == text


def test_what_is_not_such_text() -> None:
    for text in ("", "cuda_tile.module @m {}", '"cuda_tile.entry"() : () -> ()', "// entry @k", "entryway"):
        assert not is_disassembly(text)
    for text in ("entry @k() {}", "\n// a\n// b\n global @g <i32: 1> : tile<1xi32>"):
        assert is_disassembly(text)


def test_mistakes_are_placed() -> None:
    text = "entry @k() {\n  %x = fpowff %y, %y : tile<f32>\n  return\n}\n"
    with pytest.raises(DiagnosticError) as caught:
        parse_disassembly(CONTEXT, text, "k.txt")
    (first, *_) = caught.value.diagnostics
    assert "fpowff" in first.message
    assert str(first.location) == 'loc("k.txt":2:8)'
