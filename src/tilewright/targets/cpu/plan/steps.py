"""The first draft of a plan: which tiles are put into memory, and what is computed together in one loop nest.

Operations on tiles are not executed one by one.  Most have no place of their own: their elements are computed where
they are needed (`point`).  What needs a pass over all elements is a *root*: a write to memory, a reduction, and a tile
that is put into memory because several passes, a loop, or an operation that looks at other elements use it.  Roots of
one shape that follow each other share a nest unless one needs what another has only after its last element.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field

from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.lowering.memory_order.places import is_same_tile
from tilewright.lowering.memory_order.tokens import TokenAnalysis, may_be_swapped
from tilewright.targets.cpu.memory.operations import AnyAccess, Store
from tilewright.targets.cpu.plan import operation_table
from tilewright.targets.cpu.plan.model import Apart, CheckStep, Root, SingleStep, Why, tiles_of
from tilewright.targets.cpu.products.operands import is_added, is_packed
from tilewright.targets.elements.types import is_tile

CHEAP = 4
"""So many operations may be repeated rather than put into memory what they compute."""


@dataclass(slots=True)
class NestDraft:
    """A pass over the elements of a shape, which further roots may join; see `NestStep`."""

    roots: list[Root]
    apart: Apart = Apart.FIRST
    guards: list[AnyAccess] = field(default_factory=list[AnyAccess])

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the pass."""
        return self.roots[0].shape

    @property
    def axis(self) -> int | None:
        """The axis of its reductions."""
        return next((root.op.axis for root in self.roots if root.kind == "reduce"), None)


StepDraft = NestDraft | SingleStep | CheckStep


@dataclass
class Draft:
    """A plan that is being made: the steps of every block, and the tiles that are in memory, with the reason."""

    in_memory: dict[Value, Why] = field(default_factory=dict[Value, Why])
    steps: dict[Block, list[StepDraft]] = field(default_factory=dict[Block, "list[StepDraft]"])
    takes_over: dict[Value, Value] = field(default_factory=dict[Value, Value])
    """Tiles that reuse the memory of an operand that is no longer needed."""
    order: TokenAnalysis = field(default_factory=TokenAnalysis)
    """Which accesses may be swapped."""


# --- what has to be in memory


def tiles_in_memory(function: Operation) -> Iterator[tuple[Value, Why]]:
    """Tiles that are in memory, in order of their definition, and why."""
    watching = _watching(function)
    for op in function.walk():
        for value in op.results:
            why = _needs_memory(op, value, watching) if is_tile(value.type) else None
            if why is not None:
                yield value, why


def _watching(function: Operation) -> set[Operation]:
    """Operations that are there for checks only, which look at elements where these are computed anyway."""
    found: set[Operation] = set()
    if not any(op.__class__ in operation_table.CHECKS for op in function.walk()):
        return found
    for op in function.walk(reverse=True):
        users = [user for value in op.results for user in value.uses]
        is_looking = bool(users) and operation_table.keeps_place(op) and all(user in found for user in users)
        if is_looking or op.__class__ in operation_table.CHECKS:
            found.add(op)
    return found


def _needs_memory(op: Operation, value: Value, watching: Container[Operation]) -> Why | None:
    """Why a tile has to lie in memory; None if its elements are computed where they are needed."""
    if operation_table.is_in_memory(op):
        return Why.BUFFERIZED
    users = list(value.uses)
    why = (
        _shown_needs(op, value, users) if operation_table.is_alias(op) else _looks_elsewhere(users, value, op)
    )
    if why is not None:
        return why
    if operation_table.is_load(op) and any(operation_table.is_transpose(user) for user in users):
        return Why.TRANSPOSED  # memory is read row by row: squares of it are on too many pages
    is_shared = sum(user not in watching for user in users) > 1
    is_repeated = is_shared and (is_cheap_here(value) or operation_table.is_row_load(op))
    return Why.SHARED if is_shared and not is_repeated else None


def _shown_needs(op: Operation, value: Value, users: Sequence[Operation]) -> Why | None:
    """Why a tile that shows another one has to lie in memory."""
    if not operation_table.is_evaluated(op):
        return Why.SHOWN
    if any(_needs_buffer(user) for user in users):
        return Why.TAKEN_IN_MEMORY
    if any(_takes_later(user) for user in users) and not is_cheap(value):
        return Why.LATER
    if any(user.parent is not op.parent for user in users) and not is_cheap(value):
        return Why.ELSEWHERE
    return None


def _needs_buffer(user: Operation) -> bool:
    """Whether a user needs a tile in memory as it is; products of matrices find transposed tiles by themselves."""
    if operation_table.is_dot(user) or operation_table.takes_each(user):
        return False
    is_bufferized = operation_table.is_bufferized(user) or user.kind.is_terminator
    return is_bufferized or (operation_table.is_alias(user) and not operation_table.is_evaluated(user))


def _takes_later(user: Operation) -> bool:
    """Whether a user takes elements one by one in a step of its own, when memory may have changed."""
    return operation_table.takes_each(user) and operation_table.is_bufferized(user)


def _looks_elsewhere(users: Sequence[Operation], value: Value, op: Operation) -> Why | None:
    """Why users need more of a tile than the element that they compute themselves; None if none does."""
    for user in users:
        why = _looked_at_by(user, value, op)
        if why is not None:
            return why
    return None


def _looked_at_by(user: Operation, value: Value, op: Operation) -> Why | None:
    if is_packed(value, user) or is_added(value, user):
        return None
    if operation_table.is_bufferized(user) or user.kind.is_terminator:
        return None if operation_table.takes_each(user) and is_cheap(value) else Why.TAKEN_IN_MEMORY
    if operation_table.is_alias(user) and not operation_table.is_evaluated(user):
        return Why.SHOWN
    return Why.ELSEWHERE if user.parent is not op.parent and not is_cheap(value) else None


def is_cheap(value: Value) -> bool:
    """Whether computing a tile again, in any block, costs next to nothing."""
    return _cost(value, CHEAP, CHEAP + 1) <= CHEAP


def is_cheap_here(value: Value) -> bool:
    """Whether computing a tile again in its block costs next to nothing; reading memory does."""
    return _cost(value, CHEAP, 1) <= CHEAP


def _cost(value: Value, limit: int, read: int) -> int:
    """How many operations the elements of a tile take, counted up to a limit; ``read`` for those in memory."""
    cost, pending = 0, [value]
    while pending and cost <= limit:
        current = pending.pop()
        if not is_tile(current.type):
            continue
        if not isinstance(current, OpResult) or operation_table.is_in_memory(current.owner):
            cost += read
        elif operation_table.is_cheap(current.owner):
            cost += operation_table.COSTS.get(current.owner.__class__, 1)
            pending += current.owner.operands
        else:
            return limit + 1
    return cost


# --- loads that may not wait for the pass that needs them


def early_loads(block: Block, in_memory: Container[Value], order: TokenAnalysis) -> Iterator[Value]:
    """Tiles whose loads may not wait for the pass that needs them, because something in between may write what they load."""
    passed: list[Operation] = []
    age: dict[Operation, int] = {}
    for op in list(block):
        if operation_table.is_load(op):
            age[op] = len(passed)
        is_root = (
            operation_table.is_write(op) or operation_table.is_reduction(op) or operation_table.is_check(op)
        )
        if is_root or any(value in in_memory for value in op.results):
            for load, _ in pulled(tiles_of(op), in_memory):
                between = passed[age.get(load, len(passed)) :]
                late = not all(may_be_swapped(other, load) for other in between)
                if late or (operation_table.is_write(op) and is_released(order, load, op)):
                    yield load.results[0]
        if operation_table.touches_memory(op) and not operation_table.is_load(op):
            passed.append(op)


def pulled(
    tiles: Sequence[Value], in_memory: Container[Value], made: Value | None = None
) -> Iterator[tuple[Operation, bool]]:
    """The loads that are computed in a pass over elements of ``tiles``, and whether at the same element.

    Tiles in memory are read there, except the one that the pass has ``made``.
    """
    pending = [(value, True) for value in tiles]
    seen: set[tuple[Value, bool]] = set()
    while pending:
        value, same = pending.pop()
        is_read = value in in_memory and value is not made
        if not isinstance(value, OpResult) or is_read or not operation_table.is_evaluated(value.owner):
            continue
        if (value, same) in seen:
            continue
        seen.add((value, same))
        if operation_table.is_load(value.owner):
            yield value.owner, same
        inner = same and operation_table.keeps_place(value.owner)
        pending += [(operand, inner) for operand in tiles_of(value.owner)]


def is_overtaken(order: TokenAnalysis, access: Operation, write: Store, *, same: bool = True) -> bool:
    """Whether a write that tokens put after an access may hit elements that the access has still to reach.

    ``same``: a pass makes the access where it writes, not at another element.
    """
    if same and is_same_tile(access, write):
        return False
    return order.must_stay_in_order(write, access, in_iteration=True)


def is_released(order: TokenAnalysis, load: Operation, write: Store) -> bool:
    """Whether a write that tokens put after a load may not share a pass with it, wherever the two go.

    That a write hits what its pass has still to load is no reason: the pass looks where both go (`nest.overlap`).
    """
    return order.must_be_seen(write, load, in_iteration=True)
