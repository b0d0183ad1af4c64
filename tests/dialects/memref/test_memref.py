"""The dialect `memref`, compared with MLIR's."""

from __future__ import annotations

from tests.support.upstream_dialect import UpstreamDialect
from tilewright.dialects.func.dialect import FUNC
from tilewright.dialects.memref.dialect import HAND_WRITTEN_SYNTAX, MEMREF


class TestMemref(UpstreamDialect):
    dialect = MEMREF
    beside = (FUNC,)
    sources = ("Dialect/MemRef/IR/MemRefOps.td",)
    hand_written = HAND_WRITTEN_SYNTAX
