"""``math`` to intrinsics of ``llvm``. Functions without an intrinsic are not converted: a library has to
provide them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tilewright.dialects.llvm.intrinsics import float as floats, integer as integers
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.llvm.types import LLVMArrayType, LLVMStructType
from tilewright.dialects.math import dialect
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.emitter import LlvmEmitter
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.upstream_to_llvm import patterns as upstream_to_llvm_patterns
from tilewright.rewrite.pattern_set import RewritePatternSet

COUNTERPARTS: dict[type[Operation], type[Operation]] = {
    dialect.AbsFOp: floats.FAbsOp,
    dialect.AcosOp: floats.ACosOp,
    dialect.AsinOp: floats.ASinOp,
    dialect.AtanOp: floats.ATanOp,
    dialect.Atan2Op: floats.ATan2Op,
    dialect.CeilOp: floats.FCeilOp,
    dialect.CopySignOp: floats.CopySignOp,
    dialect.CosOp: floats.CosOp,
    dialect.CoshOp: floats.CoshOp,
    dialect.CtPopOp: integers.CtPopOp,
    dialect.ExpOp: floats.ExpOp,
    dialect.Exp2Op: floats.Exp2Op,
    dialect.FloorOp: floats.FFloorOp,
    dialect.FmaOp: floats.FMAOp,
    dialect.FPowIOp: floats.PowIOp,
    dialect.LogOp: floats.LogOp,
    dialect.Log10Op: floats.Log10Op,
    dialect.Log2Op: floats.Log2Op,
    dialect.PowFOp: floats.PowOp,
    dialect.RoundOp: floats.RoundOp,
    dialect.RoundEvenOp: floats.RoundEvenOp,
    dialect.SinOp: floats.SinOp,
    dialect.SinhOp: floats.SinhOp,
    dialect.SqrtOp: floats.SqrtOp,
    dialect.TanOp: floats.TanOp,
    dialect.TanhOp: floats.TanhOp,
    dialect.TruncOp: floats.FTruncOp,
}
"""For each operation of ``math`` that one intrinsic replaces, that intrinsic."""

NO = builtin_attributes.boolean(False)
WITH_FLAG: dict[type[Operation], tuple[type[Operation], str, Attribute]] = {
    dialect.AbsIOp: (integers.AbsOp, "is_int_min_poison", NO),
    dialect.CountLeadingZerosOp: (integers.CountLeadingZerosOp, "is_zero_poison", NO),
    dialect.CountTrailingZerosOp: (integers.CountTrailingZerosOp, "is_zero_poison", NO),
    dialect.IsNaNOp: (floats.IsFPClassOp, "bit", builtin_attributes.integer32(0b11)),
    dialect.IsFiniteOp: (floats.IsFPClassOp, "bit", builtin_attributes.integer32(0b1_1111_1000)),
}
"""Operations that become one intrinsic with a further attribute: whether edge cases give poison (false), or a
mask of floating-point classes. The classes are bits: signalling and quiet NaN, then from minus infinity (bit
2) up to infinity (bit 9).
"""


def ones(emit: LlvmEmitter, type: Type) -> Value:
    """Return the number one in a float type, or, for a vector type, a vector of ones."""
    if isinstance(type, builtin_types.VectorType):
        return emit.constant(builtin_attributes.splat(type, 1.0), type)
    assert isinstance(type, builtin_types.FloatType)
    return emit.constant(builtin_attributes.float_attribute(1.0, type), type)


def _composed(
    compute: Callable[[upstream_to_llvm_patterns.LoweringSite[Any], Value, Type], Value],
) -> upstream_to_llvm_patterns.Rule:
    """Return the rule that applies `compute` to the operand, or to each of the vectors in an array of
    vectors.
    """

    def lower(site: upstream_to_llvm_patterns.LoweringSite[Any]) -> Value:
        def one(parts: Sequence[Value], type: Type) -> Value:
            return compute(site, parts[0], type)

        return upstream_to_llvm_patterns.elementwise(
            site.emit, site.adaptor.operands, site.result_type(), one
        )

    return lower


def _expm1(site: upstream_to_llvm_patterns.LoweringSite[Any], value: Value, type: Type) -> Value:
    flags = upstream_to_llvm_patterns.fast_math(site.op)
    one = ones(site.emit, type)
    return site.emit(llvm.FSubOp, site.emit(floats.ExpOp, value, **flags), one, **flags)


def _log1p(site: upstream_to_llvm_patterns.LoweringSite[Any], value: Value, type: Type) -> Value:
    flags = upstream_to_llvm_patterns.fast_math(site.op)
    return site.emit(floats.LogOp, site.emit(llvm.FAddOp, ones(site.emit, type), value, **flags), **flags)


def _rsqrt(site: upstream_to_llvm_patterns.LoweringSite[Any], value: Value, type: Type) -> Value:
    flags = upstream_to_llvm_patterns.fast_math(site.op)
    one = ones(site.emit, type)
    return site.emit(llvm.FDivOp, one, site.emit(floats.SqrtOp, value, **flags), **flags)


def _sincos(site: upstream_to_llvm_patterns.LoweringSite[dialect.SincosOp]) -> list[Value]:
    (value,), type = site.adaptor.operands, site.result_type()
    flags = upstream_to_llvm_patterns.fast_math(site.op)
    if isinstance(type, LLVMArrayType):
        pair = (floats.SinOp, floats.CosOp)
        return [
            upstream_to_llvm_patterns.elementwise(
                site.emit, [value], type, lambda p, _, op=op: site.emit(op, p[0], **flags)
            )
            for op in pair
        ]
    both = site.emit(floats.SincosOp, value, type=LLVMStructType((type, type)), **flags)
    return [site.emit.extract(both, 0), site.emit.extract(both, 1)]


RULES: dict[type[Operation], upstream_to_llvm_patterns.Rule] = {
    **{source: upstream_to_llvm_patterns.OneToOne(target) for source, target in COUNTERPARTS.items()},
    **{
        source: upstream_to_llvm_patterns.OneToOne(op, ((key, value),))
        for source, (op, key, value) in WITH_FLAG.items()
    },
    dialect.ExpM1Op: _composed(_expm1),
    dialect.Log1pOp: _composed(_log1p),
    dialect.RsqrtOp: _composed(_rsqrt),
    dialect.SincosOp: _sincos,
}
"""For each operation of ``math``, the function that lowers it."""


def populate_math_to_llvm(
    patterns: RewritePatternSet, converter: LLVMTypeConverter, *, approximate_log1p: bool = True
) -> None:
    """Add the patterns that lower ``math``. ``log1p`` becomes ``log(1 + x)`` if `approximate_log1p`, which is
    less accurate near 0; otherwise it has no pattern.
    """
    left_out = () if approximate_log1p else (dialect.Log1pOp,)
    upstream_to_llvm_patterns.add_rules(
        patterns, converter, {op: rule for op, rule in RULES.items() if op not in left_out}
    )


@dataclass(frozen=True)
class ConvertMathToLLVM(upstream_to_llvm_patterns.ToLLVM):
    """Converts ``math`` to intrinsics; operations without an intrinsic stay. With ``approximate-log1p``, the
    default, log1p is computed as the logarithm of a sum; without, it stays.
    """

    name: ClassVar[str] = "convert-math-to-llvm"
    approximate_log1p: bool = True

    def populate(self, patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
        populate_math_to_llvm(patterns, converter, approximate_log1p=self.approximate_log1p)
