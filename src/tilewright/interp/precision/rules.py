"""The reference of each float operation: the same function on exact values, and its promised error.

A rule is called once for each operation, like the rules of `tilewright.interp.rules`, and returns a function from the
references of the operands, and their values, to the references of the results. An operation without a rule has results
that are their own reference: integers, and functions that jump.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.cuda_tile.enums import RoundingMode
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    conversion,
    float as ops,
    tile as ops_tile,
)
from tilewright.interp.numerics.arithmetic import power
from tilewright.interp.numerics.element import ElementFormat
from tilewright.interp.numerics.integers import signed_view, unsigned_view
from tilewright.interp.precision.reference import (
    EXACT,
    HALF_UNIT,
    Reference,
    at_corners,
    of_numbers,
    rounded,
    unit,
    wide_format,
)
from tilewright.interp.rules.integer import is_signed
from tilewright.interp.rules.rule_set import ALL_RULES
from tilewright.interp.values import tile_format
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Refer = Callable[[Any, Sequence[Reference], Sequence[Any]], Reference]
"""A function of the tile block, the references of the operands, and the operands; it returns the reference of the
result. Operands that are no float tiles have references without meaning.
"""
REFERENCES: dict[type[Operation], Callable[[Any], Refer]] = {}
"""The rule of each class of operations."""
ELEMENTARY_UNITS = 2.0
"""The error of an elementary function, in units in the last place: Tile IR states 2 for `tanh` and division, and
nothing for the others, which the CPU keeps within 2 as well.
"""
APPROXIMATE_TANH = 2.0**-11
"""The relative error of the machine's approximate hyperbolic tangent."""


def _computes(*classes: type[Operation]) -> Callable[[Callable[[Any], Refer]], Callable[[Any], Refer]]:
    def enter(rule: Callable[[Any], Refer]) -> Callable[[Any], Refer]:
        REFERENCES.update(dict.fromkeys(classes, rule))
        return rule

    return enter


def _units(op: Operation) -> float:
    """Return the maximum error of an operation in units in the last place: `HALF_UNIT` if it is correctly
    rounded, twice that for a directed rounding mode, and `ELEMENTARY_UNITS` for the approximate modes.
    """
    mode = getattr(op, "rounding_mode", RoundingMode.NEAREST_EVEN)
    if mode in (RoundingMode.APPROX, RoundingMode.FULL):
        return ELEMENTARY_UNITS
    return HALF_UNIT if mode is RoundingMode.NEAREST_EVEN else 2 * HALF_UNIT


def _flushes(op: Operation) -> bool:
    return bool(getattr(op, "flush_to_zero", False))


@_computes(ops.AddFOp, ops.SubFOp)
def _sum(op: ops.AddFOp | ops.SubFOp) -> Refer:
    sign = -1 if isinstance(op, ops.SubFOp) else 1
    format, units, flush = tile_format(op.result.type), _units(op), _flushes(op)

    def refer(block: Any, given: Sequence[Reference], values: Sequence[Any]) -> Reference:
        a, b = given
        return rounded(
            a.exact + sign * b.exact, a.promised + b.promised, a.wide + b.wide, format, units, flush
        )

    return refer


def _product(a: Reference, b: Reference) -> Reference:
    """Return the unrounded product of two references."""
    sizes = np.abs(a.exact).astype(np.float64), np.abs(b.exact).astype(np.float64)
    bounds = [sizes[0] * b[part] + sizes[1] * a[part] + a[part] * b[part] for part in (1, 2)]
    return Reference(a.exact * b.exact, *bounds)


@_computes(ops.MulFOp, ops.FmaOp)
def _multiplied(op: ops.MulFOp | ops.FmaOp) -> Refer:
    format, units, flush = tile_format(op.result.type), _units(op), _flushes(op)

    def refer(block: Any, given: Sequence[Reference], values: Sequence[Any]) -> Reference:
        found = _product(given[0], given[1])
        for added in given[2:]:
            found = Reference(*(one + other for one, other in zip(found, added, strict=True)))
        return rounded(*found, format, units, flush)

    return refer


def _inverse_root(x: Any) -> Any:
    return 1 / np.sqrt(x)


_FUNCTIONS: dict[type[Operation], Callable[..., Any]] = {
    ops.DivFOp: np.divide,
    ops.SqrtOp: np.sqrt,
    ops.RsqrtOp: _inverse_root,
    ops.ExpOp: np.exp,
    ops.Exp2Op: np.exp2,
    ops.LogOp: np.log,
    ops.Log2Op: np.log2,
    ops.TanOp: np.tan,
    ops.SinHOp: np.sinh,
    ops.CosHOp: np.cosh,
    ops.TanHOp: np.tanh,
    ops.PowOp: np.power,
    ops.Atan2Op: np.arctan2,
}
"""Functions that are monotonic in each operand between neighbouring numbers."""


@_computes(*_FUNCTIONS)
def _function(op: Operation) -> Refer:
    function, format, flush = _FUNCTIONS[type(op)], tile_format(op.results[0].type), _flushes(op)
    units = _units(op) if isinstance(op, ops.DivFOp | ops.SqrtOp) else ELEMENTARY_UNITS
    is_rough = isinstance(op, ops.TanHOp) and op.rounding_mode is RoundingMode.APPROX

    def refer(block: Any, given: Sequence[Reference], values: Sequence[Any]) -> Reference:
        found = at_corners(function, given)
        if is_rough:
            found = found._replace(promised=found.promised + APPROXIMATE_TANH)
        return rounded(*found, format, units, flush)

    return refer


@_computes(ops.SinOp, ops.CosOp)
def _periodic(op: ops.SinOp | ops.CosOp) -> Refer:
    """Return the rule of sine or cosine, whose slope is at most 1: the bounds of the operand hold for the
    result, and are at most 2.
    """
    function: Any = np.sin if isinstance(op, ops.SinOp) else np.cos
    format = tile_format(op.result.type)

    def refer(block: Any, given: Sequence[Reference], values: Sequence[Any]) -> Reference:
        (x,) = given
        promised, wide = [np.minimum(x[part], 2.0) for part in (1, 2)]
        return rounded(function(x.exact), promised, wide, format, ELEMENTARY_UNITS)

    return refer


@_computes(ops.FPowIOp)
def _whole_power(op: ops.FPowIOp) -> Refer:
    format = tile_format(op.results[0].type)

    def refer(block: Any, given: Sequence[Reference], values: Sequence[Any]) -> Reference:
        exponent = signed_view(values[1]).astype(np.float64)

        def raised(x: Any) -> Any:
            return power(np.asarray(x, np.float64), exponent)

        found = at_corners(raised, given[:1])
        return rounded(*found, format, ELEMENTARY_UNITS)

    return refer


@_computes(ops.AbsFOp, ops.NegFOp)
def _same_size(op: ops.AbsFOp | ops.NegFOp) -> Refer:
    function = np.abs if isinstance(op, ops.AbsFOp) else np.negative
    return lambda block, given, values: given[0]._replace(exact=function(given[0].exact))


@_computes(ops.MaxFOp, ops.MinFOp)
def _extremum(op: ops.MaxFOp | ops.MinFOp) -> Refer:
    choose = np.fmax if isinstance(op, ops.MaxFOp) else np.fmin

    def refer(block: Any, given: Sequence[Reference], values: Sequence[Any]) -> Reference:
        a, b = given
        bounds = [np.maximum(a[part], b[part]) for part in (1, 2)]
        return Reference(choose(a.exact, b.exact), *bounds)

    return refer


@_computes(ops_tile.SelectOp)
def _selected(op: ops_tile.SelectOp) -> Refer:
    def refer(block: Any, given: Sequence[Reference], values: Sequence[Any]) -> Reference:
        parts = zip(given[1], given[2], strict=True)
        return Reference(*(np.where(values[0], one, other) for one, other in parts))

    return refer


@_computes(ops_control.AssumeOp)
def _same(op: ops_control.AssumeOp) -> Refer:
    return lambda block, given, values: given[0]


@_computes(
    ops_tile.BroadcastOp,
    ops_tile.ReshapeOp,
    ops_tile.PermuteOp,
    ops_tile.CatOp,
    ops_tile.ExtractOp,
    ops_tile.InsertOp,
)
def _moved(op: Operation) -> Refer:
    evaluate = ALL_RULES.rules[type(op)](op)
    tiles = 1 if isinstance(op, ops_tile.ExtractOp) else 2 if isinstance(op, ops_tile.InsertOp) else None

    def refer(block: Any, given: Sequence[Reference], values: Sequence[Any]) -> Reference:
        indices = () if tiles is None else values[tiles:]
        moved = zip(*given[:tiles], strict=True)
        return Reference(*(np.asarray(evaluate(block, *parts, *indices)) for parts in moved))

    return refer


@_computes(conversion.FToFOp)
def _converted(op: conversion.FToFOp) -> Refer:
    """Return the rule of a conversion. Without narrow formats there would be no conversion, so the wide bound
    stays, unless the result is a factor: then its format is a choice of the program.
    """
    format, units = tile_format(op.to.type), _units(op)
    is_wider = format.precision >= tile_format(op.from_.type).precision
    is_chosen = is_factor(op)

    def refer(block: Any, given: Sequence[Reference], values: Sequence[Any]) -> Reference:
        if is_wider:
            return given[0]
        exact, _, wide = given[0]
        found = rounded(*given[0], format, units)
        spread = rounded(exact, wide, wide, format, units).promised if is_chosen else wide
        return found._replace(wide=np.where(np.isfinite(spread), spread, wide))

    return refer


def is_factor(op: Operation) -> bool:
    """Return whether `op` is a conversion of floats whose result has uses, and only as a factor of matrix
    products, directly or through reshapes, broadcasts and permutations.
    """
    return isinstance(op, conversion.FToFOp) and _is_only_factor(op.to)


def _is_only_factor(value: Value) -> bool:
    found = False
    for user in value.users:
        if isinstance(user, ops_tile.ReshapeOp | ops_tile.BroadcastOp | ops_tile.PermuteOp):
            found = _is_only_factor(user.results[0])
        else:
            found = isinstance(user, ops_tile.MmaFOp) and user.acc is not value
        if not found:
            return False
    return found


@_computes(conversion.IToFOp)
def _from_integer(op: conversion.IToFOp) -> Refer:
    format, units = tile_format(op.to.type), _units(op)
    view = signed_view if is_signed(op) else unsigned_view

    def refer(block: Any, given: Sequence[Reference], values: Sequence[Any]) -> Reference:
        return rounded(*of_numbers(view(values[0]).astype(EXACT)), format, units)

    return refer


@_computes(ops_tile.MmaFOp, ops_tile.MmaFScaledOp)
def _matrix_product(op: ops_tile.MmaFOp | ops_tile.MmaFScaledOp) -> Refer:
    """Return the rule of a matrix product, whose sum over K elements may be made in any order."""
    format, terms = tile_format(op.acc.type), int(checked_type(op.lhs).shape[-1])

    def refer(block: Any, given: Sequence[Reference], values: Sequence[Any]) -> Reference:
        left, right = given[0], given[1]
        if len(given) > 3:
            left, right = _scaled(left, given[3], -1), _scaled(right, given[4], -2)
        sizes = [np.abs(one.exact).astype(np.float64) for one in (left, right)]
        total = sizes[0] @ sizes[1] + np.abs(given[2].exact).astype(np.float64)
        bounds = [
            sizes[0] @ right[part] + left[part] @ sizes[1] + left[part] @ right[part] + given[2][part]
            for part in (1, 2)
        ]
        exact = np.matmul(left.exact, right.exact) + given[2].exact
        return _summed(Reference(exact, *bounds), total, terms + 1, format)

    return refer


def _scaled(factor: Reference, scales: Reference, axis: int) -> Reference:
    """Return a factor of a scaled product, with each element multiplied by its scale: adjacent elements along
    `axis` share a scale.
    """
    times = factor.exact.shape[axis] // scales.exact.shape[axis]
    return _product(factor, Reference(*(np.repeat(part, times, axis=axis) for part in scales)))


def _summed(sums: Reference, total: Any, terms: int, format: ElementFormat) -> Reference:
    """Return the rounded reference of sums of `terms` numbers. ``total`` has the sums of their absolute
    values. The promised bound allows any order of the additions, the wide bound is the bound of a sum by
    pairs.
    """
    own = (terms - 1) * unit(total, format)
    wider = HALF_UNIT * math.ceil(math.log2(max(terms, 2))) * unit(total, wide_format(format))
    return rounded(sums.exact, sums.promised + own, sums.wide + wider, format)


@_computes(ops_tile.ReduceOp, ops_tile.ScanOp)
def _folded(op: ops_tile.ReduceOp | ops_tile.ScanOp) -> Refer:
    """Return the rule of a reduction or scan whose body is one addition, maximum or minimum. For any other
    body the rule is `nothing`: the results are their own references.
    """
    kind = body_operation(op)
    if kind is None:
        return nothing
    format, axis = tile_format(op.operands[0].type), op.dim
    is_scan, reverse = isinstance(op, ops_tile.ScanOp), bool(getattr(op, "reverse", False))
    terms = int(checked_type(op.operands[0]).shape[axis])

    def fold(function: Any, tile: Any) -> Any:
        if not is_scan:
            return function.reduce(tile, axis=axis)
        turned = np.flip(tile, axis=axis) if reverse else tile
        found = function.accumulate(turned, axis=axis)
        return np.flip(found, axis=axis) if reverse else found

    def refer(block: Any, given: Sequence[Reference], values: Sequence[Any]) -> Reference:
        (x,) = given
        if kind is not ops.AddFOp:
            chosen = np.fmax if kind is ops.MaxFOp else np.fmin
            return Reference(fold(chosen, x.exact), fold(np.maximum, x.promised), fold(np.maximum, x.wide))
        sums = Reference(*(fold(np.add, part) for part in x))
        return _summed(sums, fold(np.add, np.abs(x.exact).astype(np.float64)), terms, format)

    return refer


def body_operation(op: ops_tile.ReduceOp | ops_tile.ScanOp) -> type[Operation] | None:
    """Return the class of the only float operation in the body of a reduction or scan of one operand: a sum,
    a maximum or a minimum. Return None for any other body.
    """
    body: list[type[Operation]] = [type(one) for one in op.body.block]
    known = (ops.AddFOp, ops.MaxFOp, ops.MinFOp)
    return body[0] if len(op.operands) == 1 and len(body) == 2 and body[0] in known else None


def nothing(block: Any, given: Sequence[Reference], values: Sequence[Any]) -> Any:
    """Return None, which means that the result is its own reference."""
    return None
