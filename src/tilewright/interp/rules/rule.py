"""Evaluation rules: the functions that define the meaning of operations.

A rule is called once per operation, before the launch; it reads attributes and types and returns the function that
evaluates the operation: ``evaluate(block, *operands)`` gives the result, or a tuple of several results, or None where
there is none. Rules of operations with regions also receive the program, to get at prepared regions; rules of control
flow return ``steer(block, slots)``, which moves the tile block on instead of computing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.interp import program as interp_program, tile_block

Evaluate = Callable[..., Any]
Rule = Callable[[Any], Evaluate]
RegionRule = Callable[[Any, "interp_program.Program"], Evaluate]
Steer = Callable[["tile_block.TileBlock", Sequence[int]], None]
ControlRule = Callable[[Any, "interp_program.Program"], Steer]

_Rule = TypeVar("_Rule", bound=Rule)
_RegionRule = TypeVar("_RegionRule", bound=RegionRule)
_ControlRule = TypeVar("_ControlRule", bound=ControlRule)


class RuleTable:
    """The rules of one group of operations, by op class: ``region_rules`` for operations with a region that
    they fold with, ``control_rules`` for control flow, and ``rules`` for all others.
    """

    def __init__(self) -> None:
        self.rules: dict[type[Operation], Rule] = {}
        self.region_rules: dict[type[Operation], RegionRule] = {}
        self.control_rules: dict[type[Operation], ControlRule] = {}

    def evaluates(self, *op_classes: type[Operation]) -> Callable[[_Rule], _Rule]:
        """Return a decorator that enters ``rule(op)`` for operations of `op_classes`; an earlier rule is
        replaced. The rule is called once for each operation, and returns its evaluation.
        """

        def enter(rule: _Rule) -> _Rule:
            self.rules.update(dict.fromkeys(op_classes, rule))
            return rule

        return enter

    def folds(self, *op_classes: type[Operation]) -> Callable[[_RegionRule], _RegionRule]:
        """Return a decorator that enters ``rule(op, program)`` for operations of `op_classes`, which fold
        tiles with a region; an earlier rule is replaced. The rule is called once for each operation, gets the
        instructions of the region from the program, and returns the evaluation.
        """

        def enter(rule: _RegionRule) -> _RegionRule:
            self.region_rules.update(dict.fromkeys(op_classes, rule))
            return rule

        return enter

    def steers(self, *op_classes: type[Operation]) -> Callable[[_ControlRule], _ControlRule]:
        """Return a decorator that enters ``rule(op, program)`` for control-flow operations of `op_classes`;
        an earlier rule is replaced. The rule is called once for each operation, and returns ``steer(block,
        slots)``, which moves the tile block `block` on; `slots` are the registers of the operands.
        """

        def enter(rule: _ControlRule) -> _ControlRule:
            self.control_rules.update(dict.fromkeys(op_classes, rule))
            return rule

        return enter


def no_extras(op: Operation) -> tuple[Any, ...]:
    """Return `()`: the function of the rule gets only the operands."""
    return ()


def calls(function: Callable[..., Any], extras: Callable[[Any], tuple[Any, ...]] = no_extras) -> Rule:
    """Return the rule of an operation whose result is ``function(*operands, *extras(op))``; ``extras`` is
    called once for each operation.
    """

    def rule(op: Operation) -> Evaluate:
        given = extras(op)

        def evaluate(block: Any, *operands: Any) -> Any:
            return function(*operands, *given)

        return evaluate

    return rule


def constantly(value: Any) -> Evaluate:
    """Return an evaluation whose result is always `value`."""

    def evaluate(block: Any, *operands: Any) -> Any:
        return value

    return evaluate


class OperandPositions:
    """The positions of the operands of each field in an operation's operand list. A name that is no field
    raises `KeyError`, except in `optional`.
    """

    def __init__(self, op: Operation) -> None:
        self._ranges: dict[str, range] = {}
        start = 0
        for field, size in zip(op.kind.operands, op.kind.operand_sizes(op), strict=True):
            self._ranges[field.name] = range(start, start + size)
            start += size

    def one(self, field: str) -> int:
        """Return the position of the operand of the required field `field`. Raises `KeyError` for a name that
        is no field.
        """
        return self._ranges[field].start

    def optional(self, field: str) -> int | None:
        """Return the position of an optional operand; None if it is absent, or if the operation has no such
        field.
        """
        positions = self._ranges.get(field, range(0))
        return positions.start if len(positions) else None

    def group(self, field: str) -> slice:
        """Return the positions of the operands of the variadic field `field`, as a slice of the operand list;
        an empty slice if there are none. Raises `KeyError` for a name that is no field.
        """
        positions = self._ranges[field]
        return slice(positions.start, positions.stop)


def pick(operands: Sequence[Any], position: int | None) -> Any:
    """Return the operand at `position`, or None if `position` is None, as for an absent optional operand."""
    return None if position is None else operands[position]
