"""Messages between a program and its worker process: each is a sequence of numbers, texts and return
addresses without names.
"""

from __future__ import annotations

import socket
import struct
from enum import IntEnum

from tilewright.ir.support.record import Record

HEAD = struct.Struct("<IIQ")
"""The head of a message: the number of the request or the status of the reply, padding, and the size of the
rest in bytes.
"""
PROTOCOL = 2
"""The version of the message format; `runtime/standin.h` has the same number."""
_UNSIGNED_32, _SIGNED_32, _UNSIGNED_64 = struct.Struct("<I"), struct.Struct("<i"), struct.Struct("<Q")


class DeviceRequest(IntEnum):
    """Requests of a program: to begin, to load a module, to set the addresses of its variables, to get a
    kernel, to launch it, to record a finding, to end, and to send findings to another record.
    `runtime/standin.h` has the same list.
    """

    HELLO = 1
    LOAD = 2
    PLACE = 3
    KERNEL = 4
    LAUNCH = 5
    FINDING = 6
    END = 7
    RECORD = 8


class ProgramFrames(Record, frozen=True):
    """The place of a call in the program: return addresses, the innermost first, or for a program in Python
    the line as ``text``, such as ``main.py:3``.
    """

    addresses: tuple[int, ...] = ()
    text: str = ""


class MessageReader:
    """Reads the values of a message one after the other, in the order in which they were written. Nothing
    tells their types apart.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def _take(self, form: struct.Struct) -> int:
        (value,) = form.unpack_from(self._data, self._at)
        self._at += form.size
        return int(value)

    def number(self) -> int:
        """Read the next value of the message: an unsigned number of four bytes."""
        return self._take(_UNSIGNED_32)

    def signed(self) -> int:
        """Read the next value of the message: a signed number of four bytes."""
        return self._take(_SIGNED_32)

    def long(self) -> int:
        """Read the next value of the message: an unsigned number of eight bytes."""
        return self._take(_UNSIGNED_64)

    def raw(self) -> bytes:
        """Read the next value of the message: a sequence of bytes, after its length."""
        size = self.number()
        self._at += size
        return self._data[self._at - size : self._at]

    def text(self) -> str:
        """Read the next value of the message: a text after its length in bytes. Bytes that are not UTF-8
        become surrogates.
        """
        return self.raw().decode(errors="surrogateescape")

    def frames(self) -> ProgramFrames:
        """Read the next value of the message: the place of a call of the program."""
        return ProgramFrames(tuple(self.long() for _ in range(self.number())), self.text())

    def rest(self) -> bytes:
        """Return the bytes of the message that have not been read."""
        return self._data[self._at :]


class MessageWriter:
    """Appends values to a message."""

    def __init__(self) -> None:
        self.data = bytearray()

    def number(self, *values: int) -> MessageWriter:
        """Append unsigned numbers of four bytes each; return the writer."""
        for value in values:
            self.data += _UNSIGNED_32.pack(value)
        return self

    def long(self, *values: int) -> MessageWriter:
        """Append unsigned numbers of eight bytes each; return the writer."""
        for value in values:
            self.data += _UNSIGNED_64.pack(value)
        return self

    def text(self, value: str) -> MessageWriter:
        """Append the size of a text in bytes, and the text; return the writer."""
        data = value.encode(errors="surrogateescape")
        self.number(len(data))
        self.data += data
        return self


def receive(channel: socket.socket) -> tuple[int, MessageReader] | None:
    """Wait for the next request, and return its number and its message. Return None if the program has closed
    the connection, also in the middle of a request.
    """
    head = _exactly(channel, HEAD.size)
    if head is None:
        return None
    number, _, size = HEAD.unpack(head)
    data = _exactly(channel, size)
    return None if data is None else (number, MessageReader(data))


def reply(channel: socket.socket, status: int, message: MessageWriter) -> None:
    """Send the reply to a request: the status and the values."""
    channel.sendall(HEAD.pack(status, 0, len(message.data)) + message.data)


def _exactly(channel: socket.socket, size: int) -> bytes | None:
    data = bytearray()
    while len(data) < size:
        try:
            part = channel.recv(min(size - len(data), 1 << 20))
        except ConnectionError:
            return None
        if not part:
            return None
        data += part
    return bytes(data)
