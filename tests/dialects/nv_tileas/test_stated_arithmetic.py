"""Operations that round, flush or saturate in a way of their own are not computed as if they did not."""

from __future__ import annotations

import pytest

from tests.support.dialect_checks import DIALECTS
from tilewright.dialects.llvm.dialect import LLVM
from tilewright.dialects.math import dialect as functions
from tilewright.dialects.nv_tileaa.dialect import NV_TILEAA
from tilewright.dialects.nv_tileaa.ops.math import PLAIN
from tilewright.dialects.nv_tileas.dialect import NV_TILEAS
from tilewright.dialects.nv_tileas.ops_arith import BY_SOURCE, ways_of
from tilewright.ir.context import Context
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.passes.manager import PassManager
from tilewright.passes.transforms.canonicalize import Canonicalize
from tilewright.passes.transforms.sccp import SCCP

CONTEXT = Context((*DIALECTS, LLVM, NV_TILEAA, NV_TILEAS))
FLUSH = "flush_to_zero"
DOWN = "rounding_mode = #nv_tileaa.rounding_mode<negative_inf>"
SATURATE = "saturating"
PROGRAM = """
func.func @f(%x: f32, %n: i8) -> {result} {{
  %small = arith.constant 0x00000001 : f32
  %one = arith.constant 1.0 : f32
  %tenth = arith.constant 0.1 : f64
  %r = {operation}
  return %r : {result}
}}
"""
CASES = [
    ("nv_tileas.addf %small, %small {way} : f32", FLUSH, "f32"),
    ("nv_tileas.mulf %x, %one {way} : f32", FLUSH, "f32"),
    ("nv_tileas.divf %one, %one {way} : f32", DOWN, "f32"),
    ("nv_tileas.maximumf %small, %small {way} : f32", FLUSH, "f32"),
    ("nv_tileas.fptosi %one {way} : f32 to i32", SATURATE, "i32"),
    ("nv_tileas.fma %one, %one, %one {way} : f32", DOWN, "f32"),
    ("nv_tileas.sqrt %one {way} : f32", DOWN, "f32"),
]


def optimised(operation: str, result: str) -> str:
    text = PROGRAM.format(operation=operation, result=result)
    module = parse_module(CONTEXT, text, implicit_module=True)
    PassManager(CONTEXT).add(Canonicalize()).add(SCCP()).run(module)
    return str(module)


@pytest.mark.parametrize(("operation", "way", "result"), CASES)
def test_a_way_is_respected(operation: str, way: str, result: str) -> None:
    name = operation.split()[0]
    assert name not in optimised(operation.format(way=""), result)
    kept = optimised(operation.format(way=f"{{{way}}}"), result)
    assert name in kept
    assert way in kept


def test_the_nearest_need_not_be_said() -> None:
    nearest = "{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}"
    assert "nv_tileas" not in optimised(f"nv_tileas.mulf %x, %one {nearest} : f32", "f32")


@pytest.mark.parametrize(("cast", "folds"), [("1.0 : f64", True), ("0.1 : f64", False)])
def test_casts_that_round_are_computed_only_if_nothing_is_lost(cast: str, folds: bool) -> None:
    text = PROGRAM.replace("0.1 : f64", cast).format(
        operation="nv_tileas.truncf %tenth downward : f64 to f32", result="f32"
    )
    module = parse_module(CONTEXT, text, implicit_module=True)
    PassManager(CONTEXT).add(Canonicalize()).run(module)
    assert ("nv_tileas.truncf" not in str(module)) == folds


@pytest.mark.parametrize("saying", PLAIN, ids=lambda op: op.op_kind.name)
def test_both_tile_dialects_say_it_by_the_same_attributes(saying: type[Operation]) -> None:
    plain = PLAIN[saying]
    here = BY_SOURCE[plain].op_kind
    assert here.name == f"nv_tileas.{saying.op_kind.mnemonic}"
    for field in ways_of(plain):
        assert field.ir_name in saying.op_kind.attributes_by_ir_name
        assert here.attributes_by_ir_name[field.ir_name].kind is field.kind
    assert {"rounding_mode", "flush_to_zero", "saturating"} & set(here.attributes_by_ir_name)


def test_functions_without_ways_stay_in_math() -> None:
    assert functions.LogOp not in BY_SOURCE
