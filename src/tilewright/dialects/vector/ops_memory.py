"""Operations for loads and stores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.memref.kinds import POWER_OF_TWO
from tilewright.dialects.vector import constraints as vector_constraints, rules_memory, syntax_transfer
from tilewright.dialects.vector.base import AFFINE_MAP, BOOLEANS
from tilewright.ir.arithmetic.affine import AffineMapAttr
from tilewright.ir.declaration import constraint as declaration_constraint, fields, traits as ir_traits
from tilewright.ir.declaration.attribute_kind import BoolKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

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
    """Loads the elements of a buffer from the position `indices` on, consecutive in the last dimensions, into
    a vector. The buffer has at least the rank of the vector, and elements of its element type or of the
    vector type.
    """

    base: Value = fields.operand_def(vector_constraints.MEMREF, BASE_DOC)
    indices: tuple[Value, ...] = fields.variadic_operand_def(
        vector_constraints.INDEX, INDICES_DOC, default=()
    )
    nontemporal: bool = fields.attr_def(BoolKind(), NONTEMPORAL_DOC, default=False)
    alignment: int | None = fields.optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    result: Value = fields.result_def(vector_constraints.ANY_VECTOR, RESULT_DOC)
    format_absent = ("nontemporal",)
    assembly_format = "$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)"

    def verify_(self) -> None:
        rules_memory.check_load(self)


class StoreOp(StandardOp, name="vector.store"):
    """Stores the elements of a vector to the elements of a buffer from the position `indices` on, consecutive
    in the last dimensions. The buffer has at least the rank of the vector, and elements of its element type
    or of the vector type.
    """

    valueToStore: Value = fields.operand_def(vector_constraints.ANY_VECTOR, VALUE_TO_STORE_DOC)
    base: Value = fields.operand_def(vector_constraints.MEMREF, BASE_DOC)
    indices: tuple[Value, ...] = fields.variadic_operand_def(
        vector_constraints.INDEX, INDICES_DOC, default=()
    )
    nontemporal: bool = fields.attr_def(BoolKind(), NONTEMPORAL_DOC, default=False)
    alignment: int | None = fields.optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    format_absent = ("nontemporal",)
    assembly_format = (
        "$valueToStore `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($valueToStore)"
    )

    def verify_(self) -> None:
        rules_memory.check_store(self)


class TransferReadOp(StandardOp, name="vector.transfer_read"):
    """Reads a slice of a buffer or tensor from the position `indices` on; elements outside become `padding`.
    `permutation_map` assigns dimensions of the buffer to the dimensions of the vector.
    """

    base: Value = fields.operand_def(vector_constraints.SHAPED, BASE_DOC)
    indices: tuple[Value, ...] = fields.variadic_operand_def(vector_constraints.INDEX, INDICES_DOC)
    permutation_map: AffineMapAttr = fields.attr_def(AFFINE_MAP, PERMUTATION_MAP_DOC)
    padding: Value = fields.operand_def(declaration_constraint.ANY_TYPE, "The value of elements outside.")
    in_bounds: tuple[bool, ...] = fields.attr_def(BOOLEANS, "The dimensions that are known to lie inside.")
    mask: Value | None = fields.optional_operand_def(vector_constraints.MASK, MASK_DOC, default=None)
    vector: Value = fields.result_def(vector_constraints.ANY_VECTOR, RESULT_DOC)

    def verify_(self) -> None:
        rules_memory.check_transfer_read(self)

    def print_custom(self, printer: text_printer.Printer) -> None:
        syntax_transfer.print_transfer_read(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> Operation:
        return syntax_transfer.parse_transfer_read(cls.op_kind, parser)


class TransferWriteOp(StandardOp, name="vector.transfer_write"):
    """Writes a vector to a slice of a buffer or tensor; elements outside are dropped. A tensor is not
    changed: the result is the new tensor.
    """

    valueToStore: Value = fields.operand_def(vector_constraints.ANY_VECTOR, VALUE_TO_STORE_DOC)
    base: Value = fields.operand_def(vector_constraints.SHAPED, BASE_DOC)
    permutation_map: AffineMapAttr = fields.attr_def(AFFINE_MAP, PERMUTATION_MAP_DOC)
    in_bounds: tuple[bool, ...] = fields.attr_def(BOOLEANS, "The dimensions that are known to lie inside.")
    indices: tuple[Value, ...] = fields.variadic_operand_def(
        vector_constraints.INDEX, INDICES_DOC, default=()
    )
    mask: Value | None = fields.optional_operand_def(vector_constraints.MASK, MASK_DOC, default=None)
    result: Value | None = fields.optional_result_def(vector_constraints.RANKED_TENSOR, RESULT_DOC)

    def verify_(self) -> None:
        rules_memory.check_transfer_write(self)

    def print_custom(self, printer: text_printer.Printer) -> None:
        syntax_transfer.print_transfer_write(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> Operation:
        return syntax_transfer.parse_transfer_write(cls.op_kind, parser)


class MaskedLoadOp(StandardOp, name="vector.maskedload"):
    """Loads consecutive elements of a buffer, from the position `indices` on, where the mask bit is set; the
    other elements of the result are `pass_thru`.
    """

    base: Value = fields.operand_def(vector_constraints.MEMREF, BASE_DOC)
    indices: tuple[Value, ...] = fields.variadic_operand_def(vector_constraints.INDEX, INDICES_DOC)
    mask: Value = fields.operand_def(vector_constraints.MASK, MASK_DOC)
    pass_thru: Value = fields.operand_def(vector_constraints.ANY_VECTOR, PASS_THRU_DOC)
    alignment: int | None = fields.optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    result: Value = fields.result_def(vector_constraints.ANY_VECTOR, RESULT_DOC)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($mask) "
        "`,` type($pass_thru) `into` type($result)"
    )

    def verify_(self) -> None:
        rules_memory.check_masked_load(self)


class MaskedStoreOp(StandardOp, name="vector.maskedstore"):
    """Stores the elements of a vector whose mask bit is set to consecutive elements of a buffer, from the
    position `indices` on.
    """

    base: Value = fields.operand_def(vector_constraints.MEMREF, BASE_DOC)
    indices: tuple[Value, ...] = fields.variadic_operand_def(vector_constraints.INDEX, INDICES_DOC)
    mask: Value = fields.operand_def(vector_constraints.MASK, MASK_DOC)
    valueToStore: Value = fields.operand_def(vector_constraints.ANY_VECTOR, VALUE_TO_STORE_DOC)
    alignment: int | None = fields.optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) `,` "
        "type($mask) `,` type($valueToStore)"
    )

    def verify_(self) -> None:
        rules_memory.check_masked_store(self)


class GatherOp(StandardOp, name="vector.gather"):
    """Loads, for each lane whose mask bit is set, the element at the index of the lane, counted from
    `offsets`; the other elements of the result are `pass_thru`.
    """

    base: Value = fields.operand_def(vector_constraints.BUFFER, BASE_DOC)
    offsets: tuple[Value, ...] = fields.variadic_operand_def(
        vector_constraints.INDEX, "Where the indices count from."
    )
    indices: Value = fields.operand_def(vector_constraints.INDEX_VECTOR, "The index of each element.")
    mask: Value = fields.operand_def(vector_constraints.MASK, MASK_DOC)
    pass_thru: Value = fields.operand_def(vector_constraints.ANY_VECTOR, PASS_THRU_DOC)
    alignment: int | None = fields.optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    result: Value = fields.result_def(vector_constraints.ANY_VECTOR, RESULT_DOC)
    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) "
        "`,` type($indices) `,` type($mask) `,` type($pass_thru) `into` type($result)"
    )

    def verify_(self) -> None:
        rules_memory.check_gather(self)


class ScatterOp(StandardOp, name="vector.scatter"):
    """Stores, for each lane whose mask bit is set, an element at the index of the lane, counted from
    `offsets`. A tensor is not changed: the result is the new tensor.
    """

    base: Value = fields.operand_def(vector_constraints.BUFFER, BASE_DOC)
    offsets: tuple[Value, ...] = fields.variadic_operand_def(
        vector_constraints.INDEX, "Where the indices count from."
    )
    indices: Value = fields.operand_def(vector_constraints.INDEX_VECTOR, "The index of each element.")
    mask: Value = fields.operand_def(vector_constraints.MASK, MASK_DOC)
    valueToStore: Value = fields.operand_def(vector_constraints.ANY_VECTOR, VALUE_TO_STORE_DOC)
    alignment: int | None = fields.optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    result: Value | None = fields.optional_result_def(vector_constraints.RANKED_TENSOR, RESULT_DOC)
    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $valueToStore attr-dict `:` "
        "type($base) `,` type($indices) `,` type($mask) `,` type($valueToStore) (`->` "
        "type($result)^)?"
    )

    def verify_(self) -> None:
        rules_memory.check_scatter(self)


class ExpandLoadOp(StandardOp, name="vector.expandload"):
    """Loads consecutive elements of a buffer, from the position `indices` on, into the lanes whose mask bit
    is set; the other lanes of the result are `pass_thru`.
    """

    base: Value = fields.operand_def(vector_constraints.MEMREF, BASE_DOC)
    indices: tuple[Value, ...] = fields.variadic_operand_def(vector_constraints.INDEX, INDICES_DOC)
    mask: Value = fields.operand_def(vector_constraints.FIXED_MASK, MASK_DOC)
    pass_thru: Value = fields.operand_def(vector_constraints.ANY_VECTOR, PASS_THRU_DOC)
    alignment: int | None = fields.optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    result: Value = fields.result_def(vector_constraints.ANY_VECTOR, RESULT_DOC)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($mask) "
        "`,` type($pass_thru) `into` type($result)"
    )

    def verify_(self) -> None:
        rules_memory.check_expanding_load(self)


class CompressStoreOp(StandardOp, name="vector.compressstore"):
    """Stores the elements of the lanes whose mask bit is set to consecutive elements of a buffer, from the
    position `indices` on, without gaps.
    """

    base: Value = fields.operand_def(vector_constraints.MEMREF, BASE_DOC)
    indices: tuple[Value, ...] = fields.variadic_operand_def(vector_constraints.INDEX, INDICES_DOC)
    mask: Value = fields.operand_def(vector_constraints.FIXED_MASK, MASK_DOC)
    valueToStore: Value = fields.operand_def(vector_constraints.ANY_VECTOR, VALUE_TO_STORE_DOC)
    alignment: int | None = fields.optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) `,` "
        "type($mask) `,` type($valueToStore)"
    )

    def verify_(self) -> None:
        rules_memory.check_compressing_store(self)


class TypeCastOp(StandardOp, name="vector.type_cast"):
    """Returns a buffer of scalars as a buffer of one vector."""

    memref: Value = fields.operand_def(vector_constraints.STATIC_MEMREF, "The buffer.")
    result: Value = fields.result_def(vector_constraints.MEMREF, RESULT_DOC)
    assembly_format = "$memref attr-dict `:` type($memref) `to` type($result)"
    traits = (ir_traits.Pure(),)

    def verify_(self) -> None:
        rules_memory.check_type_cast(self)


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
