"""The declaration of the ``cute_nvgpu`` dialect: its operations, types and attributes."""

from __future__ import annotations

from tilewright.dialects.cute_nvgpu.ops import OPERATIONS
from tilewright.dialects.cute_nvgpu.types import TYPES, parse_type
from tilewright.ir.dialect import Dialect

CUTE_NVGPU = Dialect(
    "cute_nvgpu",
    doc="Copy and matrix instructions of NVIDIA GPUs as atoms.",
    operations=OPERATIONS,
    types=TYPES,
    parse_type=parse_type,
    depends_on=("cutlass",),
)
