"""Runs the lit tests of a checkout of ``github.com/NVIDIA/cuda-tile`` against tilewright.

    python -m conformance.lit_suite path/to/cuda-tile/test [--json FILE] [--only TEXT] [--verbose]

The RUN lines are run as they stand, inside one process for each processor: ``cuda-tile-opt`` is `tilewright-opt`, ``cuda-tile-translate``
is `tilewright translate`, ``FileCheck`` the package ``filecheck``.  The table has a line per file; what cannot be
run (the C API, the Python bindings of MLIR, passes and bytecode versions of test builds) is excluded with its reason.
"""

from __future__ import annotations

import argparse
import difflib
import io
import json
import re
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

from conformance.testing_operations import testing_operations
from tilewright.cli.batch import add_batch_options, executor_for
from tilewright.cli.commands.opt import run_opt
from tilewright.cli.commands.translate import run_translate
from tilewright.cli.progress import shown_progress
from tilewright.ir.text.expected import split_input
from tilewright.runtime.distribution import Here, distribute
from tilewright.testing.run_lines import (
    COMMANDS,
    Commands,
    RunFailure,
    RunLineError,
    run_line,
    run_lines,
    substituted,
)

SUFFIXES = frozenset({".mlir", ".c", ".py"})
EXCLUSIONS = (
    (r"-bytecode-version=250\.", "bytecode versions 250.0 and 250.1 exist in test builds only"),
    (r"bytecode_test_|testing\$bytecode", "operations for testing bytecode, of test builds only"),
    (r"test-debuginfo-update-symbol-name", "a C++ pass of the test library"),
    (r"test-cuda-tile-capi", "the C API"),
    (r"%PYTHON", "the Python bindings of MLIR"),
)
"""Patterns in RUN lines or in the text, and why such a test is no test of a compiler without them."""

_LATER = "the suite is of 13.3; "
UPDATES = (
    (
        r"(?<=f8E8M0FNU or )f4E2M1FN(?= values| or i1|\}\})",
        "f4E2M1FN or fnv8E5M3FNU",
        _LATER + "fnv8E5M3FNU came with 13.4",
    ),
    (
        r"(?<=or fnv8E5M3FNU or i1)(.*) or Pointer type(?=\}\})",
        r"\1 or Pointer type or i4",
        _LATER + "its list leaves out i4",
    ),
    (
        r"(?<=scale tile type of f8E4M3FN or f8E8M0FNU)(?= values)",
        " or fnv8E5M3FNU",
        _LATER + "fnv8E5M3FNU came with 13.4",
    ),
    (
        r"only pure operations are allowed inside",
        "only memory-effect-free operations are allowed inside",
        _LATER + "the tools of 13.5 allow division, too, and say so",
    ),
    (r"\[13\.1 - 13\.3\]", "[13.1 - 13.5]", _LATER + "later versions are supported"),
    (
        r"(?<=MAGIC: )invalid magic number",
        "input does not correspond to Tile IR bytecode",
        _LATER + "the words of 13.5",
    ),
    (
        r"(?<=CHECK: )unsupported type in bytecode writer",
        "unsupported type in bytecode",
        _LATER + "13.5 names the argument instead",
    ),
    (
        r"expected-error@unknown (?=\{\{type 'Float8E8M0FNU' requires)",
        "expected-error@+2 ",
        "the place of the error is known here",
    ),
    (r".*CHECK-NEXT: 250\.[01]", "", "bytecode versions of test builds"),
    (
        r".*expected-error.*but got '<<NULL TYPE>>'.*",
        "",
        "a second error, about the type that the first says is unknown",
    ),
    (
        r".*expected-error.*\{\{invalid rounding mode specified\. Only 'nearest_even' is supported\}\}.*",
        "",
        _LATER + "since 13.4 a widening ftof takes every mode",
    ),
    (
        r".*expected-error.*views with padding_value are not supported for atomic.*",
        "",
        _LATER + "the tools of 13.5 accept these views",
    ),
)
"""Expectations (pattern, replacement) that changed after the suite was written, and why."""
_EXPECTATION = re.compile(r"expected-|CHECK|// [A-Z_]+: ")

_HEADLINE = re.compile(r"\b(error|warning|remark|note)\[TW\d+\](?: at offset \d+)?:")


@dataclass(slots=True)
class FileResult:
    """What came of one file."""

    name: str
    outcome: str
    """passed, failed or excluded"""
    lines: int = 0
    """RUN lines in it"""
    reason: str = ""
    cases: int = 1
    """inputs in it"""
    failed_cases: int = 0
    updates: list[str] = field(default_factory=list[str])
    """reasons of the expectations that were changed"""
    failures: list[str] = field(default_factory=list[str])


def files_with_tests(suite: Path) -> Iterator[Path]:
    """The files of a suite with RUN lines, by name."""
    for path in sorted(suite.rglob("*")):
        if path.suffix in SUFFIXES and path.is_file() and run_lines(path.read_text()):
            yield path


def _opt(arguments: list[str]) -> int:
    return run_opt(arguments, sys.stdin, sys.stdout, sys.stderr)


def _without_codes() -> str:
    """Stdin without what tilewright puts into headlines: ``error[TW0101] at offset 3:`` becomes ``error:``."""
    return _HEADLINE.sub(r"\1:", sys.stdin.read())


def _file_check(arguments: list[str]) -> int:
    """``FileCheck``, by the package ``filecheck``."""
    saved, sys.stdin = sys.stdin, io.StringIO(_without_codes())
    try:
        return COMMANDS["FileCheck"](arguments)
    finally:
        sys.stdin = saved


def _llvm_file_check(program: Path, arguments: list[str]) -> int:
    """``FileCheck``, by LLVM's own program."""
    run = subprocess.run(
        [program, *arguments], input=_without_codes(), capture_output=True, text=True, check=False
    )
    print(run.stderr, file=sys.stderr)
    return run.returncode


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if line.strip()]


def _diff(arguments: list[str]) -> int:
    """``diff A B``; empty lines do not count."""
    names = [word for word in arguments if not word.startswith("-")]
    if len(names) != 2:
        raise RunLineError("diff needs two files")
    left, right = (_lines(Path(name)) for name in names)
    print("\n".join(difflib.unified_diff(left, right, *names, lineterm="")))
    return int(left != right)


def _round_trip(arguments: list[str]) -> int:
    """Text to bytecode to text, and the text as it is: ``FILE SCRATCH [FLAG ...]``."""
    file, scratch, *flags = arguments
    data, back, reference = (f"{scratch}.{end}" for end in ("out.tilebc", "roundtrip.mlir", "ref.mlir"))
    return (
        run_translate(["-mlir-to-cudatilebc", "-no-implicit-module", file, "-o", data])
        or run_translate(["-cudatilebc-to-mlir", data, "-o", back, *flags])
        or _opt([file, "-no-implicit-module", "-o", reference, *flags])
        or _diff([reference, back])
    )


SUITE_COMMANDS: Commands = {
    **COMMANDS,
    "cuda-tile-opt": _opt,
    "cuda-tile-translate": run_translate,
    "round_trip_test": _round_trip,
    "diff": _diff,
    "FileCheck": _file_check,
}


def exclusion(text: str, lines: Sequence[str]) -> str:
    """Why a test is not run; empty if it is."""
    for pattern, reason in EXCLUSIONS:
        if any(re.search(pattern, part) for part in (text, *lines)):
            return reason
    return ""


def updated(text: str) -> tuple[str, list[str]]:
    """A test with expectations of later tools, and the reasons of the changes.  Lines keep their numbers."""
    reasons: list[str] = []
    lines = text.split("\n")
    for number, line in enumerate(lines):
        for pattern, replacement, reason in UPDATES if _EXPECTATION.search(line) else ():
            line, count = re.subn(pattern, replacement, line)
            reasons.extend([reason] * count)
        lines[number] = line
    return "\n".join(lines), reasons


def run_test(path: Path, name: str, scratch: Path, commands: Commands = SUITE_COMMANDS) -> FileResult:
    """Run all RUN lines of a file; the first that fails does not keep the others from being run."""
    text = path.read_text()
    lines = run_lines(text)
    reason = exclusion(text, lines)
    if reason:
        return FileResult(name, "excluded", len(lines), reason)
    result = FileResult(name, "passed", len(lines), cases=len(split_input(text)))
    text, result.updates = updated(text)
    shown = path
    if result.updates:
        shown = scratch.with_suffix(path.suffix)
        shown.write_text(text)
    failing: set[int] = set()
    for line in lines:
        for sign, value in (("%S", str(path.parent)), ("%round_trip_test", "round_trip_test")):
            line = line.replace(sign, value)
        failure = _failure(substituted(line, shown, scratch), commands)
        if failure:
            result.outcome = "failed"
            result.failures.append(failure)
            failing |= _failing_cases(text, failure, shown)
    result.failed_cases = max(len(failing), int(result.outcome == "failed"))
    return result


def _failing_cases(text: str, failure: str, file: Path) -> set[int]:
    """The inputs of a file with diagnostics that are wrong."""
    ends = [len(piece.split("\n")) for piece in split_input(text)]
    places = re.findall(rf"^{re.escape(str(file))}:(\d+):(?:\d+:)? error: ", failure, re.MULTILINE)
    return {next((n for n, end in enumerate(ends) if int(place) <= end), 0) for place in places}


def _failure(line: str, commands: Commands) -> str:
    """What is wrong with a line; empty if nothing is."""
    try:
        run_line(line, commands)
    except (RunFailure, RunLineError) as problem:
        return str(problem)
    except Exception:
        return f"RUN: {line}\n{traceback.format_exc()}"
    return ""


@dataclass(frozen=True, slots=True)
class SuiteFile:
    """A file of a suite, as work for an executor."""

    suite: Path
    name: str
    file_check: Path | None = None

    def result(self) -> FileResult:
        """Run it, with scratch files in a folder that messages call ``%T``, as lit does."""
        commands = SUITE_COMMANDS
        if self.file_check is not None:
            commands = {**commands, "FileCheck": partial(_llvm_file_check, self.file_check)}
        path = self.suite / self.name
        with tempfile.TemporaryDirectory() as folder, testing_operations():
            result = run_test(path, self.name, Path(folder) / f"{path.stem}.tmp", commands)
            result.failures = [failure.replace(folder, "%T") for failure in result.failures]
            return result


def chosen_files(suite: Path, only: str = "", file_check: Path | None = None) -> list[SuiteFile]:
    """The files of a suite whose name has ``only`` in it; ``file_check`` is a program to use instead of the package."""
    names = (path.relative_to(suite).as_posix() for path in files_with_tests(suite))
    return [SuiteFile(suite, name, file_check) for name in names if only in name]


def run_suite(
    chosen: Sequence[SuiteFile], executor: Executor | Callable[[], Executor] = Here
) -> Iterator[FileResult]:
    """What came of files, in order; a file that ends its process has failed."""
    for done in distribute(SuiteFile.result, chosen, executor, what="files"):
        if done.error is None:
            yield done.result()
        else:
            yield FileResult(done.item.name, "failed", failed_cases=1, failures=[str(done.error)])


def _remarks(result: FileResult) -> str:
    if result.reason:
        return f": {result.reason}"
    wrong = f", {result.failed_cases} of {result.cases} inputs wrong" if result.failed_cases else ""
    changed = "; ".join(
        f"{result.updates.count(reason)} x {reason}" for reason in dict.fromkeys(result.updates)
    )
    return wrong + (f" (updated: {changed})" if changed else "")


def table(results: Sequence[FileResult], *, verbose: bool = False) -> str:
    """The results as text."""
    lines: list[str] = []
    for result in results:
        lines.append(f"{result.outcome:8}  {result.name}" + _remarks(result))
        if verbose:
            lines.extend("    " + line for failure in result.failures for line in failure.splitlines())
    counts = {word: sum(r.outcome == word for r in results) for word in ("passed", "failed", "excluded")}
    lines.append(", ".join(f"{count} {word}" for word, count in counts.items()))
    cases = sum(r.cases for r in results if r.outcome != "excluded")
    wrong = sum(r.failed_cases for r in results)
    lines.append(
        f"{cases - wrong} of {cases} inputs as expected; {sum(len(r.updates) for r in results)} updates"
    )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a suite, print the table; status 1 if a test failed."""
    parser = argparse.ArgumentParser(prog="conformance.lit_suite", description=__doc__)
    parser.add_argument("suite", type=Path, help="the folder 'test' of a checkout")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results to a file, too")
    parser.add_argument("--only", default="", metavar="TEXT", help="files with this in their names")
    parser.add_argument(
        "--filecheck", type=Path, metavar="PROGRAM", help="LLVM's FileCheck, instead of the package"
    )
    parser.add_argument("--verbose", action="store_true", help="show what the failed lines said")
    add_batch_options(parser)
    options = parser.parse_args(arguments)
    chosen = chosen_files(options.suite, options.only, options.filecheck)
    with shown_progress():
        results = list(run_suite(chosen, executor_for(len(chosen), options.jobs, options.executor)))
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(result) for result in results], indent=1) + "\n")
    print(table(results, verbose=options.verbose))
    return int(any(result.outcome == "failed" for result in results))


if __name__ == "__main__":
    sys.exit(main())
