"""A pytest plugin for suites of others: a sample of the cases, a line of results for each, and runs that go on.

    pytest --tilewright -p conformance.sampling --sample-results results.jsonl --sample-every 20 [--sample-seed 0] FILES
    pytest --tilewright -p conformance.sampling --sample-results results.jsonl --sample-smallest 2 FILES

``--sample-every 20`` takes one case of twenty of each function, and at least one; another seed takes others.
``--sample-smallest 2`` takes the two of each function with the smallest numbers among their parameters, and runs the
smallest of all first.  Results are kept in a file, one line a case: `conformance.results` prints the table.  A run that
goes on with the file leaves out what it has, and the case that ended the process of an earlier run.
"""

from __future__ import annotations

import random
import re
import zlib
from collections import defaultdict
from collections.abc import Generator, Sequence
from math import prod
from pathlib import Path
from typing import Any

import pytest

from conformance.results import ENDED, INTERRUPTED, Case, append, read, short
from tilewright.ir.diagnostic import DiagnosticError


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    add = parser.getgroup("sampling", "a sample of a suite").addoption
    add(
        "--sample-results",
        type=Path,
        required=True,
        metavar="FILE",
        help="Write a line for each case to FILE.",
    )
    add("--sample-every", type=int, default=1, help="Take one case of so many of each function.")
    add("--sample-seed", type=int, default=0, help="Of the sample.")
    add("--sample-smallest", type=int, default=0, help="Take so many of each function, the smallest first.")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep a sample of the cases of each function, less those that have results."""
    functions: dict[tuple[str, str], list[pytest.Item]] = defaultdict(list)
    for item in items:
        functions[item.path.stem, getattr(item, "originalname", item.name)].append(item)
    done = read(config.option.sample_results)
    kept = [item for (_, name), cases in functions.items() for item in _sample(config.option, name, cases)]
    if config.option.sample_smallest:
        kept.sort(key=size)
    chosen = [item for item in kept if case_name(item) not in done]
    ids = {id(item) for item in chosen}
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in ids])
    items[:] = chosen if config.option.sample_smallest else [item for item in items if id(item) in ids]


def _sample(options: Any, name: str, cases: list[pytest.Item]) -> list[pytest.Item]:
    """The cases of a function that are taken."""
    if options.sample_smallest:
        return sorted(cases, key=size)[: options.sample_smallest]
    seed = zlib.crc32(f"{options.sample_seed}:{name}".encode())
    return random.Random(seed).sample(cases, -(-len(cases) // options.sample_every))


def size(item: pytest.Item) -> int:
    """How large a case is, as far as its parameters tell: the product of the integers in them."""
    callspec = getattr(item, "callspec", None)
    return 0 if callspec is None else prod(_numbers(list(callspec.params.values())))


def _numbers(values: Sequence[Any]) -> Generator[int]:
    """The integers among parameters, those in lists and in names such as ``"8x16"`` as well."""
    for value in values:
        if isinstance(value, int):
            yield max(int(value), 1)
        elif isinstance(value, str):
            yield from (max(int(digits[:9]), 1) for digits in re.findall(r"(?<![a-z])\d+", value))
        elif isinstance(value, list | tuple):
            yield from _numbers(list(value))


def case_name(item: pytest.Item) -> str:
    """The name of a case in results: the file, and what it is called there."""
    return f"{item.path.stem}::{item.name}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Write down that a case begins, in the case that it ends the process."""
    file: Path = item.config.option.sample_results
    append(file, Case(case_name(item), ENDED.outcome, reason=ENDED.reason))
    try:
        return (yield)
    except BaseException:
        append(file, Case(case_name(item), INTERRUPTED))
        raise


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write down what came of a case."""
    report = yield
    if report.when == "call" or report.outcome != "passed":
        append(item.config.option.sample_results, _case(item, call, report))
    return report


def _case(item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport) -> Case:
    error = call.excinfo.value if call.excinfo is not None else None
    refused = next((one for one in _causes(error) if isinstance(one, DiagnosticError)), None)
    words = " / ".join(line.strip() for line in str(refused or error or "").splitlines() if line.strip())
    reason = short(f"{type(refused or error).__name__}: {words}") if error is not None else ""
    expected = report.outcome == "skipped" and hasattr(report, "wasxfail")
    return Case(
        case_name(item),
        "xfailed" if expected else report.outcome,
        round(report.duration, 3),
        launches(report),
        refused is not None,
        reason,
    )


def launches(report: pytest.TestReport) -> int:
    """How many launches a case made, as the plugin of pytest tells in its report."""
    kernels: dict[str, tuple[int, float]] = report.__dict__.get("tilewright", {}).get("kernels", {})
    return int(sum(count for count, _ in kernels.values()))


def _causes(error: BaseException | None) -> Generator[BaseException]:
    """An exception, what caused it, and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
