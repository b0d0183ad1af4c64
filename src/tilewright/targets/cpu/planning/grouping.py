"""The assignment of roots to loop nests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.targets.cpu.facts import access_operations, operation_table
from tilewright.targets.cpu.facts.checks import acquires, is_checked, operands_of
from tilewright.targets.cpu.plan.model import CheckStep, FusionObstacle, PlanRoot, SingleStep
from tilewright.targets.cpu.planning import steps as planning_steps
from tilewright.targets.elements.element_types import is_tile


class BlockPlanner:
    """Group the roots of a block into nests, and record for each value the step after which it can be used."""

    def __init__(self, block: Block, plan: planning_steps.Draft) -> None:
        self.block = block
        self.plan = plan
        self.found: list[planning_steps.StepDraft] = []
        self.made: dict[Value, int] = {}
        self.checked: dict[Operation, int] = {}
        """For each checked load, the step after which it may be made."""

    def steps(self) -> list[planning_steps.StepDraft]:
        """Plan all operations of the block, and return its steps in order; call this once."""
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
            self._add_root(PlanRoot("write", op))
        elif operation_table.is_check(op):
            self._add_root(PlanRoot("check", op))
        elif operation_table.is_reduction(op):
            self._add_root(PlanRoot("reduce", op))
        elif operation_table.is_scan(op):
            self._add_root(PlanRoot("scan", op))
        elif operation_table.is_evaluated(op) and any(is_tile(value.type) for value in op.results):
            for value in op.results:
                if value in self.plan.in_memory:
                    self._add_root(PlanRoot("memory", op, value))
        else:
            self.found.append(SingleStep(op))
            self.made.update(dict.fromkeys(op.results, len(self.found) - 1))
            if acquires(op):
                self.found.append(CheckStep(op, after=True))

    def _add_root(self, root: PlanRoot) -> None:
        step = self._nest_for(root)
        nest = self.found[step]
        if is_checked(root.op) and root.kind == "write" and isinstance(nest, planning_steps.NestDraft):
            nest.guards.append(root.op)
        made = root.op.results if root.value is None else [root.value]
        self.made.update(dict.fromkeys(made, step))

    def _nest_for(self, root: PlanRoot) -> int:
        """Add `root` to the nearest preceding nest that it fits into and can be moved to, or else to a new
        nest at the end. Return the step number of the nest.
        """
        passed = 0
        apart: FusionObstacle | None = None
        for step in range(len(self.found) - 1, -1, -1):
            found = self.found[step]
            if isinstance(found, planning_steps.NestDraft):
                obstacle = self._obstacle(root, found, step)
                if obstacle is None:
                    found.roots.append(root)
                    return step
                apart = apart or obstacle
                passed += 1
            if passed > self.plan.costs.passed or not self._may_pass(root, found):
                break
        self.found.append(planning_steps.NestDraft([root], apart or FusionObstacle.FIRST))
        return len(self.found) - 1

    def _may_pass(self, root: PlanRoot, step: planning_steps.StepDraft) -> bool:
        """Return whether the root may be computed before `step`, so that it can join an earlier nest. The
        caller has found that it does not join `step`.
        """
        if not isinstance(step, planning_steps.NestDraft):
            return isinstance(step, CheckStep) or not operation_table.may_read_late(step.op)
        stays = ("write", "check")
        if root.kind in ("scan", "check") or any(other.kind in stays for other in step.roots):
            return False
        return root.kind != "write" or not self._overtakes(root.op, step)

    def _obstacle(self, root: PlanRoot, nest: planning_steps.NestDraft, step: int) -> FusionObstacle | None:
        """Return why the root does not fit into `nest`, which is step number `step` of the block; None if it
        fits.
        """
        if nest.shape != root.shape:
            return FusionObstacle.SHAPE
        if root.kind != "check" and self._is_full(nest):
            return FusionObstacle.FULL
        if root.kind == "scan" or (nest.roots[0].kind == "scan" and root.kind not in ("write", "memory")):
            return FusionObstacle.SCAN
        if root.kind == "reduce" and nest.axis not in (None, root.op.axis):
            return FusionObstacle.AXIS
        if any(other.kind == "write" for other in nest.roots) and next(self._loads(root), None) is not None:
            return FusionObstacle.LOADS
        if root.kind == "write" and self._is_behind(root.op, nest):
            return FusionObstacle.OVERTAKES
        return None if self._is_ready(root, step) else FusionObstacle.WAITS

    def _is_full(self, nest: planning_steps.NestDraft) -> bool:
        """Return whether a nest has the maximum number of roots; checks do not count."""
        return sum(root.kind != "check" for root in nest.roots) >= self.plan.costs.roots

    def _is_ready(self, root: PlanRoot, step: int) -> bool:
        """Return whether all operands of a root are available before a nest, or computed in it at the same
        element.
        """
        if root.kind == "write" and not self._can_be_checked(root, step):
            return False
        scalars: Iterable[Value] = () if root.kind == "memory" else _scalars(root.op)
        return all(self._ready(value, root, step, True) for value in root.reads) and all(
            self._is_before(value, step) for value in scalars
        )

    def _ready(self, value: Value, root: PlanRoot, step: int, same: bool) -> bool:
        """Return whether the tile `value` is available before the nest number `step`, which `root` is to
        join, or is computed in that nest at the same element. ``same`` says that only the same element is
        read.
        """
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

    def _needed(self, value: Value, root: PlanRoot, step: int, same: bool) -> list[tuple[Value, bool]] | None:
        """Return the tiles that must be ready before `value` is, each with whether only the same element of
        it is read; empty if `value` is ready, None if it cannot be ready at the nest number `step`.
        """
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
        """Return whether `value` is available before the step number `step`. The result of an operation
        without code, such as a view, is available if all operands of the operation are.
        """
        pending = [value]
        while pending:
            current = pending.pop()
            if self.made.get(current, -1) >= step:
                return False
            if isinstance(current, OpResult) and operation_table.is_nothing(current.owner):
                pending += current.owner.operands
        return True

    def _can_be_checked(self, root: PlanRoot, step: int) -> bool:
        """Return whether the nest number `step` can begin with the check of the store of `root`: the tiles of
        its addresses are available before. True for a store that is not checked.
        """
        tiles = (
            [value for value in operands_of(root.op) if is_tile(value.type)] if is_checked(root.op) else []
        )
        return all(self._ready(value, root, step, False) for value in tiles)

    def _is_computed_in(self, value: Value, step: int) -> bool:
        nest = self.found[step]
        return isinstance(nest, planning_steps.NestDraft) and any(
            value is root.value or (root.kind == "scan" and value in root.op.results) for root in nest.roots
        )

    def _overtakes(self, write: access_operations.Store, nest: planning_steps.NestDraft) -> bool:
        """Return whether a write may overwrite elements that accesses of a nest, ordered before it by tokens,
        still have to read.
        """
        for root in nest.roots:
            accesses = [(root.op, True)] if root.kind == "write" else self._loads(root)
            if any(
                planning_steps.is_overtaken(self.plan.order, access, write, same=same)
                for access, same in accesses
            ):
                return True
        return False

    def _is_behind(self, write: access_operations.Store, nest: planning_steps.NestDraft) -> bool:
        """Return whether tokens keep a write out of a nest: it follows a store of the nest, or a load that
        other threads must see first.
        """
        for root in nest.roots:
            if root.kind == "write" and planning_steps.is_overtaken(self.plan.order, root.op, write):
                return True
            if any(planning_steps.is_released(self.plan.order, load, write) for load, _ in self._loads(root)):
                return True
        return False

    def _loads(self, root: PlanRoot) -> Iterator[tuple[Operation, bool]]:
        """Yield the loads of a nest from memory that programs observe, and whether each loads the element
        that the nest computes.
        """
        return planning_steps.nest_loads(root.reads, self.plan.in_memory, root.value)


def _scalars(op: Operation) -> Iterator[Value]:
    """Yield the scalars that an operation reads, including scalars inside of its regions."""
    for inner in op.walk() if op.regions else (op,):
        for operand in inner.operands:
            if not is_tile(operand.type):
                yield operand
