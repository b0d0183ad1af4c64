"""The declaration of the ``cf`` dialect: its operations, types and attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tilewright.dialects.arith import folds_integer, ops_integer as arith
from tilewright.dialects.cf import ops
from tilewright.dialects.cf.ops import AssertOp, BranchOp, CondBranchOp, SwitchOp
from tilewright.dialects.common.constant_folding import splat_pattern
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import boolean
from tilewright.ir.dialect import Dialect
from tilewright.ir.interfaces.control_flow import InlinerInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter

AnyPattern = RewritePattern[Any]
Target = tuple[Block, Sequence[Value]]
"""A successor block and the values that are passed to it."""


def passed_through(block: Block, arguments: Sequence[Value]) -> Target | None:
    """Return the successor, and the values passed to it, of a block that contains nothing but a branch.
    `arguments` are the values passed to the block. None for other blocks, for a block that branches to
    itself, and for a block whose arguments are used outside of the branch.
    """
    branch = block.first
    if not isinstance(branch, BranchOp) or branch.dest is block or branch.dest.parent is None:
        return None
    if any(user is not branch for argument in block.arguments for user in argument.uses):
        return None  # blocks that this one dominates use its arguments
    known: dict[Value, Value] = dict(zip(block.arguments, arguments, strict=True))
    return branch.dest, [_mapped(value, known) for value in branch.operands]


def _mapped(value: Value, known: Mapping[Value, Value]) -> Value:
    return known.get(value, value)


@pattern(BranchOp, name="SimplifyBrToBlockWithSinglePred")
def merge_single_predecessor(op: BranchOp, rewriter: Rewriter) -> NoMatch | None:
    """Merge the target of a branch into the block of the branch, if the branch is the only way to the target,
    and the target is not the entry block or the block itself.
    """
    target: Block = op.dest
    source = op.parent
    assert source is not None, "patterns see operations in blocks"
    if target is source or len(target.predecessor_uses) != 1 or target.predecessor_uses[op] != 1:
        return rewriter.no_match("others lead to the block")
    if target.parent is None or target is target.parent.entry:
        return rewriter.no_match("the entry block has a predecessor that cannot be seen")
    arguments = op.operands
    rewriter.erase(op)
    rewriter.merge_blocks(target, source, arguments)
    return None


@pattern(BranchOp, name="SimplifyPassThroughBr")
def branch_through(op: BranchOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a branch to a block that contains nothing but another branch by a branch to the final target,
    unless the final target is the block of the replaced branch, or an argument of the skipped block is used
    elsewhere.
    """
    further = passed_through(op.dest, op.operands)
    if further is None or further[0] is op.parent:
        return rewriter.no_match("the block does more than to branch")
    rewriter.insert(BranchOp(tuple(further[1]), dest=further[0], location=op.location))
    rewriter.erase(op)
    return None


@pattern(CondBranchOp, name="SimplifyConstCondBranchPred", defined_by=({0: arith.ConstantOp},))
def decide(op: CondBranchOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a conditional branch whose condition is a constant by a plain branch to the block that it
    selects.
    """
    truth = folds_integer.known_truth(folds_integer.constant_of(op.condition))
    if truth is None:
        return rewriter.no_match("the condition is not a constant")
    target, values = (op.trueDest, op.trueDestOperands) if truth else (op.falseDest, op.falseDestOperands)
    rewriter.insert(BranchOp(values, dest=target, location=op.location))
    rewriter.erase(op)
    return None


@pattern(CondBranchOp, name="SimplifyPassThroughCondBranch")
def conditional_through(op: CondBranchOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace each target of a conditional branch that contains nothing but a branch by the target of that
    branch.
    """
    old: list[Target] = [(op.trueDest, op.trueDestOperands), (op.falseDest, op.falseDestOperands)]
    new = [passed_through(*target) or target for target in old]
    if new == old:
        return rewriter.no_match("both blocks do more than to branch")
    _replace_conditional(op, rewriter, op.condition, new)
    return None


def _replace_conditional(
    op: CondBranchOp, rewriter: Rewriter, condition: Value, targets: Sequence[Target]
) -> None:
    (true_block, true_values), (false_block, false_values) = targets
    made = CondBranchOp(
        condition,
        tuple(true_values),
        tuple(false_values),
        trueDest=true_block,
        falseDest=false_block,
        branch_weights=op.branch_weights,
        location=op.location,
    )
    rewriter.insert(made)
    rewriter.erase(op)


@pattern(CondBranchOp, name="SimplifyCondBranchIdenticalSuccessors")
def identical_successors(op: CondBranchOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a conditional branch whose two targets are the same block by a branch. Operands that differ are
    selected by the condition, if no other operation leads to the block.
    """
    if op.trueDest is not op.falseDest:
        return rewriter.no_match("the blocks differ")
    pairs = list(zip(op.trueDestOperands, op.falseDestOperands, strict=True))
    if any(a is not b for a, b in pairs) and len(op.trueDest.predecessor_uses) != 1:
        return rewriter.no_match("others lead to the block, and the arguments differ")
    values = [a if a is b else _select(op, rewriter, a, b) for a, b in pairs]
    rewriter.insert(BranchOp(tuple(values), dest=op.trueDest, location=op.location))
    rewriter.erase(op)
    return None


def _select(op: CondBranchOp, rewriter: Rewriter, first: Value, second: Value) -> Value:
    return rewriter.insert(arith.SelectOp(op.condition, first, second, location=op.location)).result


@pattern(CondBranchOp, name="SimplifyCondBranchFromCondBranchOnSameCondition")
def same_condition(op: CondBranchOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a conditional branch by a plain branch to its target for a known condition: its block is only
    reached through one side of another branch on the same condition.
    """
    block = op.parent
    assert block is not None, "patterns see operations in blocks"
    users = list(block.predecessor_uses.items())
    if len(users) != 1 or users[0][1] != 1 or not isinstance(users[0][0], CondBranchOp):
        return rewriter.no_match("not reached by one way of one conditional branch")
    before: Any = users[0][0]
    if before.condition is not op.condition:
        return rewriter.no_match("the conditions differ")
    if before.trueDest is block:
        target, values = op.trueDest, op.trueDestOperands
    else:
        target, values = op.falseDest, op.falseDestOperands
    rewriter.insert(BranchOp(values, dest=target, location=op.location))
    rewriter.erase(op)
    return None


@pattern(CondBranchOp, name="CondBranchTruthPropagation")
def propagate_truth(op: CondBranchOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace the condition by true or false in the operations of a target block that is only reached through
    one side of the branch. Operations in regions of these are left alone.
    """
    replaced = False
    for block, truth in ((op.trueDest, True), (op.falseDest, False)):
        if sum(block.predecessor_uses.values()) != 1:
            continue
        users = [user for user in op.condition.uses if user.parent is block]
        if users:
            point = rewriter.point
            rewriter.point = type(point).at_start(block)
            known = rewriter.insert(arith.ConstantOp(boolean(truth), location=op.location)).result
            rewriter.point = point
            for user in users:
                operands = [known if operand is op.condition else operand for operand in user.operands]
                rewriter.set_operands(user, operands)
            replaced = True
    return None if replaced else rewriter.no_match("the condition is not used where it is known")


@pattern(SwitchOp, name="SimplifyConstSwitchValue")
def decide_switch(op: SwitchOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a switch with a constant flag, or without cases, by a plain branch to the block that the flag
    selects, or to the default block.
    """
    values: list[int] = op.case_values.patterns() if op.case_values is not None else []
    flag = splat_pattern(folds_integer.constant_of(op.flag))
    if flag is None and op.caseDestinations:
        return rewriter.no_match("the flag is not a constant")
    if op.case_values is not None and op.case_values.is_splat:
        values = values * len(op.caseDestinations)
    target: Target = op.defaultDestination, op.defaultOperands
    if flag in values:
        position = values.index(flag)
        target = op.caseDestinations[position], op.case_operands()[position]
    rewriter.insert(BranchOp(tuple(target[1]), dest=target[0], location=op.location))
    rewriter.erase(op)
    return None


@pattern(AssertOp, name="EraseRedundantAssertions", defined_by=({0: arith.ConstantOp},))
def erase_assertion(op: AssertOp, rewriter: Rewriter) -> NoMatch | None:
    """Erase an assertion whose condition is true."""
    if folds_integer.known_truth(folds_integer.constant_of(op.arg)) is not True:
        return rewriter.no_match("the condition is not known to hold")
    rewriter.erase(op)
    return None


def patterns() -> Sequence[AnyPattern]:
    """Return all patterns of the dialect."""
    return [
        merge_single_predecessor,
        branch_through,
        decide,
        conditional_through,
        identical_successors,
        same_condition,
        propagate_truth,
        decide_switch,
        erase_assertion,
    ]


class BranchInliner(InlinerInterface):
    """Allows every operation to be inlined, and makes the branches to the code after an inlined call."""

    def branch_to(self, target: Block, values: Sequence[Value]) -> Operation | None:
        return BranchOp(tuple(values), dest=target)


HAND_WRITTEN_SYNTAX = ("cf.switch",)
"""Operations whose custom syntax is not, or not only, written in the declaration (``custom<>`` directives)."""

CF = Dialect(
    "cf",
    doc="Branches between blocks.",
    operations=ops.OPERATIONS,
    interfaces=(BranchInliner(),),
    canonicalization_patterns=patterns,
    depends_on=("arith",),
)
