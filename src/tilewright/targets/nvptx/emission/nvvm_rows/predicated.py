"""Loads and stores under a predicate: one instruction with a guard."""

from __future__ import annotations

from tilewright.dialects.nvvm.ops import predicated
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ptx.model import Guard
from tilewright.targets.nvptx.emission import accesses
from tilewright.targets.nvptx.emission.emitter import FunctionEmitter, Rule
from tilewright.targets.nvptx.emission.legal import PREDICATES
from tilewright.targets.nvptx.emission.rows.memory import space_word
from tilewright.targets.nvptx.emission.rows.orders import spelt


def _guard(emit: FunctionEmitter, predicate: Value) -> Guard:
    """The guard of an instruction; instructions are not guarded by constants."""
    return Guard(emit.in_register(emit.part(predicate), PREDICATES))


def _load(emit: FunctionEmitter, op: predicated.PredicatedLoadOp) -> None:
    base, start = emit.base(op.addr)
    shape = emit.slots(op.res.type), emit.offsets(op.res.type)
    condition = accesses.Condition(_guard(emit, op.predicate), emit.parts(op.otherwise))
    name = spelt("ld", space_word(emit, op.addr))
    emit.bind(op.res, accesses.read(emit, name, base, start, shape, op.alignment, condition=condition))


def _store(emit: FunctionEmitter, op: predicated.PredicatedStoreOp) -> None:
    base, start = emit.base(op.addr)
    shape, parts = (emit.slots(op.value.type), emit.offsets(op.value.type)), emit.parts(op.value)
    name = spelt("st", space_word(emit, op.addr))
    accesses.write(emit, name, base, start, shape, parts, op.alignment, guard=_guard(emit, op.predicate))


ROWS: dict[type[Operation], Rule] = {
    predicated.PredicatedLoadOp: _load,
    predicated.PredicatedStoreOp: _store,
}
