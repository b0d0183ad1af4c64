"""What rules know of the other operations of the dialect: a base class for each operation that a rule asks for.

Rules stand below the operations, which call them.
"""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp


class YieldRole(StandardOp):
    """`gpu.yield`."""


class TerminatorRole(StandardOp):
    """`gpu.terminator`."""


class GPUModuleRole(StandardOp):
    """`gpu.module`."""


class GPUFuncRole(StandardOp):
    """`gpu.func`."""
