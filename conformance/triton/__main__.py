"""Runs Triton's own suites and tutorials on the CPU, none of its files changed, from a checkout of its sources.

    python -m conformance.triton path/to/triton/python [--every 20] [--seed 0] [--workers 2] [--timeout 60]
                                 [--results FILE] [--only TEXT] [--verbose]

The checkout should be of the version of the installed Triton.  ``--every 20`` takes one case of twenty of each function,
and at least one; another seed takes others.  Results are kept in a file, one line a case; a run that goes on with the
file leaves out what it has.  The status is 0 if every case that does not pass is in ``expected.txt``.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from conformance.results import append, expectations, read, report
from conformance.triton.suites import (
    EXPECTED,
    SUITES,
    TUTORIALS,
    Sample,
    environment,
    run_suite,
    run_tutorial,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, and print the table."""
    given = _parser().parse_args(arguments)
    variables = {**environment(), "PYTHONPATH": os.pathsep.join(sys.path)}
    sample = Sample(given.results, given.every, given.seed)
    for name in (*SUITES, *TUTORIALS):
        file = given.checkout / name
        if given.only not in name or not file.exists():
            continue
        print(name, file=sys.stderr)
        if name in SUITES:
            run_suite(given.checkout, name, sample, variables, given.workers, given.timeout)
        elif (case := f"tutorials::{file.stem}") not in read(given.results):
            append(given.results, run_tutorial(file, case, variables, 10 * given.timeout))
    cases = read(given.results)
    return report(list(cases.values()), expectations(EXPECTED.read_text(encoding="utf-8")), given.verbose)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m conformance.triton", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("checkout", type=Path, help="the folder with test and tutorials")
    parser.add_argument("--every", type=int, default=1, help="take one case of so many of each function")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--workers", type=int, default=1, help="processes that run cases")
    parser.add_argument("--timeout", type=float, default=60, help="seconds that a case may take")
    parser.add_argument("--results", type=Path, default=Path("triton-results.jsonl"))
    parser.add_argument("--only", default="", help="files whose names have this in them")
    parser.add_argument("--verbose", action="store_true", help="list expected failures, too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
