"""Operations for loads and stores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.memref.kinds import POWER_OF_TWO
from tilewright.dialects.vector.base import AFFINE_MAP, BOOLEANS
from tilewright.dialects.vector.constraints import (
    ANY_VECTOR,
    BUFFER,
    FIXED_MASK,
    INDEX,
    INDEX_VECTOR,
    MASK,
    MEMREF,
    RANKED_TENSOR,
    SHAPED,
    STATIC_MEMREF,
)
from tilewright.dialects.vector.rules_memory import (
    check_compressing_store,
    check_expanding_load,
    check_gather,
    check_load,
    check_masked_load,
    check_masked_store,
    check_scatter,
    check_store,
    check_transfer_read,
    check_transfer_write,
    check_type_cast,
)
from tilewright.dialects.vector.syntax_transfer import (
    parse_transfer_read,
    parse_transfer_write,
    print_transfer_read,
    print_transfer_write,
)
from tilewright.ir.arithmetic.affine import AffineMapAttr
from tilewright.ir.declaration.attribute_kind import BoolKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.declaration.fields import (
    attr_def,
    operand_def,
    optional_attr_def,
    optional_operand_def,
    optional_result_def,
    result_def,
    variadic_operand_def,
)
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

INDICES_DOC = "One subscript per dimension."
ALIGNMENT_DOC = "The alignment in bytes, a power of two."
BASE_DOC = "The buffer or tensor."
RESULT_DOC = "The result."
VALUE_TO_STORE_DOC = "The value."
PASS_THRU_DOC = "The values of masked-off elements."
NONTEMPORAL_DOC = "Whether the data will not be used again soon."
PERMUTATION_MAP_DOC = "The dimensions of the buffer that the vector has."
MASK_DOC = "The mask of the elements that take part."


class LoadOp(StandardOp, name="vector.load"):
    """Loads consecutive elements into a vector."""

    base: Value = operand_def(MEMREF, BASE_DOC)
    indices: tuple[Value, ...] = variadic_operand_def(INDEX, INDICES_DOC, default=())
    nontemporal: bool = attr_def(BoolKind(), NONTEMPORAL_DOC, default=False)
    alignment: int | None = optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    result: Value = result_def(ANY_VECTOR, RESULT_DOC)
    format_absent = ("nontemporal",)
    assembly_format = "$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)"

    def verify_(self) -> None:
        check_load(self)


class StoreOp(StandardOp, name="vector.store"):
    """Stores consecutive elements from a vector."""

    valueToStore: Value = operand_def(ANY_VECTOR, VALUE_TO_STORE_DOC)
    base: Value = operand_def(MEMREF, BASE_DOC)
    indices: tuple[Value, ...] = variadic_operand_def(INDEX, INDICES_DOC, default=())
    nontemporal: bool = attr_def(BoolKind(), NONTEMPORAL_DOC, default=False)
    alignment: int | None = optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    format_absent = ("nontemporal",)
    assembly_format = (
        "$valueToStore `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($valueToStore)"
    )

    def verify_(self) -> None:
        check_store(self)


class TransferReadOp(StandardOp, name="vector.transfer_read"):
    """Reads a slice of a buffer or tensor; elements outside are padded."""

    base: Value = operand_def(SHAPED, BASE_DOC)
    indices: tuple[Value, ...] = variadic_operand_def(INDEX, INDICES_DOC)
    permutation_map: AffineMapAttr = attr_def(AFFINE_MAP, PERMUTATION_MAP_DOC)
    padding: Value = operand_def(ANY_TYPE, "The value of elements outside.")
    in_bounds: tuple[bool, ...] = attr_def(BOOLEANS, "The dimensions that are known to lie inside.")
    mask: Value | None = optional_operand_def(MASK, MASK_DOC, default=None)
    vector: Value = result_def(ANY_VECTOR, RESULT_DOC)

    def verify_(self) -> None:
        check_transfer_read(self)

    def print_custom(self, printer: Printer) -> None:
        print_transfer_read(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> Operation:
        return parse_transfer_read(cls.op_kind, parser)


class TransferWriteOp(StandardOp, name="vector.transfer_write"):
    """Writes a slice of a buffer or tensor; elements outside are dropped."""

    valueToStore: Value = operand_def(ANY_VECTOR, VALUE_TO_STORE_DOC)
    base: Value = operand_def(SHAPED, BASE_DOC)
    permutation_map: AffineMapAttr = attr_def(AFFINE_MAP, PERMUTATION_MAP_DOC)
    in_bounds: tuple[bool, ...] = attr_def(BOOLEANS, "The dimensions that are known to lie inside.")
    indices: tuple[Value, ...] = variadic_operand_def(INDEX, INDICES_DOC, default=())
    mask: Value | None = optional_operand_def(MASK, MASK_DOC, default=None)
    result: Value | None = optional_result_def(RANKED_TENSOR, RESULT_DOC)

    def verify_(self) -> None:
        check_transfer_write(self)

    def print_custom(self, printer: Printer) -> None:
        print_transfer_write(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> Operation:
        return parse_transfer_write(cls.op_kind, parser)


class MaskedLoadOp(StandardOp, name="vector.maskedload"):
    """Loads the consecutive elements whose mask bit is set."""

    base: Value = operand_def(MEMREF, BASE_DOC)
    indices: tuple[Value, ...] = variadic_operand_def(INDEX, INDICES_DOC)
    mask: Value = operand_def(MASK, MASK_DOC)
    pass_thru: Value = operand_def(ANY_VECTOR, PASS_THRU_DOC)
    alignment: int | None = optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    result: Value = result_def(ANY_VECTOR, RESULT_DOC)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($mask) "
        "`,` type($pass_thru) `into` type($result)"
    )

    def verify_(self) -> None:
        check_masked_load(self)


class MaskedStoreOp(StandardOp, name="vector.maskedstore"):
    """Stores the consecutive elements whose mask bit is set."""

    base: Value = operand_def(MEMREF, BASE_DOC)
    indices: tuple[Value, ...] = variadic_operand_def(INDEX, INDICES_DOC)
    mask: Value = operand_def(MASK, MASK_DOC)
    valueToStore: Value = operand_def(ANY_VECTOR, VALUE_TO_STORE_DOC)
    alignment: int | None = optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) `,` "
        "type($mask) `,` type($valueToStore)"
    )

    def verify_(self) -> None:
        check_masked_store(self)


class GatherOp(StandardOp, name="vector.gather"):
    """Loads each element from an index of its own where the mask bit is set."""

    base: Value = operand_def(BUFFER, BASE_DOC)
    offsets: tuple[Value, ...] = variadic_operand_def(INDEX, "Where the indices count from.")
    indices: Value = operand_def(INDEX_VECTOR, "The index of each element.")
    mask: Value = operand_def(MASK, MASK_DOC)
    pass_thru: Value = operand_def(ANY_VECTOR, PASS_THRU_DOC)
    alignment: int | None = optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    result: Value = result_def(ANY_VECTOR, RESULT_DOC)
    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) "
        "`,` type($indices) `,` type($mask) `,` type($pass_thru) `into` type($result)"
    )

    def verify_(self) -> None:
        check_gather(self)


class ScatterOp(StandardOp, name="vector.scatter"):
    """Stores each element to an index of its own where the mask bit is set."""

    base: Value = operand_def(BUFFER, BASE_DOC)
    offsets: tuple[Value, ...] = variadic_operand_def(INDEX, "Where the indices count from.")
    indices: Value = operand_def(INDEX_VECTOR, "The index of each element.")
    mask: Value = operand_def(MASK, MASK_DOC)
    valueToStore: Value = operand_def(ANY_VECTOR, VALUE_TO_STORE_DOC)
    alignment: int | None = optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    result: Value | None = optional_result_def(RANKED_TENSOR, RESULT_DOC)
    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $valueToStore attr-dict `:` "
        "type($base) `,` type($indices) `,` type($mask) `,` type($valueToStore) (`->` "
        "type($result)^)?"
    )

    def verify_(self) -> None:
        check_scatter(self)


class ExpandLoadOp(StandardOp, name="vector.expandload"):
    """Loads consecutive elements into the lanes whose mask bit is set."""

    base: Value = operand_def(MEMREF, BASE_DOC)
    indices: tuple[Value, ...] = variadic_operand_def(INDEX, INDICES_DOC)
    mask: Value = operand_def(FIXED_MASK, MASK_DOC)
    pass_thru: Value = operand_def(ANY_VECTOR, PASS_THRU_DOC)
    alignment: int | None = optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    result: Value = result_def(ANY_VECTOR, RESULT_DOC)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($mask) "
        "`,` type($pass_thru) `into` type($result)"
    )

    def verify_(self) -> None:
        check_expanding_load(self)


class CompressStoreOp(StandardOp, name="vector.compressstore"):
    """Stores the lanes whose mask bit is set, one after the other."""

    base: Value = operand_def(MEMREF, BASE_DOC)
    indices: tuple[Value, ...] = variadic_operand_def(INDEX, INDICES_DOC)
    mask: Value = operand_def(FIXED_MASK, MASK_DOC)
    valueToStore: Value = operand_def(ANY_VECTOR, VALUE_TO_STORE_DOC)
    alignment: int | None = optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) `,` "
        "type($mask) `,` type($valueToStore)"
    )

    def verify_(self) -> None:
        check_compressing_store(self)


class TypeCastOp(StandardOp, name="vector.type_cast"):
    """A buffer of scalars as a buffer of one vector."""

    memref: Value = operand_def(STATIC_MEMREF, "The buffer.")
    result: Value = result_def(MEMREF, RESULT_DOC)
    assembly_format = "$memref attr-dict `:` type($memref) `to` type($result)"
    traits = (Pure(),)

    def verify_(self) -> None:
        check_type_cast(self)


OPERATIONS: tuple[type[Operation], ...] = (
    LoadOp,
    StoreOp,
    TransferReadOp,
    TransferWriteOp,
    MaskedLoadOp,
    MaskedStoreOp,
    GatherOp,
    ScatterOp,
    ExpandLoadOp,
    CompressStoreOp,
    TypeCastOp,
)
"""The operations of this module."""
