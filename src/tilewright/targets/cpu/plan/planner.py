"""Makes the plan of a function."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.targets.cpu.plan import operation_table
from tilewright.targets.cpu.plan.grouping import BlockPlanner
from tilewright.targets.cpu.plan.reuse import reuse_memory
from tilewright.targets.cpu.plan.steps import Plan, early_loads, tiles_in_memory


def make_plan(function: Operation) -> Plan:
    """Plan all blocks of a function."""
    plan = Plan()
    plan.in_memory.update(tiles_in_memory(function))
    blocks = [block for block in _blocks(function) if not operation_table.is_body(block)]
    for block in blocks:
        plan.in_memory.update(early_loads(block, plan.in_memory))
    for block in blocks:
        plan.steps[block] = BlockPlanner(block, plan).steps()
    reuse_memory(plan)
    return plan


def _blocks(function: Operation) -> Iterator[Block]:
    for region in function.regions:
        yield from region.blocks
    for op in function.walk():
        if op is not function:
            for region in op.regions:
                yield from region.blocks
