"""`scalarize-induction`: loops carry distances in place of tiles, and compute the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.optimizer.optimizing import kernel, results, run
from tilewright.dialects.cuda_tile.ops.control import ForOp, LoopOp
from tilewright.ir.operation import Operation

PASS = "scalarize-induction"
PARAMETERS = "%x: tile<ptr<i32>>, %out: tile<ptr<i32>>, %n: tile<i32>, %s: tile<i16>"
FRONT = """
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %numbers = iota : tile<8xi32>
    %eight = constant <i32: 8> : tile<8xi32>
    %backwards = constant <i8: -2> : tile<8xi8>
    %some = constant <i32: [0, 1, 0, 1, 0, 1, 0, 1]> : tile<8xi32>
    %s1 = reshape %s : tile<i16> -> tile<1xi16>
    %s8 = broadcast %s1 : tile<1xi16> -> tile<8xi16>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %n8 = broadcast %n1 : tile<1xi32> -> tile<8xi32>
    %x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %x8 = broadcast %x1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %p = offset %x8, %numbers : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %o1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %o8 = broadcast %o1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %q = offset %o8, %numbers : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
"""
ADVANCE = "offset {}, {} : tile<8xptr<i32>>, tile<8x{}> -> tile<8xptr<i32>>"
POINTERS = {
    "a constant": ("%c = " + ADVANCE.format("%a", "%eight", "i32"), True),
    "a scalar": ("%c = " + ADVANCE.format("%a", "%s8", "i16"), True),
    "two steps, one of them backwards": (
        "%b = " + ADVANCE.format("%a", "%s8", "i16") + "\n%c = " + ADVANCE.format("%b", "%backwards", "i8"),
        True,
    ),
    "another step in each round": (
        "%i1 = reshape %i : tile<i32> -> tile<1xi32>\n%i8 = broadcast %i1 : tile<1xi32> -> tile<8xi32>\n"
        "%c = " + ADVANCE.format("%a", "%i8", "i32"),
        True,
    ),
    "elements that move apart": ("%c = " + ADVANCE.format("%a", "%some", "i32"), False),
    "only the first tile": ("%c = " + ADVANCE.format("%p", "%eight", "i32"), False),
}


def copied(step: str) -> Operation:
    """Copies what pointers point at; they take a step in each round."""
    return kernel(
        FRONT
        + f"""
        %r, %u = for %i in (%zero to %n, step %one) : tile<i32>
            iter_values(%a = %p, %b0 = %q) -> (tile<8xptr<i32>>, tile<8xptr<i32>>) {{
          %v, %t0 = load_ptr_tko weak %a : tile<8xptr<i32>> -> tile<8xi32>, token
          %t1 = store_ptr_tko weak %b0, %v : tile<8xptr<i32>>, tile<8xi32> -> token
          {step}
          %d = {ADVANCE.format("%b0", "%eight", "i32")}
          continue %c, %d : tile<8xptr<i32>>, tile<8xptr<i32>>
        }}
        %v, %t0 = load_ptr_tko weak %r : tile<8xptr<i32>> -> tile<8xi32>, token
        %t1 = store_ptr_tko weak %u, %v : tile<8xptr<i32>>, tile<8xi32> -> token""",
        PARAMETERS,
    )


def arguments(rounds: int) -> list[Any]:
    return [np.arange(100, dtype=np.int32), np.zeros(100, np.int32), rounds, 3]


def carried(module: Operation) -> list[str]:
    """The types that the first loop carries."""
    loop = next(op for op in module.walk() if isinstance(op, ForOp | LoopOp))
    return [str(value.type) for value in loop.init_values]


@pytest.mark.parametrize("rounds", [0, 1, 5])
@pytest.mark.parametrize("case", POINTERS)
def test_pointers(case: str, rounds: int) -> None:
    step, is_found = POINTERS[case]
    module = copied(step)
    before = results(module, arguments(rounds))
    once = str(run(module, PASS))
    scalar, tile = "!cuda_tile.tile<i64>", "!cuda_tile.tile<8xptr<i32>>"
    assert carried(module) == [scalar if is_found else tile, scalar]
    assert results(module, arguments(rounds)) == before
    assert str(run(module, PASS)) == once


LOOP = """
    %r = loop iter_values(%a = %numbers, %k = %zero) : tile<8xi32>, tile<i32> -> tile<8xi32> {
      %k1 = addi %k, %one : tile<i32>
      %b = addi %n8, %a : tile<8xi32>
      %e = cmpi greater_than %k1, %n, signed : tile<i32> -> tile<i1>
      if %e { break %b : tile<8xi32> }
      %f = cmpi equal %k1, %one, signed : tile<i32> -> tile<i1>
      if %f { %g = addi %b, %eight : tile<8xi32> continue %g, %k1 : tile<8xi32>, tile<i32> }
      continue %b, %k1 : tile<8xi32>, tile<i32>
    }
    %t1 = store_ptr_tko weak %q, %r : tile<8xptr<i32>>, tile<8xi32> -> token"""


@pytest.mark.parametrize("rounds", [0, 1, 5])
def test_integers_in_a_loop_that_goes_on_in_two_places(rounds: int) -> None:
    module = kernel(FRONT + LOOP, PARAMETERS)
    before = results(module, arguments(rounds))
    run(module, PASS)
    assert carried(module) == ["!cuda_tile.tile<i32>"] * 2
    assert results(module, arguments(rounds)) == before


NESTED = f"""
    %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%a = %p) -> (tile<8xptr<i32>>) {{
      %b = for %j in (%zero to %n, step %one) : tile<i32> iter_values(%c = %a) -> (tile<8xptr<i32>>) {{
        %v, %t0 = load_ptr_tko weak %c : tile<8xptr<i32>> -> tile<8xi32>, token
        %t1 = store_ptr_tko weak %q, %v : tile<8xptr<i32>>, tile<8xi32> -> token
        %d = {ADVANCE.format("%c", "%s8", "i16")}
        continue %d : tile<8xptr<i32>>
      }}
      %e = {ADVANCE.format("%b", "%eight", "i32")}
      continue %e : tile<8xptr<i32>>
    }}"""


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_loops_in_loops(rounds: int) -> None:
    module = kernel(FRONT + NESTED, PARAMETERS)
    before = results(module, arguments(rounds))
    run(module, PASS)
    kinds = [[str(v.type) for v in op.init_values] for op in module.walk() if isinstance(op, ForOp)]
    assert kinds == [["!cuda_tile.tile<i64>"]] * 2
    assert results(module, arguments(rounds)) == before
