"""The order of accesses to memory, which only tokens define.

Queries about a function (or a module) of `nv_tileaa` or `nv_tileas`, with cached results:

- `comes_after`: whether tokens put one access after another, through any number of accesses, joins, branches and
  iterations of loops, or within one iteration of the loops around both;
- `must_stay_in_order`: whether that matters, because the two may touch the same memory and one of them writes, or
  because one of them acquires or releases other accesses. It decides whether two accesses may be swapped;
  `may_be_swapped` decides it for overlapping arrays too, whether or not tokens order the accesses.

Accesses that no token orders may be executed in any order: where they overlap the program has a race, and its meaning
is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tilewright.dialects.nv_tileaa.attributes import MemSemantic
from tilewright.dialects.nv_tileaa.ops.memory import AccessOp, CreateMemTokenOp, JoinMemTokenOp
from tilewright.dialects.nv_tileaa.types import MemTokenType
from tilewright.dialects.scf import ops_loop as scf
from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.memory_order.memory_roots import may_conflict

SYNCHRONISING = (MemSemantic.ACQUIRE, MemSemantic.RELEASE, MemSemantic.ACQ_REL)
"""Memory semantics that also order an access against accesses to other addresses."""
Source = tuple[Value, bool]
"""A token that another token equals or waits for; True if it is the token of the previous iteration of a
loop.
"""


def _is_token(value: Value) -> bool:
    return isinstance(value.type, MemTokenType)


def _left(region: Any) -> Sequence[Value]:
    """Return the operands of the terminator of a region, or none if the region has no block."""
    return region.block.last.operands if region.blocks else ()


def _for_result(op: scf.ForOp, at: int) -> Iterator[Source]:
    yield op.initArgs[at], False
    yield _left(op.region)[at], False


def _if_result(op: scf.IfOp, at: int) -> Iterator[Source]:
    for region in op.regions:
        yield _left(region)[at], False


def _while_result(op: scf.WhileOp, at: int) -> Iterator[Source]:
    yield _left(op.before)[1 + at], False


RESULTS: dict[type[Operation], Callable[[Any, int], Iterator[Source]]] = {
    scf.ForOp: _for_result,
    scf.IfOp: _if_result,
    scf.WhileOp: _while_result,
}
"""For each operation with regions, a function that yields the tokens which its result with a given index may
be.
"""
PASSING = (*RESULTS, CreateMemTokenOp, JoinMemTokenOp)
"""Operations that take or produce tokens without accessing memory."""


def _sources(token: Value) -> Iterator[Source]:
    """Yield the tokens that `token` may be equal to; for the token of an access, the tokens that the access
    waits for.
    """
    owner = token.owner
    if isinstance(owner, Block):
        yield from _of_argument(owner, token)
    elif type(owner) in RESULTS:
        yield from RESULTS[type(owner)](owner, token.index)
    else:
        for operand in owner.operands:
            if _is_token(operand):
                yield operand, False


def _of_argument(block: Block, token: Value) -> Iterator[Source]:
    loop = block.parent_op
    if isinstance(loop, scf.ForOp):
        yield loop.initArgs[token.index - 1], False
        yield _left(loop.region)[token.index - 1], True
    elif isinstance(loop, scf.WhileOp) and block is loop.after.block:
        yield _left(loop.before)[1 + token.index], False
    elif isinstance(loop, scf.WhileOp):
        yield loop.inits[token.index], False
        yield _left(loop.after)[token.index], True


class TokenAnalysis:
    """The order of accesses that the tokens of a function or module define: which operations precede an
    access, and whether a later access has to wait for an earlier one.

    Results are cached: they describe the IR at the time of the first query.
    """

    def __init__(self) -> None:
        self._preceding: dict[tuple[Operation, bool], frozenset[Operation]] = {}

    def preceding(self, access: Operation, *, in_iteration: bool = False) -> frozenset[Operation]:
        """Return all operations with tokens, mostly accesses, that tokens order before `access`. With
        ``in_iteration`` only operations of the same iteration of the surrounding loops count; otherwise
        `access` itself can be among them, as executed in an earlier iteration.
        """
        key = (access, in_iteration)
        found = self._preceding.get(key)
        if found is None:
            found = self._preceding[key] = frozenset(_accesses_before(access, in_iteration))
        return found

    def comes_after(self, later: Operation, earlier: Operation, *, in_iteration: bool = False) -> bool:
        """Return whether tokens order an execution of ``later`` after an execution of ``earlier``. If both
        are the same operation, the executions are in different iterations. With ``in_iteration`` only
        executions in the same iteration of the loops around both count.
        """
        return earlier in self.preceding(later, in_iteration=in_iteration)

    def must_stay_in_order(self, later: Operation, earlier: Operation, *, in_iteration: bool = False) -> bool:
        """Return whether ``later`` has to wait for ``earlier``: tokens order it after ``earlier``, and the
        two may touch the same memory and one of them writes, or one of them acquires or releases. With
        ``in_iteration`` only executions in the same iteration of the loops around both count.
        """
        if not self.comes_after(later, earlier, in_iteration=in_iteration):
            return False
        return _synchronises(later) or _synchronises(earlier) or may_conflict(later, earlier)

    def must_be_seen(self, later: Operation, earlier: Operation, *, in_iteration: bool = False) -> bool:
        """Return whether tokens order ``later`` after ``earlier`` and one of them acquires or releases: then
        it has to wait even if they touch different memory. With ``in_iteration`` only executions in the same
        iteration of the loops around both count.
        """
        synchronise = _synchronises(later) or _synchronises(earlier)
        return synchronise and self.comes_after(later, earlier, in_iteration=in_iteration)


def may_be_swapped(op: Operation, earlier: Operation) -> bool:
    """Return whether `op` and the access `earlier` may be executed in the other order, whether or not tokens
    order them. False if both may touch the same memory and one of them writes (`may_conflict`), or if `op`
    acquires or releases. Callers may pass one array for two parameters, so accesses through different
    parameters may touch the same memory, unless their alias scopes differ. If `op` has regions, all accesses
    in them are tested.
    """
    accesses = [access for access in op.walk() if isinstance(access, AccessOp)]
    return not any(_synchronises(access) or may_conflict(access, earlier) for access in accesses)


def _synchronises(access: Operation) -> bool:
    """Return whether an access, or a fence next to it, acquires or releases, so that it is ordered against
    all other accesses.
    """
    if not isinstance(access, AccessOp):
        return False
    fence = getattr(access, "fence", None)
    return access.mem_semantic in SYNCHRONISING or fence in SYNCHRONISING


def _accesses_before(access: Operation, in_iteration: bool) -> Iterator[Operation]:
    pending = [operand for operand in access.operands if _is_token(operand)]
    seen: set[Value] = set()
    while pending:
        token = pending.pop()
        if token in seen:
            continue
        seen.add(token)
        owner = token.owner
        if isinstance(owner, Operation) and not isinstance(owner, PASSING):
            yield owner
        pending += [source for source, is_before in _sources(token) if not (is_before and in_iteration)]
