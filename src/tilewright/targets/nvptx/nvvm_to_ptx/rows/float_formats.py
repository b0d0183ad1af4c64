"""Conversions of f16 and bf16 to f32 and back."""

from __future__ import annotations

from tilewright.ir.builtin_types import FloatType, f16, f32, f64
from tilewright.ptx.model import IntegerConstant, Operand
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter

QUIET_BF16 = 0x7FFF
ROUNDING_BIAS = 0x7FFF


def widened(emit: PtxFunctionEmitter, element: FloatType, value: Operand) -> Operand:
    """Convert a float of at most 32 bits to f32; f64 is returned unchanged."""
    if element in (f32, f64):
        return value
    if element is f16:
        return emit.compute("cvt.f32.f16", value)
    if isinstance(value, IntegerConstant):
        return IntegerConstant(value.value << 16)
    return emit.compute("shl.b32", emit.compute("cvt.u32.u16", value), IntegerConstant(16))


def narrowed(emit: PtxFunctionEmitter, element: FloatType, value: Operand) -> Operand:
    """Round an f32 to a float of at most 32 bits, to nearest even; f64 is returned unchanged."""
    if element in (f32, f64):
        return value
    if element is f16:
        return emit.compute("cvt.rn.f16.f32", value)
    if emit.chip.number >= 80:
        return emit.compute("cvt.rn.bf16.f32", value)
    return _rounded_by_parts(emit, value)


def _rounded_by_parts(emit: PtxFunctionEmitter, value: Operand) -> Operand:
    """Round to bf16 without a conversion instruction: add half a unit to the bits, less one for even results."""
    odd = emit.compute("and.b32", emit.compute("shr.u32", value, IntegerConstant(16)), IntegerConstant(1))
    moved = emit.compute("add.s32", emit.compute("add.s32", value, IntegerConstant(ROUNDING_BIAS)), odd)
    high = emit.compute("cvt.u16.u32", emit.compute("shr.u32", moved, IntegerConstant(16)))
    is_nan = emit.compute("setp.nan.f32", value, value)
    return emit.compute("selp.b16", IntegerConstant(QUIET_BF16), high, is_nan)
