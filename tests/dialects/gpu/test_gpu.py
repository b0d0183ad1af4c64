"""The dialect `gpu`, compared with MLIR's."""

from __future__ import annotations

from tests.support import upstream
from tests.support.upstream_dialect import UpstreamDialect
from tilewright.dialects.arith.dialect import ARITH
from tilewright.dialects.func.dialect import FUNC
from tilewright.dialects.gpu.dialect import GPU, HAND_WRITTEN_SYNTAX
from tilewright.dialects.llvm.dialect import LLVM
from tilewright.dialects.memref.dialect import MEMREF
from tilewright.dialects.nvvm.dialect import NVVM
from tilewright.dialects.ub.dialect import UB
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify


class TestGpu(UpstreamDialect):
    dialect = GPU
    beside = (UB, ARITH, FUNC, MEMREF, LLVM, NVVM)
    sources = ("Dialect/GPU/IR/GPUOps.td",)
    hand_written = HAND_WRITTEN_SYNTAX

    def test_launches_that_wait_and_return_no_token(self) -> None:
        arguments = ", ".join(f"%a{number}: index" for number in range(12))
        launched = f'^bb0({arguments}):\n"gpu.terminator"() : () -> ()'
        for body in (launched, ""):
            text = f"""
            %t = "gpu.wait"() : () -> !gpu.async.token
            %c = "arith.constant"() <{{value = 1 : index}}> : () -> index
            "gpu.launch"(%t, %c, %c, %c, %c, %c, %c) <{{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}}> ({{
            {body}
            }}) {{workgroup_attributions = 0 : i64}} : (!gpu.async.token, index, index, index, index, index, index) -> ()
            """
            module = parse_module(self.loaded, text)
            assert verify(module) == []
            again = parse_module(self.loaded, module.print())
            assert again.print(upstream.GENERIC) == module.print(upstream.GENERIC)
