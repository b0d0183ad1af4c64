"""The types of ``cutlass``: pipelines and their states, sequence barriers, tile schedulers."""

from __future__ import annotations

from typing import ClassVar

from tilewright.dialects.common.parametrised import INTEGER, Codec, Parametrised, word
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.enum_attribute import SpelledEnum
from tilewright.ir.uniquer import InvalidParameters


class Scheduler(SpelledEnum):
    """How tiles of the output are distributed over thread blocks: one tile a block (``dp``), several tiles in
    a fixed order (``static_persistent``), parts of the sum over K (``streamk``), or at run time by sm_100's
    cancellation of launches (``sm100``).
    """

    DATA_PARALLEL = 0, "dp"
    STATIC_PERSISTENT = 1
    STREAM_K = 2, "streamk"
    SM100 = 3


class _Staged(Parametrised, Type):
    """The base of types with a parameter ``stages`` or ``depth``, which must be positive."""

    def verify_parameters(self) -> None:
        for name in ("stages", "depth"):
            if getattr(self, name, 1) < 1:
                raise InvalidParameters(f"expected a positive number of {name}, got {getattr(self, name)}")


class PipelineType(_Staged):
    """``!cutlass.pipeline<4, 1, 2>``: a ring of 4 stages between 1 producer and 2 consumers; all three
    numbers are positive.
    """

    name: ClassVar[str] = "cutlass.pipeline"
    stages: int
    producers: int
    consumers: int
    codecs: ClassVar[dict[str, Codec]] = dict.fromkeys(("stages", "producers", "consumers"), INTEGER)

    def verify_parameters(self) -> None:
        super().verify_parameters()
        if self.producers < 1 or self.consumers < 1:
            raise InvalidParameters("expected at least one producer and one consumer")


class PipelineStateType(_Staged):
    """``!cutlass.pipeline_state<4>``: the stage index, phase and count of a pipeline with ``stages`` stages.
    The index wraps at ``stages``, and flips the phase.
    """

    name: ClassVar[str] = "cutlass.pipeline_state"
    stages: int
    codecs: ClassVar[dict[str, Codec]] = {"stages": INTEGER}


class SeqBarType(_Staged):
    """``!cutlass.seq_bar<2, 3>``: barriers that let ``groups`` groups of threads pass one after the other,
    with ``depth`` slots in a ring.
    """

    name: ClassVar[str] = "cutlass.seq_bar"
    depth: int
    groups: int
    codecs: ClassVar[dict[str, Codec]] = {"depth": INTEGER, "groups": INTEGER}

    def verify_parameters(self) -> None:
        super().verify_parameters()
        if self.groups < 1:
            raise InvalidParameters(f"expected a positive number of groups, got {self.groups}")


class SeqBarStateType(_Staged):
    """``!cutlass.seq_bar_state<2>``: the slot (index modulo ``depth``) and the phase, which flips on wrap."""

    name: ClassVar[str] = "cutlass.seq_bar_state"
    depth: int
    codecs: ClassVar[dict[str, Codec]] = {"depth": INTEGER}


class TileSchedulerType(Parametrised, Type):
    """``!cutlass.tile_scheduler<static_persistent>``: distributes the tiles of the output over thread blocks,
    in the way ``kind``.
    """

    name: ClassVar[str] = "cutlass.tile_scheduler"
    kind: Scheduler
    codecs: ClassVar[dict[str, Codec]] = {"kind": word(Scheduler)}


class TileSchedulerParamsType(Parametrised, Type):
    """``!cutlass.tile_scheduler_params<streamk>``: the 48-byte record from which a scheduler of the kind
    ``kind`` is made.
    """

    name: ClassVar[str] = "cutlass.tile_scheduler_params"
    kind: Scheduler
    codecs: ClassVar[dict[str, Codec]] = {"kind": word(Scheduler)}


class WorkTileInfoType(Parametrised, Type):
    """``!cutlass.work_tile_info<dp>``: which tile a block works on, as the scheduler ``kind`` assigned it."""

    name: ClassVar[str] = "cutlass.work_tile_info"
    kind: Scheduler
    codecs: ClassVar[dict[str, Codec]] = {"kind": word(Scheduler)}


TYPES: tuple[type[Type], ...] = (
    PipelineType,
    PipelineStateType,
    SeqBarType,
    SeqBarStateType,
    TileSchedulerType,
    TileSchedulerParamsType,
    WorkTileInfoType,
)
