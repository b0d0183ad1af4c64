"""Loads, stores, addresses and atomics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.traits import PredicateTrait, same_type
from tilewright.dialects.llvm.attributes import (
    DereferenceableAttr,
)
from tilewright.dialects.llvm.base import AtomicResultOp, ExchangeResultOp, MemoryAccessOp
from tilewright.dialects.llvm.constraints import (
    ATOMIC_VALUE,
    INTEGER,
    INTEGER_OR_POINTER,
    INTEGER_OR_VECTOR,
    LLVM_TYPE,
    LOADABLE,
    POINTER,
    POINTER_OR_VECTOR,
    STRUCT,
)
from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering, PointerWrapFlags
from tilewright.dialects.llvm.kinds import (
    ATOMIC_OPERATION,
    DEREFERENCEABLE,
    ORDERING,
    POINTER_WRAP,
)
from tilewright.dialects.llvm.rules.common import is_exchange_result, result_is_operand
from tilewright.dialects.llvm.rules.memory import (
    ACQUIRING,
    RELEASING,
    check_address,
    check_atomic_access,
    check_compare_exchange,
    check_fence,
    check_read_modify_write,
)
from tilewright.dialects.llvm.syntax.custom import DIRECTIVES, parse_alloca, print_alloca
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.attribute_kind import DenseArrayKind, IntegerKind, StringKind, TypeKind
from tilewright.ir.declaration.fields import (
    attr_def,
    flag_def,
    operand_def,
    optional_attr_def,
    result_def,
    variadic_operand_def,
)
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

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
    """Stack memory that lives until the function returns."""

    arraySize: Value = operand_def(INTEGER, "How many elements.")
    elem_type: Type = attr_def(TypeKind(), "The type of an element.")
    alignment: int | None = optional_attr_def(IntegerKind(), ALIGNMENT_DOC, default=None)
    inalloca: bool = flag_def("Whether the memory passes arguments to a call.", default=False)
    res: Value = result_def(POINTER, PTR_DOC)

    def print_custom(self, printer: Printer) -> None:
        print_alloca(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> Operation:
        return parse_alloca(cls.op_kind, parser)


class LoadOp(MemoryAccessOp, name="llvm.load"):
    """Reads a value from memory."""

    addr: Value = operand_def(POINTER, PTR_DOC)
    alignment: int | None = optional_attr_def(IntegerKind(), ALIGNMENT_DOC, default=None)
    volatile_: bool = flag_def(VOLATILE_DOC, default=False, ir_name="volatile_")
    nontemporal: bool = flag_def(NONTEMPORAL_DOC, default=False)
    invariant: bool = flag_def("Whether the memory never changes while it is accessible.", default=False)
    invariantGroup: bool = flag_def(INVARIANT_GROUP_DOC, default=False)
    ordering: AtomicOrdering = attr_def(ORDERING, ORDERING_DOC, default=AtomicOrdering.NOT_ATOMIC)
    syncscope: str | None = optional_attr_def(StringKind(), SYNCSCOPE_DOC, default=None)
    dereferenceable: DereferenceableAttr | None = optional_attr_def(
        DEREFERENCEABLE, "Number of bytes after the resulting pointer that can be read.", default=None
    )
    res: Value = result_def(LOADABLE, RES_DOC)
    assembly_format = (
        "(`volatile` $volatile_^)? $addr (`atomic` (`syncscope` `(` $syncscope^ `)`)? $ordering^)? "
        "(`invariant` $invariant^)? (`invariant_group` $invariantGroup^)? (`dereferenceable` `` "
        "$dereferenceable^)? attr-dict `:` qualified(type($addr)) `->` type($res)"
    )
    verifies_locally = True

    def verify_(self) -> None:
        check_atomic_access(self, RELEASING)


class StoreOp(MemoryAccessOp, name="llvm.store"):
    """Writes a value to memory."""

    value: Value = operand_def(LOADABLE, VAL_DOC)
    addr: Value = operand_def(POINTER, PTR_DOC)
    alignment: int | None = optional_attr_def(IntegerKind(), ALIGNMENT_DOC, default=None)
    volatile_: bool = flag_def(VOLATILE_DOC, default=False, ir_name="volatile_")
    nontemporal: bool = flag_def(NONTEMPORAL_DOC, default=False)
    invariantGroup: bool = flag_def(INVARIANT_GROUP_DOC, default=False)
    ordering: AtomicOrdering = attr_def(ORDERING, ORDERING_DOC, default=AtomicOrdering.NOT_ATOMIC)
    syncscope: str | None = optional_attr_def(StringKind(), SYNCSCOPE_DOC, default=None)
    assembly_format = (
        "(`volatile` $volatile_^)? $value `,` $addr (`atomic` (`syncscope` `(` $syncscope^ `)`)? "
        "$ordering^)? (`invariant_group` $invariantGroup^)? attr-dict `:` type($value) `,` "
        "qualified(type($addr))"
    )
    verifies_locally = True

    def verify_(self) -> None:
        check_atomic_access(self, ACQUIRING)


class GEPOp(StandardOp, name="llvm.getelementptr"):
    """Computes the address of a member by constant and dynamic positions; reads no memory."""

    base: Value = operand_def(POINTER_OR_VECTOR, "The base address.")
    rawConstantIndices: tuple[int, ...] = attr_def(
        DenseArrayKind(), "All positions; the smallest 32-bit number marks a dynamic position."
    )
    elem_type: Type = attr_def(TypeKind(), "The type of an element.")
    dynamicIndices: tuple[Value, ...] = variadic_operand_def(
        INTEGER_OR_VECTOR, "The positions that are not constant.", default=()
    )
    noWrapFlags: PointerWrapFlags = attr_def(
        POINTER_WRAP, "The assumptions about the address.", default=PointerWrapFlags.NONE
    )
    res: Value = result_def(POINTER_OR_VECTOR, RES_DOC)
    assembly_format = (
        "($noWrapFlags^)? $base `[` custom<GEPIndices>($dynamicIndices, $rawConstantIndices) `]` "
        "attr-dict `:` functional-type(operands, results) `,` $elem_type"
    )
    format_directives: ClassVar[dict[str, Any]] = DIRECTIVES
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_address(self)


class AtomicRMWOp(AtomicResultOp, MemoryAccessOp, name="llvm.atomicrmw"):
    """Atomic read-modify-write; gives the old value."""

    bin_op: AtomicBinaryOperation = attr_def(ATOMIC_OPERATION, "What is computed.")
    ptr: Value = operand_def(POINTER, PTR_DOC)
    val: Value = operand_def(ATOMIC_VALUE, VAL_DOC)
    ordering: AtomicOrdering = attr_def(ORDERING, ORDERING_DOC)
    syncscope: str | None = optional_attr_def(StringKind(), SYNCSCOPE_DOC, default=None)
    alignment: int | None = optional_attr_def(IntegerKind(), ALIGNMENT_DOC, default=None)
    volatile_: bool = flag_def(VOLATILE_DOC, default=False, ir_name="volatile_")
    res: Value = result_def(ATOMIC_VALUE, RES_DOC)
    assembly_format = (
        "(`volatile` $volatile_^)? $bin_op $ptr `,` $val (`syncscope` `(` $syncscope^ `)`)? "
        "$ordering attr-dict `:` qualified(type($ptr)) `,` type($val)"
    )
    traits = (PredicateTrait("result #0 and operand #1 have the same type", result_is_operand(1)),)
    verifies_locally = True

    def verify_(self) -> None:
        check_read_modify_write(self)


class AtomicCmpXchgOp(ExchangeResultOp, MemoryAccessOp, name="llvm.cmpxchg"):
    """Atomic compare-and-exchange; gives the old value and whether it was exchanged."""

    ptr: Value = operand_def(POINTER, PTR_DOC)
    cmp: Value = operand_def(INTEGER_OR_POINTER, "The expected value in memory.")
    val: Value = operand_def(INTEGER_OR_POINTER, VAL_DOC)
    success_ordering: AtomicOrdering = attr_def(ORDERING, "How the access is ordered if it exchanges.")
    failure_ordering: AtomicOrdering = attr_def(ORDERING, "How the access is ordered if it does not.")
    syncscope: str | None = optional_attr_def(StringKind(), SYNCSCOPE_DOC, default=None)
    alignment: int | None = optional_attr_def(IntegerKind(), ALIGNMENT_DOC, default=None)
    weak: bool = flag_def("Whether it may fail though the value was there.", default=False)
    volatile_: bool = flag_def(VOLATILE_DOC, default=False, ir_name="volatile_")
    res: Value = result_def(STRUCT, RES_DOC)
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
        check_compare_exchange(self)


class FenceOp(StandardOp, name="llvm.fence"):
    """Orders memory accesses before it against those after it."""

    ordering: AtomicOrdering = attr_def(ORDERING, ORDERING_DOC)
    syncscope: str | None = optional_attr_def(StringKind(), SYNCSCOPE_DOC, default=None)
    assembly_format = "(`syncscope` `(` $syncscope^ `)`)? $ordering attr-dict"
    verifies_locally = True

    def verify_(self) -> None:
        check_fence(self)


class VaArgOp(StandardOp, name="llvm.va_arg"):
    """The next variable argument."""

    arg: Value = operand_def(POINTER, "The operand.")
    res: Value = result_def(LLVM_TYPE, RES_DOC)
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
