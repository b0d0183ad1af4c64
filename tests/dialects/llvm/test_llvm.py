"""The dialect `llvm`, compared with MLIR's."""

from __future__ import annotations

from tests.support.upstream_dialect import UpstreamDialect
from tilewright.dialects.llvm.dialect import HAND_WRITTEN_SYNTAX, LLVM


class TestLlvm(UpstreamDialect):
    dialect = LLVM
    sources = ("Dialect/LLVMIR/LLVMOps.td", "Dialect/LLVMIR/LLVMIntrinsicOps.td")
    hand_written = HAND_WRITTEN_SYNTAX
