"""Saturating arithmetic, and arithmetic with an overflow flag.

Up to 32 bits the exact result is computed in a register of at least twice the width: it overflows if
extending its low bits gives another number. With 64 bits signs, carries and the high half of the product
determine the overflow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tilewright.dialects.llvm.intrinsics import integer as intrinsics
from tilewright.dialects.llvm.types import LLVMStructType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ptx.model import IntegerConstant, Operand
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule

WIDEST = 32
"""The maximum width of integers whose exact results fit a register, in bits."""


@dataclass(frozen=True, slots=True)
class ExactOperation:
    """An operation on integers of up to 32 bits that can be computed exactly in a wider register: its PTX
    name, the modifier between name and type (``words``), and the signedness of its operands.
    """

    name: str
    signed: bool
    words: str = ""

    @property
    def kind(self) -> str:
        """Return the prefix of the type: ``s`` or ``u``."""
        return "s" if self.signed else "u"

    def result(self, emit: PtxFunctionEmitter, width: int, a: Operand, b: Operand) -> tuple[int, Operand]:
        """Return the width of a register for the exact result on integers of `width` bits, at most 32, and
        the result. The result is signed for unsigned operands too, since differences may be negative.
        """
        bits = 32 if width < WIDEST // 2 else 64
        if self.signed:
            a, b = emit.signed(a, width, bits), emit.signed(b, width, bits)
        else:
            a, b = emit.resized(a, width, bits), emit.resized(b, width, bits)
        return bits, emit.compute(f"{self.name}{self.words}.s{bits}", a, b)

    def wrapped(self, emit: PtxFunctionEmitter, width: int, a: Operand, b: Operand) -> Operand:
        """Return the low `width` bits of the result; `width` is the width of a register (16, 32 or 64)."""
        return emit.compute(f"{self.name}{self.words}.s{width}", a, b)


def _limits(width: int, *, signed: bool) -> tuple[int, int]:
    return (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)


# --- saturation


def _saturating(exact: ExactOperation) -> Rule:
    whole = _whole_sum if exact.signed else _saturate_unsigned

    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        width = emit.width(op.results[0].type)

        def lane(a: Operand, b: Operand) -> Operand:
            if width == WIDEST and exact.signed:
                return emit.compute(f"{exact.name}.sat.s32", a, b)
            if width > WIDEST:
                return whole(emit, exact, a, b)
            bits, result = exact.result(emit, width, a, b)
            return _clamped(emit, bits, width, result, signed=exact.signed)

        emit.each_two(op, lane)

    return rule


def _clamped(emit: PtxFunctionEmitter, bits: int, width: int, value: Operand, *, signed: bool) -> Operand:
    low, high = _limits(width, signed=signed)
    above = emit.compute(f"max.s{bits}", value, IntegerConstant(low & (1 << 64) - 1))
    return emit.resized(emit.compute(f"min.s{bits}", above, IntegerConstant(high)), bits, width)


def _saturate_unsigned(emit: PtxFunctionEmitter, exact: ExactOperation, a: Operand, b: Operand) -> Operand:
    """Return the sum or difference of the unsigned 64-bit integers `a` and `b`, as `exact` says, saturated: a
    sum that overflows is all ones, a negative difference 0.
    """
    if exact.name == "sub":
        return emit.compute("sub.s64", emit.compute("max.u64", a, b), b)
    total = exact.wrapped(emit, 64, a, b)
    return emit.compute(
        "selp.b64", IntegerConstant(-1 & (1 << 64) - 1), total, emit.compute("setp.lt.u64", total, a)
    )


def _whole_sum(emit: PtxFunctionEmitter, exact: ExactOperation, a: Operand, b: Operand) -> Operand:
    """Return the sum or difference of the signed 64-bit integers `a` and `b`, as `exact` says; on overflow
    the largest or smallest integer, with the sign of `a`.
    """
    total = exact.wrapped(emit, 64, a, b)
    limit = emit.compute(
        "xor.b64", emit.compute("shr.s64", a, IntegerConstant(63)), IntegerConstant((1 << 63) - 1)
    )
    return emit.compute("selp.b64", limit, total, _signed_overflows(emit, exact, a, b, total))


def _signed_overflows(
    emit: PtxFunctionEmitter, exact: ExactOperation, a: Operand, b: Operand, total: Operand
) -> Operand:
    """Return a predicate: whether the sum or difference of the signed 64-bit integers `a` and `b`, as `exact`
    says, overflows. `total` is its low 64 bits.
    """
    from_a = emit.compute("xor.b64", a, total)
    from_b = emit.compute("xor.b64", b, total if exact.name == "add" else a)
    return emit.compute("setp.lt.s64", emit.compute("and.b64", from_a, from_b), IntegerConstant(0))


def _shifted(*, signed: bool) -> Rule:
    """Return the rule of a left shift that saturates where bits are lost, to the limits of signed or unsigned
    integers.
    """

    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        width = emit.width(op.results[0].type)
        emit.each_two(op, lambda a, b: _shift(emit, width, a, b, signed=signed))

    return rule


def _shift(emit: PtxFunctionEmitter, width: int, a: Operand, b: Operand, *, signed: bool) -> Operand:
    """Return ``a << b`` for integers of `width` bits, saturated; `a` and the limits are signed if `signed`.
    The shift is done at the upper end of 64 bits: shifting back shows whether bits were lost.
    """
    kind, gap = "s" if signed else "u", 64 - width
    count = emit.resized(b, width, 32)
    high = emit.compute("shl.b64", emit.resized(a, width, 64), IntegerConstant(gap))
    moved = emit.compute("shl.b64", high, count)
    lost = emit.compute("setp.ne.b64", emit.compute(f"shr.{kind}64", moved, count), high)
    limit: Operand = IntegerConstant((1 << 64) - 1)
    if signed:
        limit = emit.compute(
            "xor.b64", emit.compute("shr.s64", high, IntegerConstant(63)), IntegerConstant((1 << 63) - 1)
        )
    found = emit.compute("selp.b64", limit, moved, lost)
    return emit.resized(emit.compute("shr.u64", found, IntegerConstant(gap)), 64, width)


# --- overflow flags


OverflowTest = Callable[[PtxFunctionEmitter, ExactOperation, Operand, Operand, Operand], Operand]


def _telling(exact: ExactOperation, wraps: OverflowTest) -> Rule:
    def rule(emit: PtxFunctionEmitter, op: intrinsics.OverflowOp) -> None:
        width = emit.width(op.lhs.type)
        pairs = list(zip(emit.lanes(op.lhs), emit.lanes(op.rhs), strict=True))
        lanes = [_told(emit, exact, wraps, width, a, b) for a, b in pairs]
        _bind_both(emit, op.results[0], [low for low, _ in lanes], [flag for _, flag in lanes])

    return rule  # pyright: ignore[reportReturnType]


def _bind_both(emit: PtxFunctionEmitter, target: Value, lows: list[Operand], flags: list[Operand]) -> None:
    assert isinstance(target.type, LLVMStructType)
    assert target.type.body, "a number and whether it wrapped"
    numbers, bits = target.type.body
    emit.bind(target, (*emit.packed(numbers, lows), *emit.packed(bits, flags)))


def _told(
    emit: PtxFunctionEmitter, exact: ExactOperation, wraps: OverflowTest, width: int, a: Operand, b: Operand
) -> tuple[Operand, Operand]:
    if width > WIDEST:
        total = exact.wrapped(emit, 64, a, b)
        return total, wraps(emit, exact, a, b, total)
    bits, result = exact.result(emit, width, a, b)
    low = emit.resized(result, bits, width)
    again = emit.signed(low, width, bits) if exact.signed else emit.resized(low, width, bits)
    return low, emit.compute(f"setp.ne.b{bits}", again, result)


def _carry(
    emit: PtxFunctionEmitter, exact: ExactOperation, a: Operand, b: Operand, total: Operand
) -> Operand:
    return emit.compute("setp.lt.u64", *((a, b) if exact.name == "sub" else (total, a)))


def _high_half(
    emit: PtxFunctionEmitter, exact: ExactOperation, a: Operand, b: Operand, total: Operand
) -> Operand:
    high = emit.compute(f"mul.hi.{exact.kind}64", a, b)
    wanted: Operand = (
        emit.compute("shr.s64", total, IntegerConstant(63)) if exact.signed else IntegerConstant(0)
    )
    return emit.compute("setp.ne.b64", high, wanted)


ADD, SUBTRACT = ExactOperation("add", True), ExactOperation("sub", True)
ADD_NATURAL, SUBTRACT_NATURAL = ExactOperation("add", False), ExactOperation("sub", False)

ROWS: dict[type[Operation], Rule] = {
    intrinsics.SAddSatOp: _saturating(ADD),
    intrinsics.SSubSatOp: _saturating(SUBTRACT),
    intrinsics.UAddSatOp: _saturating(ADD_NATURAL),
    intrinsics.USubSatOp: _saturating(SUBTRACT_NATURAL),
    intrinsics.SSHLSatOp: _shifted(signed=True),
    intrinsics.USHLSatOp: _shifted(signed=False),
    intrinsics.SAddWithOverflowOp: _telling(ADD, _signed_overflows),
    intrinsics.SSubWithOverflowOp: _telling(SUBTRACT, _signed_overflows),
    intrinsics.UAddWithOverflowOp: _telling(ADD_NATURAL, _carry),
    intrinsics.USubWithOverflowOp: _telling(SUBTRACT_NATURAL, _carry),
    intrinsics.SMulWithOverflowOp: _telling(ExactOperation("mul", True, ".lo"), _high_half),
    intrinsics.UMulWithOverflowOp: _telling(ExactOperation("mul", False, ".lo"), _high_half),
}
