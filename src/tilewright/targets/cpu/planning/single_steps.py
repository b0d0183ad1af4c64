"""The rules that plan operations that are steps of their own: the memory of their results, and temporary
memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.common.grid import SMALLER, alloca_obstacle
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, memory as llvm_memory
from tilewright.dialects.nv_tileaa.ops import math as tileaa_math, program as tileaa_program
from tilewright.dialects.nv_tileaa.ops.structure import ConstantTensorOp, GetDimSizeOp
from tilewright.dialects.nv_tileas.attributes import view_strides
from tilewright.dialects.nv_tileas.ops_tile import AllocTensorOp, DotOp, InsertSliceOp, ViewOp
from tilewright.dialects.scf import ops_loop as scf
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types, diagnostic
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets import codes
from tilewright.targets.cpu.facts import access_operations, operation_table
from tilewright.targets.cpu.machine import costs as machine_costs, target as machine_target
from tilewright.targets.cpu.plan import model as plan_model
from tilewright.targets.cpu.planning import buffer_slots, products as planning_products
from tilewright.targets.elements.element_types import bytes_of, is_tile, shape_of


class Planner(Protocol):
    """The parts of the planner that the rules use: the memory of tiles, costs, and the planning of regions."""

    @property
    def memory(self) -> buffer_slots.MemoryPlanner:
        """Return the tiles in memory so far."""
        ...

    @property
    def costs(self) -> machine_costs.PlanningCosts:
        """Return the costs of the processor that the code is for."""
        ...

    def block(self, block: ir_block.Block) -> None:
        """Plan the block of a region."""
        ...


# --- tiles


def _view(planner: Planner, op: ViewOp) -> plan_model.OperationDetail | None:
    """Plan a view of the elements of its source in place if each dimension is a dimension of the source, or
    the source is contiguous, and return None. Otherwise plan the view of a contiguous copy, and return the
    memory of the copy as a temporary.
    """
    memory, shape = planner.memory, shape_of(op.result.type)
    shown = operation_table.shown_dimensions(op)
    source = memory.tiles[op.source]
    if shown is not None:
        memory.plan_view(op.result, op.source, _view_strides(source, shape, shown), source.slot)
        return None
    strides = view_strides(op.layout) if op.layout is not None else plan_model.row_major(shape)
    if source.strides == plan_model.row_major(shape_of(op.source.type)):
        memory.plan_view(op.result, op.source, strides, source.slot)
        return None
    copy = memory.slot_for(op.source, "contiguous copy")
    memory.plan_view(op.result, op.source, strides, copy)
    return plan_model.Temporaries((copy,))


def _view_strides(
    source: plan_model.PlannedTile, shape: tuple[int, ...], shown: Sequence[int | None]
) -> tuple[int, ...]:
    """Return the strides of a view of shape `shape` in elements.

    ``shown`` has the dimension of the view for each dimension of ``source``, or None.
    """
    strides: list[int] = [
        step if extent == 1 else 0 for extent, step in zip(shape, plan_model.row_major(shape), strict=True)
    ]
    for stride, at in zip(source.strides, shown, strict=True):
        if at is not None:
            strides[at] = stride
    return tuple(strides)


def _constant(planner: Planner, op: Operation) -> plan_model.OperationDetail | None:
    if is_tile(op.results[0].type):
        planner.memory.constant(op.results[0])
    return None


def _own(planner: Planner, op: Operation) -> plan_model.OperationDetail | None:
    """Plan the result with memory of its own, which is never overwritten. Return None: there is no detail."""
    planner.memory.publish(planner.memory.own(op.results[0]))
    return None


def _fresh(planner: Planner, op: Operation) -> plan_model.OperationDetail | None:
    """Plan the result with memory of its own, which its last user may overwrite. Return None: there is no
    detail.
    """
    planner.memory.publish(planner.memory.own(op.results[0]), is_overwritable=True)
    return None


def _effect(planner: Planner, op: Operation) -> plan_model.OperationDetail | None:
    """Plan the addresses of an access, and memory for its result if that is a tile with uses. Return None:
    there is no detail.
    """
    planner.memory.prepare(op)
    if op.results and is_tile(op.results[0].type) and op.results[0].has_uses:
        return _own(planner, op)
    return None


def _memory_object(planner: Planner, op: GetDimSizeOp) -> plan_model.OperationDetail | None:
    planner.memory.prepare(op)
    return None


def _insert_slice(planner: Planner, op: InsertSliceOp) -> plan_model.OperationDetail | None:
    memory = planner.memory
    mine = memory.may_overwrite(op.destination, op)
    made = memory.replacing(op.result, op.destination) if mine else memory.own(op.result)
    memory.publish(made, is_overwritable=True)
    return None


def _dot(planner: Planner, op: DotOp) -> plan_model.OperationDetail | None:
    """Plan a product, and return its plan. The result reuses the memory of the accumulator if the product is
    its last use, and may be overwritten by its own last user.
    """
    memory = planner.memory
    replaced = planning_products.replaced_tile(op.c, op, memory, memory.may_overwrite)
    made = memory.replacing(op.result, replaced) if replaced is not None else memory.own(op.result)
    plan = planning_products.plan_product(memory, op, planner.costs, memory.allocate)
    memory.publish(made, is_overwritable=True)
    return plan


def _print(planner: Planner, op: tileaa_program.PrintOp) -> plan_model.OperationDetail | None:
    """Return temporary memory for the printed values, with room to align each of them to a cache line."""
    sizes = [bytes_of(value.type) for value in op.arguments]
    count = max(1, sum(sizes) + machine_target.LINE * len(sizes))
    return plan_model.Temporaries((planner.memory.allocate(count, builtin_types.i8, "printed values"),))


def _allocate(planner: Planner, op: llvm_memory.AllocaOp) -> plan_model.OperationDetail | None:
    """Return temporary memory for the bytes that `op` allocates; never None. The memory lives as long as the
    tile block, and a loop gets the same bytes in each iteration. Raises `DiagnosticError` if the number of
    elements is not constant, or the memory is too large.
    """
    return plan_model.Temporaries(
        (planner.memory.allocate(_alloca_bytes(op), builtin_types.i8, "memory of the tile block"),)
    )


def _alloca_bytes(op: llvm_memory.AllocaOp) -> int:
    """Return how many bytes `op` allocates, for at least one element. Raises `DiagnosticError` if the number
    of elements is not constant, or the memory is too large.
    """
    count: Any = op.arraySize.owner
    if not isinstance(count, llvm_aggregate.ConstantOp) or not isinstance(
        count.value, builtin_attributes.IntegerAttr
    ):
        raise diagnostic.failure(
            codes.NO_CPU_FORM,
            "the size of memory of a tile block is not constant",
            op.location,
            hint="allocate a constant number of elements",
        )
    element: Any = op.elem_type
    size = max(1, count.value.value) * ((element.width + 7) // 8)
    reason = alloca_obstacle(size)
    if reason is not None:
        raise diagnostic.failure(codes.NO_CPU_FORM, reason, op.location, hint=SMALLER)
    return size


# --- loops and branches


def tiles(values: Sequence[Value]) -> list[int]:
    """Return the positions of the tiles among `values`."""
    return [at for at, value in enumerate(values) if is_tile(value.type)]


def _move(
    planner: Planner, when: plan_model.CopyPoint, sources: Sequence[Value], targets: Sequence[Value]
) -> plan_model.Move:
    """Return the copies of the tiles among `sources` to the memory of `targets`, in which they are carried;
    tiles that are there already are left out. The copies go through temporary memory if one of them
    overwrites the source of another.
    """
    memory = planner.memory
    moved = [(sources[at], targets[at]) for at in tiles(sources)]
    copies = tuple(pair for pair in moved if memory.tiles[pair[0]].slot is not memory.tiles[pair[1]].slot)
    written = [memory.tiles[target].slot for _, target in copies]
    if len(copies) < 2 or all(memory.tiles[source].slot not in written for source, _ in copies):
        return plan_model.Move(when, copies)
    return plan_model.Move(
        when,
        copies,
        tuple(memory.slot_for(source, "temporary copy of a carried tile") for source, _ in copies),
    )


def _enter(
    planner: Planner, op: Operation, names: Sequence[Value], first: Sequence[Value]
) -> plan_model.Move:
    """Plan the memory of the tiles `names` that the loop `op` carries, and return the copies of their initial
    values `first`. The memory of an initial value is reused if it is contiguous and the loop may overwrite
    it.
    """
    memory = planner.memory
    made = [_carried(planner, op, names[at], first[at]) for at in tiles(names)]
    move = _move(planner, plan_model.CopyPoint.ENTER, first, names)
    for tile in made:
        memory.publish(tile, is_overwritable=True)
    return move


def _carried(planner: Planner, op: Operation, name: Value, first: Value) -> plan_model.PlannedTile:
    memory, held = planner.memory, planner.memory.tiles[first]
    mine = held.strides == plan_model.row_major(shape_of(first.type)) and memory.may_overwrite(first, op)
    return (
        memory.replacing(name, first, plan_model.BufferizationReason.CARRIED)
        if mine
        else memory.own(name, plan_model.BufferizationReason.CARRIED)
    )


def _leave(planner: Planner, names: Sequence[Value], held: Sequence[Value]) -> None:
    """Plan the results `names` of an operation with regions: its tiles reuse the memory of the tiles `held`,
    which its regions yield.
    """
    memory = planner.memory
    for at in tiles(names):
        memory.publish(
            memory.replacing(names[at], held[at], plan_model.BufferizationReason.CARRIED),
            is_overwritable=True,
        )


def _left(block: ir_block.Block) -> Sequence[Value]:
    """Return the operands of the terminator of a block: the values that leave the region."""
    assert block.terminator is not None
    return block.terminator.operands


def _for(planner: Planner, op: scf.ForOp) -> plan_model.OperationDetail | None:
    (block,) = op.regions[0].blocks
    names, first = block.arguments[1:], op.operands[3:]
    enter = _enter(planner, op, names, first)
    planner.block(block)
    back = _move(planner, plan_model.CopyPoint.ITERATION, _left(block), names)
    _leave(planner, op.results, names)
    return plan_model.Moves((enter, back))


def _if(planner: Planner, op: scf.IfOp) -> plan_model.OperationDetail | None:
    """Plan an `if`: memory for its tile results, in which both regions leave their tiles. Return one move for
    each region.
    """
    made = [
        planner.memory.own(op.results[at], plan_model.BufferizationReason.CARRIED) for at in tiles(op.results)
    ]
    moves: list[plan_model.Move] = []
    for region in op.regions:
        for block in region.blocks:
            planner.block(block)
            moves.append(_move(planner, plan_model.CopyPoint.LEAVE, _left(block), op.results))
    for tile in made:
        planner.memory.publish(tile, is_overwritable=True)
    return plan_model.Moves(tuple(moves))


def _while(planner: Planner, op: scf.WhileOp) -> plan_model.OperationDetail | None:
    """Plan an `scf.while`, whose first region decides whether the second region runs again: memory for the
    carried tiles. Return the moves at the beginning, between the regions, and at the end of each iteration.
    """
    (before,), (after,) = (region.blocks for region in op.regions)
    enter = _enter(planner, op, before.arguments, op.operands)
    planner.block(before)
    passed = _left(before)[1:]
    made = [
        planner.memory.own(after.arguments[at], plan_model.BufferizationReason.CARRIED)
        for at in tiles(passed)
    ]
    between = _move(planner, plan_model.CopyPoint.BETWEEN, passed, after.arguments)
    for tile in made:
        planner.memory.publish(tile, is_overwritable=True)
    planner.block(after)
    back = _move(planner, plan_model.CopyPoint.ITERATION, _left(after), before.arguments)
    _leave(planner, op.results, after.arguments)
    return plan_model.Moves((enter, between, back))


Rule = Callable[[Any, Any], plan_model.OperationDetail | None]
RULES: dict[type[Operation], Rule] = {
    ViewOp: _view,
    ConstantOp: _constant,
    ConstantTensorOp: _constant,
    tileaa_math.HistogramOp: _own,
    AllocTensorOp: _fresh,
    InsertSliceOp: _insert_slice,
    **dict.fromkeys(access_operations.ACCESSES, _effect),
    GetDimSizeOp: _memory_object,
    DotOp: _dot,
    tileaa_program.PrintOp: _print,
    llvm_memory.AllocaOp: _allocate,
    scf.ForOp: _for,
    scf.IfOp: _if,
    scf.WhileOp: _while,
}
"""The rules of operations that need decisions."""
