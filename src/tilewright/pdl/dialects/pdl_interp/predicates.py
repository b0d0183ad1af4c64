"""Questions: operations that end a block and go on to one of several."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.common import base, kinds, traits as common_traits
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.declaration import attribute_kind, fields, traits as ir_traits
from tilewright.ir.value import Value
from tilewright.pdl.dialects.pdl.types import ANY, ATTRIBUTE, OPERATION, TYPE, TYPE_RANGE

COUNT = attribute_kind.IntegerKind(builtin_types.i32, minimum=0)
COUNTS = kinds.IntegerElementsKind(builtin_types.i32)
QUESTION = (ir_traits.Terminator(), ir_traits.Pure())
HANDLE = "The operation."
AT_LEAST = "Test for at least this number."
CASES = "The values to compare with."


class PredicateOp(base.StandardOp):
    """Base of tests: branches to the first successor if the test holds, else to the second."""

    trueDest: ir_block.Block = fields.successor_def("The block to go to if the test holds.")
    falseDest: ir_block.Block = fields.successor_def("Where to go if it is no.")
    traits = QUESTION


class ApplyConstraintOp(PredicateOp, name="pdl_interp.apply_constraint"):
    """Branches on the result of a registered function, which may return values, too. With `isNegated` the
    test holds if the function fails.
    """

    name_: str = fields.attr_def(
        attribute_kind.StringKind(), "The name under which the function is registered."
    )
    args: tuple[Value, ...] = fields.variadic_operand_def(ANY, "The arguments of the function.")
    isNegated: bool = fields.attr_def(attribute_kind.BoolKind(), "Negate the test.", default=False)
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY, "The results of the function.")
    assembly_format = "$name `(` $args `:` type($args) `)` (`:` type($results)^)? attr-dict `->` successors"
    traits = (ir_traits.Terminator(),)


class AreEqualOp(PredicateOp, name="pdl_interp.are_equal"):
    """Branches on whether two handles of one type are equal: both refer to the same object or to ranges of
    the same objects, or both are null.
    """

    lhs: Value = fields.operand_def(ANY, "The first handle.")
    rhs: Value = fields.operand_def(ANY, "The second handle.")
    assembly_format = "operands `:` type($lhs) attr-dict `->` successors"
    traits = (*QUESTION, common_traits.SameTypeOperands())


class BranchOp(base.StandardOp, name="pdl_interp.branch"):
    """Branches to a block."""

    dest: ir_block.Block = fields.successor_def("The block.")
    assembly_format = "$dest attr-dict"
    traits = QUESTION


class CheckAttributeOp(PredicateOp, name="pdl_interp.check_attribute"):
    """Branches on whether an attribute equals a constant attribute; the test fails for null."""

    attribute: Value = fields.operand_def(ATTRIBUTE, "The attribute.")
    constantValue: Attribute = fields.attr_def(attribute_kind.AttributeKind(), "The expected value.")
    assembly_format = "$attribute `is` $constantValue attr-dict `->` successors"


class CheckOperandCountOp(PredicateOp, name="pdl_interp.check_operand_count"):
    """Branches on whether an operation has ``count`` operands, or with `compareAtLeast` at least that number.
    The test fails for null.
    """

    inputOp: Value = fields.operand_def(OPERATION, HANDLE)
    count: int = fields.attr_def(COUNT, "The number of operands.")
    compareAtLeast: bool = fields.flag_def(AT_LEAST)
    assembly_format = "`of` $inputOp `is` (`at_least` $compareAtLeast^)? $count attr-dict `->` successors"


class CheckOperationNameOp(PredicateOp, name="pdl_interp.check_operation_name"):
    """Branches on whether an operation has a given name; the test fails for null."""

    inputOp: Value = fields.operand_def(OPERATION, HANDLE)
    name_: str = fields.attr_def(attribute_kind.StringKind(), "The name of the kind.")
    assembly_format = "`of` $inputOp `is` $name attr-dict `->` successors"


class CheckResultCountOp(PredicateOp, name="pdl_interp.check_result_count"):
    """Branches on whether an operation has ``count`` results, or with `compareAtLeast` at least that number.
    The test fails for null.
    """

    inputOp: Value = fields.operand_def(OPERATION, HANDLE)
    count: int = fields.attr_def(COUNT, "The number of results.")
    compareAtLeast: bool = fields.flag_def(AT_LEAST)
    assembly_format = "`of` $inputOp `is` (`at_least` $compareAtLeast^)? $count attr-dict `->` successors"


class CheckTypeOp(PredicateOp, name="pdl_interp.check_type"):
    """Branches on whether a type equals a constant type; the test fails for null."""

    value: Value = fields.operand_def(TYPE, "The type.")
    type: Type = fields.attr_def(attribute_kind.TypeKind(), "The expected value.")
    assembly_format = "$value `is` $type attr-dict `->` successors"


class CheckTypesOp(PredicateOp, name="pdl_interp.check_types"):
    """Branches on whether a range of types equals a constant list of types: the same types in the same order.
    The test fails for null.
    """

    value: Value = fields.operand_def(TYPE_RANGE, "The types.")
    types: tuple[Type, ...] = fields.attr_def(kinds.TYPES, "The expected values.")
    assembly_format = "$value `are` $types attr-dict `->` successors"


class IsNotNullOp(PredicateOp, name="pdl_interp.is_not_null"):
    """Branches on whether a handle is not null."""

    value: Value = fields.operand_def(ANY, "The handle.")
    assembly_format = "$value `:` type($value) attr-dict `->` successors"


class SwitchOp(base.StandardOp):
    """Base of switches: branches to the block of the first case value that equals a property of a handle,
    else to the default block. A null handle goes to the default block. Subclasses declare the handle and the
    case values.
    """

    defaultDest: ir_block.Block = fields.successor_def("The default block.")
    cases: tuple[ir_block.Block, ...] = fields.variadic_successor_def("One block for each case value.")
    traits = QUESTION

    def verify_(self) -> None:
        values: Any = self.attributes["caseValues"]
        count = values.count if isinstance(values, builtin_attributes.DenseElementsAttr) else len(values)
        if len(self.cases) != count:
            raise ir_traits.VerifyError(
                "expected number of cases to match the number of case values, "
                f"got {len(self.cases)} but expected {count}"
            )


class SwitchAttributeOp(SwitchOp, name="pdl_interp.switch_attribute"):
    """Branches to the block of the case that equals an attribute, else to the default block."""

    attribute: Value = fields.operand_def(ATTRIBUTE, "The attribute.")
    caseValues: tuple[Attribute, ...] = fields.attr_def(attribute_kind.ArrayKind(), CASES)
    assembly_format = "$attribute `to` $caseValues `(` $cases `)` attr-dict `->` $defaultDest"


class SwitchOperandCountOp(SwitchOp, name="pdl_interp.switch_operand_count"):
    """Branches to the block of the case that equals the number of operands of an operation, else to the
    default block.
    """

    inputOp: Value = fields.operand_def(OPERATION, HANDLE)
    caseValues: builtin_attributes.DenseElementsAttr = fields.attr_def(COUNTS, CASES)
    assembly_format = "`of` $inputOp `to` $caseValues `(` $cases `)` attr-dict `->` $defaultDest"


class SwitchOperationNameOp(SwitchOp, name="pdl_interp.switch_operation_name"):
    """Branches to the block of the case that equals the name of an operation, else to the default block."""

    inputOp: Value = fields.operand_def(OPERATION, HANDLE)
    caseValues: tuple[str, ...] = fields.attr_def(kinds.STRINGS, CASES)
    assembly_format = "`of` $inputOp `to` $caseValues `(` $cases `)` attr-dict `->` $defaultDest"


class SwitchResultCountOp(SwitchOp, name="pdl_interp.switch_result_count"):
    """Branches to the block of the case that equals the number of results of an operation, else to the
    default block.
    """

    inputOp: Value = fields.operand_def(OPERATION, HANDLE)
    caseValues: builtin_attributes.DenseElementsAttr = fields.attr_def(COUNTS, CASES)
    assembly_format = "`of` $inputOp `to` $caseValues `(` $cases `)` attr-dict `->` $defaultDest"


class SwitchTypeOp(SwitchOp, name="pdl_interp.switch_type"):
    """Branches to the block of the case that equals a type, else to the default block."""

    value: Value = fields.operand_def(TYPE, "The type.")
    caseValues: tuple[Type, ...] = fields.attr_def(kinds.TYPES, CASES)
    assembly_format = "$value `to` $caseValues `(` $cases `)` attr-dict `->` $defaultDest"


class SwitchTypesOp(SwitchOp, name="pdl_interp.switch_types"):
    """Branches to the block of the case that equals a list of types, else to the default block."""

    value: Value = fields.operand_def(TYPE_RANGE, "The types.")
    caseValues: tuple[tuple[Type, ...], ...] = fields.attr_def(kinds.TYPE_LISTS, CASES)
    assembly_format = "$value `to` $caseValues `(` $cases `)` attr-dict `->` $defaultDest"


OPERATIONS = (
    ApplyConstraintOp,
    AreEqualOp,
    BranchOp,
    CheckAttributeOp,
    CheckOperandCountOp,
    CheckOperationNameOp,
    CheckResultCountOp,
    CheckTypeOp,
    CheckTypesOp,
    IsNotNullOp,
    SwitchAttributeOp,
    SwitchOperandCountOp,
    SwitchOperationNameOp,
    SwitchResultCountOp,
    SwitchTypeOp,
    SwitchTypesOp,
)
