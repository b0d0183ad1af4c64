"""The code of one tile block: where the values of the program are, and the operations that the parts of a
kernel need.

The emitter (`function.py`) iterates over the steps of a plan and calls the rules of operations; the rules
call methods of `BlockCode`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tilewright.dialects.llvm.intrinsics.memory import MemcpyOp
from tilewright.dialects.llvm.ops.aggregate import AddressOfOp
from tilewright.ir import block as ir_block, builtin_attributes
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.runtime.context import ReportSite
from tilewright.targets.cpu.machine.instructions import instructions_of
from tilewright.targets.cpu.machine.target import LINE
from tilewright.targets.cpu.memory.accesses import Accesses
from tilewright.targets.cpu.memory.buffer import TileBuffer
from tilewright.targets.cpu.memory.point import Evaluator, NestPoint
from tilewright.targets.cpu.nest import nest as nest_nest, shape
from tilewright.targets.cpu.plan.form import plain_form
from tilewright.targets.cpu.plan.model import BufferSlot, CheckStep, KernelPlan, PlanRoot, row_major
from tilewright.targets.elements.element_types import element_of, memory_type, shape_of
from tilewright.targets.elements.run_time_library import NativeInstructions
from tilewright.targets.llvm.code import POINTER, LlvmBuilder


class AccessChecks(Protocol):
    """Emits the checks of the accesses of a kernel: `before` and `after` the code of an access, and
    `add_local` for memory that the tile block allocates.
    """

    def before(self, emit: BlockCode, step: CheckStep) -> None:
        """Emit the checks of the access of `step`, directly before the code of the access."""
        ...

    def after(self, emit: BlockCode, step: CheckStep) -> None:
        """Emit the record of the acquire by the access of `step`, directly after its code."""
        ...

    def add_local(self, op: Operation, address: Value, size: int) -> None:
        """Emit the registration of `size` bytes at `address`, memory that the alloca `op` of the tile block
        allocated.
        """
        ...


@dataclass(frozen=True, slots=True)
class BlockSurroundings:
    """The surroundings of a tile block.

    - ``scratch``: the scratch memory; ``grid`` and ``position``: the extents of the grid and the coordinates
      of the tile block.
    - ``constants``: a function that returns the name of a global with the elements of an attribute.
    - ``next``: the block that continues with the next tile block of the thread's share; ``abandon``: the
      block that gives up the rest of the share.
    - ``context``: the memory that the launch shares with the kernel; ``number``: the number of the tile
      block.
    - ``wanted``: the bits of `ATTENTION` that this call obeys.
    - ``sites``: the locations in the kernel that report or print; emitting code appends to it.
    - ``checks``: emits the checks of accesses; None without checks.
    """

    scratch: Value
    grid: tuple[Value, ...]
    position: tuple[Value, ...]
    constants: Callable[[builtin_attributes.DenseElementsAttr], str]
    next: ir_block.Block
    abandon: ir_block.Block
    context: Value
    number: Value
    wanted: Value
    sites: list[ReportSite]
    checks: AccessChecks | None = None


class BlockCode(Accesses):
    """The code of one tile block while it is emitted, and the memory and scalars that hold the values of the
    program.
    """

    def __init__(self, code: LlvmBuilder, plan: KernelPlan, frame: BlockSurroundings) -> None:
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
        """For each operation class, the function that computes elements of its results where they are used.
        """
        self._addresses: dict[BufferSlot, Value] = {}
        """The addresses of the buffers that were used so far."""

    def block(self, block: ir_block.Block) -> None:
        """Emit the operations of `block`, without its terminator. Subclasses implement this method."""
        raise NotImplementedError

    # --- memory of tiles

    def address_of(self, slot: BufferSlot) -> Value:
        """Return the address of `slot`, on the stack or in scratch memory; it is emitted at the first use."""
        found = self._addresses.get(slot)
        if found is None:
            found = self._addresses[slot] = self._open(slot)
        return found

    def _open(self, slot: BufferSlot) -> Value:
        if slot.offset is None:
            return self.code.stack(slot.count, memory_type(slot.element), LINE)
        return self.code.address(self.scratch, slot.offset)

    def buffer_for(self, value: Value) -> TileBuffer:
        """Return the buffer that is planned for the tile `value`, which is no constant; its memory is
        allocated at the first use.
        """
        tile = self.tiles[value]
        assert tile.slot is not None, "it is no constant"
        address = self.address_of(tile.slot)
        return TileBuffer(address, shape_of(value.type), tile.strides, element_of(value.type))

    def hold(self, value: Value) -> None:
        """Mark the tile `value` as stored in its memory from here on."""
        self.buffers[value] = self.buffer_for(value)

    def copy(self, source: TileBuffer, target: TileBuffer) -> None:
        """Copy the elements of a tile from `source` to `target`."""
        if source.strides == target.strides == row_major(source.shape):
            size = self.code.integer(target.bytes)
            self.code.effect(MemcpyOp, target.address, source.address, size, False)
            return
        form = plain_form(source.shape, self.target)
        self.emit_nest(nest_nest.Nest(source.shape, form, [nest_nest.TileCopy(source, target)]), masked=False)

    def constant_data(self, attribute: builtin_attributes.DenseElementsAttr) -> Value:
        """Return the address of a global with the elements of `attribute`."""
        return self.code(AddressOfOp, self.constants(attribute), type=POINTER)

    # --- elements and passes

    def point(self, lanes: int, *, masked: bool) -> NestPoint:
        """Return a point outside of loops at which elements can be computed, `lanes` at once; with
        ``masked``, they may not exist.
        """
        return NestPoint(self.code, lanes, self.evaluators, self.scalars, self.buffers, masked=masked)

    def origin_element(self, value: Value) -> Value:
        """Return the element of a tile at the coordinates 0, or the value of a scalar."""
        origin = (shape.ORIGIN,) * len(shape_of(value.type))
        return self.point(1, masked=True).lanes_at(value, origin)

    def masked_at_edges(
        self, roots: Sequence[PlanRoot], write: Callable[[bool], Sequence[Value]], *, is_masked: bool
    ) -> Sequence[Value]:
        """Emit `write(False)`, code without masks, for the case that all tiles that `roots` load and store
        are in bounds, else `write(True)`, code with masks. With `is_masked`, `write` must return no values.
        Unless `is_masked`, only the code without masks is emitted, and its results are returned.
        """
        inside = self.conditions(roots)
        if not is_masked:
            return write(False)
        rows = self.row_conditions(roots)
        return self.code.either(
            self.code.both(inside),
            lambda: write(False),
            lambda: self.pointers.by_rows(rows, lambda: write(True)),
        )

    def emit_nest(self, nest: nest_nest.Nest, *, masked: bool) -> None:
        """Emit the loops of a nest, in the version with masks if `masked`, else without."""
        vectors = nest.form.masked if masked else nest.form.plain
        nest_nest.NestEmitter(self.code, nest, vectors, lambda lanes: self.point(lanes, masked=masked)).emit()
