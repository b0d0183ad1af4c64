"""Matrix products of `nvgpu`: a fragment is a vector there, and the registers that hold it in `nvvm`."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.dialects.cute_nvgpu.mma_types import ptx_name
from tilewright.dialects.llvm.ops.aggregate import ExtractValueOp
from tilewright.dialects.llvm.types import LLVMStructType
from tilewright.dialects.nvgpu.dialect import MmaSyncOp
from tilewright.dialects.nvvm.attributes import MMAShapeAttr
from tilewright.dialects.nvvm.enums.mma import MMAIntOverflow, MMALayout, MMATypes
from tilewright.dialects.nvvm.ops.mma import MmaOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import IntegerType, VectorType
from tilewright.lowering.inserting import RewritingInserter
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor, ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet

KINDS: Mapping[str, MMATypes] = {kind.spelling: kind for kind in MMATypes}
"""The types of elements by the names that PTX has for them."""


class SyncProduct(ConversionPattern[MmaSyncOp]):
    """Converts a product of fragments to ``mma.sync`` on their registers: A row by row, B column by column.
    Factors of a type that PTX has no name for do not match.
    """

    one_to_n = True

    def match_and_rewrite(
        self, op: MmaSyncOp, adaptor: Adaptor, rewriter: ConversionRewriter
    ) -> NoMatch | None:
        elements = [element_of(factor.type) for factor in (op.matrixA, op.matrixB)]
        kinds = [KINDS.get(ptx_name(element)) for element in elements]
        if None in kinds:
            return NoMatch("there is no matrix instruction for factors of {}", (op.matrixA.type,))
        emit = RewritingInserter(rewriter, op.lazy_location)
        registers = [value.type for value in adaptor.matrixC]
        is_integer = isinstance(elements[0], IntegerType)
        m, n, k = op.mmaShape
        made = emit(
            MmaOp,
            MMAShapeAttr(m=m, n=n, k=k),
            MMALayout.ROW,
            MMALayout.COL,
            adaptor.matrixA,
            adaptor.matrixB,
            adaptor.matrixC,
            intOverflowBehavior=MMAIntOverflow.WRAPPED if is_integer else None,
            multiplicandAPtxType=kinds[0],
            multiplicandBPtxType=kinds[1],
            type=LLVMStructType(tuple(registers)),
        )
        rewriter.replace(op, [[emit(ExtractValueOp, made, (at,)) for at in range(len(registers))]])
        return None


def element_of(fragment: Type) -> Type:
    """Return the type of the elements of a fragment."""
    assert isinstance(fragment, VectorType), "verified"
    return fragment.element_type


def populate_products(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the pattern for products to `patterns`."""
    patterns.add(SyncProduct(converter))
