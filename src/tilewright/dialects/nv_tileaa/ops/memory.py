"""Loads, stores and atomics, of elements and of whole tiles, and the tokens that order them."""

from __future__ import annotations

from typing import ClassVar

from tilewright.dialects.nv_tileaa import attributes as tileaa_attributes, constraints as tileaa_constraints
from tilewright.dialects.nv_tileaa.rules import memory as memory_rules, shape as shape_rules
from tilewright.dialects.nv_tileaa.types import MEM_TOKEN
from tilewright.ir.declaration import attribute_kind, constraint as declaration_constraint, fields
from tilewright.ir.declaration.traits import Pure, VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

BASE_DOC = "The memory: an object, a pointer, or a pointer for each element."
INDICES = "Where in the object, one number per dimension; none for pointers."
MASK_DOC = "The mask of the elements that take part; all without it."
AFTER = "The operations that precede the access."
DONE = "The access is done."
SEMANTIC = "How the access is ordered with accesses of other threads."
SCOPE = "The threads among which it is ordered; there exactly if it is not weak."
CACHE = "Where the access is cached."
EVICTION = "When the cache line may go."
VIEW_DOC = "The view."
ROWS = "Where each row is along the first dimension."
ROW_OFFSETS = "Where the rows begin along the others."
COORDS = "The index of the tile, one number per dimension of the view."
BOUNDS = "For each dimension whether the tile is known to lie inside; absent: all."
MULTICAST = "Several devices hold a copy of the memory: all of them are accessed."
REDUCTION = "How the copies of several devices are combined by a load; absent: there is one copy."
ALLOW_TMA = "Whether the copy engine may make the access; absent: the compiler decides."
TRAFFIC = "The expected traffic to memory, from 1 (little) to 10 (heavy)."
CHECKED = (
    "The run-time checks of the access; with an empty list an ordered access still tests whether the launch was "
    "stopped; absent: none."
)
TOKEN_RESULT = declaration_constraint.OneOf((MEM_TOKEN,), "memory token")
WEAK = tileaa_attributes.MemSemantic.WEAK


class AccessOp(tileaa_constraints.TileDialectOp):
    """The base of accesses to memory. The attributes are the memory ordering `mem_semantic` (weak by
    default), its scope `mem_scope`, the run-time checks of the access `checks`, and `multicast`: whether it
    accesses the copies of several devices.
    """

    mem_semantic: tileaa_attributes.MemSemantic = fields.attr_def(
        tileaa_constraints.MEM_SEMANTIC, SEMANTIC, default=WEAK, kw_only=True
    )
    mem_scope: tileaa_attributes.MemScope | None = fields.optional_attr_def(
        tileaa_constraints.MEM_SCOPE, SCOPE, default=None
    )
    checks: tuple[str, ...] | None = fields.optional_attr_def(
        tileaa_constraints.ACCESS_CHECKS, CHECKED, default=None
    )
    multicast: bool = fields.flag_def(MULTICAST, default=False)


class CachedAccessOp(AccessOp):
    """The base of loads and stores with the cache hints `cache_modifier` and `eviction_policy`, and the
    expected traffic to memory `latency`, from 1 (little) to 10 (heavy); None states nothing.
    """

    cache_modifier: tileaa_attributes.CacheModifier = fields.attr_def(
        tileaa_constraints.CACHE_MODIFIER, CACHE, default=tileaa_attributes.CacheModifier.NONE, kw_only=True
    )
    eviction_policy: tileaa_attributes.EvictionPolicy = fields.attr_def(
        tileaa_constraints.EVICTION_POLICY,
        EVICTION,
        default=tileaa_attributes.EvictionPolicy.NONE,
        kw_only=True,
    )
    latency: int | None = fields.optional_attr_def(tileaa_constraints.TRAFFIC_LEVEL, TRAFFIC, default=None)


class TiledAccessOp(AccessOp):
    """The base of accesses to one tile of a view. `in_bounds` says for each dimension whether the tile is
    known to lie inside; None means in all dimensions.
    """

    in_bounds: tuple[bool, ...] | None = fields.optional_attr_def(
        tileaa_constraints.FLAGS, BOUNDS, default=None
    )


class TiledCopyOp(CachedAccessOp, TiledAccessOp):
    """The base of loads and stores of one tile of a view. `allow_tma` says whether the copy engine may make
    the access; None leaves this to the compiler.
    """

    allow_tma: bool | None = fields.optional_attr_def(attribute_kind.BoolKind(), ALLOW_TMA, default=None)


class LoadElementsOp(CachedAccessOp):
    """The base of loads of elements from a memory object at `indices`, from a pointer, or from one pointer
    for each element. Elements whose mask is false are not read; their result is `other`, or unspecified
    without `other`.
    """

    base: Value = fields.operand_def(tileaa_constraints.BASE, BASE_DOC)
    indices: tuple[Value, ...] = fields.variadic_operand_def(tileaa_constraints.INDEX, INDICES, default=())
    mask: Value | None = fields.optional_operand_def(tileaa_constraints.MASK, MASK_DOC, default=None)
    other: Value | None = fields.optional_operand_def(
        tileaa_constraints.ELEMENT_LIKE, "The values of masked-off elements.", default=None
    )
    token: Value | None = fields.optional_operand_def(tileaa_constraints.TOKEN, AFTER, default=None)
    reduction: tileaa_attributes.RmwMode | None = fields.optional_attr_def(
        tileaa_constraints.RMW_MODE, REDUCTION, default=None
    )
    result: Value = fields.result_def(tileaa_constraints.ELEMENT_LIKE, "The elements.")
    done: Value | None = fields.optional_result_def(TOKEN_RESULT, DONE)
    verifies_locally = True

    def verify_(self) -> None:
        memory_rules.check_order(self, memory_rules.LOADS)
        memory_rules.check_copies(self)
        memory_rules.check_access(self, self.result.type)
        if self.other is not None and self.other.type is not self.result.type:
            raise VerifyError(f"expects 'other' of type '{self.result.type}', got '{self.other.type}'")


class StoreElementsOp(CachedAccessOp):
    """The base of stores of elements to a memory object at `indices`, to a pointer, or to one pointer for
    each element. Elements whose mask is false are not written.
    """

    base: Value = fields.operand_def(tileaa_constraints.BASE, BASE_DOC)
    value: Value = fields.operand_def(tileaa_constraints.ELEMENT_LIKE, "The elements.")
    indices: tuple[Value, ...] = fields.variadic_operand_def(tileaa_constraints.INDEX, INDICES, default=())
    mask: Value | None = fields.optional_operand_def(tileaa_constraints.MASK, MASK_DOC, default=None)
    token: Value | None = fields.optional_operand_def(tileaa_constraints.TOKEN, AFTER, default=None)
    done: Value | None = fields.optional_result_def(TOKEN_RESULT, DONE)
    verifies_locally = True

    def verify_(self) -> None:
        memory_rules.check_order(self, memory_rules.STORES)
        memory_rules.check_access(self, self.value.type)


class LoadRowsOp(AccessOp):
    """The base of loads of rows: row number i of the result is read at index ``rows[i]`` of the first
    dimension of a memory object, and at `offsets` in the other dimensions.
    """

    base: Value = fields.operand_def(tileaa_constraints.BASE, BASE_DOC)
    rows: Value = fields.operand_def(tileaa_constraints.FIXED_INTEGER_LIKE, ROWS)
    offsets: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.INDEX, ROW_OFFSETS, default=()
    )
    mask: Value | None = fields.optional_operand_def(tileaa_constraints.MASK, MASK_DOC, default=None)
    token: Value | None = fields.optional_operand_def(tileaa_constraints.TOKEN, AFTER, default=None)
    padding_value: tileaa_attributes.PaddingValue | None = fields.optional_attr_def(
        tileaa_constraints.PADDING_VALUE, "What lies outside.", default=None
    )
    result: Value = fields.result_def(tileaa_constraints.TILE, "The rows.")
    done: Value | None = fields.optional_result_def(TOKEN_RESULT, DONE)
    verifies_locally = True

    def verify_(self) -> None:
        memory_rules.check_order(self, memory_rules.LOADS)


class StoreRowsOp(AccessOp):
    """The base of stores of rows: row number i of `value` is written at index ``rows[i]`` of the first
    dimension of a memory object, and at `offsets` in the other dimensions.
    """

    base: Value = fields.operand_def(tileaa_constraints.BASE, BASE_DOC)
    value: Value = fields.operand_def(tileaa_constraints.TILE, "The rows.")
    rows: Value = fields.operand_def(tileaa_constraints.FIXED_INTEGER_LIKE, ROWS)
    offsets: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.INDEX, ROW_OFFSETS, default=()
    )
    mask: Value | None = fields.optional_operand_def(tileaa_constraints.MASK, MASK_DOC, default=None)
    token: Value | None = fields.optional_operand_def(tileaa_constraints.TOKEN, AFTER, default=None)
    done: Value | None = fields.optional_result_def(TOKEN_RESULT, DONE)
    verifies_locally = True

    def verify_(self) -> None:
        memory_rules.check_order(self, memory_rules.STORES)


class TiledAtomicOp(TiledAccessOp):
    """The base of atomic updates of one tile of a view in memory: each element is combined atomically with an
    element of `value`. The result has the earlier elements.
    """

    view: Value = fields.operand_def(tileaa_constraints.VIEW, VIEW_DOC)
    value: Value = fields.operand_def(
        tileaa_constraints.TILE, "The operands that the elements in memory are combined with."
    )
    coords: tuple[Value, ...] = fields.variadic_operand_def(tileaa_constraints.INDEX, COORDS)
    token: Value | None = fields.optional_operand_def(tileaa_constraints.TOKEN, AFTER)
    rmw_mode: tileaa_attributes.RmwMode = fields.attr_def(tileaa_constraints.RMW_MODE, "What is computed.")
    result: Value = fields.result_def(tileaa_constraints.TILE, "The earlier elements in memory.")
    done: Value | None = fields.optional_result_def(TOKEN_RESULT, DONE)
    verifies_locally = True

    def verify_(self) -> None:
        memory_rules.check_atomic_order(self)
        rank = memory_rules.view_rank(self.view.type)
        memory_rules.check_coordinates(self, rank)
        memory_rules.check_bounds(self, rank)
        memory_rules.check_tile(self.view.type, self.value.type)
        memory_rules.check_tiled_atomic(self, tileaa_constraints.element_of(self.value.type))
        shape_rules.check_same_shape(self.value.type, self.result.type)


class LoadOp(LoadElementsOp, name="nv_tileaa.load"):
    """Reads elements from a memory object at `indices`, from a pointer, or from one pointer for each element.
    Elements whose mask is false are not read; their result is `other`, or unspecified without `other`.
    """

    result_names: ClassVar[tuple[str, ...]] = ("value", "token")


class StoreOp(StoreElementsOp, name="nv_tileaa.store"):
    """Writes elements to a memory object at `indices`, to a pointer, or to one pointer for each element.
    Elements whose mask is false are not written.
    """


class TiledLoadOp(TiledCopyOp, name="nv_tileaa.tiled_load"):
    """Reads the tile with the index `coords` of a view. Elements outside the memory object are
    `padding_value`, which is given exactly if `in_bounds` has a false flag. The results are the tile and, if
    it is requested, a token.
    """

    view: Value = fields.operand_def(tileaa_constraints.VIEW, VIEW_DOC)
    coords: tuple[Value, ...] = fields.variadic_operand_def(tileaa_constraints.INDEX, COORDS, default=())
    token: Value | None = fields.optional_operand_def(tileaa_constraints.TOKEN, AFTER, default=None)
    padding_value: tileaa_attributes.PaddingValue | None = fields.optional_attr_def(
        tileaa_constraints.PADDING_VALUE, "What lies outside.", default=None
    )
    reduction: tileaa_attributes.RmwMode | None = fields.optional_attr_def(
        tileaa_constraints.RMW_MODE, REDUCTION, default=None
    )
    result: Value = fields.result_def(tileaa_constraints.TILE, "The tile.")
    done: Value | None = fields.optional_result_def(TOKEN_RESULT, DONE)
    result_names: ClassVar[tuple[str, ...]] = ("value", "token")
    verifies_locally = True

    def verify_(self) -> None:
        memory_rules.check_order(self, memory_rules.LOADS)
        memory_rules.check_copies(self)
        rank = memory_rules.view_rank(self.view.type)
        memory_rules.check_coordinates(self, rank)
        memory_rules.check_tile(self.view.type, self.result.type)
        memory_rules.check_padding(self, tileaa_constraints.element_of(self.result.type), rank)


class TiledStoreOp(TiledCopyOp, name="nv_tileaa.tiled_store"):
    """Writes a tile to the index `coords` of a view; elements outside the memory object are dropped. The
    result, if it is requested, is a token.
    """

    view: Value = fields.operand_def(tileaa_constraints.VIEW, VIEW_DOC)
    value: Value = fields.operand_def(tileaa_constraints.TILE, "The tile.")
    coords: tuple[Value, ...] = fields.variadic_operand_def(tileaa_constraints.INDEX, COORDS, default=())
    token: Value | None = fields.optional_operand_def(tileaa_constraints.TOKEN, AFTER, default=None)
    done: Value | None = fields.optional_result_def(TOKEN_RESULT, DONE)
    verifies_locally = True

    def verify_(self) -> None:
        memory_rules.check_order(self, memory_rules.STORES)
        rank = memory_rules.view_rank(self.view.type)
        memory_rules.check_coordinates(self, rank)
        memory_rules.check_bounds(self, rank)
        memory_rules.check_tile(self.view.type, self.value.type)


class TiledAtomicRmwOp(TiledAtomicOp, name="nv_tileaa.tiled_atomic_rmw"):
    """Combines a tile with one tile of a view in memory, each element atomically; the result has the earlier
    elements in memory.
    """

    result_names: ClassVar[tuple[str, ...]] = ("old", "token")


class AtomicRmwOp(AccessOp, name="nv_tileaa.atomic_rmw"):
    """Combines elements in memory with `value` by `rmw_mode`, each atomically; the result is the old
    elements. The elements are at `indices` of a memory object, at a pointer, or at one pointer for each
    element. Elements whose mask is false are not updated; their results are unspecified.
    """

    base: Value = fields.operand_def(tileaa_constraints.BASE, BASE_DOC)
    value: Value = fields.operand_def(
        tileaa_constraints.ELEMENT_LIKE, "The operands that the elements in memory are combined with."
    )
    indices: tuple[Value, ...] = fields.variadic_operand_def(tileaa_constraints.INDEX, INDICES)
    mask: Value | None = fields.optional_operand_def(tileaa_constraints.MASK, MASK_DOC)
    token: Value | None = fields.optional_operand_def(tileaa_constraints.TOKEN, AFTER)
    rmw_mode: tileaa_attributes.RmwMode = fields.attr_def(tileaa_constraints.RMW_MODE, "What is computed.")
    mem_semantic: tileaa_attributes.MemSemantic = fields.attr_def(
        tileaa_constraints.MEM_SEMANTIC, SEMANTIC, default=tileaa_attributes.MemSemantic.RELAXED, kw_only=True
    )
    result: Value = fields.result_def(tileaa_constraints.ELEMENT_LIKE, "The earlier elements in memory.")
    done: Value | None = fields.optional_result_def(TOKEN_RESULT, DONE)
    result_names: ClassVar[tuple[str, ...]] = ("old", "token")
    verifies_locally = True

    def verify_(self) -> None:
        memory_rules.check_atomic_order(self)
        memory_rules.check_access(self, self.value.type)
        memory_rules.check_rmw_mode(self.rmw_mode, tileaa_constraints.element_of(self.value.type))
        if self.result.type is not self.value.type:
            raise VerifyError(f"expects a result of type '{self.value.type}', got '{self.result.type}'")


class AtomicCasOp(AccessOp, name="nv_tileaa.atomic_cas"):
    """Replaces each element in memory whose bits equal `compare` by `replacement`, atomically; the result is
    the old elements. The elements are at `indices` of a memory object, at a pointer, or at one pointer for
    each element. Elements whose mask is false are not accessed; their results are the elements of `compare`.
    """

    base: Value = fields.operand_def(tileaa_constraints.BASE, BASE_DOC)
    compare: Value = fields.operand_def(
        tileaa_constraints.ELEMENT_LIKE, "The elements that memory is compared with."
    )
    replacement: Value = fields.operand_def(
        tileaa_constraints.ELEMENT_LIKE, "The elements that replace equal ones."
    )
    indices: tuple[Value, ...] = fields.variadic_operand_def(tileaa_constraints.INDEX, INDICES, default=())
    mask: Value | None = fields.optional_operand_def(tileaa_constraints.MASK, MASK_DOC, default=None)
    token: Value | None = fields.optional_operand_def(tileaa_constraints.TOKEN, AFTER, default=None)
    mem_semantic: tileaa_attributes.MemSemantic = fields.attr_def(
        tileaa_constraints.MEM_SEMANTIC, SEMANTIC, default=tileaa_attributes.MemSemantic.RELAXED, kw_only=True
    )
    result: Value = fields.result_def(tileaa_constraints.ELEMENT_LIKE, "The earlier elements in memory.")
    done: Value | None = fields.optional_result_def(TOKEN_RESULT, DONE)
    result_names: ClassVar[tuple[str, ...]] = ("old", "token")
    verifies_locally = True

    def verify_(self) -> None:
        memory_rules.check_atomic_order(self)
        memory_rules.check_access(self, self.compare.type)
        if len({self.compare.type, self.replacement.type, self.result.type}) > 1:
            raise VerifyError("expects 'compare', 'replacement' and the result to have one type")


class GatherLoadOp(LoadRowsOp, name="nv_tileaa.gather_load"):
    """Reads rows of a memory object: each row has an index of its own in the first dimension, in `rows`, and
    all begin at `offsets` in the other dimensions. Elements outside of the object are padding; elements whose
    mask is false are not read.
    """


class ScatterStoreOp(StoreRowsOp, name="nv_tileaa.scatter_store"):
    """Writes rows of a memory object: each row has an index of its own in the first dimension, in `rows`, and
    all begin at `offsets` in the other dimensions. Elements outside of the object, and elements whose mask is
    false, are not written.
    """


class CreateMemTokenOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.create_mem_token"):
    """Creates a memory token that is ordered after nothing."""

    result: Value = fields.result_def(TOKEN_RESULT, "The token.")
    traits = (Pure(),)


class JoinMemTokenOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.join_mem_token"):
    """Creates a memory token that is ordered after all operands; without operands after nothing."""

    tokens: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.TOKEN, "The tokens.", default=()
    )
    result: Value = fields.result_def(TOKEN_RESULT, "The token.")
    traits = (Pure(),)


class AllocateOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.allocate"):
    """Allocates `size` bytes of memory for this tile block, which live until the enclosing block of
    operations ends.
    """

    size: int = fields.attr_def(tileaa_constraints.COUNT, "Its bytes.")
    alignment: int = fields.attr_def(
        tileaa_constraints.COUNT, "The alignment of its address, a power of two.", default=1
    )
    result: Value = fields.result_def(tileaa_constraints.BASE, "Its address.")


class OrderingOp(tileaa_constraints.TileDialectOp):
    """The base of operations that order operations before them with operations after them, and access no
    memory themselves.
    """

    token: Value | None = fields.optional_operand_def(tileaa_constraints.TOKEN, AFTER, default=None)
    done: Value = fields.result_def(TOKEN_RESULT, "The token of the ordered accesses.")


class WaitForGridOp(OrderingOp, name="nv_tileaa.wait_for_grid"):
    """Waits until the grids that this grid depends on have ended, and their writes are visible."""


class LaunchDependentsOp(OrderingOp, name="nv_tileaa.launch_dependents"):
    """States that dependent grids may begin as far as this tile block is concerned; they begin when all tile
    blocks have done so.
    """


class FenceAliasOp(OrderingOp, name="nv_tileaa.fence_alias"):
    """Orders accesses to the same memory through different virtual addresses."""


OPERATIONS: tuple[type[Operation], ...] = (
    LoadOp,
    StoreOp,
    TiledLoadOp,
    TiledStoreOp,
    TiledAtomicRmwOp,
    AtomicRmwOp,
    AtomicCasOp,
    GatherLoadOp,
    ScatterStoreOp,
    CreateMemTokenOp,
    JoinMemTokenOp,
    AllocateOp,
    WaitForGridOp,
    LaunchDependentsOp,
    FenceAliasOp,
)
