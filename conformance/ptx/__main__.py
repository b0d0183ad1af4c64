"""`python -m conformance.ptx DIR`: run the kernels of a folder and compare their results with NumPy.

`python -m conformance.ptx litmus DIR` runs litmus tests of the memory model, `python -m conformance.ptx seeded` kernels
with faults, and `python -m conformance.ptx vendor` what NVIDIA's compiler makes of the examples.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conformance.ptx import litmus, seeded, vendor
from conformance.ptx.cases import CASES
from tilewright.ir.diagnostic import DiagnosticError

SYNCHRONISING = re.compile(
    r"^\s*(?:@!?%\w+\s+)?(bar\.sync|barrier\.|bar\.warp|cp\.async\.\w*(?:commit|wait)|cp\.async\.bulk\.(?:commit|wait)"
    r"|fence\.proxy\.async|wgmma\.(?:fence|commit|wait)|mbarrier\.(?:init|arrive|expect))[^;]*;",
    re.MULTILINE,
)
"""What ``--faults`` takes out of a kernel, one at a time."""


def kernels(folder: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The name of each kernel, its PTX, and what its maker wrote beside it."""
    for path in sorted(folder.glob("*.json")):
        yield path.stem, path.with_suffix(".ptx").read_text(encoding="utf-8"), json.loads(path.read_text())


def attempt(text: str, meta: dict[str, Any]) -> str:
    """Run a kernel; answers what is wrong, or nothing."""
    try:
        error = CASES[meta["case"]](text, meta)
    except DiagnosticError as found:
        return str(found).partition("\n")[0]
    return "" if error <= meta.get("tolerance", 1e-2) else f"results are off by {error:.3g}"


def body(text: str, entry: str) -> tuple[int, int]:
    """Where a kernel begins and ends in a text of several."""
    found = re.search(rf"\.entry\s+{re.escape(entry)}\b", text)
    start = found.start() if found else 0
    end = text.find(".entry", start + 6)
    return start, end if end > 0 else len(text)


def clean(folder: Path, only: str) -> int:
    """Run all kernels as they are; answers how many are wrong."""
    wrong = total = 0
    for name, text, meta in kernels(folder):
        if only in name:
            start = time.perf_counter()
            message = attempt(text, meta)
            total, wrong = total + 1, wrong + bool(message)
            print(
                f"{'wrong' if message else 'right':6} {time.perf_counter() - start:6.1f} s  {name}  {message}",
                flush=True,
            )
    print(f"{total - wrong} of {total} kernels give right results")
    return wrong


def faulty(folder: Path, only: str) -> None:
    """Take synchronising instructions out of kernels that are right, and count what is told and what is not."""
    counts: dict[str, list[int]] = {}
    for name, text, meta in kernels(folder):
        if only not in name or attempt(text, meta):
            continue
        for match in SYNCHRONISING.finditer(text, *body(text, meta["entry"])):
            message = attempt(text[: match.start()] + "\n" + text[match.end() :], meta)
            row = counts.setdefault(match[1].rstrip("."), [0, 0])
            row[0 if message else 1] += 1
            line = text.count("\n", 0, match.start()) + 1
            print(f"{'told' if message else 'silent':6} {name}:{line}  {match[1]}  {message}", flush=True)
    for word, (told, silent) in sorted(counts.items()):
        print(f"{word}: {told} told, {silent} not")


def main() -> int:
    """The command; answers 1 if a result is wrong."""
    if sys.argv[1:2] == ["litmus"]:
        return litmus.main(sys.argv[2:])
    if sys.argv[1:] == ["seeded"]:
        return seeded.main()
    if sys.argv[1:2] == ["vendor"]:
        return vendor.main(sys.argv[2:])
    parser = argparse.ArgumentParser(prog="python -m conformance.ptx", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="kernels whose names contain this")
    parser.add_argument(
        "--faults", action="store_true", help="take synchronising instructions out, one at a time"
    )
    options = parser.parse_args()
    if options.faults:
        faulty(options.folder, options.only)
        return 0
    return min(clean(options.folder, options.only), 1)


if __name__ == "__main__":
    sys.exit(main())
