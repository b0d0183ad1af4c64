"""Formats of partial results: sums and products of narrow floats are computed in f32 and rounded once, at the
end.

The conversion of elements to f32 is exact. Rounding each step would cost instructions, and would lose several
bits in a sum of some hundred elements.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.arith.ops_float import AddFOp, MulFOp
from tilewright.dialects.llvm.ops.arithmetic import FAddOp, FMulOp
from tilewright.dialects.nv_tileas.ops_arith import also_on_tiles
from tilewright.ir.builtin_types import FloatType, bf16, f16, f32
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.elements.element_types import element_of
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.lanes import has_flag, rounding_mode
from tilewright.targets.elements.rounding import NEAREST_EVEN, convert, widen
from tilewright.targets.llvm.code import LlvmBuilder

KEPT_IN: dict[FloatType, FloatType] = {bf16: f32, f16: f32}
"""The format of partial results, by the format of elements."""
STEPS: dict[type[Operation], type[Operation]] = also_on_tiles({AddFOp: FAddOp, MulFOp: FMulOp})
"""Operations with wider partial results, and the operation that combines these."""

Narrow = tuple[FloatType | None, ...]
"""For each input the format to which its results are rounded at the end; `None` if partial results have this
format.
"""


def narrow_format(op: Operation) -> FloatType | None:
    """Return the format to which an operation that combines elements rounds, if the rounding may be deferred;
    otherwise `None`. It may not for other modes than to nearest.
    """
    element = element_of(op.results[0].type)
    if not isinstance(element, FloatType) or element not in KEPT_IN or op.__class__ not in STEPS:
        return None
    return None if rounding_mode(op) != NEAREST_EVEN or has_flag(op, "flush_to_zero") else element


def step(code: LlvmBuilder, op: Operation, left: Value, right: Value) -> Value:
    """Combine two partial results as the operation combines elements."""
    return code(STEPS[op.__class__], left, right, type=left.type)


def begun(code: LlvmBuilder, elements: Sequence[Value], narrow: Narrow) -> list[Value]:
    """Convert elements of each input to partial results."""
    pairs = zip(elements, narrow, strict=True)
    return [value if to is None else widen(Expression(code, value), to).value for value, to in pairs]


def finished(code: LlvmBuilder, results: Sequence[Value], narrow: Narrow) -> list[Value]:
    """Round partial results of each input to the format of its elements."""
    pairs = zip(results, narrow, strict=True)
    return [value if to is None else convert(Expression(code, value), to).value for value, to in pairs]
