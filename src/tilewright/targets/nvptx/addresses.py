"""`combine-addresses`: moves constant distances out of address computations into the accesses.

The elements of a thread lie at constant distances from each other. In `base + (a + sext(b + 1)) * 4` the
distance is hidden. In `(base + (a + sext(b)) * 4) + 4` the address in parentheses is shared, and PTX adds the
4 in the access itself.

The identities are `RULES`; functions implement the conditions that terms cannot express.
"""

from __future__ import annotations

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
from tilewright.ir.builtin_types import IntegerType, i64
from tilewright.ir.context import Context
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite import pattern_set, rules as rewrite_rules, walk
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.rewriter import Rewriter

SHORT = 1 << 31
DYNAMIC = -SHORT
"""The number in the constant indices of ``llvm.getelementptr`` that says that this index is an operand."""


def largest_of(value: Value) -> int | None:
    """Return the constant, at least 0, on the right of the `llvm.and` that computes `value`: the value is at
    most this number. Return None for any other value.
    """
    owner = value.owner if isinstance(value, OpResult) else None
    if isinstance(owner, AndOp):
        mask = owner.rhs.owner
        if isinstance(mask, ConstantOp) and isinstance(mask.value, IntegerAttr) and mask.value.value >= 0:
            return mask.value.value
    return None


def is_short(number: Attribute) -> bool:
    """Return whether a constant is a single number that fits a constant index."""
    return isinstance(number, IntegerAttr) and -SHORT < number.value < SHORT


def constant(rewriter: Rewriter, root: Operation, value: int, type: IntegerType) -> Value:
    """Insert a constant of `type` before `root`, and return it; `value` wraps around to the width of the
    type.
    """
    top = 1 << (type.width - 1)
    attribute = IntegerAttr(type, (value + top) % (2 * top) - top)
    return inserted(rewriter, ConstantOp(attribute, result_types=[type], location=root.lazy_location))


def inserted(rewriter: Rewriter, op: Operation) -> Value:
    """Insert an operation at the insertion point of `rewriter`, and return its first result."""
    return rewriter.insert(op).results[0]


def sum_of_extension(rewriter: Rewriter, root: SExtOp, found: rewrite_rules.Bindings) -> Value | NoMatch:
    """Return ``sext(X) + C`` for ``root``, which is ``sext(X + C)``. No match unless ``X + C`` cannot wrap
    around: X is masked by an `and`, and C is at least 0 and small enough.
    """
    x, number, wide = found["X"], found["C"], root.res.type
    largest = largest_of(x)
    if largest is None or not isinstance(number, IntegerAttr) or not isinstance(x.type, IntegerType):
        return rewriter.no_match("the upper bits of the summand are unknown")
    if not 0 <= number.value <= (1 << (x.type.width - 1)) - 1 - largest:
        return rewriter.no_match("the sum may overflow its type")
    assert isinstance(wide, IntegerType), "scalars are extended to scalars"
    extended = inserted(rewriter, SExtOp(x, result_types=[wide], location=root.lazy_location))
    distance = constant(rewriter, root, number.value, wide)
    return inserted(rewriter, AddOp(extended, distance, location=root.lazy_location))


def sum_with_sum(rewriter: Rewriter, root: AddOp, found: rewrite_rules.Bindings) -> Value | NoMatch:
    """Return ``(X + A) + C`` for ``root``, which is ``(X + C) + A`` with the constant C. No match if A is a
    constant, too.
    """
    if isinstance(root.rhs, OpResult) and isinstance(root.rhs.owner, ConstantOp):
        return rewriter.no_match("both summands are constants")
    inner: Any = root.lhs.owner
    total = inserted(rewriter, AddOp(found["X"], root.rhs, location=root.lazy_location))
    return inserted(rewriter, AddOp(total, inner.operands[1], location=root.lazy_location))


def sum_of_sums(rewriter: Rewriter, root: AddOp, found: rewrite_rules.Bindings) -> Value:
    """Return ``(X + Y) + (C + D)`` for ``root``, which is ``(X + C) + (Y + D)`` with the constants C and D."""
    total = inserted(rewriter, AddOp(found["X"], found["Y"], location=root.lazy_location))
    return distant(rewriter, root, total, found["C"].value + found["D"].value)


def sum_of_product(rewriter: Rewriter, root: MulOp, found: rewrite_rules.Bindings) -> Value:
    """Return ``X * D + C * D`` for ``root``, which is ``(X + C) * D`` with the constants C and D."""
    product = inserted(rewriter, MulOp(found["X"], root.rhs, location=root.lazy_location))
    return distant(rewriter, root, product, found["C"].value * found["D"].value)


def distant(rewriter: Rewriter, root: Operation, start: Value, distance: int) -> Value:
    """Emit the sum of the integer `start` and the constant `distance` before `root`, and return it."""
    assert isinstance(start.type, IntegerType), "scalars are added"
    number = constant(rewriter, root, distance, start.type)
    return inserted(rewriter, AddOp(start, number, location=root.lazy_location))


def step(rewriter: Rewriter, root: GEPOp, found: rewrite_rules.Bindings) -> Value:
    """Return ``getelementptr base[X]`` for ``root``, which is ``getelementptr base[sext(X)]`` or
    ``getelementptr base[X + C]``, in which case the caller adds C. The new operation has the element type of
    ``root``, and no wrap flags.
    """
    return _stepped(rewriter, root, root.base, DYNAMIC, found["X"])


def two_steps(rewriter: Rewriter, root: GEPOp, found: rewrite_rules.Bindings) -> Value | NoMatch:
    """Return ``getelementptr (getelementptr base[X])[C]`` for ``root``, which is ``getelementptr base[X +
    C]``; no match unless X has 64 bits.
    """
    if found["X"].type is not i64:
        return rewriter.no_match("the position has no 64 bits")
    return _stepped(rewriter, root, step(rewriter, root, found), found["C"].value)


def _stepped(rewriter: Rewriter, root: GEPOp, base: Value, position: int, *dynamic: Value) -> Value:
    flags, place = PointerWrapFlags.NONE, root.lazy_location
    types = root.result_types
    made = GEPOp(base, (position,), root.elem_type, dynamic, flags, result_types=types, location=place)
    return inserted(rewriter, made)


A, X, Y = rewrite_rules.variables("A X Y")
C, D = rewrite_rules.constant(is_short, "C"), rewrite_rules.constant(is_short, "D")
ANY = rewrite_rules.constant(name="C")


def plus(left: rewrite_rules.Term, right: rewrite_rules.Term) -> rewrite_rules.OpTerm:
    """Return a pattern of an integer sum that matches its operands in the given order only: constants are on
    the right.
    """
    return rewrite_rules.ordered(rewrite_rules.op_pattern(AddOp, left, right))


RULES = (
    # sext(x + c) = sext(x) + c where the sum does not leave the type
    rewrite_rules.rule("ExtensionOfSum", rewrite_rules.op_pattern(SExtOp, plus(X, ANY)), sum_of_extension),
    # a + (x + c) = (a + x) + c
    rewrite_rules.rule("SumOfSum", plus(A, plus(X, ANY)), plus(plus(A, X), ANY)),
    # (x + c) + a = (x + a) + c
    rewrite_rules.rule("SumWithSum", plus(plus(X, ANY), A), sum_with_sum),
    # (x + c) + (y + d) = (x + y) + (c + d)
    rewrite_rules.rule("SumOfSums", plus(plus(X, C), plus(Y, D)), sum_of_sums, benefit=2),
    # (x + c) * d = x * d + c * d
    rewrite_rules.rule(
        "ProductOfSum", rewrite_rules.ordered(rewrite_rules.op_pattern(MulOp, plus(X, C), D)), sum_of_product
    ),
    # base + (x + c) * size = (base + x * size) + c * size
    rewrite_rules.rule(
        "StepOfSum",
        rewrite_rules.op_pattern(GEPOp, A, plus(X, C), rawConstantIndices=(DYNAMIC,)),
        two_steps,
        benefit=2,
    ),
    # base + sext(x) * size = base + x * size: positions have a sign
    rewrite_rules.rule(
        "StepOfExtension",
        rewrite_rules.op_pattern(
            GEPOp, A, rewrite_rules.op_pattern(SExtOp, X), rawConstantIndices=(DYNAMIC,)
        ),
        step,
    ),
)


@cache
def identities() -> pattern_set.FrozenRewritePatternSet:
    """Return the patterns of `RULES`. They create only operations of `llvm`, so all contexts may share them."""
    from tilewright.dialects.llvm.dialect import LLVM  # only compilations for GPUs need it

    return pattern_set.FrozenRewritePatternSet(pattern_set.RewritePatternSet(Context([LLVM]), RULES))


@dataclass(frozen=True)
class CombineAddresses(Pass):
    """Move constant distances from the indices of `llvm.getelementptr` to separate constant steps after it.

    Elements of a thread at constant distances then share one address, and the distances move into the
    accesses. `cse` after this pass merges the addresses.
    """

    name: ClassVar[str] = "combine-addresses"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-combined", walk.walk_and_apply_patterns(op, identities()))
