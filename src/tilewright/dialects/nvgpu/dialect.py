"""The declaration of the ``nvgpu`` dialect: its operations, types and attributes."""

from __future__ import annotations

from tilewright.dialects.nvgpu.ops import OPERATIONS
from tilewright.ir.dialect import Dialect

NVGPU = Dialect("nvgpu", doc="Instructions of NVIDIA GPUs on vectors.", operations=OPERATIONS)
