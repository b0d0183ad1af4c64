"""The ``llvm`` dialect: LLVM IR as operations."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.common import constant_folding, kinds
from tilewright.dialects.llvm import attributes as llvm_attributes, types as llvm_types
from tilewright.dialects.llvm.intrinsics import (
    float as intrinsics_float,
    integer as intrinsics_integer,
    memory as intrinsics_memory,
    vector as intrinsics_vector,
)
from tilewright.dialects.llvm.ops import aggregate, arithmetic, control, conversion, exception, memory, symbol
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.dialect import Dialect, FoldTable
from tilewright.ir.operation import Operation

HAND_WRITTEN_SYNTAX: tuple[str, ...] = (
    "llvm.alloca",
    "llvm.call",
    "llvm.call_intrinsic",
    "llvm.fcmp",
    "llvm.func",
    "llvm.icmp",
    "llvm.invoke",
    "llvm.landingpad",
    "llvm.mlir.alias",
    "llvm.mlir.global",
)
"""Operations whose custom syntax is written in Python instead of an assembly format."""

OPERATIONS = (
    *arithmetic.OPERATIONS,
    *conversion.OPERATIONS,
    *aggregate.OPERATIONS,
    *memory.OPERATIONS,
    *control.OPERATIONS,
    *exception.OPERATIONS,
    *symbol.OPERATIONS,
    *intrinsics_float.OPERATIONS,
    *intrinsics_integer.OPERATIONS,
    *intrinsics_vector.OPERATIONS,
    *intrinsics_memory.OPERATIONS,
)


def materialize_constant(value: Attribute, type: Type, location: Any) -> Operation | None:
    """Return an ``llvm.mlir.constant`` for a number whose type is `type`; None for any other attribute."""
    if not constant_folding.is_number(value) or kinds.attribute_type(value) is not type:
        return None
    attributes: dict[str, Attribute] = {"value": value}
    return Operation.from_parts(aggregate.ConstantOp.op_kind, (), [type], attributes, location=location)


def _folds() -> FoldTable:
    """Return the dialect's table of folds, which is imported on first use."""
    from tilewright.dialects.llvm.folds import FOLDS

    return FOLDS


LLVM = Dialect(
    "llvm",
    doc="LLVM IR as operations: functions, instructions, intrinsics, global variables.",
    operations=OPERATIONS,
    types=llvm_types.TYPES,
    attributes=llvm_attributes.ATTRIBUTES,
    folds=_folds,
    materialize_constant=materialize_constant,
)
