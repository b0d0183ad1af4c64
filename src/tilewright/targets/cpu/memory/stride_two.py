"""Lanes with stride 2, such as the real parts of complex numbers: whole vectors and a shuffle.

Of the ``2 * lanes - 1`` elements from the first to the last, only the selected elements are written, and
nothing beyond the last element is read: it may lie outside of all memory.
"""

from __future__ import annotations

from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import i1
from tilewright.ir.value import Value
from tilewright.targets.cpu.machine.target import SHUFFLED_BYTES
from tilewright.targets.cpu.memory import buffer
from tilewright.targets.elements.element_types import memory_type, size_of
from tilewright.targets.llvm.code import Index, LlvmBuilder

STRIDE = 2


def serves(element: Type, lanes: int, distance: Index | None) -> bool:
    """Return whether `load` and `store` support an access: its lanes, more than one, are `distance` = 2
    elements apart, and vectors can shuffle elements of this size.
    """
    return (
        isinstance(distance, int) and distance == STRIDE and lanes > 1 and size_of(element) in SHUFFLED_BYTES
    )


def load(code: LlvmBuilder, address: Value, element: Type, lanes: int) -> Value:
    """Load `lanes` elements, an even number, from `address` on, every other one, by two vectors. The second
    vector ends with the last lane.
    """
    low = buffer.load_lanes(code, address, element, lanes)
    high = buffer.load_lanes(code, _second(code, address, element, lanes), element, lanes)
    return code.shuffle(low, high, [*range(0, lanes, 2), *range(lanes + 1, 2 * lanes, 2)])


def store(code: LlvmBuilder, value: Value, address: Value, element: Type, lanes: int) -> None:
    """Store `lanes` elements to every other element from `address` on; the elements between stay. `value` is
    a vector, or a scalar for all lanes, in the register type.
    """
    held = buffer.to_memory(code, buffer.spread(code, value, lanes), element)
    for place, start in ((address, 0), (_second(code, address, element, lanes), lanes - 1)):
        offsets = range(start, start + lanes)
        spaced = code.shuffle(held, held, [at // 2 if at % 2 == 0 else -1 for at in offsets])
        mask = code.numbers([at % 2 == 0 for at in offsets], i1)
        buffer.masked_store(code, spaced, place, mask, element)


def _second(code: LlvmBuilder, address: Value, element: Type, lanes: int) -> Value:
    """Return the address of the second vector, which begins at the last element of the first vector."""
    return code.address(address, lanes - 1, memory_type(element))
