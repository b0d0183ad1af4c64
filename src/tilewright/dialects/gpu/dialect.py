"""The ``gpu`` dialect: kernels, their launches, and what their threads do."""

from __future__ import annotations

from tilewright.dialects.gpu import ops_index, ops_kernel, ops_matrix, ops_memory, ops_thread
from tilewright.dialects.gpu.enums import ATTRIBUTES
from tilewright.dialects.gpu.types import TYPES
from tilewright.ir.dialect import Dialect

HAND_WRITTEN_SYNTAX: tuple[str, ...] = (
    "gpu.func",
    "gpu.launch",
    "gpu.warp_execute_on_lane_0",
)
"""Operations whose custom syntax is not written in the declaration."""

OPERATIONS = (
    *ops_index.OPERATIONS,
    *ops_kernel.OPERATIONS,
    *ops_memory.OPERATIONS,
    *ops_thread.OPERATIONS,
    *ops_matrix.OPERATIONS,
)

GPU = Dialect(
    "gpu",
    doc="The ``gpu`` dialect: kernels, their launches, and what their threads do.",
    operations=OPERATIONS,
    types=TYPES,
    attributes=ATTRIBUTES,
)
