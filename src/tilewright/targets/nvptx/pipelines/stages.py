"""The number of stages of each pipeline of a kernel, by the schedules of its loops and by its shared memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.dialects.scf.ops_loop import ForOp
from tilewright.ir.operation import Operation
from tilewright.lowering.access_facts.offsets import constant_of
from tilewright.lowering.schedule.analysis import LoopSchedule
from tilewright.lowering.schedule.costs import LANES
from tilewright.lowering.target_facts import kernel_around
from tilewright.targets.nvptx.pipelines.loops import LoopPlan
from tilewright.targets.nvptx.pipelines.shared_memory_budget import bytes_beside

FEWEST_STAGES = 2
"""The fewest stages of a pipeline: one is read while one is filled."""
MOST_STAGES = 4
"""The most stages of a pipeline: more copies under way do not hide more of the latency of global memory."""
THREADS = 512
"""Pipelines of loops without products leave room for blocks with this number of threads on a multiprocessor: other
blocks hide the latency that a pipeline does not.
"""
NO_ROOM = "shared memory has no room for two stages"
ONCE = "the loop has one iteration at most"
IN_ORDER = "an iteration computes no longer than it would wait"


@dataclass
class StagedPlan:
    """The plan of a loop with its number of stages, which is below `FEWEST_STAGES` if no load runs ahead.
    `next` has plans with fewer loads, the last one with none, in case shared memory has no room for this one.
    """

    plan: LoopPlan
    next: Sequence[LoopPlan]
    stages: int = 0


def staged_plans(
    kernel: Operation,
    plans: Sequence[LoopPlan],
    chip: Chip,
    schedule: Callable[[ForOp], LoopSchedule],
    forced: int = 0,
) -> list[StagedPlan]:
    """Return the plans of the loops of a kernel that fit into shared memory, each with its stages. The number
    of stages is `forced`, or by the schedules of the loops, at most `MOST_STAGES`, if that is 0.

    If memory is short, tiles that are read as they were loaded are left out before tiles for products. A tile
    for a product in a ring replaces its exchange, so the loops are planned together: first as if all of them
    became pipelines, and again if one does not. Rings share their memory, as the loops follow each other. If
    a ring has no room beside the exchanges of the kernel, it has the fewest stages, and shares memory with
    the exchanges outside of its loop.
    """
    found = [StagedPlan(plan, _with_fewer_loads(plan)) for plan in plans]
    while True:
        in_rings = {op for one in found for load in one.plan.loads for op in load.path}
        beside = bytes_beside(kernel, in_rings)
        for one in found:
            one.stages, reason = _stages(one.plan, chip.shared_memory - beside, chip, schedule, forced)
            if reason == NO_ROOM and one.stages < FEWEST_STAGES:
                free = chip.shared_memory - bytes_beside(one.plan.loop, in_rings)
                one.stages = min(_stages(one.plan, free, chip, schedule, forced)[0], FEWEST_STAGES)
            if one.stages < FEWEST_STAGES and one.plan.loads:
                known = one.plan.reason if one.next[0].loads else ""
                one.plan, one.next = one.next[0]._replace(reason=known or reason), one.next[1:]
                break
        else:
            return found


def _with_fewer_loads(plan: LoopPlan) -> list[LoopPlan]:
    """Return the plans that may replace the plan of a loop: with only its tiles for products, if it has
    others, too, and, last, without loads.
    """
    staged = [one for one in plan.loads if one.path]
    return [plan.only(loads) for loads in ([staged] if 0 < len(staged) < len(plan.loads) else []) + [[]]]


def _stages(
    plan: LoopPlan, free: int, chip: Chip, schedule: Callable[[ForOp], LoopSchedule], forced: int
) -> tuple[int, str]:
    """Return the number of stages of a pipeline that can use `free` bytes of shared memory, and the reason in
    case the number is too small. A number below `FEWEST_STAGES` means that there should be no pipeline.
    """
    if not plan.loads:
        return 0, plan.reason
    assert isinstance(plan.loop, ForOp), "plans with loads are of counted loops"
    room = min(free, share(plan, chip)) // bytes_of_stage(plan)
    if forced:
        return min(forced, room), NO_ROOM
    known, count = schedule(plan.loop), iteration_count(plan.loop)
    wanted = distance(known, plan) + 1
    if has_products(plan.loop):
        wanted = max(wanted, FEWEST_STAGES)
    elif wanted < FEWEST_STAGES:
        return wanted, known.reason or IN_ORDER
    elif count is not None:
        wanted = min(wanted, count)
        if wanted < FEWEST_STAGES:
            return wanted, ONCE
    return min(wanted, MOST_STAGES, room), NO_ROOM


def iteration_count(loop: ForOp) -> int | None:
    """Return the number of iterations of a loop, or None unless its bounds and its step are constants, the
    step is positive and the comparison is signed.
    """
    low, high, step = map(constant_of, (loop.lowerBound, loop.upperBound, loop.step))
    if low is None or high is None or step is None or step <= 0 or loop.unsignedCmp:
        return None
    return max(0, -((low - high) // step))


def has_products(loop: Operation) -> bool:
    """Return whether an operation contains a product."""
    return any(isinstance(one, DotOp) for one in loop.walk())


def share(plan: LoopPlan, chip: Chip) -> int:
    """Return the maximum number of bytes of shared memory that the ring of a loop may take: all of it for a
    loop with products, otherwise the part that the threads of the block are of `THREADS`.
    """
    spec = kernel_around(plan.loop).kernel_spec
    if spec is None or has_products(plan.loop):
        return chip.shared_memory
    return chip.shared_memory * min(spec.warps * LANES, THREADS) // THREADS


def bytes_of_stage(plan: LoopPlan) -> int:
    """Return the bytes of the tiles of one iteration."""
    return sum(one.tile.bytes for one in plan.loads)


def distance(schedule: LoopSchedule, plan: LoopPlan) -> int:
    """Return the maximum number of iterations by which a load of the plan precedes an operation that reads it
    in the schedule of its loop; 0 if no reader is in the schedule.
    """
    stage = dict(zip(schedule.graph.operations, schedule.schedule.stages, strict=True))
    ahead = [
        stage[reader] - stage[one.load]
        for one in plan.loads
        for user in one.factor.uses
        if (reader := _beside(user, one.load)) in stage
    ]
    return max(ahead, default=0)


def _beside(user: Operation, load: Operation) -> Operation:
    """Return the operation in the block of `load` that is, or contains, the operation `user`."""
    around = user
    while around.parent is not load.parent and around.parent_op is not None:
        around = around.parent_op
    return around
