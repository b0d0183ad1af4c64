"""Memory of tiles: each tile gets its room, in the order in which the code of the kernel needs it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import prod

from tilewright.ir.attribute import Type
from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.cpu.memory.buffer import LINE, row_major
from tilewright.targets.cpu.plan.accesses import AccessPlanner
from tilewright.targets.cpu.plan.model import Origin, Room, Tile, Why
from tilewright.targets.cpu.plan.steps import Draft
from tilewright.targets.elements.types import element_of, shape_of, size_of

SMALL = 4096
"""Tiles of up to so many bytes lie on the stack, where LLVM may keep them in registers."""


class MemoryPlanner(AccessPlanner):
    """The accesses, the tiles in memory and their rooms, up to the step that is being planned."""

    def __init__(self, draft: Draft) -> None:
        super().__init__()
        self.draft = draft
        self.tiles: dict[Value, Tile] = {}
        self.rooms: list[Room] = []
        self.scratch_bytes = 0
        self._overwritable: set[Value] = set()
        """Tiles in memory that may be changed when they were used for the last time."""
        self._waiting: dict[Hashable, Room] = {}

    # --- rooms

    def allocate(self, count: int, element: Type, use: str = "tile") -> Room:
        """Memory for so many elements."""
        size = count * size_of(element)
        offset = None if size <= SMALL else self.scratch_bytes
        if offset is not None:
            self.scratch_bytes += (size + LINE - 1) // LINE * LINE
        self.rooms.append(Room(len(self.rooms), count, element, offset, use))
        return self.rooms[-1]

    def room_for(self, value: Value, use: str = "tile") -> Room:
        """Memory for the elements of a tile."""
        return self.allocate(prod(shape_of(value.type)), element_of(value.type), use)

    def waiting_rooms(self, values: Sequence[Value]) -> tuple[Room, ...]:
        """Memory for tiles until a pass ends, because arrays may overlap: other passes use it, too."""
        return tuple(self._waiting_room(at, value) for at, value in enumerate(values))

    def _waiting_room(self, number: int, value: Value) -> Room:
        key = (number, shape_of(value.type), element_of(value.type))
        if key not in self._waiting:
            self._waiting[key] = self.room_for(value, "tile that waits")
        return self._waiting[key]

    # --- tiles

    def own(self, value: Value, why: Why | None = None) -> Tile:
        """A tile in memory of its own."""
        return self._add(
            Tile(value, self.room_for(value), row_major(shape_of(value.type)), why or self._why(value))
        )

    def constant(self, value: Value) -> Tile:
        """A tile that is data of the module."""
        strides = row_major(shape_of(value.type))
        return self.publish(self._add(Tile(value, None, strides, Why.BUFFERIZED, Origin.CONSTANT)))

    def replacing(self, value: Value, source: Value, why: Why | None = None) -> Tile:
        """A tile in the place of another one."""
        old = self.tiles[source]
        return self._add(Tile(value, old.room, old.strides, why or self._why(value), Origin.REPLACES, source))

    def _why(self, value: Value) -> Why:
        """Why a tile is in memory, as the draft says."""
        return self.draft.in_memory.get(value, Why.BUFFERIZED)

    def showing(self, value: Value, source: Value, strides: tuple[int, ...], room: Room | None) -> Tile:
        """A tile that is the memory of another one, or of a copy of it, with other strides."""
        return self.publish(self._add(Tile(value, room, strides, Why.SHOWN, Origin.SHOWS, source)))

    def _add(self, tile: Tile) -> Tile:
        self.tiles[tile.value] = tile
        return tile

    def publish(self, tile: Tile, *, is_overwritable: bool = False) -> Tile:
        """From here on a tile is in memory."""
        self.published[tile.value] = tile
        if is_overwritable:
            self._overwritable.add(tile.value)
        return tile

    def may_overwrite(self, value: Value, user: Operation) -> bool:
        """Whether a tile in memory is used for the last time, in the block where it was made."""
        home = value.owner if isinstance(value.owner, Block) else value.owner.parent
        return value in self._overwritable and value.has_one_use and home is user.parent

    def is_overwritable(self, value: Value) -> bool:
        """Whether the memory of a tile holds nothing else that is needed."""
        return value in self._overwritable
