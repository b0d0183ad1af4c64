"""Every command through a terminal, and every request of an editor, on kernels of three languages."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("cuda.tile")

from tests.debugger.test_debug_adapter import Client, client, variables
from tilewright.debugger.console import Console
from tilewright.debugger.session import QuitDebuggerError, Session
from tilewright.driver.debugging import attached
from tilewright.gpu_programs.script import run_in_place
from tilewright.gpu_programs.settings import ProgramSettings

__all__ = ["client"]

ROOT = Path(__file__).parents[2]
EXAMPLE = """\
import sys
sys.path.insert(0, {folder!r})
from {name} import run
from tilewright.cutile.launcher import run as launched

next(run(lambda grid, kernel, arguments: launched(grid, kernel, arguments, target="interp", check="")))
"""
FILE = """\
import os
import numpy as np
from tilewright.driver.launch import launch
from tilewright.triton.stages import tile_module_of
from pathlib import Path

os.chdir({folder!r})
"""
TRITON = FILE + 'module = tile_module_of(Path("data/{file}").read_text(encoding="utf-8"))\n'
MATMUL = """\
a, b = (np.ones((32, 32), np.float16) for _ in range(2))
launch(module, "matmul", (2, 1), (a, b, np.zeros((32, 32), np.float16), *[32] * 6), target="interp")
"""
SOFTMAX = """\
x, out = np.ones((4, 64), np.float32), np.zeros((4, 64), np.float32)
launch(module, "softmax", (4,), (x, out, 64, 50), target="interp")
"""
SCALE = """\
x, out = np.arange(300, dtype=np.float32), np.zeros(300, np.float32)
launch(Path("scale.mlir"), None, (2,), (x, out, 2.0, 200), target="interp")
"""
DATA = str(ROOT / "tests/dialects/tt")


@dataclass(frozen=True)
class Debugged:
    """A program that launches a kernel, and an element of an array that is looked at. In Triton and C++ names of
    parameters are pointers.
    """

    name: str
    text: str
    element: str = ""

    @property
    def array(self) -> str:
        """The name of the array."""
        return self.element.partition("[")[0]


def example(name: str, element: str) -> Debugged:
    return Debugged(f"cuTile {name}", EXAMPLE.format(folder=str(ROOT / "examples"), name=name), element)


PROGRAMS = (
    *(example("vector_add", "out[0]"), example("transpose", "x[0, 0]"), example("softmax", "x[0, 0]")),
    *(example("layer_norm", "x[0, 0]"), example("histogram", "counts[0]")),
    Debugged("Triton matmul", TRITON.format(folder=DATA, file="matmul.located.mlir") + MATMUL),
    Debugged("Triton softmax", TRITON.format(folder=DATA, file="softmax.located.mlir") + SOFTMAX),
    Debugged("C++ scale", FILE.format(folder=str(ROOT / "tests/debugger/data")) + SCALE),
)
EVERY = pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)


def in_terminal(commands: list[str], run: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> str:
    """The text on a terminal after a session whose commands are typed there."""
    ours, theirs = os.openpty()
    shown: list[bytes] = []

    def read() -> None:
        with suppress(OSError):  # the other side is closed
            while part := os.read(ours, 4096):
                shown.append(part)

    reader = threading.Thread(target=read)
    with os.fdopen(os.dup(theirs), "r") as given, os.fdopen(theirs, "w") as said:
        monkeypatch.setattr(sys, "stdin", given)
        monkeypatch.setattr(sys, "stdout", said)
        os.write(ours, "".join(f"{one}\n" for one in commands).encode())
        reader.start()
        with attached(Session(Console())), suppress(QuitDebuggerError):
            run()
        said.flush()
    reader.join()
    os.close(ours)
    return b"".join(shown).decode()


@EVERY
def test_commands_in_a_terminal(program: Debugged, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "program.py").write_text(program.text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    looked = (
        [f"watch {program.element}", f"wrote {program.element}"] if program.element else ["watch grid"] * 2
    )
    commands = ["n", "s", "u", "d", "bt", "w", "l", "h", "vars", "values", "block", "p tile_block", "pp grid"]
    commands += [
        f"p {program.element or 'iteration'}",
        *looked,
        "b 1",
        "b",
        "cl 1",
        "cl 2",
        "r",
        "block 0,0,0",
    ]
    shown = in_terminal(
        [*commands, "c"], lambda: run_in_place("program.py", [], ProgramSettings.of("interp")), monkeypatch
    )
    prompts = shown.split("(tilewright) ")[1:]
    answers = dict(zip(commands, prompts, strict=False))
    assert len(prompts) == len(commands) + 1, "each command is answered"
    assert [one for one in answers.values() if "***" in one and "frame" not in one] == []
    assert answers["n"].startswith("> ")
    assert "-> " in answers["bt"]
    assert f"{program.array} = " in answers["vars"]
    assert answers["values"]
    assert answers["p tile_block"].startswith("(")
    assert answers["cl 1"].startswith("Removed 1")


@EVERY
def test_requests_of_an_editor(program: Debugged, client: Client, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(program.text, encoding="utf-8")
    client.body("initialize", adapterID="tilewright")
    client.body("launch", program=str(path), stopOnEntry=True)
    client.body("configurationDone")
    client.event("stopped")
    assert client.body("threads")["threads"]
    frame, *_ = client.body("stackTrace", threadId=1)["stackFrames"]
    names, launch, _ = client.body("scopes", frameId=frame["id"])["scopes"]
    if program.array:
        assert program.array in variables(client, names["variablesReference"])
    assert variables(client, launch["variablesReference"])["tile_block"]["value"].startswith("(")
    looked = client.body("evaluate", expression=program.element or "grid", frameId=frame["id"])
    assert looked["result"]
    for command in ("next", "stepIn", "stepOut"):
        client.body(command, threadId=1)
        client.event("stopped")
    line = {"line": frame["line"], "condition": "False"}
    client.body("setBreakpoints", source={"path": frame["source"]["path"]}, breakpoints=[line])
    client.body("continue", threadId=1)
    assert client.event("exited")["exitCode"] == 0
    client.body("disconnect")
