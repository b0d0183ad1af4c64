"""Making, taking apart and copying buffers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.common.base import SameTypeOp, StandardOp
from tilewright.dialects.common.functions import Symbols, VerifiesSymbolUses
from tilewright.dialects.common.traits import (
    AutomaticAllocationScope,
    NoEntryBlockArguments,
    ReturnLike,
    SameOperandsAndResultType,
    SameOperandsElementType,
    SingleBlockImplicitTerminator,
    SymbolWithVisibility,
    check_inferred,
)
from tilewright.dialects.memref.base import MetadataResultOp, NamedResultOp, SameTypesOp
from tilewright.dialects.memref.constraints import (
    ANY_MEMREF,
    INDEX,
    MEMREF,
    RANKED_OR_UNRANKED,
    STATIC_MEMREF,
    STRIDED_MEMREF,
    STRIDED_SCALAR_MEMREF,
    VECTOR_MEMREF,
)
from tilewright.dialects.memref.kinds import MEMREF_TYPE, POSITIVE, POWER_OF_TWO
from tilewright.dialects.memref.rules import (
    MemRefGlobalRole,
    check_alignment,
    check_allocation,
    check_distinct,
    check_get_global,
    check_global,
    check_reallocation,
    check_stack_allocation,
)
from tilewright.dialects.memref.syntax_buffer import GLOBALS, parse_scope, print_scope
from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import MemRefType
from tilewright.ir.declaration.attribute_kind import AttributeKind, StringKind, SymbolNameKind, SymbolRefKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.declaration.fields import (
    attr_def,
    flag_def,
    operand_def,
    optional_attr_def,
    optional_operand_def,
    region_def,
    result_def,
    variadic_operand_def,
    variadic_result_def,
)
from tilewright.ir.declaration.traits import (
    HasParent,
    NoMemoryEffect,
    Pure,
    RecursiveMemoryEffects,
    SameOperandsShape,
    SameVariadicResultSize,
)
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text.hooks import CustomParse
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

ALIGNMENT_DOC = "The alignment in bytes, a power of two."
MEMREF_DOC = "The buffer."
RESULT_DOC = "The result."
RESULTS_DOC = "The results."


class AllocOp(NamedResultOp, name="memref.alloc"):
    """Allocates memory on the heap."""

    dynamicSizes: tuple[Value, ...] = variadic_operand_def(INDEX, "One size per unknown extent.", default=())
    symbolOperands: tuple[Value, ...] = variadic_operand_def(
        INDEX, "One value per symbol of the layout.", default=()
    )
    alignment: int | None = optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    memref: Value = result_def(MEMREF, MEMREF_DOC)
    result_hint = "alloc"
    assembly_format = "`(`$dynamicSizes`)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)"

    def verify_(self) -> None:
        check_allocation(self)


class AllocaOp(NamedResultOp, name="memref.alloca"):
    """Allocates memory on the stack of the enclosing function or scope."""

    dynamicSizes: tuple[Value, ...] = variadic_operand_def(INDEX, "One size per unknown extent.", default=())
    symbolOperands: tuple[Value, ...] = variadic_operand_def(
        INDEX, "One value per symbol of the layout.", default=()
    )
    alignment: int | None = optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    memref: Value = result_def(MEMREF, MEMREF_DOC)
    result_hint = "alloca"
    assembly_format = "`(`$dynamicSizes`)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)"

    def verify_(self) -> None:
        check_stack_allocation(self)


class AllocaScopeOp(StandardOp, name="memref.alloca_scope"):
    """A region at whose end its stack memory is freed."""

    results_: tuple[Value, ...] = variadic_result_def(ANY_TYPE, RESULTS_DOC)
    bodyRegion: Region = region_def("The code.")
    traits = (
        AutomaticAllocationScope(),
        SingleBlockImplicitTerminator("memref.alloca_scope.return"),
        RecursiveMemoryEffects(),
        NoEntryBlockArguments(),
    )

    def print_custom(self, printer: Printer) -> None:
        print_scope(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> CustomParse:
        return parse_scope(cls.op_kind, parser)


class AllocaScopeReturnOp(StandardOp, name="memref.alloca_scope.return"):
    """Ends an `alloca_scope` with its results."""

    results_: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, RESULTS_DOC, default=())
    assembly_format = "attr-dict ($results^ `:` type($results))?"
    traits = (
        Pure(),
        HasParent("memref.alloca_scope"),
        ReturnLike(),
    )


class DeallocOp(StandardOp, name="memref.dealloc"):
    """Frees memory on the heap."""

    memref: Value = operand_def(ANY_MEMREF, MEMREF_DOC)
    assembly_format = "$memref attr-dict `:` type($memref)"


class ReallocOp(StandardOp, name="memref.realloc"):
    """Changes the size of an allocation; the source must not be used any more."""

    source: Value = operand_def(VECTOR_MEMREF, MEMREF_DOC)
    dynamicResultSize: Value | None = optional_operand_def(
        INDEX, "The new size where the type does not tell it.", default=None
    )
    alignment: int | None = optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    result: Value = result_def(VECTOR_MEMREF, RESULT_DOC)
    assembly_format = "$source (`(` $dynamicResultSize^ `)`)? attr-dict `:` type($source) `to` type(results)"

    def verify_(self) -> None:
        check_reallocation(self)


class CopyOp(StandardOp, name="memref.copy"):
    """Copies all elements of a buffer to another one."""

    source: Value = operand_def(ANY_MEMREF, MEMREF_DOC)
    target: Value = operand_def(ANY_MEMREF, "The buffer to write.")
    assembly_format = "$source `,` $target attr-dict `:` type($source) `to` type($target)"
    traits = (
        SameOperandsElementType(),
        SameOperandsShape(),
    )


class GlobalOp(MemRefGlobalRole, name="memref.global"):
    """A buffer with a name."""

    sym_name: str = attr_def(SymbolNameKind(), "The name of the buffer.")
    type: MemRefType = attr_def(MEMREF_TYPE, "The type of the buffer.")
    sym_visibility: str | None = optional_attr_def(
        StringKind(), "The visibility of the buffer's name.", default=None
    )
    initial_value: Attribute | None = optional_attr_def(
        AttributeKind(),
        "The initial elements, or unit for none yet; absent when it is defined elsewhere.",
        default=None,
    )
    constant: bool = flag_def("Whether the buffer never changes.", default=False)
    alignment: int | None = optional_attr_def(POWER_OF_TWO, ALIGNMENT_DOC, default=None)
    format_directives: ClassVar[dict[str, Any]] = GLOBALS
    assembly_format = (
        "($sym_visibility^)? (`constant` $constant^)? $sym_name `:` "
        "custom<GlobalMemrefOpTypeAndInitialValue>($type, $initial_value) attr-dict"
    )
    traits = (SymbolWithVisibility(),)

    def verify_(self) -> None:
        check_global(self)


class GetGlobalOp(StandardOp, name="memref.get_global"):
    """The buffer with a name."""

    name_: str = attr_def(SymbolRefKind(), "The name of the buffer.")
    result: Value = result_def(STATIC_MEMREF, RESULT_DOC)
    assembly_format = "$name `:` type($result) attr-dict"
    traits = (
        Pure(),
        VerifiesSymbolUses(),
    )

    def verify_symbol_uses(self, symbols: Symbols) -> None:
        """Raise `VerifyError` unless the symbol is a global buffer of this type."""
        check_get_global(self, symbols)


class DimOp(NamedResultOp, name="memref.dim"):
    """The extent of a dimension."""

    source: Value = operand_def(RANKED_OR_UNRANKED, MEMREF_DOC)
    index: Value = operand_def(INDEX, "Which dimension.")
    result: Value = result_def(INDEX, RESULT_DOC)
    result_hint = "dim"
    assembly_format = "attr-dict $source `,` $index `:` type($source)"
    traits = (NoMemoryEffect(),)


class RankOp(StandardOp, name="memref.rank"):
    """The number of dimensions."""

    memref: Value = operand_def(ANY_MEMREF, MEMREF_DOC)
    result: Value = result_def(INDEX, RESULT_DOC)
    assembly_format = "$memref attr-dict `:` type($memref)"
    traits = (Pure(),)


class AssumeAlignmentOp(NamedResultOp, SameTypeOp, name="memref.assume_alignment"):
    """Returns the buffer with the assumption that its address is aligned."""

    memref: Value = operand_def(MEMREF, MEMREF_DOC)
    alignment: int = attr_def(POSITIVE, ALIGNMENT_DOC)
    result: Value = result_def(MEMREF, RESULT_DOC)
    result_hint = "assume_align"
    assembly_format = "$memref `,` $alignment attr-dict `:` type($memref)"
    traits = (
        Pure(),
        SameOperandsAndResultType(),
    )

    def verify_(self) -> None:
        check_alignment(self)


class DistinctObjectsOp(SameTypesOp, name="memref.distinct_objects"):
    """Returns the buffers with the assumption that they do not overlap."""

    operands_: tuple[Value, ...] = variadic_operand_def(MEMREF, "The buffers.", default=())
    results_: tuple[Value, ...] = variadic_result_def(MEMREF, RESULTS_DOC)
    assembly_format = "$operands attr-dict `:` type($operands)"
    traits = (Pure(),)

    def verify_(self) -> None:
        check_distinct(self)


class ExtractStridedMetadataOp(MetadataResultOp, name="memref.extract_strided_metadata"):
    """Takes a memref apart: base buffer, offset, and a size and a stride for each dimension."""

    source: Value = operand_def(STRIDED_MEMREF, MEMREF_DOC)
    base_buffer: Value = result_def(STRIDED_SCALAR_MEMREF, "The buffer without shape.")
    offset: Value = result_def(INDEX, "The offset in elements.")
    sizes: tuple[Value, ...] = variadic_result_def(INDEX, "The size of each dimension.")
    strides: tuple[Value, ...] = variadic_result_def(INDEX, "The stride of each dimension, in elements.")
    assembly_format = "$source `:` type($source) `->` type(results) attr-dict"
    traits = (Pure(), SameVariadicResultSize())

    def verify_(self) -> None:
        check_inferred(self)


class ExtractAlignedPointerAsIndexOp(NamedResultOp, name="memref.extract_aligned_pointer_as_index"):
    """The aligned address as a number."""

    source: Value = operand_def(ANY_MEMREF, MEMREF_DOC)
    aligned_pointer: Value = result_def(INDEX, "The address.")
    result_hint = "intptr"
    assembly_format = "$source `:` type($source) `->` type(results) attr-dict"
    traits = (Pure(),)


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
