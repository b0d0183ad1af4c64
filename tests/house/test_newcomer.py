"""What a newcomer does, in order: the README's kernel, "Your first bug", and a suite as "Kernels in CI" runs it.

Each command is a process of its own, as it is for them.  Code that stands in other blocks of these pages is executed by
`test_documents`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.documents import Block, blocks
from tests.house.tree import ROOT

pytest.importorskip("cuda.tile")
GUIDES = ROOT / "docs" / "guides"
PATHS = (ROOT / "src",)


def blocks_of(document: Path, language: str) -> list[Block]:
    return [block for block in blocks(document.read_text(encoding="utf-8")) if block.language == language]


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python in a folder, as a command would."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, PATHS)), "NO_COLOR": "1"}
    environment.pop("GITHUB_ACTIONS", None)
    command = [sys.executable, "-m", *words]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def test_the_readme_opens_with_a_race_that_is_found(tmp_path: Path) -> None:
    readme = ROOT / "README.md"
    (tmp_path / "race.py").write_text(blocks_of(readme, "python")[0].text)
    command, report = blocks_of(readme, "console")[0].text.split("\n", 1)
    done = run(tmp_path, *command.removeprefix("$ ").split())
    assert done.returncode == 1
    assert report in done.stderr


def test_the_first_bug_is_seen_and_is_found(tmp_path: Path) -> None:
    guide = GUIDES / "first-bug.md"
    program = blocks_of(guide, "python")[0]
    (tmp_path / "turn.py").write_text(program.text)
    done = run(tmp_path, "tilewright", "run", "turn.py")
    assert (done.returncode, done.stdout) == (0, program.expected), done.stderr
    report = blocks_of(guide, "console")[0].text
    (tmp_path / "program.py").write_text(program.text.replace("cutile.launch(", "ct.launch(None, "))
    for name in ("turn.py", "program.py"):
        found = run(tmp_path, "tilewright", "run", "--check", "racecheck", name)
        assert found.returncode == 1
        assert report.replace("turn.py", name) in found.stderr


def test_the_command_of_kernels_in_ci_finds_it_too(tmp_path: Path) -> None:
    program = blocks_of(GUIDES / "first-bug.md", "python")[0].text
    kernel = program.partition("\n\n\nx =")[0].replace("from tilewright import cutile\n", "")
    test = (
        "\n\n\ndef test_turn():\n    x = np.arange(1024, dtype=np.float32)\n"
        "    ct.launch(None, (64,), turn, (x,))\n"
    )
    (tmp_path / "test_turn.py").write_text(kernel + test)
    shell = [block.text for block in blocks_of(GUIDES / "ci.md", "sh")]
    command = next(line for text in shell for line in text.splitlines() if line.startswith("pytest "))
    done = run(tmp_path, *command.split(), "-p", "tilewright.pytest_plugin", "-p", "no:cacheprovider")
    assert done.returncode == 1
    assert "test_turn.py:10: TW0406" in done.stdout
