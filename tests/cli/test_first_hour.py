"""Mistakes of somebody new to the command line: what is said of each, and the exit status."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_commands import KERNEL, Answer, tilewright
from tilewright.driver import dependencies
from tilewright.driver.options import check_names
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.support.strings import nearest

__all__ = ["tilewright"]

Command = Callable[..., Answer]


@pytest.mark.parametrize("file", ["no.py", "no.mlir", "no.ptx"])
@pytest.mark.parametrize(
    "command", ["run", "explore", "verify", "compile", "opt", "translate", "disasm", "diff", "sim", "inspect"]
)
def test_a_missing_file_ends_every_command_alike(tilewright: Command, command: str, file: str) -> None:
    words = [command, file, file] if command == "diff" else [command, file]
    status, out, err = tilewright(*words)
    assert (status, out) == (2, "")
    assert err.startswith("error")
    assert file in err


@pytest.mark.parametrize("command", ["verify", "compile", "opt", "translate", "disasm", "diff", "schedule"])
def test_a_python_program_is_not_read_as_a_module(tilewright: Command, tmp_path: Path, command: str) -> None:
    program = tmp_path / "program.py"
    program.write_text("import cuda.tile as ct\n")
    words = [command, str(program), str(program)] if command == "diff" else [command, str(program)]
    status, out, err = tilewright(*words)
    assert (status, out) == (2 if command == "diff" else 1, "")
    assert f"'{program}' is a Python program, not a module\nhint: `tilewright run` runs it" in err
    assert "TW0002" not in err


@pytest.mark.parametrize(
    "words",
    [("compile", KERNEL, "--emit=bytecode"), ("translate", "--mlir-to-cudatilebc", KERNEL)],
    ids=lambda words: words[0],
)
def test_binary_data_do_not_go_to_terminals(
    tilewright: Command, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    status, out, err = tilewright(*words)
    assert (status, out) == (2, "")
    assert "binary data are not for a terminal\nhint: name a file with -o" in err


def test_a_program_whose_frontend_is_missing_gets_the_extra(
    tilewright: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(dependencies.FRONTENDS, "absent_frontend", "cutile")
    program = tmp_path / "program.py"
    program.write_text("import absent_frontend\n")
    status, _, err = tilewright("run", str(program))
    assert status == 1
    assert err.endswith("No module named 'absent_frontend'\nhint: pip install 'tilewright[cutile]'\n")
    assert {"cuda", "cuda.tile", "triton"} <= dependencies.FRONTENDS.keys()


def test_an_environment_of_uv_gets_commands_of_uv(
    tilewright: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such environments have no pip."""
    with_pip = [line for line in tilewright("doctor").err.splitlines() if "pip install" in line]
    monkeypatch.setattr(dependencies, "_is_installed", lambda package: package not in ("pip", "pygls"))
    with_uv = [line for line in tilewright("doctor").err.splitlines() if "pip install" in line]
    assert with_uv == [line.replace("hint: pip", "hint: uv pip") for line in with_pip]
    assert with_uv
    with pytest.raises(DiagnosticError, match=r"hint: uv pip install 'tilewright\[lsp\]'"):
        dependencies.require("lsp")


def test_other_missing_modules_get_no_hint(tilewright: Command, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import absent_module\n")
    _, _, err = tilewright("run", str(tmp_path / "program.py"))
    assert err.endswith("No module named 'absent_module'\n")


def test_a_code_far_from_all_others_suggests_nothing(tilewright: Command) -> None:
    assert tilewright("explain", "TW9999") == (1, "", "error: nothing is called 'TW9999'\n")
    assert "hint: did you mean TW16" in tilewright("explain", "TW1699").err


def test_the_beginning_of_a_pass_suggests_it(tilewright: Command) -> None:
    _, _, err = tilewright("opt", "--optimise", KERNEL)
    assert "unknown argument '--optimise'\nhint: did you mean '--optimize-" in err


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("optimise", ["optimize-cuda-tile", "cse"], "optimize-cuda-tile"),
        ("zzzzzz", ["optimize-cuda-tile"], None),
        ("opti", ["optimize-cuda-tile"], None),
        ("adff", ["addf", "addf_very_long"], "addf"),
    ],
)
def test_names_that_are_meant(name: str, known: list[str], meant: str | None) -> None:
    assert nearest(name, known) == meant


def test_a_misspelt_check_is_corrected(tilewright: Command) -> None:
    """The one reader of checks serves the command line, Python, the plugin of pytest and notebooks."""
    with pytest.raises(DiagnosticError, match="hint: did you mean 'racecheck'\\? known checks: memcheck"):
        check_names("rececheck")
    status, _, err = tilewright("run", KERNEL, "--check=rececheck")
    assert status == 2
    assert "did you mean 'racecheck'?" in err


def test_the_old_name_of_an_option_of_sim_works_with_a_note(tilewright: Command, tmp_path: Path) -> None:
    ptx = tmp_path / "k.ptx"
    ptx.write_text(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n ret;\n}\n")
    old, new = tilewright("sim", str(ptx), "--checks=none"), tilewright("sim", str(ptx), "--check=none")
    assert (old.status, new.status) == (0, 0)
    assert old.err == f"note: --checks is called --check now, as in other commands\n{new.err}"


def test_the_cache_is_cleared(tilewright: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("TILEWRIGHT_CACHE_SIZE", raising=False)
    from tilewright.runtime.disk_cache import DiskCache

    DiskCache().put("0" * 64, b"content")
    status, out, err = tilewright("cache", "clear")
    assert (status, out) == (0, "")
    assert err.endswith(" bytes removed\n")
    assert not err.startswith("0 ")
    assert not DiskCache().entries()


@pytest.mark.parametrize("target", ["cpu", "interp"])
def test_a_kernel_without_arguments_lists_what_it_takes(tilewright: Command, target: str) -> None:
    status, _, err = tilewright("run", KERNEL, "--target", target)
    assert status == 1
    assert "hint: parameters in order: argument 0: address of f32, argument 1: f32" in err


def test_a_page_is_written_beside_its_program(tilewright: Command, tmp_path: Path) -> None:
    (tmp_path / "kernel.mlir").write_text(Path(KERNEL).read_text())
    status, _, err = tilewright("explore", str(tmp_path / "kernel.mlir"))
    assert (status, err.splitlines()[-1]) == (0, f"wrote {tmp_path / 'kernel.html'}")
    assert (tmp_path / "kernel.html").exists()
