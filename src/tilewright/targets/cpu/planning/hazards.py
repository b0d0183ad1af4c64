"""Stores of a nest that may overwrite elements that the nest still has to load, and the known facts about
their addresses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.corners import NotAffine
from tilewright.lowering.llvm_types.element_forms import is_packed
from tilewright.lowering.memory_order.memory_roots import is_same_tile
from tilewright.targets.cpu.facts.access_operations import uses_pointers
from tilewright.targets.cpu.plan.model import Hazard, PlanRoot, PointersRange, RowsPlan, TilePlan
from tilewright.targets.cpu.planning import accesses as planning_accesses, steps as planning_steps


def hazards(memory: planning_accesses.AccessPlanner, roots: Sequence[PlanRoot]) -> tuple[Hazard, ...]:
    """Return the pairs of a load and a store of a nest whose store may overwrite elements that are still to
    be loaded. A load and a store of the same tile, both at the element that the nest computes, are no such
    pair.
    """
    return tuple(_found(memory, roots))


def _found(memory: planning_accesses.AccessPlanner, roots: Sequence[PlanRoot]) -> Iterator[Hazard]:
    writes = [root.op for root in roots if root.kind == "write"]
    loads: dict[Operation, bool] = {}
    for root in roots if writes else ():
        for load, same in planning_steps.nest_loads(root.reads, memory.published):
            loads[load] = loads.get(load, True) and same
    for load, same in loads.items():
        for write in writes:
            if not (same and is_same_tile(load, write)):
                yield Hazard(load, write, same)


def ranges(
    memory: planning_accesses.AccessPlanner, roots: Sequence[PlanRoot], found: Sequence[Hazard]
) -> tuple[PointersRange, ...]:
    """Return the memory ranges of those accesses in `found` that do not go through views or by rows. Raises
    `NotAffine` if one of them does not use pointers, or its pointers cannot be analysed.
    """
    reached = set[Value]().union(*(memory.reached(root) for root in roots))
    accesses = dict.fromkeys(op for hazard in found for op in (hazard.load, hazard.store))
    through_pointers = [op for op in accesses if not isinstance(memory.accesses.get(op), TilePlan | RowsPlan)]
    return tuple(_range(memory, op, reached) for op in through_pointers)


def _range(memory: planning_accesses.AccessPlanner, op: Operation, reached: set[Value]) -> PointersRange:
    if not uses_pointers(op):
        raise NotAffine
    return PointersRange(op, memory.range_of(op, reached))


def can_wait(memory: planning_accesses.AccessPlanner, writes: Sequence[Operation]) -> bool:
    """Return whether the stores of a nest can wait in memory of the tile block: all go to views, and no
    elements are packed.
    """
    tiles = [memory.tile(op) for op in writes]
    return all(tile is not None and not is_packed(tile.element) for tile in tiles)
