"""Operations by which threads communicate: barriers, shuffles, reductions."""

from __future__ import annotations

from typing import Any, ClassVar

from tilewright.dialects.common.base import SameTypeOp, StandardOp
from tilewright.dialects.common.traits import SameOperandsAndResultType
from tilewright.dialects.gpu.constraints import BOOL, INT32, NUMBER, NUMBER_OR_VECTOR
from tilewright.dialects.gpu.enums import AllReduceOperation, BroadcastType, ShuffleMode
from tilewright.dialects.gpu.kinds import BROADCAST, CLUSTER_SIZE, REDUCTION, SHUFFLE, WIDTH
from tilewright.dialects.gpu.rules import (
    check_all_reduce,
    check_broadcast,
    check_rotation,
    check_subgroup_reduce,
)
from tilewright.dialects.gpu.syntax import DIRECTIVES
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration.attribute_kind import IntegerKind
from tilewright.ir.declaration.constraint import ANY_TYPE, TypeVariable
from tilewright.ir.declaration.fields import (
    attr_def,
    flag_def,
    operand_def,
    optional_attr_def,
    optional_operand_def,
    region_def,
    result_def,
)
from tilewright.ir.declaration.traits import Elementwise, IsolatedFromAbove, NoMemoryEffect, Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

SAME_ANY_TYPE = TypeVariable("T", ANY_TYPE)
SAME_NUMBER_OR_VECTOR = TypeVariable("T", NUMBER_OR_VECTOR)
RESULT_DOC = "The result."
VALUE_DOC = "The value."
OP_DOC = "The combining function; absent when the region computes it."


class BarrierOp(StandardOp, name="gpu.barrier"):
    """Waits until all threads of the block are there; orders their memory accesses."""

    assembly_format = "attr-dict"


class ShuffleOp(StandardOp, name="gpu.shuffle"):
    """Takes the value of another lane, and whether there is one."""

    value: Value = operand_def(SAME_NUMBER_OR_VECTOR, VALUE_DOC)
    offset: Value = operand_def(INT32, "The lane, or its distance.")
    width: Value = operand_def(INT32, "How many lanes take part.")
    mode: ShuffleMode = attr_def(SHUFFLE, "How the lane is found.")
    shuffleResult: Value = result_def(SAME_NUMBER_OR_VECTOR, "The value of the other lane.")
    valid: Value = result_def(BOOL, "Whether there is such a lane.")
    assembly_format = "$mode $value `,` $offset `,` $width attr-dict `:` type($value)"
    traits = (Pure(),)


class RotateOp(StandardOp, name="gpu.rotate"):
    """Takes the value of a lane further on, wrapping around, and whether there is one."""

    value: Value = operand_def(SAME_NUMBER_OR_VECTOR, VALUE_DOC)
    offset: int = attr_def(WIDTH, "The lane, or its distance.")
    width: int = attr_def(CLUSTER_SIZE, "How many lanes take part.")
    rotateResult: Value = result_def(SAME_NUMBER_OR_VECTOR, "The value of the other lane.")
    valid: Value = result_def(BOOL, "Whether there is such a lane.")
    assembly_format = "$value `,` $offset `,` $width attr-dict `:` type($value)"
    traits = (Pure(),)

    def verify_(self) -> None:
        check_rotation(self)


class AllReduceOp(SameTypeOp, name="gpu.all_reduce"):
    """Reduces a value over the threads of the block, by an operation or by the region."""

    value: Value = operand_def(NUMBER, VALUE_DOC)
    op: AllReduceOperation | None = optional_attr_def(REDUCTION, OP_DOC, default=None)
    uniform: bool = flag_def("Whether all threads execute it together.", default=False)
    result: Value = result_def(NUMBER, RESULT_DOC)
    body: Region = region_def("The code.", single_block=False)
    assembly_format = (
        "custom<AllReduceOperation>($op) $value (`uniform` $uniform^)? $body attr-dict `:` "
        "functional-type(operands, results)"
    )
    format_directives: ClassVar[dict[str, Any]] = DIRECTIVES
    traits = (
        SameOperandsAndResultType(),
        IsolatedFromAbove(),
    )

    def verify_regions_(self) -> None:
        check_all_reduce(self)


class SubgroupReduceOp(SameTypeOp, name="gpu.subgroup_reduce"):
    """Reduces a value over the threads of the warp, or of clusters of it."""

    value: Value = operand_def(NUMBER_OR_VECTOR, VALUE_DOC)
    op: AllReduceOperation = attr_def(REDUCTION, OP_DOC)
    uniform: bool = flag_def("Whether all threads execute it together.", default=False)
    cluster_size: int | None = optional_attr_def(
        IntegerKind(i32), "How many threads are reduced together.", default=None
    )
    cluster_stride: int = attr_def(
        IntegerKind(i32), "The distance of the threads that are reduced together.", default=1
    )
    result: Value = result_def(NUMBER_OR_VECTOR, RESULT_DOC)
    assembly_format = (
        "custom<AllReduceOperation>($op) $value (`uniform` $uniform^)? (`cluster` `(` `size` `=` "
        "$cluster_size^ (`,` `stride` `=` $cluster_stride^)? `)`)? attr-dict `:` "
        "functional-type(operands, results)"
    )
    format_directives: ClassVar[dict[str, Any]] = DIRECTIVES
    traits = (SameOperandsAndResultType(),)

    def verify_(self) -> None:
        check_subgroup_reduce(self)


class SubgroupBroadcastOp(StandardOp, name="gpu.subgroup_broadcast"):
    """Takes the value of one lane."""

    src: Value = operand_def(SAME_ANY_TYPE, "The source.")
    broadcast_type: BroadcastType = attr_def(BROADCAST, "How the lane is found.")
    lane: Value | None = optional_operand_def(INT32, "The lane.", default=None)
    result: Value = result_def(SAME_ANY_TYPE, RESULT_DOC)
    assembly_format = "$src `,` $broadcast_type ($lane^)? attr-dict `:` type($result)"
    traits = (
        NoMemoryEffect(),
        Elementwise(),
    )

    def verify_(self) -> None:
        check_broadcast(self)


OPERATIONS: tuple[type[Operation], ...] = (
    BarrierOp,
    ShuffleOp,
    RotateOp,
    AllReduceOp,
    SubgroupReduceOp,
    SubgroupBroadcastOp,
)
"""The operations of this module."""
