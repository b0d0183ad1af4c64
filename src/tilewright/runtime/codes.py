"""Diagnostic codes of the runtime (TW0950-TW0999)."""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.interp import codes as interp
from tilewright.ir.codes import code

NOT_LOADABLE = code(
    950,
    "machine code cannot be loaded",
    "The object file of a kernel could not be linked into this process: a function that it calls is missing, or the "
    "file is not for this processor. Code made for another processor can be looked at, but not run.",
)
BAD_THREADS = code(
    951,
    "illegal number of threads",
    "A launch runs on one thread or more: `threads=` of a launch, or the environment variable `TILEWRIGHT_THREADS`, is a "
    "whole number from 1 to 1024.",
)
ASSERTION_FAILED = code(
    952,
    "assertion failed in a compiled kernel",
    "The condition of an `assert` was false for at least one element. Tile blocks that were running have come to their "
    "end, no further one was started. The interpreter says which elements it was.",
)
CHECK_FAILED = code(
    953,
    "a run-time check failed in a compiled kernel",
    "A check that was compiled into the kernel has a finding; the message has the name of the check "
    "and the finding.",
)
UNSAFE_CACHE = code(
    954,
    "the cache directory is not safe",
    "Records of the cache are machine code that is run, so the directory has to belong to the user and must not be "
    "writable for others. Nothing is read from it or written to it until then.",
)
BAD_CACHE_SIZE = code(
    955,
    "illegal cache size",
    "A size is a number of bytes, or one with a unit: `64M`, `2G`, `500K`; 0 keeps nothing.",
)
STUCK = code(
    957,
    "tile blocks wait for each other without end",
    "All tile blocks that run have been waiting for seconds, in loops that do nothing but look at memory, and no other one "
    "can begin. Either they wait for one that has not begun, as a launch runs at most 1024 at once, or for something that "
    "none of them will do.",
)
NO_SCRATCH = code(
    958,
    "no memory for the tiles of a thread",
    "Each thread of a launch needs memory of its own for tiles that do not fit into registers, and the "
    "system does not have enough. Launch with fewer threads (`threads=`, `TILEWRIGHT_THREADS`), or "
    "compute in smaller tiles.",
)
TOO_MANY_CLOCKS = code(
    956,
    "too many tile blocks for racecheck",
    "In a kernel that releases and acquires, racecheck keeps a vector clock for each tile block. "
    "Launch fewer tile blocks, or let the interpreter check the kernel.",
)
OTHER_RESULTS = code(
    959,
    "a file holds the results of other work",
    "A run that can be resumed keeps its results in a file, and the first line of the file describes "
    "the work. The results of other work would be taken for this work's, so the file is left as it is.",
)
BAD_EXECUTOR = code(
    960,
    "illegal address of an executor",
    "Work that goes to other machines is handed to the scheduler at an address, such as `dask://10.0.0.1:8786`: the scheme "
    "of a scheduler that is known, a host, and a port.",
)
NO_CLUSTER = code(
    961,
    "a scheduler cannot be used",
    "The package of the scheduler is not installed, or the scheduler does not reply, or it has no "
    "worker. Nothing was done there; without `--executor` the processes of this machine do the work.",
)
UNUSED_IGNORE = code(
    962,
    "an ignore that ignores nothing",
    "A comment such as `# tilewright: ignore[TW0406]` keeps findings of its line from being reported. The kernel of this line was "
    "launched with checks that look for the code, and found nothing here, so the comment can go; or there is no such code. "
    "A comment that is left behind would hide the next mistake.",
)
UNKNOWN_CODE = code(
    963,
    "a code to ignore that there is not",
    "`--ignore`, and the setting `ignore` of a project, name the codes of findings that are not told, such as TW0406. "
    "`tilewright explain CODE` shows what a code is for.",
)
OF_CHECKS = {
    "memcheck": interp.OUT_OF_BOUNDS,
    "initcheck": interp.UNDEFINED_VALUE,
    "fpcheck": interp.NON_FINITE,
    "promises": interp.BROKEN_PROMISE,
}
"""The code of the diagnostic if a condition of a check does not hold, by the name of the check."""
FOUND_BY = {
    "memcheck": frozenset({interp.OUT_OF_BOUNDS, interp.MISALIGNED, interp.READ_ONLY}),
    "initcheck": frozenset({interp.UNDEFINED_VALUE}),
    "racecheck": frozenset({interp.DATA_RACE}),
    "fpcheck": frozenset({interp.NON_FINITE}),
    "promises": frozenset({interp.BROKEN_PROMISE}),
}
"""All codes that a check can report, by the name of the check, in compiled code and in the interpreter."""


def found_by(checks: Iterable[str]) -> frozenset[str]:
    """Return the codes of diagnostics that the named checks report. Names that are no checks add none."""
    return frozenset(str(one) for name in checks for one in FOUND_BY.get(name, ()))
