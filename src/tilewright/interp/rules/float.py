"""Rules of element-wise floating-point operations."""

from __future__ import annotations

from typing import Protocol

from tilewright.dialects.cuda_tile.enums import RoundingMode
from tilewright.dialects.cuda_tile.ops import float as ops
from tilewright.interp.numerics import arithmetic
from tilewright.interp.rules.rule import RuleTable, calls
from tilewright.interp.values import text

RULES = RuleTable()


class RoundingOperation(Protocol):
    """An operation with a rounding mode, ``rounding_mode``, and a flag ``flush_to_zero``, which says that
    subnormal numbers are replaced by zero.
    """

    rounding_mode: RoundingMode
    flush_to_zero: bool


def _rounding_and_flush(op: RoundingOperation) -> tuple[str, bool]:
    return text(op.rounding_mode), op.flush_to_zero


def _rounding(op: ops.ExpOp | ops.TanHOp) -> tuple[str]:
    return (text(op.rounding_mode),)


def _flush(op: ops.Exp2Op | ops.RsqrtOp) -> tuple[bool]:
    return (op.flush_to_zero,)


def _nan_and_flush(op: ops.ExtremumFOp) -> tuple[bool, bool]:
    return op.propagate_nan, op.flush_to_zero


def _comparison(op: ops.CmpFOp) -> tuple[str, str]:
    return text(op.comparison_predicate), text(op.comparison_ordering)


RULES.rules.update(
    {
        ops.AbsFOp: calls(arithmetic.absf),
        ops.NegFOp: calls(arithmetic.negf),
        ops.AddFOp: calls(arithmetic.addf, _rounding_and_flush),
        ops.SubFOp: calls(arithmetic.subf, _rounding_and_flush),
        ops.MulFOp: calls(arithmetic.mulf, _rounding_and_flush),
        ops.DivFOp: calls(arithmetic.divf, _rounding_and_flush),
        ops.FmaOp: calls(arithmetic.fma, _rounding_and_flush),
        ops.SqrtOp: calls(arithmetic.sqrt, _rounding_and_flush),
        ops.RsqrtOp: calls(arithmetic.rsqrt, _flush),
        ops.ExpOp: calls(arithmetic.exp, _rounding),
        ops.Exp2Op: calls(arithmetic.exp2, _flush),
        ops.LogOp: calls(arithmetic.log),
        ops.Log2Op: calls(arithmetic.log2),
        ops.SinOp: calls(arithmetic.sin),
        ops.CosOp: calls(arithmetic.cos),
        ops.TanOp: calls(arithmetic.tan),
        ops.SinHOp: calls(arithmetic.sinh),
        ops.CosHOp: calls(arithmetic.cosh),
        ops.TanHOp: calls(arithmetic.tanh, _rounding),
        ops.PowOp: calls(arithmetic.pow),
        ops.FPowIOp: calls(arithmetic.fpowi),
        ops.Atan2Op: calls(arithmetic.atan2),
        ops.RemFOp: calls(arithmetic.remf),
        ops.CeilOp: calls(arithmetic.ceil),
        ops.FloorOp: calls(arithmetic.floor),
        ops.MaxFOp: calls(arithmetic.maxf, _nan_and_flush),
        ops.MinFOp: calls(arithmetic.minf, _nan_and_flush),
        ops.CmpFOp: calls(arithmetic.cmpf, _comparison),
    }
)
