"""The server speaks the protocol, as an editor hears it."""

from __future__ import annotations

import io
import json
from pathlib import Path
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


def test_the_command_starts_it() -> None:
    from tilewright.cli.main import COMMANDS

    assert Path(COMMANDS["lsp"][0].replace(".", "/")).name == "lsp"
