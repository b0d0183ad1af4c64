"""Which roots share a loop nest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.targets.cpu.checks.facts import acquires, is_checked, operands_of
from tilewright.targets.cpu.memory.operations import Store
from tilewright.targets.cpu.plan import operation_table
from tilewright.targets.cpu.plan.model import Apart, CheckStep, Root, SingleStep
from tilewright.targets.cpu.plan.steps import Draft, NestDraft, StepDraft, is_overtaken, is_released, pulled
from tilewright.targets.elements.types import is_tile

MAXIMUM_PASSED = 2
"""A root joins a nest in front of so many others that it needs nothing of."""


class BlockPlanner:
    """Goes through a block once and keeps, for each value, the step after which it can be used."""

    def __init__(self, block: Block, plan: Draft) -> None:
        self.block = block
        self.plan = plan
        self.found: list[StepDraft] = []
        self.made: dict[Value, int] = {}
        self.checked: dict[Operation, int] = {}
        """Loads that are checked, and after which step they may be made."""

    def steps(self) -> list[StepDraft]:
        """The steps in order."""
        for op in self.block:
            self._add(op)
        return self.found

    def _add(self, op: Operation) -> None:
        if operation_table.is_nothing(op):
            return
        if is_checked(op) and not operation_table.is_write(op):
            self.found.append(CheckStep(op))
            self.checked[op] = len(self.found) - 1
        if operation_table.is_write(op):
            self._add_root(Root("write", op))
        elif operation_table.is_check(op):
            self._add_root(Root("check", op))
        elif operation_table.is_reduction(op):
            self._add_root(Root("reduce", op))
        elif operation_table.is_scan(op):
            self._add_root(Root("scan", op))
        elif operation_table.is_evaluated(op) and any(is_tile(value.type) for value in op.results):
            for value in op.results:
                if value in self.plan.in_memory:
                    self._add_root(Root("memory", op, value))
        else:
            self.found.append(SingleStep(op))
            self.made.update(dict.fromkeys(op.results, len(self.found) - 1))
            if acquires(op):
                self.found.append(CheckStep(op, after=True))

    def _add_root(self, root: Root) -> None:
        step = self._nest_for(root)
        nest = self.found[step]
        if is_checked(root.op) and root.kind == "write" and isinstance(nest, NestDraft):
            nest.guards.append(root.op)
        made = root.op.results if root.value is None else [root.value]
        self.made.update(dict.fromkeys(made, step))

    def _nest_for(self, root: Root) -> int:
        """The nest that a root joins, which is a new one if it fits into none."""
        passed = 0
        apart: Apart | None = None
        for step in range(len(self.found) - 1, -1, -1):
            found = self.found[step]
            if isinstance(found, NestDraft):
                obstacle = self._obstacle(root, found, step)
                if obstacle is None:
                    found.roots.append(root)
                    return step
                apart = apart or obstacle
                passed += 1
            if passed > MAXIMUM_PASSED or not self._may_pass(root, found):
                break
        self.found.append(NestDraft([root], apart or Apart.FIRST))
        return len(self.found) - 1

    def _may_pass(self, root: Root, step: StepDraft) -> bool:
        """Whether a root may be computed before a step that it does not need."""
        if not isinstance(step, NestDraft):
            return isinstance(step, CheckStep) or not operation_table.may_read_late(step.op)
        stays = ("write", "check")
        if root.kind in ("scan", "check") or any(other.kind in stays for other in step.roots):
            return False
        return root.kind != "write" or not self._overtakes(root.op, step)

    def _obstacle(self, root: Root, nest: NestDraft, step: int) -> Apart | None:
        """Why a root does not fit into a nest."""
        if nest.shape != root.shape:
            return Apart.SHAPE
        if root.kind != "check" and _is_full(nest):
            return Apart.FULL
        if root.kind == "scan" or (nest.roots[0].kind == "scan" and root.kind not in ("write", "memory")):
            return Apart.SCAN
        if root.kind == "reduce" and nest.axis not in (None, root.op.axis):
            return Apart.AXIS
        if any(other.kind == "write" for other in nest.roots) and next(self._loads(root), None) is not None:
            return Apart.LOADS
        if root.kind == "write" and self._is_behind(root.op, nest):
            return Apart.OVERTAKES
        return None if self._is_ready(root, step) else Apart.WAITS

    def _is_ready(self, root: Root, step: int) -> bool:
        """Whether all that a root needs is there before a nest, or is computed in it at the same element."""
        if root.kind == "write" and not self._can_be_checked(root, step):
            return False
        scalars: Iterable[Value] = () if root.kind == "memory" else _scalars(root.op)
        return all(self._ready(value, root, step, True) for value in root.reads) and all(
            self._is_before(value, step) for value in scalars
        )

    def _ready(self, value: Value, root: Root, step: int, same: bool) -> bool:
        """Whether a tile is there before a nest, or is computed in it at the same element (``same``)."""
        pending = [(value, same)]
        seen = set(pending)
        while pending:
            current, inner = pending.pop()
            needed = self._needed(current, root, step, inner)
            if needed is None:
                return False
            found = [each for each in needed if each not in seen]
            seen.update(found)
            pending += found
        return True

    def _needed(self, value: Value, root: Root, step: int, same: bool) -> list[tuple[Value, bool]] | None:
        """The tiles that have to be ready for a tile to be; None if it is not, whatever they are."""
        made = self.made.get(value)
        if made is not None and value in self.plan.in_memory and value is not root.value:
            return [] if made < step or (same and self._is_computed_in(value, step)) else None
        if not isinstance(value, OpResult) or not operation_table.is_evaluated(value.owner):
            return [] if made is None or made < step else None
        if value.owner.parent is not self.block:
            return []
        scalars = _scalars(value.owner)
        if self.checked.get(value.owner, -1) >= step or not all(self._is_before(at, step) for at in scalars):
            return None
        inner = same and operation_table.keeps_place(value.owner)
        return [(operand, inner) for operand in value.owner.operands if is_tile(operand.type)]

    def _is_before(self, value: Value, step: int) -> bool:
        """Whether a scalar, or what a view is made of, is there before a step."""
        pending = [value]
        while pending:
            current = pending.pop()
            if self.made.get(current, -1) >= step:
                return False
            if isinstance(current, OpResult) and operation_table.is_nothing(current.owner):
                pending += current.owner.operands
        return True

    def _can_be_checked(self, root: Root, step: int) -> bool:
        """Whether a nest can begin with the check of a store: what says where it goes is there before."""
        tiles = (
            [value for value in operands_of(root.op) if is_tile(value.type)] if is_checked(root.op) else []
        )
        return all(self._ready(value, root, step, False) for value in tiles)

    def _is_computed_in(self, value: Value, step: int) -> bool:
        nest = self.found[step]
        return isinstance(nest, NestDraft) and any(
            value is root.value or (root.kind == "scan" and value in root.op.results) for root in nest.roots
        )

    def _overtakes(self, write: Store, nest: NestDraft) -> bool:
        """Whether a write may hit elements that accesses of a nest, which tokens put before it, have yet to reach."""
        for root in nest.roots:
            accesses = [(root.op, True)] if root.kind == "write" else self._loads(root)
            if any(is_overtaken(self.plan.order, access, write, same=same) for access, same in accesses):
                return True
        return False

    def _is_behind(self, write: Store, nest: NestDraft) -> bool:
        """Whether tokens keep a write out of a pass: one with a store that comes before, or with a load that must be seen."""
        for root in nest.roots:
            if root.kind == "write" and is_overtaken(self.plan.order, root.op, write):
                return True
            if any(is_released(self.plan.order, load, write) for load, _ in self._loads(root)):
                return True
        return False

    def _loads(self, root: Root) -> Iterator[tuple[Operation, bool]]:
        """The loads from memory that programs see in a pass, and whether at the element that it computes."""
        return pulled(root.reads, self.plan.in_memory, root.value)


def _is_full(nest: NestDraft) -> bool:
    """Whether a pass keeps as many vectors as it should; checks keep none."""
    return sum(root.kind != "check" for root in nest.roots) >= operation_table.MAXIMUM_ROOTS


def _scalars(op: Operation) -> Iterator[Value]:
    """The scalars that an operation needs, those inside of its regions included."""
    for inner in op.walk() if op.regions else (op,):
        for operand in inner.operands:
            if not is_tile(operand.type):
                yield operand
