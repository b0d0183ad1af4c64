"""Operations by which threads communicate: barriers, shuffles, reductions."""

from __future__ import annotations

from typing import Any, ClassVar

from tilewright.dialects.common import base, traits as common_traits
from tilewright.dialects.gpu import kinds as gpu_kinds, rules as gpu_rules, syntax as gpu_syntax
from tilewright.dialects.gpu.constraints import BOOL, INT32, NUMBER, NUMBER_OR_VECTOR
from tilewright.dialects.gpu.enums import AllReduceOperation, BroadcastType, ShuffleMode
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration import attribute_kind, constraint as declaration_constraint, fields
from tilewright.ir.declaration.traits import Elementwise, IsolatedFromAbove, NoMemoryEffect, Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

SAME_ANY_TYPE = declaration_constraint.TypeVariable("T", declaration_constraint.ANY_TYPE)
SAME_NUMBER_OR_VECTOR = declaration_constraint.TypeVariable("T", NUMBER_OR_VECTOR)
RESULT_DOC = "The result."
VALUE_DOC = "The value."
OP_DOC = "The combining function; absent when the region computes it."


class BarrierOp(base.StandardOp, name="gpu.barrier"):
    """Waits until all threads of the block have arrived; orders their memory accesses."""

    assembly_format = "attr-dict"


class ShuffleOp(base.StandardOp, name="gpu.shuffle"):
    """Returns the value of another lane, and whether that lane is among the `width` lanes. The lane is this
    one plus `offset` (`down`), minus (`up`) or xor (`xor`) `offset`, or `offset` itself (`idx`), as `mode`
    says.
    """

    value: Value = fields.operand_def(SAME_NUMBER_OR_VECTOR, VALUE_DOC)
    offset: Value = fields.operand_def(INT32, "The lane, or its distance.")
    width: Value = fields.operand_def(INT32, "How many lanes take part.")
    mode: ShuffleMode = fields.attr_def(gpu_kinds.SHUFFLE, "How the lane is found.")
    shuffleResult: Value = fields.result_def(SAME_NUMBER_OR_VECTOR, "The value of the other lane.")
    valid: Value = fields.result_def(BOOL, "Whether there is such a lane.")
    assembly_format = "$mode $value `,` $offset `,` $width attr-dict `:` type($value)"
    traits = (Pure(),)


class RotateOp(base.StandardOp, name="gpu.rotate"):
    """Returns the value of the lane `offset` after this one, modulo `width`, and whether this lane is below
    `width`.
    """

    value: Value = fields.operand_def(SAME_NUMBER_OR_VECTOR, VALUE_DOC)
    offset: int = fields.attr_def(gpu_kinds.WIDTH, "The lane, or its distance.")
    width: int = fields.attr_def(gpu_kinds.CLUSTER_SIZE, "How many lanes take part.")
    rotateResult: Value = fields.result_def(SAME_NUMBER_OR_VECTOR, "The value of the other lane.")
    valid: Value = fields.result_def(BOOL, "Whether there is such a lane.")
    assembly_format = "$value `,` $offset `,` $width attr-dict `:` type($value)"
    traits = (Pure(),)

    def verify_(self) -> None:
        gpu_rules.check_rotation(self)


class AllReduceOp(base.SameTypeOp, name="gpu.all_reduce"):
    """Reduces a value over the threads of the block, by the operation `op` or, without it, by the region,
    which combines two values. With `uniform`, all threads of the block execute it together.
    """

    value: Value = fields.operand_def(NUMBER, VALUE_DOC)
    op: AllReduceOperation | None = fields.optional_attr_def(gpu_kinds.REDUCTION, OP_DOC, default=None)
    uniform: bool = fields.flag_def("Whether all threads execute it together.", default=False)
    result: Value = fields.result_def(NUMBER, RESULT_DOC)
    body: Region = fields.region_def("The code.", single_block=False)
    assembly_format = (
        "custom<AllReduceOperation>($op) $value (`uniform` $uniform^)? $body attr-dict `:` "
        "functional-type(operands, results)"
    )
    format_directives: ClassVar[dict[str, Any]] = gpu_syntax.DIRECTIVES
    traits = (
        common_traits.SameOperandsAndResultType(),
        IsolatedFromAbove(),
    )

    def verify_regions_(self) -> None:
        gpu_rules.check_all_reduce(self)


class SubgroupReduceOp(base.SameTypeOp, name="gpu.subgroup_reduce"):
    """Reduces a value over the threads of the warp by the operation `op`. If `cluster_size` is given, the
    value is reduced over each group of `cluster_size` threads, which are `cluster_stride` lanes apart. All
    threads get the result.
    """

    value: Value = fields.operand_def(NUMBER_OR_VECTOR, VALUE_DOC)
    op: AllReduceOperation = fields.attr_def(gpu_kinds.REDUCTION, OP_DOC)
    uniform: bool = fields.flag_def("Whether all threads execute it together.", default=False)
    cluster_size: int | None = fields.optional_attr_def(
        attribute_kind.IntegerKind(i32), "How many threads are reduced together.", default=None
    )
    cluster_stride: int = fields.attr_def(
        attribute_kind.IntegerKind(i32), "The distance of the threads that are reduced together.", default=1
    )
    result: Value = fields.result_def(NUMBER_OR_VECTOR, RESULT_DOC)
    assembly_format = (
        "custom<AllReduceOperation>($op) $value (`uniform` $uniform^)? (`cluster` `(` `size` `=` "
        "$cluster_size^ (`,` `stride` `=` $cluster_stride^)? `)`)? attr-dict `:` "
        "functional-type(operands, results)"
    )
    format_directives: ClassVar[dict[str, Any]] = gpu_syntax.DIRECTIVES
    traits = (common_traits.SameOperandsAndResultType(),)

    def verify_(self) -> None:
        gpu_rules.check_subgroup_reduce(self)


class SubgroupBroadcastOp(base.StandardOp, name="gpu.subgroup_broadcast"):
    """Returns in all lanes of the warp the value of one lane: of the first active lane, or of the lane with
    the number `lane`, as `broadcast_type` says.
    """

    src: Value = fields.operand_def(SAME_ANY_TYPE, "The source.")
    broadcast_type: BroadcastType = fields.attr_def(gpu_kinds.BROADCAST, "How the lane is found.")
    lane: Value | None = fields.optional_operand_def(INT32, "The lane.", default=None)
    result: Value = fields.result_def(SAME_ANY_TYPE, RESULT_DOC)
    assembly_format = "$src `,` $broadcast_type ($lane^)? attr-dict `:` type($result)"
    traits = (
        NoMemoryEffect(),
        Elementwise(),
    )

    def verify_(self) -> None:
        gpu_rules.check_broadcast(self)


OPERATIONS: tuple[type[Operation], ...] = (
    BarrierOp,
    ShuffleOp,
    RotateOp,
    AllReduceOp,
    SubgroupReduceOp,
    SubgroupBroadcastOp,
)
"""The operations of this module."""
