"""Rules of conversions: which formats there are, and how they round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.nvvm.enums.barriers import PermuteMode
from tilewright.dialects.nvvm.enums.convert import FPRoundingMode, SaturationMode
from tilewright.dialects.nvvm.rules.barrier import require
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, f4E2M1FN, f8E4M3FN, f8E5M2, f8E8M0FNU
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.dialects.nvvm.ops import convert as nvvm_convert

THREE_OPERANDS = (PermuteMode.DEFAULT, PermuteMode.F4E, PermuteMode.B4E)
FLOAT8 = (f8E4M3FN, f8E5M2)
FLOAT6 = (FloatType("f6E2M3FN"), FloatType("f6E3M2FN"))
NARROW: dict[str, tuple[Type, ...]] = {
    "f32x2.to.f8x2": (*FLOAT8, f8E8M0FNU),
    "f16x2.to.f8x2": FLOAT8,
    "bf16x2.to.f8x2": (f8E8M0FNU,),
    "f32x2.to.f6x2": FLOAT6,
    "f32x2.to.f4x2": (f4E2M1FN,),
    "f32x4.to.f8x4": FLOAT8,
    "f32x4.to.f6x4": FLOAT6,
    "f32x4.to.f4x4": (f4E2M1FN,),
    "f8x2.to.f16x2": FLOAT8,
    "f8x2.to.bf16x2": (f8E8M0FNU,),
    "f6x2.to.f16x2": FLOAT6,
    "f4x2.to.f16x2": (f4E2M1FN,),
}
"""The formats of the narrow side of each conversion."""
SCALE_ROUNDING = (FPRoundingMode.RZ, FPRoundingMode.RP)
HALF_ROUNDING = (FPRoundingMode.RN, FPRoundingMode.RZ, FPRoundingMode.RS)
TF32_ROUNDING = (FPRoundingMode.RN, FPRoundingMode.RZ, FPRoundingMode.RNA)


def _path(op: Operation) -> tuple[str, str]:
    """Return the source and target formats in the name of a conversion: ``("f8x2", "f16x2")`` for
    ``nvvm.convert.f8x2.to.f16x2``.
    """
    source, _, target = op.name.removeprefix("nvvm.convert.").partition(".to.")
    return source, target


def _listed(types: tuple[Type, ...]) -> str:
    names = [f"'{type}'" for type in types]
    if len(names) < 3:
        return " and ".join(names)
    return f"{', '.join(names[:-1])}, and {names[-1]}"


def check_narrow_format(op: Operation) -> None:
    """Raise `VerifyError` unless the format on the narrow side of a conversion, the attribute ``srcType`` or
    ``dstTy``, is listed in `NARROW` for it.
    """
    source, target = _path(op)
    allowed = NARROW[f"{source}.to.{target}"]
    narrow: Type = getattr(op, "srcType" if "srcType" in op.kind.attributes_by_ir_name else "dstTy")
    plural = "type is" if len(allowed) == 1 else "types are"
    stop = "" if len(allowed) == 3 else "."
    words = f"Only {_listed(allowed)} {plural} supported for conversions from {source} to {target}{stop}"
    require(narrow in allowed, words)


def check_single_to_float8(op: nvvm_convert.ConvertF32x2ToF8x2Op) -> None:
    """Raise `VerifyError` unless a conversion of f32 to 8-bit floats is supported: to `f8E8M0FNU` rounded by
    RZ or RP without relu, to other formats by RN with SATFINITE.
    """
    check_narrow_format(op)
    if op.dstTy is f8E8M0FNU:
        words = "rounding modes are supported for conversions from f32x2 to 'f8E8M0FNU' type"
        require(op.rnd in SCALE_ROUNDING, f"Only RZ and RP {words}")
        require(not op.relu, "relu not supported for conversions to 'f8E8M0FNU' type")
        return
    words = "mode is supported for conversions from f32x2 to 'f8E4M3FN' and 'f8E5M2' types"
    require(op.rnd is FPRoundingMode.RN, f"Only RN rounding {words}")
    require(op.sat is SaturationMode.SATFINITE, f"Only SATFINITE saturation {words}")


def check_bfloat_to_float8(op: nvvm_convert.ConvertBF16x2ToF8x2Op) -> None:
    """Raise `VerifyError` unless bf16 values are converted to `f8E8M0FNU` and rounded by RZ or RP."""
    check_narrow_format(op)
    words = "Only RZ and RP rounding modes are supported for conversions from bf16x2 to f8x2."
    require(op.rnd in SCALE_ROUNDING, words)


def check_single_to_half(op: nvvm_convert.RoundPairOp) -> None:
    """Raise `VerifyError` unless f32 values are rounded to 16 bits by RN, RZ or RS, with random bits exactly
    for RS.
    """
    source, target = _path(op)
    words = f"Only RN, RZ, and RS rounding modes are supported for conversions from {source} to {target}."
    require(op.rnd in HALF_ROUNDING, words)
    if op.rnd is FPRoundingMode.RS:
        require(op.random_bits is not None, "random_bits is required for RS rounding mode.")
    else:
        require(op.random_bits is None, "random_bits not supported for RN and RZ rounding modes.")


def check_to_tf32(op: nvvm_convert.ConvertFloatToTF32Op) -> None:
    """Raise `VerifyError` unless f32 is rounded to tf32 by RN, RZ or RNA, and RNA is without relu."""
    words = "Only {rn,rz,rna} rounding modes supported for ConvertFloatToTF32Op."
    require(op.rnd in TF32_ROUNDING, words, prefix=False)
    away = op.rnd is FPRoundingMode.RNA
    require(not (away and op.relu), "Relu not supported with rna rounding mode.", prefix=False)


def check_permutation(op: nvvm_convert.PermuteOp) -> None:
    """Raise `VerifyError` unless ``prmt`` has the operand ``hi`` exactly if its mode is ``default``, ``f4e``
    or ``b4e``.
    """
    mode = op.mode.spelling
    if op.mode in THREE_OPERANDS:
        require(op.hi is not None, f"mode '{mode}' requires 'hi' operand.", prefix=False)
    else:
        require(op.hi is None, f"mode '{mode}' does not accept 'hi' operand.", prefix=False)
