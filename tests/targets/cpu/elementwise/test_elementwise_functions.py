"""Elementary functions are as near to the exact results as the page `cpu-math.md` says, special values exactly."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.targets.cpu.elementwise.elementwise_functions import (
    BY_NAME,
    FUNCTIONS,
    INTEGER_POWERS,
    TYPES,
    VARIANTS,
    WIDER,
    Array,
    Function,
    doubles,
    error_in_ulps,
    exact_results,
)
from tests.targets.cpu.elementwise.elementwise_harness import Compiled, format_of, module_of
from tests.targets.cpu.elementwise.elementwise_inputs import operands_of
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.interp.numerics import arithmetic
from tilewright.interp.numerics.element import decode, from_bits, to_bits
from tilewright.ir.builtin_types import f32, f64, i32
from tilewright.targets.cpu.machine.host import HOST, obstacle, processor
from tilewright.targets.elements.math import coefficients, exponential, library
from tools import minimax

PAGE = Path(__file__).parents[4] / "docs" / "cpu-math.md"
STRIDE = 16_411
"""Every so many of all bit patterns of f32; a prime."""
HALF = 0.5005
"""The error of a result that was rounded from a wider format."""
SCALAR = 1
NO_REGISTER = (SCALAR, 4, 32)
"""Lanes of f32 and f64 that are less or more than a register of any processor."""
PLAIN = "x86-64-v3"
"""A processor without the instructions that `machine.avx512` is about."""
LARGE_ANGLES = (4.9e4, 1e6, 1e10, 3e38, -1e22)
NEAR_QUARTER_TURNS = (6381956970095103.0 * 2.0**797, 5.19, 2.0**28 + 1, -(2.0**1023), 1e300)
"""Large f64; the first is nearer to a multiple of a quarter turn than any other."""


@pytest.fixture(scope="module")
def compiled() -> Compiled:
    vectors = [function.case(type) for function in FUNCTIONS for type in TYPES]
    return Compiled([*vectors, *VARIANTS, *INTEGER_POWERS])


@pytest.fixture(scope="module")
def plain() -> Compiled:
    if obstacle(processor(PLAIN)):
        pytest.skip(obstacle(processor(PLAIN)))
    return Compiled([function.case(type) for function in FUNCTIONS for type in (f32, f64)], PLAIN)


def inputs(function: Function, type: Any) -> list[Array]:
    if type is f64:
        return [np.where(np.isnan(operand), np.nan, operand) for operand in doubles(function.arity)]
    if function.arity == 1 and type is f32:
        patterns = np.arange(0, 1 << 32, STRIDE, dtype=np.uint64).astype(np.uint32)
        return [np.concatenate([patterns.view(np.float32), operands_of((f32,))[0]])]
    if function.arity == 1:
        return [from_bits(np.arange(1 << 16), format_of(type))]
    return operands_of((type,) * function.arity)


def errors(function: Function, type: Any, operands: list[Array], got: Array) -> Array:
    format = format_of(type)
    exact = exact_results(function, type, operands)
    return error_in_ulps(decode(got, format), exact, format.precision, format.emin)


def bound(function: Function, type: Any) -> float:
    # the reference itself may be off where it is no wider than f64
    spare = 0.0 if np.finfo(WIDER).eps < np.finfo(np.float64).eps else 1.0
    return {f32: function.bound, f64: function.bound_f64 + spare}.get(type, HALF)


@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)
def test_error_is_bounded(compiled: Compiled, function: Function, type: Any) -> None:
    operands = inputs(function, type)
    got = compiled.run(function.case(type).name, type, *operands)
    error = errors(function, type, operands, got)
    worst = int(np.argmax(error))
    assert error[worst] <= bound(function, type), [operand[worst] for operand in operands]
    format = format_of(type)
    assert set(to_bits(got[np.isnan(decode(got, format))], format).tolist()) <= {format.nan_bits}


@pytest.mark.parametrize("type", [f32, f64], ids=str)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)
def test_error_is_bounded_on_plain_processors(plain: Compiled, function: Function, type: Any) -> None:
    operands = inputs(function, type)
    got = plain.run(function.case(type).name, type, *operands)
    assert errors(function, type, operands, got).max() <= bound(function, type)


@pytest.mark.parametrize("lanes", NO_REGISTER)
def test_results_do_not_depend_on_the_length_of_vectors(compiled: Compiled, lanes: int) -> None:
    others = Compiled([function.case(type, lanes) for function in FUNCTIONS for type in (f32, f64)])
    for function in FUNCTIONS:
        for type in (f32, f64):
            operands = operands_of((type,) * function.arity)
            expected = compiled.run(function.case(type).name, type, *operands)
            got = others.run(function.case(type, lanes).name, type, *operands)
            assert got.tobytes() == expected.tobytes(), (function.name, type)


@pytest.mark.parametrize("type", [f32, f64], ids=str)
@pytest.mark.parametrize("function", FUNCTIONS[:-2], ids=lambda function: function.name)
def test_special_values_are_those_of_the_interpreter(
    compiled: Compiled, plain: Compiled, function: Function, type: Any
) -> None:
    tiny = float(np.finfo(format_of(type).array_dtype).smallest_subnormal)
    values = [0.0, -0.0, np.inf, -np.inf, np.nan, tiny, -tiny]
    x = np.array(values, dtype=format_of(type).array_dtype)
    expected = getattr(arithmetic, function.name)(x)
    exact = ~np.isfinite(expected) | (expected == 0) | (np.abs(x) > 0) & np.isinf(x)
    for code in (compiled, plain):
        got = code.run(function.case(type).name, type, x)
        assert got[exact].tobytes() == expected[exact].tobytes()


@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_large_angles(compiled: Compiled, name: str) -> None:
    function = BY_NAME[name]
    for type, angles in ((f32, LARGE_ANGLES), (f64, LARGE_ANGLES + NEAR_QUARTER_TURNS)):
        x = np.array(angles, dtype=format_of(type).array_dtype)
        got = compiled.run(function.case(type).name, type, x)
        assert errors(function, type, [x], got).max() <= bound(function, type)


def test_powers_of_whole_numbers_are_exact_where_they_can_be(compiled: Compiled) -> None:
    base, exponent = (grid.ravel().astype(np.float64) for grid in np.mgrid[-12:13, 0:14])
    got = compiled.run(BY_NAME["pow"].case(f64).name, f64, base, exponent)
    assert got.tolist() == [float(int(b) ** int(e)) for b, e in zip(base, exponent, strict=True)]


def test_functions_need_no_library() -> None:
    modules = [
        module_of([function.case(f64) for function in FUNCTIONS], processor(cpu)) for cpu in (HOST, PLAIN)
    ]
    for module in modules:
        functions = [op for op in module.walk() if isinstance(op, LLVMFuncOp)]
        assert all(op.body.blocks for op in functions)


@pytest.mark.parametrize("name", ["exp2", "rsqrt", "exp", "tanh"])
def test_subnormal_numbers_are_flushed(compiled: Compiled, name: str) -> None:
    x = np.concatenate([operands_of((f32,))[0], np.linspace(-151, -120, 500, dtype=np.float32)])
    got = compiled.run(f"{name}_flushing", f32, x)
    expected = arithmetic.flush(getattr(arithmetic, name)(arithmetic.flush(x)))
    small = (np.abs(expected) < 2.0**-126) | (np.abs(x) < 2.0**-126)
    assert got[small].tobytes() == expected[small].tobytes()
    assert small.any()


@pytest.mark.parametrize("name", ["tanh", "exp"])
def test_approximate_modes_are_no_worse(compiled: Compiled, name: str) -> None:
    function = BY_NAME[name]
    (x,) = operands_of((f32,))
    assert errors(function, f32, [x], compiled.run(f"{name}_approx", f32, x)).max() <= function.bound


@pytest.mark.parametrize("type", TYPES, ids=str)
def test_integer_powers(compiled: Compiled, type: Any) -> None:
    base, exponent = operands_of((type, i32))
    exponent = np.where(np.arange(len(exponent)) % 2 == 0, exponent % 33 - 16, exponent).astype(np.int32)
    base = base if type is not f64 else np.where(np.isnan(base), np.nan, base)
    got = compiled.run(f"fpowi_{type}", type, base, exponent)
    expected = arithmetic.fpowi(base, exponent)
    format = format_of(type)
    same = to_bits(got, format) == to_bits(expected, format)
    with np.errstate(all="ignore"):
        near = np.abs(decode(got, format) / decode(expected, format) - 1) <= 2.0 ** (1 - format.precision)
    assert (same | near).all()


@pytest.mark.usefixtures("plain")
def test_a_wrong_coefficient_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    data = exponential.NATURAL[f32]
    wrong = (*data.polynomial[:-1], coefficients.EXP[-1] * 1.01)
    monkeypatch.setitem(exponential.NATURAL, f32, replace(data, polynomial=wrong))
    made_anew = library.library_function.__wrapped__
    monkeypatch.setattr(library, "library_function", made_anew)
    function = FUNCTIONS[0]
    x = inputs(function, f32)
    got = Compiled([function.case(f32)], PLAIN).run(function.case(f32).name, f32, *x)
    assert errors(function, f32, x, got).max() > function.bound


def test_the_page_states_the_bounds() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    stated = {name: (float(narrow), float(wide)) for name, narrow, wide in rows}
    assert stated == {function.name: (function.bound, function.bound_f64) for function in FUNCTIONS}


def test_bits_of_two_over_pi() -> None:
    assert minimax.two_over_pi(coefficients.TURN_BITS) == coefficients.TWO_OVER_PI
    assert 2 / np.pi == coefficients.TWO_OVER_PI / 2**coefficients.TURN_BITS


@pytest.mark.parametrize("name", ["SIN", "COS", "TANH"])
def test_coefficients_are_those_that_the_tool_makes(name: str) -> None:
    task = next(task for task in minimax.TASKS if task.name == name)
    found, error = minimax.minimax(task)
    assert tuple(float(c) for c in found) == getattr(coefficients, name)
    assert error < 4e-8
