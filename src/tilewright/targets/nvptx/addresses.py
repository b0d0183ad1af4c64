"""`combine-addresses`: moves constant distances out of address computations into the accesses.

The elements of a thread lie at constant distances from each other. In `base + (a + sext(b + 1)) * 4` the
distance is hidden. In `(base + (a + sext(b)) * 4) + 4` the address in parentheses is shared, and PTX adds the
4 in the access itself.

The identities are PDL (`IDENTITIES`); native functions implement the conditions that PDL cannot express.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from tilewright.dialects.llvm.enums import PointerWrapFlags
from tilewright.dialects.llvm.ops.aggregate import ConstantOp
from tilewright.dialects.llvm.ops.arithmetic import AddOp, AndOp, MulOp
from tilewright.dialects.llvm.ops.conversion import SExtOp
from tilewright.dialects.llvm.ops.memory import GEPOp
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.context import Context
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet
from tilewright.rewrite.rewriter import Rewriter
from tilewright.rewrite.walk import walk_and_apply_patterns

IDENTITIES = """
module {
  // sext(x + c) = sext(x) + c where the sum does not leave the type
  pdl.pattern @ExtensionOfSum : benefit(1) {
    %type = type
    %x = operand
    %number = attribute
    %constant = operation "llvm.mlir.constant" {"value" = %number} -> (%type : !pdl.type)
    %c = result 0 of %constant
    %inner = operation "llvm.add"(%x, %c : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %sum = result 0 of %inner
    %wide = type
    %root = operation "llvm.sext"(%sum : !pdl.value) -> (%wide : !pdl.type)
    apply_native_constraint "stays_in_type"(%x, %number : !pdl.value, !pdl.attribute)
    rewrite %root {
      %new = apply_native_rewrite "sum_of_extension"(%root, %x, %number : !pdl.operation, !pdl.value, !pdl.attribute) : !pdl.value
      replace %root with (%new : !pdl.value)
    }
  }
  // a + (x + c) = (a + x) + c
  pdl.pattern @SumOfSum : benefit(1) {
    %type = type
    %a = operand
    %x = operand
    %number = attribute
    %constant = operation "llvm.mlir.constant" {"value" = %number} -> (%type : !pdl.type)
    %c = result 0 of %constant
    %inner = operation "llvm.add"(%x, %c : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %sum = result 0 of %inner
    %root = operation "llvm.add"(%a, %sum : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    rewrite %root {
      %new = apply_native_rewrite "sum_of_sum"(%root, %a, %x, %c : !pdl.operation, !pdl.value, !pdl.value, !pdl.value) : !pdl.value
      replace %root with (%new : !pdl.value)
    }
  }
  // (x + c) + a = (x + a) + c
  pdl.pattern @SumWithSum : benefit(1) {
    %type = type
    %a = operand
    %x = operand
    %number = attribute
    %constant = operation "llvm.mlir.constant" {"value" = %number} -> (%type : !pdl.type)
    %c = result 0 of %constant
    %inner = operation "llvm.add"(%x, %c : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %sum = result 0 of %inner
    %root = operation "llvm.add"(%sum, %a : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    apply_native_constraint "varies"(%a : !pdl.value)
    rewrite %root {
      %new = apply_native_rewrite "sum_of_sum"(%root, %x, %a, %c : !pdl.operation, !pdl.value, !pdl.value, !pdl.value) : !pdl.value
      replace %root with (%new : !pdl.value)
    }
  }
  // (x + c) + (y + d) = (x + y) + (c + d)
  pdl.pattern @SumOfSums : benefit(2) {
    %type = type
    %x = operand
    %number = attribute
    %constant = operation "llvm.mlir.constant" {"value" = %number} -> (%type : !pdl.type)
    %c = result 0 of %constant
    %left = operation "llvm.add"(%x, %c : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %sum = result 0 of %left
    %y = operand
    %further = attribute
    %other = operation "llvm.mlir.constant" {"value" = %further} -> (%type : !pdl.type)
    %d = result 0 of %other
    %right = operation "llvm.add"(%y, %d : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %total = result 0 of %right
    %root = operation "llvm.add"(%sum, %total : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    apply_native_constraint "is_short"(%number : !pdl.attribute)
    apply_native_constraint "is_short"(%further : !pdl.attribute)
    rewrite %root {
      %new = apply_native_rewrite "sum_of_sums"(%root, %x, %y, %number, %further : !pdl.operation, !pdl.value, !pdl.value, !pdl.attribute, !pdl.attribute) : !pdl.value
      replace %root with (%new : !pdl.value)
    }
  }
  // (x + c) * d = x * d + c * d
  pdl.pattern @ProductOfSum : benefit(1) {
    %type = type
    %x = operand
    %number = attribute
    %constant = operation "llvm.mlir.constant" {"value" = %number} -> (%type : !pdl.type)
    %c = result 0 of %constant
    %inner = operation "llvm.add"(%x, %c : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %sum = result 0 of %inner
    %times = attribute
    %factor = operation "llvm.mlir.constant" {"value" = %times} -> (%type : !pdl.type)
    %d = result 0 of %factor
    %root = operation "llvm.mul"(%sum, %d : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    apply_native_constraint "is_short"(%number : !pdl.attribute)
    apply_native_constraint "is_short"(%times : !pdl.attribute)
    rewrite %root {
      %new = apply_native_rewrite "sum_of_product"(%root, %x, %number, %d, %times : !pdl.operation, !pdl.value, !pdl.attribute, !pdl.value, !pdl.attribute) : !pdl.value
      replace %root with (%new : !pdl.value)
    }
  }
  // base + (x + c) * size = (base + x * size) + c * size
  pdl.pattern @StepOfSum : benefit(2) {
    %pointer = type
    %wide = type : i64
    %base = operand
    %x = operand
    %number = attribute
    %constant = operation "llvm.mlir.constant" {"value" = %number} -> (%wide : !pdl.type)
    %c = result 0 of %constant
    %inner = operation "llvm.add"(%x, %c : !pdl.value, !pdl.value) -> (%wide : !pdl.type)
    %sum = result 0 of %inner
    %dynamic = attribute = array<i32: -2147483648>
    %root = operation "llvm.getelementptr"(%base, %sum : !pdl.value, !pdl.value) {"rawConstantIndices" = %dynamic} -> (%pointer : !pdl.type)
    apply_native_constraint "is_short"(%number : !pdl.attribute)
    rewrite %root {
      %new = apply_native_rewrite "two_steps"(%root, %x, %number : !pdl.operation, !pdl.value, !pdl.attribute) : !pdl.value
      replace %root with (%new : !pdl.value)
    }
  }
  // base + sext(x) * size = base + x * size: positions have a sign
  pdl.pattern @StepOfExtension : benefit(1) {
    %pointer = type
    %long = type
    %base = operand
    %x = operand
    %extension = operation "llvm.sext"(%x : !pdl.value) -> (%long : !pdl.type)
    %wide = result 0 of %extension
    %dynamic = attribute = array<i32: -2147483648>
    %root = operation "llvm.getelementptr"(%base, %wide : !pdl.value, !pdl.value) {"rawConstantIndices" = %dynamic} -> (%pointer : !pdl.type)
    rewrite %root {
      %new = apply_native_rewrite "step"(%root, %x : !pdl.operation, !pdl.value) : !pdl.value
      replace %root with (%new : !pdl.value)
    }
  }
}
"""
SHORT = 1 << 31
DYNAMIC = -SHORT
"""The marker of an operand among the constant indices of ``llvm.getelementptr``."""


def stays_in_type(rewriter: Rewriter, x: Value, number: Attribute) -> bool | NoMatch:
    """Return whether adding a small number to `x` stays in its type: the upper bits of `x` are known to be
    zero.
    """
    largest = largest_of(x)
    if largest is None or not isinstance(number, IntegerAttr) or not isinstance(x.type, IntegerType):
        return rewriter.no_match("the upper bits of the summand are unknown")
    if not 0 <= number.value <= (1 << (x.type.width - 1)) - 1 - largest:
        return rewriter.no_match("the sum may overflow its type")
    return True


def largest_of(value: Value) -> int | None:
    """Return the largest number that a value may be, according to a mask of its bits; None if unknown."""
    owner = value.owner if isinstance(value, OpResult) else None
    if isinstance(owner, AndOp):
        mask = owner.rhs.owner
        if isinstance(mask, ConstantOp) and isinstance(mask.value, IntegerAttr) and mask.value.value >= 0:
            return mask.value.value
    return None


def varies(rewriter: Rewriter, value: Value) -> bool | NoMatch:
    """Return whether a value is not constant."""
    if isinstance(value, OpResult) and isinstance(value.owner, ConstantOp):
        return rewriter.no_match("both summands are constants")
    return True


def is_short(rewriter: Rewriter, number: Attribute) -> bool | NoMatch:
    """Return whether a constant is a single number that fits a constant index."""
    if isinstance(number, IntegerAttr) and -SHORT < number.value < SHORT:
        return True
    return rewriter.no_match("the constant does not fit 32 bits")


def constant(rewriter: Rewriter, root: Operation, value: int, type: IntegerType) -> Value:
    """Return a constant of a type; the value wraps around."""
    top = 1 << (type.width - 1)
    attribute = IntegerAttr(type, (value + top) % (2 * top) - top)
    return inserted(rewriter, ConstantOp(attribute, result_types=[type], location=root.lazy_location))


def inserted(rewriter: Rewriter, op: Operation) -> Value:
    """Insert an operation before the root, and return its result."""
    return rewriter.insert(op).results[0]


def sum_of_extension(rewriter: Rewriter, root: Operation, x: Value, number: IntegerAttr) -> Value:
    """Return ``sext(x) + c``."""
    wide = root.results[0].type
    assert isinstance(wide, IntegerType), "scalars are extended to scalars"
    extended = inserted(rewriter, SExtOp(x, result_types=[wide], location=root.lazy_location))
    distance = constant(rewriter, root, number.value, wide)
    return inserted(rewriter, AddOp(extended, distance, location=root.lazy_location))


def sum_of_sum(rewriter: Rewriter, root: Operation, a: Value, x: Value, c: Value) -> Value:
    """Return ``(a + x) + c``."""
    total = inserted(rewriter, AddOp(a, x, location=root.lazy_location))
    return inserted(rewriter, AddOp(total, c, location=root.lazy_location))


def sum_of_sums(
    rewriter: Rewriter, root: Operation, x: Value, y: Value, number: IntegerAttr, further: IntegerAttr
) -> Value:
    """Return ``(x + y) + (c + d)``."""
    assert isinstance(x.type, IntegerType), "scalars are added"
    total = inserted(rewriter, AddOp(x, y, location=root.lazy_location))
    distance = constant(rewriter, root, number.value + further.value, x.type)
    return inserted(rewriter, AddOp(total, distance, location=root.lazy_location))


def sum_of_product(
    rewriter: Rewriter, root: Operation, x: Value, number: IntegerAttr, d: Value, times: IntegerAttr
) -> Value:
    """Return ``x * d + c * d``."""
    assert isinstance(d.type, IntegerType), "scalars are multiplied"
    product = inserted(rewriter, MulOp(x, d, location=root.lazy_location))
    distance = constant(rewriter, root, number.value * times.value, d.type)
    return inserted(rewriter, AddOp(product, distance, location=root.lazy_location))


def step(rewriter: Rewriter, root: GEPOp, x: Value) -> Value:
    """Return the address `x` elements after the base of ``root``."""
    return _stepped(rewriter, root, root.base, DYNAMIC, x)


def two_steps(rewriter: Rewriter, root: GEPOp, x: Value, number: IntegerAttr) -> Value:
    """Return the address `x` elements after the base of ``root``, advanced by the constant distance in a
    second step.
    """
    return _stepped(rewriter, root, step(rewriter, root, x), number.value)


def _stepped(rewriter: Rewriter, root: GEPOp, base: Value, position: int, *dynamic: Value) -> Value:
    flags, place = PointerWrapFlags.NONE, root.lazy_location
    types = root.result_types
    made = GEPOp(base, (position,), root.elem_type, dynamic, flags, result_types=types, location=place)
    return inserted(rewriter, made)


FUNCTIONS = (
    *(stays_in_type, varies, is_short),
    *(sum_of_extension, sum_of_sum, sum_of_sums, sum_of_product, step, two_steps),
)
NATIVE: Mapping[str, Callable[..., Any]] = {function.__name__: function for function in FUNCTIONS}
"""The native functions that the identities call."""


@cache
def identities() -> FrozenRewritePatternSet:
    """Return the compiled patterns. They create only operations of `llvm`, so all contexts may share them."""
    # Importing PDL is slow, so only compilations for GPUs import it.
    from tilewright.dialects.builtin.dialect import BUILTIN
    from tilewright.dialects.llvm.dialect import LLVM
    from tilewright.ir.text.parser import parse_module
    from tilewright.pdl.dialects.pdl.dialect import PDL
    from tilewright.pdl.patterns import add_pdl

    context = Context([BUILTIN, LLVM, PDL])
    module = parse_module(context, IDENTITIES, "addresses.py")
    return FrozenRewritePatternSet(add_pdl(RewritePatternSet(context), module, NATIVE))


@dataclass(frozen=True)
class CombineAddresses(Pass):
    """Move constant distances from the indices of `llvm.getelementptr` to separate constant steps after it.

    Elements of a thread at constant distances then share one address, and the distances move into the
    accesses. `cse` after this pass merges the addresses.
    """

    name: ClassVar[str] = "combine-addresses"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-combined", walk_and_apply_patterns(op, identities()))
