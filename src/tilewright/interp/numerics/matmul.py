"""Matrix multiply-accumulate: the reference meaning.

Products are exact, and they are summed as `tilewright.doubles.products` says: with the same bits on every host, and
exactly where their magnitudes are not far apart. The sum with the accumulator is rounded to a double and then to the
accumulator's format. The specification leaves the order of the sum and the width of intermediate sums open, so
implementations agree with this within their own accumulation error. ``fast_acc`` permits less precise sums and
changes nothing here.
"""

from __future__ import annotations

import numpy as np

from tilewright.doubles.products import matrix_product
from tilewright.interp.numerics.element import FORMATS, ElementFormat, FloatArray, NumpyArray, decode
from tilewright.interp.numerics.integers import signed_view, unsigned_view, wrap
from tilewright.interp.numerics.rounding import round_to_format

MMAF_ACCUMULATORS: dict[str, tuple[str, ...]] = {
    "f8E4M3FN": ("f16", "f32"),
    "f8E5M2": ("f16", "f32"),
    "f16": ("f16", "f32"),
    "bf16": ("f32",),
    "tf32": ("f32",),
    "f32": ("f32",),
    "f64": ("f64",),
}
"""Legal accumulator formats of ``mmaf`` by input format."""


@np.errstate(all="ignore")
def mmaf(
    lhs: NumpyArray, rhs: NumpyArray, acc: NumpyArray, operand: ElementFormat, accumulator: ElementFormat
) -> NumpyArray:
    """Return ``lhs @ rhs + acc`` for shapes (M, K), (K, N), (M, N), all with a leading batch dimension or
    none.

    ``operand`` is the format of ``lhs`` and ``rhs``, ``accumulator`` the format of ``acc`` and of the result.
    Raises `ValueError` for a pair of formats that `MMAF_ACCUMULATORS` does not have.
    """
    if accumulator.name not in MMAF_ACCUMULATORS.get(operand.name, ()):
        raise ValueError(f"mmaf has no form with {operand.name} inputs and {accumulator.name} accumulator")
    return _accumulate(decode(lhs, operand), decode(rhs, operand), acc, accumulator)


def _accumulate(lhs: FloatArray, rhs: FloatArray, acc: NumpyArray, accumulator: ElementFormat) -> NumpyArray:
    return round_to_format(matrix_product(lhs, rhs) + decode(acc, accumulator), accumulator)


@np.errstate(all="ignore")
def mmai(lhs: NumpyArray, rhs: NumpyArray, acc: NumpyArray, lhs_signed: bool, rhs_signed: bool) -> NumpyArray:
    """Return ``lhs @ rhs + acc`` for i8 inputs, each read by its own signedness, and an i32 `acc`; sums wrap.

    Products of 8-bit numbers are below 2**16 and K at most 2**24, so the float64 sum is exact in every order.
    """
    left = signed_view(lhs) if lhs_signed else unsigned_view(lhs)
    right = signed_view(rhs) if rhs_signed else unsigned_view(rhs)
    product = np.matmul(left.astype(np.float64), right.astype(np.float64))
    return wrap(product.astype(np.int64) + signed_view(acc), FORMATS["i32"])


@np.errstate(all="ignore")
def mmaf_scaled(
    lhs: NumpyArray,
    rhs: NumpyArray,
    acc: NumpyArray,
    lhs_scale: NumpyArray,
    rhs_scale: NumpyArray,
    operand: ElementFormat,
    scale: ElementFormat,
) -> NumpyArray:
    """Return ``(lhs * lhs_scale) @ (rhs * rhs_scale) + acc`` with an f32 accumulator.

    ``operand`` is the format of the factors, ``scale`` the format of the scales. Scales have shapes (M, K/V)
    and (K/V, N), one scale for each block of V elements along K, batched like the operands. Raises
    `ValueError` if K is not a multiple of the number of scales.
    """
    left = decode(lhs, operand) * _spread(decode(lhs_scale, scale), np.shape(lhs)[-1], axis=-1)
    right = decode(rhs, operand) * _spread(decode(rhs_scale, scale), np.shape(rhs)[-2], axis=-2)
    return _accumulate(left, right, acc, FORMATS["f32"])


def _spread(scales: FloatArray, extent: int, axis: int) -> FloatArray:
    """Return the scales, each repeated over its block, so that ``axis`` has ``extent`` elements. Raises
    `ValueError` if their number does not divide ``extent``.
    """
    blocks = scales.shape[axis]
    if blocks == 0 or extent % blocks:
        raise ValueError(f"{blocks} scales do not divide the inner extent {extent}")
    return np.repeat(scales, extent // blocks, axis=axis)
