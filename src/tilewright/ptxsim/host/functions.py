"""Functions of the GPU's driver: PTX modules declare and call them without a body."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from struct import unpack

import numpy as np

from tilewright.ir.support import print_conversions
from tilewright.ptxsim import codes, faults, storage as ptxsim_storage
from tilewright.ptxsim.host.heap import ALLOCATION
from tilewright.ptxsim.instruction_state import InstructionState
from tilewright.ptxsim.layout import WINDOW, WINDOWS

DriverFunction = Callable[[InstructionState, int, Sequence[int]], int]
"""A function of the state, the index of a thread in the block, and the arguments; it returns the result."""
WORD, DOUBLE_WORD = 4, 8
MOST_HANDED_OVER = 8
ADDRESSES = frozenset({"p", print_conversions.TEXT})
"""Conversions whose argument is an address of eight bytes."""
LONG = frozenset({"l", "ll", "j", "z", "t", "q"})
"""Length modifiers of integers of eight bytes; other integers are passed as four bytes."""


# --- memory behind pointers


def _place(c: InstructionState, thread: int, address: int, size: int) -> tuple[ptxsim_storage.Storage, int]:
    """Return the storage and the offset of `size` bytes at a generic address of a thread. Raises `Fault` if
    they are not allocated.
    """
    block, window, offset = c.block, address >> WINDOW, address & ((1 << WINDOW) - 1)
    if window == WINDOWS["local"] >> WINDOW and offset + size <= block.local_bytes:
        return block.local, thread * block.local_bytes + offset
    storage = block.shared if window == WINDOWS["shared"] >> WINDOW else block.global_
    start = offset if storage is block.shared else address
    return storage, int(storage.check(np.array([start], np.uint64), size, "a read", 1)[0])


def bytes_at(c: InstructionState, thread: int, address: int, size: int) -> bytes:
    """Return `size` bytes at a generic address of a thread. Raises `Fault` if a byte is undefined or not
    allocated.
    """
    storage, place = _place(c, thread, address, size)
    found, undefined = storage.gather(np.arange(place, place + size))
    if undefined is not None:
        raise faults.Fault(codes.POISON, "a function of the driver reads memory that was never written")
    return found.tobytes()


def text_at(c: InstructionState, thread: int, address: int) -> str:
    """Return the zero-terminated text at a generic address of a thread, decoded as UTF-8. Raises `Fault` if a
    byte of it is undefined or not allocated.
    """
    found = bytearray()
    while (byte := bytes_at(c, thread, address + len(found), 1)) != b"\0":
        found += byte
    return found.decode("utf-8", "surrogateescape")


# --- the functions


def _print(c: InstructionState, thread: int, arguments: Sequence[int]) -> int:
    """`vprintf`: print a format with its values, and return the number of values. `arguments` are the
    addresses of the format and of the values. After an empty format the address of the values is kept, since
    an assertion that fails next shows them.
    """
    format, values = arguments
    try:
        pieces = print_conversions.parse_format(text_at(c, thread, format), has_texts=True)
    except ValueError as error:
        raise faults.Fault(codes.NOT_SIMULATED, f"vprintf: {error}") from None
    if not pieces:
        c.block.handed_over[thread] = values
    written, at, count = list[str](), values, 0
    for piece in pieces:
        if isinstance(piece, str):
            written.append(piece)
            continue
        is_long = piece.letter in print_conversions.FLOAT or piece.letter in ADDRESSES or piece.length in LONG
        size = DOUBLE_WORD if is_long else WORD
        at = -(-at // size) * size
        data = bytes_at(c, thread, at, size)
        written.append(
            _text(c, thread, piece, data) if piece.letter == print_conversions.TEXT else _shown(piece, data)
        )
        at, count = at + size, count + 1
    c.block.launch.say("".join(written))
    return count


def _text(c: InstructionState, thread: int, piece: print_conversions.Conversion, data: bytes) -> str:
    """Return the text at the address in the bytes `data`, cut and padded as the conversion `%s` in `piece`
    says.
    """
    return piece.pad(text_at(c, thread, int.from_bytes(data, "little"))[: piece.precision])


def _shown(piece: print_conversions.Conversion, data: bytes) -> str:
    """Return the number in the bytes `data` as text, formatted by the conversion `piece`."""
    show = print_conversions.element_text(piece, 8 * len(data))
    if piece.letter in print_conversions.FLOAT:
        return show(unpack("<d", data)[0])
    return show(int.from_bytes(data, "little", signed=piece.letter in print_conversions.SIGNED))


def _fail(c: InstructionState, thread: int, arguments: Sequence[int]) -> int:
    """`__assertfail`: stop the kernel by raising the `Fault` of the assertion. If the launch ignores the
    assertion, return 0.
    """
    message, file, line, function, _ = arguments
    text, name, kernel = (text_at(c, thread, address) for address in (message, file, function))
    values = _handed_over(c, thread)
    c.block.launch.refuse(faults.Assertion(text, name, line, kernel, values))
    return 0


def _handed_over(c: InstructionState, thread: int) -> list[int]:
    """Return the integers of eight bytes that the thread printed with an empty text, up to the first
    undefined byte, and at most `MOST_HANDED_OVER`; forget them.
    """
    address, found = c.block.handed_over.pop(thread, None), list[int]()
    while address is not None and len(found) < MOST_HANDED_OVER:
        try:
            data = bytes_at(c, thread, address + DOUBLE_WORD * len(found), DOUBLE_WORD)
        except faults.Fault:
            break
        found.append(int.from_bytes(data, "little", signed=True))
    return found


# --- the heap


def _take(c: InstructionState, thread: int, arguments: Sequence[int]) -> int:
    """`malloc`: return the address of `arguments[0]` new bytes, or 0 if the heap is full."""
    return c.block.launch.heap.take(c.block.number, arguments[0])


def _give_back(c: InstructionState, thread: int, arguments: Sequence[int]) -> int:
    """`free`: release the memory at the address `arguments[0]`, and return 0; the address 0 is ignored.
    Raises `Fault` for an address that is not in use.
    """
    if arguments[0]:
        c.block.launch.heap.give_back(c.block.number, arguments[0])
    return 0


FUNCTIONS: Mapping[str, DriverFunction] = {
    "vprintf": _print,
    "__assertfail": _fail,
    ALLOCATION: _take,
    "free": _give_back,
}
"""The functions by name."""
