"""The greedy driver: applies patterns and folds to a fixed point, worklist by worklist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from sys import maxsize
from typing import Any, NamedTuple, TypeVar

from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.context import Context
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.declaration.traits import ConstantLike, NoMemoryEffect, Pure, RecursiveMemoryEffects
from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.dialect import Fold
from tilewright.ir.interfaces.effects import is_trivially_dead
from tilewright.ir.operation import Operation
from tilewright.ir.support.collection import paused_collection
from tilewright.ir.value import OpResult, Value
from tilewright.ir.walker import scan_regions
from tilewright.rewrite import codes
from tilewright.rewrite.folding import (
    MAXIMUM_PLANS,
    FoldPlan,
    OperationFolder,
    constant_region,
    definers_of,
    fold,
    fold_plan,
)
from tilewright.rewrite.observer import RewriteObserver, current_observer
from tilewright.rewrite.pattern import Definers, NoMatch, Pattern
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet, frozen, ties
from tilewright.rewrite.rewriter import Rewriter, replacement_values

_Op = TypeVar("_Op", bound=Operation)

FUEL_PER_OPERATION = 64
FUEL_AT_LEAST = 10_000
"""The minimum number of rewrites after which an iteration ends, if the caller sets no limit. Patterns whose
operations multiply without end could fill the memory.
"""
SLICE = 1 << 16
"""The number of operations that are processed at a time without garbage collection."""


class Strictness(Enum):
    """The operations that the driver may rewrite when it is given a list: all, the listed and new ones, or
    only the listed ones.
    """

    ANY = "any"
    EXISTING_AND_NEW = "existing-and-new"
    EXISTING = "existing"


@dataclass(frozen=True)
class GreedyConfig:
    """The settings of the driver; the defaults suit canonicalisation. With ``top_down`` the first operation
    is processed first, else the last. There are ``max_iterations`` at most (None: no limit), and
    ``max_rewrites`` in all (None: a limit that grows with the number of operations). ``fold`` folds
    operations, ``unify_constants`` replaces equal constants of a region by one of them, and ``strictness``
    matters only if the driver is given a list of operations. ``observer`` is told of the attempts of
    patterns; None: the current observer, if there is one.

    An iteration processes the operations that are on the worklist when it begins. Operations that a pattern
    makes or changes, and their users, belong to the next iteration, unless they are still on the worklist.
    Operations that folding, or the removal of a dead operation, puts on the worklist belong to the same
    iteration.
    """

    top_down: bool = True
    max_iterations: int | None = 10
    max_rewrites: int | None = None
    fold: bool = True
    unify_constants: bool = True
    strictness: Strictness = Strictness.ANY
    observer: RewriteObserver | None = None


@dataclass(frozen=True, slots=True)
class GreedyResult:
    """``changed``: whether the driver changed the IR. ``converged``: whether nothing was left to change, and
    no limit was reached. ``rewrites``: the number of applied patterns, folds and erased dead operations.
    """

    changed: bool
    converged: bool
    rewrites: int


class _Plan(NamedTuple):
    """The fold and the patterns for operations of a kind."""

    erasable_when_unused: bool | None
    """Whether an unused operation of the kind is dead; None if that depends on the operations nested in
    it.
    """
    is_constant: bool
    fold: Fold | None
    patterns: tuple[Pattern[Any], ...]
    shapes: dict[Definers, _MatchShape]


class _MatchShape(NamedTuple):
    """The fold and the patterns to try for operations of a kind whose operands have certain defining
    operations.
    """

    fold: FoldPlan | None
    patterns: tuple[Pattern[Any], ...]


def apply_patterns_greedily(
    target: Operation | Region | Sequence[Operation],
    patterns: RewritePatternSet | FrozenRewritePatternSet,
    context: Context | None = None,
    config: GreedyConfig | None = None,
) -> GreedyResult:
    """Fold and rewrite everything inside ``target`` until nothing changes, and erase dead operations. If
    ``target`` is a list, process the listed operations themselves, and the operations that `Strictness`
    allows. ``context`` is by default the context of the patterns, and ``config`` a `GreedyConfig` without
    arguments.

    If iterations or rewrites run out, the driver stops with the remark ``fixed-point not reached``: the IR is
    valid, and less simplified than it could be.
    """
    table = frozen(patterns)
    driver = _Driver(table, context or table.context, config or GreedyConfig())
    if isinstance(target, Operation):
        return driver.run_regions(target.regions, target)
    if isinstance(target, Region):
        assert target.parent is not None, "the region must belong to an operation"
        return driver.run_regions((target,), target.parent)
    return driver.run_operations(target)


class _Driver(Rewriter):
    """A run of the driver, and the rewriter of its patterns: changed operations go on the worklist at once.

    The worklist is a stack with holes: an operation that is erased leaves None at its position.
    """

    def __init__(self, patterns: FrozenRewritePatternSet, context: Context, config: GreedyConfig) -> None:
        super().__init__(Block())
        self.patterns = patterns
        self.context = context
        self.config = config
        self.observer = config.observer or current_observer()
        self.worklist: list[Operation | None] = []
        self.positions: dict[Operation, int] = {}
        self.iterations: dict[Operation, int] = {}
        """The iteration of each operation on the worklist; operations of the first iteration are left out."""
        self.iteration = self.next_iteration = 0
        """The iteration of the current operation, and the iteration of operations that are pushed now."""
        self.maximum_iterations = maxsize if config.max_iterations is None else config.max_iterations
        self.is_exhausted = False
        """Whether patterns were not tried on an operation because ``max_iterations`` was reached."""
        self.plans: dict[OperationKind, _Plan] = {}
        self.folder = OperationFolder(context)
        self.changes = 0
        self.rewrites = 0
        self.fuel = FUEL_AT_LEAST
        self.allowed: set[Operation] | None = None
        self.is_plain = self.observer is None
        """Whether there is no observer, and all operations may be rewritten."""
        self.blamed: set[Pattern[Any]] = set()
        self.nests: list[Operation] = []
        """New operations with regions that the running pattern has inserted."""

    # --- iterations

    def run_regions(self, regions: Sequence[Region], root: Operation) -> GreedyResult:
        """Process everything in the regions repeatedly, until nothing changes or the maximum number of
        iterations is reached.
        """
        before, worklists = -1, 0
        while self.changes != before and worklists < self.maximum_iterations and not self._gave_up:
            before = self.changes
            self._populate_inside(regions)
            self._process()
            worklists += 1
        return self._finish(root, self.changes == before and not self._gave_up)

    def run_operations(self, operations: Sequence[Operation]) -> GreedyResult:
        """Process one worklist: the given operations and, as `Strictness` allows, the operations that
        rewriting adds.
        """
        if self.config.strictness is not Strictness.ANY:
            self.allowed, self.is_plain = set(operations), False
        found = [op for op in operations if not self._is_absorbed(op)]
        self._fill(found)
        self._process()
        return self._finish(operations[0] if operations else None, not self._gave_up)

    @property
    def _gave_up(self) -> bool:
        return self.is_exhausted or self.rewrites >= self.fuel

    def _finish(self, root: Operation | None, converged: bool) -> GreedyResult:
        if not converged and root is not None:
            remark = Diagnostic(
                Severity.REMARK, "fixed-point not reached", root.location, codes.FIXED_POINT_NOT_REACHED
            )
            remark.note(f"stopped after {self.rewrites} rewrites")
            self.context.diagnostics.emit(remark)
        return GreedyResult(self.changes > 0, converged, self.rewrites)

    def _populate_inside(self, regions: Sequence[Region]) -> None:
        """Fill the worklist with all operations in `regions`. Equal constants are merged if
        ``unify_constants`` is set.
        """
        found: list[Operation] = []
        plans, unify, take_known = self.plans, self.config.unify_constants, self.folder.take_known

        def along(first: Operation) -> Operation | None:
            op: Operation | None = first
            kept_in: Region | None = None
            while op is not None:
                following = op.next
                plan = plans.get(op.kind) or self._plan(op.kind)
                same: Value | None = None
                if plan.is_constant and unify:
                    if kept_in is None and op.parent is not None:
                        kept_in = constant_region(op.parent)
                    same = take_known(op, kept_in)
                if same is not None:
                    self._replace_constant(op, same)
                else:
                    found.append(op)
                    if op.regions:
                        return op
                op = following
            return None

        scan_regions(regions, along)
        self._fill(found)

    def _is_absorbed(self, op: Operation) -> bool:
        """Record ``op`` if it is a constant. True if it was replaced with an equal constant."""
        plan = self.plans.get(op.kind) or self._plan(op.kind)
        same = self.folder.take_known(op) if plan.is_constant and self.config.unify_constants else None
        if same is not None:
            self._replace_constant(op, same)
        return same is not None

    def _fill(self, found: list[Operation]) -> None:
        """Make `found`, operations in order, the worklist, and set the number of rewrites that are allowed.
        The first operation is processed first if the driver works top down, else the last.
        """
        if self.config.top_down:
            found.reverse()
        self.positions = dict(zip(found, range(len(found)), strict=True))
        self.worklist = list(found)
        limit = self.config.max_rewrites
        self.fuel = max(self.fuel, FUEL_PER_OPERATION * len(found)) if limit is None else limit

    def _replace_constant(self, op: Operation, same: Value) -> None:
        """Replace the constant ``op`` with ``same``, without pushing its users: they are put on the worklist
        later.
        """
        if not self.is_plain or op.operands or op.parent is None:
            self.replace(op, same)
            return
        self.changes += 2
        op.results[0].replace_all_uses_with(same)
        op.parent.remove(op)

    def _process(self) -> None:
        """Process the worklist until it is empty, or the allowed number of rewrites is reached."""
        while self.worklist and self.rewrites < self.fuel:
            with paused_collection():
                self._process_slice(SLICE)

    def _process_slice(self, steps: int) -> None:
        plans, worklist, positions, iterations = self.plans, self.worklist, self.positions, self.iterations
        simplify = self._simplify if self.observer is None else self._simplify_observed
        while worklist and steps and self.rewrites < self.fuel:
            op = worklist.pop()
            if op is not None:
                steps -= 1
                del positions[op]
                self.iteration = self.next_iteration = iterations.pop(op, 0) if iterations else 0
                simplify(op, plans.get(op.kind) or self._plan(op.kind))

    def _plan(self, kind: OperationKind) -> _Plan:
        traits = kind.trait_classes
        plan = self.plans[kind] = _Plan(
            erasable_when_unused=_is_erasable(kind),
            is_constant=ConstantLike in traits,
            fold=self.context.fold(kind) if self.config.fold else None,
            patterns=self.patterns.of_kind(kind),
            shapes={},
        )
        if self.observer is not None:
            for group in ties(plan.patterns):
                self.observer.tie(group)
        return plan

    def _shape(self, plan: _Plan, definers: Definers) -> _MatchShape:
        patterns = plan.patterns
        if self.observer is None:  # an observer is to hear of refusals, too
            patterns = tuple([pattern for pattern in patterns if pattern.may_match(definers)])
        if len(plan.shapes) == MAXIMUM_PLANS:
            plan.shapes.clear()
        shape = plan.shapes[definers] = _MatchShape(fold_plan(plan.fold, definers), patterns)
        return shape

    # --- one operation

    def _simplify_observed(self, op: Operation, plan: _Plan) -> None:
        assert self.observer is not None
        self.observer.visit(op)
        self.observer.leave(op, self._simplify(op, plan))

    def _simplify(self, op: Operation, plan: _Plan) -> str:
        """Erase, fold or rewrite one operation, whichever is possible first. Return the outcome: ``dead``,
        ``folded``, ``rewritten`` or ``unchanged``.
        """
        results = op.results  # most operations have one result, and it is used
        erasable = not (results and results[0].compact_uses is not None) and plan.erasable_when_unused
        if erasable is not False and (_is_unused(op) if erasable else is_trivially_dead(op)):
            self.erase(op)
            self.rewrites += 1
            return "dead"
        if plan.is_constant:
            same = self.folder.take_known(op) if self.config.unify_constants else None
            if same is not None:
                self.replace(op, same)
                return "folded"
            return "rewritten" if plan.patterns and self._rewrite(op, plan.patterns) else "unchanged"
        definers = definers_of(op)
        folding, patterns = plan.shapes.get(definers) or self._shape(plan, definers)
        if folding is not None and self._fold(op, folding):
            self.rewrites += 1
            return "folded"
        if not patterns and self.iteration < self.maximum_iterations:
            return "unchanged"
        return "rewritten" if plan.patterns and self._rewrite(op, patterns) else "unchanged"

    def _fold(self, op: Operation, plan: FoldPlan) -> bool:
        folded = fold(op, plan)
        if folded is None:
            return False
        if self.is_plain and isinstance(folded, Attribute) and len(op.results) == 1:
            value = self.folder.constant(folded, op.results[0].type, op, self)
            if value is not None:
                self._replace_folded(op, value)
            return value is not None
        entries = (folded,) if isinstance(folded, Value | Attribute) else folded
        return self.folder.replace(op, entries, self)

    def _replace_folded(self, op: Operation, value: Value) -> None:
        """Replace the only result of ``op`` with the constant ``value`` and erase ``op``. Constants that
        become unused are erased at once: they would be the next to be taken from the worklist, and no pattern
        is running that could still use them. Other operations that define operands go on the worklist if they
        have at most one use left.
        """
        result, operands = op.results[0], op.operands
        if result.compact_uses is not None:
            self.replace_all_uses(result, value)
        self.changes += 1
        if op.parent is not None:  # `Operation.erase` for unused results
            op.parent.remove(op)
        op.drop_all_references()
        for operand in operands:
            if type(operand) is not OpResult:
                continue
            held = operand.compact_uses
            if held is None and operand is not value:
                self._unused(operand.owner)
            elif type(held) is not dict or len(held) < 2:
                self.push(operand.owner)

    def _unused(self, op: Operation) -> None:
        """Erase `op`, which lost its last use while no pattern runs, if it is a constant that the folder has
        recorded; push any other operation on the worklist.
        """
        block = op.parent
        if block is None:  # it was erased a moment ago: it was used twice
            return
        is_kept = op in self.folder.owners and self.plans[op.kind].erasable_when_unused and not op.operands
        if not is_kept or self.rewrites + 1 >= self.fuel:
            self.push(op)
            return
        self.rewrites += 1
        self.changes += 1
        self.folder.forget(op)
        position = self.positions.pop(op, None)
        if position is not None:
            self.worklist[position] = None
            self.iterations.pop(op, None)
        block.remove(op)

    def _rewrite(self, op: Operation, patterns: tuple[Any, ...]) -> bool:
        """Try patterns in order until one has changed the IR, and return whether one did. A warning is
        emitted for a pattern that declines after a change, or claims a match without one. No pattern is tried
        in an iteration after the last allowed one.
        """
        if self.iteration >= self.maximum_iterations:
            self.is_exhausted = True
            return False
        self.next_iteration = self.iteration + 1
        self.point = InsertionPoint.before(op)
        before = self.changes
        for pattern in patterns:
            refused = (
                pattern.match_and_rewrite(op, self) if self.observer is None else self._observed(pattern, op)
            )
            if self.changes != before:
                self.rewrites += 1
                if self.nests:
                    self._seed(pattern)
                if refused is not None:
                    self._warn_about(pattern, op, f"declines ('{refused.reason}') after it changed something")
                return True
            if refused is None:
                self._warn_about(pattern, op, "claims a rewrite and changed nothing")
        return False

    def _seed(self, pattern: Pattern[Any]) -> None:
        """Add operations that the pattern has made inside other new operations to the worklist, if
        `generated_ops` names them.
        """
        nests, names = self.nests, pattern.generated_ops
        self.nests = []
        for nest in nests if names else ():
            for op in nest.walk():
                if op is not nest and op.name in names:
                    self._allow(op)
                    self.push(op)

    def _observed(self, pattern: Any, op: Operation) -> NoMatch | None:
        assert self.observer is not None
        may_match = pattern.may_match(definers_of(op))
        refused = self.observer.observe(pattern, op, partial(pattern.match_and_rewrite, op, self))
        if refused is None and not may_match:
            self._warn_about(pattern, op, "matches operands that its 'defined_by' excludes")
        return refused

    def _warn_about(self, pattern: Pattern[Any], op: Operation, what: str) -> None:
        """Emit a warning, once for each pattern, that a pattern breaks its contract: `what` completes the
        sentence "pattern 'name' ...". Its changes are kept.
        """
        if pattern not in self.blamed:
            self.blamed.add(pattern)
            message = f"pattern '{pattern.debug_name}' {what}"
            warning = Diagnostic(Severity.WARNING, message, op.location, codes.PATTERN_BROKE_CONTRACT)
            self.context.diagnostics.emit(warning)

    # --- what patterns do

    def push(self, op: Operation) -> None:
        """Add an operation to the worklist unless it is there, or may not be rewritten."""
        if op not in self.positions and (self.allowed is None or op in self.allowed):
            self.positions[op] = len(self.worklist)
            self.worklist.append(op)
            if self.next_iteration:
                self.iterations[op] = self.next_iteration

    def insert(self, op: _Op) -> _Op:
        self.point.insert(op)
        self.inserted(op)
        return op

    def replace(self, op: Operation, replacement: Operation | Value | Sequence[Value]) -> None:
        results = op.results
        if len(results) != 1 or self.observer is not None:
            super().replace(op, replacement)
            return
        (value,) = replacement_values(replacement)
        if results[0].compact_uses is not None:
            self.replace_all_uses(results[0], value)
        self.erase(op)

    def inserted(self, op: Operation) -> None:
        self.changes += 1
        if op.regions:
            self.nests.append(op)
        if self.allowed is not None:
            self._allow(op)
        plan = self.plans.get(op.kind) or self._plan(op.kind)
        if plan.patterns or not plan.is_constant:
            self.push(op)
        if self.observer is not None:
            self.observer.inserted(op)

    def _allow(self, op: Operation) -> None:
        if self.allowed is not None and self.config.strictness is Strictness.EXISTING_AND_NEW:
            self.allowed.add(op)

    def modified(self, op: Operation) -> None:
        self.changes += 1
        self.push(op)
        if self.observer is not None:
            self.observer.modified(op)

    def replace_all_uses(self, old: Value, new: Value) -> None:
        self.changes += 1
        users = old.compact_uses
        if users is None:
            return
        positions, observer = self.positions, self.observer
        for op in tuple(old.uses) if isinstance(users, tuple) or isinstance(users, dict) else (users,):  # noqa: SIM101
            if op not in positions:
                self.push(op)
            if observer is not None:
                observer.modified(op)
        old.replace_all_uses_with(new)

    def erase(self, op: Operation) -> None:
        if op.regions:
            for inner in reversed(list(op.walk())):
                self.erased(inner)
        else:
            self.erased(op)
        op.erase()

    def replaced(self, op: Operation, values: Sequence[Value]) -> None:
        if self.observer is not None:
            self.observer.replaced(op, values)

    def erased(self, op: Operation) -> None:
        self.changes += 1
        positions, worklist = self.positions, self.worklist
        if op in self.folder.owners:
            self.folder.forget(op)
        if op in self.nests:
            self.nests.remove(op)
        position = positions.pop(op, None)
        if position is not None:
            worklist[position] = None
            self.iterations.pop(op, None)
        for operand in op.operands:  # the definer may be dead now, or fold because one user is left
            if type(operand) is OpResult and operand.owner not in positions:
                held = operand.compact_uses
                if type(held) is not dict or len(held) < 3:
                    self.push(operand.owner)
        if self.allowed is not None:
            self.allowed.discard(op)
        if self.observer is not None:
            self.observer.erased(op)


def _is_erasable(kind: OperationKind) -> bool | None:
    """Return whether unused operations of a kind are dead; None if that depends on the nested operations."""
    traits = kind.trait_classes
    if kind.is_terminator:
        return False
    if RecursiveMemoryEffects in traits:
        return None
    return Pure in traits or NoMemoryEffect in traits


def _is_unused(op: Operation) -> bool:
    results = op.results  # `Operation.has_uses`, unrolled
    unused = results[0].compact_uses is None if len(results) == 1 else not op.has_uses
    return unused and "sym_name" not in op.held_attributes
