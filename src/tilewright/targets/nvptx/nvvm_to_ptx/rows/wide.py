"""Integers of 128 bits: two registers of 64 bits, the low half first."""

from __future__ import annotations

from tilewright.dialects.llvm.ops import arithmetic
from tilewright.ir.operation import Operation
from tilewright.ptx.model import IntegerConstant, Operand
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule

WIDTH = 128


def _carried(name: str) -> Rule:
    """Return the rule of a 128-bit sum or difference, for `name` ``add`` or ``sub``; the carry of the low
    half goes into the high half.
    """

    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        (a, b), (c, d) = emit.parts(op.operands[0]), emit.parts(op.operands[1])
        low = emit.compute(f"{name}.cc.u64", a, c)
        emit.bind(op.results[0], (low, emit.compute(f"{name}c.u64", b, d)))

    return rule


def _halves(name: str) -> Rule:
    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        pairs = zip(emit.parts(op.operands[0]), emit.parts(op.operands[1]), strict=True)
        emit.bind(op.results[0], [emit.compute(f"{name}.b64", a, b) for a, b in pairs])

    return rule


def _product(emit: PtxFunctionEmitter, op: Operation) -> None:
    (a, b), (c, d) = emit.parts(op.operands[0]), emit.parts(op.operands[1])
    high: Operand = emit.compute("mul.hi.u64", a, c)
    high = emit.compute("mad.lo.s64", a, d, high)
    high = emit.compute("mad.lo.s64", b, c, high)
    emit.bind(op.results[0], (emit.compute("mul.lo.s64", a, c), high))


def _shift(name: str) -> Rule:
    """Return the rule of a 128-bit shift by the instruction `name` on halves: ``shl.b64``, ``shr.u64`` or
    ``shr.s64``. A half receives the bits shifted out of the other; from 64 on, one half is the shifted other
    half, and the other is filled with zeros or the sign.
    """

    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        low, high = emit.parts(op.operands[0])
        count = emit.resized(emit.parts(op.operands[1])[0], 64, 32)
        left = name == "shl.b64"
        near, far = (low, high) if left else (high, low)
        bits_out = "shr.u64" if left else "shl.b64"
        across = emit.compute("sub.s32", IntegerConstant(63), count)
        fallen = emit.compute(bits_out, emit.compute(bits_out, near, IntegerConstant(1)), across)
        keep = "shl.b64" if left else "shr.u64"
        small = emit.compute("or.b64", emit.compute(keep, far, count), fallen)
        moved = emit.compute(name, near, count)
        large = emit.compute(name, near, emit.compute("sub.s32", count, IntegerConstant(64)))
        filled: Operand = (
            emit.compute("shr.s64", near, IntegerConstant(63)) if name == "shr.s64" else IntegerConstant(0)
        )
        is_large = emit.compute("setp.gt.u32", count, IntegerConstant(63))
        new_far = emit.compute("selp.b64", large, small, is_large)
        new_near = emit.compute("selp.b64", filled, moved, is_large)
        emit.bind(op.results[0], (new_near, new_far) if left else (new_far, new_near))

    return rule


def no_instruction(emit: PtxFunctionEmitter, op: Operation) -> None:
    """Refuse an operation on integers of 128 bits. Raises `DiagnosticError`."""
    raise emit.refused("the operation is not supported for i128", "compute with integers of at most 64 bits")


WIDE: dict[type[Operation], Rule] = {
    arithmetic.AddOp: _carried("add"),
    arithmetic.SubOp: _carried("sub"),
    arithmetic.AndOp: _halves("and"),
    arithmetic.OrOp: _halves("or"),
    arithmetic.XOrOp: _halves("xor"),
    arithmetic.MulOp: _product,
    arithmetic.ShlOp: _shift("shl.b64"),
    arithmetic.LShrOp: _shift("shr.u64"),
    arithmetic.AShrOp: _shift("shr.s64"),
}
"""The rules of operations on integers of 128 bits; other operations are refused."""
