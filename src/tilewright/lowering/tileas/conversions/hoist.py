"""`nv-tileas-hoist-conversions`: a tile that a loop does not change is converted once, before the loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp
from tilewright.ir.block import Block, Region
from tilewright.ir.interfaces.control_flow import LoopLikeOpInterface
from tilewright.ir.interfaces.interface import concept
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.tileas.distribution import distribution_of
from tilewright.passes.pass_ import Pass, PassState


def hoist_conversions(root: Operation) -> int:
    """Move conversions out of the loops of an operation, inner loops first; return the number of moves. A
    conversion that leaves two loops counts twice.
    """
    loops = [op for op in root.walk() if concept(op, LoopLikeOpInterface) is not None]
    return sum(map(_hoist, reversed(loops)))  # inner loops first


def _hoist(loop: Operation) -> int:
    interface = concept(loop, LoopLikeOpInterface)
    assert interface is not None
    found = [
        op
        for region in interface.loop_regions(loop)
        for block in region.blocks
        for op in block.ops
        if isinstance(op, ConvertLayoutOp) and _may_leave(op, region)
    ]
    for op in found:
        op.move_before(loop)
    return len(found)


def _may_leave(op: ConvertLayoutOp, loop: Region) -> bool:
    """Return whether a conversion may move out of `loop`, a region of a loop: its source is from outside, no
    other operation in the loop uses the source, and the result takes no more registers than the source.
    """
    if _is_inside(op.source, loop):
        return False
    held, wanted = distribution_of(op.source.type), distribution_of(op.result.type)
    if held is None or wanted is None or wanted.registers.size > held.registers.size:
        return False
    return all(
        user is op for user in op.source.uses if user.parent is not None and _contains(loop, user.parent)
    )


def _is_inside(value: Value, loop: Region) -> bool:
    return value.parent_region is not None and loop.is_ancestor_of(value.parent_region)


def _contains(loop: Region, block: Block) -> bool:
    return block.parent is not None and loop.is_ancestor_of(block.parent)


@dataclass(frozen=True)
class HoistConversions(Pass):
    """Moves layout conversions out of loops that do not change the converted tile. The exchange between
    threads and its barriers then run once.

    A conversion stays if its result takes more registers than its source, or if the loop uses the source for
    something else: registers would hold both tiles in all iterations.
    """

    name: ClassVar[str] = "nv-tileas-hoist-conversions"

    def run(self, op: Operation, state: PassState) -> None:
        state.count("num-hoisted", hoist_conversions(op))
