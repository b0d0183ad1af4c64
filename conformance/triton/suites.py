"""The suites and tutorials of a checkout of Triton, how they are run, and what they are expected not to pass."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.results import Case

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
CRASHES = (-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS, -signal.SIGILL, -signal.SIGFPE)
"""How a process ends that a case has crashed."""


@dataclass(frozen=True)
class Sample:
    """One case of so many of each function, and the file that results are written to."""

    results: Path
    every: int
    seed: int

    def options(self) -> list[str]:
        """Those of `conformance.sampling`."""
        options = ["-p", "conformance.sampling", "--sample-results", str(self.results.resolve())]
        return [*options, "--sample-every", str(self.every), "--sample-seed", str(self.seed)]


def environment() -> Mapping[str, str]:
    """That of a run."""
    return {**os.environ, "TRITON_DEFAULT_BACKEND": "tilewright"}


def run_suite(
    checkout: Path, name: str, sample: Sample, variables: Mapping[str, str], workers: int, limit: float
) -> int:
    """Run a file by pytest, in as many processes; the status of pytest.  After a crash it goes on."""
    file = (checkout / name).resolve()
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-W", "ignore", "--timeout", str(limit)]
    command += ["-p", "conformance.triton.plugin", "-p", "no:cacheprovider", *sample.options()]
    command += ["--confcutdir", str(checkout.resolve()), file.name]
    command += ["--device", "cpu"] if name.startswith("test/") else []
    command += ["-n", str(workers)] if workers > 1 else []
    while True:
        status = subprocess.run(command, cwd=file.parent, env=dict(variables), check=False).returncode
        if status not in CRASHES:
            return status


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
