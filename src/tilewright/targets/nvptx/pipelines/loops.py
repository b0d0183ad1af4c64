"""The loops that become pipelines: which loads are copied ahead of their iteration, or the reason why one is not.

The elements of such a load go from global to shared memory without registers (`cp.async`), several iterations before
they are read. If only a matrix product uses a load, through shared memory, its tile is arranged for the product. Every
other tile is arranged for the threads that the load gives its elements to, and each of them reads its own elements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.nv_tileaa.constraints import shape_of
from tilewright.dialects.nv_tileaa.types import MemTokenType
from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr, Transfer
from tilewright.dialects.nv_tileas.ops_memory import LoadOp
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, DotOp, ViewOp
from tilewright.dialects.scf.ops_loop import ForOp, WhileOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.neighbours import copies, plan
from tilewright.lowering.memory_order.tokens import TokenAnalysis
from tilewright.lowering.schedule.early_loads import (
    Loop,
    computed_ahead,
    has_zeros,
    obstacle_of_load,
    obstacle_of_loop,
    slice_of,
)
from tilewright.lowering.tileas.conversions.movements import moves_of_view, seen_from
from tilewright.targets.elements.element_types import size_of
from tilewright.targets.nvptx.pipelines.rings import RingTile, copied_bytes, exchange_between


class CopyWidths(NamedTuple):
    """The number of adjacent elements that each load of a module may move at once (`access_facts.neighbours`): groups in
    `whole` exist as a whole or not at all, and groups in `partial` may lack their last elements.
    """

    whole: Mapping[Operation, int]
    partial: Mapping[Operation, int]

    @classmethod
    def of(cls, module: Operation) -> CopyWidths:
        """Return the widths of the loads of a module."""
        return cls(plan(module), copies(module))


class EarlyLoad(NamedTuple):
    """A load that is issued ahead, and the path of its tile to a product.

    `factor` is the value that is replaced: the loaded tile after `path`, which consists of views and layout
    conversions up to a product, and is empty for a tile that is read as it was loaded. `type` is the type of the tile
    when it is read from shared memory: with this layout no view of the path moves an element. `tile` is the
    arrangement of the tile in shared memory, with the number of elements of one copy. If `is_partial`, the last elements
    of a copy may not exist.
    """

    load: LoadOp
    factor: Value
    path: Sequence[ViewOp | ConvertLayoutOp]
    type: RankedTensorType
    tile: RingTile
    is_partial: bool

    @property
    def views(self) -> list[ViewOp]:
        """Return the views of `path` without its layout conversions, in order from the load to the product."""
        return [op for op in self.path if isinstance(op, ViewOp)]


class LoopPlan(NamedTuple):
    """A loop with the loads that are copied ahead, and the operations that compute their addresses and masks,
    in the order of the text. `waits` says whether one of them waits for an access before the loop. `reason`
    is why the loop, or the first load that is not copied ahead, stays as it is; it is empty if all loads are
    copied.
    """

    loop: Loop
    loads: Sequence[EarlyLoad] = ()
    addresses: Sequence[Operation] = ()
    waits: bool = False
    reason: str = ""

    def only(self, loads: Sequence[EarlyLoad]) -> LoopPlan:
        """Return the plan with `loads` in place of its loads, and the operations that compute their
        addresses.
        """
        return _plan(self.loop, loads, self.waits, self.reason)


def candidates(root: Operation) -> list[Loop]:
    """Return the loops with a load or a product of tiles that is not in an inner loop, in the order of the
    text.
    """
    loops = [op for op in root.walk() if isinstance(op, ForOp | WhileOp)]
    return [loop for loop in loops if any(isinstance(op, DotOp | LoadOp) for op in own_operations(loop))]


def own_operations(loop: Operation) -> list[Operation]:
    """Return the operations in the regions of an operation, without those in the loops inside."""
    found: list[Operation] = []
    for region in loop.regions:
        for block in region.blocks:
            for op in block:
                found += [op, *([] if isinstance(op, ForOp | WhileOp) else own_operations(op))]
    return found


def plan_of(loop: Loop, chip: Chip, widths: CopyWidths, order: TokenAnalysis) -> LoopPlan:
    """Return which loads of a loop are copied ahead.

    `widths` has the number of adjacent elements that each load may move at once, and `order` the accesses that a load
    waits for.
    """
    reason = obstacle_of_loop(loop, chip)
    if reason or not isinstance(loop, ForOp):
        return LoopPlan(loop, reason=reason)
    loads, reason = early_loads(loop, widths, order)
    waits = any(waits_from_before(one.load, loop, order) for one in loads)
    return _plan(loop, loads, waits, reason)


def _plan(loop: Loop, loads: Sequence[EarlyLoad], waits: bool, reason: str) -> LoopPlan:
    needed = [value for one in loads for value in computed_ahead(one.load)]
    addresses = slice_of(needed, loop.region.block) if isinstance(loop, ForOp) else ()
    return LoopPlan(loop, loads, addresses, waits, reason)


def early_loads(loop: ForOp, widths: CopyWidths, order: TokenAnalysis) -> tuple[list[EarlyLoad], str]:
    """Return the loads of a loop that are copied ahead, those for products first, and the reason why the
    first of the others is not, or that the loop has no load. The reason is empty if all loads are copied
    ahead.
    """
    loads = [op for op in loop.walk() if isinstance(op, LoadOp)]
    obstacles = {load: obstacle_of_load(load, loop, order) for load in loads}
    staged = (for_product(factor, widths) for factor in factors(loop))
    found = {one.load: one for one in staged if one is not None and not obstacles.get(one.load, "outside")}
    reason = ""
    for load in loads:
        one = obstacles[load] or found.get(load) or as_loaded(load, widths)
        if isinstance(one, str):
            reason = reason or one
        else:
            found[load] = one
    return list(found.values()), reason or ("" if found else "no load is in the loop")


def factors(loop: ForOp) -> list[Value]:
    """Return the operands `a` and `b` of the products directly in the body of a loop, each of them once."""
    products = [op for op in loop.region.block if isinstance(op, DotOp)]
    return list(dict.fromkeys(value for op in products for value in op.operands[:2]))


def for_product(factor: Value, widths: CopyWidths) -> EarlyLoad | None:
    """Return the load whose tile a product multiplies as `factor`, to be arranged in shared memory for the
    product. Return None unless the factor is a loaded tile after views and layout conversions only, at least
    one of them through shared memory, and no tile on this path has further uses. Views may move no element,
    elements that the load leaves out have to be zero, and a copy must be able to move the elements.
    """
    path = path_to(factor)
    load = path[0].source.owner if path else factor.owner
    if (
        not isinstance(load, LoadOp)
        or not any(isinstance(op, ConvertLayoutOp) and op.transfer is Transfer.SHARED for op in path)
        or any(len(list(op.source.uses)) > 1 for op in path)
        or not (load.other is None or has_zeros(load.other))
    ):
        return None
    type = type_in_memory(factor.type, path)
    if type is None:
        return None
    return early_load(load, factor, path, type, widths)


def as_loaded(load: LoadOp, widths: CopyWidths) -> EarlyLoad | str:
    """Return a load whose tile is read as it was loaded, or why it cannot be copied ahead."""
    type = load.result.type
    if not isinstance(type, RankedTensorType) or not isinstance(type.encoding, LinearLayoutAttr):
        return "a load is of a scalar, or of a tile that threads keep in local memory"
    found = early_load(load, load.result, (), type, widths)
    return found or "a thread has less than 4 adjacent bytes of a loaded tile"


def early_load(
    load: LoadOp,
    factor: Value,
    path: Sequence[ViewOp | ConvertLayoutOp],
    type: RankedTensorType,
    widths: CopyWidths,
) -> EarlyLoad | None:
    """Return the early copy of `load` to a ring, and the read of its tile in the layout of `type` after the
    operations of `path`, as `factor` of a product. `widths` has the number of adjacent elements that a copy
    may move at once, by load. Return None if no copy can move the elements.
    """
    exchange = exchange_between(load.result.type, type)
    copied = copied_bytes(exchange, type.element_type, widths.partial.get(load, 1))
    tile = RingTile(exchange, type.element_type, copied // max(size_of(type.element_type), 1))
    is_partial = tile.vector_width > widths.whole.get(load, 1)
    return EarlyLoad(load, factor, path, type, tile, is_partial) if tile.vector_width else None


def path_to(factor: Value) -> list[ViewOp | ConvertLayoutOp]:
    """Return the chain of views and layout conversions that computes `factor`, in the order of the text: all
    in the block of the last one, up to the first operation of another kind. The chain is empty if `factor` is
    the result of another operation.
    """
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


def waits_from_before(load: LoadOp, loop: ForOp, order: TokenAnalysis) -> bool:
    """Return whether `load` must stay after an access before `loop` that its token follows, by `order`;
    accesses inside of the loop do not count.
    """
    inside = set(loop.walk())
    earlier = (op for op in order.preceding(load) if op not in inside)
    return any(order.must_stay_in_order(load, op) for op in earlier)


def tokens_before(loop: ForOp) -> list[Value]:
    """Return the tokens of memory order from outside of a loop that the loop or its operations use, each
    once.
    """
    inside = {result for op in loop.walk() if op is not loop for result in op.results}
    blocks = {block for op in loop.walk() for region in op.regions for block in region.blocks}
    used = [value for op in loop.walk() for value in op.operands if isinstance(value.type, MemTokenType)]
    return [value for value in dict.fromkeys(used) if value not in inside and value.owner not in blocks]
