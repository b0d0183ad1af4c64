"""Operations of the ``cf`` dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from tilewright.dialects.cf import control_flow as cf_control_flow, syntax as cf_syntax
from tilewright.dialects.common import constraints, kinds
from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.control_flow import check_branch
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types
from tilewright.ir.declaration import attribute_kind, fields, traits as ir_traits
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.value import Value

INTEGERS32 = attribute_kind.DenseArrayKind(builtin_types.i32)
BRANCH = (ir_traits.Pure(), ir_traits.Terminator())


class AssertOp(StandardOp, name="cf.assert"):
    """Aborts the program with a message unless a condition holds."""

    arg: Value = fields.operand_def(constraints.I1, "What must hold.")
    msg: str = fields.attr_def(attribute_kind.StringKind(), "The message if it does not hold.")
    assembly_format = "$arg `,` $msg attr-dict"


class BranchOp(StandardOp, name="cf.br"):
    """Branches to a block, and passes its operands as the arguments of the block."""

    destOperands: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The arguments of the block.")
    dest: ir_block.Block = fields.successor_def("The block.")
    assembly_format = "$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict"
    traits = BRANCH
    concepts = (cf_control_flow.CfBranchInterface,)

    def verify_(self) -> None:
        check_branch(self, [self.operands])


class CondBranchOp(StandardOp, name="cf.cond_br"):
    """Branches to the first block if the condition is true, else to the second one. Each block gets operands
    of its own as its arguments.
    """

    condition: Value = fields.operand_def(constraints.I1, "Chooses the first block if it is true.")
    trueDestOperands: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The arguments of the first block."
    )
    falseDestOperands: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The arguments of the second block."
    )
    branch_weights: tuple[int, ...] | None = fields.optional_attr_def(
        INTEGERS32, "How often each block is taken."
    )
    trueDest: ir_block.Block = fields.successor_def("The first block.")
    falseDest: ir_block.Block = fields.successor_def("The second block.")
    assembly_format = (
        "$condition (`weights` `(` $branch_weights^ `)` )? `,` "
        "$trueDest (`(` $trueDestOperands^ `:` type($trueDestOperands) `)`)? `,` "
        "$falseDest (`(` $falseDestOperands^ `:` type($falseDestOperands) `)`)? attr-dict"
    )
    traits = BRANCH
    concepts = (cf_control_flow.ConditionalBranch,)

    def verify_(self) -> None:
        check_branch(self, [self.trueDestOperands, self.falseDestOperands])
        weights = self.branch_weights
        if weights is not None and len(weights) != len(self.successors):
            raise ir_traits.VerifyError(
                "expects number of branch weights to match number of successors: "
                f"{len(weights)} vs {len(self.successors)}",
                prefix=False,
            )


class SwitchOp(StandardOp, name="cf.switch"):
    """Branches to the block whose case value equals the flag, else to the default block.

    `case_operand_segments` has the number of case operands for each case block.
    """

    flag: Value = fields.operand_def(constraints.INTEGER, "What chooses.")
    defaultOperands: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The arguments of the default block."
    )
    caseOperands: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The arguments of all case blocks."
    )
    case_values: builtin_attributes.DenseElementsAttr | None = fields.optional_attr_def(
        kinds.IntegerElementsKind(), "The values, one for each case block."
    )
    case_operand_segments: tuple[int, ...] = fields.attr_def(
        INTEGERS32, "How many operands each case block takes.", kw_only=True
    )
    defaultDestination: ir_block.Block = fields.successor_def("The default block.")
    caseDestinations: tuple[ir_block.Block, ...] = fields.variadic_successor_def("The case blocks.")
    assembly_format = (
        "$flag `:` type($flag) `,` `[` `\\n` custom<SwitchOpCases>(ref(type($flag)),$defaultDestination, "
        "$defaultOperands, type($defaultOperands), $case_values, $caseDestinations, $caseOperands, "
        "type($caseOperands)) `]` attr-dict"
    )
    format_directives: ClassVar[dict[str, Any]] = cf_syntax.DIRECTIVES
    format_implied: ClassVar[tuple[str, ...]] = ("case_operand_segments",)
    traits = BRANCH
    concepts = (cf_control_flow.Switch,)

    def case_operands(self) -> list[Sequence[Value]]:
        """Return the operands of each case block."""
        groups: list[Sequence[Value]] = []
        start = 0
        for size in self.case_operand_segments:
            groups.append(self.caseOperands[start : start + size])
            start += size
        return groups

    def verify_(self) -> None:
        total = sum(self.case_operand_segments)
        if total != len(self.caseOperands):
            raise ir_traits.VerifyError(
                f"caseOperands count ({len(self.caseOperands)}) does not match with the total size ({total}) "
                "specified in attribute 'case_operand_segments'"
            )
        self._check_values()
        groups = self.case_operands()
        cases = len(self.caseDestinations)
        check_branch(self, [self.defaultOperands, *groups[:cases], *[()] * (cases - len(groups))])

    def _check_values(self) -> None:
        values, cases = self.case_values, len(self.caseDestinations)
        if values is None:
            if cases:
                raise ir_traits.VerifyError(
                    f"number of case values (0) should match number of case destinations ({cases})"
                )
            return
        if values.element_type is not self.flag.type:
            raise ir_traits.VerifyError(
                f"'flag' type ('{self.flag.type}') should match case value type ('{values.element_type}')"
            )
        if values.count != cases:
            raise ir_traits.VerifyError(
                f"number of case values ({values.count}) should match number of case destinations ({cases})"
            )


OPERATIONS = (AssertOp, BranchOp, CondBranchOp, SwitchOp)
