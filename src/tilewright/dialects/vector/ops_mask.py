"""Operations that make and apply masks, and printing."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tilewright.dialects.common import base, constraints, traits as common_traits
from tilewright.dialects.vector import base as vector_base, enums as vector_enums, syntax_mask
from tilewright.dialects.vector.constraints import INDEX, MASK, PRINTABLE
from tilewright.dialects.vector.rules_shape import extents, require
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import i64
from tilewright.ir.declaration import fields, traits as ir_traits
from tilewright.ir.declaration.attribute_kind import DenseArrayKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import hooks, parser as text_parser, printer as text_printer


def prints_one_thing(op: Operation) -> bool:
    """Return whether a `vector.print` has at most one of a string and a value, as its trait demands; also
    True if it has neither.
    """
    printed = cast("PrintOp", op)
    return printed.stringLiteral is None or printed.source is None


def check_create_mask(op: Operation) -> None:
    """Raise `VerifyError` unless a mask has one operand per dimension, its bound; a mask of rank 0 has one
    operand, too.
    """
    count = max(len(constraints.checked_type(op.results[0]).shape), 1)
    require(len(op.operands) == count, "must specify an operand for each result vector dimension")


def check_constant_mask(op: ConstantMaskOp) -> None:
    """Raise `VerifyError` unless a mask has one bound per dimension, from 0 to the extent, and either no or
    every bound is 0.

    A bound of a scalable dimension is 0 or the extent. A mask of rank 0 has one bound, 0 or 1.
    """
    sizes, vector = op.mask_dim_sizes, constraints.checked_type(op.results[0])
    if not vector.shape:
        require(len(sizes) == 1, "array attr must have length 1 for 0-D vectors")
        require(sizes[0] in (0, 1), "mask dim size must be either 0 or 1 for 0-D vectors")
        return
    words = "must specify array attr of size equal vector result rank"
    require(len(sizes) == len(vector.shape), words)
    for size, (extent, scales) in zip(sizes, extents(vector), strict=True):
        words = "array attr of size out of bounds of vector result dimension size"
        require(0 <= size <= extent, words)
        words = "only supports 'none set' or 'all set' scalable dimensions"
        require(not scales or size in (0, extent), words)
    words = "expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim"
    require(0 not in sizes or not any(sizes), words)


class CreateMaskOp(base.StandardOp, name="vector.create_mask"):
    """A mask whose bits are true where the index in each dimension is below the bound of that dimension."""

    operands_: tuple[Value, ...] = fields.variadic_operand_def(INDEX, "The values.", default=())
    result: Value = fields.result_def(MASK, "The result.")
    assembly_format = "$operands attr-dict `:` type(results)"
    traits = (ir_traits.Pure(),)

    def verify_(self) -> None:
        check_create_mask(self)


class ConstantMaskOp(base.StandardOp, name="vector.constant_mask"):
    """A mask whose bits are true where the index in each dimension is below the constant bound of that
    dimension.
    """

    mask_dim_sizes: tuple[int, ...] = fields.attr_def(DenseArrayKind(i64), "The bound of each dimension.")
    result: Value = fields.result_def(MASK, "The result.")
    assembly_format = "$mask_dim_sizes attr-dict `:` type(results)"
    traits = (ir_traits.Pure(),)

    def verify_(self) -> None:
        check_constant_mask(self)


class MaskOp(base.StandardOp, name="vector.mask"):
    """Executes the operation in its region under a mask. The results of masked-off elements are `passthru`,
    or unspecified without it.
    """

    mask: Value = fields.operand_def(MASK, "The mask of the elements that take part.")
    passthru: Value | None = fields.optional_operand_def(
        ANY_TYPE, "The values of masked-off elements.", default=None
    )
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, "The results.")
    maskRegion: Region = fields.region_def("The operation.")
    traits = (
        common_traits.SingleBlockImplicitTerminator("vector.yield"),
        ir_traits.RecursiveMemoryEffects(),
        common_traits.NoEntryBlockArguments(),
    )

    def print_custom(self, printer: text_printer.Printer) -> None:
        syntax_mask.print_mask(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return syntax_mask.parse_mask(cls.op_kind, parser)


class YieldOp(vector_base.VectorYieldRole, name="vector.yield"):
    """Ends a region with its results."""

    operands_: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The values.", default=())
    assembly_format = "attr-dict ($operands^ `:` type($operands))?"
    traits = (
        ir_traits.Pure(),
        common_traits.ReturnLike(),
    )


class PrintOp(base.StandardOp, name="vector.print"):
    """Prints the value `source`, or the text `stringLiteral` instead, to standard output, and then
    `punctuation`, by default a line feed.
    """

    source: Value | None = fields.optional_operand_def(PRINTABLE, "The value.", default=None)
    punctuation: vector_enums.PrintPunctuation = fields.attr_def(
        vector_base.PUNCTUATION, "The text after the value.", default=vector_enums.PrintPunctuation.NEW_LINE
    )
    stringLiteral: str | None = fields.optional_attr_def(
        vector_base.LITERAL, "A text to print instead of a value.", default=None
    )
    assembly_format = (
        "($source^ `:` type($source))? oilist( `str` $stringLiteral | `punctuation` $punctuation) attr-dict"
    )
    traits = (
        common_traits.PredicateTrait(
            "`source` or `punctuation` are not set when printing strings", prints_one_thing
        ),
    )


OPERATIONS: tuple[type[Operation], ...] = (
    CreateMaskOp,
    ConstantMaskOp,
    MaskOp,
    YieldOp,
    PrintOp,
)
"""The operations of this module."""
