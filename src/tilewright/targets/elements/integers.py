"""Arithmetic of integers on lanes. It wraps, and results that C leaves undefined are equal to the
interpreter's.

Division by zero gives all ones, and the dividend as remainder; the most negative number divided by -1 wraps;
shifts by at least the width leave only the fill bits. Vectors of up to 32 bits divide as floats: an inexact
quotient of integers is far enough from the next integer that rounding to f64 (f32 for 16 bits) cannot reach
it.
"""

from __future__ import annotations

from typing import Any

from tilewright.dialects.arith import ops_integer as arith
from tilewright.dialects.llvm.enums import IntegerPredicate
from tilewright.dialects.llvm.intrinsics import integer as intrinsics
from tilewright.dialects.llvm.ops import arithmetic as llvm, conversion as casts
from tilewright.dialects.math import dialect as math
from tilewright.dialects.nv_tileaa.ops.math import MulhiUIOp
from tilewright.ir.builtin_attributes import DenseElementsAttr, IntegerAttr
from tilewright.ir.builtin_types import IntegerType, f32, f64, i32, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.lanes import Lanes, Rule, direct, formula

WIDEST_AS_F32 = 16
WIDEST_AS_F64 = 32
HALF_OF_64 = 32


def _lowest(x: Expression) -> int:
    return 1 << (x.element.width - 1)


# --- shifts


def _shift_left(x: Expression, amount: Expression) -> Expression:
    return amount.compare("ULT", x.element.width).select(x << amount, 0)


def _shift_right(x: Expression, amount: Expression) -> Expression:
    return amount.compare("ULT", x.element.width).select(x >> amount, 0)


def _shift_right_signed(x: Expression, amount: Expression) -> Expression:
    return x.shift_signed(amount.least_unsigned(x.element.width - 1))


# --- division


def _ordinary_constant(value: Value) -> bool:
    """Return whether a divisor is a constant, scalar or splat, that needs no checks: neither 0 nor all ones
    (-1).
    """
    op = value.owner
    if not isinstance(op, arith.ConstantOp):
        return False
    held: Any = op.value
    if isinstance(held, DenseElementsAttr):
        return held.is_splat and _is_ordinary(int.from_bytes(held.data, "little"), held.element_type)
    return isinstance(held, IntegerAttr) and _is_ordinary(held.value, held.type)


def _is_ordinary(number: int, type: Any) -> bool:
    width = type.width if isinstance(type, IntegerType) else 64
    return number & ((1 << width) - 1) not in (0, (1 << width) - 1)


def _careful_divisor(a: Expression, b: Expression, *, signed: bool) -> Expression:
    """Return the divisor `b` with 1 in the lanes where the processor would trap: ``a / 0``, and, if `signed`,
    the most negative number divided by -1.
    """
    stops = b.compare("EQ", 0)
    if signed:
        stops = stops | (b.compare("EQ", -1) & a.compare("EQ", _lowest(a)))
    return stops.select(1, b)


def _quotient(at: Lanes, a: Expression, b: Expression, *, signed: bool) -> Expression:
    """Return the truncated quotient ``a / b``, signed if `signed`; all ones where the divisor is zero."""
    op = llvm.SDivOp if signed else llvm.UDivOp
    if _ordinary_constant(at.op.operands[1]):
        return a.apply(op, b)
    divisor = _careful_divisor(a, b, signed=signed)
    is_vector = at.lanes > 1 and a.element.width <= WIDEST_AS_F64
    quotient = _by_float(a, divisor, signed=signed) if is_vector else a.apply(op, divisor)
    return b.compare("EQ", 0).select(-1, quotient)


def _by_float(a: Expression, b: Expression, *, signed: bool) -> Expression:
    element = f32 if a.element.width <= WIDEST_AS_F32 else f64
    to_float, back = (casts.SIToFPOp, casts.FPToSIOp) if signed else (casts.UIToFPOp, casts.FPToUIOp)
    wide = [x.extended(i32, signed=signed) if x.element.width < HALF_OF_64 else x for x in (a, b)]
    quotient = wide[0].cast(to_float, element) / wide[1].cast(to_float, element)
    return quotient.cast(back, i32).extended(a.element, signed=signed)


def division(*, signed: bool) -> Rule:
    """Return the rule of a division towards zero, of signed integers if `signed`; all ones where the divisor
    is zero. The most negative number divided by -1 wraps.
    """
    return lambda at: _quotient(at, *at.expressions(), signed=signed).value


def remainder(*, signed: bool) -> Rule:
    """Return the rule of the remainder of a division towards zero, of signed integers if `signed`; the
    dividend where the divisor is zero.
    """

    def rule(at: Lanes) -> Value:
        a, b = at.expressions()
        return (a - _quotient(at, a, b, signed=signed) * b).value

    return rule


def directed_division(*, signed: bool, up: bool) -> Rule:
    """Return the rule of a division, of signed integers if `signed`, that rounds up if `up`, else down: the
    truncated quotient, corrected where it is inexact; all ones where the divisor is zero.
    """

    def rule(at: Lanes) -> Value:
        a, b = at.expressions()
        quotient = _quotient(at, a, b, signed=signed)
        moves = (quotient * b).compare("NE", a) & b.compare("NE", 0)
        if signed:
            moves = moves & (a ^ b).compare("SGE" if up else "SLT", 0)
        step = moves.extended(a.element, signed=False)
        return (quotient + step if up else quotient - step).value

    return rule


# --- products and magnitudes


def _high_half(a: Expression, b: Expression) -> Expression:
    """Return the high half of the product of two unsigned integers of one width; 0 for i1."""
    width = a.element.width
    if width == 1:
        return a ^ a
    if width < i64.width:
        wide: Any = IntegerType(max(2 * width, i32.width))
        product = a.extended(wide, signed=False) * b.extended(wide, signed=False)
        return (product >> width).extended(a.element, signed=False)
    a_low, b_low = a & 0xFFFF_FFFF, b & 0xFFFF_FFFF
    a_high, b_high = a >> HALF_OF_64, b >> HALF_OF_64
    middle = a_high * b_low + ((a_low * b_low) >> HALF_OF_64)
    other = a_low * b_high + (middle & 0xFFFF_FFFF)
    return a_high * b_high + (middle >> HALF_OF_64) + (other >> HALF_OF_64)


def _magnitude(x: Expression) -> Expression:
    return x if x.element.width == 1 else x.compare("SLT", 0).select(-x, x)


def compare(at: Lanes) -> Value:
    """Compare integers or addresses by the predicate of the operation, and return lanes of i1."""
    return at.code(llvm.ICmpOp, IntegerPredicate[at.op.predicate.name], *at.operands)


def count(op: type[Operation], **flags: Any) -> Rule:
    """Return the rule that emits the intrinsic `op`, which counts bits, with the attributes `flags`."""
    return lambda at: at.code(op, at.operands[0], type=at.type, **flags)


INTEGER_RULES: dict[type[Operation], Rule] = {
    arith.AddIOp: direct(llvm.AddOp),
    arith.SubIOp: direct(llvm.SubOp),
    arith.MulIOp: direct(llvm.MulOp),
    arith.AndIOp: direct(llvm.AndOp),
    arith.OrIOp: direct(llvm.OrOp),
    arith.XOrIOp: direct(llvm.XOrOp),
    arith.MaxSIOp: direct(intrinsics.SMaxOp),
    arith.MaxUIOp: direct(intrinsics.UMaxOp),
    arith.MinSIOp: direct(intrinsics.SMinOp),
    arith.MinUIOp: direct(intrinsics.UMinOp),
    arith.ShLIOp: formula(_shift_left),
    arith.ShRUIOp: formula(_shift_right),
    arith.ShRSIOp: formula(_shift_right_signed),
    arith.DivSIOp: division(signed=True),
    arith.DivUIOp: division(signed=False),
    arith.RemSIOp: remainder(signed=True),
    arith.RemUIOp: remainder(signed=False),
    arith.CeilDivSIOp: directed_division(signed=True, up=True),
    arith.CeilDivUIOp: directed_division(signed=False, up=True),
    arith.FloorDivSIOp: directed_division(signed=True, up=False),
    MulhiUIOp: formula(_high_half),
    math.AbsIOp: formula(_magnitude),
    arith.CmpIOp: compare,
    arith.SelectOp: direct(llvm.SelectOp),
    math.CtPopOp: count(intrinsics.CtPopOp),
    math.CountLeadingZerosOp: count(intrinsics.CountLeadingZerosOp, is_zero_poison=False),
    math.CountTrailingZerosOp: count(intrinsics.CountTrailingZerosOp, is_zero_poison=False),
}
"""Rules by operation class; operations of `nv_tileas` share the rules of the operations with their names."""
