"""Rings of shared memory: the arrangement of the tiles of a pipeline, and the size of its asynchronous copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tilewright.dialects.nv_tileas import attributes as tileas_attributes, ops_async as tileas_async
from tilewright.dialects.nv_tileas.ops_memory import TiledLoadOp
from tilewright.dialects.nv_tileas.ops_pipeline import ConsumeOneOp, CreatePipelineOp, ProduceOneAsyncOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType
from tilewright.ir.operation import Operation
from tilewright.lowering.tileas.distribution import distribution_of
from tilewright.targets.elements.element_types import element_of, size_of
from tilewright.targets.nvptx.exchanges import Exchange, RegisterAddresses

COPIED_BYTES = (16, 8, 4)
"""The sizes of one copy in bytes, in the order of preference."""
ATOMS = {tileas_attributes.AtomAttr(f"cp_async_{8 * size}"): size for size in COPIED_BYTES}
"""The size of each kind of asynchronous copies in bytes; names have bits."""
BYTE = 8
"""The bits of the smallest elements that a copy moves."""


@dataclass(frozen=True)
class RingTile:
    """A tile of the stages of a pipeline: its arrangement in shared memory, and the number of elements of one
    copy, which is 0 if no copy can move them.
    """

    exchange: Exchange
    element: Type
    vector_width: int

    @property
    def atom(self) -> tileas_attributes.AtomAttr:
        """Return the attribute of copies of this size, such as `cp_async_128`; ``vector_width`` must not be
        0.
        """
        copied = self.vector_width * size_of(self.element)
        return next(atom for atom, size in ATOMS.items() if size == copied)

    @property
    def bytes(self) -> int:
        """Return the bytes of the tile in shared memory."""
        return (self.exchange.store.last + 1) * size_of(self.element)


def rings_of(module: Operation) -> Mapping[Operation, Sequence[RingTile]]:
    """Return, for each operation that makes, fills or reads a pipeline of a module, the tiles of a stage of
    that pipeline.
    """
    found: dict[Operation, Sequence[RingTile]] = {}
    for op in module.walk():
        if isinstance(op, CreatePipelineOp):
            users = list(op.result.uses)
            reads = [inner for user in users if isinstance(user, ConsumeOneOp) for inner in reads_of(user)]
            fill = next(user for user in users if isinstance(user, ProduceOneAsyncOp))
            tiles = [_ring_tile_of(*pair) for pair in zip(loads_of(fill), reads, strict=True)]
            found |= dict.fromkeys((op, *users), tiles)
    return found


def _ring_tile_of(load: tileas_async.AsyncLoadOp, read: TiledLoadOp) -> RingTile:
    assert load.atom is not None, "the pass that makes pipelines chooses the copies"
    element = element_of(read.result.type)
    exchange = exchange_between(load.base.type, read.result.type)
    return RingTile(exchange, element, ATOMS[load.atom] // size_of(element))


def loads_of(op: ProduceOneAsyncOp) -> list[tileas_async.AsyncLoadOp]:
    """Return the loads that fill the buffers of a stage, in the order of the buffers."""
    return [inner for inner in op.body.blocks[0] if isinstance(inner, tileas_async.AsyncLoadOp)]


def reads_of(op: ConsumeOneOp) -> list[TiledLoadOp]:
    """Return the operations that read the buffers of a stage, in the order of the buffers."""
    return [inner for inner in op.body.blocks[0] if isinstance(inner, TiledLoadOp)]


def exchange_between(held: Type, read: Type) -> Exchange:
    """Return the arrangement in shared memory of a tile that is stored in the layout of the type `held` and
    loaded in the layout of the type `read`.
    """
    store, wanted = distribution_of(held), distribution_of(read)
    assert store is not None, "copied tiles have layouts"
    assert wanted is not None, "read tiles have layouts"
    return Exchange.of(store, wanted, BYTE * size_of(element_of(read)))


def copied_bytes(exchange: Exchange, element: Type, neighbours: int) -> int:
    """Return the number of bytes of each copy of a tile, 16, 8 or 4: its elements must be adjacent and
    aligned in global and in shared memory. Return 0 if not even 4 bytes are. `neighbours` is the number of
    elements that are adjacent in global memory.
    """
    if not isinstance(element, FloatType | IntegerType) or element.width < BYTE:
        return 0
    places = RegisterAddresses.of(exchange.store, exchange.place)
    most = min(neighbours, exchange.place.vector)
    for wanted in COPIED_BYTES:
        count = wanted // size_of(element)
        if 0 < count <= most and all(_is_adjacent(row, count) for row in places.vectors.values()):
            return wanted
    return 0


def _is_adjacent(row: Sequence[int], count: int) -> bool:
    """Return whether the addresses `row`, in groups of `count`, are consecutive in each group, and the first
    address of each group is a multiple of `count`.
    """
    return len(row) % count == 0 and all(
        number == row[at - at % count] + at % count and not row[at - at % count] % count
        for at, number in enumerate(row)
    )
