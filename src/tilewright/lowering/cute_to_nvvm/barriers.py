"""Barriers of `cutlass`: barrier 0 with all threads becomes `gpu.barrier`, the others become `nvvm.barrier`."""

from __future__ import annotations

from tilewright.dialects.cutlass.ops import ArriveAndWaitOp
from tilewright.dialects.gpu.ops_thread import BarrierOp
from tilewright.dialects.llvm.ops.aggregate import ConstantOp
from tilewright.dialects.nvvm.ops import barrier as nvvm
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import i32
from tilewright.lowering.inserting import RewritingInserter
from tilewright.rewrite.conversion.pattern import Adaptor, ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.pattern_set import RewritePatternSet


class NamedBarrier(ConversionPattern[ArriveAndWaitOp]):
    """Converts a barrier of threads: barrier 0 of all threads of the block to `gpu.barrier`, other barriers
    to `nvvm.barrier` with their number.
    """

    def match(self, op: ArriveAndWaitOp) -> None:
        """Accept every barrier: all of them can be converted."""

    def rewrite(self, op: ArriveAndWaitOp, adaptor: Adaptor, rewriter: ConversionRewriter) -> None:
        emit = RewritingInserter(rewriter, op.lazy_location)
        if not op.barrier_id and op.threads is None:
            own = {field.ir_name for field in op.kind.attributes}
            kept = {name: value for name, value in op.held_attributes.items() if name not in own}
            emit.insert(BarrierOp, attributes=kept)
        else:
            number = emit(ConstantOp, IntegerAttr(i32, op.barrier_id), type=i32)
            threads = None
            if op.threads is not None:
                threads = emit(ConstantOp, IntegerAttr(i32, op.threads), type=i32)
            emit.insert(nvvm.BarrierOp, number, threads, result_types=[])
        rewriter.replace(op, [])


def populate_barriers(patterns: RewritePatternSet) -> None:
    """Add the pattern of this file."""
    patterns.add(NamedBarrier())
