"""The types of ``nv_tileas``: tokens of pipelines and agents, pipeline iterators, views with a residency, descriptors."""

from __future__ import annotations

from enum import Enum
from typing import Any, ClassVar

from tilewright.dialects.common import interfaces, parametrised
from tilewright.dialects.nv_tileas.attributes import SwizzleMode
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.uniquer import InvalidParameters


class Residency(Enum):
    """The kind of memory that holds the elements of a view: global, shared or tensor memory, or registers."""

    GLOBAL = 0
    SHARED = 1
    REGISTER = 2
    TENSOR = 3


class ProducerTokenType(Type):
    """The right to fill a stage of a pipeline: ``!nv_tileas.producer_token``."""

    name: ClassVar[str] = "nv_tileas.producer_token"


class ConsumerTokenType(Type):
    """The right to read a stage of a pipeline: ``!nv_tileas.consumer_token``."""

    name: ClassVar[str] = "nv_tileas.consumer_token"


class AsyncTokenType(Type):
    """A token of an asynchronous operation, to be waited for: ``!nv_tileas.async_token``."""

    name: ClassVar[str] = "nv_tileas.async_token"


class _Iterator(interfaces.IteratorTypeInterface):
    def element_type(self, type: Type) -> Type:
        assert isinstance(type, PipelineIteratorType)
        return type.element_type

    def refined(self, type: Type) -> Type:
        return type

    def projected(self, type: Type, mode: int) -> Type:
        return type


class PipelineIteratorType(parametrised.Parametrised, Type):
    """``!nv_tileas.pipeline_iterator<tensor<8xf32>, 3>``: the position in a ring of ``count`` stages. Each
    step advances by ``stride`` stages; both numbers are positive. The elements of the stages are in
    ``space``.
    """

    name: ClassVar[str] = "nv_tileas.pipeline_iterator"
    element_type: Type
    count: int
    stride: int = 1
    space: Residency = Residency.SHARED
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        "element_type": parametrised.TYPE_PARAMETER,
        "count": parametrised.INTEGER,
        "stride": parametrised.INTEGER,
        "space": parametrised.word(Residency),
    }
    concepts: ClassVar[tuple[type[Any], ...]] = (_Iterator,)

    def verify_parameters(self) -> None:
        if self.count < 1 or self.stride < 1:
            raise InvalidParameters(
                f"expected a positive count and stride, got {self.count} and {self.stride}"
            )

    def divided(self, factor: int) -> PipelineIteratorType:
        """Return the iterator after a reduction over `factor` stages, with a `factor`-th of the count. Raises
        `InvalidParameters` unless `factor` divides the count.
        """
        if factor < 1 or self.count % factor:
            raise InvalidParameters(f"cannot reduce {self.count} stages by {factor}")
        return self.replace(count=self.count // factor)


class PipelineType(parametrised.Parametrised, Type):
    """``!nv_tileas.pipeline<(tensor<8xf32>), 3>``: a ring of stages that hold one tuple each.

    ``consumers`` is the number of groups of agents that read each stage; the stage is free when all have.
    """

    name: ClassVar[str] = "nv_tileas.pipeline"
    element_types: tuple[Type, ...]
    stages: int
    consumers: int = 1
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        "element_types": parametrised.TYPE_PARAMETERS,
        "stages": parametrised.INTEGER,
        "consumers": parametrised.INTEGER,
    }

    def verify_parameters(self) -> None:
        if self.stages < 1 or self.consumers < 1:
            raise InvalidParameters(
                f"expected a positive number of stages and consumers, got {self.stages} and {self.consumers}"
            )


class TiledViewType(parametrised.Parametrised, Type):
    """``!nv_tileas.tiled_view<f32, [64, 32], shared>``: tiles of the shape `shape`, at least one positive
    extent, in the memory `residency`. ``layout`` is None until layouts are assigned.
    """

    name: ClassVar[str] = "nv_tileas.tiled_view"
    element_type: Type
    shape: tuple[int, ...]
    residency: Residency
    layout: Attribute | None = None
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        "element_type": parametrised.TYPE_PARAMETER,
        "shape": parametrised.EXTENTS,
        "residency": parametrised.word(Residency),
        "layout": parametrised.ATTRIBUTE,
    }

    def verify_parameters(self) -> None:
        if not self.shape or any(extent <= 0 for extent in self.shape):
            raise InvalidParameters("all dimensions must be positive constants, got " + _listed(self.shape))


class _Descriptor(interfaces.TmaDescriptorTypeInterface):
    def box(self, type: Type) -> tuple[int, ...]:
        assert isinstance(type, TmaDescType)
        return type.box


class TmaDescType(parametrised.Parametrised, Type):
    """``!nv_tileas.tma_desc<f32, [64, 32], swizzle = "128B">``: describes to the copy engine a tensor that it
    copies box by box. `box` is the shape of a box, 1 to 5 dimensions of 1 to 256 elements; `swizzle` is the
    permutation of the bytes of a box in shared memory.
    """

    name: ClassVar[str] = "nv_tileas.tma_desc"
    element_type: Type
    box: tuple[int, ...]
    swizzle: SwizzleMode = SwizzleMode.NONE
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        "element_type": parametrised.TYPE_PARAMETER,
        "box": parametrised.EXTENTS,
        "swizzle": parametrised.word(SwizzleMode),
    }
    concepts: ClassVar[tuple[type[Any], ...]] = (_Descriptor,)

    def verify_parameters(self) -> None:
        if not 1 <= len(self.box) <= 5:
            raise InvalidParameters(f"expected a box of rank 1 to 5, got {len(self.box)}")
        if any(not 0 < extent <= 256 for extent in self.box):
            raise InvalidParameters(f"expected box extents from 1 to 256, got {_listed(self.box)}")


def _listed(extents: tuple[int, ...]) -> str:
    return ", ".join(map(str, extents))


TYPES: tuple[type[Type], ...] = (
    ProducerTokenType,
    ConsumerTokenType,
    AsyncTokenType,
    PipelineIteratorType,
    PipelineType,
    TiledViewType,
    TmaDescType,
)
PRODUCER_TOKEN = ProducerTokenType()
CONSUMER_TOKEN = ConsumerTokenType()
ASYNC_TOKEN = AsyncTokenType()
