"""Kernels that lose digits or compute something else than their references, each beside the same kernel without the mistake."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cuda.tile as ct
import ml_dtypes
import numpy as np

FLOAT, HALF, BRAIN = np.float32, np.float16, ml_dtypes.bfloat16
Arrays = Sequence[np.ndarray]


@dataclass(frozen=True)
class Lossy:
    """A faulty kernel and its mended twin, which get the same arguments; without a reference the fault shows by itself.

    The line of the mistake ends with ``# fault: MISTAKE``.  ``code`` and ``hint`` belong to the finding.
    """

    mistake: str
    faulty: Any
    right: Any
    arguments: Callable[[], Arrays]
    hint: str
    reference: Callable[..., Any] | None = None
    grid: tuple[int, ...] = (1,)
    code: str = "TW0413"

    def given(self) -> Arrays:
        """Fresh arguments, the same ones at each call."""
        _RANDOM[0] = np.random.default_rng(1)
        return self.arguments()


_RANDOM = [np.random.default_rng(1)]


def uniform(*shape: int, dtype: Any = FLOAT) -> np.ndarray:
    return _RANDOM[0].random(shape).astype(dtype)


def normal(*shape: int, dtype: Any = FLOAT) -> np.ndarray:
    return _RANDOM[0].standard_normal(shape).astype(dtype)


def zeros(*shape: int, dtype: Any = FLOAT) -> np.ndarray:
    return np.zeros(shape, dtype)


def wide(*arrays: np.ndarray) -> list[np.ndarray]:
    return [array.astype(np.float64) for array in arrays]


# --- narrow formats


@ct.kernel
def half_sum(x, out):
    rows = ct.load(x, (0, 0), shape=(4, 256))
    ct.store(out, (0,), ct.sum(rows, axis=1))  # fault: a sum in f16


@ct.kernel
def wide_sum(x, out):
    rows = ct.load(x, (0, 0), shape=(4, 256)).astype(ct.float32)
    ct.store(out, (0,), ct.sum(rows, axis=1).astype(ct.float16))


@ct.kernel
def half_accumulator(x, out):
    total = ct.zeros((16,), ct.float16)
    for i in range(64):
        total = total + ct.load(x, (i,), shape=(16,))  # fault: an accumulator in f16
    ct.store(out, (0,), total)


@ct.kernel
def wide_accumulator(x, out):
    total = ct.zeros((16,), ct.float32)
    for i in range(64):
        total = total + ct.load(x, (i,), shape=(16,)).astype(ct.float32)
    ct.store(out, (0,), total.astype(ct.float16))


@ct.kernel
def brain_accumulator(x, out):
    total = ct.zeros((16,), ct.bfloat16)
    for i in range(64):
        part = ct.load(x, (i,), shape=(16,))
        total = (total.astype(ct.float32) + part).astype(ct.bfloat16)  # fault: an accumulator in bf16
    ct.store(out, (0,), total.astype(ct.float32))


@ct.kernel
def unrounded_accumulator(x, out):
    total = ct.zeros((16,), ct.float32)
    for i in range(64):
        total = total + ct.load(x, (i,), shape=(16,))
    ct.store(out, (0,), total)


@ct.kernel
def half_exponent(x, out):
    ct.store(out, (0,), ct.exp(ct.load(x, (0,), shape=(64,)) * 1.3))  # fault: an exponent in f16


@ct.kernel
def wide_exponent(x, out):
    powers = ct.exp(ct.load(x, (0,), shape=(64,)).astype(ct.float32) * 1.3)
    ct.store(out, (0,), powers.astype(ct.float16))


@ct.kernel
def rounded_factors(a, b, out):
    left = ct.load(a, (0, 0), shape=(16, 32)).astype(ct.tfloat32)  # fault: factors in tf32
    right = ct.load(b, (0, 0), shape=(32, 16)).astype(ct.tfloat32)
    ct.store(out, (0, 0), ct.mma(left, right, ct.zeros((16, 16), ct.float32)))


@ct.kernel
def given_factors(a, b, out):
    left, right = ct.load(a, (0, 0), shape=(16, 32)), ct.load(b, (0, 0), shape=(32, 16))
    ct.store(out, (0, 0), ct.mma(left, right, ct.zeros((16, 16), ct.float32)))


@ct.kernel
def cast_before_sum(x, out):
    rows = ct.load(x, (0, 0), shape=(4, 256)).astype(ct.float16)  # fault: a cast before a sum
    ct.store(out, (0,), ct.sum(rows.astype(ct.float32), axis=1))


@ct.kernel
def sum_without_cast(x, out):
    ct.store(out, (0,), ct.sum(ct.load(x, (0, 0), shape=(4, 256)), axis=1))


@ct.kernel
def rounded_twice(x, out):
    tile = ct.load(x, (0,), shape=(512,)).astype(ct.float16)
    ct.store(out, (0,), tile.astype(ct.bfloat16))  # fault: double rounding


@ct.kernel
def rounded_once(x, out):
    ct.store(out, (0,), ct.load(x, (0,), shape=(512,)).astype(ct.bfloat16))


@ct.kernel
def narrow_weights(q, k, v, out):
    scores = ct.mma(
        ct.load(q, (0, 0), shape=(16, 16)),
        ct.transpose(ct.load(k, (0, 0), shape=(32, 16))),
        ct.zeros((16, 32), ct.float32),
    )
    weights = ct.exp(scores - ct.max(scores, axis=1, keepdims=True))
    weights = weights / ct.sum(weights, axis=1, keepdims=True)
    narrow = weights.astype(ct.float16)  # fault: a premature cast
    ct.store(out, (0, 0), ct.mma(narrow, ct.load(v, (0, 0), shape=(32, 16)), ct.zeros((16, 16), ct.float32)))


@ct.kernel
def wide_weights(q, k, v, out):
    scores = ct.mma(
        ct.load(q, (0, 0), shape=(16, 16)),
        ct.transpose(ct.load(k, (0, 0), shape=(32, 16))),
        ct.zeros((16, 32), ct.float32),
    )
    weights = ct.exp(scores - ct.max(scores, axis=1, keepdims=True))
    weights = weights / ct.sum(weights, axis=1, keepdims=True)
    values = ct.load(v, (0, 0), shape=(32, 16)).astype(ct.float32)
    ct.store(out, (0, 0), ct.mma(weights, values, ct.zeros((16, 16), ct.float32)))


@ct.kernel
def square_of_halves(x, out):
    tile = ct.load(x, (0,), shape=(64,))
    square = tile * tile  # fault: beyond the exponents of f16
    ct.store(out, (0,), ct.sqrt(square.astype(ct.float32)).astype(ct.float16))


@ct.kernel
def square_of_floats(x, out):
    tile = ct.load(x, (0,), shape=(64,)).astype(ct.float32)
    ct.store(out, (0,), ct.sqrt(tile * tile).astype(ct.float16))


# --- digits that cancel, and exponents that overflow


@ct.kernel
def difference_of_squares(x, out):
    rows = ct.load(x, (0, 0), shape=(4, 256))
    mean = ct.sum(rows, axis=1) / 256
    square = ct.sum(rows * rows, axis=1) / 256
    ct.store(out, (0,), square - mean * mean)  # fault: a variance from squares


@ct.kernel
def square_of_differences(x, out):
    rows = ct.load(x, (0, 0), shape=(4, 256))
    rows = rows - ct.sum(rows, axis=1, keepdims=True) / 256
    ct.store(out, (0,), ct.sum(rows * rows, axis=1) / 256)


@ct.kernel
def softmax_without_maximum(x, out):
    rows = ct.load(x, (0, 0), shape=(4, 64))
    powers = ct.exp(rows)  # fault: exponentials without their maximum
    ct.store(out, (0, 0), powers / ct.sum(powers, axis=1, keepdims=True))


@ct.kernel
def softmax_with_maximum(x, out):
    rows = ct.load(x, (0, 0), shape=(4, 64))
    powers = ct.exp(rows - ct.max(rows, axis=1, keepdims=True))
    ct.store(out, (0, 0), powers / ct.sum(powers, axis=1, keepdims=True))


@ct.kernel
def complement(x, out):
    tile = ct.load(x, (0,), shape=(64,))
    likely = 1.0 / (1.0 + ct.exp(-tile))
    ct.store(out, (0,), 1.0 - likely)  # fault: the complement of a probability


@ct.kernel
def sigmoid_of_negative(x, out):
    ct.store(out, (0,), 1.0 / (1.0 + ct.exp(ct.load(x, (0,), shape=(64,)))))


# --- order


@ct.kernel
def unordered_sum(x, out):
    part = ct.sum(ct.load(x, (ct.bid(0),), shape=(16,)))
    ct.atomic_add(out, (0,), part)  # fault: unordered atomic additions


@ct.kernel
def own_sum(x, out):
    ct.store(out, (ct.bid(0),), ct.sum(ct.load(x, (ct.bid(0),), shape=(16,)), keepdims=True))


@ct.kernel
def last_one_stays(x, out):
    ct.store(out, (0,), ct.load(x, (ct.bid(0),), shape=(16,)))  # fault: tile blocks store to one place


@ct.kernel
def own_place(x, out):
    ct.store(out, (ct.bid(0),), ct.load(x, (ct.bid(0),), shape=(16,)))


# --- formulas


@ct.kernel
def large_epsilon(x, out):
    rows = ct.load(x, (0, 0), shape=(4, 64))
    square = ct.sum(rows * rows, axis=1, keepdims=True) / 64
    scale = ct.rsqrt(square + 1e-3)  # fault: a wrong epsilon
    ct.store(out, (0, 0), rows * scale)


@ct.kernel
def small_epsilon(x, out):
    rows = ct.load(x, (0, 0), shape=(4, 64))
    square = ct.sum(rows * rows, axis=1, keepdims=True) / 64
    ct.store(out, (0, 0), rows * ct.rsqrt(square + 1e-5))


def normalised(x, out):
    (x,) = wide(x)
    return x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-5)


@ct.kernel
def scale_of_rows(x, scale, out):
    tile, factors = ct.load(x, (0, 0), shape=(16, 16)), ct.load(scale, (0,), shape=(16,))
    ct.store(out, (0, 0), tile * factors[:, None])  # fault: a scale along the wrong axis


@ct.kernel
def scale_of_columns(x, scale, out):
    tile, factors = ct.load(x, (0, 0), shape=(16, 16)), ct.load(scale, (0,), shape=(16,))
    ct.store(out, (0, 0), tile * factors[None, :])


@ct.kernel
def attention_without_rescale(q, k, v, out):
    query = ct.load(q, (0, 0), shape=(16, 16))
    largest = ct.full((16, 1), -1e30, ct.float32)
    total = ct.zeros((16, 1), ct.float32)
    result = ct.zeros((16, 16), ct.float32)
    for j in range(2):
        keys = ct.transpose(ct.load(k, (j, 0), shape=(16, 16)))
        scores = ct.mma(query, keys, ct.zeros((16, 16), ct.float32))
        larger = ct.maximum(largest, ct.max(scores, axis=1, keepdims=True))
        weights, rescale = ct.exp(scores - larger), ct.exp(largest - larger)
        total = total * rescale + ct.sum(weights, axis=1, keepdims=True)
        result = ct.mma(weights, ct.load(v, (j, 0), shape=(16, 16)), result)  # fault: a missing rescale
        largest = larger
    ct.store(out, (0, 0), result / total)


@ct.kernel
def attention(q, k, v, out):
    query = ct.load(q, (0, 0), shape=(16, 16))
    largest = ct.full((16, 1), -1e30, ct.float32)
    total = ct.zeros((16, 1), ct.float32)
    result = ct.zeros((16, 16), ct.float32)
    for j in range(2):
        keys = ct.transpose(ct.load(k, (j, 0), shape=(16, 16)))
        scores = ct.mma(query, keys, ct.zeros((16, 16), ct.float32))
        larger = ct.maximum(largest, ct.max(scores, axis=1, keepdims=True))
        weights, rescale = ct.exp(scores - larger), ct.exp(largest - larger)
        total = total * rescale + ct.sum(weights, axis=1, keepdims=True)
        result = ct.mma(weights, ct.load(v, (j, 0), shape=(16, 16)), result * rescale)
        largest = larger
    ct.store(out, (0, 0), result / total)


def attended(q, k, v, out):
    q, k, v = wide(q, k, v)
    scores = q @ k.T
    weights = np.exp(scores - scores.max(1, keepdims=True))
    return weights / weights.sum(1, keepdims=True) @ v


@ct.kernel
def scores_of_wrong_scale(q, k, out):
    keys = ct.transpose(ct.load(k, (0, 0), shape=(16, 16)))
    scores = ct.mma(ct.load(q, (0, 0), shape=(16, 16)), keys, ct.zeros((16, 16), ct.float32))
    scores = scores * 0.125  # fault: a wrong scale
    powers = ct.exp(scores - ct.max(scores, axis=1, keepdims=True))
    ct.store(out, (0, 0), powers / ct.sum(powers, axis=1, keepdims=True))


@ct.kernel
def scores_of_right_scale(q, k, out):
    keys = ct.transpose(ct.load(k, (0, 0), shape=(16, 16)))
    scores = ct.mma(ct.load(q, (0, 0), shape=(16, 16)), keys, ct.zeros((16, 16), ct.float32)) * 0.25
    powers = ct.exp(scores - ct.max(scores, axis=1, keepdims=True))
    ct.store(out, (0, 0), powers / ct.sum(powers, axis=1, keepdims=True))


def scored(q, k, out):
    q, k = wide(q, k)
    powers = np.exp(q @ k.T / 4)
    return powers / powers.sum(1, keepdims=True)


@ct.kernel
def biased(x, out):
    rows = ct.load(x, (0, 0), shape=(4, 64))
    rows = rows - ct.sum(rows, axis=1, keepdims=True) / 64
    ct.store(out, (0,), ct.sum(rows * rows, axis=1) / 64)  # fault: a biased variance


@ct.kernel
def unbiased(x, out):
    rows = ct.load(x, (0, 0), shape=(4, 64))
    rows = rows - ct.sum(rows, axis=1, keepdims=True) / 64
    ct.store(out, (0,), ct.sum(rows * rows, axis=1) / 63)


@ct.kernel
def added_gradient(x, gradient, out):
    step = ct.load(gradient, (0,), shape=(16,)) * 0.1
    ct.store(out, (0,), ct.load(x, (0,), shape=(16,)) + step)  # fault: a wrong sign


@ct.kernel
def subtracted_gradient(x, gradient, out):
    step = ct.load(gradient, (0,), shape=(16,)) * 0.1
    ct.store(out, (0,), ct.load(x, (0,), shape=(16,)) - step)


@ct.kernel
def sum_of_columns(x, out):
    tile = ct.load(x, (0, 0), shape=(16, 16))
    ct.store(out, (0,), ct.sum(tile, axis=0))  # fault: a sum along the wrong axis


@ct.kernel
def sum_of_rows(x, out):
    ct.store(out, (0,), ct.sum(ct.load(x, (0, 0), shape=(16, 16)), axis=1))


@ct.kernel
def product(a, b, out):
    left, right = ct.load(a, (0, 0), shape=(16, 16)), ct.load(b, (0, 0), shape=(16, 16))
    total = ct.zeros((16, 16), ct.float32)
    ct.store(out, (0, 0), ct.mma(left, right, total))  # fault: a factor not transposed


@ct.kernel
def transposed_product(a, b, out):
    left, right = ct.load(a, (0, 0), shape=(16, 16)), ct.transpose(ct.load(b, (0, 0), shape=(16, 16)))
    ct.store(out, (0, 0), ct.mma(left, right, ct.zeros((16, 16), ct.float32)))


def three(rows: int) -> Callable[[], Arrays]:
    return lambda: (normal(16, 16), normal(rows, 16), normal(rows, 16), zeros(16, 16))


def halves() -> Arrays:
    return normal(16, 16, dtype=HALF), normal(32, 16, dtype=HALF), normal(32, 16, dtype=HALF), zeros(16, 16)


FORMULA = "TW0416"
CASES = (
    Lossy(
        "a sum in f16",
        half_sum,
        wide_sum,
        lambda: (uniform(4, 256, dtype=HALF), zeros(4, dtype=HALF)),
        "the sum runs in f16",
    ),
    Lossy(
        "an accumulator in f16",
        half_accumulator,
        wide_accumulator,
        lambda: (uniform(1024, dtype=HALF), zeros(16, dtype=HALF)),
        "the sum runs in f16",
    ),
    Lossy(
        "an accumulator in bf16",
        brain_accumulator,
        unrounded_accumulator,
        lambda: (uniform(1024), zeros(16)),
        "converted to bf16",
    ),
    Lossy(
        "an exponent in f16",
        half_exponent,
        wide_exponent,
        lambda: ((5 + 3 * uniform(64)).astype(HALF), zeros(64, dtype=HALF)),
        "rounded to f16 before it is used",
    ),
    Lossy(
        "factors in tf32",
        rounded_factors,
        given_factors,
        lambda: (uniform(16, 32), uniform(32, 16), zeros(16, 16)),
        "factors of the product are rounded to tf32",
    ),
    Lossy(
        "a cast before a sum",
        cast_before_sum,
        sum_without_cast,
        lambda: (uniform(4, 256), zeros(4)),
        "a value is converted to f16",
    ),
    Lossy(
        "double rounding",
        rounded_twice,
        rounded_once,
        lambda: (uniform(512), zeros(512, dtype=BRAIN)),
        "rounded twice on the way to bf16",
    ),
    Lossy(
        "a premature cast", narrow_weights, wide_weights, halves, "factors of the product are rounded to f16"
    ),
    Lossy(
        "beyond the exponents of f16",
        square_of_halves,
        square_of_floats,
        lambda: ((1000 * uniform(64)).astype(HALF), zeros(64, dtype=HALF)),
        "f16 ends at 65504",
    ),
    Lossy(
        "a variance from squares",
        difference_of_squares,
        square_of_differences,
        lambda: (100 + uniform(4, 256), zeros(4)),
        "leading digits, which cancel",
    ),
    Lossy(
        "exponentials without their maximum",
        softmax_without_maximum,
        softmax_with_maximum,
        lambda: (200 * uniform(4, 64), zeros(4, 64)),
        "f32 ends at 3.40282e+38",
    ),
    Lossy(
        "the complement of a probability",
        complement,
        sigmoid_of_negative,
        lambda: (12 + uniform(64), zeros(64)),
        "leading digits, which cancel",
    ),
    Lossy(
        "unordered atomic additions",
        unordered_sum,
        own_sum,
        lambda: (uniform(256), zeros(16)),
        "write elements of its own",
        grid=(16,),
        code="TW0414",
    ),
    Lossy(
        "tile blocks store to one place",
        last_one_stays,
        own_place,
        lambda: (uniform(64), zeros(64)),
        "write elements of its own",
        grid=(4,),
        code="TW0414",
    ),
    Lossy(
        "a wrong epsilon",
        large_epsilon,
        small_epsilon,
        lambda: (normal(4, 64), zeros(4, 64)),
        "instead of 0.001",
        normalised,
        code=FORMULA,
    ),
    Lossy(
        "a scale along the wrong axis",
        scale_of_rows,
        scale_of_columns,
        lambda: (uniform(16, 16), uniform(16), zeros(16, 16)),
        "along the other axis",
        lambda x, scale, out: x * wide(scale)[0],
        code=FORMULA,
    ),
    Lossy(
        "a missing rescale",
        attention_without_rescale,
        attention,
        three(32),
        "multiplied by the exp of line",
        attended,
        code=FORMULA,
    ),
    Lossy(
        "a wrong scale",
        scores_of_wrong_scale,
        scores_of_right_scale,
        lambda: (normal(16, 16), normal(16, 16), zeros(16, 16)),
        "with 0.25 instead of 0.125",
        scored,
        code=FORMULA,
    ),
    Lossy(
        "a biased variance",
        biased,
        unbiased,
        lambda: (uniform(4, 64), zeros(4)),
        "with 63 instead of 64",
        lambda x, out: wide(x)[0].var(1, ddof=1),
        code=FORMULA,
    ),
    Lossy(
        "a wrong sign",
        added_gradient,
        subtracted_gradient,
        lambda: (uniform(16), uniform(16), zeros(16)),
        "then the results are as expected",
        lambda x, gradient, out: x - 0.1 * wide(gradient)[0],
        code=FORMULA,
    ),
    Lossy(
        "a sum along the wrong axis",
        sum_of_columns,
        sum_of_rows,
        lambda: (uniform(16, 16), zeros(16)),
        "along the other axis",
        lambda x, out: wide(x)[0].sum(1),
        code=FORMULA,
    ),
    Lossy(
        "a factor not transposed",
        product,
        transposed_product,
        lambda: (uniform(16, 16), uniform(16, 16), zeros(16, 16)),
        "with factor 2 transposed",
        lambda a, b, out: wide(a)[0] @ wide(b)[0].T,
        code=FORMULA,
    ),
)
