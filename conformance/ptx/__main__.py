"""`python -m conformance.ptx DIR`: run the kernels of a folder and compare their results with NumPy.

`python -m conformance.ptx litmus DIR` runs litmus tests of the memory model, `python -m conformance.ptx seeded` kernels
with faults, `python -m conformance.ptx spirv-run DIR` programs of ZLUDA, `python -m conformance.ptx removals` right programs without
each of their synchronising instructions, `python -m conformance.ptx triton` products and attention of an installed
Triton, and `python -m conformance.ptx vendor` what NVIDIA's compiler makes of the examples.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from conformance.ptx import litmus, removals, seeded, spirv_run, triton_programs, vendor
from conformance.ptx.kernel_files import clean, kernels
from tilewright.cli.batch import add_batch_options, executor_for
from tilewright.cli.progress import shown_progress


def main() -> int:
    """The command; answers 1 if a result is wrong."""
    if sys.argv[1:2] == ["litmus"]:
        return litmus.main(sys.argv[2:])
    if sys.argv[1:2] == ["seeded"]:
        return seeded.main(sys.argv[2:])
    if sys.argv[1:2] == ["spirv-run"]:
        return spirv_run.main(sys.argv[2:])
    if sys.argv[1:2] == ["removals"]:
        return removals.main(sys.argv[2:])
    if sys.argv[1:2] == ["triton"]:
        return triton_programs.main(sys.argv[2:])
    if sys.argv[1:2] == ["vendor"]:
        return vendor.main(sys.argv[2:])
    parser = argparse.ArgumentParser(prog="python -m conformance.ptx", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="kernels whose names contain this")
    add_batch_options(parser)
    options = parser.parse_args()
    paths = kernels(options.folder, options.only)
    executor = executor_for(len(paths), options.jobs, options.executor)
    with shown_progress():
        return min(clean(paths, executor), 1)


if __name__ == "__main__":
    sys.exit(main())
