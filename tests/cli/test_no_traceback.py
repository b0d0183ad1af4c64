"""Whatever a command is given, it ends with 0, 1 or 2 and says so in words: no traceback, no lost result."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.house.tree import ROOT
from tilewright.cli import main as entry
from tilewright.cli.main import COMMANDS
from tilewright.runtime.disk_cache import default_directory

np = pytest.importorskip("numpy")
pytest.importorskip("click")
pytest.importorskip("llvmlite")

KERNEL = str(ROOT / "tests" / "house" / "data" / "kernel.mlir")
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            entry.main(list(words))
        status = ended.value.code
        assert isinstance(status, int | None)
        return status or 0, capfd.readouterr().err

    return call


def check(answer: tuple[int, str], *wanted: int) -> str:
    status, err = answer
    assert status in (wanted or (0, 1, 2))
    assert "Traceback" not in err
    assert "internal error" not in err
    return err


def lying_npy(path: Path) -> str:
    """A file whose head claims 2^60 elements."""
    head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1152921504606846976,), }"
    head = head.ljust(117) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head)
    return str(path)


def test_outputs_are_checked_before_the_run(run: Run, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.ones(4, np.float32))
    where = f"{tmp_path / 'x.npy'}:{tmp_path / 'none' / 'out.npy'}"
    err = check(run("run", KERNEL, "--arg", where, "--arg", "2", "--entry", "not even looked for"), 2)
    assert "cannot write" in err
    good = f"{tmp_path / 'x.npy'}:{tmp_path / 'out.npy'}"
    check(run("run", KERNEL, "--arg", good, "--arg", "2", "--entry", "other"), 1)
    assert not (tmp_path / "out.npy").exists()
    check(run("run", KERNEL, "--arg", good, "--arg", "2"), 0)
    assert np.load(tmp_path / "out.npy").tolist() == [4.0] * 4


def test_results_that_cannot_be_written_are_kept_elsewhere(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, target = np.save, tmp_path / "out.npy"

    def full(file: Any, array: Any) -> None:
        if file == target:
            raise OSError(28, "No space left on device")
        save(file, array)

    monkeypatch.setattr(np, "save", full)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    err = check(run("run", KERNEL, "--arg", f"zeros(4, f32):{target}", "--arg", "2"), 1)
    kept = Path(err.split("the array is in '")[1].split("'")[0])
    assert np.load(kept).tolist() == [0.0] * 4


@pytest.mark.parametrize(
    "argument",
    [
        "zeros(99999999999999, f32)",
        "zeros(999999999999999999999999, f32)",
        "zeros(4 4,f32)",
        "zeros(,,i8)",
        "zeros(4,,i8)",
        "zeros(,4,i8)",
    ],
)
def test_arrays_that_cannot_be_made(run: Run, argument: str) -> None:
    assert "zeros(" in check(run("run", KERNEL, "--arg", argument, "--arg", "2", "--entry", "none"), 2)


def test_files_that_are_no_arrays(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.npy").touch()
    np.save(tmp_path / "objects.npy", np.array([{}], dtype=object))
    np.save(tmp_path / "nothing.npy", np.ones(0, np.dtype([])))
    names = [str(tmp_path / name) for name in ("empty.npy", "objects.npy", "nothing.npy", "none.npy")]
    for name in (lying_npy(tmp_path / "lying.npy"), *names):
        for option in ("--arg", "--array"):
            assert "cannot load" in check(run("run", KERNEL, option, name, "--arg", "2"), 2)


@pytest.mark.parametrize(
    "words",
    [
        ("run", KERNEL, "--grid", "0"),
        ("run", KERNEL, "--grid", str(1 << 64)),
        ("run", KERNEL, "--target", "zz"),
        ("run", KERNEL, "--threads", "-1"),
        ("compile", KERNEL, "--emit=zz"),
        ("compile", KERNEL, "-o", "/nowhere/at/all"),
        ("inspect", KERNEL, "-o", "/nowhere/at/all"),
    ],
)
def test_wrong_words_end_with_2(run: Run, words: tuple[str, ...]) -> None:
    check(run(*words, *(("--arg", "zeros(4,f32)", "--arg", "1") if words[0] == "run" else ())), 2)


@pytest.mark.parametrize("sigil", ["!", "#"])
def test_a_bomb_of_aliases(run: Run, sigil: str, tmp_path: Path) -> None:
    begin, end, first, use = (
        ("tuple<", ">", "i32", '"x.y"() : () -> !a29')
        if sigil == "!"
        else ("[", "]", "1 : i32", '"x.y"() {a = #a29} : () -> ()')
    )
    lines = [f"{sigil}a0 = {first}"]
    lines += [f"{sigil}a{n} = {begin}{', '.join([f'{sigil}a{n - 1}'] * 8)}{end}" for n in range(1, 30)]
    (tmp_path / "bomb.mlir").write_text("\n".join([*lines, use]))
    err = check(run("opt", "--allow-unregistered-dialect", str(tmp_path / "bomb.mlir")), 1)
    assert "stands for more than" in err


ODD = (
    "",
    "-",
    "--",
    "zz",
    "/dev",
    "/nowhere",
    "0",
    "-1",
    "é\udc80",
    "%s",
    "a=b",
    "--help",
    "{}",
    "1" * 400,
)


@pytest.mark.parametrize(
    "command", [name for name in COMMANDS if name not in ("doctor", "install-tileirdisasm")]
)
def test_odd_words(command: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    library = default_directory() / "cudart"  # that nvcc links: the compiler takes 20 seconds for it
    library.mkdir(parents=True, exist_ok=True)
    (tmp_path / "cudart").symlink_to(library)
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
    (tmp_path / "deep").write_bytes(b"(" * 5000)
    (tmp_path / "elf").write_bytes(b"\x7fELF" + b"\xff" * 200)
    (tmp_path / "bytecode").write_bytes(b"\x7fTileIR\x00" + b"\xff" * 200)
    kernel = str(shutil.copy(KERNEL, tmp_path))  # some commands write beside their input
    for word in (*ODD, "deep", "elf", "bytecode", kernel):
        check(run(command, word))
        check(run(command, word, word))


@pytest.mark.parametrize("command", COMMANDS)
def test_arguments_with_a_nul(command: str, run: Run) -> None:
    for word in ("a\0b", "--option=\0", f"{KERNEL}\0"):
        assert "NUL" in check(run(command, word), 2)


def started(*words: str) -> subprocess.Popen[bytes]:
    """A command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "tilewright", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("command", ["translate", "verify"])
def test_a_signal_ends_a_command(command: str, tmp_path: Path) -> None:
    """The command waits for a pipe that nobody writes to, as for a file on a slow disk."""
    pipe = tmp_path / "pipe.mlir"
    os.mkfifo(pipe)
    with started(command, str(pipe)) as process, open(pipe, "wb"):  # waits for the command to open it
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err.strip()) == (130, b"", b"")  # click ends the line of ^C


def test_a_reader_that_goes_away() -> None:
    with started("registry") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_an_interrupt_is_quiet(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tilewright.driver.launch.launch", interrupted)
    status, err = run("run", KERNEL)
    assert (status, err.strip()) == (130, "")


def test_what_nobody_expected_is_said_in_words(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: Any, **__: Any) -> None:
        raise RuntimeError("unforeseen")

    monkeypatch.setattr("tilewright.driver.launch.launch", wrong)
    status, err = run("run", KERNEL)
    assert status == 1
    assert err.startswith("error: internal error: RuntimeError: unforeseen\nhint: please report")
