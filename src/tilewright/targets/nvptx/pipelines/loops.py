"""The loops that become pipelines: which loads are copied ahead of their iteration, or the reason why none is.

A load is copied ahead if only a matrix product uses it, through shared memory. Its elements then go from global to
shared memory without registers (`cp.async`), several iterations before the product reads them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.common.constant_folding import is_zero
from tilewright.dialects.nv_tileaa.attributes import MemSemantic
from tilewright.dialects.nv_tileaa.constraints import shape_of
from tilewright.dialects.nv_tileaa.ops.structure import SplatOp
from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr, Transfer
from tilewright.dialects.nv_tileas.ops_memory import LoadOp
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, DotOp, ViewOp
from tilewright.dialects.scf.ops_loop import ForOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.interfaces.effects import accesses_nothing, has_no_memory_effect
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.tileas.conversions.movements import moves_of_view, seen_from
from tilewright.targets.elements.element_types import size_of
from tilewright.targets.nvptx.pipelines.rings import RingTile, copied_bytes, exchange_between

COPIES_SINCE = 80
"""The first architecture with asynchronous copies of elements (`cp.async`)."""


class EarlyLoad(NamedTuple):
    """A load that is issued ahead, and the path of its tile to a product.

    `factor` is the value that the product multiplies: the loaded tile after `path`, which consists of views
    and layout conversions. `type` is the type of the tile when it is read from shared memory: with this
    layout no view of the path moves an element. `tile` is the arrangement of the tile in shared memory, with
    the number of elements of one copy.
    """

    load: LoadOp
    factor: Value
    path: Sequence[ViewOp | ConvertLayoutOp]
    type: RankedTensorType
    tile: RingTile

    @property
    def views(self) -> list[ViewOp]:
        """Return the views of `path` without its layout conversions, in order from the load to the product."""
        return [op for op in self.path if isinstance(op, ViewOp)]


class LoopPlan(NamedTuple):
    """A loop with the loads that are copied ahead, and the operations that compute their addresses and masks, in the
    order of the text. `reason` is why there are none; it is empty if there are.
    """

    loop: ForOp
    loads: Sequence[EarlyLoad] = ()
    addresses: Sequence[Operation] = ()
    reason: str = ""


def plan_of(loop: ForOp, chip: Chip, neighbours: Mapping[Operation, int]) -> LoopPlan:
    """Return which loads of an innermost loop are copied ahead.

    `neighbours` has the number of adjacent elements that each load may move at once (`access_facts.neighbours`).
    """
    reason = obstacle_of_loop(loop, chip)
    if reason:
        return LoopPlan(loop, reason=reason)
    loads: list[EarlyLoad] = []
    for factor in factors(loop):
        found = early(factor, neighbours)
        obstacle = found if isinstance(found, str) else obstacle_of_load(found, loop)
        if not obstacle and not isinstance(found, str):
            loads.append(found)
        reason = reason or obstacle
    if not loads:
        return LoopPlan(loop, reason=reason or "the products of the loop are in inner regions")
    needed = [value for one in loads for value in one.load.operands]
    return LoopPlan(loop, loads, slice_of(needed, loop.region.block))


def obstacle_of_loop(loop: ForOp, chip: Chip) -> str:
    """Return why no load of a loop can be issued ahead, as far as that follows from the loop alone; an empty
    text otherwise.
    """
    if chip.number < COPIES_SINCE:
        return f"{chip.name} has no asynchronous copies"
    for op in loop.walk():
        if op is not loop and not isinstance(op, LoadOp) and not accesses_nothing(op.kind):
            return f"'{op.name}' may write memory that loads of later iterations read"
    return ""


def factors(loop: ForOp) -> list[Value]:
    """Return the tiles that products in the body of a loop multiply, each of them once."""
    products = [op for op in loop.region.block if isinstance(op, DotOp)]
    return list(dict.fromkeys(value for op in products for value in op.operands[:2]))


def early(factor: Value, neighbours: Mapping[Operation, int]) -> EarlyLoad | str:
    """Return the load whose tile a product multiplies, or why it cannot be copied ahead."""
    path = path_to(factor)
    load = path[0].source.owner if path else factor.owner
    if not isinstance(load, LoadOp):
        return "a factor of the product is computed from what is loaded, or does not change"
    if not any(isinstance(op, ConvertLayoutOp) and op.transfer is Transfer.SHARED for op in path):
        return "a factor of the product does not go through shared memory"
    if any(len(list(op.source.uses)) > 1 for op in path):
        return "a loaded tile has further uses"
    type = type_in_memory(factor.type, path)
    if type is None:
        return "a view between a load and its product repeats elements, or leaves some out"
    exchange = exchange_between(load.result.type, type)
    copied = copied_bytes(exchange, type.element_type, neighbours.get(load, 1))
    tile = RingTile(exchange, type.element_type, copied // size_of(type.element_type))
    return EarlyLoad(load, factor, path, type, tile)


def path_to(factor: Value) -> list[ViewOp | ConvertLayoutOp]:
    """Return the views and conversions of layouts in a block that lead to a tile, in the order of the text."""
    found: list[ViewOp | ConvertLayoutOp] = []
    owner = factor.owner
    while isinstance(owner, ViewOp | ConvertLayoutOp) and (not found or owner.parent is found[0].parent):
        found.insert(0, owner)
        owner = owner.source.owner
    return found


def type_in_memory(type: Type, path: Sequence[ViewOp | ConvertLayoutOp]) -> RankedTensorType | None:
    """Return the type that a tile needs before `path` so that it has `type` after it and no view of the path
    moves an element; None if there is no such type. The conversions of layouts in the path are left out.
    """
    for op in reversed(path):
        assert isinstance(type, RankedTensorType), "products multiply tiles"
        if isinstance(op, ViewOp):
            shape, layout = shape_of(op.source.type), type.encoding
            if not isinstance(layout, LinearLayoutAttr):
                return None
            seen = seen_from(shape, moves_of_view(op), layout)
            if seen is None:
                return None
            type = RankedTensorType(shape, type.element_type, seen)
    return type if isinstance(type, RankedTensorType) else None


def obstacle_of_load(one: EarlyLoad, loop: ForOp) -> str:
    """Return why a load cannot be copied ahead; empty if it can."""
    load, block = one.load, loop.region.block
    if load.parent is not block:
        return "a factor of the product is computed from what is loaded, or does not change"
    if load.done is not None and load.done.has_uses:
        return "an access waits for a load"
    if (
        load.mem_semantic is not MemSemantic.WEAK
        or load.indices
        or load.multicast
        or load.reduction is not None
    ):
        return "a load has an order, or reads several copies of its memory"
    if load.other is not None and not has_zeros(load.other):
        return "elements that a load leaves out are not zero"
    if load.token is not None and load.token.parent_block is block:
        return "a load waits for an access of its iteration"
    if not one.tile.vector_width:
        return "a thread has less than 4 adjacent bytes of a loaded tile"
    return "" if is_known_ahead(load, block) else "addresses of a load depend on values of earlier iterations"


def has_zeros(tile: Value) -> bool:
    """Return whether a tile is a constant splat of zero; -0 does not count as zero."""
    owner = tile.owner
    return isinstance(owner, SplatOp) and isinstance(owner.value, Attribute) and is_zero(owner.value)


def is_known_ahead(load: LoadOp, block: Block) -> bool:
    """Return whether operations without memory effects compute the operands of a load from the counter of its loop,
    and from values that no iteration changes.
    """
    found = slice_of(load.operands, block)
    values = [value for op in (load, *found) for inner in op.walk() for value in inner.operands]
    carried = any(value.owner is block and value.index > 0 for value in values)
    return not carried and all(map(has_no_memory_effect, found))


def slice_of(values: Sequence[Value], block: Block) -> list[Operation]:
    """Return the operations of a block that some values depend on, in the order of the text."""
    found: set[Operation] = set()
    pending = list(values)
    while pending:
        owner = pending.pop().owner
        if isinstance(owner, Operation) and owner.parent is block and owner not in found:
            found.add(owner)
            pending += [value for inner in owner.walk() for value in inner.operands]
    return [op for op in block if op in found]
