"""Accesses to single elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.arith.attributes import AtomicRMWKind
from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.traits import PredicateTrait, ReturnLike, SingleBlockImplicitTerminator
from tilewright.dialects.memref import kinds as memref_kinds, rules_access, rules_dma, syntax_access
from tilewright.dialects.memref.base import ElementOperandOp, ElementResultOp, is_element
from tilewright.dialects.memref.constraints import INDEX, MEMREF, NUMBER, NUMBER_MEMREF
from tilewright.ir.block import Region
from tilewright.ir.declaration import attribute_kind, fields, traits as ir_traits
from tilewright.ir.declaration.constraint import ANY_TYPE, TypeVariable
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import hooks, parser as text_parser, printer as text_printer

SAME_NUMBER = TypeVariable("T", NUMBER)
INDICES_DOC = "One subscript per dimension."
MEMREF_DOC = "The buffer."
RESULT_DOC = "The result."
NONTEMPORAL_DOC = "Whether the data will not be used again soon."


class LoadOp(ElementResultOp, name="memref.load"):
    """Reads the element at `indices` of a buffer; there is one index for each dimension."""

    memref: Value = fields.operand_def(MEMREF, MEMREF_DOC)
    indices: tuple[Value, ...] = fields.variadic_operand_def(INDEX, INDICES_DOC, default=())
    nontemporal: bool = fields.attr_def(attribute_kind.BoolKind(), NONTEMPORAL_DOC, default=False)
    format_absent = ("nontemporal",)
    alignment: int | None = fields.optional_attr_def(
        memref_kinds.POWER_OF_TWO, "The alignment in bytes, a power of two.", default=None
    )
    result: Value = fields.result_def(ANY_TYPE, RESULT_DOC)
    assembly_format = "$memref `[` $indices `]` attr-dict `:` type($memref)"
    traits = (PredicateTrait("result type matches element type of 'memref'", is_element("result", "memref")),)

    def verify_(self) -> None:
        rules_access.check_load(self)


class StoreOp(ElementOperandOp, name="memref.store"):
    """Writes `value` to the element at `indices` of a buffer; there is one index for each dimension."""

    value: Value = fields.operand_def(ANY_TYPE, "The value.")
    memref: Value = fields.operand_def(MEMREF, MEMREF_DOC)
    indices: tuple[Value, ...] = fields.variadic_operand_def(INDEX, INDICES_DOC, default=())
    nontemporal: bool = fields.attr_def(attribute_kind.BoolKind(), NONTEMPORAL_DOC, default=False)
    format_absent = ("nontemporal",)
    alignment: int | None = fields.optional_attr_def(
        memref_kinds.POWER_OF_TWO, "The alignment in bytes, a power of two.", default=None
    )
    assembly_format = "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)"
    traits = (
        PredicateTrait("type of 'value' matches element type of 'memref'", is_element("value", "memref")),
    )

    def verify_(self) -> None:
        rules_access.check_store(self)


class PrefetchOp(StandardOp, name="memref.prefetch"):
    """Prefetches the element at `indices` of a buffer into the data cache or the instruction cache, to be
    read or written. `localityHint` is the expected locality, from 0 (none) to 3 (keep near).
    """

    memref: Value = fields.operand_def(MEMREF, MEMREF_DOC)
    isWrite: bool = fields.attr_def(attribute_kind.BoolKind(), "Whether it will be written.")
    localityHint: int = fields.attr_def(memref_kinds.LOCALITY, "From 0, no locality, to 3, keep near.")
    isDataCache: bool = fields.attr_def(attribute_kind.BoolKind(), "Whether it goes to the data cache.")
    indices: tuple[Value, ...] = fields.variadic_operand_def(INDEX, INDICES_DOC, default=())

    def verify_(self) -> None:
        rules_access.check_prefetch(self)

    def print_custom(self, printer: text_printer.Printer) -> None:
        syntax_access.print_prefetch(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> Operation:
        return syntax_access.parse_prefetch(cls.op_kind, parser)


class AtomicRMWOp(StandardOp, name="memref.atomic_rmw"):
    """Atomically combines the element at `indices` of a buffer with `value` by the function `kind`. Returns
    the old element.
    """

    kind_: AtomicRMWKind = fields.attr_def(memref_kinds.ATOMIC_KIND, "What is computed.")
    value: Value = fields.operand_def(SAME_NUMBER, "The value.")
    memref: Value = fields.operand_def(NUMBER_MEMREF, MEMREF_DOC)
    indices: tuple[Value, ...] = fields.variadic_operand_def(INDEX, INDICES_DOC, default=())
    result: Value = fields.result_def(SAME_NUMBER, RESULT_DOC)
    assembly_format = (
        "$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) "
        "`)` `->` type($result)"
    )
    traits = (PredicateTrait("value type matches element type of memref", is_element("value", "memref")),)

    def verify_(self) -> None:
        rules_access.check_atomic(self)


class GenericAtomicRMWOp(ElementResultOp, name="memref.generic_atomic_rmw"):
    """Atomic read-modify-write by a region that maps the old element to the new one; returns the old element."""

    memref: Value = fields.operand_def(NUMBER_MEMREF, MEMREF_DOC)
    indices: tuple[Value, ...] = fields.variadic_operand_def(INDEX, INDICES_DOC, default=())
    result: Value = fields.result_def(NUMBER, RESULT_DOC)
    atomic_body: Region = fields.region_def("Maps the old element to the new one.", single_block=False)
    traits = (
        PredicateTrait("result type matches element type of memref", is_element("result", "memref")),
        SingleBlockImplicitTerminator("memref.atomic_yield"),
    )

    def verify_(self) -> None:
        rules_access.check_generic_atomic(self)

    def print_custom(self, printer: text_printer.Printer) -> None:
        syntax_access.print_generic_atomic(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return syntax_access.parse_generic_atomic(cls.op_kind, parser)


class AtomicYieldOp(StandardOp, name="memref.atomic_yield"):
    """Ends the body of `generic_atomic_rmw` with the new element."""

    result: Value = fields.operand_def(ANY_TYPE, "The new element.")
    assembly_format = "$result attr-dict `:` type($result)"
    traits = (
        ir_traits.Pure(),
        ir_traits.HasParent("memref.generic_atomic_rmw"),
        ReturnLike(),
    )

    def verify_(self) -> None:
        rules_access.check_atomic_yield(self)


class DmaStartOp(StandardOp, name="memref.dma_start"):
    """Starts a copy between memory spaces. `dma_wait` on the same element of a tag buffer waits for the copy."""

    operands_: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE,
        "Source and subscripts, destination and subscripts, number of elements, tag and subscripts; perhaps stride and elements per stride.",
        default=(),
    )

    def parts(self) -> rules_dma.DmaParts:
        """Return the operands by name. Raises `VerifyError` if the operation is not valid."""
        return rules_dma.dma_parts(self)

    def verify_(self) -> None:
        rules_dma.check_dma_start(self)

    def print_custom(self, printer: text_printer.Printer) -> None:
        syntax_access.print_dma_start(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> Operation:
        return syntax_access.parse_dma_start(cls.op_kind, parser)


class DmaWaitOp(StandardOp, name="memref.dma_wait"):
    """Waits for the copy whose `dma_start` names the same element of a tag buffer."""

    tagMemRef: Value = fields.operand_def(MEMREF, "The tag buffer.")
    tagIndices: tuple[Value, ...] = fields.variadic_operand_def(INDEX, "The subscripts of the tag.")
    numElements: Value = fields.operand_def(INDEX, "The number of elements.")
    assembly_format = "$tagMemRef `[` $tagIndices `]` `,` $numElements attr-dict `:` type($tagMemRef)"

    def verify_(self) -> None:
        rules_access.check_dma_wait(self)


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
