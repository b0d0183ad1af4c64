"""Bases of the operations of `nv_tileas`: layouts are attributes of operations from the start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tilewright.dialects.common.interfaces import MemoryConsistencyOpInterface
from tilewright.dialects.nv_tileaa.constraints import TileDialectOp
from tilewright.dialects.nv_tileaa.types import TiledViewType as SourceViewType, TileMemRefType
from tilewright.dialects.nv_tileas.attributes import (
    AtomAttr,
    LayoutAttr,
    OobModeAttr,
    SwizzleModeAttr,
    TransferAttr,
)
from tilewright.dialects.nv_tileas.types import (
    AsyncTokenType,
    ConsumerTokenType,
    PipelineIteratorType,
    PipelineType,
    ProducerTokenType,
    TiledViewType,
    TmaDescType,
)
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.declaration.attribute_kind import InstanceKind
from tilewright.ir.declaration.constraint import IsClass, OneOf
from tilewright.ir.declaration.enum_attribute import SpelledEnumKind
from tilewright.ir.declaration.fields import optional_attr_def
from tilewright.ir.value import Value

VIEW = IsClass(TiledViewType, "tiled view")
MEMORY = IsClass((TiledViewType, SourceViewType, TileMemRefType), "tiled view or memory object")
DESCRIPTOR = IsClass(TmaDescType, "tensor memory descriptor")
PIPELINE = IsClass(PipelineType, "pipeline")
ITERATOR = IsClass(PipelineIteratorType, "pipeline iterator")
ASYNC_TOKEN = OneOf((AsyncTokenType(),), "async token")
PRODUCER_TOKEN = OneOf((ProducerTokenType(),), "producer token")
CONSUMER_TOKEN = OneOf((ConsumerTokenType(),), "consumer token")

ATOM = InstanceKind(AtomAttr, "atom")
LAYOUT = InstanceKind(LayoutAttr, "layout")
SWIZZLE_MODE = SpelledEnumKind(SwizzleModeAttr)
OOB_MODE = SpelledEnumKind(OobModeAttr)
TRANSFER = SpelledEnumKind(TransferAttr)


LAYOUT_NAME = "nv_tileas.layout"


class LayoutOp(TileDialectOp):
    """An operation that gets a layout in the course of the compilation: the placement of its result's
    elements.
    """

    layout: LayoutAttr | None = optional_attr_def(
        LAYOUT,
        "Where the elements of the result are; absent until layouts are assigned.",
        ir_name=LAYOUT_NAME,
        default=None,
    )


class OrderedOp(TileDialectOp):
    """An operation that takes part in the order of memory accesses: no match may cross it."""

    concepts: ClassVar[tuple[type[Any], ...]] = (MemoryConsistencyOpInterface,)


class OrderedLayoutOp(LayoutOp, OrderedOp):
    """A `LayoutOp` that is an `OrderedOp`."""


class SameTypeLayoutOp(LayoutOp):
    """A `LayoutOp` whose result has the type of the first operand."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [operands[0].type]


class PipelineYieldRole(TileDialectOp):
    """`nv_tileas.async.pipeline.yield` for the rules, whose modules come before the operations."""
