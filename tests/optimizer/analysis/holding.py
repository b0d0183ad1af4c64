"""Whether facts hold for the numbers that a value really has: NumPy, and nothing of the analysis but its result."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.optimizer.analysis.facts import ValueFacts


def signed(array: Any) -> Any:
    """The elements as signed 64-bit integers."""
    tile = np.asarray(array)
    wide = tile.astype(np.int64)
    return -wide if tile.dtype == np.bool_ else wide


def complaint(facts: ValueFacts, array: Any, step: int | None) -> str:
    """Which fact about a tile is false, or nothing.  ``step`` is that of runs; None where elements are no numbers."""
    tile = np.asarray(array)
    if len(facts.runs) != tile.ndim:
        return f"{len(facts.runs)} runs for rank {tile.ndim}"
    for axis, run in enumerate(facts.runs):
        if not constant_along(tile, axis, run.constancy):
            return f"constancy {run.constancy} along {axis}"
    if step is None:
        return ""
    return number_complaint(facts, signed(tile), step)


def number_complaint(facts: ValueFacts, numbers: Any, step: int) -> str:
    if facts.bounds is not None and ((numbers < facts.bounds.low) | (numbers > facts.bounds.high)).any():
        return f"bounds {facts.bounds}"
    if (numbers & np.int64(facts.divisor - 1)).any():
        return f"divisor {facts.divisor}"
    for axis, run in enumerate(facts.runs):
        starts = np.take(numbers, range(0, numbers.shape[axis], run.contiguity), axis=axis)
        if (starts & np.int64(run.divisibility - 1)).any():
            return f"divisibility {run.divisibility} along {axis}"
        if not counts_along(numbers, axis, run.contiguity, step):
            return f"contiguity {run.contiguity} along {axis}"
    return ""


def firsts(array: Any, axis: int, length: int) -> Any:
    """For every element the first one of its group."""
    return np.take(array, np.arange(array.shape[axis]) // length * length, axis=axis)


def constant_along(array: Any, axis: int, length: int) -> bool:
    bits = array.view(np.dtype(f"u{array.dtype.itemsize}")) if array.dtype != np.bool_ else array
    return bool((firsts(bits, axis, length) == bits).all())


def counts_along(numbers: Any, axis: int, length: int, step: int) -> bool:
    shape = [-1 if dimension == axis else 1 for dimension in range(numbers.ndim)]
    offsets = (np.arange(numbers.shape[axis]) % length * step).reshape(shape)
    with np.errstate(over="ignore"):
        return bool((firsts(numbers, axis, length) + offsets == numbers).all())
