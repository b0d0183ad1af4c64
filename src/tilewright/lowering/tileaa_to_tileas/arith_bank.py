"""The bank: one pattern class converts 43 operations of `arith` to the operations of the same name in
`nv_tileas`.

All patterns share one type converter and do not depend on the target. `arith.constant` is not in the bank: a
pattern of benefit 20 converts it by the kind of its attribute.

Only arithmetic on tiles becomes `nv_tileas`; all other arithmetic stays in `arith`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.common.constant_folding import make_constant
from tilewright.dialects.nv_tileaa.constraints import element_of, is_tile
from tilewright.dialects.nv_tileaa.ops.structure import ConstantTensorOp, SplatOp
from tilewright.dialects.nv_tileas.ops_arith import BY_MNEMONIC, SOURCES
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.lowering.pattern import ConversionInserter, LoweringPattern, LoweringResult
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.conversion.type_converter import TypeConverter
from tilewright.rewrite.pattern_set import RewritePatternSet

ARITH_OPERATIONS: tuple[type[Operation], ...] = SOURCES
"""The operations that the patterns of the bank match, in the order in which the patterns are added."""
CONSTANT_BENEFIT = 20
"""The benefit of the pattern for constants: larger than the benefit of other patterns that might match a
constant.
"""


class GenericOpPattern(LoweringPattern[Operation]):
    """Converts an operation to the operation of the same name in another dialect. Operands and result types
    are converted; attributes are copied.
    """

    def __init__(self, source: type[Operation], target: OperationKind, converter: TypeConverter) -> None:
        super().__init__(
            converter,
            root=source,
            debug_name=f"GenericOpPattern<{source.op_kind.dialect}::{source.__name__}>",
            generated_ops=(target.name,),
        )
        self.target = target
        self.template_argument = f"{source.op_kind.dialect}::{source.__name__}"

    @property
    def type_name(self) -> str:
        """Return the qualified class name with the class of the operation as its template argument, followed
        by ``]``: ``...::GenericOpPattern<arith::AddIOp>]``.
        """
        return super().type_name.removesuffix("]") + f"<{self.template_argument}>]"

    def lower(
        self, op: Operation, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        return emit.plain(self.target, at.operands, types, dict(op.held_attributes))


class ConstantTensorOpConversion(LoweringPattern[ConstantOp], benefit=CONSTANT_BENEFIT):
    """Converts a constant tile: equal elements become a splat, others a constant tensor.

    Constants that are not tiles stay in `arith`.
    """

    generated_ops = (SplatOp.op_kind.name, ConstantTensorOp.op_kind.name)

    def lower(
        self, op: ConstantOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        value = op.value
        if not isinstance(value, DenseElementsAttr) or not is_tile(value.type):
            return emit.rewriter.no_match("a constant of type {} stays in arith", op.result.type)
        kind, held = _constant_tile(value)
        return emit.plain(kind, (), [value.type], {"value": held})


def _constant_tile(value: DenseElementsAttr) -> tuple[OperationKind, Any]:
    """Return the kind of operation that replaces a constant tile, and its attribute: a splat with a number,
    or a constant tensor with the dense elements.
    """
    if not value.is_splat:
        return ConstantTensorOp.op_kind, value
    return SplatOp.op_kind, make_constant(element_of(value.type), value.patterns())


def populate_arith_bank(patterns: RewritePatternSet, converter: TypeConverter) -> None:
    """Add the 43 patterns of the bank, in order: each converts an operation of `arith` to the operation of
    the same name in `nv_tileas`.
    """
    patterns.add(
        *(
            GenericOpPattern(source, BY_MNEMONIC[source.op_kind.mnemonic].op_kind, converter)
            for source in ARITH_OPERATIONS
        )
    )
