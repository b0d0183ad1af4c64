"""The Language Server Protocol as an editor speaks it, over streams in memory."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

INITIALIZE: tuple[dict[str, Any], ...] = (
    {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
    {"method": "initialized", "params": {}},
)
END = ({"id": 99, "method": "shutdown", "params": None}, {"method": "exit", "params": None})


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


def conversation(*messages: dict[str, Any], **options: Any) -> list[dict[str, Any]]:
    """What a server says to an editor that sends messages between the first and the last ones, and options with
    the first one.
    """
    pytest.importorskip("pygls")
    from tilewright.language_server.server import make_server

    output = _Kept()
    first, *others = INITIALIZE
    first = {**first, "params": {**first["params"], "initializationOptions": options}}
    make_server().start_io(io.BytesIO(framed(first, *others, *messages, *END)), output)
    return answers(output.getvalue())


def opened(uri: str, text: str, language: str = "mlir") -> dict[str, Any]:
    """The message about a document that was opened."""
    document = {"uri": uri, "languageId": language, "version": 1, "text": text}
    return {"method": "textDocument/didOpen", "params": {"textDocument": document}}
