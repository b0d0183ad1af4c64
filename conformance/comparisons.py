"""Comparisons of right kernels of other authors, from launches that `conformance.launch_records` has kept.

    python -m conformance.comparisons FOLDER ... [--verbose]

compares the first launch of one kernel for each entry with exact values and in other orders, as `tilewright compare`
does, and prints a line for each folder: the kernels, those that write floats and are compared, those with a finding
that is neither a warning nor about the order of atomic additions, which is an alarm without a cause in a right kernel,
those with such an order, and those with warnings.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from conformance.launch_records import LaunchRecord, parser_of_folders, smallest
from tilewright.driver.comparison.launch import compared
from tilewright.driver.comparison.subject import INTERPRETED, ComparedLaunch, LaunchComparison
from tilewright.driver.repeatable import LaunchedKernel
from tilewright.interp import codes
from tilewright.ir.diagnostic import DiagnosticError


def launched(record: LaunchRecord) -> LaunchedKernel:
    """Return a launch that can be compared, with fresh arguments."""
    return LaunchedKernel(record.content, record.entry, record.grid, *record.arguments())


def comparison(record: LaunchRecord) -> LaunchComparison:
    """Return the comparison of a launch in the interpreter."""
    return compared(ComparedLaunch(launched(record)), INTERPRETED)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of folders."""
    parser = parser_of_folders("comparisons", __doc__)
    parser.add_argument("--verbose", action="store_true", help="name each kernel, with its time")
    given = parser.parse_args(arguments)
    print(
        "| launches of | kernels | compared | accused | order of atomics | warnings |\n|---|---:|---:|---:|---:|---:|"
    )
    for folder in given.folders:
        kernels = skipped = alarms = orders = warned = 0
        for name, records in smallest(folder).items():
            begin, told = time.process_time(), "right"
            try:
                found = comparison(records[0])
            except DiagnosticError as error:
                skipped, told = skipped + 1, str(error)
            else:
                skipped += bool(found.skipped or not found.arrays)
                ordered = sum(one.code is codes.BLOCK_ORDER for one in found.findings)
                alarms += len(found.findings) > len(found.warnings) + ordered
                orders += bool(ordered)
                warned += bool(found.warnings)
                told = "\n".join(map(str, found.findings)) or found.skipped or told
            kernels += 1
            if given.verbose or told != "right":
                print(f"{name}, {time.process_time() - begin:.1f} s: {told}", file=sys.stderr, flush=True)
        print(
            f"| {folder.name} | {kernels} | {kernels - skipped} | {alarms} | {orders} | {warned} |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
