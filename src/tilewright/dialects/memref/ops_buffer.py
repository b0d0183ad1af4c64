"""Operations that allocate, free, copy and query buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.common import base, functions, traits as common_traits
from tilewright.dialects.memref import constraints as memref_constraints, rules as memref_rules
from tilewright.dialects.memref.base import MetadataResultOp, NamedResultOp, SameTypesOp
from tilewright.dialects.memref.kinds import MEMREF_TYPE, POSITIVE, POWER_OF_TWO
from tilewright.dialects.memref.syntax_buffer import GLOBALS, parse_scope, print_scope
from tilewright.ir import block as ir_block, builtin_types
from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration import attribute_kind, fields, traits as ir_traits
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import hooks, parser as text_parser, printer as text_printer

ALIGNMENT_DOC = "The alignment in bytes, a power of two."
MEMREF_DOC = "The buffer."
RESULT_DOC = "The result."
RESULTS_DOC = "The results."


class AllocOp(NamedResultOp, name="memref.alloc"):
    """Allocates memory on the heap for a buffer of the result type. `dynamicSizes` has a size for each
    dynamic extent, `symbolOperands` a value for each symbol of the layout, or for each dynamic stride and
    offset of a strided one; the address is a multiple of `alignment` bytes.
    """

    dynamicSizes: tuple[Value, ...] = fields.variadic_operand_def(
        memref_constraints.INDEX, "One size per unknown extent.", default=()
    )
    symbolOperands: tuple[Value, ...] = fields.variadic_operand_def(
        memref_constraints.INDEX, "One value per symbol of the layout.", default=()
    )
    alignment: int | None = fields.optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    memref: Value = fields.result_def(memref_constraints.MEMREF, MEMREF_DOC)
    result_hint = "alloc"
    assembly_format = "`(`$dynamicSizes`)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)"

    def verify_(self) -> None:
        memref_rules.check_allocation(self)


class AllocaOp(NamedResultOp, name="memref.alloca"):
    """Allocates memory for a buffer of the result type on the stack of the enclosing function or scope.
    `dynamicSizes` has a size for each dynamic extent, `symbolOperands` a value for each symbol of the layout,
    or for each dynamic stride and offset of a strided one; the address is a multiple of `alignment` bytes.
    """

    dynamicSizes: tuple[Value, ...] = fields.variadic_operand_def(
        memref_constraints.INDEX, "One size per unknown extent.", default=()
    )
    symbolOperands: tuple[Value, ...] = fields.variadic_operand_def(
        memref_constraints.INDEX, "One value per symbol of the layout.", default=()
    )
    alignment: int | None = fields.optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    memref: Value = fields.result_def(memref_constraints.MEMREF, MEMREF_DOC)
    result_hint = "alloca"
    assembly_format = "`(`$dynamicSizes`)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)"

    def verify_(self) -> None:
        memref_rules.check_stack_allocation(self)


class AllocaScopeOp(base.StandardOp, name="memref.alloca_scope"):
    """Executes its region once; the stack memory allocated inside is freed at its end. The results are the
    operands of `alloca_scope.return`.
    """

    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, RESULTS_DOC)
    bodyRegion: ir_block.Region = fields.region_def("The code.")
    traits = (
        common_traits.AutomaticAllocationScope(),
        common_traits.SingleBlockImplicitTerminator("memref.alloca_scope.return"),
        ir_traits.RecursiveMemoryEffects(),
        common_traits.NoEntryBlockArguments(),
    )

    def print_custom(self, printer: text_printer.Printer) -> None:
        print_scope(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        return parse_scope(cls.op_kind, parser)


class AllocaScopeReturnOp(base.StandardOp, name="memref.alloca_scope.return"):
    """Ends an `alloca_scope` with its results."""

    results_: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, RESULTS_DOC, default=())
    assembly_format = "attr-dict ($results^ `:` type($results))?"
    traits = (
        ir_traits.Pure(),
        ir_traits.HasParent("memref.alloca_scope"),
        common_traits.ReturnLike(),
    )


class DeallocOp(base.StandardOp, name="memref.dealloc"):
    """Frees memory on the heap."""

    memref: Value = fields.operand_def(memref_constraints.ANY_MEMREF, MEMREF_DOC)
    assembly_format = "$memref attr-dict `:` type($memref)"


class ReallocOp(base.StandardOp, name="memref.realloc"):
    """Changes the size of an allocation of rank 1 to the extent of the result, or to `dynamicResultSize` if
    this extent is dynamic. The source must not be used afterwards.
    """

    source: Value = fields.operand_def(memref_constraints.VECTOR_MEMREF, MEMREF_DOC)
    dynamicResultSize: Value | None = fields.optional_operand_def(
        memref_constraints.INDEX, "The new size where the type does not tell it.", default=None
    )
    alignment: int | None = fields.optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    result: Value = fields.result_def(memref_constraints.VECTOR_MEMREF, RESULT_DOC)
    assembly_format = "$source (`(` $dynamicResultSize^ `)`)? attr-dict `:` type($source) `to` type(results)"

    def verify_(self) -> None:
        memref_rules.check_reallocation(self)


class CopyOp(base.StandardOp, name="memref.copy"):
    """Copies all elements of a buffer to another one."""

    source: Value = fields.operand_def(memref_constraints.ANY_MEMREF, MEMREF_DOC)
    target: Value = fields.operand_def(memref_constraints.ANY_MEMREF, "The buffer to write.")
    assembly_format = "$source `,` $target attr-dict `:` type($source) `to` type($target)"
    traits = (
        common_traits.SameOperandsElementType(),
        ir_traits.SameOperandsShape(),
    )


class GlobalOp(memref_rules.MemRefGlobalRole, name="memref.global"):
    """A buffer of static shape that operations refer to by name. `initial_value` has its elements, or is a
    unit attribute for an uninitialised buffer; without it the buffer is defined elsewhere.
    """

    sym_name: str = fields.attr_def(attribute_kind.SymbolNameKind(), "The name of the buffer.")
    type: builtin_types.MemRefType = fields.attr_def(MEMREF_TYPE, "The type of the buffer.")
    sym_visibility: str | None = fields.optional_attr_def(
        attribute_kind.StringKind(), "The visibility of the buffer's name.", default=None
    )
    initial_value: Attribute | None = fields.optional_attr_def(
        attribute_kind.AttributeKind(),
        "The initial elements, or unit for none yet; absent when it is defined elsewhere.",
        default=None,
    )
    constant: bool = fields.flag_def("Whether the buffer never changes.", default=False)
    alignment: int | None = fields.optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    format_directives: ClassVar[dict[str, Any]] = GLOBALS
    assembly_format = (
        "($sym_visibility^)? (`constant` $constant^)? $sym_name `:` "
        "custom<GlobalMemrefOpTypeAndInitialValue>($type, $initial_value) attr-dict"
    )
    traits = (common_traits.SymbolWithVisibility(),)

    def verify_(self) -> None:
        memref_rules.check_global(self)


class GetGlobalOp(base.StandardOp, name="memref.get_global"):
    """Returns the global buffer with a given name."""

    name_: str = fields.attr_def(attribute_kind.SymbolRefKind(), "The name of the buffer.")
    result: Value = fields.result_def(memref_constraints.STATIC_MEMREF, RESULT_DOC)
    assembly_format = "$name `:` type($result) attr-dict"
    traits = (
        ir_traits.Pure(),
        functions.VerifiesSymbolUses(),
    )

    def verify_symbol_uses(self, symbols: functions.Symbols) -> None:
        """Raise `VerifyError` unless the symbol is a global buffer of this type."""
        memref_rules.check_get_global(self, symbols)


class DimOp(NamedResultOp, name="memref.dim"):
    """Returns the extent of the dimension `index` of a buffer. A dimension beyond the rank is undefined
    behaviour.
    """

    source: Value = fields.operand_def(memref_constraints.RANKED_OR_UNRANKED, MEMREF_DOC)
    index: Value = fields.operand_def(memref_constraints.INDEX, "Which dimension.")
    result: Value = fields.result_def(memref_constraints.INDEX, RESULT_DOC)
    result_hint = "dim"
    assembly_format = "attr-dict $source `,` $index `:` type($source)"
    traits = (ir_traits.NoMemoryEffect(),)


class RankOp(base.StandardOp, name="memref.rank"):
    """Returns the number of dimensions."""

    memref: Value = fields.operand_def(memref_constraints.ANY_MEMREF, MEMREF_DOC)
    result: Value = fields.result_def(memref_constraints.INDEX, RESULT_DOC)
    assembly_format = "$memref attr-dict `:` type($memref)"
    traits = (ir_traits.Pure(),)


class AssumeAlignmentOp(NamedResultOp, base.SameTypeOp, name="memref.assume_alignment"):
    """Returns the buffer with the assumption that its address is a multiple of `alignment` bytes."""

    memref: Value = fields.operand_def(memref_constraints.MEMREF, MEMREF_DOC)
    alignment: int = fields.attr_def(POSITIVE, ALIGNMENT_DOC)
    result: Value = fields.result_def(memref_constraints.MEMREF, RESULT_DOC)
    result_hint = "assume_align"
    assembly_format = "$memref `,` $alignment attr-dict `:` type($memref)"
    traits = (
        ir_traits.Pure(),
        common_traits.SameOperandsAndResultType(),
    )

    def verify_(self) -> None:
        memref_rules.check_alignment(self)


class DistinctObjectsOp(SameTypesOp, name="memref.distinct_objects"):
    """Returns the buffers with the assumption that they do not overlap."""

    operands_: tuple[Value, ...] = fields.variadic_operand_def(
        memref_constraints.MEMREF, "The buffers.", default=()
    )
    results_: tuple[Value, ...] = fields.variadic_result_def(memref_constraints.MEMREF, RESULTS_DOC)
    assembly_format = "$operands attr-dict `:` type($operands)"
    traits = (ir_traits.Pure(),)

    def verify_(self) -> None:
        memref_rules.check_distinct(self)


class ExtractStridedMetadataOp(MetadataResultOp, name="memref.extract_strided_metadata"):
    """Returns the base buffer of a memref, the offset, and a size and a stride for each dimension."""

    source: Value = fields.operand_def(memref_constraints.STRIDED_MEMREF, MEMREF_DOC)
    base_buffer: Value = fields.result_def(
        memref_constraints.STRIDED_SCALAR_MEMREF, "The buffer without shape."
    )
    offset: Value = fields.result_def(memref_constraints.INDEX, "The offset in elements.")
    sizes: tuple[Value, ...] = fields.variadic_result_def(
        memref_constraints.INDEX, "The size of each dimension."
    )
    strides: tuple[Value, ...] = fields.variadic_result_def(
        memref_constraints.INDEX, "The stride of each dimension, in elements."
    )
    assembly_format = "$source `:` type($source) `->` type(results) attr-dict"
    traits = (ir_traits.Pure(), ir_traits.SameVariadicResultSize())

    def verify_(self) -> None:
        common_traits.check_inferred(self)


class ExtractAlignedPointerAsIndexOp(NamedResultOp, name="memref.extract_aligned_pointer_as_index"):
    """Returns the aligned address of a buffer as an index."""

    source: Value = fields.operand_def(memref_constraints.ANY_MEMREF, MEMREF_DOC)
    aligned_pointer: Value = fields.result_def(memref_constraints.INDEX, "The address.")
    result_hint = "intptr"
    assembly_format = "$source `:` type($source) `->` type(results) attr-dict"
    traits = (ir_traits.Pure(),)


OPERATIONS: tuple[type[Operation], ...] = (
    AllocOp,
    AllocaOp,
    AllocaScopeOp,
    AllocaScopeReturnOp,
    DeallocOp,
    ReallocOp,
    CopyOp,
    GlobalOp,
    GetGlobalOp,
    DimOp,
    RankOp,
    AssumeAlignmentOp,
    DistinctObjectsOp,
    ExtractStridedMetadataOp,
    ExtractAlignedPointerAsIndexOp,
)
"""The operations of this module."""
