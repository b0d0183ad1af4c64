"""Loads, stores and atomics that are done when they return, and descriptors for the copy engine."""

from __future__ import annotations

from typing import ClassVar

from tilewright.dialects.nv_tileaa.attributes import MemSemantic, PaddingValue, RmwMode
from tilewright.dialects.nv_tileaa.constraints import (
    COUNT,
    INDEX,
    MEM_SEMANTIC,
    PADDING_VALUE,
    RMW_MODE,
    TILE,
    TOKEN,
    element_of,
)
from tilewright.dialects.nv_tileaa.ops.memory import (
    AFTER,
    BASE_DOC,
    COORDS,
    DONE,
    REDUCTION,
    TOKEN_RESULT,
    VIEW_DOC,
    LoadElementsOp,
    LoadRowsOp,
    StoreElementsOp,
    StoreRowsOp,
    TiledAtomicOp,
    TiledCopyOp,
)
from tilewright.dialects.nv_tileaa.rules.memory import (
    UNORDERED,
    check_bounds,
    check_coordinates,
    check_copies,
    check_fence,
    check_order,
    check_padding,
    check_tile,
    view_rank,
)
from tilewright.dialects.nv_tileas.attributes import AtomAttr, OobMode, SwizzleMode
from tilewright.dialects.nv_tileas.base import (
    ATOM,
    DESCRIPTOR,
    MEMORY,
    OOB_MODE,
    SWIZZLE_MODE,
    VIEW,
    OrderedLayoutOp,
    OrderedOp,
)
from tilewright.dialects.nv_tileas.ops_tile import ATOM_DOC
from tilewright.dialects.nv_tileas.rules import check_descriptor
from tilewright.ir.declaration.fields import (
    attr_def,
    operand_def,
    optional_attr_def,
    optional_operand_def,
    optional_result_def,
    result_def,
    variadic_operand_def,
)
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

OFFSETS = "How far into the tile the access begins, where it moves a part only."
FENCE = "Memory order of a fence next to the access: a load may acquire, a store may release; absent for no fence."


class LoadOp(OrderedLayoutOp, LoadElementsOp, name="nv_tileas.load"):
    """Reads elements; masked-off elements are not read, and their result is ``other``."""

    atom: AtomAttr | None = optional_attr_def(ATOM, ATOM_DOC, default=None)


class StoreOp(OrderedLayoutOp, StoreElementsOp, name="nv_tileas.store"):
    """Writes the elements whose mask is true."""

    atom: AtomAttr | None = optional_attr_def(ATOM, ATOM_DOC, default=None)


class GatherLoadOp(OrderedLayoutOp, LoadRowsOp, name="nv_tileas.gather_load"):
    """Reads rows of memory, each with an index of its own."""

    base: Value = operand_def(MEMORY, BASE_DOC)
    atom: AtomAttr | None = optional_attr_def(ATOM, ATOM_DOC, default=None)


class ScatterStoreOp(OrderedLayoutOp, StoreRowsOp, name="nv_tileas.scatter_store"):
    """Writes rows of memory, each with an index of its own."""

    base: Value = operand_def(MEMORY, BASE_DOC)
    atom: AtomAttr | None = optional_attr_def(ATOM, ATOM_DOC, default=None)


class TiledLoadOp(OrderedLayoutOp, TiledCopyOp, name="nv_tileas.tiled_load"):
    """Reads one tile of a view; elements outside are padding.

    The semantics are weak or relaxed, since the copy engine orders nothing; a fence after the access
    acquires.
    """

    view: Value = operand_def(VIEW, VIEW_DOC)
    coords: tuple[Value, ...] = variadic_operand_def(INDEX, COORDS, default=())
    offsets: tuple[Value, ...] = variadic_operand_def(INDEX, OFFSETS, default=())
    token: Value | None = optional_operand_def(TOKEN, AFTER, default=None)
    atom: AtomAttr | None = optional_attr_def(ATOM, ATOM_DOC, default=None)
    fence: MemSemantic | None = optional_attr_def(MEM_SEMANTIC, FENCE, default=None)
    padding_value: PaddingValue | None = optional_attr_def(PADDING_VALUE, "What lies outside.", default=None)
    reduction: RmwMode | None = optional_attr_def(RMW_MODE, REDUCTION, default=None)
    result: Value = result_def(TILE, "The tile.")
    done: Value | None = optional_result_def(TOKEN_RESULT, DONE)
    result_names: ClassVar[tuple[str, ...]] = ("value", "token")
    verifies_locally = True

    def verify_(self) -> None:
        check_order(self, UNORDERED)
        check_fence(self, MemSemantic.ACQUIRE)
        check_copies(self)
        rank = view_rank(self.view.type)
        check_coordinates(self, rank)
        check_tile(self.view.type, self.result.type)
        check_padding(self, element_of(self.result.type), rank)


class TiledStoreOp(OrderedLayoutOp, TiledCopyOp, name="nv_tileas.tiled_store"):
    """Writes one tile of a view; elements outside are dropped.

    The semantics are weak or relaxed, since the copy engine orders nothing; a fence before the access
    releases.
    """

    view: Value = operand_def(VIEW, VIEW_DOC)
    value: Value = operand_def(TILE, "The tile.")
    coords: tuple[Value, ...] = variadic_operand_def(INDEX, COORDS, default=())
    offsets: tuple[Value, ...] = variadic_operand_def(INDEX, OFFSETS, default=())
    token: Value | None = optional_operand_def(TOKEN, AFTER, default=None)
    atom: AtomAttr | None = optional_attr_def(ATOM, ATOM_DOC, default=None)
    fence: MemSemantic | None = optional_attr_def(MEM_SEMANTIC, FENCE, default=None)
    done: Value | None = optional_result_def(TOKEN_RESULT, DONE)
    verifies_locally = True

    def verify_(self) -> None:
        check_order(self, UNORDERED)
        check_fence(self, MemSemantic.RELEASE)
        rank = view_rank(self.view.type)
        check_coordinates(self, rank)
        check_bounds(self, rank)
        check_tile(self.view.type, self.value.type)


class TiledAtomicRmwOp(OrderedLayoutOp, TiledAtomicOp, name="nv_tileas.tiled_atomic_rmw"):
    """Combines one tile of a view with a tile, each element at once."""

    view: Value = operand_def(VIEW, VIEW_DOC)
    atom: AtomAttr | None = optional_attr_def(ATOM, ATOM_DOC, default=None)


class MakeTiledTMADescOp(OrderedOp, name="nv_tileas.make_tiled_tma_desc"):
    """A descriptor with which the copy engine reads and writes memory box by box."""

    view: Value = operand_def(MEMORY, "The memory.")
    box_dims: tuple[Value, ...] = variadic_operand_def(INDEX, "The extents of a box.", default=())
    atom: AtomAttr | None = optional_attr_def(
        ATOM, "The instruction that will use the descriptor.", default=None
    )
    swizzle_mode: SwizzleMode = attr_def(
        SWIZZLE_MODE, "How boxes are permuted in shared memory.", default=SwizzleMode.NONE
    )
    oob_mode: OobMode = attr_def(OOB_MODE, "What lies outside.", default=OobMode.ZERO)
    index: int | None = optional_attr_def(
        COUNT, "The number of the descriptor in its kernel.", ir_name="tmaIdx", default=None
    )
    result: Value = result_def(DESCRIPTOR, "The descriptor.")

    def verify_(self) -> None:
        check_descriptor(self.result.type, self.view.type, self.box_dims)


OPERATIONS: tuple[type[Operation], ...] = (
    LoadOp,
    StoreOp,
    GatherLoadOp,
    ScatterStoreOp,
    TiledLoadOp,
    TiledStoreOp,
    TiledAtomicRmwOp,
    MakeTiledTMADescOp,
)
