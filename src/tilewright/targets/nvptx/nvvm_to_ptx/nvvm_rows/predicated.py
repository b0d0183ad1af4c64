"""Loads and stores with a predicate: one instruction with a guard."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.nvvm.ops import predicated
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ptx.model import InstructionGuard, Operand
from tilewright.targets.nvptx.nvvm_to_ptx import accesses
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule
from tilewright.targets.nvptx.nvvm_to_ptx.legal import PREDICATES, RegisterSlot, layout
from tilewright.targets.nvptx.nvvm_to_ptx.rows.memory_rows import space_word
from tilewright.targets.nvptx.nvvm_to_ptx.rows.orders import spelt


def _guard(emit: PtxFunctionEmitter, predicate: Value) -> InstructionGuard:
    """Return the guard of an instruction. Guards cannot be constants."""
    return InstructionGuard(emit.in_register(emit.part(predicate), PREDICATES))


def _shape(emit: PtxFunctionEmitter, values: Sequence[Value]) -> tuple[list[RegisterSlot], list[int]]:
    """Return the registers of neighbouring values of one type, and their offsets from the first in bytes."""
    type, count = values[0].type, len(values)
    offsets, step = emit.offsets(type), layout(type).size
    return [*emit.slots(type)] * count, [at * step + offset for at in range(count) for offset in offsets]


def _parts(emit: PtxFunctionEmitter, values: Sequence[Value]) -> list[Operand]:
    return [part for value in values for part in emit.parts(value)]


def _load(emit: PtxFunctionEmitter, op: predicated.PredicatedLoadOp) -> None:
    base, start = emit.base(op.addr)
    condition = accesses.AccessPredicate(_guard(emit, op.predicate), _parts(emit, op.otherwise))
    name, shape = spelt("ld", space_word(emit, op.addr)), _shape(emit, op.res)
    read = accesses.read(emit, name, base, start, shape, op.alignment, condition=condition)
    size = len(read) // len(op.res)
    for at, value in enumerate(op.res):
        emit.bind(value, read[at * size : (at + 1) * size])


def _store(emit: PtxFunctionEmitter, op: predicated.PredicatedStoreOp) -> None:
    base, start = emit.base(op.addr)
    name, shape = spelt("st", space_word(emit, op.addr)), _shape(emit, op.value)
    guard = _guard(emit, op.predicate)
    accesses.write(emit, name, base, start, shape, _parts(emit, op.value), op.alignment, guard=guard)


ROWS: dict[type[Operation], Rule] = {
    predicated.PredicatedLoadOp: _load,
    predicated.PredicatedStoreOp: _store,
}
