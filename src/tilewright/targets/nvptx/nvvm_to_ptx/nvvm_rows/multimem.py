"""Accesses to the copies of several devices: order, scope and operation are suffixes of the instruction."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering
from tilewright.dialects.nvvm.ops import multimem
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ptx.model import Operand, Vector
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule
from tilewright.targets.nvptx.nvvm_to_ptx.legal import PAIRED, element_of
from tilewright.targets.nvptx.nvvm_to_ptx.rows.atomics import NATIVE
from tilewright.targets.nvptx.nvvm_to_ptx.rows.memory_rows import space_word
from tilewright.targets.nvptx.nvvm_to_ptx.rows.orders import LOADS, STORES, UPDATES, scope_word

Kind = AtomicBinaryOperation
FLOATS = {Kind.FADD: "add", Kind.FMAX: "max", Kind.FMIN: "min"}
WORD_TYPES = {
    builtin_types.f16: "f16x2",
    builtin_types.bf16: "bf16x2",
    builtin_types.f32: "f32",
    builtin_types.f64: "f64",
}
"""The type suffixes of float types; f16 and bf16 are moved in pairs."""


def _order(emit: PtxFunctionEmitter, op: multimem.MultimemOp, words: dict[AtomicOrdering, str]) -> str:
    if op.ordering is AtomicOrdering.NOT_ATOMIC:
        return "weak"
    return f"{words[op.ordering]}.{scope_word(emit, op.syncscope)}"


def _spelling(name: str, *words: str) -> str:
    return ".".join(("multimem", name, *filter(None, words)))


def _is_paired(type: Type) -> bool:
    return element_of(type) in PAIRED


def _word_type(emit: PtxFunctionEmitter, type: Type) -> str:
    """Return the vector and type suffixes of an access to a value of `type`, such as ``v2.f16x2``, ``f32``
    or, for integers, ``b32``.
    """
    element = element_of(type)
    if not isinstance(element, builtin_types.FloatType):
        return f"b{emit.width(type)}"
    count = type.shape[0] if isinstance(type, builtin_types.VectorType) else 1
    words = count // 2 if _is_paired(type) else count
    return (f"v{words}." if words > 1 else "") + WORD_TYPES[element]


def _combining(emit: PtxFunctionEmitter, kind: Kind, type: Type, *, exactly: bool = False) -> str:
    """Return the suffixes of the operation `kind` and its type, such as ``add.v2.f32``. With `exactly`, sums
    of f16 or bf16 are accumulated in f32.
    """
    if kind not in FLOATS:
        return NATIVE[kind][emit.width(type)]
    kept = "acc::f32." if exactly and kind is Kind.FADD and _is_paired(type) else ""
    return f"{FLOATS[kind]}.{kept}{_word_type(emit, type)}"


def _held(emit: PtxFunctionEmitter, value: Value) -> Operand:
    """Return the words of a value, each in a register: these instructions take no constants."""
    pairs = zip(emit.parts(value), emit.slots(value.type), strict=True)
    return _listed([emit.in_register(part, slot.register) for part, slot in pairs])


def _listed(words: Sequence[Operand]) -> Operand:
    """Return registers as one operand: a single register as it is, more as the vector ``{a, b}``."""
    return Vector(tuple(words)) if len(words) > 1 else words[0]


def _load(emit: PtxFunctionEmitter, op: multimem.MultimemLdReduceOp) -> None:
    combining = _combining(emit, op.bin_op, op.res.type, exactly=True)
    spelling = _spelling("ld_reduce", _order(emit, op, LOADS), space_word(emit, op.addr), combining)
    emit.emit(spelling, _listed(emit.fresh(op.res)), emit.address(op.addr))


def _store(emit: PtxFunctionEmitter, op: multimem.MultimemStOp) -> None:
    order, type = _order(emit, op, STORES), _word_type(emit, op.value.type)
    spelling = _spelling("st", order, space_word(emit, op.addr), type)
    emit.emit(spelling, emit.address(op.addr), _held(emit, op.value))


def _update(emit: PtxFunctionEmitter, op: multimem.MultimemRedOp) -> None:
    combining = _combining(emit, op.bin_op, op.value.type)
    spelling = _spelling("red", _order(emit, op, UPDATES), space_word(emit, op.addr), combining)
    emit.emit(spelling, emit.address(op.addr), _held(emit, op.value))


ROWS: dict[type[Operation], Rule] = {
    multimem.MultimemLdReduceOp: _load,
    multimem.MultimemStOp: _store,
    multimem.MultimemRedOp: _update,
}
