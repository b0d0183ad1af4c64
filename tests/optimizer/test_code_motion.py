"""Code motion out of Tile IR's loops: what tokens, branches and the number of rounds allow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tests.optimizer.optimizing import kernel, names, results, run
from tests.support.samples import samples
from tilewright.interp.values import InterpretOptions
from tilewright.ir.operation import Operation

PASS = "loop-invariant-code-motion"
PARAMETERS = "%x: tile<ptr<i32>>, %out: tile<ptr<i32>>, %n: tile<i32>, %c: tile<i1>"
PREAMBLE = """
%zero = constant <i32: 0> : tile<i32>
%one = constant <i32: 1> : tile<i32>
%four = constant <i32: 4> : tile<i32>
%t0 = make_token : token
"""
LOAD = "%v, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token"
STORE = "%s = store_ptr_tko weak %out, %acc token = {} : tile<ptr<i32>>, tile<i32> -> token"


def counted(body: str, upper: str = "%four", lower: str = "%zero") -> Operation:
    """A `for` that carries a number and a token; the body defines ``%v`` and ``%t``."""
    return kernel(
        f"""{PREAMBLE}
        %sum, %last = for %i in ({lower} to {upper}, step %one) : tile<i32>
            iter_values(%acc = %zero, %tok = %t0) -> (tile<i32>, token) {{
          {body}
          %next = addi %acc, %v : tile<i32>
          continue %next, %t : tile<i32>, token
        }}
        store_ptr_tko weak %out, %sum token = %last : tile<ptr<i32>>, tile<i32> -> token""",
        PARAMETERS,
    )


def hoisted(module: Operation) -> list[str]:
    """What stands in front of the loop of a kernel after the pass."""
    run(module, PASS)
    found = names(module)
    return [
        n for n in found[: next(i for i, n in enumerate(found) if n in ("for", "loop"))] if n != "constant"
    ]


MOVES = {
    "a load": LOAD,
    "a load that waits for something outside": LOAD.replace("%x :", "%x token = %t0 :"),
    "a load beside a store that waits for it": LOAD + "\n" + STORE.format("%t"),
    "a load behind a branch that yields": 'if %c { print_tko "x" -> token }\n' + LOAD,
}
STAYS = {
    "a load that waits for the round before": LOAD.replace("%x :", "%x token = %tok :"),
    "a load of another place each time": (
        "%p = offset %x, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n"
        + LOAD.replace("weak %x", "weak %p")
    ),
    "a load that synchronises": LOAD.replace("weak", "acquire device"),
    "a load that others may disturb": LOAD.replace("weak", "relaxed device"),
    "a load behind a branch that goes on": "if %c { continue %acc, %tok : tile<i32>, token }\n" + LOAD,
    "a load behind an assertion": 'assert %c, "no" : tile<i1>\n' + LOAD,
}


@pytest.mark.parametrize("body", MOVES.values(), ids=MOVES.keys())
def test_loads_that_move(body: str) -> None:
    module = counted(body)
    before = results(module, arguments())
    assert hoisted(module) == ["make_token", "load_ptr_tko"]
    assert results(module, arguments()) == before


@pytest.mark.parametrize("body", STAYS.values(), ids=STAYS.keys())
def test_loads_that_stay(body: str) -> None:
    assert "load_ptr_tko" not in hoisted(counted(body))


def arguments(n: int = 4) -> list[Any]:
    return [np.arange(3, 7, dtype=np.int32), np.zeros(1, np.int32), n, False]


@pytest.mark.parametrize(
    ("lower", "upper"), [("%zero", "%n"), ("%n", "%four"), ("%four", "%four"), ("%four", "%zero")]
)
def test_a_loop_that_may_make_no_round_keeps_its_loads(lower: str, upper: str) -> None:
    assert "load_ptr_tko" not in hoisted(counted(LOAD, upper, lower))


def test_bounds_are_read_as_the_loop_reads_them() -> None:
    minus = kernel(
        """
        %m = constant <i32: -1> : tile<i32>
        %one = constant <i32: 1> : tile<i32>
        for unsigned %i in (%m to %one, step %one) : tile<i32> {
          %v, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
          print_tko "%d", %v : tile<i32> -> token
        }""",
        PARAMETERS,
    )
    assert hoisted(minus) == []


UNDEFINED_FOR_SOME = {
    "divi %four, %n signed : tile<i32>": "a division",
    "divi %n, %minus signed : tile<i32>": "a division by -1",
    "remi %four, %n signed : tile<i32>": "a remainder",
    "remi %four, %zero unsigned : tile<i32>": "a remainder of 0",
    "addi %n, %four overflow<no_signed_wrap> : tile<i32>": "a sum with a promise",
    "shli %n, %n : tile<i32>": "a shift by any number",
    "shri %n, %wide signed : tile<i32>": "a shift by too much",
    "assume bounded<0, 9>, %n : tile<i32>": "a promise",
    "ftoi %f signed : tile<f32> -> tile<i32>": "a conversion",
}
DEFINED_FOR_ALL = {
    "divi %n, %four signed : tile<i32>": "a division by a number",
    "divi %n, %minus unsigned : tile<i32>": "a division by the largest number",
    "remi %n, %four signed : tile<i32>": "a remainder of a number",
    "addi %n, %four : tile<i32>": "a sum",
    "shli %n, %four : tile<i32>": "a shift by a number",
}


def moved(expression: str, upper: str) -> bool:
    constants = "%minus = constant <i32: -1> : tile<i32>\n%wide = constant <i32: 32> : tile<i32>\n%f = constant <f32: 1.0> : tile<f32>"
    module = counted(f"{constants}\n%v = {expression}\n%t = make_token : token", upper)
    return expression.split()[0] in hoisted(module)


@pytest.mark.parametrize("expression", UNDEFINED_FOR_SOME, ids=UNDEFINED_FOR_SOME.values())
def test_what_may_be_undefined_moves_where_it_is_sure_to_run(expression: str) -> None:
    assert moved(expression, "%four")
    assert not moved(expression, "%n")


@pytest.mark.parametrize("expression", DEFINED_FOR_ALL, ids=DEFINED_FOR_ALL.values())
def test_what_is_always_defined_moves_anyway(expression: str) -> None:
    assert moved(expression, "%n")


ENDLESS = """
loop iter_values(%i = %zero) : tile<i32> {{
  %next = addi %i, %one : tile<i32>
  %done = cmpi greater_than %next, %four, signed : tile<i32> -> tile<i1>
  {}
  print_tko "%d", %v : tile<i32> -> token
  {}
  continue %next : tile<i32>
}}
"""
BREAK = "if %done { break }"


def test_an_endless_loop_makes_a_round() -> None:
    assert hoisted(kernel(PREAMBLE + ENDLESS.format(LOAD, BREAK), PARAMETERS)) == [
        "make_token",
        "load_ptr_tko",
    ]
    assert hoisted(kernel(PREAMBLE + ENDLESS.format(BREAK + "\n" + LOAD, ""), PARAMETERS)) == ["make_token"]
    assert hoisted(kernel(PREAMBLE + ENDLESS.format("if %done { return }\n" + LOAD, ""), PARAMETERS)) == [
        "make_token"
    ]


def test_a_branch_that_leaves_the_loop_stays() -> None:
    """It has no effect on memory, uses nothing of the loop and gives nothing; yet it is not to be moved or erased."""
    module = counted(
        "%t = make_token : token\n%v = addi %acc, %one : tile<i32>\nif %c { continue %zero, %t0 : tile<i32>, token }"
    )
    call = [*arguments()[:3], True]
    before = results(module, call)
    assert "if" not in hoisted(module)
    run(module, "cse,eliminate-dead-accesses,canonicalize")
    assert results(module, call) == before


def test_loads_leave_two_loops_at_once() -> None:
    module = kernel(
        f"""{PREAMBLE}
        for %i in (%zero to %four, step %one) : tile<i32> {{
          for %j in (%zero to %four, step %one) : tile<i32> {{
            {LOAD}
            print_tko "%d", %v : tile<i32> -> token
          }}
        }}""",
        PARAMETERS,
    )
    assert hoisted(module) == ["make_token", "load_ptr_tko"]


PIECES = (
    "%v{k} , %t{k} = load_ptr_tko weak %p{a} token = {token} : tile<ptr<i32>> -> tile<i32>, token",
    "%t{k} = store_ptr_tko weak %p{a}, %v{b} token = {token} : tile<ptr<i32>>, tile<i32> -> token\n"
    "%v{k} = addi %v{b}, %one : tile<i32>",
    "%v{k} = muli %four, %v{b} : tile<i32>\n%t{k} = join_tokens {token}, %t{b} : token",
    "%v{k} = divi %v{b}, %four signed : tile<i32>\n%t{k} = make_token : token",
)
"""Each gives a number ``%vK`` and a token ``%tK``."""


@st.composite
def programs(draw: Any) -> Operation:
    """Loops with loads and stores through two pointers, ordered at random: many of them race."""
    lines: list[str] = []
    for k in range(2, draw(st.integers(3, 7))):
        earlier = draw(st.integers(0, k - 1))
        token = draw(st.sampled_from(["%t0", "%tok", *(f"%t{n}" for n in range(k))]))
        places = {"k": k, "a": draw(st.integers(0, 1)), "b": earlier, "token": token}
        lines.append(draw(st.sampled_from(PIECES)).format(**places))
    last = k
    carried = draw(st.integers(0, last))
    upper = draw(st.sampled_from(["%four", "%n"]))
    body = "\n".join(lines)
    return kernel(
        f"""{PREAMBLE}
        %p0 = offset %x, %zero : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        %p1 = offset %x, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        %v0 = addi %n, %one : tile<i32>
        %sum, %end = for %i in (%zero to {upper}, step %one) : tile<i32>
            iter_values(%v1 = %one, %tok = %t0) -> (tile<i32>, token) {{
          %t1 = join_tokens %tok, %t0 : token
          {body}
          continue %v{last}, %t{carried} : tile<i32>, token
        }}
        store_ptr_tko weak %out, %sum token = %end : tile<ptr<i32>>, tile<i32> -> token""",
        PARAMETERS,
    )


RACES = InterpretOptions(memcheck=True, racecheck=True)


@given(programs(), st.integers(0, 3))
@settings(max_examples=samples(25, of=60), deadline=None)
def test_programs_without_races_compute_the_same(module: Operation, rounds: int) -> None:
    before = results(module, arguments(rounds), RACES)
    run(module, f"{PASS},simplify-tokens,eliminate-dead-accesses,{PASS}")
    after = results(module, arguments(rounds), RACES)
    if not before[1]:
        assert after == before


@given(programs())
@settings(max_examples=30, deadline=None)
def test_a_second_run_changes_nothing(module: Operation) -> None:
    before = str(run(module, PASS))
    assert str(run(module, PASS)) == before
