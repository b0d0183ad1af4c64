"""Elementary functions: what they should be, in f64, and how far from it they may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.targets.cpu.elementwise.elementwise_harness import LANES, Case, format_of
from tests.targets.cpu.elementwise.elementwise_inputs import operands_of
from tilewright.dialects.math import dialect as math
from tilewright.dialects.nv_tileaa.attributes import RoundingMode
from tilewright.dialects.nv_tileaa.ops import math as aa
from tilewright.interp.numerics import arithmetic
from tilewright.interp.numerics.element import decode
from tilewright.ir.builtin_types import bf16, f16, f32, f64, i32
from tilewright.ir.operation import Operation

Array = np.ndarray[Any, Any]
WIDER: Any = np.longdouble
"""What results in f64 are held against: 64 bits of precision or more on most systems."""


def reciprocal_root(x: Array) -> Array:
    return 1.0 / np.sqrt(x)


def power(base: Array, exponent: Array) -> Array:
    """The host's power of ordinary numbers, and the interpreter's of others, on which hosts differ."""
    ordinary = np.isfinite(base) & np.isfinite(exponent) & (base != 0) & (np.abs(base) != 1) & (exponent != 0)
    special = arithmetic.power(base.astype(np.float64), exponent.astype(np.float64))
    return np.where(ordinary, np.power(base, exponent), special.astype(base.dtype))


@dataclass(frozen=True)
class Function:
    """A function of one or two numbers: its operation, its meaning, and the largest error in units of the last place."""

    name: str
    make: Callable[..., Operation]
    reference: Callable[..., Array]
    bound: float
    """For f32."""
    bound_f64: float
    arity: int = 1

    def case(self, type: Any, lanes: int = LANES) -> Case:
        """The function of a type."""
        return Case(f"{self.name}_{type}_{lanes}", (type,) * self.arity, self.make, lanes)


FUNCTIONS = (
    Function("exp", math.ExpOp, np.exp, 1.6, 1.6),
    Function("exp2", aa.Exp2Op, np.exp2, 1.6, 1.6),
    Function("log", math.LogOp, np.log, 1.0, 1.1),
    Function("log2", math.Log2Op, np.log2, 1.0, 1.0),
    Function("sin", math.SinOp, np.sin, 1.5, 1.2),
    Function("cos", math.CosOp, np.cos, 1.5, 1.2),
    Function("tan", math.TanOp, np.tan, 1.7, 1.2),
    Function("sinh", math.SinhOp, np.sinh, 0.8, 0.8),
    Function("cosh", math.CoshOp, np.cosh, 0.9, 0.9),
    Function("tanh", math.TanhOp, np.tanh, 1.6, 0.9),
    Function("rsqrt", aa.RsqrtOp, reciprocal_root, 1.5, 1.5),
    Function("atan2", math.Atan2Op, np.arctan2, 1.7, 1.8, 2),
    Function("pow", math.PowFOp, power, 0.501, 0.8, 2),
)
BY_NAME = {function.name: function for function in FUNCTIONS}
TYPES = (f32, f16, bf16, f64)
VARIANTS = (
    Case("exp2_flushing", (f32,), lambda x: aa.Exp2Op(x, flush_to_zero=True)),
    Case("rsqrt_flushing", (f32,), lambda x: aa.RsqrtOp(x, flush_to_zero=True)),
    Case("exp_flushing", (f32,), lambda x: aa.ExpOp(x, flush_to_zero=True)),
    Case("tanh_flushing", (f32,), lambda x: aa.TanhOp(x, flush_to_zero=True)),
    Case("tanh_approx", (f32,), lambda x: aa.TanhOp(x, rounding_mode=RoundingMode.APPROX)),
    Case("exp_approx", (f32,), lambda x: aa.ExpOp(x, rounding_mode=RoundingMode.APPROX)),
)
INTEGER_POWERS = tuple(Case(f"fpowi_{type}", (type, i32), math.FPowIOp) for type in TYPES)


def error_in_ulps(got: Array, exact: Array, precision: int, least_exponent: int) -> Array:
    """Distances from exact results, of a wider format, in units of the last place; 0 where both are NaN or equal."""
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(np.abs(exact))
        unit = np.ldexp(exact.dtype.type(1), np.maximum(exponent - 1, least_exponent) - (precision - 1))
        error = (np.abs(got.astype(exact.dtype) - exact) / unit).astype(np.float64)
        same = (got == exact) | (np.isnan(got) & np.isnan(exact))
        return np.where(same, 0.0, np.where(np.isnan(error), np.inf, error))


def doubles(arity: int, count: int = 4000) -> list[Array]:
    """Special and random numbers, and dense ones where functions bend, reduce or end."""
    rng = np.random.default_rng(1)
    special = operands_of((f64,) * arity)

    def ordinary() -> Array:
        quarters = rng.integers(-9, 10, count) * (np.pi / 2)
        rows = [rng.uniform(-limit, limit, count) for limit in (1.0, 10.0, 750.0)]
        rows += [quarters * (1 + rng.uniform(-1e-9, 1e-9, count)), 1 + rng.uniform(-0.01, 0.01, count)]
        rows += [np.exp(rng.uniform(-700, 700, count)), rng.uniform(-1080, 1030, count)]
        return rng.permutation(np.concatenate(rows))

    return [np.concatenate([row, ordinary()]) for row in special]


def exact_results(function: Function, type: Any, operands: list[Array]) -> Array:
    """In a wider format; what rounds to infinity is infinite."""
    format = format_of(type)
    wide = WIDER if type is f64 else np.float64
    with np.errstate(all="ignore"):
        exact = function.reference(*[decode(operand, format).astype(wide) for operand in operands])
        limit = wide(format.max_finite) * (1 + wide(2) ** -(format.precision + 1))
        return np.where(np.abs(exact) > limit, np.copysign(wide(np.inf), exact), exact)
