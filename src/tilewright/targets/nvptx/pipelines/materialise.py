"""`nv-tileas-materialise-schedule`: loops whose loads run ahead become pipelines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.nv_tileas import (
    ops_pipeline as tileas_pipeline,
    types as tileas_types,
)
from tilewright.dialects.nv_tileas.ops_async import AsyncLoadOp, TokenToAsyncOp, WaitOp
from tilewright.dialects.nv_tileas.ops_memory import TiledLoadOp
from tilewright.dialects.nv_tileas.ops_tile import ViewOp
from tilewright.dialects.scf.ops_loop import ForOp
from tilewright.ir import builder, builtin_attributes
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import RankedTensorType, TupleType, index
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.inserting import PointInserter
from tilewright.lowering.memory_order.tokens import TokenAnalysis
from tilewright.lowering.schedule.analysis import LoopSchedule, ScheduleAnalysis
from tilewright.lowering.schedule.early_loads import computed_ahead
from tilewright.lowering.target_facts import kernel_around, target_of
from tilewright.passes.pass_ import Pass, PassState
from tilewright.targets.nvptx.pipelines import (
    iterations,
    loop_writing,
    loops as pipelines_loops,
    stages as pipelines_stages,
)
from tilewright.targets.nvptx.pipelines.carried_loads import CarriedLoads


@dataclass(frozen=True)
class MaterialiseSchedule(Pass):
    """Turns loops with loads into pipelines, where loads of later iterations run while an iteration computes.

    A loaded tile that a product takes through shared memory is copied there asynchronously, `stages - 1` iterations
    ahead; so are other loaded tiles, which each thread reads from there as it would from global memory. A ring of
    `stages` buffers holds the tiles:

        create a pipeline of S stages, and fill the first S - 1
        for each iteration:
          consume_one: wait for the tiles of this iteration, and read them
          produce_one_async: begin to copy the tiles of the iteration S - 1 later, into the stage read last
          compute the iteration
        wait for all copies

    The schedule of the loop says how many iterations a load is ahead of the operations that read it; shared memory
    limits the number of stages. Copies beyond the last iteration have a false mask, so that loops of any length, 0 and 1
    included, need no code of their own.

    Loads that no copy can move, or that shared memory has no room for, run one iteration ahead in registers, if these
    have room: an iteration loads the tiles of the next one, and the loop carries them.

    With `explain`, a remark at each loop with a product or a load says how far its loads run ahead, or why one does not.
    """

    name: ClassVar[str] = "nv-tileas-materialise-schedule"
    explain: bool = False
    """Emit a remark at each loop with a product or a load."""
    stages: int = 0
    """The number of stages of each pipeline that shared memory has room for; 0: by the schedule, at most 4."""

    def run(self, op: Operation, state: PassState) -> None:
        target = target_of(op)
        loops = pipelines_loops.candidates(op)
        if not loops or target is None or target.gpu is None:
            return
        widths, order = pipelines_loops.CopyWidths.of(op), TokenAnalysis()
        kernels: dict[Operation, list[pipelines_loops.LoopPlan]] = {}
        for loop in loops:
            found = pipelines_loops.plan_of(loop, target.gpu, widths, order)
            kernels.setdefault(kernel_around(loop), []).append(found)
        for kernel, plans in kernels.items():
            schedule = partial(_schedule, state)
            staged = pipelines_stages.staged_plans(kernel, plans, target.gpu, schedule, self.stages)
            for one in staged:
                pipelines_stages.carry_loads(one, target.gpu, order, schedule)
                if self.explain:
                    state.remark(one.plan.loop, words_of(one))
            for one in staged:
                state.count("num-carried-loads", len(one.carried))
                state.count("num-pipelines", 1 if one.stages else 0)
                _write(one)


def _write(one: pipelines_stages.StagedPlan) -> None:
    """Replace the loop of the plan `one`: the loads in ``carried`` run ahead in registers, and with
    ``stages`` the other loads of the plan become a pipeline. The loop stays if the plan has neither.
    """
    plan = one.plan
    if one.carried:
        assert isinstance(plan.loop, ForOp), "loads run ahead in counted loops"
        plan = plan._replace(loop=CarriedLoads(plan.loop, one.carried, waits=one.waits).write())
    if one.stages:
        PipelineWriter(plan, one.stages).write()


def _schedule(state: PassState, loop: ForOp) -> LoopSchedule:
    analysis: ScheduleAnalysis = state.analysis(ScheduleAnalysis)
    return analysis.of(loop)


def words_of(found: pipelines_stages.StagedPlan) -> str:
    """Return a sentence for a remark: by how many iterations the loads of a loop run ahead, by copies or in
    registers, and why the others, or all, do not.
    """
    copied, carried = len(found.plan.loads) if found.stages else 0, len(found.carried)
    if not copied and not carried:
        return f"no load of the loop runs ahead: {found.plan.reason}"
    ahead = (
        "1 iteration" if found.stages == pipelines_stages.FEWEST_STAGES else f"{found.stages - 1} iterations"
    )
    others = f", not all: {found.plan.reason}" if found.plan.reason else ""
    if not carried:
        return f"{_loads(copied if others else 0)} {ahead} ahead{others}"
    if not copied:
        return f"{_loads(carried if others else 0)} 1 iteration ahead in registers{others}"
    return f"{_loads(copied)} {ahead} ahead, and {carried} 1 iteration ahead in registers{others}"


def _loads(count: int) -> str:
    """Return the subject and verb of a remark about some loads of a loop; 0: about all."""
    if not count:
        return "the loads of the loop run"
    return "1 load of the loop runs" if count == 1 else f"{count} loads of the loop run"


class PipelineWriter:
    """Writes the pipeline of a loop: the constructor creates the pipeline with `stages` stages before the
    loop, and `write` replaces the loop.
    """

    def __init__(self, found: pipelines_loops.LoopPlan, stages: int) -> None:
        assert isinstance(found.loop, ForOp), "plans with loads are of counted loops"
        self.loop, self.loads, self.addresses = found.loop, found.loads, found.addresses
        self.before = pipelines_loops.tokens_before(found.loop) if found.waits else ()
        self.stages = stages
        needed = [value for one in self.loads for value in computed_ahead(one.load)]
        self.iterations = iterations.iterations_ahead(self.loop, stages - 1, needed)
        self.views = tuple([view_of(one.load.result.type) for one in self.loads])
        self.emit = PointInserter.before(self.loop)
        self.pipeline = self.emit(
            tileas_pipeline.CreatePipelineOp,
            stages,
            shared_memory=True,
            type=tileas_types.PipelineType(self.views, stages),
        )
        iterator = tileas_types.PipelineIteratorType(TupleType(self.views), stages)
        self.first = self.emit(tileas_pipeline.CreateIteratorOp, self.pipeline, type=iterator)

    def write(self) -> None:
        """Replace the loop by a loop that fills and reads the pipeline."""
        if self.before:
            earlier = [self.emit(TokenToAsyncOp, one, type=tileas_types.ASYNC_TOKEN) for one in self.before]
            self.emit.insert(WaitOp, tuple(earlier))
        ahead, token = self.iterations.first(self.emit), None
        writes = self.first
        for _ in range(self.stages - 1):
            token = self.produce(self.emit, writes, ahead)
            ahead, writes = self.iterations.following(self.emit, ahead), self._next(self.emit, writes)
        assert token is not None, "a pipeline has two stages or more"
        carried = self.iterations.carried(ahead)
        initial = (*carried, writes, self.first, token)
        block = loop_writing.extended_block(self.loop, [value.type for value in initial])
        arguments, self.iterations.passed.block = block.arguments[-len(initial) :], block
        writing, reading, _ = arguments[len(carried) :]
        emit = PointInserter(builder.InsertionPoint.before(next(iter(block))), self.loop.lazy_location)
        tiles = self.consume(emit, reading)
        now = self.iterations.ahead(emit, block.arguments[0], arguments[: len(carried)])
        running = self.produce(emit, writing, now)
        more = self.iterations.carried(self.iterations.following(emit, now)) if carried else ()
        following = (*more, self._next(emit, writing), self._next(emit, reading), running)
        for one, tile in zip(self.loads, tiles, strict=True):
            one.factor.replace_all_uses_with(loop_writing.padded(apply_views(emit, tile, one), one.load))
            loop_writing.pass_token(one.load)
            for op in (*reversed(one.path), one.load):
                op.erase()
        self._erase_unused()
        made = loop_writing.replace_loop(self.emit, self.loop, block, initial, following)
        PointInserter(builder.InsertionPoint.after(made), made.lazy_location).insert(
            WaitOp, (made.results[-1],)
        )

    @staticmethod
    def _next(emit: PointInserter, iterator: Value) -> Value:
        return emit(tileas_pipeline.IncIterOp, iterator, type=iterator.type)

    def produce(self, emit: PointInserter, stage: Value, one: iterations.Iteration) -> Value:
        """Begin to copy the tiles of an iteration, if it exists, to a stage; return the token of the copies."""
        values = iterations.computed_for(emit, self.addresses, self.iterations.passed, one)
        block = Block(self.views)
        inside = PointInserter(builder.InsertionPoint(block), emit.location)
        for early, buffer in zip(self.loads, block.arguments, strict=True):
            load = early.load
            mask = loop_writing.masked(emit, load, values, one.exists)
            other, base = loop_writing.zeros_of(load, values), values.get(load.base, load.base)
            inside(
                AsyncLoadOp,
                base,
                buffer,
                mask,
                other,
                atom=early.tile.atom,
                partial=early.is_partial,
                type=tileas_types.ASYNC_TOKEN,
            )
        inside.insert(tileas_pipeline.PipelineYieldOp)
        return emit(
            tileas_pipeline.ProduceOneAsyncOp,
            self.pipeline,
            stage,
            self.views,
            body=Region([block]),
            type=tileas_types.ASYNC_TOKEN,
        )

    def consume(self, emit: PointInserter, stage: Value) -> Sequence[Value]:
        """Emit the wait for the tiles in the slot that the iterator `stage` points to, and return the tiles,
        in the layouts in which they are read.
        """
        zero = emit(ConstantOp, builtin_attributes.IntegerAttr(index, 0), type=index)
        types = [one.type for one in self.loads]
        block = Block(self.views)
        inside = PointInserter(builder.InsertionPoint(block), emit.location)
        tiles = [
            inside(TiledLoadOp, buffer, (zero,) * len(view.shape), type=type)
            for buffer, view, type in zip(block.arguments, self.views, types, strict=True)
        ]
        inside.insert(tileas_pipeline.PipelineYieldOp, tuple(tiles))
        made = emit.insert(
            tileas_pipeline.ConsumeOneOp,
            self.pipeline,
            stage,
            self.views,
            body=Region([block]),
            result_types=types,
        )
        return made.results

    def _erase_unused(self) -> None:
        for op in reversed(self.addresses):
            if not any(result.has_uses for result in op.results):
                op.erase()


def apply_views(emit: PointInserter, tile: Value, one: pipelines_loops.EarlyLoad) -> Value:
    """Apply the views of a load's path to the loaded tile, and return the result, which the product
    multiplies.
    """
    types: list[Type] = [one.factor.type]
    for at in range(len(one.path) - 1, -1, -1):
        if isinstance(one.path[at], ViewOp):
            before = pipelines_loops.type_in_memory(one.factor.type, one.path[at:])
            assert before is not None, "the plan has looked at the path"
            types.insert(0, before)
    for view, type in zip(one.views, types[1:], strict=True):
        tile = emit(ViewOp, tile, layout=view.layout, type=type)
    return tile


def view_of(type: Type) -> tileas_types.TiledViewType:
    """Return the type of a view of shared memory that holds a tile of the type `type`."""
    assert isinstance(type, RankedTensorType), "loads of a plan are of tiles"
    return tileas_types.TiledViewType(type.element_type, type.shape, tileas_types.Residency.SHARED)
