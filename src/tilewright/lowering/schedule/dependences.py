"""The dependence graph of a loop's body: for each operation, the operations whose results it waits for, and
from how many iterations before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tilewright.dialects.nv_tileaa.ops.memory import AccessOp
from tilewright.dialects.nv_tileaa.types import MemTokenType
from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.dialects.scf.ops_loop import ForOp
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.memory_order.tokens import TokenAnalysis


class Dependence(NamedTuple):
    """Operation `later` waits for operation `earlier` of `distance` iterations before, 0 for the same
    iteration: it reads its result, or both access memory and must stay in order. Both are indices of
    operations in the body. With `is_piecewise`, `later` reads the result in parts, in the order in which they
    are computed, and can begin before all of it exists.
    """

    earlier: int
    later: int
    distance: int
    is_piecewise: bool = False


class LoopGraph(NamedTuple):
    """The operations of a loop's body in the order of the text, without the terminator, and their dependences."""

    operations: Sequence[Operation]
    dependences: Sequence[Dependence]


def graph_of(loop: ForOp, order: TokenAnalysis) -> LoopGraph:
    """Return the dependence graph of a loop. An operation with regions is one node.

    Accesses wait for each other where `order` says that they must stay in order.
    """
    operations = list(loop.region.block.ops)[:-1]
    numbers = {op: number for number, op in enumerate(operations)}
    found = dict.fromkeys([*_values(loop, operations, numbers), *_accesses(operations, order)])
    return LoopGraph(operations, list(found))


def _values(
    loop: ForOp, operations: Sequence[Operation], numbers: dict[Operation, int]
) -> Iterator[Dependence]:
    for later, op in enumerate(operations):
        for value in _read(op):
            source = _source(loop, value, numbers)
            if source is not None:
                yield Dependence(source[0], later, source[1], _is_sum(op, value))


def _is_sum(op: Operation, value: Value) -> bool:
    """Return whether `value` is the addend of the product `op`. Each matrix instruction then waits only for
    its own part of the addend.
    """
    return isinstance(op, DotOp) and value is op.operands[2]


def _read(op: Operation) -> Iterator[Value]:
    """Yield the operands of an operation and of the operations in its regions, except tokens."""
    for inner in op.walk():
        yield from (value for value in inner.operands if not isinstance(value.type, MemTokenType))


def _source(loop: ForOp, value: Value, numbers: dict[Operation, int]) -> tuple[int, int] | None:
    """Return the index of the operation in the loop that computes `value`, and how many iterations before.
    Return None for a value from outside the loop, for the loop counter, and for values that are only passed
    from iteration to iteration.
    """
    block, passed = loop.region.block, _passed_on(loop)
    for distance in range(len(passed) + 1):
        owner = value.owner
        if isinstance(owner, Operation):
            return (numbers[owner], distance) if owner in numbers else None
        if owner is not block or value.index == 0:
            return None
        value = passed[value.index - 1]
    return None


def _passed_on(loop: ForOp) -> Sequence[Value]:
    """Return the values that an iteration passes to the next one."""
    terminator = loop.region.block.last
    return terminator.operands if terminator is not None else ()


def _accesses(operations: Sequence[Operation], order: TokenAnalysis) -> Iterator[Dependence]:
    accesses = [
        (number, access)
        for number, op in enumerate(operations)
        for access in op.walk()
        if isinstance(access, AccessOp)
    ]
    for earlier, first in accesses:
        for later, second in accesses:
            if earlier < later and order.must_stay_in_order(second, first, in_iteration=True):
                yield Dependence(earlier, later, 0)
            if earlier >= later and order.must_stay_in_order(second, first):
                yield Dependence(earlier, later, 1)
