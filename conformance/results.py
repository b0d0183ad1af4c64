"""Results of a suite's cases in a file, one line each, and the table of them.

    python -m conformance.results results.jsonl [--expected conformance/expected/liger.txt] [--verbose]

prints a line for each file of tests, then the failures that are not expected.  The status is 0 if every case that does
not pass is in the file of expectations, with its reason.  `conformance.sampling` writes results.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path

INTERRUPTED = "interrupted"
"""The outcome of a case that another run is to begin again."""


@dataclass(frozen=True)
class Case:
    """What came of one case: ``outcome`` is passed, skipped, xfailed (as its suite expects) or failed.

    ``launches`` counts those that it made.
    """

    name: str
    outcome: str
    seconds: float = 0.0
    launches: int = 0
    refused: bool = False
    """Whether tilewright said with a diagnostic why the case cannot be run."""
    reason: str = ""

    @property
    def is_of_kernels(self) -> bool:
        """Whether it came to a kernel: others test the front end, or a GPU."""
        return self.launches > 0 or self.refused


ENDED = Case("", "failed", reason="the process ended")
"""What is written when a case begins; its own word, which comes later, counts if there is one."""
WORDS = 600
"""So many characters of an error are kept."""


def short(words: str) -> str:
    """Beginning and end: front ends show the program first, and say at the end why they refuse it."""
    return words if len(words) <= WORDS else f"{words[: WORDS // 3]} ... {words[-2 * WORDS // 3 :]}"


def read(path: Path) -> dict[str, Case]:
    """The cases in a file of results, by name; the last word on each counts."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    cases = (Case(**json.loads(line)) for line in lines if line)
    last = {case.name: case for case in cases}
    return {name: case for name, case in last.items() if case.outcome != INTERRUPTED}


def append(path: Path, case: Case) -> None:
    """Add a case to a file of results, which several processes may write."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(case)) + "\n")


def expectations(text: str) -> list[tuple[str, str]]:
    """Patterns and reasons; lines that begin with ``#`` are comments."""
    lines = (line.strip() for line in text.splitlines())
    pairs = (line.partition("  ") for line in lines if line and not line.startswith("#"))
    return [(pattern, reason.strip()) for pattern, _, reason in pairs]


def expected_reason(name: str, known: Iterable[tuple[str, str]]) -> str | None:
    """Why a case is expected not to pass, if it is.  Brackets in names mean themselves."""
    plain = name.translate({ord("["): "(", ord("]"): ")"})
    return next((why for pattern, why in known if fnmatchcase(plain, _plain(pattern))), None)


def _plain(pattern: str) -> str:
    return pattern.translate({ord("["): "(", ord("]"): ")"})


def report(cases: Sequence[Case], known: Sequence[tuple[str, str]], verbose: bool = False) -> int:
    """Print what came of the cases: a line per file, then those that are not expected; the exit status."""
    print("| suite | cases | skipped | reach a kernel | of these passed | expected not to | unexpected |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for suite in dict.fromkeys(case.name.partition("::")[0] for case in cases):
        print(_row(suite, [case for case in cases if case.name.startswith(f"{suite}::")], known))
    print(_row("all", cases, known))
    failed = [case for case in cases if case.outcome == "failed"]
    surprising = [case for case in failed if expected_reason(case.name, known) is None]
    for case in failed if verbose else surprising:
        print(f"{case.name}: {expected_reason(case.name, known) or case.reason}")
    return int(bool(surprising))


def _row(name: str, cases: Sequence[Case], known: Sequence[tuple[str, str]]) -> str:
    outcomes = Counter(case.outcome for case in cases)
    of_kernels = [case for case in cases if case.is_of_kernels and case.outcome != "skipped"]
    passed = sum(case.outcome == "passed" for case in of_kernels)
    failed = [case for case in cases if case.outcome == "failed"]
    expected = sum(expected_reason(case.name, known) is not None for case in failed)
    cells = (name, len(cases), outcomes["skipped"], len(of_kernels), passed, expected, len(failed) - expected)
    return f"| {' | '.join(map(str, cells))} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of a file."""
    parser = argparse.ArgumentParser(prog="python -m conformance.results", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("results", type=Path, nargs="+", help="files that conformance.sampling wrote")
    parser.add_argument("--expected", type=Path, help="patterns of cases that do not pass, with reasons")
    parser.add_argument("--verbose", action="store_true", help="list expected failures, too")
    given = parser.parse_args(arguments)
    known = expectations(given.expected.read_text(encoding="utf-8")) if given.expected else []
    cases = [case for file in given.results for case in read(file).values()]
    return report(cases, known, given.verbose)


if __name__ == "__main__":
    sys.exit(main())
