"""The dialect `nvvm`, compared with MLIR's."""

from __future__ import annotations

from tests.support.upstream_dialect import UpstreamDialect
from tilewright.dialects.func.dialect import FUNC
from tilewright.dialects.llvm.dialect import LLVM
from tilewright.dialects.nvvm.dialect import HAND_WRITTEN_SYNTAX, NVVM


class TestNvvm(UpstreamDialect):
    dialect = NVVM
    beside = (FUNC, LLVM)
    sources = ("Dialect/LLVMIR/NVVMOps.td",)
    hand_written = HAND_WRITTEN_SYNTAX
