"""The branch interfaces of the ``cf`` dialect's operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from tilewright.dialects.common.constant_folding import splat_pattern
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS
from tilewright.ir.interfaces.control_flow import BranchOpInterface, Constants
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.dialects.cf.ops import CondBranchOp, SwitchOp


def _keep(op: Operation, segment: range, kept: Sequence[int]) -> None:
    """Drop the operands of a segment except those at the positions `kept`, which count from the start of the
    segment.
    """
    chosen = {segment[position] for position in kept}
    operands = [v for at, v in enumerate(op.operands) if at not in segment or at in chosen]
    op.set_operands(operands)


def _set_sizes(op: Operation, name: str, sizes: Sequence[int]) -> None:
    op.attributes[name] = builtin_attributes.DenseArrayAttr(builtin_types.i32, tuple(sizes))


class CfBranchInterface(BranchOpInterface):
    """The branch interface of `cf.br`: all operands are passed to its only successor."""

    def keep_successor_operands(self, op: Operation, index: int, kept: Sequence[int]) -> None:
        _keep(op, self.successor_operands(op, index), kept)

    def successor_operands(self, op: Operation, index: int) -> range:
        return range(len(op.operands))

    def known_successor(self, op: Operation, constants: Constants) -> ir_block.Block | None:
        return op.successors[0]


class ConditionalBranch(BranchOpInterface):
    """The branch interface of `cf.cond_br`, whose operands are the condition, then the operands of each
    successor.
    """

    def keep_successor_operands(self, op: Operation, index: int, kept: Sequence[int]) -> None:
        branch = cast("CondBranchOp", op)
        sizes = [1, len(branch.trueDestOperands), len(branch.falseDestOperands)]
        _keep(op, self.successor_operands(op, index), kept)
        sizes[1 + index] = len(kept)
        _set_sizes(op, OPERAND_SEGMENTS, sizes)

    def successor_operands(self, op: Operation, index: int) -> range:
        first = 1 + len(cast("CondBranchOp", op).trueDestOperands)
        return range(first, len(op.operands)) if index else range(1, first)

    def known_successor(self, op: Operation, constants: Constants) -> ir_block.Block | None:
        truth = splat_pattern(constants[0])
        return None if truth is None else op.successors[0 if truth else 1]


class Switch(BranchOpInterface):
    """The branch interface of `cf.switch`, whose operands are the flag, then the operands of each successor,
    the default block first.
    """

    def keep_successor_operands(self, op: Operation, index: int, kept: Sequence[int]) -> None:
        sizes = _segments(op)
        _keep(op, self.successor_operands(op, index), kept)
        sizes[index] = len(kept)
        _set_sizes(op, "case_operand_segments", sizes[1:])
        _set_sizes(op, OPERAND_SEGMENTS, [1, sizes[0], sum(sizes[1:])])

    def successor_operands(self, op: Operation, index: int) -> range:
        sizes = _segments(op)
        start = 1 + sum(sizes[:index])
        return range(start, start + sizes[index])

    def known_successor(self, op: Operation, constants: Constants) -> ir_block.Block | None:
        switch, flag = cast("SwitchOp", op), splat_pattern(constants[0])
        if flag is None:
            return None
        values: list[int] = switch.case_values.patterns() if switch.case_values is not None else []
        if len(values) < len(switch.caseDestinations):  # a splat
            values = values * len(switch.caseDestinations)
        return switch.caseDestinations[values.index(flag)] if flag in values else switch.defaultDestination


def _segments(op: Operation) -> list[int]:
    """Return the number of operands for each successor of a switch, the default block first."""
    switch = cast("SwitchOp", op)
    return [len(switch.defaultOperands), *switch.case_operand_segments]
