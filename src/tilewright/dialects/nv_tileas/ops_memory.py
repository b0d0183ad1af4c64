"""Synchronous loads, stores and atomics, and descriptors for the copy engine (TMA)."""

from __future__ import annotations

from typing import ClassVar

from tilewright.dialects.nv_tileaa import constraints as tileaa_constraints
from tilewright.dialects.nv_tileaa.attributes import MemSemantic, PaddingValue, RmwMode
from tilewright.dialects.nv_tileaa.ops import memory as tileaa_memory
from tilewright.dialects.nv_tileaa.rules import memory as memory_rules
from tilewright.dialects.nv_tileas import base as tileas_base, rules as tileas_rules
from tilewright.dialects.nv_tileas.attributes import AtomAttr, OobMode, SwizzleMode
from tilewright.dialects.nv_tileas.ops_tile import ATOM_DOC
from tilewright.ir.declaration import fields
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

OFFSETS = "How far into the tile the access begins, where it moves a part only."
FENCE = "Memory order of a fence next to the access: a load may acquire, a store may release; absent for no fence."


class LoadOp(tileas_base.OrderedLayoutOp, tileaa_memory.LoadElementsOp, name="nv_tileas.load"):
    """Reads elements of memory. Elements whose mask is false are not read; their result is ``other``, or
    unspecified without it.
    """

    atom: AtomAttr | None = fields.optional_attr_def(tileas_base.ATOM, ATOM_DOC, default=None)


class StoreOp(tileas_base.OrderedLayoutOp, tileaa_memory.StoreElementsOp, name="nv_tileas.store"):
    """Writes elements to a memory object at `indices`, to a pointer, or to one pointer for each element.
    Elements whose mask is false are not written; without a mask all are.
    """

    atom: AtomAttr | None = fields.optional_attr_def(tileas_base.ATOM, ATOM_DOC, default=None)


class GatherLoadOp(tileas_base.OrderedLayoutOp, tileaa_memory.LoadRowsOp, name="nv_tileas.gather_load"):
    """Reads rows of memory: each has an index of its own along the first dimension, in `rows`, and all begin
    at `offsets` in the other dimensions. Elements outside of the memory are padding. The results are the rows
    and, if it is requested, a token.
    """

    base: Value = fields.operand_def(tileas_base.MEMORY, tileaa_memory.BASE_DOC)
    atom: AtomAttr | None = fields.optional_attr_def(tileas_base.ATOM, ATOM_DOC, default=None)


class ScatterStoreOp(tileas_base.OrderedLayoutOp, tileaa_memory.StoreRowsOp, name="nv_tileas.scatter_store"):
    """Writes rows of memory: each has an index of its own along the first dimension, in `rows`, and all begin
    at `offsets` in the other dimensions. Elements outside of the memory are dropped. The result, if it is
    requested, is a token.
    """

    base: Value = fields.operand_def(tileas_base.MEMORY, tileaa_memory.BASE_DOC)
    atom: AtomAttr | None = fields.optional_attr_def(tileas_base.ATOM, ATOM_DOC, default=None)


class TiledLoadOp(tileas_base.OrderedLayoutOp, tileaa_memory.TiledCopyOp, name="nv_tileas.tiled_load"):
    """Reads one tile of a view; elements outside are padding. The results are the tile and, if it is
    requested, a token.

    The semantics are weak or relaxed, since the copy engine orders nothing; a fence after the access
    acquires.
    """

    view: Value = fields.operand_def(tileas_base.VIEW, tileaa_memory.VIEW_DOC)
    coords: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.INDEX, tileaa_memory.COORDS, default=()
    )
    offsets: tuple[Value, ...] = fields.variadic_operand_def(tileaa_constraints.INDEX, OFFSETS, default=())
    token: Value | None = fields.optional_operand_def(
        tileaa_constraints.TOKEN, tileaa_memory.AFTER, default=None
    )
    atom: AtomAttr | None = fields.optional_attr_def(tileas_base.ATOM, ATOM_DOC, default=None)
    fence: MemSemantic | None = fields.optional_attr_def(tileaa_constraints.MEM_SEMANTIC, FENCE, default=None)
    padding_value: PaddingValue | None = fields.optional_attr_def(
        tileaa_constraints.PADDING_VALUE, "What lies outside.", default=None
    )
    reduction: RmwMode | None = fields.optional_attr_def(
        tileaa_constraints.RMW_MODE, tileaa_memory.REDUCTION, default=None
    )
    result: Value = fields.result_def(tileaa_constraints.TILE, "The tile.")
    done: Value | None = fields.optional_result_def(tileaa_memory.TOKEN_RESULT, tileaa_memory.DONE)
    result_names: ClassVar[tuple[str, ...]] = ("value", "token")
    verifies_locally = True

    def verify_(self) -> None:
        memory_rules.check_order(self, memory_rules.UNORDERED)
        memory_rules.check_fence(self, MemSemantic.ACQUIRE)
        memory_rules.check_copies(self)
        rank = memory_rules.view_rank(self.view.type)
        memory_rules.check_coordinates(self, rank)
        memory_rules.check_tile(self.view.type, self.result.type)
        memory_rules.check_padding(self, tileaa_constraints.element_of(self.result.type), rank)


class TiledStoreOp(tileas_base.OrderedLayoutOp, tileaa_memory.TiledCopyOp, name="nv_tileas.tiled_store"):
    """Writes one tile of a view; elements outside are dropped. The result, if it is requested, is a token.

    The semantics are weak or relaxed, since the copy engine orders nothing; a fence before the access
    releases.
    """

    view: Value = fields.operand_def(tileas_base.VIEW, tileaa_memory.VIEW_DOC)
    value: Value = fields.operand_def(tileaa_constraints.TILE, "The tile.")
    coords: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.INDEX, tileaa_memory.COORDS, default=()
    )
    offsets: tuple[Value, ...] = fields.variadic_operand_def(tileaa_constraints.INDEX, OFFSETS, default=())
    token: Value | None = fields.optional_operand_def(
        tileaa_constraints.TOKEN, tileaa_memory.AFTER, default=None
    )
    atom: AtomAttr | None = fields.optional_attr_def(tileas_base.ATOM, ATOM_DOC, default=None)
    fence: MemSemantic | None = fields.optional_attr_def(tileaa_constraints.MEM_SEMANTIC, FENCE, default=None)
    done: Value | None = fields.optional_result_def(tileaa_memory.TOKEN_RESULT, tileaa_memory.DONE)
    verifies_locally = True

    def verify_(self) -> None:
        memory_rules.check_order(self, memory_rules.UNORDERED)
        memory_rules.check_fence(self, MemSemantic.RELEASE)
        rank = memory_rules.view_rank(self.view.type)
        memory_rules.check_coordinates(self, rank)
        memory_rules.check_bounds(self, rank)
        memory_rules.check_tile(self.view.type, self.value.type)


class TiledAtomicRmwOp(
    tileas_base.OrderedLayoutOp, tileaa_memory.TiledAtomicOp, name="nv_tileas.tiled_atomic_rmw"
):
    """Combines a tile with one tile of a view in memory by `rmw_mode`; each element is updated atomically.
    The results are the earlier elements and, if it is requested, a token.
    """

    view: Value = fields.operand_def(tileas_base.VIEW, tileaa_memory.VIEW_DOC)
    atom: AtomAttr | None = fields.optional_attr_def(tileas_base.ATOM, ATOM_DOC, default=None)


class MakeTiledTMADescOp(tileas_base.OrderedOp, name="nv_tileas.make_tiled_tma_desc"):
    """Creates a descriptor for the copy engine (TMA) to read and write the global memory of `view` in boxes
    of the extents `box_dims`, which `swizzle_mode` permutes in shared memory. `oob_mode` is the value of
    elements outside.
    """

    view: Value = fields.operand_def(tileas_base.MEMORY, "The memory.")
    box_dims: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.INDEX, "The extents of a box.", default=()
    )
    atom: AtomAttr | None = fields.optional_attr_def(
        tileas_base.ATOM, "The instruction that will use the descriptor.", default=None
    )
    swizzle_mode: SwizzleMode = fields.attr_def(
        tileas_base.SWIZZLE_MODE, "How boxes are permuted in shared memory.", default=SwizzleMode.NONE
    )
    oob_mode: OobMode = fields.attr_def(tileas_base.OOB_MODE, "What lies outside.", default=OobMode.ZERO)
    index: int | None = fields.optional_attr_def(
        tileaa_constraints.COUNT,
        "The number of the descriptor in its kernel.",
        ir_name="tmaIdx",
        default=None,
    )
    result: Value = fields.result_def(tileas_base.DESCRIPTOR, "The descriptor.")

    def verify_(self) -> None:
        tileas_rules.check_descriptor(self.result.type, self.view.type, self.box_dims)


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
