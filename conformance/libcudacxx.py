"""Runs tests of libcu++ as programs that `tilewright nvcc` builds: in tile mode, or as SIMT programs.

    python -m conformance.libcudacxx path/to/cccl --results results.jsonl [--draw 1000] [--seed 36] [--target sim:sm_90]
    python -m conformance.libcudacxx path/to/cccl --results simt.jsonl --draw 100 --simt

In tile mode the whole test is a tile kernel: the suite's `force_include.h` makes a function of `main`, which runs on the
host and in a kernel. Each test has a line in the file of results, and a run that is cut off goes on where it was. The
outcomes: passed, failed, skipped (the suite does not mean the test for this mode), refused (nvcc does not compile it).
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from conformance.results import Case, append, read, short

SUFFIX = ".pass.cpp"
TILE = frozenset({"enable-tile", "force-tile"})
FEATURES = frozenset({"c++20", "nvcc", "nvcc-13.5", "linux", "gcc", "has-unix-headers"})
"""Names of the suite for what is there: the language standard, the compiler, the system."""
_DIRECTIVE = re.compile(r"^//\s*(UNSUPPORTED|REQUIRES|XFAIL):\s*(.+?)\s*$", re.MULTILINE)
_MACROS = re.compile(r"^//\s*ADDITIONAL_COMPILE_DEFINITIONS:\s*(.+?)\s*$", re.MULTILINE)
_HOST = re.compile(r"^//\s*ADDITIONAL_COMPILE_OPTIONS_HOST:\s*(.+?)\s*$", re.MULTILINE)
_NAME = re.compile(r"[^\s!()]+")
BUILD_LIMIT, RUN_LIMIT = 3600, 1800
"""Seconds for nvcc, and for the program."""


def drawn(folder: Path, count: int, seed: int) -> list[str]:
    """Return the paths of tests below ``folder`` that a seed draws, in the order of the draw."""
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob(f"*{SUFFIX}"))
    return random.Random(seed).sample(names, min(count, len(names)))


def unmet(text: str, features: frozenset[str]) -> str:
    """Return the directive of a test that excludes it where only ``features`` are there; empty if none does."""
    for kind, listed in _DIRECTIVE.findall(text):
        is_so = any(holds(one, features) for one in listed.split(","))
        if is_so is not (kind == "REQUIRES"):
            return f"{kind}: {listed}"
    return ""


def holds(expression: str, features: frozenset[str]) -> bool:
    """Return whether an expression of the suite holds: names with ``!``, ``&&`` and ``||``."""
    return any(
        all(_is_met(term, features) for term in alternative.split("&&"))
        for alternative in expression.split("||")
    )


def _is_met(term: str, features: frozenset[str]) -> bool:
    names = _NAME.findall(term)
    return (names[0] in features or names[0] in ("*", "true")) is ("!" not in term) if names else False


def command(checkout: Path, test: Path, program: Path, *, is_simt: bool) -> list[str]:
    """Return the command line that builds a test, with the suite's options."""
    text = test.read_text(encoding="utf-8", errors="replace")
    library = checkout / "libcudacxx"
    words = [sys.executable, "-m", "tilewright", "nvcc", "-x", "cu", "-std=c++20", "--extended-lambda", "-w"]
    words += [] if is_simt else ["-enable-tile", "-DCCCL_FORCE_TILE_TESTS"]
    words += ["-include", str(library / "test/libcudacxx/force_include.h"), f"-I{library / 'include'}"]
    words += [f"-I{checkout / part}" for part in ("thrust", "cub") if (checkout / part).is_dir()]
    words += [f"-I{library / 'test/support'}", f"-D_LIBCUDACXX_TEST_ROOT={library / 'test'}"]
    words += [f"-D{macro}" for line in _MACROS.findall(text) for macro in line.split()]
    words += [f"-Xcompiler={option}" for line in _HOST.findall(text) for option in line.split()]
    return [*words, str(test), "-o", str(program)]


def outcome(checkout: Path, name: str, target: str, *, is_simt: bool) -> Case:
    """Build a test and run it; return what came of it."""
    folder = checkout / "libcudacxx/test/libcudacxx"
    text = (folder / name).read_text(encoding="utf-8", errors="replace")
    reason = unmet(text, FEATURES if is_simt else FEATURES | TILE)
    if reason:
        return Case(name, "skipped", reason=reason)
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="tilewright-libcudacxx-") as made:
        program = Path(made, "program")
        kind, reason = _built(command(checkout, folder / name, program, is_simt=is_simt))
        if not kind:
            kind, reason = _run(program, target)
    return Case(name, kind, round(time.perf_counter() - begin, 1), reason=reason)


def _built(words: Sequence[str]) -> tuple[str, str]:
    """Run nvcc. Return the outcome and the reason if it makes no program, otherwise empty texts."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=BUILD_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return "failed", f"not compiled in {BUILD_LIMIT} s"
    log = done.stdout + done.stderr
    if not done.returncode:
        return "", ""
    first = next((line for line in log.splitlines() if "error" in line), log)
    return ("failed" if "error[TW" in log else "refused"), short(first)


def _run(program: Path, target: str) -> tuple[str, str]:
    environment = {**os.environ, "TILEWRIGHT": target, "TILEWRIGHT_PYTHON": sys.executable}
    try:
        done = subprocess.run(
            [str(program)], capture_output=True, text=True, env=environment, timeout=RUN_LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return "failed", f"does not end in {RUN_LIMIT} s"
    if not done.returncode and "Testing on device" in done.stdout:
        return "passed", ""
    return "failed", short(f"status {done.returncode}: {done.stderr.strip() or done.stdout.strip()}")


def remaining(checkout: Path, given: argparse.Namespace) -> Iterator[str]:
    """Yield the tests of the draw that have no result yet."""
    known = read(given.results)
    for name in drawn(checkout / "libcudacxx/test/libcudacxx", given.draw, given.seed):
        if name not in known:
            yield name


def report(cases: Sequence[Case]) -> int:
    """Print how many tests have which outcome, and those that failed; return 1 if any did."""
    counts = Counter(case.outcome for case in cases)
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())) or "no results")
    for case in cases:
        if case.outcome == "failed":
            print(f"{case.name}: {case.reason}")
    return int(counts["failed"] > 0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is left of the draw, print the report, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m conformance.libcudacxx", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("checkout", type=Path, help="a checkout of NVIDIA/cccl")
    parser.add_argument("--results", type=Path, required=True, help="the file with a line for each test")
    parser.add_argument("--draw", type=int, default=1000, help="the number of tests (default: 1000)")
    parser.add_argument("--seed", type=int, default=36, help="of the draw (default: 36)")
    parser.add_argument("--target", default="cpu", help="where tile kernels run (default: cpu)")
    parser.add_argument("--simt", action="store_true", help="SIMT programs, in the simulator of PTX")
    parser.add_argument("--report", action="store_true", help="run nothing, and print the report")
    given = parser.parse_args(arguments)
    checkout = given.checkout.resolve()
    for name in () if given.report else remaining(checkout, given):
        append(given.results, outcome(checkout, name, given.target, is_simt=given.simt))
    return report(list(read(given.results).values()))


if __name__ == "__main__":
    sys.exit(main())
