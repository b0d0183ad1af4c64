"""Elementary functions: what they should be, in f64, and how far from it they may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.targets.cpu.elementwise_cases import noted
from tests.targets.cpu.elementwise_harness import LANES, Case
from tilewright.dialects.math import ops as math
from tilewright.dialects.nv_tileaa import ops_math as aa
from tilewright.dialects.nv_tileaa.attributes import RoundingMode, RoundingModeAttr
from tilewright.ir.builtin_types import bf16, f16, f32, f64, i32
from tilewright.ir.operation import Operation

Array = np.ndarray[Any, Any]


def reciprocal_root(x: Array) -> Array:
    return 1.0 / np.sqrt(x)


@dataclass(frozen=True)
class Function:
    """A function of one or two numbers: its operation, its meaning, and the largest error in units of the last place."""

    name: str
    make: Callable[..., Operation]
    reference: Callable[..., Array]
    bound: float
    """For f32."""
    arity: int = 1
    bound_f64: float = 2.1

    def case(self, type: Any, lanes: int = LANES) -> Case:
        """The function of a type."""
        return Case(f"{self.name}_{type}_{lanes}", (type,) * self.arity, self.make, lanes)


FUNCTIONS = (
    Function("exp", math.ExpOp, np.exp, 1.6),
    Function("exp2", aa.Exp2Op, np.exp2, 2.0),
    Function("log", math.LogOp, np.log, 1.0),
    Function("log2", math.Log2Op, np.log2, 1.5),
    Function("sin", math.SinOp, np.sin, 1.6),
    Function("cos", math.CosOp, np.cos, 1.6),
    Function("tan", math.TanOp, np.tan, 2.0),
    Function("sinh", math.SinhOp, np.sinh, 2.0),
    Function("cosh", math.CoshOp, np.cosh, 2.0),
    Function("tanh", math.TanhOp, np.tanh, 2.0),
    Function("rsqrt", aa.RsqrtOp, reciprocal_root, 1.5),
    Function("atan2", math.Atan2Op, np.arctan2, 1.5, 2),
    Function("pow", math.PowFOp, np.power, 0.501, 2),
)
TYPES = (f32, f16, bf16, f64)
APPROXIMATE = RoundingModeAttr(RoundingMode.APPROX)
VARIANTS = (
    Case("exp2_flushing", (f32,), lambda x: aa.Exp2Op(x, flush_to_zero=True)),
    Case("rsqrt_flushing", (f32,), lambda x: aa.RsqrtOp(x, flush_to_zero=True)),
    Case("tanh_approx", (f32,), lambda x: noted(math.TanhOp(x), rounding_mode=APPROXIMATE)),
    Case("exp_approx", (f32,), lambda x: noted(math.ExpOp(x), rounding_mode=APPROXIMATE)),
)
INTEGER_POWERS = tuple(Case(f"fpowi_{type}", (type, i32), math.FPowIOp) for type in TYPES)


def error_in_ulps(got: Array, exact: Array, precision: int, least_exponent: int) -> Array:
    """Distances from exact results in units of the last place of the format; 0 where both are NaN or equal."""
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(np.abs(exact))
        unit = np.ldexp(1.0, np.maximum(exponent - 1, least_exponent) - (precision - 1))
        error = np.abs(got.astype(np.float64) - exact) / unit
        same = (got == exact) | (np.isnan(got) & np.isnan(exact))
        return np.where(same, 0.0, np.where(np.isnan(error), np.inf, error))
