"""Loop-invariant code motion: operations with the same result in every iteration run once, before the loop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tilewright.ir.block import Region
from tilewright.ir.declaration.traits import RecursiveMemoryEffects
from tilewright.ir.interfaces.control_flow import LoopLikeOpInterface
from tilewright.ir.interfaces.effects import has_no_memory_effect
from tilewright.ir.interfaces.interface import concept
from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState


@dataclass(frozen=True)
class LoopInvariantCodeMotion(Pass):
    """Moves operations out of loops if they have no effects and use nothing that the loop defines.

    They must also be safe to run if the trip count is zero: a division is not moved, unless the loop is sure
    to run an iteration and to reach it. Operations with effects that are sure to run move as well if the
    loop's interface allows it: loads that no token orders after an operation in the loop. Inner loops come
    first, so that an operation may leave several loops. Operations with regions move if all operations inside
    may.
    """

    name: ClassVar[str] = "loop-invariant-code-motion"

    def run(self, op: Operation, state: PassState) -> None:
        loops = [inner for inner in op.walk() if concept(inner, LoopLikeOpInterface) is not None]
        moved = sum(map(_hoist, reversed(loops)))  # pre-order backwards: inner loops first
        state.count("num-hoisted", moved)
        if not moved:
            state.preserve_all()


def _hoist(loop: Operation) -> int:
    """Move the operations directly in a loop that may run before it out of the loop, in order; return their
    number.
    """
    interface = concept(loop, LoopLikeOpInterface)
    assert interface is not None
    moved = 0
    for region in interface.loop_regions(loop):
        certain = interface.runs_at_least_once(
            loop
        )  # whether the operation at hand is sure to run in the first iteration
        for block in region.blocks:
            for op in block.ops:
                if _may_move(op, region, interface, certain):
                    op.move_before(loop)
                    moved += 1
                elif certain:
                    certain = interface.always_continues_after(op)
            certain = False  # the next block is not known
    return moved


def _may_move(op: Operation, region: Region, interface: LoopLikeOpInterface, certain: bool) -> bool:
    """Return whether an operation may be moved out of a loop. ``certain``: the operation is sure to run in
    the first iteration.
    """
    if op.kind.is_terminator:
        return False
    safe = _is_speculatable(op, interface) or (certain and _once_is_enough(op, interface))
    return safe and not any(_uses_inside(op, region))


def _once_is_enough(op: Operation, interface: LoopLikeOpInterface) -> bool:
    """Return whether running the operation once, before the loop, gives the same as running it in every
    iteration; False for operations with regions. The operation is sure to run in the first iteration.
    """
    return not op.regions and (has_no_memory_effect(op) or interface.is_repeatable(op))


def _is_speculatable(op: Operation, interface: LoopLikeOpInterface) -> bool:
    """Return whether running an operation more often than the program does has no visible effect; False for
    loops, which may not end.
    """
    pending = [op]
    while pending:
        current = pending.pop()
        if RecursiveMemoryEffects in current.kind.trait_classes:
            if concept(current, LoopLikeOpInterface) is not None:
                return False  # it may run for ever
            # Terminators, too: one that is not pure leaves more than the operation.
            pending.extend(inner for region in current.regions for block in region.blocks for inner in block)
        elif not interface.is_speculatable(current):
            return False
    return True


def _uses_inside(op: Operation, region: Region) -> Iterator[bool]:
    """Yield, for each operand of an operation or of its nested operations that is defined outside of it,
    whether the loop's ``region`` defines it.
    """
    for inner in op.walk():
        for operand in inner.operands:
            home = operand.parent_region
            if home is not None:
                yield region.is_ancestor_of(home) and not any(r.is_ancestor_of(home) for r in op.regions)
