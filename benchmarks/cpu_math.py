"""Elementary functions on the CPU: the largest error that was found, and the time for an element beside other libraries.

``python -m benchmarks.cpu_math [--type f64] [--stride N] [--functions exp,sin] [--cpu x86-64-v3] [--no-times]``

f32: every N-th number, all 2**32 for a stride of 1 (some minutes for each function); the reference is NumPy in f64.
f64: special values and some hundred thousand random numbers; the reference is NumPy's `longdouble`.  Times are of the
processor, for one thread on 4,096 elements in cache; torch and Numba are asked if they are installed.  NumPy uses
Intel's SVML on processors with AVX-512.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.targets.cpu.elementwise.elementwise_functions import (
    FUNCTIONS,
    Function,
    doubles,
    error_in_ulps,
    exact_results,
)
from tests.targets.cpu.elementwise.elementwise_harness import Compiled, format_of
from tilewright.ir.builtin_types import f32, f64
from tilewright.targets.cpu.machine.host import HOST

CHUNK = 1 << 22
ALL = 1 << 32
RANDOM = 60_000
TIMED = 4096
ROUNDS, REPEATS = 60, 20
TYPES = {"f32": f32, "f64": f64}
POSITIVE = frozenset({"pow", "log", "log2", "rsqrt"})
"""Functions whose (first) argument is drawn from 0 to 8, not from -8 to 8."""
Array = np.ndarray[Any, Any]
Call = Callable[[], Any]


# --- errors


def samples(function: Function, type: Any, stride: int) -> Iterator[list[Array]]:
    """Operands, some at a time."""
    if type is f64 or function.arity > 1:
        operands = doubles(function.arity, RANDOM)
        with np.errstate(all="ignore"):
            yield [
                np.where(np.isnan(row), np.nan, row).astype(format_of(type).array_dtype) for row in operands
            ]
        return
    for start in range(0, ALL, CHUNK * stride):
        patterns = np.arange(start, min(start + CHUNK * stride, ALL), stride, dtype=np.uint64)
        yield [patterns.astype(np.uint32).view(np.float32)]


def largest_error(
    function: Function, type: Any, compiled: Compiled, stride: int
) -> tuple[float, list[float]]:
    """The largest error in units of the last place, and where it is."""
    worst, place, format = 0.0, [0.0], format_of(type)
    for operands in samples(function, type, stride):
        got = compiled.run(function.case(type).name, type, *operands)
        exact = exact_results(function, type, operands)
        error = error_in_ulps(got, exact, format.precision, format.emin)
        at = int(np.argmax(error))
        if error[at] > worst:
            worst, place = float(error[at]), [float(operand[at]) for operand in operands]
    return worst, place


# --- times


def nanoseconds(run: Call) -> float:
    """The best time of the processor for an element."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.thread_time_ns()
        for _ in range(REPEATS):
            run()
        best = min(best, (time.thread_time_ns() - start) / REPEATS)
    return best / TIMED


def numpy_call(function: Function, operands: list[Array]) -> Call:
    """NumPy's function."""
    return lambda: function.reference(*operands)


def torch_call(function: Function, operands: list[Array]) -> Call:
    """torch's function, on one thread."""
    torch: Any = importlib.import_module("torch")
    torch.set_num_threads(1)
    body = getattr(torch, function.name)
    tensors = [torch.from_numpy(operand) for operand in operands]
    return lambda: body(*tensors)


def numba_call(function: Function, operands: list[Array]) -> Call:
    """A ufunc of Numba's that calls NumPy's function."""
    numba: Any = importlib.import_module("numba")
    body = function.reference if isinstance(function.reference, np.ufunc) else numba.njit(function.reference)
    if function.arity == 1:
        compiled = numba.vectorize(lambda x: body(x))
    else:
        compiled = numba.vectorize(lambda x, y: body(x, y))
    compiled(*operands)
    return lambda: compiled(*operands)


PEERS: dict[str, Callable[[Function, list[Array]], Call]] = {
    "numpy": numpy_call,
    "torch": torch_call,
    "numba": numba_call,
}


def times(function: Function, type: Any, compiled: Compiled, peers: list[str]) -> list[float]:
    """Ours, and those of the peers."""
    rng = np.random.default_rng(0)
    lowest = [0.0 if function.name in POSITIVE else -8.0, *[-8.0] * (function.arity - 1)]
    operands = [rng.uniform(low, 8.0, TIMED).astype(format_of(type).array_dtype) for low in lowest]
    calls = [compiled.prepared(function.case(type).name, type, *operands)]
    calls += [PEERS[peer](function, operands) for peer in peers]
    with np.errstate(all="ignore"):
        return [nanoseconds(call) for call in calls]


def row(
    function: Function, type: Any, compiled: Compiled, options: argparse.Namespace, peers: list[str]
) -> str:
    """A line of the table."""
    worst, place = largest_error(function, type, compiled, options.stride)
    cells = [f"`{function.name}`", f"{worst:.3f}", ", ".join(f"{x:.9g}" for x in place)]
    if options.times:
        ours, *others = times(function, type, compiled, peers)
        cells += [f"{ours:.2f}", *[f"{other:.2f} ({other / ours:.2f} x)" for other in others]]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--type", choices=TYPES, default="f32")
    parser.add_argument("--stride", type=int, default=1009)
    parser.add_argument("--functions", default="")
    parser.add_argument("--cpu", default=HOST)
    parser.add_argument("--no-times", dest="times", action="store_false")
    options = parser.parse_args()
    names = [name for name in options.functions.split(",") if name]
    chosen = [function for function in FUNCTIONS if not names or function.name in names]
    type = TYPES[options.type]
    peers = [peer for peer in PEERS if importlib.util.find_spec(peer)]
    compiled = Compiled([function.case(type) for function in chosen], options.cpu)
    heads = ["function", "largest error (ulp)", "at"]
    heads += ["ns", *[f"{peer} ns" for peer in peers]] if options.times else []
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for function in chosen:
        print(row(function, type, compiled, options, peers), flush=True)


if __name__ == "__main__":
    main()
