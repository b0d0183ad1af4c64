"""Base classes of the dialect's operations, by which rules recognise them. Rules stand below the operations, which
call them.
"""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp


class GpuYieldRole(StandardOp):
    """The base class of `gpu.yield`, by which rules recognise it."""


class TerminatorRole(StandardOp):
    """The base class of `gpu.terminator`, by which rules recognise it."""


class GPUModuleRole(StandardOp):
    """The base class of `gpu.module`, by which rules recognise it."""


class GPUFuncRole(StandardOp):
    """The base class of `gpu.func`, by which rules recognise it."""
