"""The suites and tutorials of a checkout of Triton, how they are run, and what they are expected not to pass."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path

SUITES = (
    "test/unit/language/test_core.py",
    "test/unit/language/test_standard.py",
    "test/unit/language/test_random.py",
    "test/unit/language/test_conversions.py",
    "test/unit/language/test_tensor_descriptor.py",
    "tutorials/06-fused-attention.py",
)
"""Files that pytest runs."""
TUTORIALS = (
    "tutorials/01-vector-add.py",
    "tutorials/02-fused-softmax.py",
    "tutorials/03-matrix-multiplication.py",
    "tutorials/04-low-memory-dropout.py",
    "tutorials/05-layer-norm.py",
    "tutorials/08-grouped-gemm.py",
)
"""Files that are run as they stand, but for their benchmarks, which are in sizes of a GPU."""
EXPECTED = Path(__file__).with_name("expected.txt")
"""Cases that do not pass: a pattern of names, two spaces or more, the reason."""
RESULTS, SAMPLE, SEED = "TRITON_RESULTS", "TRITON_EVERY", "TRITON_SEED"
"""Environment variables by which a run tells `conformance.triton.plugin` how to go on."""


@dataclass(frozen=True)
class Case:
    """What came of one case: ``outcome`` is passed, skipped or failed; ``launches`` counts those that it made."""

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


def read(path: Path) -> dict[str, Case]:
    """The cases in a file of results, by name; the last word on each counts."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    cases = (Case(**json.loads(line)) for line in lines if line)
    return {case.name: case for case in cases}


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


def environment(results: Path, every: int, seed: int) -> Mapping[str, str]:
    """That of a run."""
    return {
        **os.environ,
        "TRITON_DEFAULT_BACKEND": "tilewright",
        RESULTS: str(results.resolve()),
        SAMPLE: str(every),
        SEED: str(seed),
    }


def run_suite(checkout: Path, name: str, variables: Mapping[str, str], workers: int, limit: float) -> int:
    """Run a file by pytest, in as many processes; the status of pytest."""
    file = (checkout / name).resolve()
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-W", "ignore", "--timeout", str(limit)]
    command += ["-p", "conformance.triton.plugin", "-p", "no:cacheprovider"]
    command += ["--confcutdir", str(checkout.resolve()), file.name]
    command += ["--device", "cpu"] if name.startswith("test/") else []
    command += ["-n", str(workers)] if workers > 1 else []
    return subprocess.run(command, cwd=file.parent, env=dict(variables), check=False).returncode


def run_tutorial(file: Path, name: str, variables: Mapping[str, str], limit: float) -> Case:
    """Run a file as a program, without its benchmarks."""
    command: Sequence[str] = [sys.executable, "-m", "conformance.triton.tutorial", file.name]
    try:
        run = subprocess.run(
            command,
            cwd=file.parent,
            env=dict(variables),
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Case(name, "failed", limit, reason=f"took longer than {limit:g} s")
    passed = run.returncode == 0 and "❌" not in run.stdout
    lines = [
        line.strip() for line in (run.stderr if run.returncode else run.stdout).splitlines() if line.strip()
    ]
    reason = "" if passed else " / ".join(lines[-8:])[-600:]
    outcome = "passed" if passed else "skipped" if "ModuleNotFoundError" in reason else "failed"
    return Case(name, outcome, launches=1, reason=reason)
