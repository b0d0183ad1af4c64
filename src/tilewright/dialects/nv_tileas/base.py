"""Base classes of the operations of `nv_tileas`, which have layouts as attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tilewright.dialects.common.interfaces import MemoryConsistencyOpInterface
from tilewright.dialects.nv_tileaa.constraints import TileDialectOp
from tilewright.dialects.nv_tileaa.types import TiledViewType as SourceViewType, TileMemRefType
from tilewright.dialects.nv_tileas import attributes as tileas_attributes, types as tileas_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.declaration import attribute_kind, enum_attribute, fields
from tilewright.ir.declaration.constraint import IsClass, OneOf
from tilewright.ir.value import Value

VIEW = IsClass(tileas_types.TiledViewType, "tiled view")
MEMORY = IsClass((tileas_types.TiledViewType, SourceViewType, TileMemRefType), "tiled view or memory object")
DESCRIPTOR = IsClass(tileas_types.TmaDescType, "tensor memory descriptor")
PIPELINE = IsClass(tileas_types.PipelineType, "pipeline")
ITERATOR = IsClass(tileas_types.PipelineIteratorType, "pipeline iterator")
ASYNC_TOKEN = OneOf((tileas_types.AsyncTokenType(),), "async token")
PRODUCER_TOKEN = OneOf((tileas_types.ProducerTokenType(),), "producer token")
CONSUMER_TOKEN = OneOf((tileas_types.ConsumerTokenType(),), "consumer token")

ATOM = attribute_kind.InstanceKind(tileas_attributes.AtomAttr, "atom")
LAYOUT = attribute_kind.InstanceKind(tileas_attributes.LayoutAttr, "layout")
SWIZZLE_MODE = enum_attribute.SpelledEnumKind(tileas_attributes.SwizzleModeAttr)
OOB_MODE = enum_attribute.SpelledEnumKind(tileas_attributes.OobModeAttr)
TRANSFER = enum_attribute.SpelledEnumKind(tileas_attributes.TransferAttr)


LAYOUT_NAME = "nv_tileas.layout"


class LayoutOp(TileDialectOp):
    """The base of operations that may have a `layout`, which says how the elements of the result are
    distributed. It is None until a pass assigns layouts.
    """

    layout: tileas_attributes.LayoutAttr | None = fields.optional_attr_def(
        LAYOUT,
        "Where the elements of the result are; absent until layouts are assigned.",
        ir_name=LAYOUT_NAME,
        default=None,
    )


class OrderedOp(TileDialectOp):
    """The base of operations that take part in the order of memory accesses: no pattern may match across
    them.
    """

    concepts: ClassVar[tuple[type[Any], ...]] = (MemoryConsistencyOpInterface,)


class OrderedLayoutOp(LayoutOp, OrderedOp):
    """The base of operations that may have a layout (`LayoutOp`) and take part in the order of memory
    accesses (`OrderedOp`).
    """


class SameTypeLayoutOp(LayoutOp):
    """The base of operations that may have a layout, and whose only result has the type of the first operand."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [operands[0].type]


class PipelineYieldRole(TileDialectOp):
    """The base class of `nv_tileas.async.pipeline.yield`, by which the rules recognise it."""
