"""The ``tileirdisasm`` of this project: NVIDIA's command line, text and exit status."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tests.house.tree import ROOT, imported_from
from tests.support.real.real_tools import require_tool
from tests.support.real.real_writer import op_cases
from tilewright.bytecode import write_bytecode
from tilewright.cli.commands.install_tileirdisasm import KEPT, MARK, NAME, script
from tilewright.cli.drop_ins.tileirdisasm import run_tileirdisasm
from tilewright.driver.sources import load
from tilewright.version import __version__

KERNEL = ROOT / "tests" / "house" / "data" / "kernel.mlir"
PACKAGE = ROOT / "packages" / "tilewright-tileirdisasm" / "pyproject.toml"
Command = Callable[..., Answer]


@pytest.fixture
def bytecode(tmp_path: Path) -> Path:
    path = tmp_path / "kernel.tileirbc"
    path.write_bytes(write_bytecode(load(KERNEL)))
    return path


@pytest.fixture
def disasm(capfd: pytest.CaptureFixture[str]) -> Command:
    def run(*words: str) -> Answer:
        return Answer(run_tileirdisasm(words), *capfd.readouterr())

    return run


class TestTool:
    def test_the_text(self, disasm: Command, tilewright: Command, bytecode: Path) -> None:  # noqa: F811
        plain = tilewright("disasm", str(bytecode)).out
        assert disasm(str(bytecode)) == (0, plain, "")
        assert disasm("--preview=simt", str(bytecode)) == (0, plain, "")
        located = tilewright("disasm", "-g", str(bytecode)).out
        for flag in ("-g", "--print-debug-info", "-print-debug-info"):
            assert disasm(flag, str(bytecode)) == (0, located, "")

    def test_pages(self, disasm: Command) -> None:
        assert disasm("--version") == (0, f"tileirdisasm: tilewright {__version__}\n", "")
        assert "--preview=FEATURE" in disasm("--help").out

    @pytest.mark.parametrize(
        "words",
        [("missing",), (), ("--nothing", "x"), ("--preview=nothing", "x"), ("a", "b"), (str(KERNEL),)],
        ids=" ".join,
    )
    def test_the_exit_status_is_that_of_the_vendors_tool(
        self, disasm: Command, words: tuple[str, ...]
    ) -> None:
        status, out, err = disasm(*words)
        assert (out, bool(err)) == ("", True)
        tool = require_tool("tileirdisasm")
        theirs = subprocess.run([tool, *words], capture_output=True, check=False, timeout=60)
        assert status == theirs.returncode

    @pytest.mark.parametrize("flags", [(), ("-g",)])
    def test_the_output_is_that_of_the_vendors_tool(
        self, disasm: Command, tmp_path: Path, flags: tuple[str, ...]
    ) -> None:
        tool = require_tool("tileirdisasm")
        path = tmp_path / "case.tileirbc"
        for case in op_cases()[::600]:
            path.write_bytes(case.bytecode)
            theirs = subprocess.run([tool, *flags, path], capture_output=True, check=True, timeout=60)
            assert disasm(*flags, str(path)).out.encode() == theirs.stdout


class TestInstalling:
    def test_a_script_that_works(self, tilewright: Command, tmp_path: Path, bytecode: Path) -> None:  # noqa: F811
        status, out, err = tilewright("install-tileirdisasm", str(tmp_path))
        assert (status, out, err) == (0, "", f"installed '{tmp_path / NAME}'\n")
        environment = {"PYTHONPATH": imported_from()}
        ran = subprocess.run(
            [tmp_path / NAME, bytecode], capture_output=True, text=True, check=True, env=environment
        )
        assert ran.stdout == tilewright("disasm", str(bytecode)).out
        assert tilewright("install-tileirdisasm", str(tmp_path)).status == 0  # ours is renewed
        assert tilewright("install-tileirdisasm", "--remove", str(tmp_path)).status == 0
        assert not (tmp_path / NAME).exists()

    def test_another_one_is_left_alone(self, tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
        theirs = tmp_path / NAME
        theirs.write_bytes(b"\x7fELF theirs")
        status, _, err = tilewright("install-tileirdisasm", str(tmp_path))
        assert status == 2
        assert "--force" in err
        assert theirs.read_bytes() == b"\x7fELF theirs"
        assert tilewright("install-tileirdisasm", "--remove", str(tmp_path)).status == 2

    def test_force_keeps_it(self, tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
        theirs = tmp_path / NAME
        theirs.write_bytes(b"\x7fELF theirs")
        assert tilewright("install-tileirdisasm", "--force", str(tmp_path)).status == 0
        assert (tmp_path / KEPT).read_bytes() == b"\x7fELF theirs"
        assert MARK in theirs.read_text()
        status, _, err = tilewright("install-tileirdisasm", "--remove", str(tmp_path))
        assert (status, "restored" in err) == (0, True)
        assert theirs.read_bytes() == b"\x7fELF theirs"
        assert not (tmp_path / KEPT).exists()

    def test_what_was_kept_is_not_lost(self, tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
        (tmp_path / NAME).write_bytes(b"second")
        (tmp_path / KEPT).write_bytes(b"first")
        assert tilewright("install-tileirdisasm", "--force", str(tmp_path)).status == 2
        assert (tmp_path / KEPT).read_bytes() == b"first"

    def test_no_such_folder(self, tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
        assert tilewright("install-tileirdisasm", str(tmp_path / "missing")).status == 2

    def test_paths_that_a_shebang_line_cannot_hold(self, tmp_path: Path, bytecode: Path) -> None:
        folder = tmp_path / "a folder with blanks"
        folder.mkdir()
        python = folder / "python"
        python.symlink_to(sys.executable)
        tool = folder / NAME
        tool.write_text(script(str(python)))
        tool.chmod(0o755)
        environment = {"PYTHONPATH": ":".join([imported_from(), *filter(None, sys.path)])}
        ran = subprocess.run([tool, bytecode], capture_output=True, text=True, check=True, env=environment)
        assert ran.stdout.startswith("entry @")


class TestDistribution:
    """Who installs tilewright gets no other tileirdisasm: the script is in a distribution that has nothing else."""

    def test_the_versions_agree(self) -> None:
        project = tomllib.loads(PACKAGE.read_text())["project"]
        assert project["version"] == __version__
        assert project["dependencies"] == [f"tilewright>={__version__}"]
        assert project["scripts"] == {NAME: "tilewright.cli.drop_ins.tileirdisasm:main"}

    def test_tilewright_itself_has_no_such_script(self) -> None:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        assert NAME not in project["scripts"]
