"""Operations of the ``cf`` dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from tilewright.dialects.cf.control_flow import CfBranchInterface, ConditionalBranch, Switch
from tilewright.dialects.cf.syntax import DIRECTIVES
from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.constraints import I1, INTEGER
from tilewright.dialects.common.control_flow import check_branch
from tilewright.dialects.common.kinds import IntegerElementsKind
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration.attribute_kind import DenseArrayKind, StringKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.declaration.fields import (
    attr_def,
    operand_def,
    optional_attr_def,
    successor_def,
    variadic_operand_def,
    variadic_successor_def,
)
from tilewright.ir.declaration.traits import Pure, Terminator, VerifyError
from tilewright.ir.value import Value

INTEGERS32 = DenseArrayKind(i32)
BRANCH = (Pure(), Terminator())


class AssertOp(StandardOp, name="cf.assert"):
    """Ends the program with a message unless a condition holds."""

    arg: Value = operand_def(I1, "What must hold.")
    msg: str = attr_def(StringKind(), "The message if it does not hold.")
    assembly_format = "$arg `,` $msg attr-dict"


class BranchOp(StandardOp, name="cf.br"):
    """Branches to a block."""

    destOperands: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "The arguments of the block.")
    dest: Block = successor_def("The block.")
    assembly_format = "$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict"
    traits = BRANCH
    concepts = (CfBranchInterface,)

    def verify_(self) -> None:
        check_branch(self, [self.operands])


class CondBranchOp(StandardOp, name="cf.cond_br"):
    """Branches to one of two blocks, by a condition."""

    condition: Value = operand_def(I1, "Chooses the first block if it is true.")
    trueDestOperands: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "The arguments of the first block.")
    falseDestOperands: tuple[Value, ...] = variadic_operand_def(
        ANY_TYPE, "The arguments of the second block."
    )
    branch_weights: tuple[int, ...] | None = optional_attr_def(INTEGERS32, "How often each block is taken.")
    trueDest: Block = successor_def("The first block.")
    falseDest: Block = successor_def("The second block.")
    assembly_format = (
        "$condition (`weights` `(` $branch_weights^ `)` )? `,` "
        "$trueDest (`(` $trueDestOperands^ `:` type($trueDestOperands) `)`)? `,` "
        "$falseDest (`(` $falseDestOperands^ `:` type($falseDestOperands) `)`)? attr-dict"
    )
    traits = BRANCH
    concepts = (ConditionalBranch,)

    def verify_(self) -> None:
        check_branch(self, [self.trueDestOperands, self.falseDestOperands])
        weights = self.branch_weights
        if weights is not None and len(weights) != len(self.successors):
            raise VerifyError(
                "expects number of branch weights to match number of successors: "
                f"{len(weights)} vs {len(self.successors)}",
                prefix=False,
            )


class SwitchOp(StandardOp, name="cf.switch"):
    """Branches to the block whose case value equals the flag, else to the default block.

    `case_operand_segments` has the number of case operands for each case block.
    """

    flag: Value = operand_def(INTEGER, "What chooses.")
    defaultOperands: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "The arguments of the default block.")
    caseOperands: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "The arguments of all case blocks.")
    case_values: DenseElementsAttr | None = optional_attr_def(
        IntegerElementsKind(), "The values, one for each case block."
    )
    case_operand_segments: tuple[int, ...] = attr_def(
        INTEGERS32, "How many operands each case block takes.", kw_only=True
    )
    defaultDestination: Block = successor_def("The default block.")
    caseDestinations: tuple[Block, ...] = variadic_successor_def("The case blocks.")
    assembly_format = (
        "$flag `:` type($flag) `,` `[` `\\n` custom<SwitchOpCases>(ref(type($flag)),$defaultDestination, "
        "$defaultOperands, type($defaultOperands), $case_values, $caseDestinations, $caseOperands, "
        "type($caseOperands)) `]` attr-dict"
    )
    format_directives: ClassVar[dict[str, Any]] = DIRECTIVES
    format_implied: ClassVar[tuple[str, ...]] = ("case_operand_segments",)
    traits = BRANCH
    concepts = (Switch,)

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
            raise VerifyError(
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
                raise VerifyError(
                    f"number of case values (0) should match number of case destinations ({cases})"
                )
            return
        if values.element_type is not self.flag.type:
            raise VerifyError(
                f"'flag' type ('{self.flag.type}') should match case value type ('{values.element_type}')"
            )
        if values.count != cases:
            raise VerifyError(
                f"number of case values ({values.count}) should match number of case destinations ({cases})"
            )


OPERATIONS = (AssertOp, BranchOp, CondBranchOp, SwitchOp)
