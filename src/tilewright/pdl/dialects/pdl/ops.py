"""Operations of the ``pdl`` dialect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.kinds import STRINGS, TYPES
from tilewright.dialects.common.traits import NoEntryBlockArguments, SymbolWithVisibility
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import i16, i32
from tilewright.ir.declaration import attribute_kind, fields, traits as ir_traits
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.pdl.dialects.pdl import directives, matching as pdl_matching, types as pdl_types

IN_PATTERN = ir_traits.HasParent(pdl_matching.PATTERN)
IN_REWRITE = ir_traits.HasParent(pdl_matching.REWRITE)
BENEFIT = attribute_kind.IntegerKind(i16, minimum=0)
ARGUMENTS = "The arguments of the function."
RETURNS = "The results of the function."
FUNCTION = "The name under which the function is registered."


class ApplyNativeConstraintOp(StandardOp, name="pdl.apply_native_constraint"):
    """Calls a registered function that decides whether the match continues. The function may return values,
    too.
    """

    name_: str = fields.attr_def(attribute_kind.StringKind(), FUNCTION)
    args: tuple[Value, ...] = fields.variadic_operand_def(pdl_types.ANY, ARGUMENTS)
    isNegated: bool = fields.attr_def(
        attribute_kind.BoolKind(), "Continue the match if the function returns false.", default=False
    )
    results_: tuple[Value, ...] = fields.variadic_result_def(pdl_types.ANY, RETURNS)
    assembly_format = "$name `(` $args `:` type($args) `)` (`:`  type($results)^ )? attr-dict"
    traits = (IN_PATTERN,)

    def verify_(self) -> None:
        if not self.operands:
            raise ir_traits.VerifyError("expected at least one argument")
        if any(isinstance(type, pdl_types.OperationType) for type in self.result_types):
            raise ir_traits.VerifyError("returning an operation from a constraint is not supported")


class ApplyNativeRewriteOp(StandardOp, name="pdl.apply_native_rewrite"):
    """Calls a registered function that changes the IR. The function may return values, too."""

    name_: str = fields.attr_def(attribute_kind.StringKind(), FUNCTION)
    args: tuple[Value, ...] = fields.variadic_operand_def(pdl_types.ANY, ARGUMENTS)
    results_: tuple[Value, ...] = fields.variadic_result_def(pdl_types.ANY, RETURNS)
    assembly_format = "$name (`(` $args^ `:` type($args) `)`)? (`:` type($results)^)? attr-dict"
    traits = (IN_REWRITE,)

    def verify_(self) -> None:
        if not self.operands and not self.results:
            raise ir_traits.VerifyError("expected at least one argument or result")


class AttributeOp(StandardOp, name="pdl.attribute"):
    """Matches an attribute: any one, or one of a type. With `value` it is this attribute, in a pattern or in
    a rewrite.
    """

    valueType: Value | None = fields.optional_operand_def(
        pdl_types.TYPE, "The type that the attribute must have."
    )
    value: Attribute | None = fields.optional_attr_def(attribute_kind.AttributeKind(), "The attribute.")
    attr: Value = fields.result_def(pdl_types.ATTRIBUTE, "A handle to the attribute.")
    assembly_format = "(`:` $valueType^)? (`=` $value^)? attr-dict-with-keyword"

    def verify_(self) -> None:
        if self.value is None:
            if pdl_matching.is_inside(self, pdl_matching.REWRITE):
                raise ir_traits.VerifyError("expected constant value when specified within a `pdl.rewrite`")
            pdl_matching.check_bound(self)
        elif self.operands:
            raise ir_traits.VerifyError("expected only one of [`type`, `value`] to be set")


class EraseOp(StandardOp, name="pdl.erase"):
    """Erases a matched operation, whose results must be unused."""

    opValue: Value = fields.operand_def(pdl_types.OPERATION, "The operation.")
    assembly_format = "$opValue attr-dict"
    traits = (IN_REWRITE,)


class OperandOp(StandardOp, name="pdl.operand"):
    """Matches a value that no operation of the pattern defines, of any type or of a given one."""

    valueType: Value | None = fields.optional_operand_def(pdl_types.TYPE, "The type of the value.")
    value: Value = fields.result_def(pdl_types.VALUE, "A handle to the value.")
    assembly_format = "(`:` $valueType^)? attr-dict"
    traits = (IN_PATTERN,)

    def verify_(self) -> None:
        pdl_matching.check_bound(self)


class OperandsOp(StandardOp, name="pdl.operands"):
    """Matches a range of values that no operation of the pattern defines, of any types or of given ones."""

    valueType: Value | None = fields.optional_operand_def(pdl_types.TYPE_RANGE, "The types of the values.")
    value: Value = fields.result_def(pdl_types.VALUE_RANGE, "A handle to the values.")
    assembly_format = "(`:` $valueType^)? attr-dict"
    traits = (IN_PATTERN,)

    def verify_(self) -> None:
        pdl_matching.check_bound(self)


class OperationOp(StandardOp, name="pdl.operation"):
    """Matches an operation in a pattern, or creates one in a rewrite."""

    opName: str | None = fields.optional_attr_def(
        attribute_kind.StringKind(), "The name of the operation; any if it is not given."
    )
    operandValues: tuple[Value, ...] = fields.variadic_operand_def(pdl_types.VALUE_OR_RANGE, "Its operands.")
    attributeValues: tuple[Value, ...] = fields.variadic_operand_def(pdl_types.ATTRIBUTE, "Its attributes.")
    attributeValueNames: tuple[str, ...] = fields.attr_def(
        STRINGS, "The names of the attributes.", kw_only=True
    )
    typeValues: tuple[Value, ...] = fields.variadic_operand_def(
        pdl_types.TYPE_OR_RANGE, "The types of its results."
    )
    op: Value = fields.result_def(pdl_types.OPERATION, "A handle to the operation.")
    format_directives: ClassVar[dict[str, Any]] = directives.DIRECTIVES
    assembly_format = (
        "($opName^)? (`(` $operandValues^ `:` type($operandValues) `)`)? "
        "custom<OperationOpAttributes>($attributeValues, $attributeValueNames) "
        "(`->` `(` $typeValues^ `:` type($typeValues) `)`)? attr-dict"
    )

    def verify_(self) -> None:
        if pdl_matching.is_inside(self, pdl_matching.REWRITE) and self.opName is None:
            raise ir_traits.VerifyError("must have an operation name when nested within a `pdl.rewrite`")
        names, values = len(self.attributeValueNames), len(self.attributeValues)
        if names != values:
            raise ir_traits.VerifyError(
                "expected the same number of attribute values and attribute names, "
                f"got {names} names and {values} values"
            )
        pdl_matching.check_bound(self)


class PatternOp(StandardOp, name="pdl.pattern"):
    """A rewrite pattern: the operations to match, and a `pdl.rewrite` at the end with the action."""

    benefit: int = fields.attr_def(BENEFIT, "How good the pattern is; better ones are tried first.")
    sym_name: str | None = fields.optional_attr_def(
        attribute_kind.SymbolNameKind(), "The name of the pattern."
    )
    bodyRegion: Region = fields.region_def("What to match.")
    assembly_format = "($sym_name^)? `:` `benefit` `(` $benefit `)` attr-dict-with-keyword $bodyRegion"
    default_dialect: ClassVar[str] = "pdl"
    traits = (ir_traits.IsolatedFromAbove(), ir_traits.SingleBlock(), SymbolWithVisibility(optional=True))

    def verify_regions_(self) -> None:
        block = self.bodyRegion.blocks[0]
        last = block.last
        if last is not None and last.name != pdl_matching.REWRITE:
            note = ("see terminator defined here", last.location)
            raise ir_traits.VerifyError("expected body to terminate with `pdl.rewrite`", notes=(note,))
        for op in self.walk():
            if op.kind.dialect != "pdl":
                note = ("see non-`pdl` operation defined here", op.location)
                raise ir_traits.VerifyError(
                    "expected only `pdl` operations within the pattern body", notes=(note,)
                )
        if not any(isinstance(op, OperationOp) for op in block):
            raise ir_traits.VerifyError("the pattern must contain at least one `pdl.operation`")
        pdl_matching.check_connected(self)


class RangeOp(StandardOp, name="pdl.range"):
    """Concatenates types or values, single ones and ranges, to one range."""

    arguments: tuple[Value, ...] = fields.variadic_operand_def(pdl_types.ANY, "The parts.")
    result: Value = fields.result_def(pdl_types.TYPE_OR_VALUE_RANGE, "The range.")
    format_directives: ClassVar[dict[str, Any]] = directives.DIRECTIVES
    assembly_format = "($arguments^ `:` type($arguments))? custom<RangeType>(ref(type($arguments)), type($result)) attr-dict"
    traits = (ir_traits.Pure(), IN_REWRITE)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return range_result(operands)

    def verify_(self) -> None:
        check_range(self)


def range_result(operands: Sequence[Value]) -> Sequence[Type]:
    """Return the type of the range that starts with the first operand, as a list: the operand's own type if
    it is a range, else a range of its type. Raises `ValueError` without operands.
    """
    if not operands:
        raise ValueError("an empty range does not say its type; pass result_types=[...]")
    return [pdl_types.RangeType(pdl_types.element_type_or_self(operands[0].type))]


def check_range(op: Operation) -> None:
    """Raise `VerifyError` unless the operands, or the elements of operands that are ranges, are of the
    element type of the result of `op`.
    """
    wanted = pdl_types.element_type_or_self(op.results[0].type)
    for given in map(pdl_types.element_type_or_self, op.operand_types):
        if given is not wanted:
            raise ir_traits.VerifyError(
                f"expected operand to have element type '{wanted}', but got '{given}'"
            )


class ReplaceOp(StandardOp, name="pdl.replace"):
    """Replaces a matched operation with the results of another operation, or with values, and erases it."""

    opValue: Value = fields.operand_def(pdl_types.OPERATION, "The operation.")
    replOperation: Value | None = fields.optional_operand_def(pdl_types.OPERATION, "The other operation.")
    replValues: tuple[Value, ...] = fields.variadic_operand_def(pdl_types.VALUE_OR_RANGE, "The values.")
    assembly_format = (
        "$opValue `with` (`(` $replValues^ `:` type($replValues) `)`)? ($replOperation^)? attr-dict"
    )
    traits = (IN_REWRITE,)

    def verify_(self) -> None:
        if self.replOperation is not None and self.replValues:
            raise ir_traits.VerifyError(
                "expected no replacement values to be provided when the replacement operation is present"
            )


class ResultOp(StandardOp, name="pdl.result"):
    """Gets a single result of an operation of the pattern or of the rewrite."""

    parent_: Value = fields.operand_def(pdl_types.OPERATION, "The operation.")
    index: int = fields.attr_def(attribute_kind.IntegerKind(i32), "The number of the result.")
    val: Value = fields.result_def(pdl_types.VALUE, "A handle to the result.")
    assembly_format = "$index `of` $parent attr-dict"
    traits = (ir_traits.Pure(),)


class ResultsOp(StandardOp, name="pdl.results"):
    """Gets all results of an operation of the pattern or of the rewrite, or one group of them."""

    parent_: Value = fields.operand_def(pdl_types.OPERATION, "The operation.")
    index: int | None = fields.optional_attr_def(attribute_kind.IntegerKind(i32), "The number of the group.")
    val: Value = fields.result_def(pdl_types.VALUE_OR_RANGE, "A handle to the results.")
    format_directives: ClassVar[dict[str, Any]] = directives.DIRECTIVES
    assembly_format = "($index^)? `of` $parent custom<ResultsValueType>(ref($index), type($val)) attr-dict"
    traits = (ir_traits.Pure(),)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        if "index" in attributes:
            raise ValueError("'pdl.results' of one group may be a value or a range; pass result_types=[...]")
        return [pdl_types.RangeType(pdl_types.ValueType())]

    def verify_(self) -> None:
        if self.index is None and isinstance(self.val.type, pdl_types.ValueType):
            raise ir_traits.VerifyError(
                "expected `pdl.range<value>` result type when no index is specified, "
                f"but got: '{self.val.type}'"
            )


class RewriteOp(StandardOp, name="pdl.rewrite"):
    """Says how a match is rewritten: in a region, or by a registered function."""

    root: Value | None = fields.optional_operand_def(
        pdl_types.OPERATION, "The operation that the rewrite is about."
    )
    name_: str | None = fields.optional_attr_def(attribute_kind.StringKind(), FUNCTION)
    externalArgs: tuple[Value, ...] = fields.variadic_operand_def(
        pdl_types.ANY, "More that the function takes."
    )
    bodyRegion: Region = fields.region_def(
        "The code of the rewrite; empty with a function.", single_block=False
    )
    assembly_format = (
        "($root^)? (`with` $name^ (`(` $externalArgs^ `:` type($externalArgs) `)`)?)? ($bodyRegion^)? "
        "attr-dict-with-keyword"
    )
    default_dialect: ClassVar[str] = "pdl"
    traits = (
        ir_traits.Terminator(),
        IN_PATTERN,
        ir_traits.NoTerminator(),
        NoEntryBlockArguments(),
        ir_traits.SingleBlock(),
    )

    def verify_regions_(self) -> None:
        if self.name_ is not None:
            if self.bodyRegion.blocks:
                raise ir_traits.VerifyError("expected rewrite region to be empty when rewrite is external")
        elif not self.bodyRegion.blocks:
            raise ir_traits.VerifyError(
                "expected rewrite region to be non-empty if external name is not specified"
            )
        elif self.externalArgs:
            raise ir_traits.VerifyError("expected no external arguments when the rewrite is specified inline")


class TypeOp(StandardOp, name="pdl.type"):
    """Matches any type; with `constantType` it is this type."""

    constantType: Type | None = fields.optional_attr_def(attribute_kind.TypeKind(), "The type.")
    result: Value = fields.result_def(pdl_types.TYPE, "A handle to the type.")
    assembly_format = "attr-dict (`:` $constantType^)?"

    def verify_(self) -> None:
        if self.constantType is None:
            pdl_matching.check_bound(self)


class TypesOp(StandardOp, name="pdl.types"):
    """Matches any list of types; with `constantTypes` it is this list."""

    constantTypes: tuple[Type, ...] | None = fields.optional_attr_def(TYPES, "The types.")
    result: Value = fields.result_def(pdl_types.TYPE_RANGE, "A handle to the types.")
    assembly_format = "attr-dict (`:` $constantTypes^)?"

    def verify_(self) -> None:
        if self.constantTypes is None:
            pdl_matching.check_bound(self)


OPERATIONS = (
    ApplyNativeConstraintOp,
    ApplyNativeRewriteOp,
    AttributeOp,
    EraseOp,
    OperandOp,
    OperandsOp,
    OperationOp,
    PatternOp,
    RangeOp,
    ReplaceOp,
    ResultOp,
    ResultsOp,
    RewriteOp,
    TypeOp,
    TypesOp,
)
