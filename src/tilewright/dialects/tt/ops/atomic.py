"""Atomic accesses, and the dependencies between launches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilewright.dialects.common import constraints, traits as common_traits
from tilewright.dialects.tt.attributes import ATOMIC_RMW, MEM_SEMANTIC, MEM_SYNC_SCOPE
from tilewright.dialects.tt.constraints import BOOL_LIKE, I64, INT_LIKE, POINTER_LIKE, VALUE
from tilewright.dialects.tt.enums import MemSemantic, MemSyncScope, RMWOp
from tilewright.dialects.tt.ops import memory as tt_memory
from tilewright.dialects.tt.traits import TENSOR_SIZE, SameEncoding, TritonOp, TypesMatch, WritesMemory
from tilewright.dialects.tt.types import bit_width, element_type_of, mask_of, pointee_of, pointer_to
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.declaration.fields import attr_def, operand_def, optional_operand_def, result_def
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.value import Value

POLLED_WIDTHS = (16, 32, 64)
"""The widths of integers that a program can wait for."""


def check_order(order: MemSemantic, allowed: MemSemantic) -> None:
    """Raise `VerifyError` unless an access is relaxed or has the order `allowed`."""
    if order not in (MemSemantic.RELAXED, allowed):
        raise VerifyError(f"only supports {allowed.spelling} and relaxed semantics")


def check_accessed(pointer: Value) -> None:
    """Raise `VerifyError` if a pointer, or a tensor of pointers, points to elements of less than 8 bits."""
    if bit_width(element_type_of(pointee_of(constraints.checked_type(pointer)))) < 8:
        raise VerifyError("does not support sub-byte elements")


def check_polled(expected: Value) -> None:
    """Raise `VerifyError` unless the elements of `expected`, the value that a program waits for, are integers
    of 16, 32 or 64 bits.
    """
    element = element_type_of(constraints.checked_type(expected))
    if not isinstance(element, IntegerType) or element.width not in POLLED_WIDTHS:
        widths = ", ".join(map(str, POLLED_WIDTHS))
        raise VerifyError(f"only supports integer elements with width {{{widths}}}")


SEMANTIC_DOC = "How the access is ordered against others."
SCOPE_DOC = "The threads among which it is ordered."
OLD_DOC = "The value that was in memory before."


class GridDependencyWaitOp(TritonOp, name="tt.grid_dependency_wait"):
    """Waits for the launches that this one depends on, until their writes are visible."""

    assembly_format = "attr-dict"
    traits = (WritesMemory(), TENSOR_SIZE)


class GridDependencyLaunchDependentsOp(TritonOp, name="tt.grid_dependency_launch_dependents"):
    """Lets the launches begin that depend on this one."""

    assembly_format = "attr-dict"
    traits = (WritesMemory(), TENSOR_SIZE)


class AtomicLoadOp(tt_memory.ResultAccessOp, name="tt.atomic_load"):
    """Reads memory atomically through pointers, with the order `sem` among the threads of `scope`. Elements
    whose mask is false are not read.
    """

    ptr: Value = operand_def(POINTER_LIKE, tt_memory.POINTER_DOC)
    mask: Value | None = optional_operand_def(BOOL_LIKE, tt_memory.MASK_DOC)
    sem: MemSemantic = attr_def(MEM_SEMANTIC, SEMANTIC_DOC)
    scope: MemSyncScope = attr_def(MEM_SYNC_SCOPE, SCOPE_DOC)
    result: Value = result_def(VALUE, "What was read.")
    assembly_format = (
        "$sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict `:` functional-type(operands, $result)"
    )
    traits = (*tt_memory.LOAD_TRAITS, WritesMemory(), TENSOR_SIZE)

    def verify_(self) -> None:
        check_order(self.sem, MemSemantic.ACQUIRE)
        check_accessed(self.ptr)


class AtomicStoreOp(tt_memory.AccessOp, name="tt.atomic_store"):
    """Writes memory atomically through pointers, with the order `sem` among the threads of `scope`. Elements
    whose mask is false are not written.
    """

    ptr: Value = operand_def(POINTER_LIKE, tt_memory.POINTER_DOC)
    value: Value = operand_def(VALUE, "What is written.")
    mask: Value | None = optional_operand_def(BOOL_LIKE, tt_memory.MASK_DOC)
    sem: MemSemantic = attr_def(MEM_SEMANTIC, SEMANTIC_DOC)
    scope: MemSyncScope = attr_def(MEM_SYNC_SCOPE, SCOPE_DOC)
    assembly_format = "$sem `,` $scope `,` $ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr)"
    traits = (*tt_memory.STORE_TRAITS, WritesMemory(), TENSOR_SIZE)

    def verify_(self) -> None:
        check_order(self.sem, MemSemantic.RELEASE)
        check_accessed(self.ptr)


class AtomicPollOp(TritonOp, name="tt.atomic_poll"):
    """Reads memory repeatedly until it has an expected value, or a time limit is over; the result is whether
    the value came in time.

    All elements share one time limit, and each is read at least once.
    """

    ptr: Value = operand_def(POINTER_LIKE, tt_memory.POINTER_DOC)
    expected: Value = operand_def(INT_LIKE, "The value that is waited for.")
    timeout: Value | None = optional_operand_def(I64, "The time limit in nanoseconds; absent for no limit.")
    sem: MemSemantic = attr_def(MEM_SEMANTIC, SEMANTIC_DOC)
    scope: MemSyncScope = attr_def(MEM_SYNC_SCOPE, SCOPE_DOC)
    result: Value = result_def(BOOL_LIKE, "Whether the value came in time.")
    assembly_format = (
        "$sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict `:` "
        "qualified(type($ptr)) `,` type($expected) `->` type($result)"
    )
    traits = (
        SameEncoding(),
        TypesMatch("ptr type matches expected type", "expected", "ptr", pointer_to),
        TypesMatch("result type matches expected shape", "expected", "result", mask_of),
        WritesMemory(),
        TENSOR_SIZE,
    )

    def verify_(self) -> None:
        check_order(self.sem, MemSemantic.ACQUIRE)
        check_polled(self.expected)


class AtomicUpdateOp(TritonOp):
    """The base of operations that read and write memory in one atomic step; the result is the old value."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [operands[1].type]


class AtomicRMWOp(AtomicUpdateOp, name="tt.atomic_rmw"):
    """Combines memory with `val` by `atomic_rmw_op`, each element atomically; the result is the old value.
    Elements whose mask is false are not updated.
    """

    atomic_rmw_op: RMWOp = attr_def(ATOMIC_RMW, "How the old value and the operand are combined.")
    ptr: Value = operand_def(POINTER_LIKE, tt_memory.POINTER_DOC)
    val: Value = operand_def(VALUE, "The operand.")
    mask: Value | None = optional_operand_def(BOOL_LIKE, tt_memory.MASK_DOC)
    sem: MemSemantic = attr_def(MEM_SEMANTIC, SEMANTIC_DOC)
    scope: MemSyncScope = attr_def(MEM_SYNC_SCOPE, SCOPE_DOC)
    result: Value = result_def(VALUE, OLD_DOC)
    assembly_format = (
        "$atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:` "
        "functional-type(operands, $result)"
    )
    traits = (
        common_traits.SameOperandsAndResultShape(),
        SameEncoding(),
        TypesMatch("ptr type matches value type", "val", "ptr", pointer_to),
        TypesMatch("mask type matches value type", "val", "mask", mask_of),
        WritesMemory(),
        TENSOR_SIZE,
    )


class AtomicCASOp(AtomicUpdateOp, name="tt.atomic_cas"):
    """Replaces a value in memory atomically if it equals an expected value; the result is the old value."""

    ptr: Value = operand_def(POINTER_LIKE, tt_memory.POINTER_DOC)
    cmp: Value = operand_def(VALUE, "The value that memory must hold.")
    val: Value = operand_def(VALUE, "The value that is written then.")
    sem: MemSemantic = attr_def(MEM_SEMANTIC, SEMANTIC_DOC)
    scope: MemSyncScope = attr_def(MEM_SYNC_SCOPE, SCOPE_DOC)
    result: Value = result_def(VALUE, OLD_DOC)
    assembly_format = (
        "$sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)"
    )
    traits = (
        common_traits.SameOperandsAndResultShape(),
        SameEncoding(),
        TypesMatch("ptr type matches cmp type", "cmp", "ptr", pointer_to),
        TypesMatch("ptr type matches value type", "val", "ptr", pointer_to),
        WritesMemory(),
        TENSOR_SIZE,
    )


OPERATIONS = (
    GridDependencyWaitOp,
    GridDependencyLaunchDependentsOp,
    AtomicLoadOp,
    AtomicStoreOp,
    AtomicPollOp,
    AtomicRMWOp,
    AtomicCASOp,
)
