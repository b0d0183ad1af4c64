"""Tensor descriptors, and accesses through them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.tt import constraints as tt_constraints, types as tt_types
from tilewright.dialects.tt.attributes import CACHE_POLICY, DESCRIPTOR_REDUCE_KIND, PADDING_OPTION
from tilewright.dialects.tt.enums import DescriptorReduceKind, PaddingOption
from tilewright.dialects.tt.ops.memory import CACHE_DOC, LOAD, check_cache_policy
from tilewright.dialects.tt.rules.descriptor import check_block, check_rows
from tilewright.dialects.tt.traits import TENSOR_SIZE, TritonOp, WritesMemory
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.declaration.fields import (
    attr_def,
    operand_def,
    optional_attr_def,
    result_def,
    variadic_operand_def,
)
from tilewright.ir.declaration.traits import Pure, SameVariadicOperandSize
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text.format import parsing as text_parsing, printing as text_printing


class BareType:
    """The directive ``custom<Name>(type($field))`` for a type of one class, printed without its name,
    ``<f16>``; the full spelling is parsed, too.
    """

    def __init__(self, type_class: type[Type]) -> None:
        self.type_class = type_class

    def at(self, parser: Any) -> bool:
        """Return whether the text of a type begins here: ``<`` or ``!``."""
        return parser.at("<") or parser.at("!")

    def print(self, printing: text_printing.FormatPrinting, target: Any) -> None:
        """Print the type of the field in `target`, the argument ``type($field)`` of the directive: its
        parameters only, such as ``<f16>``, if it is of the class of the directive, else in full.
        """
        (value,) = printing.values(target.arguments[0].name)
        if isinstance(value.type, self.type_class):
            value.type.print_parameters(printing.printer)
        else:
            printing.printer.print_type(value.type)

    def parse(self, parsing: text_parsing.FormatParsing, target: Any) -> None:
        """Parse a type, ``<f16>`` without its name or the full spelling, and store it in `parsing` as the
        type of the field in `target`, the argument ``type($field)`` of the directive.
        """
        parser, field = parsing.parser, parsing.format.field(target.arguments[0].name)
        bare = parser.at("<")
        found = self.type_class.parse_parameters(parser) if bare else parser.parse_type()
        is_result = field in parsing.format.kind.results
        parsing.types[f"result {field.name}" if is_result else field.name] = [found]


BARE_TYPES = {"PointerType": BareType(tt_types.PtrType), "DescriptorType": BareType(tt_types.TensorDescType)}
"""The directives by the names that assembly formats have for them."""


DESC_DOC = "The descriptor."
INDICES_DOC = "Where the block begins, one number for each dimension."
ROWS_DOC = "Where each row of the block is along the first dimension."
COLUMN_DOC = "Where the rows begin along the second dimension."


class MakeTensorDescOp(TritonOp, name="tt.make_tensor_descriptor"):
    """Describes a tensor in memory, to be read and written in blocks of the shape in the type."""

    base: Value = operand_def(tt_constraints.POINTER, "The address of the first element.")
    shape: tuple[Value, ...] = variadic_operand_def(tt_constraints.I32, "The extents.")
    strides: tuple[Value, ...] = variadic_operand_def(
        tt_constraints.I64, "How many elements lie between neighbours along each dimension."
    )
    padding: PaddingOption = attr_def(
        PADDING_OPTION, "The elements of loads outside of the tensor.", default=PaddingOption.PAD_ZERO
    )
    result: Value = result_def(tt_constraints.DESCRIPTOR, DESC_DOC)
    assembly_format = (
        "$base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:` "
        "custom<PointerType>(type($base)) `,` custom<DescriptorType>(type($result))"
    )
    format_directives: ClassVar[dict[str, Any]] = BARE_TYPES
    text_stands_alone: ClassVar[bool] = True
    traits = (Pure(), SameVariadicOperandSize(), TENSOR_SIZE)


class DescriptorLoadOp(TritonOp, name="tt.descriptor_load"):
    """Reads the block of a descriptor's tensor whose first element is at `indices`. Elements outside of the
    tensor are the padding of the descriptor.
    """

    desc: Value = operand_def(tt_constraints.DESCRIPTOR, DESC_DOC)
    indices: tuple[Value, ...] = variadic_operand_def(tt_constraints.I32, INDICES_DOC)
    cachePolicy: Attribute | None = optional_attr_def(CACHE_POLICY, CACHE_DOC)
    result: Value = result_def(tt_constraints.TENSOR, "The block.")
    assembly_format = "$desc `[` $indices `]` attr-dict `:` qualified(type($desc)) `->` type($result)"
    traits = (TENSOR_SIZE,)

    def verify_(self) -> None:
        check_cache_policy(self.cachePolicy, LOAD)
        check_block(self.desc, self.result)


class DescriptorStoreOp(TritonOp, name="tt.descriptor_store"):
    """Writes a block to a descriptor's tensor, with its first element at `indices`. Elements outside of the
    tensor are dropped.
    """

    desc: Value = operand_def(tt_constraints.DESCRIPTOR, DESC_DOC)
    src: Value = operand_def(tt_constraints.TENSOR, "The block.")
    indices: tuple[Value, ...] = variadic_operand_def(tt_constraints.I32, INDICES_DOC)
    assembly_format = "$desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)"
    traits = (WritesMemory(), TENSOR_SIZE)

    def verify_(self) -> None:
        check_block(self.desc, self.src)


class DescriptorReduceOp(TritonOp, name="tt.descriptor_reduce"):
    """Combines a block with elements of a descriptor's tensor, from `indices` on, each of them atomically by
    `kind`. Elements outside of the tensor are dropped.
    """

    kind_: DescriptorReduceKind = attr_def(DESCRIPTOR_REDUCE_KIND, "How old and new elements are combined.")
    desc: Value = operand_def(tt_constraints.DESCRIPTOR, DESC_DOC)
    src: Value = operand_def(tt_constraints.TENSOR, "The block.")
    indices: tuple[Value, ...] = variadic_operand_def(tt_constraints.I32, INDICES_DOC)
    assembly_format = (
        "$kind `,` $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)"
    )
    traits = (WritesMemory(), TENSOR_SIZE)

    def verify_(self) -> None:
        check_block(self.desc, self.src)


class DescriptorGatherOp(TritonOp, name="tt.descriptor_gather"):
    """Reads rows of a descriptor's tensor of rank 2: each has an index of its own, in `x_offsets`, and all
    begin at the column `y_offset`.
    """

    desc: Value = operand_def(tt_constraints.DESCRIPTOR, "The descriptor; its blocks have one row.")
    x_offsets: Value = operand_def(tt_constraints.OFFSETS, ROWS_DOC)
    y_offset: Value = operand_def(tt_constraints.I32, COLUMN_DOC)
    result: Value = result_def(tt_constraints.TENSOR, "The rows.")
    assembly_format = (
        "$desc `[` $x_offsets `,` $y_offset `]` attr-dict `:` functional-type(operands, results)"
    )
    traits = (TENSOR_SIZE,)

    def verify_(self) -> None:
        check_rows(self.desc, self.result, self.x_offsets)


class DescriptorScatterOp(TritonOp, name="tt.descriptor_scatter"):
    """Writes rows of a descriptor's tensor of rank 2: each has an index of its own, in `x_offsets`, and all
    begin at the column `y_offset`.
    """

    desc: Value = operand_def(tt_constraints.DESCRIPTOR, "The descriptor; its blocks have one row.")
    x_offsets: Value = operand_def(tt_constraints.OFFSETS, ROWS_DOC)
    y_offset: Value = operand_def(tt_constraints.I32, COLUMN_DOC)
    src: Value = operand_def(tt_constraints.TENSOR, "The rows.")
    assembly_format = "$desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)"
    traits = (WritesMemory(), TENSOR_SIZE)

    def verify_(self) -> None:
        check_rows(self.desc, self.src, self.x_offsets)


OPERATIONS = (
    MakeTensorDescOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    DescriptorReduceOp,
    DescriptorGatherOp,
    DescriptorScatterOp,
)
