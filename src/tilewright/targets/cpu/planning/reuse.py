"""Reuse of the memory of tiles: tiles that need no memory after all, and tiles that reuse the memory of
another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.targets.cpu.facts import checks, operation_table
from tilewright.targets.cpu.plan.model import CheckStep, PlanRoot, SingleStep
from tilewright.targets.cpu.planning.steps import Draft, NestDraft, StepDraft
from tilewright.targets.elements.element_types import is_tile

ELSEWHERE = 1 << 30
"""The step number of a use outside of the nests of the same block."""


@dataclass(slots=True)
class _Uses:
    """The steps of a block that read one tile in memory, by their number.

    The value is true if the step reads only the element at the coordinates that it computes.
    """

    steps: dict[int, bool] = field(default_factory=dict[int, bool])

    def add(self, step: int, same: bool) -> None:
        """Record a use in a step; ``same``: it reads only the element at which the step computes."""
        self.steps[step] = self.steps.get(step, True) and same


def reuse_memory(plan: Draft) -> None:
    """Remove tiles from memory that only their own nest reads; let others reuse the memory of tiles that die
    in their nest.
    """
    for block in plan.steps:
        uses = _uses(plan, block)
        if _leave_out(plan, block, uses):
            uses = _uses(plan, block)
        _take_over(plan, block, uses)


def _uses(plan: Draft, block: Block) -> dict[Value, _Uses]:
    """Return the uses of all tiles in the steps of a block, by tile; steps other than nests and checks count
    as `ELSEWHERE`.
    """
    found: dict[Value, _Uses] = {}
    for at, step in enumerate(plan.steps[block]):
        if isinstance(step, NestDraft):
            for root in step.roots:
                for value, same in leaves(plan, root):
                    found.setdefault(value, _Uses()).add(at, same)
        for op in _checked_in(step):
            for value in _address_tiles(plan, op):
                found.setdefault(value, _Uses()).add(at, False)
        if isinstance(step, SingleStep):
            for inner in step.op.walk():
                for value in _read_buffers(plan, inner):
                    found.setdefault(value, _Uses()).add(ELSEWHERE, False)
    return found


def _checked_in(step: StepDraft) -> Sequence[Operation]:
    """Return the accesses whose memory a step checks."""
    if isinstance(step, CheckStep):
        return (step.op,)
    return step.guards if isinstance(step, NestDraft) else ()


def _address_tiles(plan: Draft, op: Operation) -> Iterator[Value]:
    """Yield the tiles in memory that determine the addresses and the mask of an access: its operands in
    memory, and the tiles in memory from which its other operands are computed.
    """
    for value in checks.operands_of(op):
        if value in plan.in_memory:
            yield value
        elif is_tile(value.type) and isinstance(value, OpResult):
            yield from (leaf for leaf, _ in leaves(plan, PlanRoot("memory", value.owner, value)))


def _read_buffers(plan: Draft, op: Operation) -> Iterator[Value]:
    """Yield the operands of an operation, and the tiles in memory from which a product computes its factors."""
    yield from op.operands
    if operation_table.is_dot(op):
        for value in op.operands:
            if is_tile(value.type) and value not in plan.in_memory and isinstance(value, OpResult):
                yield from (leaf for leaf, _ in leaves(plan, PlanRoot("memory", value.owner, value)))


def leaves(plan: Draft, root: PlanRoot) -> Iterator[tuple[Value, bool]]:
    """Yield the tiles in memory that a root reads, and whether each is read only at the element that the root
    computes.
    """
    pending = [(value, True) for value in root.reads]
    seen: set[tuple[Value, bool]] = set()
    while pending:
        value, same = pending.pop()
        if (value, same) in seen:
            continue
        seen.add((value, same))
        is_leaf = value in plan.in_memory or not isinstance(value, OpResult)
        if is_leaf and value is not root.value:
            yield value, same
        elif isinstance(value, OpResult) and operation_table.is_evaluated(value.owner):
            inner = same and operation_table.keeps_place(value.owner)
            pending += [(operand, inner) for operand in value.owner.operands if is_tile(operand.type)]
        elif value is not root.value:
            yield value, same


def _leave_out(plan: Draft, block: Block, uses: dict[Value, _Uses]) -> bool:
    """Remove from `plan.in_memory`, and from the roots of their nest, the tiles that only the nest which
    computes them reads, each element only where it is computed. Return whether there was such a tile; `uses`
    is then out of date.
    """
    left_out = False
    for at, step in enumerate(plan.steps[block]):
        if not isinstance(step, NestDraft):
            continue
        kept: list[PlanRoot] = []
        for root in step.roots:
            here = [value for value in _made_by(root) if _is_used_only(uses.get(value), at, value, block)]
            for value in here:
                del plan.in_memory[value]
            left_out = left_out or bool(here)
            if root.value is None or not here:
                kept.append(root)
        step.roots[:] = kept
    return left_out


def _made_by(root: PlanRoot) -> Sequence[Value]:
    """Return the tiles that a root stores in memory one element at a time: no results of reductions."""
    if root.kind == "scan":
        return root.op.results
    return [root.value] if root.value is not None else []


def _is_used_only(used: _Uses | None, step: int, value: Value, block: Block) -> bool:
    """Return whether a tile is used in the nest number `step` of `block` only, at the element that the nest
    computes, and all its users are in the block.
    """
    return used is not None and used.steps == {step: True} and _stays_here(value, block)


def _stays_here(value: Value, block: Block) -> bool:
    """Return whether all users of a tile are in a block."""
    return all(user.parent is block for user in value.uses)


def _take_over(plan: Draft, block: Block, uses: dict[Value, _Uses]) -> None:
    """Record in `plan.takes_over` the tiles that a nest stores and that may reuse the memory of a tile of the
    same type whose last use is that nest.
    """
    for at, step in enumerate(plan.steps[block]):
        if isinstance(step, NestDraft) and any(root.value is not None for root in step.roots):
            free = list(_dying(plan, block, uses, step, at))
            for root in step.roots:
                fitting = [
                    value for value in free if root.value is not None and value.type is root.value.type
                ]
                if root.value is not None and fitting:
                    plan.takes_over[root.value] = fitting[0]
                    free.remove(fitting[0])


def _dying(plan: Draft, block: Block, uses: dict[Value, _Uses], step: NestDraft, at: int) -> Iterator[Value]:
    """Yield the tiles of `block` whose last use is the nest `step`, step number `at`, which reads each
    element only where it computes the element with the same coordinates. `uses` has the uses of all tiles in
    the block.
    """
    seen: set[Value] = set()
    for root in step.roots:
        for value, _ in leaves(plan, root):
            last = uses[value].steps
            is_last = max(last) == at and last[at]
            if value not in seen and value.parent_block is block and is_last and _stays_here(value, block):
                seen.add(value)
                yield value
