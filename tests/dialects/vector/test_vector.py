"""The dialect `vector`, compared with MLIR's."""

from __future__ import annotations

from tests.support import upstream
from tests.support.upstream_dialect import UpstreamDialect
from tilewright.dialects.arith.dialect import ARITH
from tilewright.dialects.func.dialect import FUNC
from tilewright.dialects.memref.dialect import MEMREF
from tilewright.dialects.ub.dialect import UB
from tilewright.dialects.vector.dialect import HAND_WRITTEN_SYNTAX, VECTOR


class TestVector(UpstreamDialect):
    dialect = VECTOR
    beside = (UB, ARITH, FUNC, MEMREF)
    sources = ("Dialect/Vector/IR/VectorOps.td",)
    hand_written = HAND_WRITTEN_SYNTAX
    different = ("vector.print", "vector.scalable.extract", "vector.scalable.insert")

    def test_shuffles_to_rank_0_are_refused(self) -> None:
        text = """
        %v = "ub.poison"() <{value = #ub.poison}> : () -> vector<f32>
        %r = "vector.shuffle"(%v, %v) <{mask = array<i64: 1>}> : (vector<f32>, vector<f32>) -> vector<f32>
        """
        upstream.check_refusals([(text, "'vector.shuffle' op rank mismatch")], self.loaded)
