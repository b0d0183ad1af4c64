"""`nv-tileas-materialise-schedule`: loops whose loads run ahead become pipelines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.arith.ops_integer import AndIOp, CmpIOp, ConstantOp, SelectOp
from tilewright.dialects.nv_tileaa.ops.memory import CreateMemTokenOp
from tilewright.dialects.nv_tileaa.ops.structure import SplatOp
from tilewright.dialects.nv_tileas import (
    ops_arith as tileas_arith,
    ops_pipeline as tileas_pipeline,
    types as tileas_types,
)
from tilewright.dialects.nv_tileas.ops_async import AsyncLoadOp, TokenToAsyncOp, WaitOp
from tilewright.dialects.nv_tileas.ops_memory import LoadOp, TiledLoadOp
from tilewright.dialects.nv_tileas.ops_tile import GenerateOp, ViewOp
from tilewright.dialects.scf.ops_loop import ForOp, YieldOp
from tilewright.ir import builder, builtin_attributes
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import RankedTensorType, TupleType, i1, index
from tilewright.ir.construction.clone import clone_all
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.lowering.access_facts.neighbours import plan
from tilewright.lowering.inserting import PointInserter
from tilewright.lowering.memory_order.tokens import TokenAnalysis
from tilewright.lowering.schedule.analysis import LoopSchedule, ScheduleAnalysis
from tilewright.lowering.target_facts import kernel_around, target_of
from tilewright.passes.pass_ import Pass, PassState
from tilewright.targets.nvptx.pipelines import (
    iterations,
    loops as pipelines_loops,
    stages as pipelines_stages,
)


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
        neighbours, order = plan(op), TokenAnalysis()
        kernels: dict[Operation, list[pipelines_loops.LoopPlan]] = {}
        for loop in loops:
            found = pipelines_loops.plan_of(loop, target.gpu, neighbours, order)
            kernels.setdefault(kernel_around(loop), []).append(found)
        for kernel, plans in kernels.items():
            schedule = partial(_schedule, state)
            for one in pipelines_stages.staged_plans(kernel, plans, target.gpu, schedule, self.stages):
                if self.explain:
                    state.remark(one.plan.loop, words_of(one))
                if one.stages:
                    state.count("num-pipelines", 1)
                    PipelineWriter(one.plan, one.stages).write()


def _schedule(state: PassState, loop: ForOp) -> LoopSchedule:
    analysis: ScheduleAnalysis = state.analysis(ScheduleAnalysis)
    return analysis.of(loop)


def words_of(found: pipelines_stages.StagedPlan) -> str:
    """Return the remark for a loop: how many iterations its loads run ahead, and why the others do not."""
    if not found.stages:
        return f"no load of the loop runs ahead: {found.plan.reason}"
    ahead = (
        "1 iteration ahead"
        if found.stages == pipelines_stages.FEWEST_STAGES
        else f"{found.stages - 1} iterations ahead"
    )
    if not found.plan.reason:
        return f"the loads of the loop run {ahead}"
    count = len(found.plan.loads)
    subject = "1 load of the loop runs" if count == 1 else f"{count} loads of the loop run"
    return f"{subject} {ahead}, not all: {found.plan.reason}"


class PipelineWriter:
    """Writes the pipeline of a loop: the constructor creates the pipeline with `stages` stages before the
    loop, and `write` replaces the loop.
    """

    def __init__(self, found: pipelines_loops.LoopPlan, stages: int) -> None:
        assert isinstance(found.loop, ForOp), "plans with loads are of counted loops"
        self.loop, self.loads, self.addresses = found.loop, found.loads, found.addresses
        self.before = pipelines_loops.tokens_before(found.loop) if found.waits else ()
        self.stages = stages
        self.iterations = iterations.iterations_ahead(self.loop, stages - 1)
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
        block = self._new_block([value.type for value in initial])
        arguments = block.arguments[-len(initial) :]
        writing, reading, _ = arguments[len(carried) :]
        emit = PointInserter(builder.InsertionPoint.before(next(iter(block))), self.loop.lazy_location)
        tiles = self.consume(emit, reading)
        now = self.iterations.ahead(emit, block.arguments[0], arguments[: len(carried)])
        running = self.produce(emit, writing, now)
        more = self.iterations.carried(self.iterations.following(emit, now)) if carried else ()
        following = (*more, self._next(emit, writing), self._next(emit, reading), running)
        for one, tile in zip(self.loads, tiles, strict=True):
            one.factor.replace_all_uses_with(padded(apply_views(emit, tile, one), one.load))
            self._pass_token(one.load)
            for op in (*reversed(one.path), one.load):
                op.erase()
        self._erase_unused()
        self._replace_loop(block, initial, following)

    @staticmethod
    def _next(emit: PointInserter, iterator: Value) -> Value:
        return emit(tileas_pipeline.IncIterOp, iterator, type=iterator.type)

    def _new_block(self, carried: Sequence[Type]) -> Block:
        """Return the body of the new loop: the operations of the old one, with further arguments of the types
        `carried`. The old body is empty then.
        """
        old = self.loop.region.block
        block = Block([*(one.type for one in old.arguments), *carried])
        for before, now in zip(old.arguments, block.arguments, strict=False):
            before.replace_all_uses_with(now)
        for op in list(old.ops):
            block.append(op.detach())
        return block

    def _replace_loop(self, block: Block, first: Sequence[Value], following: Sequence[Value]) -> None:
        loop, end = self.loop, block.last
        assert isinstance(end, YieldOp), "loops end with their results"
        block.append(YieldOp((*end.operands, *following), location=end.lazy_location))
        end.erase()
        made = self.emit.insert(
            ForOp,
            loop.lowerBound,
            loop.upperBound,
            loop.step,
            (*loop.initArgs, *first),
            unsignedCmp=loop.unsignedCmp,
            region=Region([block]),
        )
        made.attributes.update(loop.attributes)
        self.emit.insert(WaitOp, (made.results[-1],))
        for before, now in zip(loop.results, made.results, strict=False):
            before.replace_all_uses_with(now)
        loop.erase()

    def produce(self, emit: PointInserter, stage: Value, one: iterations.Iteration) -> Value:
        """Emit the copies of the tiles of the iteration `one` into the slot that the iterator `stage` points
        to, with false masks if the iteration does not exist. Return the token of the copies.
        """
        values: dict[Value, Value] = {self._counter(): one.counter}
        copies = clone_all(self.addresses, values)
        for copy in copies:
            emit.point.insert(copy)
            for inner in copy.walk():
                iterations.add_behind_extension(inner, one.counter)
        block = Block(self.views)
        inside = PointInserter(builder.InsertionPoint(block), emit.location)
        for early, buffer in zip(self.loads, block.arguments, strict=True):
            load = early.load
            mask = masked(emit, load, values, one.exists)
            zeros = load.other is not None and pipelines_loops.has_zeros(load.other)
            other = values.get(load.other, load.other) if load.other is not None and zeros else None
            base = values.get(load.base, load.base)
            inside(
                AsyncLoadOp, base, buffer, mask, other, atom=early.tile.atom, type=tileas_types.ASYNC_TOKEN
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

    def _pass_token(self, load: LoadOp) -> None:
        """Replace the token that a load returns by the token that the load waits for. The load needs no token of its
        own: its copy has ended when the iteration reads its tile.
        """
        if load.done is not None and load.done.has_uses:
            token = load.token or PointInserter.before(load)(CreateMemTokenOp, type=load.done.type)
            load.done.replace_all_uses_with(token)

    def _counter(self) -> Value:
        (owner,) = {op.parent for op in (*self.addresses, *(one.load for one in self.loads))}
        assert owner is not None, "loads stand in the body of their loop"
        return owner.arguments[0]

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


def padded(tile: Value, load: LoadOp) -> Value:
    """Return `tile`, which was copied for `load`, with the load's values in the elements that its mask leaves
    out, where the copy has zeros. Return `tile` unchanged if the load has no mask, no such values, or zeros.
    """
    if load.mask is None or load.other is None or pipelines_loops.has_zeros(load.other):
        return tile
    select = tileas_arith.BY_SOURCE[SelectOp]
    return PointInserter.before(load)(select, load.mask, tile, load.other)


def view_of(type: Type) -> tileas_types.TiledViewType:
    """Return the type of a view of shared memory that holds a tile of the type `type`."""
    assert isinstance(type, RankedTensorType), "loads of a plan are of tiles"
    return tileas_types.TiledViewType(type.element_type, type.shape, tileas_types.Residency.SHARED)


def masked(emit: PointInserter, load: LoadOp, values: dict[Value, Value], condition: Value) -> Value:
    """Return the mask of a load that is copied ahead: the load's own mask (`values` has its copy in the new
    loop), with all elements false if `condition` is false. A `generate` in `values` that computes the mask is
    changed in place; otherwise operations are emitted.
    """
    found = values.get(load.mask, load.mask) if load.mask is not None else None
    owner = found.owner if found is not None else None
    if isinstance(found, OpResult) and isinstance(owner, GenerateOp) and load.mask is not found:
        _restrict(owner, found.index, condition)
        return found
    tile = load.result.type
    assert isinstance(tile, RankedTensorType), "loads of a plan are of tiles"
    everywhere = emit(SplatOp, condition, type=RankedTensorType(tile.shape, i1, tile.encoding))
    return everywhere if found is None else emit(tileas_arith.BY_SOURCE[AndIOp], found, everywhere)


def _restrict(generate: GenerateOp, result: int, condition: Value) -> None:
    """Make one result of a `generate`, a mask, false for all elements if `condition` is false.

    If the mask compares a position with an upper bound from outside of the body, the bound becomes 0 where
    the condition is false: that is one instruction for the tile instead of one for each element.
    """
    body = generate.body.blocks[0]
    end = body.last
    assert end is not None, "bodies end with their results"
    test = next(_tests(end.operands[result], body), None)
    if test is None:
        both = PointInserter.before(end)(AndIOp, end.operands[result], condition)
        end.set_operand(result, both)
        return
    emit, limit = PointInserter.before(generate), test.operands[1]
    nothing = emit(ConstantOp, builtin_attributes.IntegerAttr(limit.type, 0), type=limit.type)
    test.set_operand(1, emit(SelectOp, condition, limit, nothing))


def _tests(mask: Value, body: Block) -> Iterator[CmpIOp]:
    """Yield the comparisons ``position < bound`` (unsigned, with a bound from outside of `body`) in the
    conjunction that computes `mask`.
    """
    owner = mask.owner
    if not isinstance(owner, Operation) or owner.parent is not body:
        return
    if isinstance(owner, AndIOp):
        for operand in owner.operands:
            yield from _tests(operand, body)
    if (
        isinstance(owner, CmpIOp)
        and owner.predicate is CmpIPredicate.ULT
        and owner.rhs.parent_block is not body
    ):
        yield owner
