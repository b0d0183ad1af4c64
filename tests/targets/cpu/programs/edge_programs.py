"""Kernels that carry the edge values of one element type through constructs, each of which gives rows of a result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.interp.kernels import Kernel, pointer
from tilewright.dialects.cuda_tile.enums import Signedness
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    conversion as ops_conversion,
    tile as ops_tile,
)
from tilewright.dialects.cuda_tile.types import tile
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.builtin_types import IntegerType, f4E2M1FN, i1, i4, i8, i32
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.testing.drawing import edges, edges_in_memory

COUNT = 32
ROWS = 96
"""As many rows as a result has room for."""
Rows = list[Value]
Construct = Callable[["Program"], Rows]


def patterns(element: Any) -> list[int]:
    """The bit patterns of the edge values, as often as a tile takes them."""
    return (list(edges(element)) * COUNT)[:COUNT]


def in_memory(element: Any) -> np.ndarray[Any, Any]:
    """The edge values as memory holds them; i4 as i8."""
    if element is f4E2M1FN:
        held = patterns(element)
        return np.array([low | high << 4 for low, high in zip(held[::2], held[1::2], strict=True)], np.uint8)
    return np.resize(edges_in_memory(i8 if element is i4 else element), COUNT)


def elements(element: Any) -> DenseElementsAttr:
    """The edge values in the text of a program."""
    size = max(1, (element.width + 7) // 8)
    data = b"".join(pattern.to_bytes(size, "little") for pattern in patterns(element))
    return DenseElementsAttr(tile(COUNT, element), data)


@dataclass(frozen=True, slots=True)
class Moved:
    """How many rows of the result, and of what is scattered, hold edge values as they were."""

    rows: int
    scratch_rows: int


class Program:
    """A kernel of constructs over one element type; what they scatter is seen in memory of its own."""

    def __init__(self, element: Any) -> None:
        self.element = element
        self.has_address = element not in (i4, f4E2M1FN)
        """Whether pointers name single elements."""
        self.memory_element = i8 if element is i4 else element
        self.type = tile(COUNT, element)
        place = pointer(self.memory_element)
        self.kernel = Kernel(place, place, place, tile(i1))
        self.source, self.target, self.scratch, self.true = self.kernel.arguments
        self.scratch_rows = 0

    def module(self, moving: Sequence[Construct], computing: Sequence[Construct]) -> tuple[Operation, Moved]:
        """The program, whose results are rows; and how many of them are moved, not computed."""
        rows = [row for construct in moving for row in construct(self)]
        moved = Moved(len(rows), self.scratch_rows)
        rows += [row for construct in computing for row in construct(self)]
        assert len(rows) <= ROWS
        assert self.scratch_rows <= ROWS
        view = self.kernel.partition(self.target, (len(rows) * COUNT,), (COUNT,))
        for number, row in enumerate(rows):
            self.kernel.store_view(view, self._as_stored(row), self.kernel.i32(number))
        return self.kernel.module(), moved

    # the edge values, and where to put them

    def load(self) -> Value:
        """The edge values, through a view."""
        view = self.kernel.partition(self.source, (COUNT,), (COUNT,))
        return self._as_computed(self.kernel.load_view(view, self.kernel.i32(0)).results[0])

    def constant(self) -> Value:
        """The edge values in the text of the program."""
        held = elements(self.memory_element)
        return self._as_computed(self.kernel.add(ops_tile.ConstantOp(value=held, result_types=[held.type])))

    def splat(self, pattern: int) -> Value:
        """A tile of one bit pattern."""
        data = (pattern & (1 << self.element.width) - 1).to_bytes((self.element.width + 7) // 8, "little")
        value = DenseElementsAttr(self.type, data)
        return self.kernel.add(ops_tile.ConstantOp(value=value, result_types=[self.type]))

    def _as_computed(self, value: Value) -> Value:
        if self.element is not i4:
            return value
        return self.kernel.add(ops_conversion.TruncIOp(value, result_types=[self.type]))

    def _as_stored(self, value: Value) -> Value:
        if self.element is not i4:
            return value
        wide = tile(COUNT, i8)
        return self.kernel.add(
            ops_conversion.ExtIOp(value, signedness=Signedness.SIGNED, result_types=[wide])
        )

    def places(self, base: Value, order: Sequence[int] = tuple(range(COUNT))) -> Value:
        """Pointers to elements."""
        return self.kernel.pointers(base, self.kernel.constant(list(order), tile(COUNT, i32)))

    def row_of_scratch(self) -> Value:
        """Memory that nobody else uses."""
        number, self.scratch_rows = self.scratch_rows, self.scratch_rows + 1
        return self.kernel.add(ops_tile.OffsetOp(self.scratch, self.kernel.i32(number * COUNT)))

    def every_third(self) -> Value:
        """A mask."""
        return self.kernel.constant([number % 3 == 0 for number in range(COUNT)], tile(COUNT, i1))

    # control flow

    def branch(self, *ops: Operation) -> Region:
        """The body of a branch."""
        self.kernel.open(Block())
        for op in ops:
            self.kernel.add(op)
        return self.kernel.close()

    def yielded(self, *values: Value) -> Region:
        """A branch that gives values."""
        return self.branch(ops_control.YieldOp(operands_=values))

    def chosen(self, first: Value, second: Value) -> Value:
        """The first of two values, through a branch."""
        regions = {"then_region": self.yielded(first), "else_region": self.yielded(second)}
        return self.kernel.add(ops_control.IfOp(self.true, result_types=[first.type], **regions))

    def reshaped(self, value: Value, *shape: int) -> Value:
        """The same elements in another shape."""
        element: Any = value.type
        return self.kernel.add(ops_tile.ReshapeOp(value, result_types=[tile(*shape, element.element_type)]))

    def spread(self, value: Value, *shape: int) -> Value:
        """A tile with extents of one, stretched."""
        element: Any = value.type
        return self.kernel.add(ops_tile.BroadcastOp(value, result_types=[tile(*shape, element.element_type)]))

    def bits(self) -> Any:
        """The type of integers as wide as an element."""
        return tile(COUNT, IntegerType(self.element.width))
