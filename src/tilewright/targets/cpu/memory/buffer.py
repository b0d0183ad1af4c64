"""Tiles in memory: where their elements lie, and how lanes of them are read and written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from tilewright.dialects.llvm.intrinsics import vector as vectors
from tilewright.dialects.llvm.ops.aggregate import ExtractElementOp, InsertElementOp
from tilewright.dialects.llvm.ops.arithmetic import MulOp
from tilewright.dialects.llvm.ops.conversion import BitcastOp
from tilewright.dialects.llvm.ops.memory import GEPOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import VectorType, f16, i1, i16, i64, tf32
from tilewright.ir.value import Value
from tilewright.targets.elements.in_memory import from_memory, to_memory
from tilewright.targets.elements.types import memory_type, register_type, size_of, vector
from tilewright.targets.llvm.code import DYNAMIC, POINTER, Code, Index

LINE = 64
"""Bytes of a cache line, and the alignment of buffers."""


@dataclass(frozen=True, slots=True)
class Coordinate:
    """A position along one dimension.

    ``lanes``: consecutive lanes stand for consecutive positions from ``base`` on.  ``level``: how many loops the
    position changes with, counted from the outside; code that uses lower levels only can stand before inner loops.
    ``rows``: the positions that are handled together with this one, in order (see `transpose`).
    """

    base: Index
    lanes: bool = False
    level: int = 0
    rows: tuple[Index, ...] = ()


Coordinates = tuple[Coordinate, ...]


@dataclass(frozen=True, slots=True)
class Buffer:
    """A tile in memory: the address of its first element, its extents, and strides in elements."""

    address: Value
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    element: Type

    @property
    def count(self) -> int:
        """How many elements there are."""
        return prod(self.shape)

    @property
    def bytes(self) -> int:
        """The size of all elements."""
        return self.count * size_of(self.element)

    def place(self, code: Code, coordinates: Sequence[Coordinate]) -> tuple[Value, int]:
        """The address of the first lane, and the distance of lanes in elements (0: all lanes are there)."""
        bases = [coordinate.base for coordinate in coordinates]
        distances = [
            stride for coordinate, stride in zip(coordinates, self.strides, strict=True) if coordinate.lanes
        ]
        address = code.element(self.address, bases, self.strides, memory_type(self.element))
        return address, distances[-1] if distances else 0

    def load(self, code: Code, coordinates: Sequence[Coordinate], lanes: int) -> Value:
        """The elements at coordinates; one element alone if they are the same for all lanes."""
        address, distance = self.place(code, coordinates)
        element = register_type(self.element) if self.element is tf32 else self.element  # no bits to drop
        if distance == 0:
            return load_lanes(code, address, element, 1)
        if distance == 1:
            return load_lanes(code, address, element, lanes)
        return load_apart(code, address, element, lanes, distance)

    def store(self, code: Code, coordinates: Sequence[Coordinate], value: Value, lanes: int) -> None:
        """Write the elements at coordinates."""
        address, distance = self.place(code, coordinates)
        if distance <= 1:
            store_lanes(code, value, address, self.element, lanes if distance else 1)
        else:
            store_apart(code, value, address, self.element, lanes, distance)


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """Strides of elements that lie one after the other, the last dimension fastest."""
    strides: list[int] = []
    stride = 1
    for extent in reversed(shape):
        strides.append(stride if extent > 1 else 0)
        stride *= extent
    return tuple(reversed(strides))


# --- lanes that lie side by side


def load_lanes(code: Code, address: Value, element: Type, lanes: int, alignment: int | None = None) -> Value:
    """Elements from consecutive places."""
    held = code.load(address, vector(memory_type(element), lanes), alignment or size_of(element))
    return from_memory(code, held, element)


def store_lanes(
    code: Code, value: Value, address: Value, element: Type, lanes: int, alignment: int | None = None
) -> None:
    """Elements to consecutive places; one value for all lanes is repeated."""
    code.store(to_memory(code, spread(code, value, lanes), element), address, alignment or size_of(element))


def spread(code: Code, value: Value, lanes: int) -> Value:
    """A value for each lane: one that is the same for all is repeated."""
    return value if lanes == 1 or isinstance(value.type, VectorType) else code.broadcast(value, lanes)


# --- lanes side by side of which some do not exist


def masked_load(code: Code, address: Value, mask: Value, default: Value, element: Type) -> Value:
    """Elements from consecutive places, ``default`` (as memory holds them) where the mask is false.

    Halves travel as integers: LLVM takes masked vectors of them apart where the processor has no arithmetic on them.
    """
    kind: Any = default.type
    carrier = VectorType(kind.shape, i16) if kind.element_type is f16 else kind
    filler = default if carrier is kind else code(BitcastOp, default, type=carrier)
    held = code(vectors.MaskedLoadOp, address, mask, size_of(element), filler, type=carrier)
    return held if carrier is kind else code(BitcastOp, held, type=kind)


def masked_store(code: Code, value: Value, address: Value, mask: Value, element: Type) -> None:
    """Elements (as memory holds them) to consecutive places where the mask is true; see `masked_load`."""
    kind: Any = value.type
    if kind.element_type is f16:
        value = code(BitcastOp, value, type=VectorType(kind.shape, i16))
    code.effect(vectors.MaskedStoreOp, value, address, mask, size_of(element))


# --- lanes that lie apart


def addresses(code: Code, address: Value, element: Type, lanes: int, distance: Index) -> Value:
    """A vector of addresses, ``distance`` elements from one to the next."""
    kind = VectorType((lanes,), POINTER)
    if isinstance(distance, int):
        offsets = code.steps(lanes, i64, distance)
    else:
        offsets = code(MulOp, code.steps(lanes), code.broadcast(distance, lanes))
    return code(GEPOp, address, (DYNAMIC,), memory_type(element), (offsets,), type=kind)


def load_apart(code: Code, address: Value, element: Type, lanes: int, distance: Index) -> Value:
    """Elements from places at equal distances."""
    places = addresses(code, address, element, lanes, distance)
    return gather(code, places, element, lanes, None, None)


def gather(
    code: Code, places: Value, element: Type, lanes: int, mask: Value | None, other: Value | None
) -> Value:
    """Elements from places of their own, ``other`` where the mask is false."""
    kind = VectorType((lanes,), memory_type(element))
    chosen = mask if mask is not None else code.integer(-1, VectorType((lanes,), i1))
    default = (to_memory(code, spread(code, other, lanes), element),) if other is not None else ()
    held = code(vectors.MaskedGatherOp, places, chosen, size_of(element), default, type=kind)
    return from_memory(code, held, element)


def store_apart(code: Code, value: Value, address: Value, element: Type, lanes: int, distance: Index) -> None:
    """Elements to places at equal distances."""
    scatter(code, value, addresses(code, address, element, lanes, distance), element, lanes, None)


def scatter(code: Code, value: Value, places: Value, element: Type, lanes: int, mask: Value | None) -> None:
    """Elements to places of their own, where the mask is true; of several to one place the last stays."""
    held = to_memory(code, spread(code, value, lanes), element)
    chosen = mask if mask is not None else code.integer(-1, VectorType((lanes,), i1))
    code.effect(vectors.MaskedScatterOp, held, places, chosen, size_of(element))


def extract(code: Code, value: Value, lane: int) -> Value:
    """One lane of a vector; a value that all lanes share."""
    if not isinstance(value.type, VectorType):
        return value
    return code(ExtractElementOp, value, code.integer(lane))


def insert(code: Code, value: Value, lane: int, into: Value) -> Value:
    """A vector with one lane replaced."""
    return code(InsertElementOp, into, value, code.integer(lane), type=into.type)
