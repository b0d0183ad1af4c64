"""Accesses to single elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.arith.attributes import AtomicRMWKind
from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.traits import PredicateTrait, ReturnLike, SingleBlockImplicitTerminator
from tilewright.dialects.memref.base import ElementOperandOp, ElementResultOp, is_element
from tilewright.dialects.memref.constraints import INDEX, MEMREF, NUMBER, NUMBER_MEMREF
from tilewright.dialects.memref.kinds import ATOMIC_KIND, LOCALITY, POWER_OF_TWO
from tilewright.dialects.memref.rules_access import (
    check_atomic,
    check_atomic_yield,
    check_dma_wait,
    check_generic_atomic,
    check_load,
    check_prefetch,
    check_store,
)
from tilewright.dialects.memref.rules_dma import DmaParts, check_dma_start, dma_parts
from tilewright.dialects.memref.syntax_access import (
    parse_dma_start,
    parse_generic_atomic,
    parse_prefetch,
    print_dma_start,
    print_generic_atomic,
    print_prefetch,
)
from tilewright.ir.block import Region
from tilewright.ir.declaration.attribute_kind import BoolKind
from tilewright.ir.declaration.constraint import ANY_TYPE, TypeVariable
from tilewright.ir.declaration.fields import (
    attr_def,
    operand_def,
    optional_attr_def,
    region_def,
    result_def,
    variadic_operand_def,
)
from tilewright.ir.declaration.traits import HasParent, Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text.hooks import CustomParse
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

SAME_NUMBER = TypeVariable("T", NUMBER)
INDICES_DOC = "One subscript per dimension."
MEMREF_DOC = "The buffer."
RESULT_DOC = "The result."
NONTEMPORAL_DOC = "Whether the data will not be used again soon."


class LoadOp(ElementResultOp, name="memref.load"):
    """Reads an element of a buffer."""

    memref: Value = operand_def(MEMREF, MEMREF_DOC)
    indices: tuple[Value, ...] = variadic_operand_def(INDEX, INDICES_DOC, default=())
    nontemporal: bool = attr_def(BoolKind(), NONTEMPORAL_DOC, default=False)
    format_absent = ("nontemporal",)
    alignment: int | None = optional_attr_def(
        POWER_OF_TWO, "The alignment in bytes, a power of two.", default=None
    )
    result: Value = result_def(ANY_TYPE, RESULT_DOC)
    assembly_format = "$memref `[` $indices `]` attr-dict `:` type($memref)"
    traits = (PredicateTrait("result type matches element type of 'memref'", is_element("result", "memref")),)

    def verify_(self) -> None:
        check_load(self)


class StoreOp(ElementOperandOp, name="memref.store"):
    """Writes an element of a buffer."""

    value: Value = operand_def(ANY_TYPE, "The value.")
    memref: Value = operand_def(MEMREF, MEMREF_DOC)
    indices: tuple[Value, ...] = variadic_operand_def(INDEX, INDICES_DOC, default=())
    nontemporal: bool = attr_def(BoolKind(), NONTEMPORAL_DOC, default=False)
    format_absent = ("nontemporal",)
    alignment: int | None = optional_attr_def(
        POWER_OF_TWO, "The alignment in bytes, a power of two.", default=None
    )
    assembly_format = "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)"
    traits = (
        PredicateTrait("type of 'value' matches element type of 'memref'", is_element("value", "memref")),
    )

    def verify_(self) -> None:
        check_store(self)


class PrefetchOp(StandardOp, name="memref.prefetch"):
    """Asks for an element to be brought near."""

    memref: Value = operand_def(MEMREF, MEMREF_DOC)
    isWrite: bool = attr_def(BoolKind(), "Whether it will be written.")
    localityHint: int = attr_def(LOCALITY, "From 0, no locality, to 3, keep near.")
    isDataCache: bool = attr_def(BoolKind(), "Whether it goes to the data cache.")
    indices: tuple[Value, ...] = variadic_operand_def(INDEX, INDICES_DOC, default=())

    def verify_(self) -> None:
        check_prefetch(self)

    def print_custom(self, printer: Printer) -> None:
        print_prefetch(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> Operation:
        return parse_prefetch(cls.op_kind, parser)


class AtomicRMWOp(StandardOp, name="memref.atomic_rmw"):
    """Atomic read-modify-write; gives the old element."""

    kind_: AtomicRMWKind = attr_def(ATOMIC_KIND, "What is computed.")
    value: Value = operand_def(SAME_NUMBER, "The value.")
    memref: Value = operand_def(NUMBER_MEMREF, MEMREF_DOC)
    indices: tuple[Value, ...] = variadic_operand_def(INDEX, INDICES_DOC, default=())
    result: Value = result_def(SAME_NUMBER, RESULT_DOC)
    assembly_format = (
        "$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) "
        "`)` `->` type($result)"
    )
    traits = (PredicateTrait("value type matches element type of memref", is_element("value", "memref")),)

    def verify_(self) -> None:
        check_atomic(self)


class GenericAtomicRMWOp(ElementResultOp, name="memref.generic_atomic_rmw"):
    """Atomic read-modify-write by a region that maps the old element to the new one; gives the old one."""

    memref: Value = operand_def(NUMBER_MEMREF, MEMREF_DOC)
    indices: tuple[Value, ...] = variadic_operand_def(INDEX, INDICES_DOC, default=())
    result: Value = result_def(NUMBER, RESULT_DOC)
    atomic_body: Region = region_def("Maps the old element to the new one.", single_block=False)
    traits = (
        PredicateTrait("result type matches element type of memref", is_element("result", "memref")),
        SingleBlockImplicitTerminator("memref.atomic_yield"),
    )

    def verify_(self) -> None:
        check_generic_atomic(self)

    def print_custom(self, printer: Printer) -> None:
        print_generic_atomic(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> CustomParse:
        return parse_generic_atomic(cls.op_kind, parser)


class AtomicYieldOp(StandardOp, name="memref.atomic_yield"):
    """Ends the body of `generic_atomic_rmw` with the new element."""

    result: Value = operand_def(ANY_TYPE, "The new element.")
    assembly_format = "$result attr-dict `:` type($result)"
    traits = (
        Pure(),
        HasParent("memref.generic_atomic_rmw"),
        ReturnLike(),
    )

    def verify_(self) -> None:
        check_atomic_yield(self)


class DmaStartOp(StandardOp, name="memref.dma_start"):
    """Starts a copy between memory spaces. `dma_wait` on the same element of a tag buffer waits for the copy."""

    operands_: tuple[Value, ...] = variadic_operand_def(
        ANY_TYPE,
        "Source and subscripts, destination and subscripts, number of elements, tag and subscripts; perhaps stride and elements per stride.",
        default=(),
    )

    def parts(self) -> DmaParts:
        """Return the operands by their meaning; raises `VerifyError` if the operation is not valid."""
        return dma_parts(self)

    def verify_(self) -> None:
        check_dma_start(self)

    def print_custom(self, printer: Printer) -> None:
        print_dma_start(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> Operation:
        return parse_dma_start(cls.op_kind, parser)


class DmaWaitOp(StandardOp, name="memref.dma_wait"):
    """Waits for the copy that belongs to an element of a tag buffer."""

    tagMemRef: Value = operand_def(MEMREF, "The tag buffer.")
    tagIndices: tuple[Value, ...] = variadic_operand_def(INDEX, "The subscripts of the tag.")
    numElements: Value = operand_def(INDEX, "The number of elements.")
    assembly_format = "$tagMemRef `[` $tagIndices `]` `,` $numElements attr-dict `:` type($tagMemRef)"

    def verify_(self) -> None:
        check_dma_wait(self)


OPERATIONS: tuple[type[Operation], ...] = (
    LoadOp,
    StoreOp,
    PrefetchOp,
    AtomicRMWOp,
    GenericAtomicRMWOp,
    AtomicYieldOp,
    DmaStartOp,
    DmaWaitOp,
)
"""The operations of this module."""
