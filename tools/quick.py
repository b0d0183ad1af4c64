"""The quick loop: lint and types of changed files, a smoke test of each floor, and the tests of what changed.

    make quick                                  # changes since the merge base with main, in at most two minutes
    python -m tools.quick --since HEAD~3        # changes since another commit
    python -m tools.quick --seconds 60 --list   # print the commands and run nothing

A test file belongs to a changed module if it imports the module, or if its folder has the path of the module
(``tests/layouts`` for ``src/tilewright/layouts``).  Files run in batches, those with fewer changed modules in their
imports last.  A batch begins only while time is left: the files that did not run are listed, and `make test` runs all.
The exit status is 1 if a command failed, else 0.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SMOKE = (
    "tests/ir/test_operation.py",
    "tests/ptx/test_ptx_text.py",
    "tests/rewrite/test_greedy.py",
    "tests/layouts/test_layout_algebra.py",
    "tests/passes/test_manager.py",
    "tests/bytecode/test_reader.py",
    "tests/interp/test_interp_control.py",
    "tests/runtime/test_engine.py",
    "tests/driver/test_launch.py",
    "tests/house/test_import_floors.py",
    "tests/house/test_sizes.py",
)
"""Test files of a few seconds, from the lowest floor to the highest."""
BATCH = 12
"""The number of test files in one run of pytest: each run starts its workers anew, which takes about two seconds."""


def changed(since: str) -> list[Path]:
    """Return the Python files that differ from a commit, untracked files included, relative to the root."""
    tracked = _git("diff", "--name-only", "--diff-filter=d", since, "--", "*.py")
    untracked = _git("ls-files", "--others", "--exclude-standard", "--", "*.py")
    return [Path(line) for line in sorted({*tracked, *untracked})]


def merge_base() -> str:
    """Return the commit at which the branch left main, or HEAD where no branch has this name."""
    found = subprocess.run(["git", "merge-base", "HEAD", "main"], cwd=ROOT, capture_output=True, text=True)
    return found.stdout.strip() or "HEAD"


def related_tests(files: Iterable[Path], tests: Sequence[Path]) -> list[Path]:
    """Return the files of `tests` that belong to the changed `files`, those with most changed imports first.

    Paths are relative to the root.  A changed test file belongs to itself.
    """
    score: Counter[Path] = Counter()
    files = [*files]
    modules = {_module(file): file for file in files if file.parts[:1] == ("src",)}
    for test in tests:
        imported = _imports((ROOT / test).read_text(encoding="utf-8"))
        score[test] += len(imported & modules.keys()) + 100 * (test in files)
        score[test] += sum(_shares_folder(test, file) for file in modules.values())
    return [test for test, count in score.most_common() if count]


def _module(file: Path) -> str:
    """Return the name of a module: ``src/tilewright/ir/block.py`` is ``tilewright.ir.block``."""
    return ".".join(file.with_suffix("").parts[1:]).removesuffix(".__init__")


def _imports(text: str) -> set[str]:
    """Return the modules of tilewright that a test names in its imports."""
    found = set(re.findall(r"^\s*(?:from|import) (tilewright[\w.]*)", text, re.MULTILINE))
    for package, names in re.findall(
        r"^\s*from (tilewright[\w.]*) import \(?([\w, \n]+)", text, re.MULTILINE
    ):
        found |= {f"{package}.{name.strip()}" for name in names.split(",")}
    return found


def _shares_folder(test: Path, file: Path) -> bool:
    """Whether the folder of a test has the path of a module's folder, below the package."""
    return test.parts[1:-1] == file.parts[2:-1] and len(file.parts) > 3


def commands(files: Sequence[Path]) -> list[list[str]]:
    """Return the commands for the changed files: lint, format, types."""
    names = [str(file) for file in files]
    sources = [name for name in names if name.startswith("src/")]
    lint = [[sys.executable, "-m", "ruff", *rest, *names] for rest in (["check"], ["format", "--check"])]
    return [*(lint if names else []), *([[sys.executable, "-m", "pyright", *sources]] if sources else [])]


def batches(files: Sequence[Path]) -> list[list[str]]:
    """Return the test files in groups of `BATCH`: first the smoke tests, then the tests of the changed `files`."""
    tests = sorted(path.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py"))
    names = [str(test) for test in related_tests(files, tests) if str(test) not in SMOKE]
    groups = [names[start : start + BATCH] for start in range(0, len(names), BATCH)]
    return [[*SMOKE], *groups]


def run(files: Sequence[Path], seconds: float) -> int:
    """Run everything until `seconds` have passed.  Return the exit status."""
    end, failed, left = time.monotonic() + seconds, False, list[str]()
    for command in commands(files):
        failed |= bool(subprocess.run(command, cwd=ROOT).returncode)
    for group in batches(files):
        if time.monotonic() > end:
            left += group
            continue
        failed |= bool(subprocess.run([*_PYTEST, *group], cwd=ROOT).returncode)
    if left:
        print(f"not run after {seconds:.0f} s: {' '.join(left)}", file=sys.stderr)
    return int(failed)


_PYTEST = [sys.executable, "-m", "pytest", "--numprocesses=auto", "--maxprocesses=8", "--dist=worksteal"]


def _git(*words: str) -> list[str]:
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the quick loop, or list its commands."""
    parser = argparse.ArgumentParser(prog="python -m tools.quick", description=__doc__.partition("\n")[0])
    parser.add_argument("--since", metavar="COMMIT", help="default: the merge base with main")
    parser.add_argument("--seconds", type=float, default=90, help="begin no batch of tests after this time")
    parser.add_argument("--list", action="store_true", help="print the commands and run nothing")
    asked = parser.parse_args(arguments)
    files = changed(asked.since or merge_base())
    if asked.list:
        listed = [*commands(files), *([*_PYTEST, *group] for group in batches(files))]
        print(*(" ".join(command) for command in listed), sep="\n")
        return 0
    return run(files, asked.seconds)


if __name__ == "__main__":
    sys.exit(main())
