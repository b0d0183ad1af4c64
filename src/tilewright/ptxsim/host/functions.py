"""Functions that a GPU's driver gives to every module: PTX declares and calls them, and has no body for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from struct import unpack

import numpy as np

from tilewright.ir.support.print_conversions import FLOAT, SIGNED, Conversion, element_text, parse_format
from tilewright.ptxsim import codes
from tilewright.ptxsim.faults import Assertion, Fault
from tilewright.ptxsim.frame import State
from tilewright.ptxsim.host.heap import ALLOCATION
from tilewright.ptxsim.layout import WINDOW, WINDOWS
from tilewright.ptxsim.storage import Storage

DriverFunction = Callable[[State, int, Sequence[int]], int]
"""What a thread (by its number in the block) gets for arguments."""
WORD, DOUBLE_WORD = 4, 8
LONG = frozenset({"l", "ll", "j", "z", "t", "q"})
"""Lengths of integers of eight bytes; others are passed in four."""


# --- what threads point to


def _place(c: State, thread: int, address: int, size: int) -> tuple[Storage, int]:
    """Where bytes at a generic address of a thread lie.  Raises `Fault` if there are none."""
    block, window, offset = c.block, address >> WINDOW, address & ((1 << WINDOW) - 1)
    if window == WINDOWS["local"] >> WINDOW and offset + size <= block.local_bytes:
        return block.local, thread * block.local_bytes + offset
    storage = block.shared if window == WINDOWS["shared"] >> WINDOW else block.global_
    start = offset if storage is block.shared else address
    return storage, int(storage.check(np.array([start], np.uint64), size, "a read", 1)[0])


def bytes_at(c: State, thread: int, address: int, size: int) -> bytes:
    """Bytes at a generic address of a thread.  Raises `Fault` if one of them is undefined."""
    storage, place = _place(c, thread, address, size)
    found, undefined = storage.gather(np.arange(place, place + size))
    if undefined is not None:
        raise Fault(codes.POISON, "a function of the driver is given memory that nothing has written")
    return found.tobytes()


def text_at(c: State, thread: int, address: int) -> str:
    """The text at a generic address of a thread, up to a byte that is zero."""
    found = bytearray()
    while (byte := bytes_at(c, thread, address + len(found), 1)) != b"\0":
        found += byte
    return found.decode("utf-8", "surrogateescape")


# --- the functions


def _print(c: State, thread: int, arguments: Sequence[int]) -> int:
    """`vprintf`: the text of a format and values; answers how many there were."""
    format, values = arguments
    try:
        pieces = parse_format(text_at(c, thread, format))
    except ValueError as error:
        raise Fault(codes.NOT_SIMULATED, f"vprintf: {error}") from None
    written, at, count = list[str](), values, 0
    for piece in pieces:
        if isinstance(piece, str):
            written.append(piece)
            continue
        size = DOUBLE_WORD if piece.letter in FLOAT or piece.letter == "p" or piece.length in LONG else WORD
        at = -(-at // size) * size
        written.append(_shown(piece, bytes_at(c, thread, at, size)))
        at, count = at + size, count + 1
    c.block.launch.say("".join(written))
    return count


def _shown(piece: Conversion, data: bytes) -> str:
    """A value as its conversion shows it."""
    show = element_text(piece, 8 * len(data))
    if piece.letter in FLOAT:
        return show(unpack("<d", data)[0])
    return show(int.from_bytes(data, "little", signed=piece.letter in SIGNED))


def _fail(c: State, thread: int, arguments: Sequence[int]) -> int:
    """`__assertfail`: the kernel stops, unless whoever launched it forgives that."""
    message, file, line, function, _ = arguments
    text, name, kernel = (text_at(c, thread, address) for address in (message, file, function))
    c.block.launch.refuse(Assertion(text, name, line, kernel))
    return 0


# --- the heap


def _take(c: State, thread: int, arguments: Sequence[int]) -> int:
    """`malloc`: the address of new memory, or 0."""
    return c.block.launch.heap.take(c.block.number, arguments[0])


def _give_back(c: State, thread: int, arguments: Sequence[int]) -> int:
    """`free`: of 0 nothing."""
    if arguments[0]:
        c.block.launch.heap.give_back(c.block.number, arguments[0])
    return 0


FUNCTIONS: Mapping[str, DriverFunction] = {
    "vprintf": _print,
    "__assertfail": _fail,
    ALLOCATION: _take,
    "free": _give_back,
}
"""Every function by its name."""
