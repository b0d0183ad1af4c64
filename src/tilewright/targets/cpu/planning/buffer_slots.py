"""Memory of tiles: each tile gets a buffer slot, in the order in which the code of the kernel needs it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import prod

from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.cpu.machine.target import LINE
from tilewright.targets.cpu.plan.model import (
    BufferizationReason,
    BufferOrigin,
    BufferSlot,
    PlannedTile,
    row_major,
)
from tilewright.targets.cpu.planning import accesses as planning_accesses, steps as planning_steps
from tilewright.targets.elements.element_types import element_of, shape_of, size_of


class MemoryPlanner(planning_accesses.AccessPlanner):
    """The accesses, the tiles in memory and their buffer slots, up to the step that is being planned."""

    def __init__(self, draft: planning_steps.Draft) -> None:
        super().__init__()
        self.draft = draft
        self.tiles: dict[Value, PlannedTile] = {}
        self.slots: list[BufferSlot] = []
        self.scratch_bytes = 0
        self._overwritable: set[Value] = set()
        """Tiles in memory that may be overwritten after their last use."""
        self._waiting: dict[Hashable, BufferSlot] = {}

    # --- buffer slots

    def allocate(self, count: int, element: Type, use: str = "tile") -> BufferSlot:
        """Allocate memory for `count` elements: on the stack if it is at most ``costs.stack_bytes``, else in
        scratch memory. ``use`` is a word for listings of the plan.
        """
        size = count * size_of(element)
        offset = None if size <= self.draft.costs.stack_bytes else self.scratch_bytes
        if offset is not None:
            self.scratch_bytes += (size + LINE - 1) // LINE * LINE
        self.slots.append(BufferSlot(len(self.slots), count, element, offset, use))
        return self.slots[-1]

    def slot_for(self, value: Value, use: str = "tile") -> BufferSlot:
        """Allocate memory for the elements of the tile `value`, and return it. ``use`` is a word for listings
        of the plan.
        """
        return self.allocate(prod(shape_of(value.type)), element_of(value.type), use)

    def overlap_slots(self, values: Sequence[Value]) -> tuple[BufferSlot, ...]:
        """Return one slot for each tile of `values`, in which the tile waits until its nest ends if arrays
        overlap. Nests share the slots: equal positions in `values`, shapes and element types give the same
        slot.
        """
        return tuple(self._overlap_slot(at, value) for at, value in enumerate(values))

    def _overlap_slot(self, number: int, value: Value) -> BufferSlot:
        key = (number, shape_of(value.type), element_of(value.type))
        if key not in self._waiting:
            self._waiting[key] = self.slot_for(value, "tile, in case arrays overlap")
        return self._waiting[key]

    # --- tiles

    def own(self, value: Value, why: BufferizationReason | None = None) -> PlannedTile:
        """Plan a tile with new memory of its own; ``why`` is by default the reason in the draft. The tile is
        not published.
        """
        return self._add(
            PlannedTile(value, self.slot_for(value), row_major(shape_of(value.type)), why or self._why(value))
        )

    def constant(self, value: Value) -> PlannedTile:
        """Plan and publish the tile `value` as constant data of the module, which has no slot."""
        strides = row_major(shape_of(value.type))
        return self.publish(
            self._add(
                PlannedTile(value, None, strides, BufferizationReason.BUFFERIZED, BufferOrigin.CONSTANT)
            )
        )

    def replacing(self, value: Value, source: Value, why: BufferizationReason | None = None) -> PlannedTile:
        """Plan a tile that reuses the memory of the tile `source`, with the same strides; ``why`` is by
        default the reason in the draft. The tile is not published.
        """
        old = self.tiles[source]
        return self._add(
            PlannedTile(value, old.slot, old.strides, why or self._why(value), BufferOrigin.REPLACES, source)
        )

    def _why(self, value: Value) -> BufferizationReason:
        """Return why the tile `value` is in memory: the reason in the draft, or ``BUFFERIZED`` if the draft
        has none.
        """
        return self.draft.in_memory.get(value, BufferizationReason.BUFFERIZED)

    def plan_view(
        self, value: Value, source: Value, strides: tuple[int, ...], slot: BufferSlot | None
    ) -> PlannedTile:
        """Plan and publish a tile that views the memory of `source`, or a copy of it in `slot`, with other
        strides.
        """
        return self.publish(
            self._add(
                PlannedTile(value, slot, strides, BufferizationReason.SHOWN, BufferOrigin.SHOWS, source)
            )
        )

    def _add(self, tile: PlannedTile) -> PlannedTile:
        self.tiles[tile.value] = tile
        return tile

    def publish(self, tile: PlannedTile, *, is_overwritable: bool = False) -> PlannedTile:
        """Record that a tile is in memory from here on, and return it. ``is_overwritable`` says that its
        memory may be reused after its last use.
        """
        self.published[tile.value] = tile
        if is_overwritable:
            self._overwritable.add(tile.value)
        return tile

    def may_overwrite(self, value: Value, user: Operation) -> bool:
        """Return whether `user` may overwrite the memory of the tile `value`: the memory is overwritable,
        `user` is its only use, and is in the block of its definition.
        """
        return value in self._overwritable and value.has_one_use and value.parent_block is user.parent

    def is_overwritable(self, value: Value) -> bool:
        """Return whether a tile was published as overwritable: its memory may be reused after its last use."""
        return value in self._overwritable
