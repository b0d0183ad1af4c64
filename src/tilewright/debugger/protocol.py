"""Messages of the Debug Adapter Protocol: JSON with a header, over two streams."""

from __future__ import annotations

import json
import threading
from typing import Any, BinaryIO, cast

Message = dict[str, Any]
_LENGTH = "content-length"
_LONGEST = 1 << 24
"""The maximum size in bytes of a message that is read."""


class ProtocolError(Exception):
    """Bytes that are no message."""


class Channel:
    """A pair of streams for messages: it reads from `given`, and writes to `said`. Any thread may send."""

    def __init__(self, given: BinaryIO, said: BinaryIO) -> None:
        self._given = given
        self._said = said
        self._lock = threading.Lock()
        self._sent = 0

    def read(self) -> Message | None:
        """Return the next message. Return None at the end of the stream, also inside a message. Raises
        `ProtocolError` for bytes that are no message.
        """
        length = self._length()
        if length is None:
            return None
        content = self._given.read(length)
        if len(content) < length:
            return None
        try:
            message: Any = json.loads(content)
        except ValueError as error:
            raise ProtocolError(f"a message is no JSON: {error}") from error
        if not isinstance(message, dict):
            raise ProtocolError("a message is no JSON object")
        return cast(Message, message)

    def _length(self) -> int | None:
        """Read the header of a message, and return the size of its content in bytes; None at the end of the
        stream. Raises `ProtocolError` if the header has no size, or one over `_LONGEST`.
        """
        length: int | None = None
        while line := self._given.readline(1024):
            name, _, value = line.decode("ascii", "replace").strip().partition(":")
            if not name:
                break
            if name.lower() == _LENGTH and value.strip().isdigit():
                length = int(value)
        else:
            return None
        if length is None or length > _LONGEST:
            raise ProtocolError("a message begins without a usable Content-Length")
        return length

    def send(self, kind: str, **fields: Any) -> None:
        """Send a message of a kind, ``response`` or ``event``, with the next sequence number and the fields
        `fields`.
        """
        with self._lock:
            self._sent += 1
            content = json.dumps({"seq": self._sent, "type": kind, **fields}).encode()
            self._said.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
            self._said.flush()

    def event(self, name: str, **body: Any) -> None:
        """Send an event called `name` with the fields `body`."""
        self.send("event", event=name, body=body)
