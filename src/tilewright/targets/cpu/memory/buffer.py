"""Tiles in memory: the addresses of their elements, and how lanes are loaded and stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from tilewright.dialects.llvm.intrinsics import vector as vectors
from tilewright.dialects.llvm.ops import arithmetic as llvm, memory as llvm_memory
from tilewright.dialects.llvm.ops.aggregate import ExtractElementOp
from tilewright.dialects.llvm.ops.conversion import BitcastOp
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.value import Value
from tilewright.targets.cpu.plan.model import row_major
from tilewright.targets.elements.convert import from_memory, to_memory
from tilewright.targets.elements.element_types import memory_type, register_type, size_of, vector
from tilewright.targets.llvm.code import DYNAMIC, POINTER, Index, LlvmBuilder


@dataclass(frozen=True, slots=True)
class Coordinate:
    """An index along one dimension.

    ``lanes``: consecutive lanes have consecutive indices from ``base`` on; otherwise all lanes have the index
    ``base``. ``level``: the number of loops, counted from the outermost, that can change the index; code that
    uses lower levels only can be hoisted before inner loops. ``rows``: the indices that are handled at once
    with this index, in order (see `transpose`).
    """

    base: Index
    lanes: bool = False
    level: int = 0
    rows: tuple[Index, ...] = ()


Coordinates = tuple[Coordinate, ...]


@dataclass(frozen=True, slots=True)
class TileBuffer:
    """A tile in memory: the address of its first element, its extents, and its strides in elements."""

    address: Value
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    element: Type

    @property
    def count(self) -> int:
        """Return the number of elements."""
        return prod(self.shape)

    @property
    def bytes(self) -> int:
        """Return the size of all elements in bytes."""
        return self.count * size_of(self.element)

    def place(self, code: LlvmBuilder, coordinates: Sequence[Coordinate]) -> tuple[Value, int]:
        """Return the address of the first lane, and the distance of lanes in elements (0: all lanes share one
        element).
        """
        bases = [coordinate.base for coordinate in coordinates]
        distances = [
            stride for coordinate, stride in zip(coordinates, self.strides, strict=True) if coordinate.lanes
        ]
        address = code.element(self.address, bases, self.strides, memory_type(self.element))
        return address, distances[-1] if distances else 0

    def load(self, code: LlvmBuilder, coordinates: Sequence[Coordinate], lanes: int) -> Value:
        """Load the `lanes` elements at coordinates, in the register type of the elements. Return a vector, or
        a scalar if no coordinate has lanes, so that all lanes share one element.
        """
        address, distance = self.place(code, coordinates)
        # Elements in registers have no bits to drop, so tf32 is loaded as its register type.
        element = register_type(self.element) if self.element is builtin_types.tf32 else self.element
        if distance == 0:
            return load_lanes(code, address, element, 1)
        if distance == 1:
            return load_lanes(code, address, element, lanes)
        return load_apart(code, address, element, lanes, distance)

    def store(self, code: LlvmBuilder, coordinates: Sequence[Coordinate], value: Value, lanes: int) -> None:
        """Store `value` to the elements at coordinates: `lanes` elements, to which a scalar is broadcast, or
        one element if no coordinate has lanes.
        """
        address, distance = self.place(code, coordinates)
        if distance <= 1:
            store_lanes(code, value, address, self.element, lanes if distance else 1)
        else:
            store_apart(code, value, address, self.element, lanes, distance)


def element_number(code: LlvmBuilder, shape: Sequence[int], coordinates: Coordinates) -> Index:
    """Return the row-major number of the element at `coordinates` in a tile of shape `shape`; with lanes, of
    the first lane.
    """
    number: Index = 0
    for coordinate, stride in zip(coordinates, row_major(shape), strict=True):
        number = code.add(number, code.multiply(coordinate.base, stride))
    return number


# --- contiguous lanes


def load_lanes(
    code: LlvmBuilder, address: Value, element: Type, lanes: int, alignment: int | None = None
) -> Value:
    """Load `lanes` contiguous elements from `address`; a scalar for one lane. ``alignment`` is in bytes
    (default: the size of an element).
    """
    held = code.load(address, vector(memory_type(element), lanes), alignment or size_of(element))
    return from_memory(code, held, element)


def store_lanes(
    code: LlvmBuilder, value: Value, address: Value, element: Type, lanes: int, alignment: int | None = None
) -> None:
    """Store `value` to `lanes` contiguous elements from `address` on; a scalar is broadcast to all lanes.
    ``alignment`` is in bytes (default: the size of an element).
    """
    code.store(to_memory(code, spread(code, value, lanes), element), address, alignment or size_of(element))


def spread(code: LlvmBuilder, value: Value, lanes: int) -> Value:
    """Broadcast the scalar `value` to a vector of `lanes` lanes, and return the vector. A vector is returned
    unchanged, and so is a scalar if `lanes` is 1.
    """
    return (
        value
        if lanes == 1 or isinstance(value.type, builtin_types.VectorType)
        else code.broadcast(value, lanes)
    )


# --- contiguous lanes with a mask


def masked_load(code: LlvmBuilder, address: Value, mask: Value, default: Value, element: Type) -> Value:
    """Load contiguous elements in their memory type, with ``default``, a vector of this type, where the mask
    is false. f16 is loaded as integers: LLVM scalarises masked vectors of f16 if the processor has no f16
    arithmetic.
    """
    kind: Any = default.type
    carrier = (
        builtin_types.VectorType(kind.shape, builtin_types.i16)
        if kind.element_type is builtin_types.f16
        else kind
    )
    filler = default if carrier is kind else code(BitcastOp, default, type=carrier)
    held = code(vectors.MaskedLoadOp, address, mask, size_of(element), filler, type=carrier)
    return held if carrier is kind else code(BitcastOp, held, type=kind)


def masked_store(code: LlvmBuilder, value: Value, address: Value, mask: Value, element: Type) -> None:
    """Store contiguous elements, a vector of the memory type, where the mask is true. f16 is stored as
    integers: LLVM scalarises masked vectors of f16 if the processor has no f16 arithmetic.
    """
    kind: Any = value.type
    if kind.element_type is builtin_types.f16:
        value = code(BitcastOp, value, type=builtin_types.VectorType(kind.shape, builtin_types.i16))
    code.effect(vectors.MaskedStoreOp, value, address, mask, size_of(element))


# --- lanes that are not contiguous


def addresses(code: LlvmBuilder, address: Value, element: Type, lanes: int, distance: Index) -> Value:
    """Return a vector of the addresses of `lanes` elements from `address` on, ``distance`` elements apart."""
    kind = builtin_types.VectorType((lanes,), POINTER)
    if isinstance(distance, int):
        offsets = code.steps(lanes, builtin_types.i64, distance)
    else:
        offsets = code(llvm.MulOp, code.steps(lanes), code.broadcast(distance, lanes))
    return code(llvm_memory.GEPOp, address, (DYNAMIC,), memory_type(element), (offsets,), type=kind)


def load_apart(code: LlvmBuilder, address: Value, element: Type, lanes: int, distance: Index) -> Value:
    """Load `lanes` elements from `address` on, ``distance`` elements apart."""
    places = addresses(code, address, element, lanes, distance)
    return gather(code, places, element, lanes, None, None)


def gather(
    code: LlvmBuilder, places: Value, element: Type, lanes: int, mask: Value | None, other: Value | None
) -> Value:
    """Load `lanes` elements from the vector of addresses `places` where the mask is true (None: everywhere),
    with ``other`` elsewhere (None: undefined). Return a vector of the register type.
    """
    kind = builtin_types.VectorType((lanes,), memory_type(element))
    chosen = (
        mask if mask is not None else code.integer(-1, builtin_types.VectorType((lanes,), builtin_types.i1))
    )
    default = (to_memory(code, spread(code, other, lanes), element),) if other is not None else ()
    held = code(vectors.MaskedGatherOp, places, chosen, size_of(element), default, type=kind)
    return from_memory(code, held, element)


def store_apart(
    code: LlvmBuilder, value: Value, address: Value, element: Type, lanes: int, distance: Index
) -> None:
    """Store `lanes` elements from `address` on, ``distance`` elements apart; a scalar is broadcast."""
    scatter(code, value, addresses(code, address, element, lanes, distance), element, lanes, None)


def scatter(
    code: LlvmBuilder, value: Value, places: Value, element: Type, lanes: int, mask: Value | None
) -> None:
    """Store `value`, a vector or a scalar for all lanes, to the vector of addresses `places` where the mask
    is true (None: everywhere). If addresses are equal, the last lane wins.
    """
    held = to_memory(code, spread(code, value, lanes), element)
    chosen = (
        mask if mask is not None else code.integer(-1, builtin_types.VectorType((lanes,), builtin_types.i1))
    )
    code.effect(vectors.MaskedScatterOp, held, places, chosen, size_of(element))


def extract(code: LlvmBuilder, value: Value, lane: int) -> Value:
    """Return the lane number `lane` of a vector; a scalar is returned unchanged."""
    if not isinstance(value.type, builtin_types.VectorType):
        return value
    return code(ExtractElementOp, value, code.integer(lane))
