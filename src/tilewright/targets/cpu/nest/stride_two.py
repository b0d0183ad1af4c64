"""Lanes that lie two elements apart, as the parts of complex numbers do: whole vectors and a shuffle.

Of the ``2 * lanes - 1`` elements from the first to the last, none is written but those that are meant, and nothing beyond
the last one is read: it may lie outside of all memory.
"""

from __future__ import annotations

from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import i1
from tilewright.ir.value import Value
from tilewright.targets.cpu.memory import buffer
from tilewright.targets.elements.types import memory_type, size_of
from tilewright.targets.llvm.code import Code, Index

STRIDE = 2
SIZES = (4, 8)
"""Bytes of the elements that processors shuffle, and store by a mask, in one instruction each."""


def serves(element: Type, lanes: int, distance: Index | None) -> bool:
    """Whether lanes are read and written here."""
    return isinstance(distance, int) and distance == STRIDE and lanes > 1 and size_of(element) in SIZES


def load(code: Code, address: Value, element: Type, lanes: int) -> Value:
    """Lanes from every other place; the second vector ends with the last of them."""
    low = buffer.load_lanes(code, address, element, lanes)
    high = buffer.load_lanes(code, _second(code, address, element, lanes), element, lanes)
    return code.shuffle(low, high, [*range(0, lanes, 2), *range(lanes + 1, 2 * lanes, 2)])


def store(code: Code, value: Value, address: Value, element: Type, lanes: int) -> None:
    """Lanes to every other place; what lies between stays."""
    held = buffer.to_memory(code, buffer.spread(code, value, lanes), element)
    for place, start in ((address, 0), (_second(code, address, element, lanes), lanes - 1)):
        offsets = range(start, start + lanes)
        spaced = code.shuffle(held, held, [at // 2 if at % 2 == 0 else -1 for at in offsets])
        mask = code.numbers([at % 2 == 0 for at in offsets], i1)
        buffer.masked_store(code, spaced, place, mask, element)


def _second(code: Code, address: Value, element: Type, lanes: int) -> Value:
    """Where the second vector begins: with the last element of the first one."""
    return code.address(address, lanes - 1, memory_type(element))
