"""Actions of `pdl_interp`: functions, loops, the recording of matches, and the operations of rewriters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.common import control_flow as common_control_flow, functions
from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.function_syntax import parse_function, print_function
from tilewright.dialects.common.kinds import DICTIONARIES, STRINGS, TYPES
from tilewright.dialects.common.traits import SymbolWithVisibility
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration import attribute_kind, fields
from tilewright.ir.declaration.traits import HasParent, IsolatedFromAbove, Pure, Terminator, VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.text import hooks
from tilewright.ir.value import Value
from tilewright.pdl.dialects.pdl import directives, ops, types as pdl_types

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

FUNCTION = "The name under which the function is registered."
Dictionaries = tuple[builtin_attributes.DictionaryAttr, ...]


class FuncOp(StandardOp, name="pdl_interp.func"):
    """Defines a function: the matcher of a module of patterns, or the rewriter of one pattern."""

    sym_name: str = fields.attr_def(attribute_kind.SymbolNameKind(), "The name of the function.")
    function_type: builtin_types.FunctionType = fields.attr_def(
        attribute_kind.TypeKind(builtin_types.FunctionType), "Argument and result types."
    )
    arg_attrs: Dictionaries | None = fields.optional_attr_def(DICTIONARIES, "Attributes of the arguments.")
    res_attrs: Dictionaries | None = fields.optional_attr_def(DICTIONARIES, "Attributes of the results.")
    body: Region = fields.region_def("The code.", single_block=False)
    traits = (SymbolWithVisibility(), IsolatedFromAbove())

    def verify_(self) -> None:
        if not self.body.blocks:
            raise VerifyError("region #0 ('body') failed to verify constraint: region with at least 1 blocks")
        functions.check_function(self)

    def print_custom(self, printer: text_printer.Printer) -> None:
        """Print the function in the custom form."""
        print_function(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        """Parse the custom form of a function."""
        return parse_function(cls, parser)


class ForEachOp(StandardOp, name="pdl_interp.foreach"):
    """Runs its region once for each element of a range, in order, then branches to a block. The region takes
    the element as its only argument. A null range has no elements.
    """

    values: Value = fields.operand_def(pdl_types.ANY_RANGE, "The range.")
    region: Region = fields.region_def(
        "Takes one element; ends an iteration with `continue`.", single_block=False
    )
    successor: Block = fields.successor_def("Where to go in the end.")
    traits = (Terminator(),)

    def verify_(self) -> None:
        arguments = common_control_flow.argument_types(self.region)
        if len(arguments) != 1:
            raise VerifyError("requires exactly one argument")
        range_type = self.values.type
        if not isinstance(range_type, pdl_types.RangeType) or range_type.element_type is not arguments[0]:
            raise VerifyError("operand must be a range of loop variable type")

    def print_custom(self, printer: text_printer.Printer) -> None:
        """Print `` %x : !pdl.value in %range { ... } -> ^block``."""
        argument = self.region.blocks[0].arguments[0]
        printer.write(" ")
        printer.print_value(argument)
        printer.write(" : ")
        printer.print_type(argument.type)
        printer.write(" in ")
        printer.print_value(self.values)
        printer.write(" ")
        printer.print_region(self.region, print_entry_arguments=False)
        printer.print_attribute_dictionary(self.attributes)
        printer.write(" -> ")
        printer.print_successor(self.successor)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> hooks.CustomParse:
        """Parse ``%x : !pdl.value in %range { ... } -> ^block``, with an optional attribute dictionary before
        the arrow.
        """
        argument = parser.parse_argument()
        if not parser.accept_keyword("in"):
            raise parser.unexpected("'in'")
        values = parser.resolve(parser.parse_operand(), pdl_types.RangeType(argument.type))
        body = yield hooks.RegionRequest([argument])
        attributes = parser.optional_attribute_dictionary()
        parser.expect("->")
        return Operation.from_parts(cls.op_kind, [values], (), attributes, [body], [parser.parse_successor()])


class ContinueOp(StandardOp, name="pdl_interp.continue"):
    """Ends an iteration of `foreach` and continues with the next element, or after the last element with the
    block after the loop.
    """

    assembly_format = "attr-dict"
    traits = (Pure(), HasParent("pdl_interp.foreach"), Terminator())


class FinalizeOp(StandardOp, name="pdl_interp.finalize"):
    """Ends a function of ``pdl_interp``, also from inside of loops."""

    assembly_format = "attr-dict"
    traits = (Pure(), Terminator())


class RecordMatchOp(StandardOp, name="pdl_interp.record_match"):
    """Records that a pattern matches, with the arguments of its rewriter, then branches to a block that tries
    further patterns. The rewriter runs after the matcher has ended.
    """

    inputs: tuple[Value, ...] = fields.variadic_operand_def(pdl_types.ANY, "The arguments of the rewrite.")
    matchedOps: tuple[Value, ...] = fields.variadic_operand_def(
        pdl_types.OPERATION, "The operations that were matched."
    )
    rewriter: builtin_attributes.SymbolRefAttr = fields.attr_def(
        attribute_kind.SymbolRefKind(flat=False), "The function that rewrites.", kw_only=True
    )
    rootKind: str | None = fields.optional_attr_def(
        attribute_kind.StringKind(), "The kind of the root operation."
    )
    generatedOps: tuple[str, ...] | None = fields.optional_attr_def(
        STRINGS, "The kinds of operations that the rewrite makes."
    )
    benefit: int = fields.attr_def(ops.BENEFIT, "How good the pattern is.", kw_only=True)
    dest: Block = fields.successor_def("Where to go on.")
    assembly_format = (
        "$rewriter (`(` $inputs^ `:` type($inputs) `)`)? `:` `benefit` `(` $benefit `)` `,` "
        "(`generatedOps` `(` $generatedOps^ `)` `,`)? `loc` `(` `[` $matchedOps `]` `)` "
        "(`,` `root` `(` $rootKind^ `)`)? attr-dict `->` $dest"
    )
    traits = (Terminator(),)


class ApplyRewriteOp(StandardOp, name="pdl_interp.apply_rewrite"):
    """Calls a registered function that changes the IR. The function may return values, too."""

    name_: str = fields.attr_def(attribute_kind.StringKind(), FUNCTION)
    args: tuple[Value, ...] = fields.variadic_operand_def(pdl_types.ANY, "The arguments of the function.")
    results_: tuple[Value, ...] = fields.variadic_result_def(pdl_types.ANY, "The results of the function.")
    assembly_format = "$name (`(` $args^ `:` type($args) `)`)? (`:` type($results)^)? attr-dict"


class CreateAttributeOp(StandardOp, name="pdl_interp.create_attribute"):
    """Makes a handle to a constant attribute."""

    value: Attribute = fields.attr_def(attribute_kind.AttributeKind(), "The attribute.")
    attribute: Value = fields.result_def(pdl_types.ATTRIBUTE, "The handle.")
    assembly_format = "$value attr-dict-with-keyword"
    traits = (Pure(),)


class CreateOperationOp(StandardOp, name="pdl_interp.create_operation"):
    """Creates an operation and inserts it before the root of the match. Its result types are given or
    inferred. Null attributes are left out; a null operand or result type is an error.
    """

    name_: str = fields.attr_def(attribute_kind.StringKind(), "The name of the operation.")
    inputOperands: tuple[Value, ...] = fields.variadic_operand_def(pdl_types.VALUE_OR_RANGE, "Its operands.")
    inputAttributes: tuple[Value, ...] = fields.variadic_operand_def(pdl_types.ATTRIBUTE, "Its attributes.")
    inputAttributeNames: tuple[str, ...] = fields.attr_def(
        STRINGS, "The names of the attributes.", kw_only=True
    )
    inputResultTypes: tuple[Value, ...] = fields.variadic_operand_def(
        pdl_types.TYPE_OR_RANGE, "The types of its results."
    )
    inferredResultTypes: bool = fields.flag_def("Infer the types of its results.")
    resultOp: Value = fields.result_def(pdl_types.OPERATION, "A handle to the operation.")
    format_directives: ClassVar[dict[str, Any]] = directives.DIRECTIVES
    assembly_format = (
        "$name (`(` $inputOperands^ `:` type($inputOperands) `)`)? `` "
        "custom<CreateOperationOpAttributes>($inputAttributes, $inputAttributeNames) "
        "custom<CreateOperationOpResults>($inputResultTypes, type($inputResultTypes), $inferredResultTypes) "
        "attr-dict"
    )

    def verify_(self) -> None:
        if self.inferredResultTypes and self.inputResultTypes:
            raise VerifyError("with inferred results cannot also have explicit result types")


class CreateRangeOp(StandardOp, name="pdl_interp.create_range"):
    """Concatenates types or values, single ones and ranges, to one range."""

    arguments: tuple[Value, ...] = fields.variadic_operand_def(pdl_types.ANY, "The parts.")
    result: Value = fields.result_def(pdl_types.TYPE_OR_VALUE_RANGE, "The range.")
    format_directives: ClassVar[dict[str, Any]] = directives.DIRECTIVES
    assembly_format = "($arguments^ `:` type($arguments))? custom<RangeType>(ref(type($arguments)), type($result)) attr-dict"
    traits = (Pure(),)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return ops.range_result(operands)

    def verify_(self) -> None:
        ops.check_range(self)


class CreateTypeOp(StandardOp, name="pdl_interp.create_type"):
    """Makes a handle to a constant type."""

    value: Type = fields.attr_def(attribute_kind.TypeKind(), "The type.")
    result: Value = fields.result_def(pdl_types.TYPE, "The handle.")
    assembly_format = "$value attr-dict"
    traits = (Pure(),)


class CreateTypesOp(StandardOp, name="pdl_interp.create_types"):
    """Makes a handle to a constant list of types."""

    value: tuple[Type, ...] = fields.attr_def(TYPES, "The types.")
    result: Value = fields.result_def(pdl_types.TYPE_RANGE, "The handle.")
    assembly_format = "$value attr-dict"
    traits = (Pure(),)


class EraseOp(StandardOp, name="pdl_interp.erase"):
    """Erases an operation. Its results must be unused, otherwise the rewrite is an error."""

    inputOp: Value = fields.operand_def(pdl_types.OPERATION, "The operation.")
    assembly_format = "$inputOp attr-dict"


class ReplaceOp(StandardOp, name="pdl_interp.replace"):
    """Replaces the results of an operation with the same number of values, and erases the operation."""

    inputOp: Value = fields.operand_def(pdl_types.OPERATION, "The operation.")
    replValues: tuple[Value, ...] = fields.variadic_operand_def(pdl_types.VALUE_OR_RANGE, "The values.")
    assembly_format = "$inputOp `with` ` ` `(` ($replValues^ `:` type($replValues))? `)` attr-dict"


OPERATIONS = (
    FuncOp,
    ForEachOp,
    ContinueOp,
    FinalizeOp,
    RecordMatchOp,
    ApplyRewriteOp,
    CreateAttributeOp,
    CreateOperationOp,
    CreateRangeOp,
    CreateTypeOp,
    CreateTypesOp,
    EraseOp,
    ReplaceOp,
)
