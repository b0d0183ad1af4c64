"""Constants, elements of vectors and members of structs: mostly renamings of registers, without code."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.llvm.intrinsics import memory as intrinsics, vector
from tilewright.dialects.llvm.ops import aggregate
from tilewright.dialects.llvm.types import LLVMArrayType, LLVMStructType
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ptx.model import IntegerConstant, Operand
from tilewright.targets.nvptx.nvvm_to_ptx import constants, legal
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule
from tilewright.targets.nvptx.nvvm_to_ptx.rows.comparisons import chosen


def _constant(emit: PtxFunctionEmitter, op: aggregate.ConstantOp) -> None:
    emit.slots(op.res.type)
    try:
        emit.bind(op.res, map(IntegerConstant, constants.numbers(op.value, op.res.type)))
    except constants.UnwritableConstant:
        hint = "numbers, strings, vectors, arrays and structs of these have a form"
        raise emit.refused(f"a constant {op.value}", hint) from None


def _zero(emit: PtxFunctionEmitter, op: Operation) -> None:
    """Bind a result to zeros; the value of an undefined result is arbitrary."""
    emit.bind(op.results[0], [IntegerConstant(0)] * len(emit.slots(op.results[0].type)))


# --- vectors


def _known(value: Operand) -> int | None:
    return value.value if isinstance(value, IntegerConstant) else None


def _extract(emit: PtxFunctionEmitter, op: aggregate.ExtractElementOp) -> None:
    lanes = emit.lanes(op.vector)
    at = _known(emit.part(op.position))
    if at is not None:
        emit.bind(op.res, [lanes[at] if at < len(lanes) else IntegerConstant(0)])
        return
    bits = _lane_bits(emit, op.res.type)
    found = lanes[0]
    for number, lane in enumerate(lanes[1:], 1):
        found = chosen(emit, bits, _is_position(emit, op.position, number), lane, found)
    emit.bind(op.res, [found])


def _lane_bits(emit: PtxFunctionEmitter, type: Type) -> int:
    width = emit.width(type)
    return 1 if width == 1 else legal.register_bits(width)


def _is_position(emit: PtxFunctionEmitter, position: Value, number: int) -> Operand:
    bits = legal.register_bits(emit.width(position.type))
    return emit.compute(f"setp.eq.b{bits}", emit.part(position), IntegerConstant(number))


def _insert(emit: PtxFunctionEmitter, op: aggregate.InsertElementOp) -> None:
    lanes, new = emit.lanes(op.vector), emit.part(op.value)
    at = _known(emit.part(op.position))
    if at is not None:
        lanes[at : at + 1] = [new]
    else:
        bits = _lane_bits(emit, op.value.type)
        lanes = [
            chosen(emit, bits, _is_position(emit, op.position, number), new, lane)
            for number, lane in enumerate(lanes)
        ]
    emit.bind_lanes(op.res, lanes)


def _shuffle(emit: PtxFunctionEmitter, op: aggregate.ShuffleVectorOp) -> None:
    lanes = [*emit.lanes(op.v1), *emit.lanes(op.v2)]
    emit.bind_lanes(op.res, [lanes[at] if at >= 0 else IntegerConstant(0) for at in op.mask])


def _piece(emit: PtxFunctionEmitter, op: vector.VectorExtractOp) -> None:
    lanes = emit.lanes(op.srcvec)
    emit.bind_lanes(op.res, lanes[op.pos : op.pos + legal.lanes_of(op.res.type)])


def _replaced(emit: PtxFunctionEmitter, op: vector.VectorInsertOp) -> None:
    lanes, new = emit.lanes(op.dstvec), emit.lanes(op.srcvec)
    lanes[op.pos : op.pos + len(new)] = new
    emit.bind_lanes(op.res, lanes)


# --- structs and arrays


def _span(emit: PtxFunctionEmitter, type: Type, path: Sequence[int]) -> tuple[int, int]:
    """Return the first and the end index, exclusive, of the parts of the member at `path` among the parts of
    a value of `type`.
    """
    start = 0
    for at in path:
        if isinstance(type, LLVMStructType):
            body = type.body or ()
            start += sum(len(emit.slots(member)) for member in body[:at])
            type = body[at]
        else:
            assert isinstance(type, LLVMArrayType)
            type = type.element_type
            start += len(emit.slots(type)) * at
    return start, start + len(emit.slots(type))


def _member(emit: PtxFunctionEmitter, op: aggregate.ExtractValueOp) -> None:
    start, end = _span(emit, op.container.type, op.position)
    emit.bind(op.res, emit.parts(op.container)[start:end])


def _with_member(emit: PtxFunctionEmitter, op: aggregate.InsertValueOp) -> None:
    start, end = _span(emit, op.container.type, op.position)
    parts = emit.parts(op.container)
    emit.bind(op.res, (*parts[:start], *emit.parts(op.value), *parts[end:]))


def _same(emit: PtxFunctionEmitter, op: Operation) -> None:
    """Bind a result to the first operand, for operations that only annotate it."""
    emit.alias(op.results[0], op.operands[0])


def _nothing(emit: PtxFunctionEmitter, op: Operation) -> None:
    """Emit nothing for hints without a form in PTX."""


ROWS: dict[type[Operation], Rule] = {
    aggregate.ConstantOp: _constant,
    aggregate.UndefOp: _zero,
    aggregate.PoisonOp: _zero,
    aggregate.ZeroOp: _zero,
    aggregate.ExtractElementOp: _extract,
    aggregate.InsertElementOp: _insert,
    aggregate.ShuffleVectorOp: _shuffle,
    aggregate.ExtractValueOp: _member,
    aggregate.InsertValueOp: _with_member,
    vector.VectorExtractOp: _piece,
    vector.VectorInsertOp: _replaced,
    intrinsics.ExpectOp: _same,
    intrinsics.SSACopyOp: _same,
    intrinsics.LaunderInvariantGroupOp: _same,
    intrinsics.StripInvariantGroupOp: _same,
    intrinsics.AssumeOp: _nothing,
    intrinsics.LifetimeStartOp: _nothing,
    intrinsics.LifetimeEndOp: _nothing,
}
