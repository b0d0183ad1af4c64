"""Formulas over lanes: an operator creates an operation of the `llvm` dialect, and a Python number a
constant.

An `Expression` is a vector or a scalar. Integer operators wrap; methods that depend on signedness have it in
their names. Floats follow IEEE 754 with rounding to nearest.
"""

from __future__ import annotations

from typing import Any

from tilewright.dialects.llvm.enums import FloatPredicate, IntegerPredicate
from tilewright.dialects.llvm.intrinsics import float as float_intrinsics, integer as integer_intrinsics
from tilewright.dialects.llvm.ops import arithmetic as llvm, conversion as casts
from tilewright.dialects.llvm.ops.control import CallIntrinsicOp, CallOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType, VectorType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.elements.element_types import register_type
from tilewright.targets.llvm.code import LlvmBuilder

Number = int | float


class Expression:
    """A value on lanes, and the insertion point of the code that uses it.

    `element` is the type of a lane. If registers hold a float format as bits, `element` may be this format:
    such an expression can be selected and widened, but not computed with.
    """

    __slots__ = ("code", "element", "lanes", "type", "value")

    def __init__(self, code: LlvmBuilder, value: Value, element: Type | None = None) -> None:
        self.code = code
        self.value = value
        self.type: Type = value.type
        self.lanes = 1
        self.element: Any = value.type
        if isinstance(value.type, VectorType):
            (self.lanes,) = value.type.shape
            self.element = value.type.element_type
        if element is not None:
            self.element = element

    # --- construction of expressions

    def of(self, value: Value) -> Expression:
        """Return an expression of `value` at the same insertion point."""
        return Expression(self.code, value)

    def like(self, element: Type) -> Type:
        """Return the register type of `element` with the number of lanes of this expression."""
        return self._lanes_of(register_type(element))

    def _lanes_of(self, element: Type) -> Type:
        return VectorType((self.lanes,), element) if isinstance(self.type, VectorType) else element

    def constant(self, number: Number, element: Type | None = None) -> Expression:
        """Return `number` on all lanes, as a constant of the type `element` (None: the type of this
        expression).
        """
        kind: Any = element or self.element
        type = self.like(kind)
        if isinstance(kind, FloatType):
            return self.of(self.code.float(number, type))
        return self.of(self.code.integer(as_signed(int(number), kind.width), type))

    def bits_constant(self, pattern: int) -> Expression:
        """Return the float with a bit pattern on all lanes."""
        return self.constant(pattern, IntegerType(self.element.width)).as_type(self.element)

    def _of(self, other: Expression | Number) -> Value:
        return other.value if isinstance(other, Expression) else self.constant(other).value

    def apply(self, op: type[Operation], *others: Expression | Number) -> Expression:
        """Apply an operation to this operand and `others`, which have the same type as the result; numbers
        become constants.
        """
        return self.of(self.code(op, self.value, *map(self._of, others), type=self.type))

    def _by_kind(
        self, float_op: type[Operation], op: type[Operation], other: Expression | Number
    ) -> Expression:
        return self.apply(float_op if isinstance(self.element, FloatType) else op, other)

    # --- arithmetic

    def __add__(self, other: Expression | Number) -> Expression:
        return self._by_kind(llvm.FAddOp, llvm.AddOp, other)

    def __sub__(self, other: Expression | Number) -> Expression:
        return self._by_kind(llvm.FSubOp, llvm.SubOp, other)

    def __mul__(self, other: Expression | Number) -> Expression:
        return self._by_kind(llvm.FMulOp, llvm.MulOp, other)

    def __truediv__(self, other: Expression | Number) -> Expression:
        return self.apply(llvm.FDivOp, other)

    def __rsub__(self, other: Number) -> Expression:
        return self.constant(other) - self

    def __rtruediv__(self, other: Number) -> Expression:
        return self.constant(other) / self

    def __neg__(self) -> Expression:
        if not isinstance(self.element, FloatType):
            return self.constant(0) - self
        if register_type(self.element) is self.element:
            return self.apply(llvm.FNegOp)
        return (self.bits() ^ self.element.format.sign_mask).as_type(self.element)

    def fma(self, factor: Expression | Number, addend: Expression | Number) -> Expression:
        """Return ``self * factor + addend``, rounded once."""
        return self.apply(float_intrinsics.FMAOp, factor, addend)

    def magnitude(self) -> Expression:
        """Return the absolute value of a float."""
        return self.apply(float_intrinsics.FAbsOp)

    def with_sign_of(self, other: Expression) -> Expression:
        """Return the magnitude of this float with the sign of `other`."""
        return self.apply(float_intrinsics.CopySignOp, other)

    def square_root(self) -> Expression:
        """Return the square root, rounded to nearest."""
        return self.apply(float_intrinsics.SqrtOp)

    # --- bits

    def __and__(self, other: Expression | Number) -> Expression:
        return self.apply(llvm.AndOp, other)

    def __or__(self, other: Expression | Number) -> Expression:
        return self.apply(llvm.OrOp, other)

    def __xor__(self, other: Expression | Number) -> Expression:
        return self.apply(llvm.XOrOp, other)

    def __invert__(self) -> Expression:
        return self ^ -1

    def __lshift__(self, other: Expression | Number) -> Expression:
        return self.apply(llvm.ShlOp, other)

    def __rshift__(self, other: Expression | Number) -> Expression:
        """Return this integer shifted right by `other` bits, with zeros shifted in."""
        return self.apply(llvm.LShrOp, other)

    def shift_signed(self, other: Expression | Number) -> Expression:
        """Return this integer shifted right by `other` bits, with its sign shifted in."""
        return self.apply(llvm.AShrOp, other)

    def minimum(self, other: Expression | Number) -> Expression:
        """Return the minimum of this integer and `other`, both signed."""
        return self.apply(integer_intrinsics.SMinOp, other)

    def maximum(self, other: Expression | Number) -> Expression:
        """Return the maximum of this integer and `other`, both signed."""
        return self.apply(integer_intrinsics.SMaxOp, other)

    def least_unsigned(self, other: Expression | Number) -> Expression:
        """Return the minimum of this integer and `other`, both unsigned."""
        return self.apply(integer_intrinsics.UMinOp, other)

    # --- comparison and choice

    def compare(self, predicate: str, other: Expression | Number) -> Expression:
        """Compare with `other` by a predicate, the name of a case of `FloatPredicate` for floats, and of
        `IntegerPredicate` otherwise. Return lanes of i1.
        """
        right = self._of(other)
        if isinstance(self.element, FloatType):
            return self.of(self.code(llvm.FCmpOp, FloatPredicate[predicate], self.value, right))
        return self.of(self.code(llvm.ICmpOp, IntegerPredicate[predicate], self.value, right))

    def is_nan(self) -> Expression:
        """Return whether a float is NaN."""
        return self.compare("UNO", self)

    def select(self, yes: Expression | Number, no: Expression | Number) -> Expression:
        """Select `yes` where this condition is true, and `no` elsewhere; at least one of them is an
        expression.
        """
        model = yes if isinstance(yes, Expression) else no
        assert isinstance(model, Expression)
        chosen = [item if isinstance(item, Expression) else model.constant(item) for item in (yes, no)]
        values = [item.value for item in chosen]
        result = self.code(llvm.SelectOp, self.value, *values, type=chosen[0].type)
        return Expression(self.code, result, chosen[0].element)

    # --- types

    def cast(self, op: type[Operation], element: Type) -> Expression:
        """Convert to the element type `element` by the operation `op`, which is a cast of the dialect `llvm`."""
        return self.of(self.code(op, self.value, type=self.like(element)))

    def as_type(self, element: Type) -> Expression:
        """Reinterpret the bits as the element type `element`, whose register type has as many bits."""
        if element is self.element:
            return self
        wanted = self.like(element)
        same = self.value if wanted is self.type else self.code(casts.BitcastOp, self.value, type=wanted)
        return Expression(self.code, same, element)

    def bits(self) -> Expression:
        """Return the bits of a float as an integer with the width of its register."""
        held: Any = register_type(self.element)
        return self.as_type(IntegerType(held.width))

    def extended(self, element: Any, *, signed: bool) -> Expression:
        """Return this integer with the width of `element`: truncated, or extended by the sign if it is
        `signed`, else by zeros.
        """
        if element is self.element:
            return self
        if element.width < self.element.width:
            return self.cast(casts.TruncOp, element)
        return self.cast(casts.SExtOp if signed else casts.ZExtOp, element)

    def to_float(self, element: FloatType) -> Expression:
        """Return this float in another float format of LLVM, `element`, rounded to nearest. The formats have
        different widths, or are the same.
        """
        if element is self.element:
            return self
        op = casts.FPExtOp if element.width > self.element.width else casts.FPTruncOp
        return self.of(self.code(op, self.value, type=self._lanes_of(element)))

    def as_computed(self) -> Expression:
        """Return a float that a register holds as bits as LLVM's float type, for targets that compute in its
        format.
        """
        wanted = self._lanes_of(self.element)
        return self if wanted is self.type else self.of(self.code(casts.BitcastOp, self.value, type=wanted))

    def as_register(self) -> Expression:
        """Return a float of LLVM's type as its bits, where registers hold the format as bits (the inverse of
        `as_computed`).
        """
        wanted = self.like(self.element)
        if wanted is self.type:
            return self
        return Expression(self.code, self.code(casts.BitcastOp, self.value, type=wanted), self.element)

    # --- calls

    def call(self, name: str, *others: Expression, type: Type | None = None) -> Expression:
        """Call the function with the symbol `name` with this operand and `others`. The result has the type
        ``type``, by default the type of this operand.
        """
        operands = (self.value, *(other.value for other in others))
        made = CallOp(
            op_bundle_sizes=(),
            callee=name,
            callee_operands=operands,
            no_unwind=True,
            result_types=[type or self.type],
        )
        return self.of(self.code.insert(made).results[0])

    def same_type_intrinsic(self, name: str, *others: Expression) -> Expression:
        """Call an intrinsic of LLVM with equal types of operands and result; its name ends with the type."""
        return self.named_intrinsic(f"{name}.{type_suffix(self.type)}", *others)

    def named_intrinsic(self, name: str, *others: Expression) -> Expression:
        """Call an intrinsic of LLVM by its full name; operands and result have equal types."""
        operands = (self.value, *(other.value for other in others))
        made = CallIntrinsicOp(intrin=name, op_bundle_sizes=(), args=operands, result_types=[self.type])
        return self.of(self.code.insert(made).results[0])


def as_signed(number: int, width: int) -> int:
    """Return the signed value of the low `width` bits of a number; a single bit is 0 or 1."""
    low = number & ((1 << width) - 1)
    return low - (1 << width) if width > 1 and low >> (width - 1) else low


def type_suffix(type: Any) -> str:
    """Return LLVM's spelling of a type in names: ``f32``, ``v16f32``."""
    if isinstance(type, VectorType):
        element: Any = type.element_type
        return f"v{type.shape[0]}{type_suffix(element)}"
    return type.spelling if isinstance(type, FloatType) else f"i{type.width}"
