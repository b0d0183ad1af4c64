"""``arith`` to ``llvm``: most operations have a counterpart, the rest are a few operations each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tilewright.dialects.arith import ops_conversion, ops_float, ops_integer
from tilewright.dialects.llvm.enums import FloatPredicate, IntegerPredicate
from tilewright.dialects.llvm.intrinsics import float as floats, integer as integers
from tilewright.dialects.llvm.ops import arithmetic as llvm, conversion as casts
from tilewright.dialects.llvm.ops.aggregate import ConstantOp
from tilewright.dialects.llvm.types import LLVMArrayType, LLVMStructType
from tilewright.ir.attribute import Attribute, SharedAttributes, Type
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr, float_attribute, splat
from tilewright.ir.builtin_types import FloatType, IntegerType, VectorType, i1, index
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.emitter import LlvmEmitter
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.upstream_to_llvm import patterns as upstream_to_llvm_patterns
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet

COUNTERPARTS: dict[type[Operation], type[Operation]] = {
    ops_float.AddFOp: llvm.FAddOp,
    ops_integer.AddIOp: llvm.AddOp,
    ops_integer.AndIOp: llvm.AndOp,
    ops_conversion.BitcastOp: casts.BitcastOp,
    ops_float.DivFOp: llvm.FDivOp,
    ops_integer.DivSIOp: llvm.SDivOp,
    ops_integer.DivUIOp: llvm.UDivOp,
    ops_conversion.ExtFOp: casts.FPExtOp,
    ops_conversion.ExtSIOp: casts.SExtOp,
    ops_conversion.ExtUIOp: casts.ZExtOp,
    ops_conversion.FPToSIOp: casts.FPToSIOp,
    ops_conversion.FPToUIOp: casts.FPToUIOp,
    ops_float.MaximumFOp: floats.MaximumOp,
    ops_float.MaxNumFOp: floats.MaxNumOp,
    ops_integer.MaxSIOp: integers.SMaxOp,
    ops_integer.MaxUIOp: integers.UMaxOp,
    ops_float.MinimumFOp: floats.MinimumOp,
    ops_float.MinNumFOp: floats.MinNumOp,
    ops_integer.MinSIOp: integers.SMinOp,
    ops_integer.MinUIOp: integers.UMinOp,
    ops_float.MulFOp: llvm.FMulOp,
    ops_integer.MulIOp: llvm.MulOp,
    ops_float.NegFOp: llvm.FNegOp,
    ops_integer.OrIOp: llvm.OrOp,
    ops_float.RemFOp: llvm.FRemOp,
    ops_integer.RemSIOp: llvm.SRemOp,
    ops_integer.RemUIOp: llvm.URemOp,
    ops_integer.ShLIOp: llvm.ShlOp,
    ops_integer.ShRSIOp: llvm.AShrOp,
    ops_integer.ShRUIOp: llvm.LShrOp,
    ops_conversion.SIToFPOp: casts.SIToFPOp,
    ops_float.SubFOp: llvm.FSubOp,
    ops_integer.SubIOp: llvm.SubOp,
    ops_conversion.TruncIOp: casts.TruncOp,
    ops_conversion.UIToFPOp: casts.UIToFPOp,
    ops_integer.XOrIOp: llvm.XOrOp,
}
"""For each operation of ``arith`` that one operation of ``llvm`` replaces, that operation."""


# --- constants, choice, comparison


def _constant(site: upstream_to_llvm_patterns.LoweringSite[ops_integer.ConstantOp]) -> Value:
    """Lower a constant. A float of a format that LLVM lacks becomes a constant of the wider format that
    represents it exactly.
    """
    op, result = site.op, site.types[0]
    held = op.held_attributes
    value = given = held["value"]
    if type(given) is FloatAttr:
        value = held_value(given, result)
    if type(held) is not SharedAttributes or value is not given or len(held) > 1:
        held = {"value": value}
    made = Operation.from_parts(ConstantOp.op_kind, (), (result,), held, location=op.lazy_location)
    return site.rewriter.insert(made).results[0]


def held_value(value: Attribute, type: Type) -> Attribute:
    """Return a constant for the converted type `type`: a float constant of another float type is converted to it,
    others are returned unchanged.
    """
    if isinstance(value, FloatAttr) and isinstance(type, FloatType) and value.type is not type:
        return float_attribute(value.value, type)
    return value


def _select(site: upstream_to_llvm_patterns.LoweringSite[ops_integer.SelectOp]) -> Value:
    """Lower a select.

    A scalar condition selects between whole arrays; a vector of conditions selects vector by vector.
    """
    if site.adaptor.condition.type is i1:
        return site.emit(
            llvm.SelectOp,
            *site.adaptor.operands,
            type=site.result_type(),
            **upstream_to_llvm_patterns.fast_math(site.op),
        )
    return upstream_to_llvm_patterns.OneToOne(llvm.SelectOp)(site)


def _compare_integers(site: upstream_to_llvm_patterns.LoweringSite[ops_integer.CmpIOp]) -> Value:
    predicate = IntegerPredicate[site.op.predicate.name]

    def compare(operands: Sequence[Value], type: Type) -> Value:
        left, right = operands
        return site.emit(llvm.ICmpOp, predicate, left, right, type=type)

    return upstream_to_llvm_patterns.elementwise(
        site.emit, site.adaptor.operands, site.result_type(), compare
    )


def _compare_floats(site: upstream_to_llvm_patterns.LoweringSite[ops_float.CmpFOp]) -> Value:
    predicate, flags = FloatPredicate[site.op.predicate.name], upstream_to_llvm_patterns.fast_math(site.op)

    def compare(operands: Sequence[Value], type: Type) -> Value:
        left, right = operands
        return site.emit(llvm.FCmpOp, predicate, left, right, type=type, **flags)

    return upstream_to_llvm_patterns.elementwise(
        site.emit, site.adaptor.operands, site.result_type(), compare
    )


# --- widths


def scalar(type: Any) -> Any:
    """Return the element type of a vector, or of an array of vectors; any other type is returned unchanged."""
    while isinstance(type, VectorType | LLVMArrayType):
        type = type.element_type
    return type


def like(model: Type, element: Type) -> Type:
    """Return the type `element`, or a vector of such elements with the shape of `model` if `model` is a
    vector.
    """
    return VectorType(model.shape, element, model.scalable) if isinstance(model, VectorType) else element


def _index_cast(extension: type[Operation]) -> upstream_to_llvm_patterns.Rule:
    """Return the rule for casts between ``index`` and an integer: no operation for equal widths, a truncation
    to a smaller one, and ``extension``, an operation of `llvm`, to a larger one.
    """

    def lower(site: upstream_to_llvm_patterns.LoweringSite[Any]) -> Value:
        (value,), type = site.adaptor.operands, site.result_type()
        given, wanted = scalar(value.type).width, scalar(type).width
        if given == wanted:
            return value
        target = casts.TruncOp if wanted < given else extension
        return upstream_to_llvm_patterns.elementwise(
            site.emit, [value], type, lambda parts, type: site.emit(target, parts[0], type=type)
        )

    return lower


def _round_float(site: upstream_to_llvm_patterns.LoweringSite[ops_conversion.TruncFOp]) -> Value | NoMatch:
    if site.op.roundingmode is not None:
        return NoMatch("a rounding mode needs a constrained intrinsic, and `llvm` has none here")
    return upstream_to_llvm_patterns.OneToOne(casts.FPTruncOp)(site)


# --- two results


def _add_extended(site: upstream_to_llvm_patterns.LoweringSite[ops_integer.AddUIExtendedOp]) -> list[Value]:
    """Return the unsigned sum, which wraps, and an i1 whether it wrapped: the two members of an intrinsic's
    result.
    """

    def member(at: int) -> Value:
        def add(operands: Sequence[Value], type: Type) -> Value:
            left, right = operands
            form = LLVMStructType((left.type, like(left.type, i1)))
            return site.emit.extract(site.emit(integers.UAddWithOverflowOp, left, right, type=form), at)

        return upstream_to_llvm_patterns.elementwise(
            site.emit, site.adaptor.operands, site.result_type(at), add
        )

    if isinstance(site.result_type(), LLVMArrayType):
        return [member(0), member(1)]
    left, right = site.adaptor.operands
    form = LLVMStructType((left.type, site.result_type(1)))
    both = site.emit(integers.UAddWithOverflowOp, left, right, type=form)
    return [site.emit.extract(both, 0), site.emit.extract(both, 1)]


def _multiply_extended(extension: type[Operation]) -> upstream_to_llvm_patterns.Rule:
    """Return the rule for the product of two integers as its low and its high half, computed in twice the
    width. ``extension`` is the operation of `llvm` that widens the operands.
    """

    def lower(site: upstream_to_llvm_patterns.LoweringSite[Any]) -> list[Value]:
        emit, operands = site.emit, site.adaptor.operands

        def low(parts: Sequence[Value], type: Type) -> Value:
            return emit(casts.TruncOp, _wide_product(emit, extension, parts), type=type)

        def high(parts: Sequence[Value], type: Type) -> Value:
            return _high_half(emit, _wide_product(emit, extension, parts), type)

        type = site.result_type()
        if isinstance(type, LLVMArrayType):
            return [
                upstream_to_llvm_patterns.elementwise(emit, operands, type, low),
                upstream_to_llvm_patterns.elementwise(emit, operands, type, high),
            ]
        product = _wide_product(emit, extension, operands)
        return [emit(casts.TruncOp, product, type=type), _high_half(emit, product, type)]

    return lower


def _wide_product(emit: LlvmEmitter, extension: type[Operation], operands: Sequence[Value]) -> Value:
    type = operands[0].type
    wide = like(type, IntegerType(2 * scalar(type).width))
    left, right = (emit(extension, operand, type=wide) for operand in operands)
    return emit.multiply(left, right)


def _high_half(emit: LlvmEmitter, product: Value, type: Type) -> Value:
    distance = filled(emit, product.type, scalar(type).width)
    return emit(casts.TruncOp, emit(llvm.LShrOp, product, distance), type=type)


def filled(emit: LlvmEmitter, type: Type, value: int) -> Value:
    """Return the constant `value` of an integer type, or of each element of a vector type."""
    if isinstance(type, VectorType):
        return emit.constant(splat(type, value), type)
    return emit.constant(IntegerAttr(type, value), type)


# --- division that rounds


Constant = Callable[[int], Value]
"""A function that returns a given integer as a constant of the operands' type."""


def _ceildivui(emit: LlvmEmitter, constant: Constant, left: Value, right: Value) -> Value:
    """Return the unsigned quotient rounded up as ``n == 0 ? 0 : (n - 1) / d + 1``, which does not overflow."""
    zero = constant(0)
    is_zero = emit(llvm.ICmpOp, IntegerPredicate.EQ, left, zero)
    one = constant(1)
    quotient = emit(llvm.UDivOp, emit(llvm.SubOp, left, one), right)
    return emit(llvm.SelectOp, is_zero, zero, emit.add(quotient, one), type=left.type)


def _ceildivsi(emit: LlvmEmitter, constant: Constant, left: Value, right: Value) -> Value:
    """Return the signed quotient rounded up: the truncated quotient, plus one if it is inexact and positive."""
    zero, one = constant(0), constant(1)
    quotient, inexact = _inexact_quotient(emit, left, right)
    same = emit(llvm.ICmpOp, IntegerPredicate.EQ, *_signs(emit, left, right, zero))
    rounds_up = emit(llvm.AndOp, inexact, same)
    return emit(llvm.SelectOp, rounds_up, emit.add(quotient, one), quotient, type=left.type)


def _floordivsi(emit: LlvmEmitter, constant: Constant, left: Value, right: Value) -> Value:
    """Return the signed quotient rounded down: the truncated quotient, minus one if it is inexact and
    negative.
    """
    quotient, inexact = _inexact_quotient(emit, left, right)
    differ = emit(llvm.ICmpOp, IntegerPredicate.NE, *_signs(emit, left, right, constant(0)))
    rounds_down = emit(llvm.AndOp, inexact, differ)
    less = emit.add(quotient, constant(-1))
    return emit(llvm.SelectOp, rounds_down, less, quotient, type=left.type)


def _inexact_quotient(emit: LlvmEmitter, left: Value, right: Value) -> tuple[Value, Value]:
    quotient = emit(llvm.SDivOp, left, right)
    return quotient, emit(llvm.ICmpOp, IntegerPredicate.NE, left, emit.multiply(quotient, right))


def _signs(emit: LlvmEmitter, left: Value, right: Value, zero: Value) -> tuple[Value, Value]:
    is_negative = IntegerPredicate.SLT
    return emit(llvm.ICmpOp, is_negative, left, zero), emit(llvm.ICmpOp, is_negative, right, zero)


def _division(
    divide: Callable[[LlvmEmitter, Constant, Value, Value], Value],
) -> upstream_to_llvm_patterns.Rule:
    def lower(site: upstream_to_llvm_patterns.LoweringSite[Any]) -> Value:
        emit, is_index = site.emit, site.op.result.type is index

        def one(parts: Sequence[Value], type: Type) -> Value:
            left, right = parts
            return divide(emit, lambda n: emit.index(n) if is_index else filled(emit, type, n), left, right)

        return upstream_to_llvm_patterns.elementwise(emit, site.adaptor.operands, site.result_type(), one)

    return lower


RULES: dict[type[Operation], upstream_to_llvm_patterns.Rule] = {
    ops_integer.ConstantOp: _constant,
    **{source: upstream_to_llvm_patterns.OneToOne(target) for source, target in COUNTERPARTS.items()},
    ops_conversion.TruncFOp: _round_float,
    ops_integer.SelectOp: _select,
    ops_integer.CmpIOp: _compare_integers,
    ops_float.CmpFOp: _compare_floats,
    ops_conversion.IndexCastOp: _index_cast(casts.SExtOp),
    ops_conversion.IndexCastUIOp: _index_cast(casts.ZExtOp),
    ops_integer.AddUIExtendedOp: _add_extended,
    ops_integer.MulSIExtendedOp: _multiply_extended(casts.SExtOp),
    ops_integer.MulUIExtendedOp: _multiply_extended(casts.ZExtOp),
    ops_integer.CeilDivUIOp: _division(_ceildivui),
    ops_integer.CeilDivSIOp: _division(_ceildivsi),
    ops_integer.FloorDivSIOp: _division(_floordivsi),
}
"""For each operation of ``arith``, the function that lowers it."""


def populate_arith_to_llvm(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns that lower ``arith``."""
    upstream_to_llvm_patterns.add_rules(patterns, converter, RULES)


@dataclass(frozen=True)
class ConvertArithToLLVM(upstream_to_llvm_patterns.ToLLVMWithIndex):
    """Converts ``arith`` to ``llvm``; ``index-bitwidth`` is the width of ``index``, 0 for the machine's (64)."""

    name: ClassVar[str] = "convert-arith-to-llvm"

    def populate(self, patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
        populate_arith_to_llvm(patterns, converter)
