"""Pipelines: rings of stages that some agents fill and others read.

A pipeline is one value. A producer token is the right to fill an acquired stage, a consumer token the right
to read an awaited one. Regions fill and read stages.
"""

from __future__ import annotations

from typing import Any

from tilewright.dialects.common import interfaces, kinds
from tilewright.dialects.nv_tileaa.constraints import COUNT, EXTENTS, TileDialectOp
from tilewright.dialects.nv_tileas import base as tileas_base, rules as tileas_rules, types as tileas_types
from tilewright.ir.attribute import Type
from tilewright.ir.block import Region
from tilewright.ir.declaration import fields
from tilewright.ir.declaration.constraint import ANY_TYPE, Either
from tilewright.ir.declaration.traits import Pure, SingleBlock, Terminator, VerifyError, same_type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

PIPELINE_DOC = "The pipeline."
ITERATOR_DOC = "Which stage."
TYPES_DOC = "The types of the region's arguments; for an iterator, its element type."
YIELDED = "The values that the region yields."
CONSUMER_DOC = "The number of the group of agents that reads the pipeline."


class CreatePipelineOp(TileDialectOp, name="nv_tileas.async.pipeline.create_pipeline"):
    """Creates a pipeline of `num_stages` free stages, the number in the result type. Agents of
    `producer_group` fill stages, and agents of `consumer_group` read them.
    """

    num_stages: int = fields.attr_def(COUNT, "How many stages there are.", ir_name="numStages")
    producer_group: int = fields.attr_def(
        COUNT, "The group of agents that fills stages.", default=0, ir_name="producerGroupId"
    )
    consumer_group: int = fields.attr_def(
        COUNT, "The group of agents that reads stages.", default=0, ir_name="consumerGroupId"
    )
    shared_memory: bool = fields.flag_def(
        "The stages are in shared memory.", ir_name="sharedMem", default=False
    )
    dynamic: bool = fields.flag_def("The next stage is known at run time only.", default=False)
    result: Value = fields.result_def(tileas_base.PIPELINE, PIPELINE_DOC)
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        pipeline = self.result.type
        assert isinstance(pipeline, tileas_types.PipelineType), "the result constraint holds"
        if pipeline.stages != self.num_stages:
            raise VerifyError(f"expects a pipeline of {self.num_stages} stages, got '{pipeline}'")


class CreateIteratorOp(TileDialectOp, name="nv_tileas.async.pipeline.create_iterator"):
    """Creates an iterator at the first stage of a pipeline."""

    pipeline: Value = fields.operand_def(tileas_base.PIPELINE, PIPELINE_DOC)
    result: Value = fields.result_def(tileas_base.ITERATOR, ITERATOR_DOC)
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_stages(self.pipeline.type, self.result.type)


def check_stages(pipeline: Type, iterator: Type) -> None:
    """Raise `VerifyError` unless the type `iterator` of a pipeline iterator has as many stages as the
    pipeline type `pipeline`.
    """
    assert isinstance(pipeline, tileas_types.PipelineType), "the operand constraint holds"
    assert isinstance(iterator, tileas_types.PipelineIteratorType), "the operand constraint holds"
    if pipeline.stages != iterator.count:
        raise VerifyError(f"expects an iterator over {pipeline.stages} stages, got '{iterator}'")


class IncIterOp(TileDialectOp, name="nv_tileas.async.pipeline.inc_iter"):
    """Advances an iterator to the next stage; after the last stage comes the first."""

    iterator: Value = fields.operand_def(tileas_base.ITERATOR, ITERATOR_DOC)
    result: Value = fields.result_def(tileas_base.ITERATOR, "The next stage.")
    traits = (Pure(), same_type("iterator", "result"))


class CreateNullTokenOp(TileDialectOp, name="nv_tileas.async.pipeline.create_null_token"):
    """Creates a token that belongs to no stage."""

    result: Value = fields.result_def(
        Either(tileas_base.PRODUCER_TOKEN, tileas_base.CONSUMER_TOKEN, tileas_base.ASYNC_TOKEN), "The token."
    )
    traits = (Pure(),)


class StageOp(TileDialectOp):
    """The base of operations on the stage of a pipeline that `iterator` selects. The verifier checks that the
    iterator has as many stages as the pipeline.
    """

    pipeline: Value = fields.operand_def(tileas_base.PIPELINE, PIPELINE_DOC)
    iterator: Value = fields.operand_def(tileas_base.ITERATOR, ITERATOR_DOC)

    def verify_(self) -> None:
        check_stages(self.pipeline.type, self.iterator.type)


class ProducerAcquireOp(StageOp, name="nv_tileas.async.pipeline.producer_acquire"):
    """Waits until a stage is free; the result is the token that gives the right to fill the stage."""

    token: Value = fields.result_def(tileas_base.PRODUCER_TOKEN, "The right to fill it.")


class ConsumerWaitOp(StageOp, name="nv_tileas.async.pipeline.consumer_wait"):
    """Waits until a stage is full; the result is the token that gives the right to read the stage."""

    consumer_idx: int = fields.attr_def(COUNT, CONSUMER_DOC, default=0)
    token: Value = fields.result_def(tileas_base.CONSUMER_TOKEN, "The right to read it.")

    def verify_(self) -> None:
        super().verify_()
        tileas_rules.check_consumer(self.pipeline.type, self.consumer_idx)


class ProducerCommitOp(TileDialectOp, name="nv_tileas.async.pipeline.producer_commit"):
    """Publishes the filled stage of `token`, so that consumers of the pipeline can read it."""

    pipeline: Value = fields.operand_def(tileas_base.PIPELINE, PIPELINE_DOC)
    token: Value = fields.operand_def(tileas_base.PRODUCER_TOKEN, "The stage.")


class ConsumerReleaseOp(TileDialectOp, name="nv_tileas.async.pipeline.consumer_release"):
    """Releases the stage of `token`, which consumer group `consumer_idx` has read; when all groups have,
    producers can fill it again.
    """

    pipeline: Value = fields.operand_def(tileas_base.PIPELINE, PIPELINE_DOC)
    token: Value = fields.operand_def(tileas_base.CONSUMER_TOKEN, "The stage.")
    consumer_idx: int = fields.attr_def(COUNT, CONSUMER_DOC, default=0)

    def verify_(self) -> None:
        tileas_rules.check_consumer(self.pipeline.type, self.consumer_idx)


class _Producer(interfaces.ProducerOpInterface):
    def producer_region(self, op: Operation) -> Region:
        return op.regions[0]


class ProducerWriteOp(TileDialectOp, name="nv_tileas.async.pipeline.producer_write"):
    """Executes the region, which fills an acquired stage that it gets as arguments of the types
    `producer_types`. The results are the token of the filled stage and the values that the region yields; the
    stage is not published yet.
    """

    token: Value = fields.operand_def(tileas_base.PRODUCER_TOKEN, "The stage.")
    pipeline: Value = fields.operand_def(tileas_base.PIPELINE, PIPELINE_DOC)
    producer_types: tuple[Type, ...] = fields.attr_def(kinds.TYPES, TYPES_DOC)
    filled: Value = fields.result_def(tileas_base.PRODUCER_TOKEN, "The filled stage.")
    outputs: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, YIELDED)
    body: Region = fields.region_def("Fills the stage.")
    traits = (SingleBlock(),)
    concepts = (_Producer,)

    def verify_regions_(self) -> None:
        tileas_rules.check_pipeline_region(self.body, self.outputs, self.producer_types)


class ConsumerReadOp(TileDialectOp, name="nv_tileas.async.pipeline.consumer_read"):
    """Executes the region, which reads an awaited stage that it gets as arguments of the types
    `consumer_types`. The results are the token of the stage and the values that the region yields; the stage
    is not released yet.
    """

    token: Value = fields.operand_def(tileas_base.CONSUMER_TOKEN, "The stage.")
    pipeline: Value = fields.operand_def(tileas_base.PIPELINE, PIPELINE_DOC)
    consumer_types: tuple[Type, ...] = fields.attr_def(kinds.TYPES, TYPES_DOC)
    consumer_idx: int = fields.attr_def(COUNT, CONSUMER_DOC, default=0)
    read: Value = fields.result_def(tileas_base.CONSUMER_TOKEN, "The read stage.")
    outputs: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, YIELDED)
    body: Region = fields.region_def("Reads the stage.")
    traits = (SingleBlock(),)

    def verify_(self) -> None:
        tileas_rules.check_consumer(self.pipeline.type, self.consumer_idx)

    def verify_regions_(self) -> None:
        tileas_rules.check_pipeline_region(self.body, self.outputs, self.consumer_types)


class ProduceOneOp(StageOp, name="nv_tileas.async.pipeline.produce_one"):
    """Waits until a stage is free, executes the region, which fills the stage that it gets as arguments of
    the types `producer_types`, and publishes the stage. The results are the values that the region yields.
    """

    producer_types: tuple[Type, ...] = fields.attr_def(kinds.TYPES, TYPES_DOC)
    outputs: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, YIELDED)
    body: Region = fields.region_def("Fills the stage.")
    traits = (SingleBlock(),)
    concepts = (_Producer,)

    def verify_regions_(self) -> None:
        tileas_rules.check_pipeline_region(self.body, self.outputs, self.producer_types)


class ProduceOneAsyncOp(StageOp, name="nv_tileas.async.pipeline.produce_one_async"):
    """Waits until a stage is free and executes the region, which starts to fill the stage that it gets as
    arguments of the types `producer_types`; the stage is published when it is filled. The results are an
    async token and the values that the region yields.
    """

    producer_types: tuple[Type, ...] = fields.attr_def(kinds.TYPES, TYPES_DOC)
    token: Value = fields.result_def(tileas_base.ASYNC_TOKEN, "The operations to wait for.")
    outputs: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, YIELDED)
    body: Region = fields.region_def("Begins to fill the stage.")
    traits = (SingleBlock(),)
    concepts = (_Producer,)

    def verify_regions_(self) -> None:
        tileas_rules.check_pipeline_region(self.body, self.outputs, self.producer_types)


class ConsumeOneOp(StageOp, name="nv_tileas.async.pipeline.consume_one"):
    """Waits until a stage is full, executes the region, which reads the stage that it gets as arguments of
    the types `consumer_types`, and releases the stage. The results are the values that the region yields.
    """

    consumer_types: tuple[Type, ...] = fields.attr_def(kinds.TYPES, TYPES_DOC)
    consumer_idx: int = fields.attr_def(COUNT, CONSUMER_DOC, default=0)
    outputs: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, YIELDED)
    body: Region = fields.region_def("Reads the stage.")
    traits = (SingleBlock(),)

    def verify_(self) -> None:
        super().verify_()
        tileas_rules.check_consumer(self.pipeline.type, self.consumer_idx)

    def verify_regions_(self) -> None:
        tileas_rules.check_pipeline_region(self.body, self.outputs, self.consumer_types)


class ConsumeOneAsyncOp(StageOp, name="nv_tileas.async.pipeline.consume_one_async"):
    """Waits until a stage is full and executes the region, which starts to read the stage that it gets as
    arguments of the types `consumer_types`; the stage is released when it has been read. The results are an
    async token and the values that the region yields.
    """

    consumer_types: tuple[Type, ...] = fields.attr_def(kinds.TYPES, TYPES_DOC)
    consumer_idx: int = fields.attr_def(COUNT, CONSUMER_DOC, default=0)
    token: Value = fields.result_def(tileas_base.ASYNC_TOKEN, "The operations to wait for.")
    outputs: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, YIELDED)
    body: Region = fields.region_def("Begins to read the stage.")
    traits = (SingleBlock(),)

    def verify_(self) -> None:
        super().verify_()
        tileas_rules.check_consumer(self.pipeline.type, self.consumer_idx)

    def verify_regions_(self) -> None:
        tileas_rules.check_pipeline_region(self.body, self.outputs, self.consumer_types)


class _Agents(interfaces.AgentLikeOpInterface):
    def bodies(self, op: Operation) -> tuple[Region, ...]:
        return op.regions

    def warps(self, op: Operation) -> tuple[int, ...]:
        assert isinstance(op, AgentSwitchOp)
        return op.num_warps or ()

    def group_sizes(self, op: Operation) -> tuple[int, ...]:
        assert isinstance(op, AgentSwitchOp)
        return op.num_agents_per_group


class AgentSwitchOp(TileDialectOp, name="nv_tileas.async.pipeline.agent_switch"):
    """Splits the warps of a block into agents; each agent runs a region of its own, which gets `inputs` as
    arguments. `num_agents_per_group` has the sizes of the groups of agents, in the order of the regions; the
    sum is the number of regions. Agents with a number of warps all have the same one, and together not more
    warps than the block. An optional attribute that is missing leaves the choice to the compiler.
    """

    inputs: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The values passed to the regions as arguments."
    )
    num_agents_per_group: tuple[int, ...] = fields.attr_def(EXTENTS, "How many agents each group has.")
    max_regs: tuple[int, ...] | None = fields.optional_attr_def(
        EXTENTS, "Registers of a thread, for each agent.", default=None
    )
    num_warps: tuple[int, ...] | None = fields.optional_attr_def(
        EXTENTS, "Number of warps of each agent; -1 for all warps.", default=None
    )
    warp_id: tuple[int, ...] | None = fields.optional_attr_def(
        EXTENTS, "The first warp of each agent.", default=None
    )
    agent_strides: tuple[int, ...] | None = fields.optional_attr_def(
        EXTENTS, "Warps between agents of a group.", default=None
    )
    isolated: bool = fields.flag_def("The regions share no memory except the pipelines'.", default=False)
    agents: Any = fields.variadic_region_def("The code of each agent.", default=())
    traits = (SingleBlock(),)
    concepts = (_Agents,)

    def verify_(self) -> None:
        tileas_rules.check_agents(self, self.num_warps)
        if sum(self.num_agents_per_group) != len(self.regions):
            raise VerifyError(
                f"expects {sum(self.num_agents_per_group)} agents in all, but got {len(self.regions)}"
            )

    def verify_regions_(self) -> None:
        for region in self.regions:
            last = region.blocks[0].last
            if not isinstance(last, PipelineYieldOp):
                raise VerifyError(f"pipeline regions must end with '{tileas_rules.PIPELINE_YIELD}'")


class PipelineYieldOp(tileas_base.PipelineYieldRole, name=tileas_rules.PIPELINE_YIELD):
    """Ends a region of a pipeline operation or of `agent_switch`; the operands become the results of the
    operation.
    """

    operands_: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The results.", default=())
    traits = (Pure(), Terminator())


OPERATIONS: tuple[type[Operation], ...] = (
    CreatePipelineOp,
    ProduceOneOp,
    ProduceOneAsyncOp,
    ConsumeOneOp,
    ConsumeOneAsyncOp,
    ConsumerReadOp,
    ProducerWriteOp,
    ProducerAcquireOp,
    ProducerCommitOp,
    ConsumerWaitOp,
    ConsumerReleaseOp,
    PipelineYieldOp,
    IncIterOp,
    CreateIteratorOp,
    AgentSwitchOp,
    CreateNullTokenOp,
)
"""In the order of their numbers, 0 to 15."""
