"""Make the plan of a function."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.targets.cpu.facts import operation_table
from tilewright.targets.cpu.machine.costs import PlanningCosts
from tilewright.targets.cpu.plan.model import BlockPlan, BufferizationReason, KernelPlan
from tilewright.targets.cpu.planning import finalise, grouping, reuse, steps as planning_steps


def make_plan(function: Operation, costs: PlanningCosts) -> KernelPlan:
    """Plan the kernel `function`, in TileAS, for the processor with these costs: its tiles in memory, its
    nests, and its accesses. Raises `DiagnosticError` for an operation that has no form on the CPU.
    """
    finaliser = finalise.Finaliser(drafted(function, costs))
    (body,) = function.regions[0].blocks
    finaliser.block(body)
    memory = finaliser.memory
    return KernelPlan(
        function,
        costs.target,
        tuple(BlockPlan(block, steps) for block, steps in finaliser.steps.items()),
        tuple(memory.tiles.values()),
        tuple(memory.slots),
        memory.scratch_bytes,
        tuple(memory.accesses.values()),
    )


def drafted(function: Operation, costs: PlanningCosts) -> planning_steps.Draft:
    """Return the draft of the plan of a kernel: the tiles in memory, with the reasons, the steps of each
    block with their nests, and the tiles that reuse the memory of others.
    """
    draft = planning_steps.Draft(costs)
    draft.in_memory.update(planning_steps.tiles_in_memory(function, costs))
    blocks = [block for block in _blocks(function) if not operation_table.is_body(block)]
    for block in blocks:
        for value in planning_steps.early_loads(block, draft.in_memory, draft.order):
            draft.in_memory.setdefault(value, BufferizationReason.EARLY)
    for block in blocks:
        draft.steps[block] = grouping.BlockPlanner(block, draft).steps()
    reuse.reuse_memory(draft)
    return draft


def _blocks(function: Operation) -> Iterator[Block]:
    for region in function.regions:
        yield from region.blocks
    for op in function.walk():
        if op is not function:
            for region in op.regions:
                yield from region.blocks
