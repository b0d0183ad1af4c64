"""Counted loops near the ends of their types: as many rounds as the interpreter makes, and always an end."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

from tests.support.samples import samples
from tilewright.driver.launch import launch
from tilewright.driver.sources import load

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

PROGRAM = """
cuda_tile.module @m {{
  entry @k(%out: tile<ptr<i64>>, %lower: tile<i{width}>, %upper: tile<i{width}>, %step: tile<i{width}>) {{
    %zero = constant <i64: 0> : tile<i64>
    %one = constant <i64: 1> : tile<i64>
    {constant}
    %count, %sum = for {unsigned} %i in (%lower to %upper, step {name}) : tile<i{width}>
        iter_values(%n = %zero, %s = %zero) -> (tile<i64>, tile<i64>) {{
      %m = addi %n, %one : tile<i64>
      {widen}
      %t = addi %s, %wide : tile<i64>
      continue %m, %t : tile<i64>, tile<i64>
    }}
    %t0 = store_ptr_tko weak %out, %count : tile<ptr<i64>>, tile<i64> -> token
    %next = offset %out, %one : tile<ptr<i64>>, tile<i64> -> tile<ptr<i64>>
    %t1 = store_ptr_tko weak %next, %sum : tile<ptr<i64>>, tile<i64> -> token
    return
  }}
}}
"""
WIDTHS = (8, 16, 32, 64)
MAXIMUM_ITERATIONS = 200


@cache
def program(width: int, unsigned: bool, step: int | None) -> Any:
    """A kernel that counts rounds and sums positions; the step is a parameter, or a constant."""
    signed = "unsigned" if unsigned else "signed"
    widen = f"%wide = exti %i {signed} : tile<i{width}> -> tile<i64>"
    if width == 64:
        widen = "%wide = addi %i, %zero : tile<i64>"
    constant = "" if step is None else f"%by = constant <i{width}: {step}> : tile<i{width}>"
    name = "%step" if step is None else "%by"
    text = PROGRAM.format(
        width=width, unsigned="unsigned" if unsigned else "", widen=widen, constant=constant, name=name
    )
    return load(text), {}


@cache
def compiled(width: int, unsigned: bool, step: int | None) -> Any:
    import tilewright

    return tilewright.compile(program(width, unsigned, step)[0])


def found(width: int, unsigned: bool, bounds: tuple[int, int, int], target: str, constant: bool) -> list[int]:
    out = np.zeros(2, np.int64)
    step = bounds[2] if constant else None
    if target == "cpu":
        compiled(width, unsigned, step).launch(1, [out, *bounds])
    else:
        launch(program(width, unsigned, step)[0], None, 1, [out, *bounds], target=target)
    return out.tolist()


@st.composite
def loops(draw: Any) -> tuple[int, bool, tuple[int, int, int]]:
    """A type, and bounds near the ends of it or near zero, with few rounds between them."""
    width, unsigned = draw(st.sampled_from(WIDTHS)), draw(st.booleans())
    low = 0 if unsigned else -(1 << (width - 1))
    high = low + (1 << width) - 1
    most = 1 << (width - 1)
    near = st.integers(0, 12)
    ends = st.one_of(
        near.map(lambda d: high - d),
        near.map(lambda d: low + d),
        near.map(lambda d: max(low, d - 6)),
        st.integers(low, high),
    )
    lower, upper = draw(ends), draw(ends)
    least = max(1, (upper - lower) // MAXIMUM_ITERATIONS)
    steps = st.one_of(
        near.map(lambda d: least + d), near.map(lambda d: most - 1 - d), st.integers(least, most - 1)
    )
    return width, unsigned, (lower, upper, min(max(draw(steps), 1), most - 1))


@settings(max_examples=samples(25, of=60), deadline=None)
@given(loops())
@example((64, False, (2**63 - 8, 2**63 - 1, 5)))
@example((64, True, (2**64 - 2, 2**64 - 1, 2)))
@example((32, False, (2**31 - 8, 2**31 - 1, 5)))
@example((8, True, (254, 255, 2)))
@example((64, False, (-(2**63), 2**63 - 1, 2**63 - 1)))
def test_as_many_rounds_as_the_interpreter(loop: tuple[int, bool, tuple[int, int, int]]) -> None:
    width, unsigned, bounds = loop
    expected = list(range(*bounds))
    assert len(expected) <= MAXIMUM_ITERATIONS * 2
    sums = (sum(expected) + (1 << 63)) % (1 << 64) - (1 << 63)
    for target in ("cpu", "interp"):
        assert found(width, unsigned, bounds, target, constant=False) == [len(expected), sums]


@pytest.mark.parametrize("unsigned", [False, True])
@pytest.mark.parametrize("step", [1, 2, 5])
@pytest.mark.parametrize("width", WIDTHS)
def test_steps_that_are_constants(width: int, step: int, unsigned: bool) -> None:
    top = (1 << width) - 1 if unsigned else (1 << (width - 1)) - 1
    for first in (top - 8, top - 1, top):
        expected = list(range(first, top, step))
        sums = (sum(expected) + (1 << 63)) % (1 << 64) - (1 << 63)
        assert found(width, unsigned, (first, top, step), "cpu", constant=True) == [len(expected), sums]


@pytest.mark.parametrize("unsigned", [False, True])
@pytest.mark.parametrize("width", WIDTHS)
def test_an_illegal_step_ends(width: int, unsigned: bool) -> None:
    """It is undefined; but not for ever."""
    assert found(width, unsigned, (0, 100, 0), "cpu", constant=False)[0] <= 1
