"""The debugger through the Debug Adapter Protocol, as an editor speaks it."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cuda.tile")

from tests.debugger import kernels
from tests.debugger.sessions import line_of
from tilewright.debugger.adapter import DebugAdapter
from tilewright.debugger.protocol import Channel

FILE = str(Path(kernels.__file__))
PROGRAM = """\
import sys
import numpy as np
import cuda.tile as ct
from tests.debugger.kernels import steps

x, out = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
ct.launch(0, (2,), steps, (x, out, 16))
print("out", out[0], sys.argv[1:])
"""


class Client:
    """An editor: it sends requests, and waits for responses and events."""

    def __init__(self, given: Any, said: Any) -> None:
        self._given, self._said = given, said
        self._number = 0
        self.events: list[dict[str, Any]] = []

    def request(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Send a request, and return the response."""
        self._number += 1
        number = self._number
        self.send({"seq": number, "type": "request", "command": command, "arguments": arguments})
        return self._wait(lambda one: one.get("request_seq") == number)

    def body(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Send a request, and return the body of its response, which is no refusal."""
        response = self.request(command, **arguments)
        assert response["success"], response
        return response["body"]

    def event(self, name: str) -> dict[str, Any]:
        """Return the body of the next event with a name."""
        for at, one in enumerate(self.events):
            if one["event"] == name:
                return self.events.pop(at)["body"]
        return self._wait(lambda one: one.get("event") == name)["body"]

    def send(self, message: object) -> None:
        """Send a message."""
        content = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)

    def write(self, content: bytes) -> None:
        """Send bytes."""
        self._said.write(content)
        self._said.flush()

    def _wait(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            length = self._given.readline()
            assert length, "the adapter has left"
            self._given.readline()
            message = json.loads(self._given.read(int(length.split(b":")[1])))
            if wanted(message):
                return message
            if message["type"] == "event":
                self.events.append(message)


@pytest.fixture
def client() -> Iterator[Client]:
    """An editor that has started the debugger, in a thread of this process."""
    (to_us, from_editor), (to_editor, from_us) = os.pipe(), os.pipe()
    with (
        os.fdopen(to_us, "rb") as given,
        os.fdopen(from_us, "wb") as said,
        os.fdopen(to_editor, "rb") as heard,
    ):
        adapter = DebugAdapter(Channel(given, said))
        served = threading.Thread(target=adapter.serve)
        served.start()
        with os.fdopen(from_editor, "wb") as spoken:
            yield Client(heard, spoken)
        served.join(20)
        assert not served.is_alive()


def launched(client: Client, folder: Path, breakpoints: list[dict[str, Any]], **options: Any) -> None:
    """Start the program as an editor does."""
    program = folder / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    assert client.body("initialize", adapterID="tilewright")["supportsConditionalBreakpoints"]
    client.event("initialized")
    client.body("launch", program=str(program), args=["word"], **options)
    made = client.body("setBreakpoints", source={"path": FILE}, breakpoints=breakpoints)["breakpoints"]
    assert [one["verified"] for one in made] == [True] * len(breakpoints)
    client.body("configurationDone")


def variables(client: Client, number: int, **options: Any) -> dict[str, dict[str, Any]]:
    found = client.body("variables", variablesReference=number, **options)["variables"]
    return {one["name"]: one for one in found}


def test_an_editor_stops_looks_and_goes_on(client: Client, tmp_path: Path) -> None:
    line = line_of("total = total + part + kind")
    launched(client, tmp_path, [{"line": line, "condition": "j == 1"}], block="1,0,0")
    stopped = client.event("stopped")
    assert (stopped["reason"], stopped["threadId"], stopped["text"]) == (
        "breakpoint",
        2,
        "breakpoint 1: j == 1",
    )
    assert client.body("threads")["threads"] == [{"id": 2, "name": "tile block (1, 0, 0)"}]
    (frame,) = client.body("stackTrace", threadId=2)["stackFrames"]
    assert (frame["line"], frame["source"]["path"]) == (line, FILE)
    assert frame["name"] == "steps tile block (1, 0, 0), iteration 1"
    names, launch, computed = client.body("scopes", frameId=frame["id"])["scopes"]
    found = variables(client, names["variablesReference"])
    assert found["j"]["value"] == "tile<i32>: 1"
    assert found["total"]["indexedVariables"] == 16
    rows = variables(client, found["x"]["variablesReference"], start=16, count=2)
    assert {name: one["value"] for name, one in rows.items()} == {"[16]": "16.", "[17]": "17."}
    assert variables(client, launch["variablesReference"])["tile_block"]["value"] == "(1, 0, 0)"
    assert f"{line_of('part = scaled')}:23" in variables(client, computed["variablesReference"])
    assert client.body("evaluate", expression="x.reshape(4, 8)[1, 2:4]", frameId=1)["result"].startswith(
        "float32[2]"
    )
    matrix = client.body("evaluate", expression="x.reshape(4, 8)", frameId=1)["variablesReference"]
    assert variables(client, matrix)["[1]"]["value"] == "[8., 9., 10., 11., 12., 13., 14., 15.]"
    assert "[16., 17." in client.body("evaluate", expression="x[16:18]", frameId=1, context="repl")["result"]
    client.body("next", threadId=2)
    assert client.event("stopped")["reason"] == "step"
    client.body("setBreakpoints", source={"path": FILE}, breakpoints=[])
    client.body("continue", threadId=2)
    assert client.event("exited")["exitCode"] == 0
    client.event("terminated")
    told = "".join(one["body"]["output"] for one in client.events if one["event"] == "output")
    assert told.startswith("out ")
    assert told.endswith("['word']\n")
    client.body("disconnect")


def test_steps_go_into_functions_and_out(client: Client, tmp_path: Path) -> None:
    launched(client, tmp_path, [], stopOnEntry=True)
    assert client.event("stopped")["reason"] == "step"
    functions: list[str] = []
    for command in (*["stepIn"] * 6, "stepOut", "next"):
        client.body(command, threadId=1)
        client.event("stopped")
        frames = client.body("stackTrace", threadId=1)["stackFrames"]
        functions.append(frames[0]["name"].split()[0])
    assert functions[5:] == ["scaled", "steps", "steps"]
    client.body("disconnect")


def test_requests_that_cannot_be_answered(client: Client, tmp_path: Path) -> None:
    assert client.request("variables", variablesReference=1)["message"] == "no tile block has stopped"
    assert client.request("dance")["message"] == "there is no request 'dance'"
    assert client.body("threads")["threads"] == [{"id": 1, "name": "tile blocks"}]
    assert "no tile block" in client.request("launch", program="x.py", block="here")["message"]
    given = {"source": {"path": FILE}, "breakpoints": [{"line": 3, "condition": "("}]}
    assert "is no expression" in client.request("setBreakpoints", **given)["message"]
    launched(client, tmp_path, [{"line": line_of("total = total")}])
    client.event("stopped")
    assert client.request("evaluate", expression="zz", frameId=1)["message"] == "name 'zz' is not defined"
    assert client.request("scopes", frameId=7)["message"] == "there is no frame 7"
    assert not client.request("variables", variablesReference=99)["success"]
    assert not client.request("stepIn2")["success"]
    client.body("terminate")
    assert client.event("exited")["exitCode"] == 1
    client.body("disconnect")


def test_a_pause_and_an_editor_that_leaves(client: Client, tmp_path: Path) -> None:
    client.body("pause", threadId=1)
    launched(client, tmp_path, [])
    assert client.event("stopped")["reason"] == "pause"


def test_bytes_that_are_no_message_end_the_session(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    client.write(b"Content-Length: 3\r\n\r\n{x}")


@pytest.mark.parametrize(
    "content", [b"Content-Length: 2\r\n\r\n[]", b"Length: 2\r\n\r\n{}", b"Content-Length: 99999999\r\n\r\n"]
)
def test_wrong_messages(client: Client, content: bytes) -> None:
    client.write(content)


def test_a_program_without_kernels(client: Client, tmp_path: Path) -> None:
    program = tmp_path / "empty.py"
    program.write_text("raise SystemExit(3)\n", encoding="utf-8")
    client.body("initialize")
    client.body("launch", program=str(program))
    client.body("configurationDone")
    assert client.event("exited")["exitCode"] == 3
    assert "no kernel that can be debugged" in client.event("output")["output"]
    client.body("disconnect")
