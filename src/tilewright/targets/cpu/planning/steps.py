"""The first draft of a plan: which tiles are stored in memory, and which roots one loop nest computes.

Operations on tiles are not executed one by one. Most have no code of their own: their elements are computed
at their uses (`point`). An operation that needs a nest over all elements is a *root*: a write to memory, a
reduction, and a tile that is stored in memory because several nests, a loop, or an operation that reads other
elements use it. Consecutive roots of one shape share a nest, unless a root needs a result that is complete
only after the last element.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field

from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.lowering.memory_order import memory_roots, tokens
from tilewright.targets.cpu.facts import operation_table, product_operands
from tilewright.targets.cpu.facts.access_operations import AnyAccess, Store
from tilewright.targets.cpu.machine.costs import PlanningCosts
from tilewright.targets.cpu.plan import model as plan_model
from tilewright.targets.elements.element_types import is_tile


@dataclass(slots=True)
class NestDraft:
    """A nest over the elements of a shape, which further roots may join. ``guards`` are the checked stores
    among its roots; ``apart`` is why the first root did not join the preceding nest.
    """

    roots: list[plan_model.PlanRoot]
    apart: plan_model.FusionObstacle = plan_model.FusionObstacle.FIRST
    guards: list[AnyAccess] = field(default_factory=list[AnyAccess])

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the extents of the nest."""
        return self.roots[0].shape

    @property
    def axis(self) -> int | None:
        """Return the dimension along which the nest reduces, from its first reduction; None without
        reductions.
        """
        return next((root.op.axis for root in self.roots if root.kind == "reduce"), None)


StepDraft = NestDraft | plan_model.SingleStep | plan_model.CheckStep


@dataclass
class Draft:
    """A plan in progress: the steps of each block, and the tiles in memory with the reasons; ``takes_over``
    maps a tile to the dying tile whose memory it may reuse.
    """

    costs: PlanningCosts
    """The costs of the processor that the plan is for."""
    in_memory: dict[Value, plan_model.BufferizationReason] = field(
        default_factory=dict[Value, plan_model.BufferizationReason]
    )
    steps: dict[Block, list[StepDraft]] = field(default_factory=dict[Block, "list[StepDraft]"])
    takes_over: dict[Value, Value] = field(default_factory=dict[Value, Value])
    """Tiles that reuse the memory of an operand after its last use."""
    order: tokens.TokenAnalysis = field(default_factory=tokens.TokenAnalysis)
    """The analysis that tells which accesses may be swapped."""


# --- which tiles need memory


def tiles_in_memory(
    function: Operation, costs: PlanningCosts
) -> Iterator[tuple[Value, plan_model.BufferizationReason]]:
    """Yield the tiles of `function` that need memory, in order of their definition, each with the reason.
    `costs` says how many operations are rather repeated than stored.
    """
    needs = _MemoryNeeds(_watching(function), costs.repeated)
    for op in function.walk():
        for value in op.results:
            why = needs.of(op, value) if is_tile(value.type) else None
            if why is not None:
                yield value, why


def _watching(function: Operation) -> set[Operation]:
    """Return the checks, and the element-wise operations whose results are used only by checks or by other
    such operations. They need no memory: checks test elements where these are computed anyway.
    """
    found: set[Operation] = set()
    if not any(op.__class__ in operation_table.CHECKS for op in function.walk()):
        return found
    for op in function.walk(reverse=True):
        users = [user for value in op.results for user in value.uses]
        is_looking = bool(users) and operation_table.keeps_place(op) and all(user in found for user in users)
        if is_looking or op.__class__ in operation_table.CHECKS:
            found.add(op)
    return found


@dataclass(frozen=True, slots=True)
class _MemoryNeeds:
    """Decide which tiles need memory.

    ``watching`` are the operations that serve checks only, ``repeated`` the maximum number of operations that
    are repeated instead of storing their result.
    """

    watching: Container[Operation]
    repeated: int

    def of(self, op: Operation, value: Value) -> plan_model.BufferizationReason | None:
        """Return why the tile `value`, a result of `op`, needs memory; None if its elements are computed at
        their uses.
        """
        if operation_table.is_in_memory(op):
            return plan_model.BufferizationReason.BUFFERIZED
        users = list(value.uses)
        why = (
            self._shown(op, value, users)
            if operation_table.is_alias(op)
            else self._looks_elsewhere(users, value, op)
        )
        if why is not None:
            return why
        if operation_table.is_load(op) and any(operation_table.is_transpose(user) for user in users):
            return (
                plan_model.BufferizationReason.TRANSPOSED
            )  # memory is read by rows: a square touches too many pages
        is_shared = sum(user not in self.watching for user in users) > 1
        is_repeated = is_shared and (self._is_cheap_here(value) or operation_table.is_row_load(op))
        return plan_model.BufferizationReason.SHARED if is_shared and not is_repeated else None

    def _shown(
        self, op: Operation, value: Value, users: Sequence[Operation]
    ) -> plan_model.BufferizationReason | None:
        """Return why the result `value` of a view needs memory; None if its elements are computed at their
        uses.
        """
        if not operation_table.is_evaluated(op):
            return plan_model.BufferizationReason.SHOWN
        if any(_needs_buffer(user) for user in users):
            return plan_model.BufferizationReason.TAKEN_IN_MEMORY
        if any(_takes_later(user) for user in users) and not self._is_cheap(value):
            return plan_model.BufferizationReason.LATER
        if any(user.parent is not op.parent for user in users) and not self._is_cheap(value):
            return plan_model.BufferizationReason.ELSEWHERE
        return None

    def _looks_elsewhere(
        self, users: Sequence[Operation], value: Value, op: Operation
    ) -> plan_model.BufferizationReason | None:
        """Return why a user of the tile `value`, a result of `op`, needs it in memory: it takes the whole
        tile, views it in another shape, or is in another block. None if no user does.
        """
        for user in users:
            why = self._looked_at_by(user, value, op)
            if why is not None:
                return why
        return None

    def _looked_at_by(
        self, user: Operation, value: Value, op: Operation
    ) -> plan_model.BufferizationReason | None:
        if product_operands.is_packed(value, user) or product_operands.is_added(value, user):
            return None
        if operation_table.is_bufferized(user) or user.kind.is_terminator:
            return (
                None
                if operation_table.takes_each(user) and self._is_cheap(value)
                else plan_model.BufferizationReason.TAKEN_IN_MEMORY
            )
        if operation_table.is_alias(user) and not operation_table.is_evaluated(user):
            return plan_model.BufferizationReason.SHOWN
        return (
            plan_model.BufferizationReason.ELSEWHERE
            if user.parent is not op.parent and not self._is_cheap(value)
            else None
        )

    def _is_cheap(self, value: Value) -> bool:
        """Return whether recomputing an element of the tile `value`, in any block, takes at most ``repeated``
        operations and reads no memory.
        """
        return _cost(value, self.repeated, self.repeated + 1) <= self.repeated

    def _is_cheap_here(self, value: Value) -> bool:
        """Return whether recomputing an element of the tile `value` in its block takes at most ``repeated``
        operations; reading memory counts as one.
        """
        return _cost(value, self.repeated, 1) <= self.repeated


def _needs_buffer(user: Operation) -> bool:
    """Return whether a user needs a tile in memory as it is. Matrix products handle transposed tiles
    themselves.
    """
    if operation_table.is_dot(user) or operation_table.takes_each(user):
        return False
    is_bufferized = operation_table.is_bufferized(user) or user.kind.is_terminator
    return is_bufferized or (operation_table.is_alias(user) and not operation_table.is_evaluated(user))


def _takes_later(user: Operation) -> bool:
    """Return whether a user reads elements in a step of its own, when memory may have changed."""
    return operation_table.takes_each(user) and operation_table.is_bufferized(user)


def _cost(value: Value, limit: int, read: int) -> int:
    """Return how many operations it takes to compute an element of a tile again, counted up to `limit`.

    A tile in memory counts ``read`` operations. The result exceeds `limit` if some operation is not cheap.
    """
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


# --- loads that must precede the nest of their user


def early_loads(block: Block, in_memory: Container[Value], order: tokens.TokenAnalysis) -> Iterator[Value]:
    """Yield tiles whose loads must precede the nest of their user, because an operation in between may write
    the same memory, or because the user is a store that tokens keep out of a nest with the load.
    """
    passed: list[Operation] = []
    age: dict[Operation, int] = {}
    for op in list(block):
        if operation_table.is_load(op):
            age[op] = len(passed)
        is_root = (
            operation_table.is_write(op) or operation_table.is_reduction(op) or operation_table.is_check(op)
        )
        if is_root or any(value in in_memory for value in op.results):
            for load, _ in nest_loads(plan_model.tiles_of(op), in_memory):
                between = passed[age.get(load, len(passed)) :]
                late = not all(tokens.may_be_swapped(other, load) for other in between)
                if late or (operation_table.is_write(op) and is_released(order, load, op)):
                    yield load.results[0]
        if operation_table.touches_memory(op) and not operation_table.is_load(op):
            passed.append(op)


def nest_loads(
    tiles: Sequence[Value], in_memory: Container[Value], made: Value | None = None
) -> Iterator[tuple[Operation, bool]]:
    """Yield the loads that a nest over the elements of ``tiles`` makes, each with whether it reads the
    element with the coordinates of the nest. Tiles in `in_memory` are read there, except the tile ``made``
    (None: no exception), which the nest itself computes.
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
        pending += [(operand, inner) for operand in plan_model.tiles_of(value.owner)]


def is_overtaken(order: tokens.TokenAnalysis, access: Operation, write: Store, *, same: bool = True) -> bool:
    """Return whether a write that tokens order after an access may overwrite elements that the access still
    has to read.

    ``same``: the nest makes the access at the element that it writes.
    """
    if same and memory_roots.is_same_tile(access, write):
        return False
    return order.must_stay_in_order(write, access, in_iteration=True)


def is_released(order: tokens.TokenAnalysis, load: Operation, write: Store) -> bool:
    """Return whether a write that tokens order after a load must not share a nest with it, whatever their
    addresses.

    Overlap with elements that the nest still has to load is no reason: the nest compares the addresses
    (`nest.overlap`).
    """
    return order.must_be_seen(write, load, in_iteration=True)
