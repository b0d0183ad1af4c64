"""Branches: block arguments are moved in parallel on the edges to their blocks."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.llvm.ops import control
from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ptx.model import InstructionGuard, IntegerConstant, Name, Operand
from tilewright.targets.llvm.instructions import successor_operands
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule
from tilewright.targets.nvptx.nvvm_to_ptx.legal import RegisterSlot, register_bits

Move = tuple[Name, Operand, RegisterSlot]
Edge = tuple[Block, Sequence[Value]]


def moves(emit: PtxFunctionEmitter, edge: Edge) -> list[Move]:
    """Return the moves of an edge: registers of block arguments that receive another value."""
    block, values = edge
    found: list[Move] = []
    for argument, value in zip(block.arguments, values, strict=True):
        for target, source, slot in zip(
            emit.parts(argument), emit.parts(value), emit.slots(argument.type), strict=True
        ):
            assert isinstance(target, Name)
            if target != source:
                found.append((target, source, slot))
    return found


def move_together(emit: PtxFunctionEmitter, pending: list[Move]) -> None:
    """Emit parallel moves: a register is written when no pending move reads it; a cycle is broken by a copy."""
    while pending:
        needed = {source.text for _, source, _ in pending if isinstance(source, Name)}
        free = [move for move in pending if move[0].text not in needed]
        if not free:
            target, _, slot = pending[0]
            copy = emit.register(slot.register)
            _move(emit, copy, target, slot)
            pending = [(to, copy if source == target else source, one) for to, source, one in pending]
            continue
        for target, source, slot in free:
            _move(emit, target, source, slot)
        pending = [move for move in pending if move[0].text in needed]


def _move(emit: PtxFunctionEmitter, target: Name, source: Operand, slot: RegisterSlot) -> None:
    emit.emit(f"mov.{slot.register.type}", target, source)


def _go(emit: PtxFunctionEmitter, edge: Edge, *, last: bool) -> None:
    """Emit the moves of an edge and the jump to its block. With `last`, the jump to the following block is
    left out.
    """
    move_together(emit, moves(emit, edge))
    if not (last and edge[0] is emit.following):
        emit.emit("bra", Name(emit.labels[edge[0]]))


def _branch(emit: PtxFunctionEmitter, op: control.BrOp) -> None:
    _go(emit, (op.dest, op.destOperands), last=True)


def _conditional(emit: PtxFunctionEmitter, op: control.CondBrOp) -> None:
    yes, no = successor_operands(op)
    condition = emit.part(op.condition)
    if isinstance(condition, IntegerConstant):
        _go(emit, yes if condition.value & 1 else no, last=True)
        return
    assert isinstance(condition, Name)
    if moves(emit, yes) or yes[0] is emit.following:
        _fork(emit, InstructionGuard(condition, True), no, yes)
    else:
        _fork(emit, InstructionGuard(condition), yes, no)


def _fork(emit: PtxFunctionEmitter, guard: InstructionGuard, side: Edge, rest: Edge) -> None:
    """Branch along `side` if the guard holds, otherwise along `rest`. If `side` has moves, they stand at a
    new label after the code of `rest`; the moves of `rest` follow the branch.
    """
    if not moves(emit, side):
        emit.emit("bra", Name(emit.labels[side[0]]), guard=guard)
        _go(emit, rest, last=True)
        return
    place = emit.label()
    emit.emit("bra", Name(place), guard=guard)
    _go(emit, rest, last=False)
    emit.mark(place)
    _go(emit, side, last=True)


def _switch(emit: PtxFunctionEmitter, op: control.SwitchOp) -> None:
    """Emit a comparison and a branch for each case, in order, and then the jump to the default block. An edge
    with moves gets its own label.
    """
    default, *cases = successor_operands(op)
    width = emit.width(op.value.type)
    bits = register_bits(width)
    value = emit.resized(emit.part(op.value), width, max(bits, 16))
    numbers: list[int] = op.case_values.patterns() if op.case_values is not None else []
    numbers *= len(cases) if len(numbers) == 1 else 1
    places: list[tuple[str, Edge]] = []
    for number, edge in zip(numbers, cases, strict=True):
        is_case = emit.compute(f"setp.eq.b{max(bits, 16)}", value, IntegerConstant(number & (1 << width) - 1))
        label = emit.label() if moves(emit, edge) else emit.labels[edge[0]]
        emit.emit("bra", Name(label), guard=InstructionGuard(is_case))
        if moves(emit, edge):
            places.append((label, edge))
    _go(emit, default, last=not places)
    for label, edge in places:
        emit.mark(label)
        _go(emit, edge, last=False)


def _unreachable(emit: PtxFunctionEmitter, op: Operation) -> None:
    """Emit `trap` and `exit`, which tell the assembler that the code is unreachable."""
    emit.emit("trap")
    emit.emit("exit")


ROWS: dict[type[Operation], Rule] = {
    control.BrOp: _branch,
    control.CondBrOp: _conditional,
    control.SwitchOp: _switch,
    control.UnreachableOp: _unreachable,
}
