"""Constraints of `nv_tileas`, beside those it shares with `nv_tileaa`."""

from __future__ import annotations

from tilewright.dialects.nv_tileaa.types import TiledViewType as SourceViewType
from tilewright.dialects.nv_tileaa.types import TileMemRefType
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
from tilewright.ir.declaration.attribute_kind import InstanceKind
from tilewright.ir.declaration.constraint import IsClass, OneOf
from tilewright.ir.declaration.enum_attribute import SpelledEnumKind

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
