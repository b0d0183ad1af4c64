"""The code of one tile block: what holds the values of the program so far, and what the parts of a kernel need of it.

The emitter (`function.py`) goes through the steps of a plan and calls the rules of operations; the rules call what is
here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tilewright.dialects.llvm.intrinsics.memory import MemcpyOp
from tilewright.dialects.llvm.ops.aggregate import AddressOfOp
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.runtime.context import Site
from tilewright.targets.cpu.machine.instructions import instructions_of
from tilewright.targets.cpu.memory.accesses import Accesses
from tilewright.targets.cpu.memory.buffer import LINE, Buffer, row_major
from tilewright.targets.cpu.nest.nest import Copy, Nest, NestEmitter
from tilewright.targets.cpu.nest.point import Evaluator, Point
from tilewright.targets.cpu.nest.shape import ORIGIN
from tilewright.targets.cpu.plan.form import plain_form
from tilewright.targets.cpu.plan.model import CheckStep, KernelPlan, Room, Root
from tilewright.targets.elements.native import NativeInstructions
from tilewright.targets.elements.types import element_of, memory_type, shape_of
from tilewright.targets.llvm.code import POINTER, Code


class AccessChecks(Protocol):
    """The checks of the accesses of a kernel."""

    def before(self, emit: BlockCode, step: CheckStep) -> None:
        """Check an access that comes next."""
        ...

    def after(self, emit: BlockCode, step: CheckStep) -> None:
        """Take note of an access that was made."""
        ...

    def add_local(self, op: Operation, address: Value, size: int) -> None:
        """So many bytes of memory of the tile block are there from now on."""
        ...


@dataclass(frozen=True, slots=True)
class Frame:
    """What surrounds a tile block: scratch memory, its place in the grid, and where it ends.

    ``next`` is the way to the next tile block of the thread's share, ``abandon`` gives the rest of that share up.

    ``context`` is what the launch shares with the kernel, ``number`` that of the tile block, ``wanted`` the bits of
    `ATTENTION` that this call obeys; places of the kernel that report or print are added to ``sites``.
    """

    scratch: Value
    grid: tuple[Value, ...]
    position: tuple[Value, ...]
    constants: Callable[[DenseElementsAttr], str]
    next: Block
    abandon: Block
    context: Value
    number: Value
    wanted: Value
    sites: list[Site]
    checks: AccessChecks | None = None


class BlockCode(Accesses):
    """The code of one tile block as far as it is written, by what holds the values of the program."""

    def __init__(self, code: Code, plan: KernelPlan, frame: Frame) -> None:
        super().__init__(code, {}, plan.accesses)
        self.plan = plan
        self.target = plan.target
        self.native: NativeInstructions = instructions_of(plan.target)
        self.tiles = {tile.value: tile for tile in plan.tiles}
        self.scratch = frame.scratch
        self.grid = frame.grid
        self.grid_position = frame.position
        self.constants = frame.constants
        self.next = frame.next
        self.abandon = frame.abandon
        self.context = frame.context
        self.number = frame.number
        self.wanted = frame.wanted
        self.sites = frame.sites
        self.checks = frame.checks
        self.evaluators: dict[type[Operation], Evaluator] = {}
        """What computes elements of the results of operations where they are needed."""
        self._addresses: dict[Room, Value] = {}
        """Where rooms are that were needed so far."""

    def block(self, block: Block) -> None:
        """Write the code of a block, without what its terminator does."""
        raise NotImplementedError

    # --- memory of tiles

    def address_of(self, room: Room) -> Value:
        """The address of a room."""
        found = self._addresses.get(room)
        if found is None:
            found = self._addresses[room] = self._open(room)
        return found

    def _open(self, room: Room) -> Value:
        if room.offset is None:
            return self.code.stack(room.count, memory_type(room.element), LINE)
        return self.code.address(self.scratch, room.offset)

    def buffer_for(self, value: Value) -> Buffer:
        """The memory that is planned for a tile."""
        tile = self.tiles[value]
        assert tile.room is not None, "it is no constant"
        address = self.address_of(tile.room)
        return Buffer(address, shape_of(value.type), tile.strides, element_of(value.type))

    def hold(self, value: Value) -> None:
        """A tile is in its memory from here on."""
        self.buffers[value] = self.buffer_for(value)

    def copy(self, source: Buffer, target: Buffer) -> None:
        """Copy the elements of a tile."""
        if source.strides == target.strides == row_major(source.shape):
            size = self.code.integer(target.bytes)
            self.code.effect(MemcpyOp, target.address, source.address, size, False)
            return
        form = plain_form(source.shape, self.target)
        self.emit_nest(Nest(source.shape, form, [Copy(source, target)]), masked=False)

    def constant_data(self, attribute: DenseElementsAttr) -> Value:
        """The address of constant elements in memory."""
        return self.code(AddressOfOp, self.constants(attribute), type=POINTER)

    # --- elements and passes

    def point(self, lanes: int, *, masked: bool) -> Point:
        """Where elements can be computed."""
        return Point(self.code, lanes, self.evaluators, self.scalars, self.buffers, masked=masked)

    def origin_element(self, value: Value) -> Value:
        """The first element of a tile, or a scalar."""
        origin = (ORIGIN,) * len(shape_of(value.type))
        return self.point(1, masked=True).lanes_at(value, origin)

    def masked_at_edges(
        self, roots: Sequence[Root], write: Callable[[bool], Sequence[Value]], *, is_masked: bool
    ) -> Sequence[Value]:
        """Code without masks where all tiles that roots load and store are inside of their memory, else with masks."""
        inside = self.conditions(roots)
        if not is_masked:
            return write(False)
        rows = self.row_conditions(roots)
        return self.code.either(
            self.code.both(inside),
            lambda: write(False),
            lambda: self.pointers.by_rows(rows, lambda: write(True)),
        )

    def emit_nest(self, nest: Nest, *, masked: bool) -> None:
        """One version of a pass."""
        vectors = nest.form.masked if masked else nest.form.plain
        NestEmitter(self.code, nest, vectors, lambda lanes: self.point(lanes, masked=masked)).emit()
