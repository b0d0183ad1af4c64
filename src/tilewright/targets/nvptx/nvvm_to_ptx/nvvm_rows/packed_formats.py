"""Conversions to and from packed formats, and small arithmetic on bytes."""

from __future__ import annotations

from tilewright.dialects.nvvm.enums.barriers import PermuteMode
from tilewright.dialects.nvvm.enums.convert import DotAccumulateType, FPRoundingMode, SaturationMode
from tilewright.dialects.nvvm.ops import convert
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, f4E2M1FN, f8E4M3FN, f8E5M2, f8E8M0FNU
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ptx.model import IntegerConstant, Operand
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule
from tilewright.targets.nvptx.nvvm_to_ptx.legal import BYTES
from tilewright.targets.nvptx.nvvm_to_ptx.rows.orders import spelt

FORMATS: dict[Type, str] = {
    f8E4M3FN: "e4m3x2",
    f8E5M2: "e5m2x2",
    f8E8M0FNU: "ue8m0x2",
    FloatType("f6E2M3FN"): "e2m3x2",
    FloatType("f6E3M2FN"): "e3m2x2",
    f4E2M1FN: "e2m1x2",
}
"""The PTX names of pairs of narrow floats."""


def _rounding(mode: FPRoundingMode, default: str) -> str:
    return default if mode is FPRoundingMode.NONE else mode.spelling


def _clamps(mode: SaturationMode) -> str:
    return "satfinite" if mode is SaturationMode.SATFINITE else ""


def _bind_bits(emit: PtxFunctionEmitter, target: Value, bits: Operand, width: int) -> None:
    """Bind `target` to the lower `width` bits of `bits`: as they are, or split evenly if the type of `target`
    has several registers.
    """
    slots = emit.slots(target.type)
    emit.bind(target, emit.split(bits, width, width // len(slots)) if len(slots) > 1 else [bits])


def _bits(emit: PtxFunctionEmitter, value: Value) -> Operand:
    """Return the registers of a value joined to one register. A constant is moved to a register, too:
    assemblers take no constants for packed values.
    """
    slots = emit.slots(value.type)
    return emit.in_register(emit.join(emit.parts(value), slots[0].bits), slots[0].register)


def _tf32(emit: PtxFunctionEmitter, op: convert.ConvertFloatToTF32Op) -> None:
    words = (_rounding(op.rnd, "rna"), _clamps(op.sat), "relu" if op.relu else "", "tf32.f32")
    emit.bind(op.res, [emit.compute(spelt("cvt", *words), emit.part(op.src))])


def _pair(name: str) -> Rule:
    """Return the rule that rounds two f32 to a pair of `name`, "f16" or "bf16", the first operand in the high
    half.
    """

    def rule(emit: PtxFunctionEmitter, op: convert.RoundPairOp) -> None:
        words = (_rounding(op.rnd, "rn"), "relu" if op.relu else "", _clamps(op.sat), f"{name}x2.f32")
        bits = [emit.part(op.random_bits)] if op.random_bits is not None else []
        found = emit.compute(spelt("cvt", *words), emit.part(op.src_hi), emit.part(op.src_lo), *bits)
        _bind_bits(emit, op.dst, found, 32)

    return rule


def _narrow_pair(emit: PtxFunctionEmitter, op: convert.ConvertF32x2ToF8x2Op) -> None:
    scale = op.dstTy is f8E8M0FNU
    rounding = _rounding(op.rnd, "rz" if scale else "rn")
    clamps = _clamps(op.sat) if scale else "satfinite"
    words = (rounding, clamps, "relu" if op.relu else "", FORMATS[op.dstTy], "f32")
    found = emit.compute(spelt("cvt", *words), emit.part(op.a), emit.part(op.b))
    _bind_bits(emit, op.dst, found, 16)


def _smaller_pair(emit: PtxFunctionEmitter, op: convert.NarrowPairOp) -> None:
    words = ("rn.satfinite", "relu" if op.relu else "", FORMATS[op.dstTy], "f32")
    spelling, sources = spelt("cvt", *words), (emit.part(op.a), emit.part(op.b))
    if isinstance(op, convert.ConvertF32x2ToF4x2Op):
        byte = emit.register(BYTES)
        emit.emit(spelling, byte, *sources)
        emit.bind(op.dst, [emit.compute("cvt.u16.u8", byte)])
    else:
        _bind_bits(emit, op.dst, emit.compute(spelling, *sources), 16)


def _half_pair(emit: PtxFunctionEmitter, op: convert.ConvertF16x2ToF8x2Op) -> None:
    words = ("rn.satfinite", "relu" if op.relu else "", FORMATS[op.dstTy], "f16x2")
    _bind_bits(emit, op.dst, emit.compute(spelt("cvt", *words), _bits(emit, op.a)), 16)


def _brain_pair(emit: PtxFunctionEmitter, op: convert.ConvertBF16x2ToF8x2Op) -> None:
    words = (_rounding(op.rnd, "rz"), _clamps(op.sat), FORMATS[op.dstTy], "bf16x2")
    _bind_bits(emit, op.dst, emit.compute(spelt("cvt", *words), _bits(emit, op.a)), 16)


def _wider(name: str) -> Rule:
    """Return the rule that converts a pair of narrow floats to a pair of `name`, "f16" or "bf16"; with
    ``relu`` if the operation asks for it.
    """

    def rule(emit: PtxFunctionEmitter, op: convert.WidenPairOp) -> None:
        relu = "relu" if getattr(op, "relu", False) else ""
        words = ("rn", relu, f"{name}x2", FORMATS[op.srcType])
        source = _bits(emit, op.src)
        if isinstance(op, convert.ConvertF4x2ToF16x2Op):
            byte = emit.register(BYTES)
            emit.emit("cvt.u8.u16", byte, source)
            source = byte
        emit.bind(op.dst, [emit.compute(spelt("cvt", *words), source)])

    return rule


def _reciprocal(emit: PtxFunctionEmitter, op: convert.RcpApproxFtzF32Op) -> None:
    emit.bind(op.res, [emit.compute("rcp.approx.ftz.f32", emit.part(op.arg))])


def _permute(emit: PtxFunctionEmitter, op: convert.PermuteOp) -> None:
    mode = "" if op.mode is PermuteMode.DEFAULT else op.mode.spelling
    high = emit.part(op.hi) if op.hi is not None else IntegerConstant(0)
    sources = emit.part(op.lo), high, emit.part(op.selector)
    emit.bind(op.res, [emit.compute(spelt("prmt.b32", mode), *sources)])


def _sum_of_products(emit: PtxFunctionEmitter, op: convert.DotAccumulateOp) -> None:
    types = ("s32" if kind is DotAccumulateType.SIGNED else "u32" for kind in (op.a_type, op.b_type))
    name = "dp4a"
    if isinstance(op, convert.DotAccumulate2WayOp):
        name = "dp2a.hi" if op.b_hi else "dp2a.lo"
    sources = _bits(emit, op.a), _bits(emit, op.b), emit.part(op.c)
    emit.bind(op.res, [emit.compute(spelt(name, *types), *sources)])


ROWS: dict[type[Operation], Rule] = {
    convert.ConvertFloatToTF32Op: _tf32,
    convert.ConvertF32x2ToF16x2Op: _pair("f16"),
    convert.ConvertF32x2ToBF16x2Op: _pair("bf16"),
    convert.ConvertF32x2ToF8x2Op: _narrow_pair,
    convert.ConvertF32x2ToF6x2Op: _smaller_pair,
    convert.ConvertF32x2ToF4x2Op: _smaller_pair,
    convert.ConvertF16x2ToF8x2Op: _half_pair,
    convert.ConvertBF16x2ToF8x2Op: _brain_pair,
    convert.ConvertF8x2ToF16x2Op: _wider("f16"),
    convert.ConvertF8x2ToBF16x2Op: _wider("bf16"),
    convert.ConvertF6x2ToF16x2Op: _wider("f16"),
    convert.ConvertF4x2ToF16x2Op: _wider("f16"),
    convert.RcpApproxFtzF32Op: _reciprocal,
    convert.PermuteOp: _permute,
    convert.DotAccumulate2WayOp: _sum_of_products,
    convert.DotAccumulate4WayOp: _sum_of_products,
}
