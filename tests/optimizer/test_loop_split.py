"""`loop-split`: what is split, what is not, and that the rounds stay the same, also where numbers end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tests.optimizer.optimizing import kernel, names, parsed, results, run, warnings
from tests.support.samples import samples
from tilewright.interp.values import InterpretOptions
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import IntegerAttr, StringAttr
from tilewright.ir.builtin_types import i64
from tilewright.ir.operation import Operation

WIDTHS = (8, 16, 32, 64)
PROMISES = InterpretOptions(promises=True)
"""A division by zero is an error, too."""
PREDICATES = ("less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal")


def counting(
    condition: str = "cmpi greater_than %i, %v, signed",
    *,
    width: int = 32,
    unsigned: bool = False,
    **constants: int,
) -> Operation:
    """A loop that hashes its counters, differently where a condition holds; bounds are parameters or constants."""
    kind, sign = f"tile<i{width}>", "unsigned" if unsigned else "signed"
    bounds = {"lb", "ub", "step", "v"} - constants.keys()
    fixed = "\n".join(f"%{name} = constant <i{width}: {value}> : {kind}" for name, value in constants.items())
    parameters = ["%out: tile<ptr<i64>>", *(f"%{name}: {kind}" for name in sorted(bounds))]
    wide = f"exti %i {sign} : {kind} -> tile<i64>" if width < 64 else "addi %i, %zero : tile<i64>"
    body = f"""
    {fixed}
    %zero = constant <i64: 0> : tile<i64>
    %three = constant <i64: 3> : tile<i64>
    %sum = for {"unsigned " * unsigned}%i in (%lb to %ub, step %step) : {kind}
        iter_values(%acc = %three) -> (tile<i64>) {{
      %c = {condition} : {kind} -> tile<i1>
      %wide = {wide}
      %x = if %c -> (tile<i64>) {{
        %y = muli %wide, %three : tile<i64>
        yield %y : tile<i64>
      }} else {{
        yield %wide : tile<i64>
      }}
      %scaled = muli %acc, %three : tile<i64>
      %next = addi %scaled, %x : tile<i64>
      continue %next : tile<i64>
    }}
    store_ptr_tko weak %out, %sum : tile<ptr<i64>>, tile<i64> -> token
    """
    return kernel(body, ", ".join(parameters))


@st.composite
def loops(draw: Any) -> tuple[Operation, list[Any]]:
    """A loop of a few rounds, often at the ends of the number range, with its arguments."""
    width, unsigned = draw(st.sampled_from(WIDTHS)), draw(st.booleans())
    low, high = (0, 2**width - 1) if unsigned else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
    numbers = st.one_of(st.integers(low, low + 9), st.integers(high - 9, high), st.integers(-9, 30)).map(
        lambda n: min(max(n, low), high)
    )
    lower, step = draw(numbers), draw(st.one_of(st.integers(1, 3), numbers.map(lambda n: max(n, 1))))
    upper = min(lower + draw(st.integers(-1, 9)) * step + draw(st.integers(0, 2)), high)
    upper = max(upper, low)
    near = st.integers(min(lower, upper) - 3, max(lower, upper) + 3).map(lambda n: min(max(n, low), high))
    values = {"lb": lower, "ub": upper, "step": step, "v": draw(st.one_of(near, numbers))}
    known = {name: value for name, value in values.items() if draw(st.booleans())}
    operands = "%i, %v" if draw(st.booleans()) else "%v, %i"
    condition = f"cmpi {draw(st.sampled_from(PREDICATES))} {operands}, {'unsigned' if unsigned else 'signed'}"
    module = counting(condition, width=width, unsigned=unsigned, **known)
    arguments = [values[name] for name in sorted(values.keys() - known.keys())]
    return module, [np.zeros(1, np.int64), *arguments]


@given(loops())
@settings(max_examples=samples(50, of=150), deadline=None)
def test_rounds_stay_the_same(sample: tuple[Operation, list[Any]]) -> None:
    module, arguments = sample
    before = results(module, arguments)
    assert not before[1]
    run(module, "loop-split")
    assert results(module, arguments) == before


@pytest.mark.parametrize("constants", [{}, {"step": 1}, {"lb": 120}], ids=str)
@pytest.mark.parametrize("condition", PREDICATES)
@pytest.mark.parametrize("bound", [127, 126, -128, -127])
def test_bounds_at_the_ends(condition: str, bound: int, constants: dict[str, int]) -> None:
    """The number after the largest is the smallest: no half may be bounded by that."""
    module = counting(f"cmpi {condition} %i, %v, signed", width=8, **constants)
    values = {"lb": 120, "ub": 127, "step": 1, "v": bound}
    arguments = [np.zeros(1, np.int64), *(values[name] for name in sorted(values.keys() - constants.keys()))]
    before = results(module, arguments)
    assert names(run(module, "loop-split")).count("for") == 2
    assert results(module, arguments) == before


@pytest.mark.parametrize("condition", PREDICATES)
@pytest.mark.parametrize("bound", [126, 127])
def test_split_points_beyond_the_largest_number(condition: str, bound: int) -> None:
    """The first counter beyond the bound is computed with steps, and may be no number of the type."""
    module = counting(f"cmpi {condition} %i, %v, signed", width=8, lb=0, step=9, v=bound)
    before = results(module, [np.zeros(1, np.int64), 127])
    run(module, "loop-split")
    assert results(module, [np.zeros(1, np.int64), 127]) == before


@pytest.mark.parametrize("step", [0, -1])
def test_an_illegal_step_is_still_what_is_wrong(step: int) -> None:
    module = counting()
    arguments = [np.zeros(1, np.int64), 0, step, 9, 4]
    before = results(module, arguments, PROMISES)
    assert "must be positive" in before[1]
    assert results(run(module, "loop-split"), arguments, PROMISES) == before


def test_a_loop_becomes_two() -> None:
    module = run(counting(lb=0, step=1), "loop-split")
    assert names(module).count("for") == 2
    assert "if" not in names(module)
    assert "cmpi" not in names(module)


def test_a_second_run_changes_nothing() -> None:
    module = run(counting(), "loop-split")
    before = str(module)
    assert str(run(module, "loop-split")) == before


@pytest.mark.parametrize(
    ("condition", "constants"),
    [
        ("cmpi equal %i, %v, signed", {}),
        ("cmpi less_than %i, %v, unsigned", {}),
        ("cmpi less_than %ub, %v, signed", {}),
        ("cmpi less_than %i, %i, signed", {}),
        ("cmpi greater_than %i, %v, signed", {"v": 2**31 - 1}),
        ("cmpi less_than_or_equal %i, %v, signed", {"v": 2**31 - 1}),
        ("cmpi less_than %i, %v, signed", {"step": 0}),
    ],
)
def test_what_does_not_split(condition: str, constants: dict[str, int]) -> None:
    module = counting(condition, **constants)
    before = str(module)
    assert str(run(module, "loop-split")) == before


def test_a_carried_value_is_not_invariant() -> None:
    """It is a block argument, as a parameter is, but of the loop."""
    module = kernel(
        """
        %sum = for %i in (%n to %m, step %n) : tile<i32> iter_values(%acc = %n) -> (tile<i32>) {
          %c = cmpi less_than %i, %acc, signed : tile<i32> -> tile<i1>
          if %c { print_tko "x" -> token }
          continue %i : tile<i32>
        }
        """,
        "%n: tile<i32>, %m: tile<i32>",
    )
    assert names(run(module, "loop-split")).count("for") == 1


LEAVING = """
    %sum = for %i in (%n to %m, step %n) : tile<i32> iter_values(%acc = %n) -> (tile<i32>) {
      %c = cmpi less_than %i, %v, signed : tile<i32> -> tile<i1>
      if %c {
        %next = addi %acc, %i : tile<i32>
        continue %next : tile<i32>
      }
      %other = muli %acc, %i : tile<i32>
      if %c { continue %n : tile<i32> }
      continue %other : tile<i32>
    }
    store_ptr_tko weak %out, %sum : tile<ptr<i32>>, tile<i32> -> token
"""
LEAVING_PARAMETERS = "%out: tile<ptr<i32>>, %n: tile<i32>, %m: tile<i32>, %v: tile<i32>"


@pytest.mark.parametrize("bound", [0, 1, 3, 5, 9])
def test_a_branch_that_goes_on_early(bound: int) -> None:
    module = kernel(LEAVING, LEAVING_PARAMETERS)
    arguments = [np.zeros(1, np.int32), 1, 6, bound]
    before = results(module, arguments)
    run(module, "loop-split")
    assert "if" not in names(module)
    assert names(module).count("muli") == 1
    assert results(module, arguments) == before


NESTED = """
    %sum = for %i in (%n to %m, step %n) : tile<i32> iter_values(%acc = %n) -> (tile<i32>) {
      %inner = for %j in (%n to %m, step %n) : tile<i32> iter_values(%a = %acc) -> (tile<i32>) {
        %c = cmpi less_than %j, %v, signed : tile<i32> -> tile<i1>
        %d = cmpi less_than %i, %v, signed : tile<i32> -> tile<i1>
        %x = if %c -> (tile<i32>) { yield %i : tile<i32> } else { yield %j : tile<i32> }
        %y = if %d -> (tile<i32>) { yield %x : tile<i32> } else { yield %m : tile<i32> }
        %s = muli %a, %m : tile<i32>
        %t = addi %s, %y : tile<i32>
        continue %t : tile<i32>
      }
      continue %inner : tile<i32>
    }
    store_ptr_tko weak %out, %sum : tile<ptr<i32>>, tile<i32> -> token
"""


def test_nested_loops_are_both_split() -> None:
    module = kernel(NESTED, LEAVING_PARAMETERS)
    arguments = [np.zeros(1, np.int32), 1, 6, 3]
    before = results(module, arguments)
    run(module, "loop-split")
    assert names(module).count("for") == 6  # each of the two outer ones has two inner ones
    assert results(module, arguments) == before
    run(module, "canonicalize")
    assert results(module, arguments) == before


# thresholds and hints


def splits(module: Operation, options: str = "") -> bool:
    return names(run(module, f"loop-split{options}")).count("for") == 2


def hinted(**hints: Attribute) -> Operation:
    """A loop with hints on operations of some kinds."""
    module = counting()
    for op in module.walk():
        if op.kind.mnemonic in hints:
            op.attributes["cuda_tile.loop_split"] = hints[op.kind.mnemonic]
    return module


def test_thresholds_count_operations() -> None:
    assert splits(counting(), "{split-threshold=1}")
    assert not splits(counting(), "{split-threshold=2}")
    assert not splits(counting(), "{split-threshold=0}")


def test_heavy_operations_always_count() -> None:
    loading = str(counting()).replace(
        "yield %2", "%x, %t = load_ptr_tko weak %arg0 : tile<ptr<i64>> -> tile<i64>, token\nyield %x"
    )
    assert splits(parsed(loading), "{split-threshold=9}")


NEVER, ALWAYS = IntegerAttr(i64, 0), IntegerAttr(i64, 1)


def test_the_innermost_hint_holds() -> None:
    assert not splits(hinted(**{"for": NEVER}))
    assert not splits(hinted(entry=NEVER))
    assert splits(hinted(entry=NEVER, **{"for": ALWAYS}))
    assert splits(hinted(**{"if": ALWAYS, "for": NEVER}))
    assert not splits(hinted(entry=ALWAYS, **{"if": NEVER, "for": ALWAYS}))
    assert splits(hinted(**{"for": ALWAYS}), "{split-threshold=0}")


def test_a_hint_that_is_no_number_is_told() -> None:
    (warning,) = warnings(hinted(**{"for": StringAttr("yes")}), "loop-split")
    assert str(warning.code) == "TW0851"
    assert "must be an integer" in warning.message
