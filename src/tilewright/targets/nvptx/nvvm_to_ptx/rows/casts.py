"""Conversions between integers, floats and pointers."""

from __future__ import annotations

from tilewright.dialects.llvm.ops import arithmetic, conversion
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.ir.builtin_types import FloatType, bf16, f16, f32, f64
from tilewright.ir.operation import Operation
from tilewright.ptx.model import IntegerConstant, Operand
from tilewright.targets.nvptx.nvvm_to_ptx import legal
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule, is_wide, space_of
from tilewright.targets.nvptx.nvvm_to_ptx.rows.floats import float_type, narrowed, widened

# --- integers


def _unsigned(emit: PtxFunctionEmitter, op: Operation) -> None:
    """Emit the truncation or zero-extension of an integer, or of each lane, to the width of the result."""
    source, target = emit.width(op.operands[0].type), emit.width(op.results[0].type)
    if is_wide(op.operands[0].type):
        low = emit.parts(op.operands[0])[0]
        emit.bind(op.results[0], [emit.resized(low, 64, target)])
    elif is_wide(op.results[0].type):
        low = emit.resized(emit.part(op.operands[0]), source, 64)
        emit.bind(op.results[0], [low, IntegerConstant(0)])
    else:
        emit.map_lanes(op, lambda a: emit.resized(a, source, target))


def _signed(emit: PtxFunctionEmitter, op: Operation) -> None:
    source, target = emit.width(op.operands[0].type), emit.width(op.results[0].type)
    if is_wide(op.results[0].type):
        low = emit.signed(emit.part(op.operands[0]), source, 64)
        emit.bind(op.results[0], [low, emit.compute("shr.s64", low, IntegerConstant(63))])
        return
    bits = legal.register_bits(target)
    emit.map_lanes(op, lambda a: emit.masked(emit.signed(a, source, bits), target))


# --- integers and floats


def _word(emit: PtxFunctionEmitter, value: Operand, width: int, *, signed: bool) -> tuple[str, Operand]:
    """Extend `value`, an integer of `width` bits, to 32 bits, or to 64 bits if it is wider than 32. Return
    the PTX type for `cvt`, such as ``s32``, or ``u32`` if not `signed`, and the extended register.
    """
    bits = 64 if width > 32 else 32
    held = emit.signed(value, width, bits) if signed else emit.resized(value, width, bits)
    return f"{'s' if signed else 'u'}{bits}", held


def _from_integer(*, signed: bool) -> Rule:
    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        width, element = emit.width(op.operands[0].type), float_type(op.results[0].type)

        def lane(value: Operand) -> Operand:
            kind, held = _word(emit, value, width, signed=signed)
            if element is not bf16:
                return emit.compute(f"cvt.rn.{element.spelling}.{kind}", held)
            return narrowed(emit, bf16, _rounded_to_odd(emit, kind, held))

        emit.map_lanes(op, lane)

    return rule


def _rounded_to_odd(emit: PtxFunctionEmitter, kind: str, value: Operand) -> Operand:
    """Convert an integer of PTX's type `kind`, such as ``s64``, to f32, truncated, with the last bit set if
    it is inexact: rounding again is correct.
    """
    cut = emit.compute(f"cvt.rz.f32.{kind}", value)
    back = emit.compute(f"cvt.rzi.{kind}.f32", cut)
    inexact = emit.compute(f"setp.ne.b{kind[1:]}", back, value)
    return emit.compute(
        "or.b32", cut, emit.compute("selp.b32", IntegerConstant(1), IntegerConstant(0), inexact)
    )


def _to_integer(*, signed: bool) -> Rule:
    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        width, element = emit.width(op.results[0].type), float_type(op.operands[0].type)
        bits = 64 if width > 32 else 32
        kind = f"{'s' if signed else 'u'}{bits}"
        name = "f32" if element is bf16 else element.spelling

        def lane(value: Operand) -> Operand:
            number = widened(emit, bf16, value) if element is bf16 else value
            whole = emit.compute(f"cvt.rzi.{kind}.{name}", number)
            return whole if width == bits else emit.resized(whole, bits, width)

        emit.map_lanes(op, lane)

    return rule


# --- floats


def _wider(emit: PtxFunctionEmitter, op: Operation) -> None:
    source, target = float_type(op.operands[0].type), float_type(op.results[0].type)

    def lane(value: Operand) -> Operand:
        if source is f16 and target is f64:
            return emit.compute("cvt.f64.f16", value)
        number = widened(emit, source, value)
        return emit.compute("cvt.f64.f32", number) if target is f64 else number

    emit.map_lanes(op, lane)


def _narrower(emit: PtxFunctionEmitter, op: Operation) -> None:
    source, target = float_type(op.operands[0].type), float_type(op.results[0].type)
    paired = f"cvt.rn.{target.spelling}x2.f32"
    if (
        source is f32
        and target in legal.PAIRED
        and legal.lanes_of(op.results[0].type) % 2 == 0
        and emit.has(paired)
    ):
        lanes = emit.lanes(op.operands[0])
        pairs = zip(lanes[1::2], lanes[::2], strict=True)
        emit.bind(op.results[0], [emit.compute(paired, high, low) for high, low in pairs])
    else:
        emit.map_lanes(op, lambda value: _rounded(emit, source, target, value))


def _rounded(emit: PtxFunctionEmitter, source: FloatType, target: FloatType, value: Operand) -> Operand:
    if source is f32:
        return narrowed(emit, target, value)
    if target in (f32, f16):
        return emit.compute(f"cvt.rn.{target.spelling}.f64", value)
    return narrowed(emit, bf16, _odd_single(emit, value))


def _odd_single(emit: PtxFunctionEmitter, value: Operand) -> Operand:
    """Return the f64 `value` rounded to odd as f32: truncated, with the last bit set if it is inexact, so
    that a further rounding is as if from f64.
    """
    cut = emit.compute("cvt.rz.f32.f64", value)
    inexact = emit.compute("setp.ne.f64", emit.compute("cvt.f64.f32", cut), value)
    return emit.compute(
        "or.b32", cut, emit.compute("selp.b32", IntegerConstant(1), IntegerConstant(0), inexact)
    )


# --- bits


def _bits(emit: PtxFunctionEmitter, op: conversion.BitcastOp) -> None:
    """Reinterpret bits in other registers, joined or split where widths differ."""
    if isinstance(op.arg.type, LLVMPointerType):
        emit.alias(op.res, op.arg)
        return
    source, target = emit.slots(op.arg.type), emit.slots(op.res.type)
    have, want = source[0].bits, target[0].bits
    parts = emit.parts(op.arg)
    if have == want:
        emit.bind(op.res, parts)
    elif have == 1:
        emit.bind(op.res, [_gathered(emit, parts, want)])
    elif want == 1:
        emit.bind(op.res, _scattered(emit, parts[0], have))
    elif have < want:
        count = want // have
        groups = [parts[at : at + count] for at in range(0, len(parts), count)]
        emit.bind(op.res, [emit.join(group, have) for group in groups])
    else:
        emit.bind(op.res, [piece for part in parts for piece in emit.split(part, have, want)])


def _gathered(emit: PtxFunctionEmitter, bits: tuple[Operand, ...], width: int) -> Operand:
    """Return an integer of `width` bits whose bits are the predicates `bits`, the lowest first."""
    held = legal.register_bits(width)
    total: Operand = IntegerConstant(0)
    for at, bit in enumerate(bits):
        one = emit.compute(f"selp.b{held}", IntegerConstant(1 << at), IntegerConstant(0), bit)
        total = emit.compute(f"or.b{held}", total, one) if at else one
    return total


def _scattered(emit: PtxFunctionEmitter, value: Operand, width: int) -> list[Operand]:
    """Return the bits of `value`, an integer of `width` bits in one register, as `width` predicates, the
    lowest bit first.
    """
    held = legal.register_bits(width)
    bits = [emit.compute(f"and.b{held}", value, IntegerConstant(1 << at)) for at in range(width)]
    return [emit.compute(f"setp.ne.b{held}", bit, IntegerConstant(0)) for bit in bits]


# --- pointers


WINDOWS = {
    legal.GLOBAL: "global",
    legal.SHARED: "shared",
    legal.CONSTANT: "const",
    legal.LOCAL: "local",
    legal.CLUSTER: "shared::cluster",
}
"""The state space of each address space that generic addresses can refer to."""


def _other_space(emit: PtxFunctionEmitter, op: conversion.AddrSpaceCastOp) -> None:
    source, target = space_of(op.arg), space_of(op.res)
    if source == target or {source, target} == {legal.SHARED, legal.CLUSTER}:
        emit.alias(op.res, op.arg)
    elif target == legal.GENERIC and source in WINDOWS:
        emit.map_lanes(op, lambda a: to_generic(emit, a, source))
    elif source == legal.GENERIC and target in WINDOWS:
        emit.map_lanes(op, lambda a: _from_generic(emit, a, target))
    else:
        raise emit.refused(f"address space {source} to {target}", "go by way of address space 0")


def to_generic(emit: PtxFunctionEmitter, address: Operand, space: int) -> Operand:
    """Return the generic address of an address in the address space `space`, which must be in `WINDOWS`."""
    wide = (
        address if legal.pointer_bits(LLVMPointerType(space)) == 64 else emit.compute("cvt.u64.u32", address)
    )
    return emit.compute(f"cvta.{WINDOWS[space]}.u64", wide)


def _from_generic(emit: PtxFunctionEmitter, address: Operand, space: int) -> Operand:
    found = emit.compute(f"cvta.to.{WINDOWS[space]}.u64", address)
    return found if legal.pointer_bits(LLVMPointerType(space)) == 64 else emit.compute("cvt.u32.u64", found)


def _address_as_integer(emit: PtxFunctionEmitter, op: Operation) -> None:
    """Convert an address to an integer, or an integer to an address: an address is an unsigned integer of its
    width, which is truncated or zero-extended.
    """
    source, target = emit.width(op.operands[0].type), emit.width(op.results[0].type)
    emit.map_lanes(op, lambda a: emit.resized(a, source, target))


def _frozen(emit: PtxFunctionEmitter, op: arithmetic.FreezeOp) -> None:
    emit.alias(op.res, op.val)


ROWS: dict[type[Operation], Rule] = {
    conversion.TruncOp: _unsigned,
    conversion.ZExtOp: _unsigned,
    conversion.SExtOp: _signed,
    conversion.UIToFPOp: _from_integer(signed=False),
    conversion.SIToFPOp: _from_integer(signed=True),
    conversion.FPToUIOp: _to_integer(signed=False),
    conversion.FPToSIOp: _to_integer(signed=True),
    conversion.FPTruncOp: _narrower,
    conversion.FPExtOp: _wider,
    conversion.BitcastOp: _bits,
    conversion.AddrSpaceCastOp: _other_space,
    conversion.PtrToIntOp: _address_as_integer,
    conversion.IntToPtrOp: _address_as_integer,
    arithmetic.FreezeOp: _frozen,
}
