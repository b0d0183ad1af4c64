"""Loads, stores, allocas, tokens and fences."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from tilewright.dialects.common import constraints, grid as common_grid
from tilewright.dialects.cuda_tile.enums import MemoryOrderingSemantics as Semantics, MemoryScope
from tilewright.dialects.cuda_tile.ops import memory as ops
from tilewright.interp.codes import UNSUPPORTED
from tilewright.interp.memory import addressing, allocation as memory_allocation
from tilewright.interp.memory.address_space import AccessOrder, LaneAccess, byte_addresses
from tilewright.interp.numerics.element import ElementFormat, NumpyArray
from tilewright.interp.rules.rule import Evaluate, OperandPositions, RuleTable, constantly, pick
from tilewright.interp.tile_block import TileBlock
from tilewright.interp.values import TOKEN, TileView, pointee_format, tile_format, wrapped_address
from tilewright.ir.operation import Operation

RULES = RuleTable()


class OrderedOperation(Protocol):
    """An access to memory with an ordering, ``memory_ordering_semantics``, and a scope, ``memory_scope``,
    which is None for weak accesses.
    """

    memory_ordering_semantics: Semantics

    @property
    def memory_scope(self) -> MemoryScope | None:
        """The scope of the threads that observe the order; None for weak accesses."""


def order_of(op: OrderedOperation) -> AccessOrder:
    """Return the ordering of the accesses of an operation in the memory model: whether they are atomic,
    whether their scope is the device or the system, and whether they acquire and release.
    """
    ordering, scope = op.memory_ordering_semantics, op.memory_scope
    return AccessOrder(
        strong=ordering is not Semantics.WEAK,
        wide=scope in (MemoryScope.DEVICE, MemoryScope.SYS),
        acquires=ordering in (Semantics.ACQUIRE, Semantics.ACQ_REL),
        releases=ordering in (Semantics.RELEASE, Semantics.ACQ_REL),
    )


def pointer_access(
    block: TileBlock,
    op: ops.AtomicCASTkoOp | ops.AtomicRMWTkoOp | ops.LoadPtrTkoOp | ops.StorePtrTkoOp,
    pointers: NumpyArray,
    mask: NumpyArray | None,
    order: AccessOrder,
    format: ElementFormat,
) -> LaneAccess:
    """Return the access through a tile of pointers, in the lanes that the mask selects (None: all). A strong
    access marks the tile block as synchronised.

    No element shares a byte with another: tiles of pointers to packed elements do not exist.
    """
    if order.strong:
        block.synchronised = True
    if mask is None:
        return LaneAccess(block, op, pointers, format, order)
    lanes = np.argwhere(mask)

    def lane(position: int) -> tuple[int, ...]:
        return tuple(map(int, lanes[position]))

    return LaneAccess(block, op, pointers[mask], format, order, lane=lane)


def view_access(
    block: TileBlock, op: Operation, view: TileView, region: addressing.TileRegion, order: AccessOrder
) -> LaneAccess:
    """Return the access to the elements of `region`, which are inside the tensor of `view`. A strong access
    marks the tile block as synchronised.
    """
    if order.strong:
        block.synchronised = True
    format = tile_format(view.tensor.type)
    addresses, nibbles = byte_addresses(view.tensor.base, region.offsets, format)
    return LaneAccess(block, op, addresses, format, order, nibbles=nibbles, lane=region.lane)


@RULES.evaluates(ops.LoadPtrTkoOp)
def load_pointers(op: ops.LoadPtrTkoOp) -> Evaluate:
    """Return the evaluation of a load by pointers: the tile and a token.

    Masked-off lanes get the padding value, or zero if there is no padding value.
    """
    at = OperandPositions(op)
    source, mask_at, padding_at = at.one("source"), at.optional("mask"), at.optional("padding_value")
    format, order = pointee_format(op.source.type), order_of(op)
    unspecified = addressing.constant_element(0.0, format)

    def evaluate(block: TileBlock, *operands: NumpyArray) -> Any:
        pointers, mask, padding = operands[source], pick(operands, mask_at), pick(operands, padding_at)
        loaded = block.memory.read(pointer_access(block, op, pointers, mask, order, format))
        if mask is None:
            return loaded, TOKEN
        empty = np.full(pointers.shape, unspecified) if padding is None else padding
        tile = empty.astype(loaded.dtype)
        tile[mask] = loaded
        return tile, TOKEN

    return evaluate


@RULES.evaluates(ops.StorePtrTkoOp)
def store_pointers(op: ops.StorePtrTkoOp) -> Evaluate:
    """Return the evaluation of a store by pointers. Masked-off lanes write nothing."""
    at = OperandPositions(op)
    destination, value_at, mask_at = at.one("destination"), at.one("value"), at.optional("mask")
    format, order = pointee_format(op.destination.type), order_of(op)

    def evaluate(block: TileBlock, *operands: NumpyArray) -> Any:
        value, mask = operands[value_at], pick(operands, mask_at)
        access = pointer_access(block, op, operands[destination], mask, order, format)
        block.memory.write(access, value if mask is None else value[mask])
        return TOKEN

    return evaluate


@RULES.evaluates(ops.LoadViewTkoOp, ops.MultimemLoadReduceViewTkoOp)
def load_view(op: ops.LoadViewTkoOp | ops.MultimemLoadReduceViewTkoOp) -> Evaluate:
    """Return the evaluation of a load through a view: the tile and a token.

    Elements outside the tensor are the padding, or zero if it is unspecified. One device holds the only copy
    of a multicast view, so reducing the copies is loading.
    """
    at = OperandPositions(op)
    view_at, index = at.one("view"), at.group("index")
    padding, order = addressing.padding_element(constraints.checked_type(op.view)), order_of(op)

    def evaluate(block: TileBlock, *operands: Any) -> Any:
        view = operands[view_at]
        region = addressing.tile_region(view, operands[index])
        loaded = block.memory.read(view_access(block, op, view, region, order))
        return region.put(loaded, padding), TOKEN

    return evaluate


@RULES.evaluates(ops.StoreViewTkoOp, ops.MultimemStoreViewTkoOp)
def store_view(op: ops.MultimemStoreViewTkoOp | ops.StoreViewTkoOp) -> Evaluate:
    """Return the evaluation of a store through a view. Elements outside the tensor are dropped."""
    at = OperandPositions(op)
    view_at, index, tile_at = at.one("view"), at.group("index"), at.one("tile")
    order = order_of(op)

    def evaluate(block: TileBlock, *operands: Any) -> Any:
        view = operands[view_at]
        region = addressing.tile_region(view, operands[index])
        block.memory.write(view_access(block, op, view, region, order), region.take(operands[tile_at]))
        return TOKEN

    return evaluate


@RULES.evaluates(ops.AllocaOp)
def alloca(op: ops.AllocaOp) -> Evaluate:
    """Return the evaluation of an `alloca`: the address of fresh zeroed memory, which exists until the end of
    its loop iteration (or of the entry). It raises `DiagnosticError` for a size that no target allows.
    """
    format = pointee_format(op.result.type)
    size, alignment = max(1, format.memory_bytes(op.num_elem)), max(1, op.alignment)

    reason = common_grid.alloca_obstacle(max(size, alignment))

    def evaluate(block: TileBlock) -> NumpyArray:
        if reason is not None:
            raise block.failure(op, UNSUPPORTED, reason, hint=common_grid.SMALLER)
        owner = np.zeros(size + alignment, np.uint8)
        base = -(-owner.ctypes.data // alignment) * alignment
        allocation = memory_allocation.Allocation(base, size, f"alloca of {block}", owner=owner)
        block.scope().allocations.append(block.memory.register(allocation))
        return np.array(wrapped_address(base), dtype=np.int64)

    return evaluate


@RULES.evaluates(
    ops.MakeTokenOp,
    ops.JoinTokensOp,
    ops.GdcLaunchDependentsTkoOp,
    ops.GdcWaitTkoOp,
    ops.MemoryFenceAliasTkoOp,
)
def token(op: Operation) -> Evaluate:
    """Return the evaluation of an operation that only orders accesses: it does nothing and returns a token.

    Execution in program order satisfies every order of tokens. Grids run one after the other, so dependent
    launches have nothing to wait for.
    """
    return constantly(TOKEN)
