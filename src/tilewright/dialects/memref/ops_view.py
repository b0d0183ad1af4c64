"""Operations that view the same memory with another type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.common.operand_lists import INDEX_LISTS
from tilewright.dialects.memref import base as memref_base, constraints as memref_constraints, rules_view
from tilewright.dialects.memref.kinds import AFFINE_MAP, GROUPS
from tilewright.ir.arithmetic.affine import AffineMapAttr
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_types import i64
from tilewright.ir.declaration.attribute_kind import DenseArrayKind
from tilewright.ir.declaration.fields import attr_def, operand_def, result_def, variadic_operand_def
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.declaration.traits import Pure, SameOperandsAndResultElementType
from tilewright.ir.operation import Operation
from tilewright.ir.text import affine_parser
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer


def print_transpose(op: TransposeOp, printer: text_printer.Printer) -> None:
    """Print `` %buffer (d0, d1) -> (d1, d0) : type to type``."""
    printer.write(" ")
    printer.print_value(op.in_)
    printer.write(f" {op.permutation.map}")
    printer.print_attribute_dictionary(op.held_attributes, elided=("permutation",))
    printer.write(" : ")
    printer.print_type(op.in_.type)
    printer.write(" to ")
    printer.print_type(op.result.type)


def parse_transpose(kind: OperationKind, parser: text_parser.Parser) -> Operation:
    """Parse ``%buffer (d0, d1) -> (d1, d0) : type to type``, and return the operation of ``kind``. An
    attribute dictionary may precede the types. Raises `ParseError` for other text.
    """
    use = parser.parse_operand()
    attributes: dict[str, Attribute] = {"permutation": AffineMapAttr(affine_parser.parse_map_body(parser))}
    attributes |= parser.optional_attribute_dictionary()
    operand = parser.resolve(use, parser.parse_colon_type())
    if not parser.accept_keyword("to"):
        raise parser.unexpected("'to'")
    return Operation.from_parts(kind, [operand], [parser.parse_type()], attributes)


SOURCE_DOC = "The buffer."
RESULT_DOC = "The result."
REASSOCIATION_DOC = "The dimensions of the longer shape that make up each dimension of the shorter one."


class CastOp(memref_base.NamedResultOp, name="memref.cast"):
    """Returns the buffer with a type that makes extents, strides, offset or rank dynamic or static; static
    ones must hold at run time.
    """

    source: Value = operand_def(memref_constraints.ANY_MEMREF, SOURCE_DOC)
    dest: Value = result_def(memref_constraints.ANY_MEMREF, "The buffer with its other type.")
    result_hint = "cast"
    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"
    traits = (Pure(),)

    def verify_(self) -> None:
        rules_view.check_cast(self)


class MemorySpaceCastOp(memref_base.NamedResultOp, name="memref.memory_space_cast"):
    """Returns the buffer in another memory space."""

    source: Value = operand_def(memref_constraints.ANY_MEMREF, SOURCE_DOC)
    dest: Value = result_def(memref_constraints.ANY_MEMREF, "The buffer with its other type.")
    result_hint = "memspacecast"
    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"
    traits = (
        Pure(),
        SameOperandsAndResultElementType(),
    )

    def verify_(self) -> None:
        rules_view.check_space_cast(self)


class SubViewOp(memref_base.SliceResultOp, name="memref.subview"):
    """Returns a slice of a buffer, given by an offset, size and stride for each dimension. Each number is
    constant, in the static list, or an operand, which the static list marks as `DYNAMIC`. The result may lack
    dimensions of extent 1.
    """

    source: Value = operand_def(memref_constraints.MEMREF, SOURCE_DOC)
    static_offsets: tuple[int, ...] = attr_def(DenseArrayKind(i64), "All offsets; unknown ones are operands.")
    static_sizes: tuple[int, ...] = attr_def(DenseArrayKind(i64), "All sizes; unknown ones are operands.")
    static_strides: tuple[int, ...] = attr_def(DenseArrayKind(i64), "All strides; unknown ones are operands.")
    offsets: tuple[Value, ...] = variadic_operand_def(
        memref_constraints.INDEX, "The offsets that are not constants.", default=()
    )
    sizes: tuple[Value, ...] = variadic_operand_def(
        memref_constraints.INDEX, "The sizes that are not constants.", default=()
    )
    strides: tuple[Value, ...] = variadic_operand_def(
        memref_constraints.INDEX, "The strides that are not constants.", default=()
    )
    result: Value = result_def(memref_constraints.MEMREF, RESULT_DOC)
    result_hint = "subview"
    format_directives: ClassVar[dict[str, Any]] = INDEX_LISTS
    assembly_format = (
        "$source `` custom<DynamicIndexList>($offsets, $static_offsets) "
        "custom<DynamicIndexList>($sizes, $static_sizes) custom<DynamicIndexList>($strides, "
        "$static_strides) attr-dict `:` type($source) `to` type($result)"
    )
    traits = (Pure(),)

    def verify_(self) -> None:
        rules_view.check_subview(self)


class ViewOp(memref_base.NamedResultOp, name="memref.view"):
    """Returns a contiguous buffer of the result type inside a buffer of bytes, from the offset of
    `byte_shift` bytes on; `sizes` has its dynamic extents.
    """

    source: Value = operand_def(memref_constraints.BYTES, SOURCE_DOC)
    byte_shift: Value = operand_def(memref_constraints.INDEX, "Where the buffer begins, in bytes.")
    sizes: tuple[Value, ...] = variadic_operand_def(
        memref_constraints.INDEX, "One size per unknown extent.", default=()
    )
    result: Value = result_def(memref_constraints.MEMREF, RESULT_DOC)
    result_hint = "view"
    assembly_format = (
        "$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` type(results)"
    )
    traits = (Pure(),)

    def verify_(self) -> None:
        rules_view.check_view(self)


class ReinterpretCastOp(memref_base.NamedResultOp, name="memref.reinterpret_cast"):
    """Returns the memory of a buffer as a buffer with another offset, sizes and strides. Each number is
    constant, in the static list, or an operand, which the static list marks as `DYNAMIC`.
    """

    source: Value = operand_def(memref_constraints.ANY_MEMREF, SOURCE_DOC)
    static_offsets: tuple[int, ...] = attr_def(DenseArrayKind(i64), "All offsets; unknown ones are operands.")
    static_sizes: tuple[int, ...] = attr_def(DenseArrayKind(i64), "All sizes; unknown ones are operands.")
    static_strides: tuple[int, ...] = attr_def(DenseArrayKind(i64), "All strides; unknown ones are operands.")
    offsets: tuple[Value, ...] = variadic_operand_def(
        memref_constraints.INDEX, "The offsets that are not constants.", default=()
    )
    sizes: tuple[Value, ...] = variadic_operand_def(
        memref_constraints.INDEX, "The sizes that are not constants.", default=()
    )
    strides: tuple[Value, ...] = variadic_operand_def(
        memref_constraints.INDEX, "The strides that are not constants.", default=()
    )
    result: Value = result_def(memref_constraints.STRIDED_MEMREF, RESULT_DOC)
    result_hint = "reinterpret_cast"
    format_directives: ClassVar[dict[str, Any]] = INDEX_LISTS
    assembly_format = (
        "$source `to` `offset` `` `:` custom<DynamicIndexList>($offsets, $static_offsets) `` `,` "
        "`sizes` `` `:` custom<DynamicIndexList>($sizes, $static_sizes) `` `,` `strides` `` `:` "
        "custom<DynamicIndexList>($strides, $static_strides) attr-dict `:` type($source) `to` "
        "type($result)"
    )
    traits = (Pure(),)

    def verify_(self) -> None:
        rules_view.check_reinterpretation(self)


class ReshapeOp(memref_base.NamedResultOp, name="memref.reshape"):
    """Returns the buffer with another shape, whose extents are the elements of the buffer `shape`. Neither
    type has a layout.
    """

    source: Value = operand_def(memref_constraints.ANY_MEMREF, SOURCE_DOC)
    shape: Value = operand_def(memref_constraints.SHAPE_MEMREF, "The shape.")
    result: Value = result_def(memref_constraints.ANY_MEMREF, RESULT_DOC)
    result_hint = "reshape"
    assembly_format = "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
    traits = (Pure(),)

    def verify_(self) -> None:
        rules_view.check_reshape(self)


class TransposeOp(memref_base.TransposeResultOp, name="memref.transpose"):
    """Returns the buffer with its dimensions permuted: the map has the dimension of the source for each
    dimension of the result.
    """

    in_: Value = operand_def(memref_constraints.STRIDED_MEMREF, SOURCE_DOC)
    permutation: AffineMapAttr = attr_def(
        AFFINE_MAP, "The dimension of the source for each dimension of the result."
    )
    result: Value = result_def(memref_constraints.STRIDED_MEMREF, RESULT_DOC)
    result_hint = "transpose"
    traits = (Pure(),)

    def verify_(self) -> None:
        rules_view.check_transpose(self)

    def print_custom(self, printer: text_printer.Printer) -> None:
        print_transpose(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> Operation:
        return parse_transpose(cls.op_kind, parser)


class ExpandShapeOp(memref_base.NamedResultOp, name="memref.expand_shape"):
    """A view of a buffer with some dimensions split: `reassociation` has for each dimension of the source the
    consecutive dimensions of the result that it is split into.
    """

    src: Value = operand_def(memref_constraints.STRIDED_MEMREF, SOURCE_DOC)
    reassociation: tuple[tuple[int, ...], ...] = attr_def(GROUPS, REASSOCIATION_DOC)
    static_output_shape: tuple[int, ...] = attr_def(
        DenseArrayKind(i64), "All extents of the result; unknown ones are operands."
    )
    output_shape: tuple[Value, ...] = variadic_operand_def(
        memref_constraints.INDEX, "The extents of the result that are not constants.", default=()
    )
    result: Value = result_def(memref_constraints.STRIDED_MEMREF, RESULT_DOC)
    result_hint = "expand_shape"
    format_directives: ClassVar[dict[str, Any]] = INDEX_LISTS
    assembly_format = (
        "$src $reassociation `output_shape` custom<DynamicIndexList>($output_shape, "
        "$static_output_shape) attr-dict `:` type($src) `into` type($result)"
    )
    traits = (Pure(),)

    def verify_(self) -> None:
        rules_view.check_expansion(self)


class CollapseShapeOp(memref_base.NamedResultOp, name="memref.collapse_shape"):
    """A view of a buffer with some dimensions merged: `reassociation` has for each dimension of the result
    the consecutive dimensions of the source that it is merged from.
    """

    src: Value = operand_def(memref_constraints.STRIDED_MEMREF, SOURCE_DOC)
    reassociation: tuple[tuple[int, ...], ...] = attr_def(GROUPS, REASSOCIATION_DOC)
    result: Value = result_def(memref_constraints.STRIDED_MEMREF, RESULT_DOC)
    result_hint = "collapse_shape"
    assembly_format = "$src $reassociation attr-dict `:` type($src) `into` type($result)"
    traits = (Pure(),)

    def verify_(self) -> None:
        rules_view.check_collapse(self)


OPERATIONS: tuple[type[Operation], ...] = (
    CastOp,
    MemorySpaceCastOp,
    SubViewOp,
    ViewOp,
    ReinterpretCastOp,
    ReshapeOp,
    TransposeOp,
    ExpandShapeOp,
    CollapseShapeOp,
)
"""The operations of this module."""
