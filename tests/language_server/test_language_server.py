"""The server speaks the protocol, as an editor hears it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import Any

import pytest

URI = "file:///k.mlir"
TEXT = "cuda_tile.module @m {\nentry @f() {\nreturn\n}\n}\n"


def framed(*messages: dict[str, Any]) -> bytes:
    """Messages as they travel."""
    texts = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(text), text) for text in texts)


def answers(sent: bytes) -> list[dict[str, Any]]:
    """The messages in what was sent."""
    found = list[dict[str, Any]]()
    while sent:
        head, _, rest = sent.partition(b"\r\n\r\n")
        length = int(
            next(line for line in head.split(b"\r\n") if line.startswith(b"Content-Length")).split()[1]
        )
        found.append(json.loads(rest[:length]))
        sent = rest[length:]
    return found


class _Kept(io.BytesIO):
    """Keeps what was written when it is closed."""

    def close(self) -> None:
        """Stay open."""


def test_an_editor_gets_problems_pages_definitions_and_indentation() -> None:
    pytest.importorskip("pygls")
    from tilewright.language_server.server import make_server

    where = {"textDocument": {"uri": URI}}
    document = {"uri": URI, "languageId": "mlir", "version": 1, "text": TEXT.replace("return", "retur")}
    changed = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": TEXT}]}
    sent = framed(
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"method": "textDocument/didChange", "params": changed},
        {
            "id": 2,
            "method": "textDocument/hover",
            "params": {**where, "position": {"line": 2, "character": 1}},
        },
        {
            "id": 3,
            "method": "textDocument/definition",
            "params": {**where, "position": {"line": 1, "character": 7}},
        },
        {
            "id": 4,
            "method": "textDocument/formatting",
            "params": {**where, "options": {"tabSize": 2, "insertSpaces": True}},
        },
        {"id": 5, "method": "shutdown", "params": None},
        {"method": "exit", "params": None},
    )
    output = _Kept()
    make_server().start_io(io.BytesIO(sent), output)
    said = answers(output.getvalue())
    results: dict[int, Any] = {message["id"]: message.get("result") for message in said if "id" in message}
    published = [message["params"]["diagnostics"] for message in said if "id" not in message]
    assert [[problem["source"] for problem in problems] for problems in published] == [["tilewright"], []]
    assert "return" in results[2]["contents"]["value"]
    assert results[3]["range"]["start"] == {"line": 1, "character": 6}
    assert results[4][0]["newText"].split("\n")[2] == "    return"


INITIALIZE = (
    {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
    {"method": "initialized", "params": {}},
)
END = ({"id": 99, "method": "shutdown", "params": None}, {"method": "exit", "params": None})


def conversation(*messages: dict[str, Any]) -> list[dict[str, Any]]:
    """What a server says to an editor that sends messages between the first and the last ones."""
    pytest.importorskip("pygls")
    from tilewright.language_server.server import make_server

    output = _Kept()
    make_server().start_io(io.BytesIO(framed(*INITIALIZE, *messages, *END)), output)
    return answers(output.getvalue())


def opened(text: str) -> dict[str, Any]:
    document = {"uri": URI, "languageId": "mlir", "version": 1, "text": text}
    return {"method": "textDocument/didOpen", "params": {"textDocument": document}}


def test_characters_are_counted_in_the_units_of_the_editor() -> None:
    text = 'module attributes {a = "\U0001d518\U0001d518"} { oops }\n'
    (problems,) = [one["params"] for one in conversation(opened(text)) if "params" in one]
    (problem,) = problems["diagnostics"]
    begin = len(text[: text.index("oops")].encode("utf-16-le")) // 2
    assert problem["range"]["start"]["character"] == begin
    assert problem["range"]["end"]["character"] == begin + 4


def test_a_document_that_was_closed_has_no_problems_and_no_answers() -> None:
    where = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
    said = conversation(
        opened("oops"),
        {"method": "textDocument/didClose", "params": {"textDocument": {"uri": URI}}},
        {"id": 2, "method": "textDocument/hover", "params": where},
        {"id": 3, "method": "textDocument/definition", "params": where},
    )
    published = [len(one["params"]["diagnostics"]) for one in said if "params" in one]
    assert published == [1, 0]
    results = {one["id"]: one for one in said if one.get("id") in (2, 3)}
    assert [results[number].get("result", "none given") for number in (2, 3)] == [None, None]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_every_text_that_is_being_typed_gets_an_answer(line_end: str) -> None:
    text = TEXT.replace("\n", line_end)
    typed = [text[:length] for length in range(0, len(text), 4)] + ["\0", "{" * 3000, '%0 = "', "// -----"]
    changes = [
        {
            "method": "textDocument/didChange",
            "params": {"textDocument": {"uri": URI, "version": at + 2}, "contentChanges": [{"text": one}]},
        }
        for at, one in enumerate(typed)
    ]
    said = conversation(opened(text), *changes)
    assert len([one for one in said if "params" in one]) == 1 + len(typed)
    assert not [one for one in said if "error" in one]


def test_the_command_serves_and_ends_in_peace() -> None:
    pytest.importorskip("pygls")
    done = subprocess.run(
        [sys.executable, "-m", "tilewright", "lsp"],
        input=framed(*INITIALIZE, *END),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert [one["id"] for one in answers(done.stdout)] == [1, 99]
