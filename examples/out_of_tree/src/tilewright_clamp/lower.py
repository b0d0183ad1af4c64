"""`lower-clamp`: what `clamp.clampi` means, in operations of Tile IR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.cuda_tile.ops.integer import MaxIOp, MinIOp
from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.pattern import NoMatch, RewritePattern
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.rewrite.rewriter import Rewriter
from tilewright.rewrite.walk import walk_and_apply_patterns
from tilewright_clamp.dialect import ClampIOp


class ClampToMinMax(RewritePattern[ClampIOp]):
    """``clampi(value, low, high) = mini(maxi(value, low), high)``"""

    def match_and_rewrite(self, op: ClampIOp, rewriter: Rewriter) -> NoMatch | None:
        raised = rewriter.insert(MaxIOp(op.value, op.low, op.signedness, location=op.location))
        rewriter.replace(
            op, rewriter.insert(MinIOp(raised.result, op.high, op.signedness, location=op.location))
        )
        return None


@dataclass(frozen=True)
class LowerClamp(Pass):
    """Turns `clamp.clampi` into `maxi` and `mini`."""

    name: ClassVar[str] = "lower-clamp"

    def run(self, op: Operation, state: PassState) -> None:
        patterns = RewritePatternSet(state.context, [ClampToMinMax()])
        state.count("lowered", walk_and_apply_patterns(op, patterns))
