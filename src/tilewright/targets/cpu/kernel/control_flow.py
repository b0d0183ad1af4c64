"""Loops and branches of the program: scalars are passed as values, tiles in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.llvm.ops import arithmetic
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.scf import ops_loop as scf
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.cpu.kernel import stopping, waiting
from tilewright.targets.cpu.memory.buffer import TileBuffer
from tilewright.targets.cpu.nest.block_code import BlockCode
from tilewright.targets.cpu.plan.model import Move, Moves, row_major
from tilewright.targets.elements.element_types import element_of, is_tile, register_type
from tilewright.targets.llvm.code import LlvmBuilder


def is_token(value: Value) -> bool:
    """Return whether a value is a token, which only orders operations: no tile, integer, index or pointer,
    and the name of its type ends with ``token``.
    """
    return (
        not is_tile(value.type)
        and not isinstance(value.type, builtin_types.IntegerType | builtin_types.IndexType | LLVMPointerType)
        and value.type.name.endswith("token")
    )


def carried(values: Sequence[Value]) -> list[Value]:
    """Return the loop-carried or yielded `values` that are passed as block arguments: scalars, but no tokens."""
    return [value for value in values if not is_tile(value.type) and not is_token(value)]


def _bind(emit: BlockCode, names: Sequence[Value], values: Sequence[Value]) -> None:
    for name, value in zip(carried(names), values, strict=True):
        emit.scalars[name] = value


def _move(emit: BlockCode, move: Move) -> None:
    """Copy tiles to the buffers in which they are carried, as `move` says; through temporary buffers
    (``move.through``) if a copy would overwrite the source of another.
    """
    pairs = [(emit.buffers[source], emit.buffer_for(target)) for source, target in move.copies]
    if move.through:
        slots = zip(pairs, move.through, strict=True)
        fresh = [_without_gaps(source, emit.address_of(slot)) for (source, _), slot in slots]
        for (source, _), copy in zip(pairs, fresh, strict=True):
            emit.copy(source, copy)
        pairs = [(copy, target) for copy, (_, target) in zip(fresh, pairs, strict=True)]
    for source, target in pairs:
        emit.copy(source, target)


def _without_gaps(tile: TileBuffer, address: Value) -> TileBuffer:
    """Return a buffer at `address` with the shape of `tile` and contiguous elements in row-major order."""
    return TileBuffer(address, tile.shape, row_major(tile.shape), tile.element)


def _enter(emit: BlockCode, names: Sequence[Value], move: Move) -> None:
    """Copy the initial values of carried tiles to their memory, and mark the carried tiles as stored there."""
    _open(emit, names)
    _move(emit, move)
    _hold(emit, names)


def _hold(emit: BlockCode, names: Sequence[Value]) -> None:
    """From here on, read the carried tiles `names` from their buffers, in which their elements now are."""
    for value in names:
        if is_tile(value.type):
            emit.hold(value)


def _open(emit: BlockCode, names: Sequence[Value]) -> None:
    """Allocate the buffers of the carried tiles `names`."""
    for value in names:
        if is_tile(value.type):
            emit.buffer_for(value)


def _for(emit: BlockCode, op: scf.ForOp, plan: Moves) -> None:
    """Emit an `scf.for`, which iterates while the index is below the bound, and record its results. Indices
    are compared as signed numbers unless the operation says otherwise.
    """
    code = emit.code
    (block,) = op.regions[0].blocks
    position, *names = block.arguments
    lower, upper, step, *first = op.operands
    enter, back = plan.moves
    _enter(emit, names, enter)
    start, stop, stride = (emit.scalars[value] for value in (lower, upper, step))
    scalars = [emit.scalars[value] for value in carried(first)]
    types = [value.type for value in scalars]
    body, done = code.new_block([start.type, *types]), code.new_block(types)
    relation = "ult" if getattr(op, "unsignedCmp", False) else "slt"
    follows = _has_next(code, step, stop, stride, relation)
    code.fork(code.compare_integers(relation, start, stop), body, done, [start, *scalars], scalars)
    code.enter(body)
    if stopping.may_take_long(op):
        stopping.round_begins(emit, op)
    emit.scalars[position] = body.arguments[0]
    _bind(emit, names, body.arguments[1:])
    emit.block(block)
    left = _yielded(block)
    _move(emit, back)
    following = code.sum(body.arguments[0], stride)
    values = [emit.scalars[value] for value in carried(left)]
    code.fork(follows(body.arguments[0], following), body, done, [following, *values], values)
    code.enter(done)
    _bind(emit, op.results, done.arguments)
    _hold(emit, op.results)


def _has_next(
    code: LlvmBuilder, step: Value, stop: Value, stride: Value, relation: str
) -> Callable[[Value, Value], Value]:
    """Return a function that emits whether there is another iteration, from the current index and the next
    index. `relation` is ``slt`` or ``ult``, the signed or unsigned comparison with the bound `stop`.

    A step (`stride`) of 1 cannot overshoot the bound, so the next index is compared with the bound. Another
    step may exceed the range of the type and wrap around. The step is then compared with the distance from
    the index to the bound, as unsigned numbers. Both are reduced by 1, which ends a loop with the illegal
    step 0.
    """
    if _is_one(step):
        return lambda _, following: code.compare_integers(relation, following, stop)
    one = code.integer(1, stop.type)
    last, advance = code(arithmetic.SubOp, stop, one), code(arithmetic.SubOp, stride, one)
    return lambda position, _: code.compare_integers("ult", advance, code(arithmetic.SubOp, last, position))


def _is_one(value: Value) -> bool:
    """Return whether a value is the constant 1."""
    constant = value.owner.value if isinstance(value.owner, ConstantOp) else None
    return isinstance(constant, builtin_attributes.IntegerAttr) and constant.value == 1


def _yielded(block: ir_block.Block) -> Sequence[Value]:
    terminator = block.terminator
    assert terminator is not None
    return terminator.operands


def _if(emit: BlockCode, op: scf.IfOp, plan: Moves) -> None:
    """Emit an `scf.if`; both regions leave their tiles in the same memory."""
    code, moves = emit.code, iter(plan.moves)
    _open(emit, op.results)
    types = [register_type(element_of(value.type)) for value in carried(op.results)]

    def branch(region: Any) -> Sequence[Value]:
        if not region.blocks:
            return ()
        (block,) = region.blocks
        emit.block(block)
        _move(emit, next(moves))
        left = _yielded(block)
        return [emit.scalars[value] for value in carried(left)]

    yes, no = op.regions
    results = code.either(emit.scalars[op.operands[0]], lambda: branch(yes), lambda: branch(no), types)
    _bind(emit, op.results, results)
    _hold(emit, op.results)


def _while(emit: BlockCode, op: scf.WhileOp, plan: Moves) -> None:
    """Emit an `scf.while`: the first region decides whether the second region runs again. A loop that only
    waits for other tile blocks counts as waiting meanwhile; a small body is emitted several times, with one
    test for the end of the launch.
    """
    code = emit.code
    (before,), (after,) = (region.blocks for region in op.regions)
    enter, between, back = plan.moves
    _enter(emit, before.arguments, enter)
    scalars = [emit.scalars[value] for value in carried(op.operands)]
    head = code.new_block([value.type for value in scalars])
    done = code.new_block([register_type(element_of(value.type)) for value in carried(op.results)])
    is_waiting = waiting.is_waiting(op)
    if is_waiting:
        waiting.begin(emit, op)
    code.jump(head, scalars)
    code.enter(head)
    scalars = head.arguments
    for number in range(1 if is_waiting else stopping.unrolled_iterations(op)):
        _bind(emit, before.arguments, scalars)
        emit.block(before)
        condition, *passed = _yielded(before)
        _open(emit, after.arguments)
        _move(emit, between)
        values = [emit.scalars[value] for value in carried(passed)]
        body = code.new_block()
        code.fork(emit.scalars[condition], body, done, (), values)
        code.enter(body)
        if is_waiting:
            waiting.round_begins(emit)
        elif number == 0:
            stopping.round_begins(emit, op)
        _bind(emit, after.arguments, values)
        _hold(emit, after.arguments)
        emit.block(after)
        _move(emit, back)
        scalars = [emit.scalars[value] for value in carried(_yielded(after))]
    code.jump(head, scalars)
    code.enter(done)
    if is_waiting:
        waiting.end(emit)
    _bind(emit, op.results, done.arguments)
    _hold(emit, op.results)


def _nothing(emit: BlockCode, op: Operation) -> None:
    """Emit no code for a terminator: the rule of its parent operation uses the operands."""


RULES: dict[type[Operation], Any] = {
    scf.ForOp: _for,
    scf.IfOp: _if,
    scf.WhileOp: _while,
    scf.YieldOp: _nothing,
    scf.ConditionOp: _nothing,
}
