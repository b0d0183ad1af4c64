"""The conversion driver: legalises operation by operation, and succeeds as a whole or changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.context import Context
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.declaration.traits import ConstantLike
from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.dominance import reverse_post_order
from tilewright.ir.operation import Operation
from tilewright.ir.support.collection import paused_collection
from tilewright.ir.value import Value
from tilewright.ir.walker import scan_regions
from tilewright.rewrite import codes
from tilewright.rewrite.conversion.bridges import bridge, bridge_to_all
from tilewright.rewrite.conversion.commit import Committer
from tilewright.rewrite.conversion.pattern import Adaptor, ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.conversion.target import ConversionTarget, GenerationGraph, Legality
from tilewright.rewrite.conversion.type_converter import TypeConverter, unify_converters
from tilewright.rewrite.folding import FoldPlans, constant_hook, definers_of, fold
from tilewright.rewrite.observer import RewriteObserver, current_observer
from tilewright.rewrite.pattern import NoMatch, Pattern, PatternRole
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet, frozen


class ConversionMode(Enum):
    """The treatment of operations that cannot be legalised: a partial conversion fails if the target declares
    the operation illegal, and keeps it if the target has no rule for it; a full conversion fails in both
    cases; an analysis records it, never fails, and changes nothing.
    """

    PARTIAL = "partial"
    FULL = "full"
    ANALYSIS = "analysis"


class FoldingMode(Enum):
    """The time when an illegal operation is folded: before patterns are tried, after, or never."""

    NEVER = "never"
    BEFORE_PATTERNS = "before-patterns"
    AFTER_PATTERNS = "after-patterns"


@dataclass(frozen=True)
class ConversionConfig:
    """The settings of the driver: when illegal operations are folded, the type converter, the observer (None:
    `current_observer`), and a message of the pass that is printed before an error of the driver.
    ``type_converter`` must be the same object as all converters of the patterns; None: the converter of the
    patterns, if one has a converter.
    """

    folding: FoldingMode = FoldingMode.BEFORE_PATTERNS
    type_converter: TypeConverter | None = None
    observer: RewriteObserver | None = None
    failure_message: str = ""
    """A message of the pass, printed before the driver's own."""


@dataclass(slots=True)
class ConversionResult:
    """The result of a conversion; false if the conversion failed. ``diagnostic`` is the error, which was
    emitted, too. ``legalizable`` has the operations that are legal or can be converted, in analysis mode
    only. ``unlegalized`` has the operations that cannot be converted and were kept: in analysis mode all, in
    a partial conversion the operations without a rule of the target.
    """

    succeeded: bool
    diagnostic: Diagnostic | None = None
    legalizable: list[Operation] = field(default_factory=list[Operation])
    unlegalized: list[Operation] = field(default_factory=list[Operation])

    def __bool__(self) -> bool:
        return self.succeeded


Patterns = RewritePatternSet | FrozenRewritePatternSet


def apply_partial_conversion(
    roots: Operation | Sequence[Operation],
    target: ConversionTarget,
    patterns: Patterns,
    config: ConversionConfig | None = None,
) -> ConversionResult:
    """Convert illegal operations of `roots` and inside of them, and operations without a rule of the target
    if a pattern converts them; an operation without rule and pattern stays. Patterns that are ``one_to_n``
    may replace a value by several. On failure the diagnostic is emitted, the IR is restored exactly, and the
    result is false. `config` is by default ``ConversionConfig()``.
    """
    return _Conversion(roots, target, frozen(patterns), ConversionMode.PARTIAL, config).run()


def apply_full_conversion(
    roots: Operation | Sequence[Operation],
    target: ConversionTarget,
    patterns: Patterns,
    config: ConversionConfig | None = None,
) -> ConversionResult:
    """Convert every operation of `roots` and inside of them that `target` does not declare legal. If one
    cannot be converted, the diagnostic is emitted, the IR is restored exactly, and the result is false.
    `config` is by default ``ConversionConfig()``.
    """
    return _Conversion(roots, target, frozen(patterns), ConversionMode.FULL, config).run()


def apply_analysis_conversion(
    roots: Operation | Sequence[Operation],
    target: ConversionTarget,
    patterns: Patterns,
    config: ConversionConfig | None = None,
) -> ConversionResult:
    """Find out which operations of `roots` and inside of them are legal or could be converted
    (``legalizable`` of the result) and which could not (``unlegalized``). The IR is not changed, and no
    failure is reported. `config` is by default ``ConversionConfig()``.
    """
    return _Conversion(roots, target, frozen(patterns), ConversionMode.ANALYSIS, config).run()


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A pattern with the properties that every attempt to apply it needs: whether it is a conversion pattern,
    whether it declares the operations that it generates (``names_products``), and its type converter.
    """

    pattern: Any
    is_conversion: bool
    names_products: bool
    converter: TypeConverter | None
    single: dict[Type, Type | None]
    """The converter's cache of types that are converted to a single type. Empty if conversions depend on
    values, or the pattern is 1:N.
    """
    several: dict[Type, tuple[Type, ...] | None] | None
    """For a 1:N pattern, the converter's cache of the types that replace each type. None for a pattern that
    is not 1:N, or if conversions depend on values.
    """

    @classmethod
    def of(cls, pattern: Any) -> _Candidate:
        """Return `pattern` as a candidate, with its converter, its kind, and the caches of type conversions
        that do not depend on values.
        """
        converter: TypeConverter | None = getattr(pattern, "type_converter", None)
        is_conversion = pattern.role is not PatternRole.REWRITE
        if not is_conversion or converter is None or converter.depends_on_values:
            return cls(pattern, is_conversion, bool(pattern.generated_ops), converter, {}, None)
        single, several = ({}, converter.parts) if pattern.one_to_n else (converter.single, None)
        return cls(pattern, is_conversion, bool(pattern.generated_ops), converter, single, several)


class _ConversionPlan(NamedTuple):
    """The legality, the folds (None: no fold is tried) and the patterns (`candidates`, in the order of
    attempts) that the driver uses for operations of a kind.
    """

    legality: Legality | None
    """The legality of all operations of the kind; None if it depends on the operation."""
    folds: FoldPlans | None
    candidates: tuple[_Candidate, ...]
    must_go: bool = False
    """Whether the target declares these operations illegal, or has no rule for them, so that the driver tries
    to replace them.
    """


_LEGAL = _ConversionPlan(Legality.LEGAL, None, ())
"""The plan of every legal kind: no pattern is looked up for it."""


class _Conversion:
    """A run of the conversion driver."""

    def __init__(
        self,
        roots: Operation | Sequence[Operation],
        target: ConversionTarget,
        patterns: FrozenRewritePatternSet,
        mode: ConversionMode,
        config: ConversionConfig | None,
    ) -> None:
        self.roots = (roots,) if isinstance(roots, Operation) else tuple(roots)
        self.target = target
        self.patterns = patterns
        self.mode = mode
        self.config = config or ConversionConfig()
        self.context: Context = patterns.context
        self.observer = self.config.observer or current_observer()
        own = [getattr(pattern, "type_converter", None) for pattern in patterns]
        self.converter = unify_converters([self.config.type_converter, *own])
        self.rewriter = ConversionRewriter()
        self.folds_first = self.config.folding is FoldingMode.BEFORE_PATTERNS
        self._attempt = self._attempt_unobserved if self.observer is None else self._attempt_observed
        self.graph = GenerationGraph(target, patterns)
        self.plans: dict[OperationKind, _ConversionPlan] = {}
        self.candidates: dict[Pattern[Any], _Candidate] = {}
        self.known: set[Operation] = set()
        """Operations that the driver visits one by one: all at the start, and the first ``known_inserted``
        inserted ones. `_nested_new` returns the others inside an operation; the set is empty until its first
        call.
        """
        self.known_inserted = 0
        self.operations: list[Operation] = []
        self.applying: list[Pattern[Any]] = []
        self.refusals: list[tuple[Pattern[Any], NoMatch]] = []
        self.recursive: set[Operation] = set()
        self.result = ConversionResult(True)

    # --- the whole

    def run(self) -> ConversionResult:
        """Legalise everything, materialise the casts that are needed, and commit; return the result. All
        changes are undone if a step fails, and in analysis mode.
        """
        with paused_collection():
            try:
                failed = self._convert_all() or (
                    self.mode is not ConversionMode.ANALYSIS and self._bridge_all()
                )
            except BaseException:
                self.rewriter.undo_to(0)
                raise
            if failed or self.mode is ConversionMode.ANALYSIS:
                self.rewriter.undo_to(0)
            else:
                Committer(self.rewriter).commit()
        return self.result

    def _convert_all(self) -> bool:
        """Legalise every operation in pre-order, and record in ``result`` the operations that stay without
        being legal, in analysis mode also the operations that can be legalised. Return True, with the error
        emitted, at the first operation that has to be converted and cannot be; else False.
        """
        self.operations = [op for root in self.roots for op in preorder(root, self._skips)]
        replaced, ignored = self.rewriter.replaced_ops, self.rewriter.ignored
        plans, observed, casts = self.plans, self.observer is not None, self.rewriter.casts
        for op in self.operations:
            if op in replaced or op in ignored:
                continue
            plan = plans.get(op.kind) or self._plan(op.kind)
            decided = plan.must_go and not (observed or op in casts)
            if self._by_fold_or_pattern(op, plan) if decided else self.legalize(op):
                if self.mode is ConversionMode.ANALYSIS and op not in self.recursive:
                    self.result.legalizable.append(op)
            elif self._is_failure(op):
                self._fail(op)
                return True
            else:
                self.result.unlegalized.append(op)
        return False

    def _skips(self, op: Operation) -> bool:
        return self.target.legality(op) is Legality.RECURSIVELY_LEGAL

    def _is_failure(self, op: Operation) -> bool:
        """Return whether the conversion fails if ``op`` could not be legalised, by the mode of the driver."""
        if self.mode is ConversionMode.ANALYSIS:
            return False
        return self.mode is ConversionMode.FULL or self.target.legality(op) is Legality.ILLEGAL

    def _fail(self, op: Operation) -> None:
        marked = self.target.legality(op) is Legality.ILLEGAL
        message = f"failed to legalize operation '{op.name}'"
        message += " that was explicitly marked illegal" if marked else ""
        error = Diagnostic(Severity.ERROR, message, op.location, codes.ILLEGAL_OPERATION)
        for pattern, refused in self.refusals[:MAXIMUM_REFUSALS_SHOWN]:
            error.note(f"pattern '{pattern.debug_name}' declined: {refused.reason}")
        if not self.refusals:
            error.note(f"no pattern is rooted at '{op.name}'")
        self._emit(error)

    def _emit(self, error: Diagnostic) -> None:
        if self.config.failure_message:
            message = self.config.failure_message
            self.context.diagnostics.emit(Diagnostic(Severity.ERROR, message, error.location, error.code))
        self.context.diagnostics.emit(error)
        self.result.succeeded = False
        self.result.diagnostic = error

    def _bridge_all(self) -> bool:
        unresolved = Committer(self.rewriter).resolve(self.converter)
        if unresolved is not None:
            self._emit(unresolved)
        return unresolved is not None

    # --- one operation

    def legalize(self, op: Operation) -> bool:
        """Make one operation legal, by replacing it if necessary.

        Return False, with nothing changed, if that is impossible.
        """
        plan = self.plans.get(op.kind) or self._plan(op.kind)
        legality = plan.legality or self.target.legality(op)
        if legality is Legality.LEGAL or legality is Legality.RECURSIVELY_LEGAL or op in self.rewriter.casts:
            return True
        return self._replace_illegal(op, plan)

    def _replace_illegal(self, op: Operation, plan: _ConversionPlan) -> bool:
        """Legalise an illegal operation by a fold or a pattern, and notify the observer. Return False, with
        nothing changed, if that is impossible.
        """
        observer = self.observer
        if observer is None:
            return self._by_fold_or_pattern(op, plan)
        observer.visit(op)
        done = self._by_fold_or_pattern(op, plan)
        observer.leave(op, "legalized" if done else "failed")
        return done

    def _plan(self, kind: OperationKind) -> _ConversionPlan:
        legality = self.target.legality_of_kind(kind)
        if legality is Legality.LEGAL:
            self.plans[kind] = _LEGAL
            return _LEGAL
        never = self.config.folding is FoldingMode.NEVER or ConstantLike in kind.trait_classes
        rule = None if never else self.context.fold(kind)
        known = self.candidates
        candidates = [
            known.get(p) or known.setdefault(p, _Candidate.of(p)) for p in self.patterns.of_kind(kind)
        ]
        folds = FoldPlans(rule) if rule is not None else None
        must_go = legality is Legality.ILLEGAL or legality is Legality.UNKNOWN
        plan = self.plans[kind] = _ConversionPlan(legality, folds, tuple(candidates), must_go)
        return plan

    def _by_fold_or_pattern(self, op: Operation, plan: _ConversionPlan) -> bool:
        _, folds, candidates, _ = plan
        folding = folds[definers_of(op)] if folds is not None else None
        if folding is not None and self.folds_first:
            folded = fold(op, folding)
            if folded is not None and self._by_folding(op, folded):
                return True
        refusals: list[tuple[Pattern[Any], NoMatch]] = []
        for candidate in candidates:
            pointless = candidate.names_products or candidate.pattern in self.applying
            refused = self._why_pointless(candidate.pattern) if pointless else None
            if refused is None:
                refused = self._attempt(candidate, op)
            if refused is None:
                return True
            refusals.append((candidate.pattern, refused))
        self.refusals = refusals
        folded = fold(op, folding) if folding is not None and not self.folds_first else None
        return folded is not None and self._by_folding(op, folded)

    def _by_folding(self, op: Operation, folded: Value | Attribute | Sequence[Value | Attribute]) -> bool:
        """Replace an operation by the result of its fold, and legalise new constants. Return False, with
        nothing changed, if a constant cannot be made or legalised.
        """
        entries = (folded,) if isinstance(folded, Value | Attribute) else folded
        rewriter = self.rewriter
        checkpoint, first = rewriter.checkpoint(), len(rewriter.inserted_ops)
        rewriter.place_before(op)
        values = [self._folded_value(entry, op, at) for at, entry in enumerate(entries)]
        if None not in values:
            rewriter.replace(op, values)
            if self._legalize_new(first) is None:
                return True
        self._undo(checkpoint, first, len(rewriter.modified_ops))
        return False

    def _folded_value(self, entry: Any, op: Operation, index: int) -> Value | None:
        if isinstance(entry, Value):
            return entry
        made = constant_hook(self.context, op)(entry, op.results[index].type, op.location)
        return self.rewriter.insert(made).results[0] if made is not None else None

    def _attempt_observed(self, candidate: _Candidate, op: Operation) -> NoMatch | None:
        assert self.observer is not None
        trial = partial(self._attempt_unobserved, candidate, op)
        return self.observer.observe(candidate.pattern, op, trial)

    def _attempt_unobserved(self, candidate: _Candidate, op: Operation) -> NoMatch | None:
        """Try one pattern and legalise the operations that it made. Return None on success; else undo all
        changes and return the reason.
        """
        rewriter, pattern = self.rewriter, candidate.pattern
        inserted, modified = rewriter.inserted_ops, rewriter.modified_ops
        checkpoint, first, changed = len(rewriter.journal), len(inserted), len(modified)
        block = op.parent
        assert block is not None, "the operation must be in a block"
        rewriter.point = InsertionPoint(block, op)
        refused: NoMatch | None
        if not candidate.is_conversion:
            refused = pattern.match_and_rewrite(op, rewriter)
        elif isinstance(operands := self._operands(candidate, op) if op.operands else (), NoMatch):
            refused = operands
        else:
            refused = pattern.match_and_rewrite(op, Adaptor(op, operands), rewriter)
        if refused is None and not (op in rewriter.replaced_ops and self._is_done(first, changed)):
            self.applying.append(pattern)
            refused = self._check_rewrite(op, first, changed)
            self.applying.pop()
        if refused is not None:
            self._undo(checkpoint, first, changed)
        return refused

    def _why_pointless(self, pattern: Pattern[Any]) -> NoMatch | None:
        if pattern in self.applying and not pattern.has_bounded_recursion:
            return NoMatch("it would be applied to operations that it made")
        return self.graph.refuses(pattern) if pattern.generated_ops else None

    def _is_done(self, first: int, changed: int) -> bool:
        """Return whether `_check_rewrite` can be skipped: since the counts ``first`` and ``changed`` no
        operation was modified, and all inserted operations are of legal kinds and have no regions.
        """
        rewriter, plan_of = self.rewriter, self.plans.get
        if len(rewriter.modified_ops) > changed:
            return False
        for new in rewriter.inserted_ops[first:]:
            if (plan_of(new.kind) or self._plan(new.kind)) is not _LEGAL or new.regions:
                return False
        return True

    def _check_rewrite(self, op: Operation, first: int, changed: int) -> NoMatch | None:
        """Return None if the changes by a pattern are complete, else the reason: `op` must be replaced, or be
        changed and legal now. The operations inserted since number ``first`` or changed in place since number
        ``changed`` are legalised first, which must succeed.
        """
        modified = self.rewriter.modified_ops
        refused = self._legalize_new(first)
        if refused is not None:
            return refused
        if len(modified) > changed:
            for other in dict.fromkeys(modified[changed:]):
                if not self.rewriter.is_gone(other) and other is not op and not self.legalize(other):
                    return NoMatch("'{}', changed in place, cannot be legalized", (other.name,))
        if self.rewriter.is_gone(op):
            return None
        if len(modified) == changed:
            return NoMatch("the pattern claims a rewrite and neither replaced nor changed the operation")
        return None if self.legalize(op) else NoMatch("the operation is illegal still")

    def _legalize_new(self, first: int) -> NoMatch | None:
        """Legalise the operations inserted since number `first`, and operations that their legalisation
        inserts. Return None, or the reason at the first that cannot be legalised.
        """
        inserted, plans, observed = self.rewriter.inserted_ops, self.plans, self.observer is not None
        at = first
        while at < len(inserted):
            op = inserted[at]
            at += 1
            plan = plans.get(op.kind) or self._plan(op.kind)
            if op.regions:
                for new in (op, *self._nested_new(op)):
                    if not self._legalize_made(new):
                        return NoMatch("failed to legalize generated operation '{}'", (new.name,))
            elif plan is _LEGAL or self._needs_nothing(op):  # most are
                continue
            else:
                quick = plan.must_go and not observed
                if not (self._by_fold_or_pattern(op, plan) if quick else self._legalize_made(op)):
                    return NoMatch("failed to legalize generated operation '{}'", (op.name,))
        return None

    def _needs_nothing(self, op: Operation) -> bool:
        """Return whether a new operation is gone, a provisional cast, or inside of a recursively legal one."""
        rewriter = self.rewriter
        return rewriter.is_gone(op) or op in rewriter.casts or op in self.recursive

    def _legalize_made(self, op: Operation) -> bool:
        if self._needs_nothing(op):
            return True
        plan = self.plans.get(op.kind) or self._plan(op.kind)
        verdict = plan.legality or self.target.legality(op)
        if verdict is Legality.LEGAL:
            return True
        if verdict is Legality.RECURSIVELY_LEGAL:
            self.recursive.update(op.walk())
            return True
        return self._replace_illegal(op, plan)

    def _nested_new(self, op: Operation) -> list[Operation]:
        inserted, known = self.rewriter.inserted_ops, self.known
        if not known:
            known.update(self.operations)
        known.update(inserted[self.known_inserted :])
        self.known_inserted = len(inserted)
        return [inner for inner in op.walk() if inner not in known]

    def _undo(self, checkpoint: int, first: int, changed: int) -> None:
        rewriter = self.rewriter
        rewriter.undo_to(checkpoint)
        self.known.difference_update(rewriter.inserted_ops[first : self.known_inserted])
        self.known_inserted = min(first, self.known_inserted)
        del rewriter.inserted_ops[first:]
        del rewriter.modified_ops[changed:]

    # --- operands

    def _operands(self, candidate: _Candidate, op: Operation) -> tuple[Any, ...] | NoMatch:
        """Return the operands that the pattern gets: the current replacements, cast to the types of the
        pattern's converter if they differ. `NoMatch` if a type cannot be converted, or if several values
        replace an operand and the pattern is not 1:N.
        """
        if candidate.several is not None:
            return self._operands_of_several(candidate, candidate.several, op)
        mapping, single = self.rewriter.mapping, candidate.single
        found: list[Any] = []
        for operand in op.operands:
            value: Any = mapping.get(operand, operand)
            is_newest = value is operand or (isinstance(value, Value) and value not in mapping)
            if not is_newest or value.type is not single.get(operand.type):
                value = self._operand(candidate.pattern, candidate.converter, operand)
                if isinstance(value, NoMatch):
                    return value
            found.append(value)
        return tuple(found)

    def _operands_of_several(
        self, candidate: _Candidate, types: dict[Type, tuple[Type, ...] | None], op: Operation
    ) -> tuple[Any, ...] | NoMatch:
        """Return `_operands` for a 1:N pattern, a tuple of values for each operand. `types` is the
        converter's cache of the types that replace each type.
        """
        mapping = self.rewriter.mapping
        is_newest = mapping.keys().isdisjoint
        found: list[Any] = []
        for operand in op.operands:
            latest: Any = mapping.get(operand, operand)
            parts: Any = (latest,) if isinstance(latest, Value) else latest
            if not is_newest(parts) or tuple([part.type for part in parts]) != types.get(operand.type):
                parts = self._operand(candidate.pattern, candidate.converter, operand)
                if isinstance(parts, NoMatch):
                    return parts
            found.append(parts)
        return tuple(found)

    def _operand(
        self, pattern: ConversionPattern[Any], converter: TypeConverter | None, operand: Value
    ) -> Any:
        latest = self.rewriter.lookup(operand)
        if converter is None:
            parts = (latest,) if isinstance(latest, Value) else latest
            return parts if pattern.one_to_n else self._only(parts, operand)
        types = converter.convert_value(operand)
        if types is None:
            return NoMatch("type {} of an operand cannot be converted", (operand.type,))
        parts = self._as_types(operand, latest, types, converter)
        return parts if pattern.one_to_n else self._only(parts, operand)

    def _only(self, parts: tuple[Value, ...], operand: Value) -> Any:
        if len(parts) == 1:
            return parts[0]
        return NoMatch("an operand of type {} stands for {} values now", (operand.type, len(parts)))

    def _as_types(
        self, operand: Value, latest: Any, types: tuple[Type, ...], converter: TypeConverter
    ) -> tuple[Value, ...]:
        parts = (latest,) if isinstance(latest, Value) else latest
        if tuple([part.type for part in parts]) == types:  # types are unique
            return parts
        if len(types) == 1:
            typed = self.rewriter.lookup_typed(operand, types[0])
            return (typed or bridge(self.context, self.rewriter, types[0], parts, converter),)
        return bridge_to_all(self.context, self.rewriter, types, operand, converter)


MAXIMUM_REFUSALS_SHOWN = 16
"""The maximum number of declined patterns listed when a conversion fails."""


def preorder(root: Operation, skips: Callable[[Operation], bool]) -> list[Operation]:
    """Return an operation and everything inside it: outer operations first, blocks after their dominators.
    ``skips`` returns True for operations whose contents are left out.
    """
    found = [root]

    def along(first: Operation) -> Operation | None:
        op: Operation | None = first
        while op is not None:
            found.append(op)
            if op.regions and not skips(op):
                return op
            op = op.next
        return None

    if not skips(root):
        scan_regions(root.regions, along, in_order)
    return found


def in_order(region: Region) -> list[Block]:
    """Return the blocks of a region, dominators first; unreachable blocks come last."""
    if len(region.blocks) < 2:
        return region.blocks
    reachable = reverse_post_order(region)
    known = set(reachable)
    return [*reachable, *(block for block in region.blocks if block not in known)]
