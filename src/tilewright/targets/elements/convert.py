"""Conversions of elements on lanes, between any two formats, and changes of type that keep the bits."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.arith import ops_conversion as arith
from tilewright.dialects.llvm.enums import IntegerPredicate
from tilewright.dialects.llvm.ops import conversion as casts
from tilewright.dialects.llvm.ops.arithmetic import ICmpOp
from tilewright.dialects.llvm.ops.conversion import BitcastOp, SExtOp, TruncOp, ZExtOp
from tilewright.dialects.llvm.ops.memory import GEPOp
from tilewright.dialects.nv_tileaa.constraints import bits_in_memory
from tilewright.dialects.nv_tileaa.ops import pointer as pointers
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import FloatType, IntegerType, VectorType, f32, f64, i1, i32, i64, tf32
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.element_forms import is_packed
from tilewright.targets.elements.element_types import memory_type, register_type
from tilewright.targets.elements.exact import two_sum
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.lanes import Lanes, Rule, is_pointer
from tilewright.targets.elements.math.polynomial import at_least, at_most
from tilewright.targets.elements.rounding import (
    NARROW_BITS,
    NEAREST_EVEN,
    convert,
    fold_residual,
    widen,
)
from tilewright.targets.llvm.code import DYNAMIC, LlvmBuilder

TF32_BITS = ~0x1FFF
"""The mask of the bits of an f32 that a tf32 has."""
MAGNITUDE, INFINITY, QUIET = 0x7FFFFFFF, 0x7F800000, 0x00400000
"""Bits of an f32: all but the sign, an infinity, and the bit that makes an infinity a quiet NaN."""


def without_low_bits(bits: Expression) -> Expression:
    """Return the bits of an f32 as tf32. A NaN whose payload is in the low bits only stays a NaN."""
    kept = bits & TF32_BITS
    is_nan = (kept & MAGNITUDE).compare("EQ", INFINITY) & bits.compare("NE", kept)
    return is_nan.select(kept | QUIET, kept)


EXACT_IN_F32 = 24
HALF = 32
NATIVE_TARGETS = (f32, f64)


# --- floats to floats


def float_to_float(at: Lanes) -> Value:
    """Convert a float to another format in the rounding mode of the operation; formats of at most 8 bits
    saturate.
    """
    (x,) = at.expressions()
    source, target = at.source(), at.target()
    if source is target:
        return x.value
    saturate = target.width <= NARROW_BITS
    return convert(widen(x, source), target, at.mode(), saturate=saturate, shown=at.shows_nan()).value


# --- integers to floats


def integer_to_float(*, signed: bool) -> Rule:
    """Return the rule of a conversion of integers, signed ones if `signed`, to floats, rounded once in the
    rounding mode of the operation. A value out of range becomes infinite, NaN in a format without infinities,
    and the largest number in a format without both, unless the mode rounds it to the largest number anyway.
    """

    def rule(at: Lanes) -> Value:
        (x,) = at.expressions()
        target, mode = at.target(), at.mode()
        op = casts.SIToFPOp if signed else casts.UIToFPOp
        if mode == NEAREST_EVEN and target in NATIVE_TARGETS:
            return _promoted(x, signed=signed).cast(op, target).value
        return convert(_as_exact_float(x, target, signed=signed), target, mode).value

    return rule


def _promoted(x: Expression, *, signed: bool) -> Expression:
    """Return the integer `x` extended to 32 bits, the minimum width of processors' conversions, by its sign
    if `signed`, else by zeros; wider integers are unchanged.
    """
    return x.extended(i32, signed=signed) if x.element.width < HALF else x


def _as_exact_float(x: Expression, target: FloatType, *, signed: bool) -> Expression:
    """Return an f32 or f64 that rounds to the narrower format `target` as the integer `x` does: equal to `x`,
    or for wide integers with a residual folded in.
    """
    op = casts.SIToFPOp if signed else casts.UIToFPOp
    width = x.element.width
    if width <= HALF:
        return _promoted(x, signed=signed).cast(op, f32 if width <= EXACT_IN_F32 else f64)
    low = (x & 0xFFFF_FFFF).cast(casts.UIToFPOp, f64)
    high = x.shift_signed(HALF) if signed else x >> HALF
    return fold_residual(*two_sum(high.cast(op, f64) * 2.0**HALF, low))


# --- floats to integers


def float_to_integer(*, signed: bool) -> Rule:
    """Return the rule of a conversion of floats to integers, signed ones if `signed`: the integral part,
    clamped to the range; NaN becomes 0. An i1 is true for all values other than zero, also for NaN.
    """

    def rule(at: Lanes) -> Value:
        (x,) = at.expressions()
        wide = widen(x, at.source())
        target = at.target()
        if target.width == 1:
            return wide.compare("UNE", 0.0).value
        return _saturated(wide, target, signed=signed).extended(target, signed=False).value

    return rule


def _saturated(x: Expression, target: Any, *, signed: bool) -> Expression:
    """Return the integral part of an f32 or f64, clamped to the range of `target`, which is signed if
    `signed`, as an integer of at least 32 bits; 0 for NaN. LLVM's intrinsic for this is compiled to scalar
    code.
    """
    bits = target.width - signed
    places = x.element.format.mantissa_bits + 1
    largest = 2.0**bits - 2.0 ** max(0, bits - places)  # representable in the float format
    bounded = at_most(at_least(x, -(2.0**bits) if signed else 0.0), largest)
    is_unsigned = not signed and target.width >= HALF
    held = target if target.width > HALF else i32
    result = bounded.cast(casts.FPToUIOp if is_unsigned else casts.FPToSIOp, held)
    if bits > places:
        result = x.compare("OGT", largest).select((1 << bits) - 1, result)
    return x.is_nan().select(0, result)


# --- integers


def resize(*, signed: bool) -> Rule:
    """Return the rule of a conversion to another integer width: it truncates, or extends by the sign if
    `signed`, else by zeros.
    """

    def rule(at: Lanes) -> Value:
        (x,) = at.expressions()
        return x.extended(register_type(at.target()), signed=signed).value

    return rule


# --- conversions that keep the bits


def bitcast(at: Lanes) -> Value:
    """Reinterpret the bits as another type. Addresses are integers of 64 bits; 32 bits to tf32 lose the low
    bits.
    """
    (x,) = at.expressions()
    source, target = at.source(), at.target()
    if source is target:
        return x.value
    bits = _as_bits(x, source)
    if is_pointer(register_type(target)):
        return _as_pointer(at, bits)
    held: Any = register_type(target)
    kept = without_low_bits(bits) if target is tf32 else bits
    return kept.extended(IntegerType(held.width), signed=False).as_type(held).value


def _as_bits(x: Expression, source: Any) -> Expression:
    """Return the bits of an element as an integer with the width of `source` in memory; a pointer is its
    address.
    """
    if is_pointer(x.element):
        return x.cast(casts.PtrToIntOp, i64)
    bits = x.bits() if isinstance(x.element, FloatType) else x
    return bits.extended(IntegerType(bits_in_memory(source)), signed=False)


def _as_pointer(at: Lanes, bits: Expression) -> Value:
    """Return a pointer with the address `bits`, in the address space of the result."""
    return at.code(casts.IntToPtrOp, bits.extended(i64, signed=False).value, type=at.type)


def pointer_to_integer(at: Lanes) -> Value:
    """Return the address of a pointer as an integer of the result's width, truncated if that has less than 64
    bits.
    """
    (x,) = at.expressions()
    return x.cast(casts.PtrToIntOp, i64).extended(at.target(), signed=False).value


def integer_to_pointer(at: Lanes) -> Value:
    """Return a pointer with the address of an integer, which is zero-extended to 64 bits."""
    (x,) = at.expressions()
    return _as_pointer(at, x)


def move_pointer(at: Lanes) -> Value:
    """Return the pointer `offset` elements after `base`. Packed elements share bytes: the pointer is the
    address of the byte with the element.
    """
    base, offset = at.expressions()
    pointee = at.target().pointee
    distance = offset.extended(i64, signed=True)
    if is_packed(pointee):
        distance = distance.shift_signed(1)
    return at.code(GEPOp, base.value, (DYNAMIC,), memory_type(pointee), (distance.value,), type=at.type)


CONVERSION_RULES: dict[type[Operation], Rule] = {
    arith.ExtFOp: float_to_float,
    arith.TruncFOp: float_to_float,
    arith.SIToFPOp: integer_to_float(signed=True),
    arith.UIToFPOp: integer_to_float(signed=False),
    arith.FPToSIOp: float_to_integer(signed=True),
    arith.FPToUIOp: float_to_integer(signed=False),
    arith.ExtSIOp: resize(signed=True),
    arith.ExtUIOp: resize(signed=False),
    arith.TruncIOp: resize(signed=False),
    arith.IndexCastOp: resize(signed=True),
    arith.IndexCastUIOp: resize(signed=False),
    arith.BitcastOp: bitcast,
    pointers.BitcastOp: bitcast,
    pointers.PtrToIntOp: pointer_to_integer,
    pointers.IntToPtrOp: integer_to_pointer,
    pointers.AddPtrOp: move_pointer,
}
"""Rules by operation class; operations of `nv_tileas` share the rules of the operations with their names."""


def as_double(code: LlvmBuilder, value: Value, element: Type) -> Value:
    """Convert an element in a register to f64. Integers are signed; an i1 gives 0 or 1."""
    if element is f64:
        return value
    from_integer = arith.UIToFPOp if element is i1 else arith.SIToFPOp
    conversion = arith.ExtFOp if isinstance(element, FloatType) else from_integer
    sample = Operation.from_parts(conversion.op_kind, Block([element]).arguments, [f64], {})
    return CONVERSION_RULES[conversion](Lanes(code, sample, (value,), f64, 1))


def as_word(code: LlvmBuilder, value: Value, element: Type, *, signed: bool) -> Value:
    """Convert an element in a register to an integer of 64 bits: the bits of a float as f64, or an integer
    that is extended by its sign if `signed`, else by zeros.
    """
    if isinstance(element, FloatType):
        return code(BitcastOp, as_double(code, value, element), type=i64)
    extend = SExtOp if signed else ZExtOp
    return value if value.type is i64 else code(extend, value, type=i64)


def from_memory(code: LlvmBuilder, held: Value, element: Type) -> Value:
    """Convert a value of the memory type of `element` to its register type: an i1 is true for a nonzero byte,
    narrower integers are truncated, and a tf32 loses the low bits of its word.
    """
    if element is tf32:
        bits = without_low_bits(Expression(code, held).as_type(i32))
        return bits.as_type(register_type(element)).value
    wanted = register_type(element)
    if wanted is i1:  # a nonzero byte is true
        return code(ICmpOp, IntegerPredicate.NE, held, code.integer(0, held.type))
    return held if memory_type(element) is wanted else code(TruncOp, held, type=_like(held.type, wanted))


def to_memory(code: LlvmBuilder, value: Value, element: Type) -> Value:
    """Convert a value of the register type of `element` to its memory type, zero-extended if it is narrower."""
    wanted = memory_type(element)
    return value if register_type(element) is wanted else code(ZExtOp, value, type=_like(value.type, wanted))


def _like(type: Type, element: Type) -> Type:
    return VectorType(type.shape, element) if isinstance(type, VectorType) else element
