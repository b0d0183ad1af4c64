"""`simplify-carried-values`: what loops need not carry, and that they compute the same without it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tests.optimizer.optimizing import kernel, results, run
from tests.support.samples import samples
from tilewright.dialects.cuda_tile.ops.control import ForOp, LoopOp
from tilewright.ir.operation import Operation

PASS = "simplify-carried-values"
PARAMETERS = "%out: tile<ptr<i32>>, %n: tile<i32>, %a: tile<i32>, %b: tile<i32>, %c: tile<i32>"


def carried(module: Operation) -> int:
    """How many values the first loop carries."""
    loop = next(op for op in module.walk() if isinstance(op, ForOp | LoopOp))
    return len(loop.init_values)


def counted(body: str, last: str = "%x, %y, %z", used: str = "%r0") -> Operation:
    """A `for` over ``%x %y %z``, which start as ``%a %b %c``."""
    return kernel(
        f"""
        %zero = constant <i32: 0> : tile<i32>
        %one = constant <i32: 1> : tile<i32>
        %r0, %r1, %r2 = for %i in (%zero to %n, step %one) : tile<i32>
            iter_values(%x = %a, %y = %b, %z = %c) -> (tile<i32>, tile<i32>, tile<i32>) {{
          {body}
          continue {last} : tile<i32>, tile<i32>, tile<i32>
        }}
        store_ptr_tko weak %out, {used} : tile<ptr<i32>>, tile<i32> -> token""",
        PARAMETERS,
    )


CASES = {
    "all stay the same": ("", "%x, %y, %z", "%r0", 0),
    "what it started with": ("", "%a, %y, %c", "%r2", 0),
    "one changes": ("%s = addi %x, %y : tile<i32>", "%s, %y, %z", "%r0", 1),
    "two swap": ("", "%y, %x, %z", "%r0", 2),
    "one is only handed on": ("%s = addi %x, %i : tile<i32>", "%i, %s, %z", "%r2", 1),
    "the last one counts": ("%s = addi %i, %one : tile<i32>", "%s, %y, %z", "%r0", 1),
    "a branch goes on with another": (
        "%e = cmpi less_than %i, %b, signed : tile<i32> -> tile<i1>\n"
        "if %e { continue %x, %i, %z : tile<i32>, tile<i32>, tile<i32> }",
        "%x, %y, %z",
        "%r1",
        1,
    ),
    "an inner loop has its own": (
        "%s = for %j in (%zero to %n, step %one) : tile<i32> iter_values(%u = %x) -> (tile<i32>) {\n"
        "%v = addi %u, %j : tile<i32>\ncontinue %v : tile<i32> }",
        "%s, %y, %z",
        "%r0",
        1,
    ),
}


def arguments(rounds: int) -> list[Any]:
    return [np.zeros(1, np.int32), rounds, 5, 2, 11]


@pytest.mark.parametrize("rounds", [0, 1, 4])
@pytest.mark.parametrize("case", CASES)
def test_counted_loops(case: str, rounds: int) -> None:
    body, last, used, left = CASES[case]
    module = counted(body, last, used)
    before = results(module, arguments(rounds))
    once = str(run(module, PASS))
    assert carried(module) == left
    assert results(module, arguments(rounds)) == before
    assert str(run(module, PASS)) == once


@pytest.mark.parametrize(("handed_on", "left"), [("%next, %x", 1), ("%next, %next", 2), ("%i, %x", 0)])
def test_endless_loops(handed_on: str, left: int) -> None:
    module = kernel(
        f"""
        %one = constant <i32: 1> : tile<i32>
        %r = loop iter_values(%i = %a, %x = %b) : tile<i32>, tile<i32> -> tile<i32> {{
          %next = addi %i, %one : tile<i32>
          %done = cmpi greater_than %next, %x, signed : tile<i32> -> tile<i1>
          if %done {{ break %next : tile<i32> }}
          %more = cmpi greater_than %next, %c, signed : tile<i32> -> tile<i1>
          if %more {{ break %x : tile<i32> }}
          continue {handed_on} : tile<i32>, tile<i32>
        }}
        store_ptr_tko weak %out, %r : tile<ptr<i32>>, tile<i32> -> token""",
        PARAMETERS,
    )
    start = [np.zeros(1, np.int32), 0, 1, 4 if left else 0, 3]
    before = results(module, start)
    run(module, PASS)
    assert carried(module) == left
    assert results(module, start) == before


def test_hints_and_the_reading_of_bounds_stay() -> None:
    module = kernel(
        """
        %r = for unsigned %i in (%a to %b, step %n) : tile<i32> iter_values(%x = %c) -> (tile<i32>) {
          print_tko "%d", %x : tile<i32> -> token
          continue %x : tile<i32>
        } {cuda_tile.loop_split = 0}""",
        PARAMETERS,
    )
    text = str(run(module, PASS))
    assert "for unsigned" in text
    assert "loop_split = 0" in text
    assert "iter_values" not in text


@st.composite
def programs(draw: Any) -> Operation:
    """Three values handed on in any order, some of them computed from others."""
    values = ["%x", "%y", "%z", "%a", "%b", "%c", "%i"]
    lines: list[str] = []
    for number in range(draw(st.integers(0, 2))):
        first, second = draw(st.sampled_from(values)), draw(st.sampled_from(values))
        lines.append(f"%s{number} = subi {first}, {second} : tile<i32>")
        values.append(f"%s{number}")
    last = ", ".join(draw(st.sampled_from(values)) for _ in range(3))
    return counted("\n".join(lines), last, draw(st.sampled_from(["%r0", "%r1", "%r2"])))


@given(programs(), st.integers(0, 4))
@settings(max_examples=samples(25, of=60), deadline=None)
def test_programs_compute_the_same(module: Operation, rounds: int) -> None:
    before = results(module, arguments(rounds))
    run(module, PASS)
    assert results(module, arguments(rounds)) == before
