"""The number of stages of each pipeline of a kernel, by the schedules of its loops and by its shared memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.nv_tileas.ops_memory import LoadOp
from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.dialects.scf.ops_loop import ForOp
from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.lowering.access_facts.offsets import constant_of
from tilewright.lowering.memory_order.tokens import TokenAnalysis
from tilewright.lowering.schedule.analysis import LoopSchedule
from tilewright.lowering.schedule.costs import LANES
from tilewright.lowering.schedule.early_loads import branches_around, obstacle_of_loop
from tilewright.lowering.target_facts import kernel_around
from tilewright.targets.elements.element_types import bytes_of
from tilewright.targets.nvptx.pipelines.carried_loads import RegisterBudget, carried_loads
from tilewright.targets.nvptx.pipelines.loops import EarlyLoad, LoopPlan, waits_from_before
from tilewright.targets.nvptx.pipelines.shared_memory_budget import bytes_beside

FEWEST_STAGES = 2
"""The fewest stages of a pipeline: one is read while one is filled."""
MOST_STAGES = 4
"""The most stages of a pipeline: more copies under way do not hide more of the latency of global memory."""
THREADS = 512
"""Pipelines of loops without products leave room for blocks with this number of threads on a multiprocessor: other
blocks hide the latency that a pipeline does not.
"""
MOST_CHOSEN_FROM = 4
"""If memory is short, all subsets of the loads of a loop are tried, up to this number of loads."""
NO_ROOM = "shared memory has no room for two stages"
ONCE = "the loop has one iteration at most"
IN_ORDER = "an iteration computes no longer than it would wait"


@dataclass
class StagedPlan:
    """The plan of a loop with its number of stages, which is 0 if no load is copied ahead, and the `next` plans, with
    fewer loads, in case shared memory has no room for this one. The loads `carried` run one iteration ahead in
    registers; `waits` says whether one of them waits for an access before the loop.
    """

    plan: LoopPlan
    next: Sequence[LoopPlan]
    stages: int = 0
    carried: Sequence[LoadOp] = ()
    waits: bool = False


def staged_plans(
    kernel: Operation,
    plans: Sequence[LoopPlan],
    chip: Chip,
    schedule: Callable[[ForOp], LoopSchedule],
    forced: int = 0,
) -> list[StagedPlan]:
    """Return for each loop of a kernel, in the order of `plans`, a plan that fits into shared memory, with
    its number of stages (0: no load is copied ahead). The number is `forced`, or if that is 0, at most
    `MOST_STAGES`, by the schedules of the loops, which `schedule` returns.

    If memory is short, some loads are left out (`_with_fewer_loads`). A tile for a product in a ring takes
    the place of its exchange, so the loops are looked at together: first as if all of them became pipelines,
    and again if one does not. Rings share their memory, as the loops take turns. If a ring has no room beside
    the exchanges of the kernel, it has the fewest stages, and shares memory with the exchanges outside of its
    loop.
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
                one.next = one.next if reason == NO_ROOM else one.next[-1:]
                known = one.plan.reason if one.next[0].loads else ""
                one.plan, one.next = one.next[0]._replace(reason=known or reason), one.next[1:]
                break
        else:
            return found


def carry_loads(
    found: StagedPlan, chip: Chip, order: TokenAnalysis, schedule: Callable[[ForOp], LoopSchedule]
) -> None:
    """Record in `found` the loads of its loop, not copied ahead, that run one iteration ahead in registers:
    as many as these have room for, if then at least half of the bytes of the loop run ahead. There are none
    unless the loop can have two iterations, and has a product, a load in a branch, or a schedule in which
    iterations overlap. A loop without products leaves room for as many threads as its pipeline.
    """
    loop = found.plan.loop
    if not isinstance(loop, ForOp) or obstacle_of_loop(loop, chip) or iteration_count(loop) in (0, 1):
        return
    every, ahead = (
        [op for op in loop.walk() if isinstance(op, LoadOp)],
        {one.load for one in found.plan.loads},
    )
    multiplies = has_products(loop)
    if len(every) == len(ahead) or not (
        multiplies or any(map(_is_in_branch, every)) or _overlaps(schedule(loop))
    ):
        return
    warps = getattr(kernel_around(loop).kernel_spec, "warps", 1)
    budget = RegisterBudget(kernel_around(loop), chip, 1 if multiplies else THREADS // (warps * LANES))
    carried, reason = carried_loads(loop, ahead, order, budget)
    if carried and 2 * _sizes([*ahead, *carried]) >= _sizes(every):
        found.carried = carried
        found.plan = found.plan._replace(reason=reason)
        found.waits = any(waits_from_before(load, loop, order) for load in found.carried)


def _is_in_branch(load: LoadOp) -> bool:
    """Return whether a load is in a branch of its loop. A schedule has the branch as one operation, so it does not say how
    far such a load runs ahead of its readers.
    """
    return next(branches_around(load), None) is not None


def _overlaps(known: LoopSchedule) -> bool:
    """Return whether the schedule of a loop has more than one stage: an iteration begins before the iteration
    before it has ended.
    """
    return max(known.schedule.stages, default=0) > 0


def _sizes(loads: Iterable[LoadOp]) -> int:
    """Return the bytes of the tiles of some loads."""
    return sum(bytes_of(load.result.type) for load in loads)


def _with_fewer_loads(plan: LoopPlan) -> list[LoopPlan]:
    """Return the plan of a loop with fewer and fewer loads: first those with the most bytes of tiles for products, and
    of these first those with the most bytes of other tiles. A pipeline of less than half of the bytes hides little, so the
    next plan, and the last one, is without loads.
    """
    loads = list(plan.loads)
    sizes = range(len(loads) - 1, 0, -1) if len(loads) <= MOST_CHOSEN_FROM else range(1, 0, -1)
    some = [list(found) for size in sizes for found in combinations(loads, size)]
    staged = [one for one in loads if one.path]
    some += [staged] if len(loads) > MOST_CHOSEN_FROM and 0 < len(staged) < len(loads) else []
    some = [found for found in some if 2 * _bytes(found) >= bytes_of_stage(plan)]
    some.sort(key=lambda found: [-sum(one.tile.bytes for one in found if one.path), -_bytes(found)])
    return [plan.only(found) for found in [*some, []]]


def _stages(
    plan: LoopPlan, free: int, chip: Chip, schedule: Callable[[ForOp], LoopSchedule], forced: int
) -> tuple[int, str]:
    """Return the number of stages of a pipeline that can use `free` bytes of shared memory, and the reason in
    case the number is too small. The number is at most `forced`, or, if that is 0, as many as `schedule`,
    which returns the schedule of a loop, can use. A number below `FEWEST_STAGES` means that there should be
    no pipeline.
    """
    if not plan.loads:
        return 0, plan.reason
    assert isinstance(plan.loop, ForOp), "plans with loads are of counted loops"
    room = min(free, share(plan, chip)) // bytes_of_stage(plan)
    if forced:
        return min(forced, room), NO_ROOM
    known, count = schedule(plan.loop), iteration_count(plan.loop)
    wanted = distance(known, plan) + 1
    if (
        has_products(plan.loop)
        or _overlaps(known)
        or any(map(_is_in_branch, (one.load for one in plan.loads)))
    ):
        wanted = max(wanted, FEWEST_STAGES)
    if wanted < FEWEST_STAGES:
        return wanted, known.reason or IN_ORDER
    if count is not None and not has_products(plan.loop):
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
    """Return whether a `dot` is inside of `loop`, at any depth."""
    return any(isinstance(one, DotOp) for one in loop.walk())


def share(plan: LoopPlan, chip: Chip) -> int:
    """Return the maximum number of bytes of shared memory that the ring of a loop may take: all of it for a
    loop with products and in a kernel without a kernel spec, otherwise in proportion to the threads of the
    block among `THREADS`.
    """
    spec = kernel_around(plan.loop).kernel_spec
    if spec is None or has_products(plan.loop):
        return chip.shared_memory
    return chip.shared_memory * min(spec.warps * LANES, THREADS) // THREADS


def bytes_of_stage(plan: LoopPlan) -> int:
    """Return the bytes of shared memory for the tiles that the loads of a loop copy in one iteration."""
    return _bytes(plan.loads)


def _bytes(loads: Sequence[EarlyLoad]) -> int:
    return sum(one.tile.bytes for one in loads)


def distance(schedule: LoopSchedule, plan: LoopPlan) -> int:
    """Return the maximum number of iterations by which a load of the plan precedes an operation that reads it
    in the schedule of its loop; 0 if no reader is in the schedule.
    """
    stage = dict(zip(schedule.graph.operations, schedule.schedule.stages, strict=True))
    block = plan.loop.regions[0].blocks[0]
    ahead = [
        stage[reader] - stage[_around(one.load, block)]
        for one in plan.loads
        for user in one.factor.uses
        if (reader := _around(user, block)) in stage
    ]
    return max(ahead, default=0)


def _around(op: Operation, block: Block) -> Operation:
    """Return the operation directly in `block` that is `op` or contains it; the outermost operation around
    `op` if there is none.
    """
    while op.parent is not block and op.parent_op is not None:
        op = op.parent_op
    return op
