"""Names of values that follow from their locations, and which arguments show locations: text as MLIR prints it."""

from __future__ import annotations

from tilewright.driver.startup import context
from tilewright.ir.location import (
    CallSiteLocation,
    FileLineColLocation,
    FusedLocation,
    NameLocation,
    name_in,
)
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import parse_module

LOOP = """#loc = loc("k.py":1:1)
#loc2 = loc("n"(#loc))
module {
  func.func private @k(%n: i32 loc("n"(#loc)), %arg1: i32 loc("k.py":1:1)) -> i32 {
    %n_0 = arith.constant 1 : i32 loc(#loc2)
    %sum = arith.addi %n, %n_0 : i32 loc(#loc3)
    %0 = scf.for %arg2 = %n to %arg1 step %n_0 iter_args(%arg3 = %sum) -> (i32)  : i32 {
      %c2_i32 = arith.constant 2 : i32 loc(#loc1)
      %low, %low_1 = arith.mulsi_extended %arg3, %c2_i32 : i32 loc(#loc4)
      scf.yield %low : i32 loc(#loc1)
    } loc(#loc1)
    return %0 : i32 loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc1 = loc("k.py":2:3)
#loc3 = loc("sum"(#loc1))
#loc4 = loc("low"(#loc1))"""
PLACE = FileLineColLocation("k.py", 1, 1)


def test_values_are_called_as_in_their_locations():
    options = PrintOptions(debug_info=True, names_from_locations=True)
    assert parse_module(context(), LOOP).print(options).strip() == LOOP


def test_names_in_locations():
    named, other = NameLocation("x", PLACE), NameLocation("y", PLACE)
    assert name_in(PLACE) is None
    assert name_in(named) == "x"
    assert name_in(CallSiteLocation(PLACE, named)) == "x"
    assert name_in(FusedLocation((PLACE, other, named))) == "y"
