"""The stack frame through which the pieces of a split function exchange values.

Each value that a piece defines and another piece uses has a slot. Values with uses only in parts of a single
original block release their slots after their last use, so that the size of a frame depends on the number of
live values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from tilewright.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType, VectorType
from tilewright.ir.value import Value

ALIGNMENT = 64
"""The maximum alignment of a value in bytes."""
POINTER_BYTES = 8


def slot_bytes(type: Type) -> int | None:
    """Return the size of a slot for a type in bytes, a power of two; `None` for a type of unknown size."""
    if isinstance(type, IntegerType | FloatType):
        return _power(type.width)
    if isinstance(type, LLVMPointerType):
        return POINTER_BYTES
    if isinstance(type, VectorType):
        element = slot_bytes(type.element_type)
        whole = type.shape and not any(type.scalable) and all(extent > 0 for extent in type.shape)
        return _power(8 * element * type.shape[0]) if element and whole else None
    if isinstance(type, LLVMArrayType):
        return _together([type.element_type] * min(type.count, 1), type.count)
    if isinstance(type, LLVMStructType) and type.body is not None:
        return _together(type.body, len(type.body))
    return None


def _power(bits: int) -> int:
    """Return the smallest power of two of bytes that holds `bits` bits."""
    return 1 << max(0, (bits + 7) // 8 - 1).bit_length()


def _together(types: Sequence[Type], count: int) -> int | None:
    """Return the size in bytes, a power of two, of `count` elements that are each as large as the largest of
    `types`; `None` if a size is unknown.
    """
    sizes = [slot_bytes(type) for type in types]
    known = [size for size in sizes if size is not None]
    return _power(8 * max(known, default=1) * count) if len(known) == len(sizes) else None


def aligned(offset: int, size: int) -> int:
    """Return the first offset, from `offset` on, for a slot of `size` bytes: a multiple of `size`, or of
    `ALIGNMENT` for a larger slot.
    """
    step = min(size, ALIGNMENT)
    return (offset + step - 1) // step * step


@dataclass(frozen=True, slots=True)
class LiveRange:
    """The live range of a value, for the allocation of its slot.

    ``made`` and ``last`` are the indices of the blocks of its definition and of its last use. ``home`` is the
    index of the original block that was cut into all blocks with the value; `None` if there are several.
    """

    value: Value
    made: int
    last: int
    home: int | None


@dataclass(slots=True)
class StackFrame:
    """The layout of a stack frame: the offset of each value, and the size of the frame, in bytes.

    The first bytes hold the block arguments that one piece passes to the next.
    """

    slots: Mapping[Value, int]
    bytes: int

    @staticmethod
    def of(lives: Iterable[LiveRange], exchanged: Iterable[Sequence[Type]]) -> StackFrame:
        """Return a frame with slots for the values of `lives`, which are in the order of their definitions.
        Its first bytes are for the longest list of `exchanged`, the types of block arguments.
        """
        start = max((end for _, end in map(layout, exchanged)), default=0)
        slots: dict[Value, int] = {}
        homes: dict[int, _SharedSlots] = {}
        free: list[Value] = []
        for life in lives:
            if life.home is None:
                free.append(life.value)
            else:
                slots[life.value] = homes.setdefault(life.home, _SharedSlots(start)).slot(life)
        end = max((home.end for home in homes.values()), default=start)
        for value in free:
            slots[value], end = _placed(value.type, end)
        return StackFrame(slots, end)


def layout(types: Sequence[Type]) -> tuple[list[int], int]:
    """Return the offset of each of several consecutive values, and the offset after the last, in bytes."""
    places: list[int] = []
    end = 0
    for type in types:
        place, end = _placed(type, end)
        places.append(place)
    return places, end


def _placed(type: Type, end: int) -> tuple[int, int]:
    size = _size(type)
    place = aligned(end, size)
    return place, place + size


def _size(type: Type) -> int:
    size = slot_bytes(type)
    assert size is not None, "blocks with other values stay where they are"
    return size


@dataclass(slots=True)
class _SharedSlots:
    """The slots of values that are only used in parts of one original block; they are allocated in the order
    of the parts, and released after the last use.
    """

    end: int
    _free: dict[int, list[int]] = field(default_factory=dict[int, "list[int]"])
    _used: list[tuple[int, int, int]] = field(default_factory=list["tuple[int, int, int]"])
    """Live values: their last parts, their sizes and their slots."""

    def slot(self, life: LiveRange) -> int:
        """Return the offset of a slot for a value: a released slot of its size, or a new one."""
        while self._used and self._used[0][0] < life.made:
            _, size, slot = heappop(self._used)
            self._free.setdefault(size, []).append(slot)
        size = _size(life.value.type)
        free = self._free.get(size)
        if free:
            found = free.pop()
        else:
            found, self.end = _placed(life.value.type, self.end)
        heappush(self._used, (life.last, size, found))
        return found
