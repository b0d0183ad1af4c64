"""The functions of atomic operations and reductions, on the words in memory and the operand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tilewright.ptxsim import rounding as ptxsim_rounding, values as ptxsim_values

Combine = Callable[[ptxsim_values.Array, ptxsim_values.Array], ptxsim_values.Array]
"""A function of the old words and the operands that returns the new words."""


def combination(kind: str, op: str, *, flushes: bool = False) -> Combine:
    """Return the function that combines elements of the PTX type `kind` by `op`, a modifier of `atom` such as
    ``add``; f16 and bf16, and pairs of them, have ``add``, ``min`` and ``max`` only. With `flushes`, sums in
    f32 flush subnormal operands and results; other operations ignore it.
    """
    if kind.endswith("x2"):
        return _halves(combination(kind.removesuffix("x2"), op))
    if kind in ("f16", "bf16"):
        return _narrow(kind, op)
    view = ptxsim_values.dtype(kind)
    compute = _OPERATIONS[op]
    if op == "add" and kind in _NAN:
        return _sums(kind, flushes=flushes and kind == "f32")
    return lambda a, b: ptxsim_values.unsigned_bits(compute(a.view(view), b.view(view)))


def _second(a: ptxsim_values.Array, b: ptxsim_values.Array) -> ptxsim_values.Array:
    return b


def _increased(a: ptxsim_values.Array, b: ptxsim_values.Array) -> ptxsim_values.Array:
    return ptxsim_values.where(a >= b, a.dtype.type(0), a + a.dtype.type(1))


def _decreased(a: ptxsim_values.Array, b: ptxsim_values.Array) -> ptxsim_values.Array:
    return ptxsim_values.where((a == 0) | (a > b), b, a - a.dtype.type(1))


_OPERATIONS: dict[str, Any] = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "exch": _second,
    "cas": _second,
    "inc": _increased,
    "dec": _decreased,
}
_NAN: dict[str, Any] = {"f32": np.uint32(0x7FFFFFFF), "f64": np.uint64(0x7FFFFFFFFFFFFFFF)}
"""The canonical NaN of a type."""


def _sums(kind: str, *, flushes: bool) -> Combine:
    view = ptxsim_values.dtype(kind)

    def add(a: ptxsim_values.Array, b: ptxsim_values.Array) -> ptxsim_values.Array:
        if flushes:
            a, b = _flushed(a), _flushed(b)
        total = a.view(view) + b.view(view)
        found = ptxsim_values.unsigned_bits(total)
        return ptxsim_values.where(np.isnan(total), _NAN[kind], _flushed(found) if flushes else found)

    return add


def _flushed(codes: ptxsim_values.Array) -> ptxsim_values.Array:
    """Return words of f32 with subnormal numbers replaced with zeros of their sign."""
    small = codes & np.uint32(0x7F800000) == 0
    return ptxsim_values.where(small, codes & np.uint32(0x80000000), codes)


def _narrow(kind: str, op: str) -> Combine:
    """Return the function of f16 and bf16: sums are rounded to nearest; minimum and maximum return the number
    if the other operand is NaN, and order -0 before +0.
    """
    row = ptxsim_rounding.FORMATS[kind]
    exact: dict[str, Any] = {"add": np.add, "min": np.fmin, "max": np.fmax}
    zeros: dict[str, Any] = {"min": np.bitwise_or, "max": np.bitwise_and}
    number = exact[op]

    def combine(a: ptxsim_values.Array, b: ptxsim_values.Array) -> ptxsim_values.Array:
        a, b = a.view(np.uint16), b.view(np.uint16)
        first, second = ptxsim_rounding.decoded(a, row), ptxsim_rounding.decoded(b, row)
        found = ptxsim_rounding.encoded(ptxsim_rounding.rounded(number(first, second), row, "rn"), row)
        return (
            found
            if op == "add"
            else ptxsim_values.where((first == 0) & (second == 0), zeros[op](a, b), found)
        )

    return combine


def _halves(one: Combine) -> Combine:
    def combine(a: ptxsim_values.Array, b: ptxsim_values.Array) -> ptxsim_values.Array:
        return ptxsim_values.joined(
            [
                one(low, high)
                for low, high in zip(ptxsim_values.split(a, 2), ptxsim_values.split(b, 2), strict=True)
            ]
        )

    return combine
