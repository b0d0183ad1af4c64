"""The ``llvm`` dialect: LLVM IR as operations."""

from __future__ import annotations

from tilewright.dialects.llvm import (
    intrinsics_float,
    intrinsics_integer,
    intrinsics_memory,
    intrinsics_vector,
    ops_aggregate,
    ops_arithmetic,
    ops_control,
    ops_conversion,
    ops_memory,
    ops_symbol,
)
from tilewright.dialects.llvm.attributes import ATTRIBUTES
from tilewright.dialects.llvm.types import TYPES
from tilewright.ir.dialect import Dialect

HAND_WRITTEN_SYNTAX: tuple[str, ...] = (
    "llvm.alloca",
    "llvm.call",
    "llvm.call_intrinsic",
    "llvm.fcmp",
    "llvm.func",
    "llvm.icmp",
    "llvm.mlir.alias",
    "llvm.mlir.global",
)
"""Operations whose custom syntax is not written in the declaration."""

OPERATIONS = (
    *ops_arithmetic.OPERATIONS,
    *ops_conversion.OPERATIONS,
    *ops_aggregate.OPERATIONS,
    *ops_memory.OPERATIONS,
    *ops_control.OPERATIONS,
    *ops_symbol.OPERATIONS,
    *intrinsics_float.OPERATIONS,
    *intrinsics_integer.OPERATIONS,
    *intrinsics_vector.OPERATIONS,
    *intrinsics_memory.OPERATIONS,
)

LLVM = Dialect(
    "llvm",
    doc="LLVM IR as operations: functions, instructions, intrinsics, global variables.",
    operations=OPERATIONS,
    types=TYPES,
    attributes=ATTRIBUTES,
)
