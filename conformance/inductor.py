"""PyTorch's operations through ``torch.compile`` with Triton kernels on the CPU, against PyTorch itself.

    python -m conformance.inductor [--every 6] [--seed 0] [--samples 2] [--results FILE] [--only TEXT] [--expected FILE]

PyTorch's package has a list of its operations with sample inputs, by which its own tests compare compilers with eager
execution (``torch.testing._internal``).  Here Inductor, with ``cpu_backend="triton"``, writes Triton kernels for them in
f32, and tilewright compiles these.  Operations for which PyTorch calls a library have no kernel.  A run that goes on with
the file of results leaves out what it has.  The status is 0 if every operation that differs is expected to.
``--record-kernels FOLDER`` keeps the kernels as `conformance.recording` does, and runs none.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from conformance.recording import Recorder
from conformance.results import ENDED, Case, append, expectations, read, report, short
from conformance.triton.plugin import Counting
from tilewright.ir.diagnostic import DiagnosticError

torch: Any = import_module("torch")
TOLERANCES = {"rtol": 1.3e-5, "atol": 1e-5}
"""Those of f32 in `torch.testing`, where sums may be in another order."""
RANDOM = (
    "bernoulli",
    "dropout",
    "normal",
    "rand",
    "multinomial",
    "uniform",
    "cauchy",
    "exponential",
    "geometric",
)
"""Operations with these in their names make other random numbers when they are compiled, and `empty` makes none."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the operations, and print the table."""
    given = _parser().parse_args(arguments)
    launches = _prepare()
    if given.record_kernels:
        launches.engine = Recorder(given.record_kernels)
    database: Any = import_module("torch.testing._internal.common_methods_invocations")
    names = [one for one in database.op_db if torch.float32 in one.dtypes and given.only in one.name]
    names = [one for one in names if not any(word in one.name for word in (*RANDOM, "empty"))]
    taken = random.Random(given.seed).sample(names, -(-len(names) // given.every))
    done = read(given.results)
    for one in taken:
        name = f"inductor::{one.name}{'.' if one.variant_test_name else ''}{one.variant_test_name}"
        if name not in done:
            append(given.results, Case(name, ENDED.outcome, reason=ENDED.reason))
            append(given.results, compared(name, one, given.samples, launches))
    known = expectations(given.expected.read_text(encoding="utf-8")) if given.expected else []
    return report(list(read(given.results).values()), known)


def _prepare() -> Counting:
    """Choose the back end, in this process, with nothing kept from other runs."""
    os.environ["TRITON_DEFAULT_BACKEND"] = "tilewright"
    launches = Counting()
    triton: Any = import_module("triton")
    triton.runtime.driver.set_active(triton.backends.backends["tilewright"].driver(launches))
    config: Any = import_module("torch._inductor.config")
    config.cpu_backend, config.compile_threads, config.force_disable_caches = "triton", 1, True
    return launches


def compared(name: str, operation: Any, samples: int, launches: Counting) -> Case:
    """What came of an operation: its samples compiled, and compared with PyTorch's own results."""
    launches.made = {}
    begin = time.perf_counter()
    outcome, refused, reason = "passed", False, ""
    try:
        for sample in islice(operation.sample_inputs("cpu", torch.float32), samples):
            _compare(operation, sample)
    except Exception as error:
        causes = [error, error.__cause__, error.__context__]
        refused = any(isinstance(one, DiagnosticError) for one in causes)
        outcome, reason = "failed", short(f"{type(error).__name__}: {' / '.join(str(error).split(chr(10)))}")
    torch.compiler.reset()
    count = sum(count for count, _ in launches.made.values())
    return Case(name, outcome, round(time.perf_counter() - begin, 3), count, refused, reason)


def _compare(operation: Any, sample: Any) -> None:
    def call(*arguments: Any, **named: Any) -> Any:
        return operation.op(*arguments, **named)

    arguments = (sample.input, *sample.args)
    torch.manual_seed(0)
    wanted = call(*_copies(arguments), **_copies(sample.kwargs))
    torch.manual_seed(0)
    found = torch.compile(call)(*_copies(arguments), **_copies(sample.kwargs))
    torch.testing.assert_close(found, wanted, equal_nan=True, **TOLERANCES)


def _copies(values: Any) -> Any:
    """Arguments with tensors of their own, as operations may change them."""
    mapped: Any = import_module("torch.utils._pytree").tree_map
    return mapped(lambda value: value.detach().clone() if isinstance(value, torch.Tensor) else value, values)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m conformance.inductor", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--every", type=int, default=1, help="take one operation of so many")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--samples", type=int, default=2, help="so many sample inputs of each")
    parser.add_argument("--results", type=Path, default=Path("inductor-results.jsonl"))
    parser.add_argument("--only", default="", help="operations with this in their names")
    parser.add_argument("--record-kernels", type=Path, help="keep the kernels in this folder, and run none")
    parser.add_argument("--expected", type=Path, help="patterns of operations that differ, with reasons")
    return parser


if __name__ == "__main__":
    sys.exit(main())
