"""The doors to the debugger: `debug`, `dap`, `run --pdb`, and ``--tilewright-pdb`` of the pytest plugin."""

from __future__ import annotations

import json
import os
import re
import socket
import threading
import time
from argparse import Namespace
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("cuda.tile")

from tests.cli.test_commands import Answer, tilewright as tilewright
from tests.debugger import kernels
from tests.debugger.sessions import launching, line_of
from tilewright.cli.commands import dap
from tilewright.driver.debugging import attached
from tilewright.pytest_plugin import debugging

Command = Callable[..., Answer]
PROGRAM = """\
import sys
import numpy as np
import cuda.tile as ct
from tests.debugger.kernels import shifts, steps

if "shift" in sys.argv:
    ct.launch(0, (2,), shifts, (np.zeros(12, np.float32),))
else:
    x, out = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    ct.launch(0, (2,), steps, (x, out, 16))
    print("out", out[0], sys.argv[1:])
"""


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Types commands at the prompts that follow; then the input ends."""

    def given(*commands: str) -> None:
        waiting = list(commands)

        def answer(prompt: str) -> str:
            if not waiting:
                raise EOFError
            return waiting.pop(0)

        monkeypatch.setattr("builtins.input", answer)

    return given


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return str(path)


def test_a_program_is_debugged(tilewright: Command, typed: Callable[..., None], program: str) -> None:
    line = line_of("total = total + part")
    typed("p j", "p tile_block", "c")
    place = f"kernels.py:{line}"
    done = tilewright("debug", program, "--block", "1", "--break", place, "--if", "j == 1", "--", "--word")
    assert done.status == 0
    assert done.out.startswith("[breakpoint 1: j == 1]\n")
    assert "tile<i32>: 1\n(1, 0, 0)\n" in done.out
    assert done.out.endswith("['--word']\n")


def test_leaving_the_debugger_ends_the_program(
    tilewright: Command, typed: Callable[..., None], program: str
) -> None:
    typed("q")
    done = tilewright("debug", program)
    assert (done.status, done.err) == (1, "")
    assert "-> block = ct.bid(0)" in done.out
    assert "out" not in done.out.split("\n")[-1]


def test_a_kernel_of_a_file_is_debugged(
    tilewright: Command,
    typed: Callable[..., None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(Path(kernels.__file__).parent / "data")
    x = tmp_path / "x.npy"
    np.save(x, np.arange(300, dtype=np.float32))
    given = (
        "--arg",
        str(x),
        "--arg",
        f"zeros(300, f32):{tmp_path / 'out.npy'}",
        "--arg",
        "2.0",
        "--arg",
        "200",
    )
    typed("p row[3]", "c", "c")
    done = tilewright("debug", "scale.mlir", "--grid", "2", "--break", "scale.cu:14", *given)
    assert done.status == 0
    assert "-> ct::store_masked(out + column, sum, mask);\nfloat32[]: 3.0\n" in done.out
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy")[:200], np.arange(200) * 15)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--block", "here"], "'here' is no tile block"),
        (["--break", "here"], "'here' is no line of a file"),
        (["--break", "k.py:3 if ("], "is no expression"),
        (["--grid", "2"], "--grid is for files with a kernel, not for programs"),
        (["-m", "x"], "exclude each other"),
    ],
)
def test_wrong_options(tilewright: Command, program: str, words: list[str], message: str) -> None:
    done = tilewright("debug", program, *words)
    assert done.status == 2
    assert message in done.err


def test_a_program_without_a_kernel(tilewright: Command, tmp_path: Path) -> None:
    path = tmp_path / "empty.py"
    path.write_text("print(1)\n", encoding="utf-8")
    assert tilewright("debug", str(path)) == (
        0,
        "1\n",
        "the program launched no kernel that can be debugged\n",
    )
    assert tilewright("debug").status == 2


def test_run_enters_the_debugger_at_a_finding(
    tilewright: Command, typed: Callable[..., None], program: str
) -> None:
    typed("p block", "c")
    done = tilewright("run", "--pdb", "--check", "racecheck", program, "shift")
    assert done.status == 1
    assert re.search(
        r"error\[TW0406\].*\n(.*\n)+> .*shifts\(\) tile block \(1, 0, 0\)\n-> values = .*\ntile<i32>: 1\n",
        done.out,
    )
    assert "TW0406" in done.err


def test_run_refuses_a_debugger_on_other_targets(tilewright: Command, program: str) -> None:
    done = tilewright("run", "--pdb", "--target", "cpu", program)
    assert done.status == 2
    assert "--pdb stops in the interpreter" in done.err


def connected(port: int) -> socket.socket:
    """A connection to a port that is about to be served."""
    for _ in range(500):
        with suppress(ConnectionRefusedError):
            return socket.create_connection(("127.0.0.1", port))
        time.sleep(0.02)
    raise AssertionError("nobody serves the port")


def test_an_editor_is_served_at_a_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    served = threading.Thread(target=lambda: dap.command(["--port", str(port)], standalone_mode=False))
    served.start()
    connection = connected(port)
    with connection, connection.makefile("rwb") as stream:
        content = json.dumps({"seq": 1, "type": "request", "command": "disconnect"}).encode()
        stream.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        stream.flush()
        assert b"Content-Length" in stream.readline()
    served.join(10)
    assert not served.is_alive()


class _Capture:
    """The capture manager of pytest, as far as the debugger uses it."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def suspend_global_capture(self, *, in_: bool) -> None:
        self.calls.append(f"suspend {in_}")

    def resume_global_capture(self) -> None:
        self.calls.append("resume")


class _Config:
    """A configuration of pytest without a terminal of its own."""

    def __init__(self, **options: Any) -> None:
        self.option = Namespace(**options)
        self.capture = _Capture()
        self.pluginmanager = self

    def getplugin(self, name: str) -> _Capture:
        assert name == "capturemanager"
        return self.capture


def test_the_plugin_gives_the_terminal_back(
    typed: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    config: Any = _Config()
    typed("p block", "q")
    launch = launching(kernels.shifts, (2,), np.zeros(12, np.float32), check="racecheck")
    with debugging.on_terminal(config), pytest.raises(KeyboardInterrupt, match="the debugger was left"):
        launch()
    assert config.capture.calls == ["suspend True", "resume"]
    assert "tile<i32>: 1\n" in capsys.readouterr().out


def test_the_plugin_refuses_what_has_no_terminal() -> None:
    config: Any = _Config(numprocesses=2)
    with pytest.raises(pytest.UsageError, match="leave out -n"), debugging.on_terminal(config):
        pass
    with pytest.raises(pytest.UsageError, match="stops in the interpreter"):
        debugging.target(Namespace(tilewright_target="cpu"))
    assert debugging.target(Namespace(tilewright_target=None)) == "interp"


def test_an_inner_session_follows_alone(typed: Callable[..., None]) -> None:
    class Counting:
        followed = 0

        def follow(self, entry: Any, arguments: Any) -> Any:
            self.followed += 1
            raise KeyError(entry.sym_name)

    outer, inner = Counting(), Counting()
    with attached(outer), attached(inner), pytest.raises(KeyError, match="shifts"):
        launching(kernels.shifts, (2,), np.zeros(12, np.float32))()
    assert (outer.followed, inner.followed) == (0, 1)
    assert os.environ.get("TILEWRIGHT", "") == ""
