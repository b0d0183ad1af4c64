"""The ``nvvm`` dialect: instructions of NVIDIA GPUs."""

from __future__ import annotations

from tilewright.dialects.nvvm.attributes import ATTRIBUTES
from tilewright.dialects.nvvm.ops import (
    barrier,
    control,
    convert,
    copy,
    environment,
    mbarrier,
    mma,
    multimem,
    predicated,
    register,
    tcgen05,
)
from tilewright.ir.dialect import Dialect

HAND_WRITTEN_SYNTAX: tuple[str, ...] = (
    "nvvm.mma.block_scale",
    "nvvm.mma.sp.block_scale",
    "nvvm.mma.sp.sync",
    "nvvm.mma.sync",
)
"""Operations whose custom syntax is not written in the declaration."""

OPERATIONS = (
    *register.OPERATIONS,
    *environment.OPERATIONS,
    *barrier.OPERATIONS,
    *mbarrier.OPERATIONS,
    *copy.OPERATIONS,
    *multimem.OPERATIONS,
    *predicated.OPERATIONS,
    *convert.OPERATIONS,
    *mma.OPERATIONS,
    *tcgen05.OPERATIONS,
    *control.OPERATIONS,
)

NVVM = Dialect(
    "nvvm",
    doc="The ``nvvm`` dialect: instructions of NVIDIA GPUs.",
    operations=OPERATIONS,
    attributes=ATTRIBUTES,
)
