"""Mistakes in Triton kernels that people have reported in public, and that checks find at their lines.

    python -m conformance.triton.reports [--only TEXT]

The kernels are written for this purpose, after the reports.  Each has the mistake of its report, which must be found at
the line that is marked, and is then launched once more without the mistake, which must raise no alarm.  The status is 1 if
one is not found, or a right kernel is accused.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from conformance.triton import reported_kernels as kernels
from tilewright.gpu_programs import ProgramSettings, routed
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError

MARK = "# found here"
"""The comment at the line of the kernel that a finding must be at."""


def numbers(*extents: int) -> Any:
    """Consecutive numbers in f32."""
    return np.arange(np.prod(extents), dtype=np.float32).reshape(extents)


def _length_of_another_view(kernel: Any, right: bool) -> None:
    values, bins = np.arange(4, dtype=np.int32), np.arange(5, dtype=np.int32)[::2]
    length = len(bins) if right else len(values)
    kernel[(1,)](values, bins, np.zeros(4, np.int32), length, values.strides[0] // 4, bins.strides[0] // 4)


def _heads_of_a_block(kernel: Any, right: bool) -> None:
    kernel[(2, 2)](numbers(2, 3, 8), 3, 3 * 8, 8, right, BLOCK_H=2, WIDTH=8)


def _columns_past_the_rotated(kernel: Any, right: bool) -> None:
    kernel[(1,)](numbers(4, 6), 4, 6, right, ROWS=4, COLUMNS=8)


def _row_and_part_of_it(kernel: Any, right: bool) -> None:
    kernel[(2,)](numbers(2, 16), right, WIDTH=16, TAIL=8)


def _value_of_masked_lanes(kernel: Any, right: bool) -> None:
    kernel[(1,)](numbers(5), np.zeros(1, np.float32), 5, right, BLOCK=8)


def _same_row_from_all(kernel: Any, right: bool) -> None:
    kernel[(4,)](numbers(8), np.zeros((4, 8), np.float32), right, WIDTH=8)


def _mask_left_at_home(kernel: Any, right: bool) -> None:
    kernel[(3,)](numbers(20), np.zeros(20, np.float32), 20, right, BLOCK=8)


def _scales_of_a_group(kernel: Any, right: bool) -> None:
    kernel[(2,)](numbers(6, 16), np.zeros(6, np.float32), 6, right, GROUP=4, SIZE=16)


@dataclass(frozen=True)
class Report:
    """A report, the check and the code that it is found by, the kernel, and its launch with the mistake or without."""

    source: str
    mistake: str
    check: str
    code: str
    kernel: str
    launch: Callable[[Any, bool], None]
    target: str = "cpu"

    def line(self) -> int:
        """The line that is marked."""
        lines, start = inspect.getsourcelines(getattr(kernels, self.kernel).fn)
        return start + next(at for at, line in enumerate(lines) if MARK in line)

    def run(self, *, right: bool) -> Diagnostic | None:
        """The first finding of a launch."""
        with routed(ProgramSettings.of(self.target, self.check, "sm_90")):
            try:
                self.launch(getattr(kernels, self.kernel), right)
            except DiagnosticError as error:
                return error.diagnostics[0]
        return None

    def outcome(self) -> str:
        """``found``, or in words how it went otherwise."""
        finding, alarm = self.run(right=False), self.run(right=True)
        if finding is None:
            return "not found"
        place = finding.location.source
        if str(finding.code) != self.code or place is None or place[1] != self.line():
            return f"found elsewhere: {finding}"
        return "found" if alarm is None else f"the right kernel is accused: {alarm}"


REPORTS = (
    Report(
        "triton-lang/triton#10336",
        "a mask by the length of one tensor for a view of another",
        *("memcheck", "TW0402", "length_of_another_view", _length_of_another_view),
    ),
    Report(
        "NVIDIA/Megatron-LM#7103",
        "heads of a block compared with the heads of the whole",
        *("memcheck", "TW0402", "heads_of_a_block", _heads_of_a_block),
    ),
    Report(
        "sgl-project/sglang#35096",
        "columns up to the next power of two, without a mask",
        *("memcheck", "TW0402", "columns_past_the_rotated", _columns_past_the_rotated),
    ),
    Report(
        "triton-lang/triton#10743",
        "a row is stored, and then a part of it once more",
        *("racecheck", "TW0406", "row_and_part_of_it", _row_and_part_of_it, "interp"),
    ),
    Report(
        "triton-lang/triton#9917",
        "values of lanes that a mask left out, without `other`",
        *("initcheck", "TW0405", "value_of_masked_lanes", _value_of_masked_lanes),
    ),
    Report(
        "thunlp/TritonBench#10",
        "all programs write the same row",
        *("racecheck", "TW0406", "same_row_from_all", _same_row_from_all),
    ),
    Report(
        "Dao-AILab/flash-attention#2789",
        "a mask is computed, and not passed to the store",
        *("memcheck", "TW0402", "mask_left_at_home", _mask_left_at_home),
    ),
    Report(
        "bitsandbytes-foundation/bitsandbytes#2042",
        "a whole group of scales is stored where the last one is smaller",
        *("memcheck", "TW0402", "scales_of_a_group", _scales_of_a_group),
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the reports, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m conformance.triton.reports", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--only", default="", help="reports with this in their names")
    given = parser.parse_args(arguments)
    import_module("triton")
    print("| report | mistake | check | line | outcome |")
    print("| --- | --- | --- | ---: | --- |")
    outcomes = [_row(report) for report in REPORTS if given.only in report.source]
    return int(any(outcome != "found" for outcome in outcomes))


def _row(report: Report) -> str:
    outcome = report.outcome()
    cells = (report.source, report.mistake, f"`{report.check}`", report.line(), outcome)
    print(f"| {' | '.join(map(str, cells))} |", flush=True)
    return outcome


if __name__ == "__main__":
    sys.exit(main())
