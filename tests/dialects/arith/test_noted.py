"""Operations that round or flush in a way of their own are not computed, nor replaced, as if they did not."""

from __future__ import annotations

import pytest

from tests.support.dialect_checks import standard_context
from tilewright.ir.text.parser import parse_module
from tilewright.passes.canonicalize import Canonicalize
from tilewright.passes.manager import PassManager
from tilewright.passes.sccp import SCCP

CONTEXT = standard_context()
FLUSH = "nv_tileaa.flush_to_zero"
DOWN = "nv_tileaa.rounding_mode = #nv_tileaa.rounding_mode<rm>"
SATURATE = "nv_tileaa.saturating"
PROGRAM = """
func.func @f(%x: f32, %y: f32, %n: i8) -> {result} {{
  %small = arith.constant 0x00000001 : f32
  %one = arith.constant 1.0 : f32
  %a = arith.negf %x : f32
  %b = arith.negf %y : f32
  %wide = arith.sitofp %n : i8 to f64
  %r = {operation}
  return %r : {result}
}}
"""
CASES = [
    ("arith.addf %small, %small {note} : f32", FLUSH, "f32"),
    ("arith.mulf %x, %one {note} : f32", FLUSH, "f32"),
    ("arith.mulf %a, %b {note} : f32", FLUSH, "f32"),
    ("arith.divf %one, %one {note} : f32", DOWN, "f32"),
    ("arith.truncf %wide {note} : f64 to f16", DOWN, "f16"),
    ("arith.fptosi %one {note} : f32 to i32", SATURATE, "i32"),
    ("math.fma %one, %one, %one {note} : f32", DOWN, "f32"),
    ("math.sqrt %one {note} : f32", DOWN, "f32"),
]


def optimised(operation: str, result: str) -> str:
    text = PROGRAM.format(operation=operation, result=result)
    module = parse_module(CONTEXT, text, implicit_module=True)
    PassManager(CONTEXT).add(Canonicalize()).add(SCCP()).run(module)
    return str(module)


@pytest.mark.parametrize(("operation", "note", "result"), CASES)
def test_a_note_is_respected(operation: str, note: str, result: str) -> None:
    name = operation.split()[0]
    assert name not in optimised(operation.format(note=""), result) or "%a" in operation
    kept = optimised(operation.format(note=f"{{{note}}}"), result)
    assert name in kept
    assert note.split()[0] in kept
