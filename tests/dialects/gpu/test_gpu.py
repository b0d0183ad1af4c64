"""The dialect `gpu`, compared with MLIR's."""

from __future__ import annotations

from tests.support.upstream_dialect import UpstreamDialect
from tilewright.dialects.arith.dialect import ARITH
from tilewright.dialects.func.dialect import FUNC
from tilewright.dialects.gpu.dialect import GPU, HAND_WRITTEN_SYNTAX
from tilewright.dialects.llvm.dialect import LLVM
from tilewright.dialects.memref.dialect import MEMREF
from tilewright.dialects.nvvm.dialect import NVVM
from tilewright.dialects.ub.dialect import UB


class TestGpu(UpstreamDialect):
    dialect = GPU
    beside = (UB, ARITH, FUNC, MEMREF, LLVM, NVVM)
    sources = ("Dialect/GPU/IR/GPUOps.td",)
    hand_written = HAND_WRITTEN_SYNTAX
