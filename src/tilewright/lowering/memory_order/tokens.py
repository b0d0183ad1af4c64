"""What comes after what: tokens are the only order between accesses to memory.

Built once for a function (or a module) of `nv_tileaa` or `nv_tileas`; then it answers questions:

- `comes_after`: whether tokens put one access after another, through any number of accesses, joins, branches and rounds;
- `must_stay_in_order`: whether that matters, because the two may touch the same memory and one of them writes.

An access takes part if it takes or gives a token.  Accesses that no token orders may be executed in any order: where
they overlap the program has a race, and its meaning is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from tilewright.dialects.nv_tileaa.ops_memory import CreateMemTokenOp, JoinMemTokenOp
from tilewright.dialects.nv_tileaa.types import MemTokenType
from tilewright.dialects.scf import ops_loop as scf
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.memory_order.places import may_conflict

Edge = tuple[Value, Value]
"""A token, and one that it may stand for."""


def _is_token(value: Value) -> bool:
    return isinstance(value.type, MemTokenType)


def _pairs(targets: Sequence[Value], sources: Sequence[Value]) -> Iterator[Edge]:
    for target, source in zip(targets, sources, strict=True):
        if _is_token(target):
            yield target, source


def _ending(region: Any) -> Sequence[Value]:
    """The operands of the terminator of a region that has a block."""
    return region.block.last.operands if region.blocks else ()


def _for_edges(op: scf.ForOp) -> Iterator[Edge]:
    inside, left = op.region.block.arguments[1:], _ending(op.region)
    for targets in (inside, op.results):
        yield from _pairs(targets, op.initArgs)
        yield from _pairs(targets, left)


def _if_edges(op: scf.IfOp) -> Iterator[Edge]:
    for region in op.regions:
        if op.results:
            yield from _pairs(op.results, _ending(region))


def _while_edges(op: scf.WhileOp) -> Iterator[Edge]:
    before, after = op.before.block, op.after.block
    passed = _ending(op.before)[1:]
    yield from _pairs(before.arguments, op.inits)
    yield from _pairs(before.arguments, _ending(op.after))
    yield from _pairs(after.arguments, passed)
    yield from _pairs(op.results, passed)


def _join_edges(op: JoinMemTokenOp) -> Iterator[Edge]:
    for token in op.operands:
        yield op.results[0], token


EDGES: dict[type[Operation], Callable[[Any], Iterator[Edge]]] = {
    scf.ForOp: _for_edges,
    scf.IfOp: _if_edges,
    scf.WhileOp: _while_edges,
    JoinMemTokenOp: _join_edges,
}
"""Where tokens go without an access."""
PASSING = (*EDGES, CreateMemTokenOp, scf.YieldOp, scf.ConditionOp)
"""Operations with tokens that are no accesses."""


class TokenAnalysis:
    """See the head of this file.  True for the IR as it was when the analysis was made."""

    def __init__(self, root: Operation) -> None:
        self._number: dict[Operation, int] = {}
        self._before: dict[Value, int] = {}
        self._accesses: list[Operation] = []
        edges: list[Edge] = []
        for op in root.walk():
            edges += self._visit(op)
        self._close(edges)

    def _visit(self, op: Operation) -> Iterable[Edge]:
        if op.__class__ in EDGES:
            return EDGES[op.__class__](op)
        if isinstance(op, PASSING) or not any(map(_is_token, (*op.operands, *op.results))):
            return ()
        self._number[op] = len(self._accesses)
        self._accesses.append(op)
        given = [value for value in op.operands if _is_token(value)]
        made = [value for value in op.results if _is_token(value)]
        for value in made:
            self._before[value] = 1 << self._number[op]
        return [(target, source) for target in made for source in given]

    def _close(self, edges: Sequence[Edge]) -> None:
        """Sets of accesses as bits, until nothing changes: loops need a round more than they are deep."""
        before = self._before
        changed = True
        while changed:
            changed = False
            for target, source in edges:
                known = before.get(target, 0)
                found = known | before.get(source, 0)
                if found != known:
                    before[target] = found
                    changed = True

    # --- questions

    @property
    def accesses(self) -> Sequence[Operation]:
        """Everything that tokens order, in the order of the text."""
        return tuple(self._accesses)

    def comes_after(self, later: Operation, earlier: Operation) -> bool:
        """Whether tokens put an execution of ``later`` after one of ``earlier`` (of another round, for the same one)."""
        number = self._number.get(earlier)
        return number is not None and bool(self._bits(later) >> number & 1)

    def preceding(self, access: Operation) -> list[Operation]:
        """All accesses that an access comes after."""
        bits = self._bits(access)
        return [op for op, number in self._number.items() if bits >> number & 1]

    def token_comes_after(self, token: Value, access: Operation) -> bool:
        """Whether what takes a token comes after an access."""
        number = self._number.get(access)
        return number is not None and bool(self._before.get(token, 0) >> number & 1)

    def are_ordered(self, a: Operation, b: Operation) -> bool:
        """Whether tokens order two accesses, one way or the other."""
        return self.comes_after(a, b) or self.comes_after(b, a)

    def must_stay_in_order(self, later: Operation, earlier: Operation) -> bool:
        """Whether ``later`` has to wait for ``earlier``: it comes after it, and they may touch the same memory."""
        return self.comes_after(later, earlier) and may_conflict(later, earlier)

    def _bits(self, access: Operation) -> int:
        found = 0
        for value in access.operands:
            if _is_token(value):
                found |= self._before.get(value, 0)
        return found
