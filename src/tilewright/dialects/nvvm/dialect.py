"""The ``nvvm`` dialect: instructions of NVIDIA GPUs."""

from __future__ import annotations

from tilewright.dialects.nvvm import (
    ops_barrier,
    ops_control,
    ops_convert,
    ops_copy,
    ops_environment,
    ops_mbarrier,
    ops_mma,
    ops_register,
    ops_tcgen05,
)
from tilewright.dialects.nvvm.attributes import ATTRIBUTES
from tilewright.ir.dialect import Dialect

HAND_WRITTEN_SYNTAX: tuple[str, ...] = (
    "nvvm.mma.block_scale",
    "nvvm.mma.sp.block_scale",
    "nvvm.mma.sp.sync",
    "nvvm.mma.sync",
)
"""Operations whose custom syntax is not written in the declaration."""

OPERATIONS = (
    *ops_register.OPERATIONS,
    *ops_environment.OPERATIONS,
    *ops_barrier.OPERATIONS,
    *ops_mbarrier.OPERATIONS,
    *ops_copy.OPERATIONS,
    *ops_convert.OPERATIONS,
    *ops_mma.OPERATIONS,
    *ops_tcgen05.OPERATIONS,
    *ops_control.OPERATIONS,
)

NVVM = Dialect(
    "nvvm",
    doc="The ``nvvm`` dialect: instructions of NVIDIA GPUs.",
    operations=OPERATIONS,
    attributes=ATTRIBUTES,
)
