"""Loads that run one iteration ahead in registers: an iteration loads the tile of the next one, which the loop carries.

That is for tiles that no asynchronous copy moves, such as elements of two bytes that are not aligned and scalars, or
that shared memory has no room for.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import prod

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.nv_tileaa.constraints import bits_in_memory, shape_of
from tilewright.dialects.nv_tileaa.ops.memory import JoinMemTokenOp
from tilewright.dialects.nv_tileaa.ops.program import FuncOp
from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr, Transfer
from tilewright.dialects.nv_tileas.ops_arith import TileArithOp
from tilewright.dialects.nv_tileas.ops_memory import LoadOp
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, DotOp
from tilewright.dialects.scf.ops_loop import ForOp
from tilewright.ir import builder
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.inserting import PointInserter
from tilewright.lowering.memory_order.tokens import TokenAnalysis
from tilewright.lowering.schedule.costs import LANES
from tilewright.lowering.schedule.early_loads import computed_ahead, obstacle_of_load, slice_of
from tilewright.lowering.tileas.kernel_plan.plan_kernel import FOR_ADDRESSES, available_registers
from tilewright.lowering.tileas.kernel_plan.register_pressure import WORD, RegisterPressure
from tilewright.targets.nvptx.pipelines.iterations import Iteration, computed_for, iterations_ahead
from tilewright.targets.nvptx.pipelines.loop_writing import (
    extended_block,
    masked,
    padded,
    pass_token,
    replace_loop,
    zeros_of,
)
from tilewright.targets.nvptx.pipelines.loops import tokens_before

NO_REGISTERS = "registers have no room for the tiles of the next iteration"


class RegisterBudget:
    """The registers of a thread that the tiles of `kernel` leave for tiles of later iterations, on `chip`. A
    multiprocessor keeps room for `blocks` blocks, or for the number of blocks that the kernel asks for if
    that is larger.
    """

    def __init__(self, kernel: FuncOp, chip: Chip, blocks: int) -> None:
        spec = kernel.kernel_spec
        self.warps, asked = (spec.warps, spec.occupancy) if spec is not None else (1, 1)
        pressure = RegisterPressure.of(kernel, chip)
        needed = pressure.maximum(self.warps) if pressure.intervals or pressure.products else 0
        self.left = available_registers(self.warps, max(asked, blocks, 1)) - needed - FOR_ADDRESSES

    def takes(self, load: LoadOp) -> bool:
        """Return whether the budget has room for the tile that `load` loads, and if so reserve the room. An
        element takes a whole register, or more.
        """
        type = load.result.type
        elements = prod(shape_of(type)) if isinstance(type, RankedTensorType) else 1
        width = max(bits_in_memory(type), WORD)
        size = -(-max(elements // (LANES * self.warps), 1) * width // WORD)
        fits = size <= self.left
        self.left -= size if fits else 0
        return fits


def carried_loads(
    loop: ForOp, ahead: Collection[LoadOp], order: TokenAnalysis, budget: RegisterBudget
) -> tuple[list[LoadOp], str]:
    """Return the loads of a loop, other than those `ahead`, that run one iteration ahead in registers, and why the first
    of the others does not; empty if there are no others.
    """
    found, reason = list[LoadOp](), ""
    for load in (op for op in loop.walk() if isinstance(op, LoadOp) and op not in ahead):
        obstacle = obstacle_of_load(load, loop, order)
        if not obstacle and not _is_in_registers(load):
            obstacle = "a load is of a tile that threads keep in local memory"
        if not obstacle and not budget.takes(load):
            obstacle = NO_REGISTERS
        if obstacle:
            reason = reason or obstacle
        else:
            found.append(load)
    return found, reason


def behind_registers(tiles: Sequence[Value], block: Block) -> Operation:
    """Return the operation of a loop's body before which the tiles of the next iteration are loaded.

    That is the first operation, so that the loads run as early as possible. But if all of the carried `tiles` leave the
    registers of their threads through shared memory before the first product, it is the operation behind the last of
    these conversions: the registers are free then, and the product hides the loads.
    """
    places = {op: at for at, op in enumerate(block)}
    product = next((places[op] for op in block if isinstance(op, DotOp)), 0)
    ends = [_leaves_registers(tile, block) for tile in tiles]
    last = max(product if end is None else places[end] for end in ends)
    return block.ops[last + 1 if last < product else 0]


def _leaves_registers(tile: Value, block: Block) -> Operation | None:
    """Return the conversion of a loop's body by which a tile goes from the registers of its threads to shared memory,
    after operations on single elements; None if it has other uses.
    """
    uses = list(tile.uses)
    while len(uses) == 1 and uses[0].parent is block and isinstance(uses[0], TileArithOp | ConvertLayoutOp):
        if isinstance(uses[0], ConvertLayoutOp) and uses[0].transfer is Transfer.SHARED:
            return uses[0]
        uses = list(uses[0].results[0].uses)
    return None


def _is_in_registers(load: LoadOp) -> bool:
    type = load.result.type
    return not isinstance(type, RankedTensorType) or isinstance(type.encoding, LinearLayoutAttr)


class CarriedLoads:
    """Writes the loop that carries the tiles of some loads: `write` replaces the loop. `waits` says whether one of the
    loads waits for an access before the loop.
    """

    def __init__(self, loop: ForOp, loads: Sequence[LoadOp], *, waits: bool) -> None:
        self.loop, self.loads = loop, loads
        needed = [value for load in loads for value in computed_ahead(load)]
        self.addresses = slice_of(needed, loop.region.block)
        self.before = tokens_before(loop) if waits else []
        self.iterations = iterations_ahead(loop, 1, needed)

    def write(self) -> ForOp:
        """Replace the loop, and return the new one."""
        emit = PointInserter.before(self.loop)
        first = self.iterations.first(emit)
        token = emit(JoinMemTokenOp, tuple(self.before), type=self.before[0].type) if self.before else None
        tiles = self._load(emit, first, token)
        carried = self.iterations.carried(self.iterations.following(emit, first))
        initial = (*carried, *tiles)
        block = extended_block(self.loop, [value.type for value in initial])
        arguments, self.iterations.passed.block = block.arguments[-len(initial) :], block
        point = builder.InsertionPoint.before(behind_registers([load.result for load in self.loads], block))
        inside = PointInserter(point, self.loop.lazy_location)
        now = self.iterations.ahead(inside, block.arguments[0], arguments[: len(carried)])
        following = self._load(inside, now, None)
        more = self.iterations.carried(self.iterations.following(inside, now)) if carried else ()
        for load, tile in zip(self.loads, arguments[len(carried) :], strict=True):
            load.result.replace_all_uses_with(padded(tile, load))
            pass_token(load)
            load.erase()
        for op in reversed(self.addresses):
            if not any(result.has_uses for result in op.results):
                op.erase()
        return replace_loop(emit, self.loop, block, initial, (*more, *following))

    def _load(self, emit: PointInserter, one: Iteration, token: Value | None) -> list[Value]:
        """Emit the loads of the iteration `one`, with false masks if it does not exist, and return the loaded
        tiles. The loads wait for `token`; None: for nothing.
        """
        values = computed_for(emit, self.addresses, self.iterations.passed, one)
        return [
            emit(
                LoadOp,
                values.get(load.base, load.base),
                mask=masked(emit, load, values, one.exists),
                other=zeros_of(load, values),
                token=token,
                cache_modifier=load.cache_modifier,
                eviction_policy=load.eviction_policy,
                latency=load.latency,
                checks=load.checks,
                mem_semantic=load.mem_semantic,
                type=load.result.type,
            )
            for load in self.loads
        ]
