"""What NVIDIA's tools answer to the modules of the tests, kept in ``data/answers.xz``: thousands of runs less.

A tool of one release answers the same to the same bytes, so an answer is found by the digest of the tool's name, its
release, its arguments and the input.  A run whose digest is not there is done.  ``pytest --whole`` does all of them,
and so does the nightly job.

    python -m tests.support.real.kept_answers    # after adding cases: does all runs again, and keeps them

Each line of the file is the digest of a run, its exit status, its output and its errors, as JSON.
"""

from __future__ import annotations

import functools
import hashlib
import json
import lzma
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
KEPT = Path(__file__).parent / "data" / "answers.xz"
TESTS = (
    *("bytecode/test_preview.py", "bytecode/test_reader_tool.py", "bytecode/test_writer_corpus.py"),
    *("bytecode/test_writer_generated.py", "cli/test_disasm.py", "cutile/test_compiler.py"),
    *("cutile/test_dump_tileir.py", "cutile/test_since_1_7.py", "dialects/cuda_tile/test_disassembly.py"),
    *("dialects/cuda_tile/test_slice_indices.py", "support/real"),
)
"""Those that ask tools."""
FOLDER = "tilewright-real-tools"
DIGITS = 16

Answer = tuple[int, str, str]
"""Exit code, stdout, stderr."""


def digest(tool: str, release: str, arguments: Sequence[str], bytecode: bytes) -> str:
    """Return the digest of a run."""
    identity = json.dumps([tool, release, arguments])
    return hashlib.sha256(identity.encode() + b"\0" + bytecode).hexdigest()[:DIGITS]


@functools.cache
def kept() -> dict[str, Answer]:
    """Return the kept answers by the digests of their runs."""
    rows = (json.loads(line) for line in lzma.decompress(KEPT.read_bytes()).splitlines())
    return {name: (code, out, err) for name, code, out, err in rows}


def cache_directory() -> Path:
    """Return the folder with a file for each other run that was done on this machine."""
    directory = Path(tempfile.gettempdir()) / f"{FOLDER}-{os.getuid()}"
    directory.mkdir(mode=0o700, exist_ok=True)
    return directory


def write(answers: Iterable[tuple[str, Answer]]) -> None:
    """Keep these answers and no others, but for those that name the checkout: another one has other inputs."""
    rows = [(name, answer) for name, answer in sorted(answers) if str(ROOT) not in "".join(answer[1:])]
    lines = [json.dumps([name, *answer], separators=(",", ":")) for name, answer in rows]
    KEPT.write_bytes(lzma.compress("\n".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME))


def main() -> None:
    """Run the tests that ask tools, with no answer at hand, and keep all answers."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"tests/{name}" for name in TESTS]
        command = [sys.executable, "-m", "pytest", "--whole", "-n", "auto", "--dist", "worksteal", *paths]
        subprocess.run(command, env={**os.environ, "TMPDIR": folder}, check=False)
        (directory,) = Path(folder).glob(f"{FOLDER}-*")
        write((path.stem, json.loads(path.read_text())) for path in directory.glob("*.json"))


if __name__ == "__main__":
    main()
