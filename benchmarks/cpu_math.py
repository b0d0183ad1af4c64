"""Elementary functions on the CPU: the largest error over all f32 numbers, and the time for an element.

``python -m benchmarks.cpu_math [--stride N] [--functions exp,sin]``: a stride of 1 takes every number of the 2**32,
some minutes for each function.  The reference is NumPy in f64, which is off by an f64 unit at most.  Times are of one
thread on 16,384 elements in cache, beside those of NumPy for f32.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.targets.cpu.elementwise_functions import FUNCTIONS, Function, error_in_ulps
from tests.targets.cpu.elementwise_harness import Compiled
from tilewright.interp.numerics.element import FORMATS
from tilewright.ir.builtin_types import f32

CHUNK = 1 << 22
ALL = 1 << 32
TIMED = 16384
REPEATS = 300
SEEDS = {"pow": (0.0, 8.0), "log": (0.0, 8.0), "log2": (0.0, 8.0), "rsqrt": (0.0, 8.0)}
Array = np.ndarray[Any, Any]


def rounded_range(exact: Array) -> Array:
    """Results that f32 rounds to infinity, as infinities."""
    limit = FORMATS["f32"].max_finite * (1 + 2.0**-25)
    return np.where(np.abs(exact) > limit, np.copysign(np.inf, exact), exact)


def largest_error(function: Function, compiled: Compiled, stride: int) -> tuple[float, float]:
    """The largest error in units of the last place, and where it is."""
    worst, place = 0.0, 0.0
    for start in range(0, ALL, CHUNK * stride):
        patterns = np.arange(start, min(start + CHUNK * stride, ALL), stride, dtype=np.uint64)
        x = patterns.astype(np.uint32).view(np.float32)
        got = compiled.run(function.case(f32).name, f32, x)
        with np.errstate(all="ignore"):
            exact = rounded_range(function.reference(x.astype(np.float64)))
        error = error_in_ulps(got, exact, 24, -126)
        at = int(np.argmax(error))
        if error[at] > worst:
            worst, place = float(error[at]), float(x[at])
    return worst, place


def nanoseconds(run: Callable[[], Any]) -> float:
    """The best time for an element."""
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best * 1e9 / TIMED


def times(function: Function, compiled: Compiled) -> tuple[float, float]:
    """Ours and NumPy's."""
    low, high = SEEDS.get(function.name, (-8.0, 8.0))
    rng = np.random.default_rng(0)
    operands = [rng.uniform(low, high, TIMED).astype(np.float32) for _ in range(function.arity)]
    ours = compiled.prepared(function.case(f32).name, f32, *operands)
    with np.errstate(all="ignore"):
        return nanoseconds(ours), nanoseconds(lambda: function.reference(*operands))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stride", type=int, default=1009)
    parser.add_argument("--functions", default="")
    options = parser.parse_args()
    names = [name for name in options.functions.split(",") if name]
    chosen = [function for function in FUNCTIONS if not names or function.name in names]
    compiled = Compiled([function.case(f32) for function in chosen])
    print("| function | largest error (ulp) | at | ns | NumPy ns |\n|---|---|---|---|---|")
    for function in chosen:
        error = largest_error(function, compiled, options.stride) if function.arity == 1 else None
        ours, theirs = times(function, compiled)
        where = f"{error[0]:.3f} | {error[1]:.6g}" if error else "- | -"
        print(f"| `{function.name}` | {where} | {ours:.2f} | {theirs:.2f} |", flush=True)


if __name__ == "__main__":
    main()
