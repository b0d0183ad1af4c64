"""Loads, stores, addresses and atomics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.traits import PredicateTrait, same_type
from tilewright.dialects.llvm import attributes as llvm_attributes, constraints as llvm_constraints
from tilewright.dialects.llvm.base import AtomicResultOp, ExchangeResultOp, MemoryAccessOp
from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering, PointerWrapFlags
from tilewright.dialects.llvm.kinds import (
    ATOMIC_OPERATION,
    DEREFERENCEABLE,
    ORDERING,
    POINTER_WRAP,
)
from tilewright.dialects.llvm.rules import memory as llvm_memory_rules
from tilewright.dialects.llvm.rules.common import is_exchange_result, result_is_operand
from tilewright.dialects.llvm.syntax.custom import DIRECTIVES, parse_alloca, print_alloca
from tilewright.ir.attribute import Type
from tilewright.ir.declaration import fields, traits as ir_traits
from tilewright.ir.declaration.attribute_kind import DenseArrayKind, IntegerKind, StringKind, TypeKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

ALIGNMENT_DOC = "Alignment in bytes, a power of two."
SYNCSCOPE_DOC = "The threads among which the access is ordered; the whole system by default."
ORDERING_DOC = "How the access is ordered."
PTR_DOC = "The address."
RES_DOC = "The result."
VAL_DOC = "The value."
INVARIANT_GROUP_DOC = "Whether all such accesses through the pointer see one value."
VOLATILE_DOC = "Whether the access may not be moved, merged or dropped."
NONTEMPORAL_DOC = "Whether the data will not be used again soon."


class AllocaOp(StandardOp, name="llvm.alloca"):
    """Allocates stack memory for `arraySize` elements of the type `elem_type`, which lives until the function
    returns, and returns its address.
    """

    arraySize: Value = fields.operand_def(llvm_constraints.INTEGER, "How many elements.")
    elem_type: Type = fields.attr_def(TypeKind(), "The type of an element.")
    alignment: int | None = fields.optional_attr_def(IntegerKind(), ALIGNMENT_DOC, default=None)
    inalloca: bool = fields.flag_def("Whether the memory passes arguments to a call.", default=False)
    res: Value = fields.result_def(llvm_constraints.POINTER, PTR_DOC)

    def print_custom(self, printer: text_printer.Printer) -> None:
        print_alloca(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> Operation:
        return parse_alloca(cls.op_kind, parser)


class LoadOp(MemoryAccessOp, name="llvm.load"):
    """Loads a value of the result type from the address `addr`. With an `ordering` the access is atomic among
    the threads of `syncscope`, and needs an alignment; release orderings are refused.
    """

    addr: Value = fields.operand_def(llvm_constraints.POINTER, PTR_DOC)
    alignment: int | None = fields.optional_attr_def(IntegerKind(), ALIGNMENT_DOC, default=None)
    volatile_: bool = fields.flag_def(VOLATILE_DOC, default=False, ir_name="volatile_")
    nontemporal: bool = fields.flag_def(NONTEMPORAL_DOC, default=False)
    invariant: bool = fields.flag_def(
        "Whether the memory never changes while it is accessible.", default=False
    )
    invariantGroup: bool = fields.flag_def(INVARIANT_GROUP_DOC, default=False)
    ordering: AtomicOrdering = fields.attr_def(ORDERING, ORDERING_DOC, default=AtomicOrdering.NOT_ATOMIC)
    syncscope: str | None = fields.optional_attr_def(StringKind(), SYNCSCOPE_DOC, default=None)
    dereferenceable: llvm_attributes.DereferenceableAttr | None = fields.optional_attr_def(
        DEREFERENCEABLE, "Number of bytes after the resulting pointer that can be read.", default=None
    )
    res: Value = fields.result_def(llvm_constraints.LOADABLE, RES_DOC)
    assembly_format = (
        "(`volatile` $volatile_^)? $addr (`atomic` (`syncscope` `(` $syncscope^ `)`)? $ordering^)? "
        "(`invariant` $invariant^)? (`invariant_group` $invariantGroup^)? (`dereferenceable` `` "
        "$dereferenceable^)? attr-dict `:` qualified(type($addr)) `->` type($res)"
    )
    verifies_locally = True

    def verify_(self) -> None:
        llvm_memory_rules.check_atomic_access(self, llvm_memory_rules.RELEASING)


class StoreOp(MemoryAccessOp, name="llvm.store"):
    """Stores `value` to the address `addr`. With an `ordering` the access is atomic among the threads of
    `syncscope`, and needs an alignment; acquire orderings are refused.
    """

    value: Value = fields.operand_def(llvm_constraints.LOADABLE, VAL_DOC)
    addr: Value = fields.operand_def(llvm_constraints.POINTER, PTR_DOC)
    alignment: int | None = fields.optional_attr_def(IntegerKind(), ALIGNMENT_DOC, default=None)
    volatile_: bool = fields.flag_def(VOLATILE_DOC, default=False, ir_name="volatile_")
    nontemporal: bool = fields.flag_def(NONTEMPORAL_DOC, default=False)
    invariantGroup: bool = fields.flag_def(INVARIANT_GROUP_DOC, default=False)
    ordering: AtomicOrdering = fields.attr_def(ORDERING, ORDERING_DOC, default=AtomicOrdering.NOT_ATOMIC)
    syncscope: str | None = fields.optional_attr_def(StringKind(), SYNCSCOPE_DOC, default=None)
    assembly_format = (
        "(`volatile` $volatile_^)? $value `,` $addr (`atomic` (`syncscope` `(` $syncscope^ `)`)? "
        "$ordering^)? (`invariant_group` $invariantGroup^)? attr-dict `:` type($value) `,` "
        "qualified(type($addr))"
    )
    verifies_locally = True

    def verify_(self) -> None:
        llvm_memory_rules.check_atomic_access(self, llvm_memory_rules.ACQUIRING)


class GEPOp(StandardOp, name="llvm.getelementptr"):
    """Computes the address of an element or member from a base address and constant or dynamic positions;
    accesses no memory.
    """

    base: Value = fields.operand_def(llvm_constraints.POINTER_OR_VECTOR, "The base address.")
    rawConstantIndices: tuple[int, ...] = fields.attr_def(
        DenseArrayKind(), "All positions; the smallest 32-bit number marks a dynamic position."
    )
    elem_type: Type = fields.attr_def(TypeKind(), "The type of an element.")
    dynamicIndices: tuple[Value, ...] = fields.variadic_operand_def(
        llvm_constraints.INTEGER_OR_VECTOR, "The positions that are not constant.", default=()
    )
    noWrapFlags: PointerWrapFlags = fields.attr_def(
        POINTER_WRAP, "The assumptions about the address.", default=PointerWrapFlags.NONE
    )
    res: Value = fields.result_def(llvm_constraints.POINTER_OR_VECTOR, RES_DOC)
    assembly_format = (
        "($noWrapFlags^)? $base `[` custom<GEPIndices>($dynamicIndices, $rawConstantIndices) `]` "
        "attr-dict `:` functional-type(operands, results) `,` $elem_type"
    )
    format_directives: ClassVar[dict[str, Any]] = DIRECTIVES
    traits = (ir_traits.Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        llvm_memory_rules.check_address(self)


class AtomicRMWOp(AtomicResultOp, MemoryAccessOp, name="llvm.atomicrmw"):
    """Replaces the value at `ptr` by its combination with `val` by the function `bin_op`, atomically, and
    returns the old value.
    """

    bin_op: AtomicBinaryOperation = fields.attr_def(ATOMIC_OPERATION, "What is computed.")
    ptr: Value = fields.operand_def(llvm_constraints.POINTER, PTR_DOC)
    val: Value = fields.operand_def(llvm_constraints.ATOMIC_VALUE, VAL_DOC)
    ordering: AtomicOrdering = fields.attr_def(ORDERING, ORDERING_DOC)
    syncscope: str | None = fields.optional_attr_def(StringKind(), SYNCSCOPE_DOC, default=None)
    alignment: int | None = fields.optional_attr_def(IntegerKind(), ALIGNMENT_DOC, default=None)
    volatile_: bool = fields.flag_def(VOLATILE_DOC, default=False, ir_name="volatile_")
    res: Value = fields.result_def(llvm_constraints.ATOMIC_VALUE, RES_DOC)
    assembly_format = (
        "(`volatile` $volatile_^)? $bin_op $ptr `,` $val (`syncscope` `(` $syncscope^ `)`)? "
        "$ordering attr-dict `:` qualified(type($ptr)) `,` type($val)"
    )
    traits = (PredicateTrait("result #0 and operand #1 have the same type", result_is_operand(1)),)
    verifies_locally = True

    def verify_(self) -> None:
        llvm_memory_rules.check_read_modify_write(self)


class AtomicCmpXchgOp(ExchangeResultOp, MemoryAccessOp, name="llvm.cmpxchg"):
    """Replaces the value at `ptr` by `val` atomically if it equals `cmp`. The result is a struct of the old
    value and an i1: whether it was replaced. With `weak` the exchange may fail though the values are equal.
    """

    ptr: Value = fields.operand_def(llvm_constraints.POINTER, PTR_DOC)
    cmp: Value = fields.operand_def(llvm_constraints.INTEGER_OR_POINTER, "The expected value in memory.")
    val: Value = fields.operand_def(llvm_constraints.INTEGER_OR_POINTER, VAL_DOC)
    success_ordering: AtomicOrdering = fields.attr_def(ORDERING, "How the access is ordered if it exchanges.")
    failure_ordering: AtomicOrdering = fields.attr_def(ORDERING, "How the access is ordered if it does not.")
    syncscope: str | None = fields.optional_attr_def(StringKind(), SYNCSCOPE_DOC, default=None)
    alignment: int | None = fields.optional_attr_def(IntegerKind(), ALIGNMENT_DOC, default=None)
    weak: bool = fields.flag_def("Whether it may fail though the value was there.", default=False)
    volatile_: bool = fields.flag_def(VOLATILE_DOC, default=False, ir_name="volatile_")
    res: Value = fields.result_def(llvm_constraints.STRUCT, RES_DOC)
    assembly_format = (
        "(`weak` $weak^)? (`volatile` $volatile_^)? $ptr `,` $cmp `,` $val (`syncscope` `(` "
        "$syncscope^ `)`)? $success_ordering $failure_ordering attr-dict `:` qualified(type($ptr)) "
        "`,` type($val)"
    )
    traits = (
        same_type("cmp", "val"),
        PredicateTrait(
            "result #0 has an LLVM struct type consisting of the type of operand #2 and a bool",
            is_exchange_result,
        ),
    )
    verifies_locally = True

    def verify_(self) -> None:
        llvm_memory_rules.check_compare_exchange(self)


class FenceOp(StandardOp, name="llvm.fence"):
    """Orders the memory accesses before it with the accesses after it."""

    ordering: AtomicOrdering = fields.attr_def(ORDERING, ORDERING_DOC)
    syncscope: str | None = fields.optional_attr_def(StringKind(), SYNCSCOPE_DOC, default=None)
    assembly_format = "(`syncscope` `(` $syncscope^ `)`)? $ordering attr-dict"
    verifies_locally = True

    def verify_(self) -> None:
        llvm_memory_rules.check_fence(self)


class VaArgOp(StandardOp, name="llvm.va_arg"):
    """Reads the next variable argument from a `va_list`."""

    arg: Value = fields.operand_def(llvm_constraints.POINTER, "The operand.")
    res: Value = fields.result_def(llvm_constraints.LLVM_TYPE, RES_DOC)
    assembly_format = "$arg attr-dict `:` functional-type($arg, $res)"


OPERATIONS: tuple[type[Operation], ...] = (
    AllocaOp,
    LoadOp,
    StoreOp,
    GEPOp,
    AtomicRMWOp,
    AtomicCmpXchgOp,
    FenceOp,
    VaArgOp,
)
"""The operations of this module."""
