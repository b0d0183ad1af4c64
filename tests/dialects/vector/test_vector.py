"""The dialect `vector`, compared with MLIR's."""

from __future__ import annotations

from tests.support import upstream
from tests.support.upstream_dialect import UpstreamDialect
from tilewright.dialects.arith.dialect import ARITH
from tilewright.dialects.func.dialect import FUNC
from tilewright.dialects.memref.dialect import MEMREF
from tilewright.dialects.ub.dialect import UB
from tilewright.dialects.vector.dialect import HAND_WRITTEN_SYNTAX, VECTOR
from tilewright.ir.builtin_types import UnrankedMemRefType, UnrankedTensorType, f32


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

    def test_transfers_of_unranked_types_are_refused(self) -> None:
        """mlir-opt ends with an assertion."""
        unranked = "tensor<*xf32>"
        attributes = (
            "permutation_map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 1, 1, 1, 0>"
        )
        text = f"""
        %t, %i, %f, %v = "ub.many"() : () -> ({unranked}, index, f32, vector<4xf32>)
        %r = "vector.transfer_read"(%t, %i, %f) <{{in_bounds = [true], {attributes}}}>
          : ({unranked}, index, f32) -> vector<4xf32>
        """
        write = f"""
        "vector.transfer_write"(%v, %t, %i) <{{in_bounds = [true], {attributes}}}>
          : (vector<4xf32>, {unranked}, index) -> ()
        """
        words = "op requires source to be a memref or ranked tensor type"
        first = text.split("%r")[0]
        upstream.check_refusals(
            [(text, f"'vector.transfer_read' {words}"), (first + write, f"'vector.transfer_write' {words}")],
            self.loaded,
        )

    def test_unranked_types_have_no_static_shape(self) -> None:
        unranked = UnrankedTensorType(f32), UnrankedMemRefType(f32)
        assert not any(one.has_rank or one.has_static_shape for one in unranked)
