"""Elementary functions are as near to the exact results as the page `cpu-math.md` says, special values exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.targets.cpu.elementwise_functions import (
    FUNCTIONS,
    INTEGER_POWERS,
    TYPES,
    VARIANTS,
    Array,
    Function,
    error_in_ulps,
)
from tests.targets.cpu.elementwise_harness import Compiled, format_of
from tests.targets.cpu.elementwise_inputs import operands_of
from tilewright.interp.numerics import arithmetic
from tilewright.interp.numerics.element import decode, from_bits, to_bits
from tilewright.ir.builtin_types import bf16, f16, f32, f64, i32
from tilewright.targets.cpu.math import coefficients, exponential
from tools import minimax

STRIDE = 16_411
"""Every so many of all bit patterns of f32; a prime."""
HALF = 0.5005
"""The error of a result that was rounded from a wider format."""
SCALAR = 1
LARGE_ANGLES = (4.9e4, 1e6, 1e10, 3e38, -1e22)


@pytest.fixture(scope="module")
def compiled() -> Compiled:
    scalars = [function.case(f32, SCALAR) for function in FUNCTIONS]
    vectors = [function.case(type) for function in FUNCTIONS for type in TYPES]
    return Compiled([*vectors, *scalars, *VARIANTS, *INTEGER_POWERS])


def inputs(function: Function, type: Any) -> list[Array]:
    if function.arity == 1 and type is f32:
        patterns = np.arange(0, 1 << 32, STRIDE, dtype=np.uint64).astype(np.uint32)
        return [np.concatenate([patterns.view(np.float32), operands_of((f32,))[0]])]
    if function.arity == 1 and type in (f16, bf16):
        return [from_bits(np.arange(1 << 16), format_of(type))]
    operands = operands_of((type,) * function.arity)
    if type is f64:  # the C library differs in signaling NaN, which no program can make
        operands = [np.where(np.isnan(operand), np.nan, operand) for operand in operands]
    return operands


def errors(function: Function, type: Any, operands: list[Array], got: Array) -> Array:
    format = format_of(type)
    with np.errstate(all="ignore"):
        exact = function.reference(*[decode(operand, format) for operand in operands])
    if type is not f64:
        limit = format.max_finite * (1 + 2.0 ** -(format.precision + 1))
        exact = np.where(np.abs(exact) > limit, np.copysign(np.inf, exact), exact)
    return error_in_ulps(decode(got, format), exact, format.precision, format.emin)


def bound(function: Function, type: Any) -> float:
    return {f32: function.bound, f64: function.bound_f64}.get(type, HALF)


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


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)
def test_single_elements_are_computed_as_vectors_are(compiled: Compiled, function: Function) -> None:
    operands = operands_of((f32,) * function.arity)
    vectors = compiled.run(function.case(f32).name, f32, *operands)
    scalars = compiled.run(function.case(f32, SCALAR).name, f32, *operands)
    assert vectors.tobytes() == scalars.tobytes()


@pytest.mark.parametrize("function", FUNCTIONS[:-2], ids=lambda function: function.name)
def test_special_values_are_those_of_the_interpreter(compiled: Compiled, function: Function) -> None:
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45], dtype=np.float32)
    got = compiled.run(function.case(f32).name, f32, x)
    expected = getattr(arithmetic, function.name)(x)
    exact = ~np.isfinite(expected) | (expected == 0) | (np.abs(x) > 0) & np.isinf(x)
    assert got[exact].tobytes() == expected[exact].tobytes()


@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_large_angles(compiled: Compiled, name: str) -> None:
    function = next(function for function in FUNCTIONS if function.name == name)
    x = np.array(LARGE_ANGLES, dtype=np.float32)
    got = compiled.run(function.case(f32).name, f32, x)
    assert errors(function, f32, [x], got).max() <= function.bound


@pytest.mark.parametrize("name", ["exp2", "rsqrt"])
def test_subnormal_numbers_are_flushed(compiled: Compiled, name: str) -> None:
    x = np.concatenate([operands_of((f32,))[0], np.linspace(-151, -120, 500, dtype=np.float32)])
    got = compiled.run(f"{name}_flushing", f32, x)
    expected = getattr(arithmetic, name)(x, flush_to_zero=True)
    small = (np.abs(expected) < 2.0**-126) | (np.abs(x) < 2.0**-126)
    assert got[small].tobytes() == expected[small].tobytes()
    assert small.any()


@pytest.mark.parametrize("name", ["tanh", "exp"])
def test_approximate_modes_are_no_worse(compiled: Compiled, name: str) -> None:
    function = next(function for function in FUNCTIONS if function.name == name)
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


def test_a_wrong_coefficient_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    data = exponential.NATURAL[f32]
    wrong = (*data.polynomial[:-1], coefficients.EXP[-1] * 1.01)
    changed = exponential.Exponential(data.lowest, data.highest, data.rate, data.steps, wrong)
    monkeypatch.setitem(exponential.NATURAL, f32, changed)
    function = FUNCTIONS[0]
    x = inputs(function, f32)
    got = Compiled([function.case(f32)]).run(function.case(f32).name, f32, *x)
    assert errors(function, f32, x, got).max() > function.bound


@pytest.mark.parametrize("name", ["SIN", "COS"])
def test_coefficients_are_those_that_the_tool_makes(name: str) -> None:
    task = next(task for task in minimax.TASKS if task.name == name)
    found, error = minimax.minimax(task)
    assert tuple(float(c) for c in found) == getattr(coefficients, name)
    assert error < 1e-8
