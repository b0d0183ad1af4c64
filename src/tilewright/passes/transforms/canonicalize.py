"""Canonicalisation: folding and the canonicalisation patterns of all dialects, to a fixed point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import ClassVar

from tilewright.ir.context import Context
from tilewright.ir.declaration.traits import Commutative, ConstantLike
from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.passes import codes
from tilewright.passes.pass_ import Pass, PassState
from tilewright.passes.transforms.region_simplification import simplify_regions
from tilewright.rewrite.greedy import GreedyConfig, apply_patterns_greedily
from tilewright.rewrite.pattern import MAXIMUM_BENEFIT, Definers, NoMatch, RewritePattern
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet
from tilewright.rewrite.rewriter import Rewriter


def _is_constant(value: Value) -> bool:
    return isinstance(value, OpResult) and ConstantLike in value.owner.kind.trait_classes


class ConstantsLast(RewritePattern[Operation], root=Commutative, benefit=MAXIMUM_BENEFIT):
    """Moves a constant to the right of a commutative operation, where other patterns expect it: ``c + x``
    becomes ``x + c``.
    """

    def may_match(self, definers: Definers) -> bool:
        are_constants = [kind is not None and ConstantLike in kind.trait_classes for kind in definers]
        return are_constants != sorted(are_constants)

    def match_and_rewrite(self, op: Operation, rewriter: Rewriter) -> NoMatch | None:
        ordered = sorted(op.operands, key=_is_constant)  # stable: equal ones keep their order
        if all(a is b for a, b in zip(ordered, op.operands, strict=True)):
            return rewriter.no_match("the constants are last")
        rewriter.set_operands(op, ordered)
        return None


def canonicalization_patterns(context: Context) -> RewritePatternSet:
    """Return the patterns of all loaded dialects, and `ConstantsLast`, which applies by trait."""
    patterns = RewritePatternSet(context, [ConstantsLast()])
    for name in sorted(context.dialects):
        hook = context.dialects[name].canonicalization_patterns
        if hook is not None:
            patterns.add(*hook())
    return patterns


MAXIMUM_SETS = 16
"""The maximum number of frozen sets kept, for combinations of dialects and options."""


@lru_cache(maxsize=MAXIMUM_SETS)
def _frozen_patterns(
    dialects: tuple[Dialect, ...], disabled: tuple[str, ...], enabled: tuple[str, ...]
) -> FrozenRewritePatternSet:
    """Return the frozen patterns of dialects that `disabled` and `enabled`, names or labels of patterns,
    choose, in a context of their own; all contexts with these dialects share them.
    """
    context = Context(available={dialect.name: lambda dialect=dialect: dialect for dialect in dialects})
    context.load_available()
    return FrozenRewritePatternSet(canonicalization_patterns(context), disabled=disabled, enabled=enabled)


class RegionSimplification(StrEnum):
    """How far the blocks of regions are simplified: not at all, without merging blocks, or with merging equal
    blocks.
    """

    DISABLED = "disabled"
    NORMAL = "normal"
    AGGRESSIVE = "aggressive"


@dataclass(frozen=True)
class Canonicalize(Pass):
    """Brings operations into canonical form: folds, applies the patterns of all dialects, removes dead operations.

    ``top-down`` visits operations before their users.  ``region-simplify`` (disabled, normal, aggressive) removes
    blocks that cannot be reached and unused arguments; aggressive also merges equal blocks.
    ``max-iterations`` and ``max-num-rewrites`` are the limits (-1: none); ``test-convergence`` makes it a failure to
    reach them.  ``disable-patterns`` and ``enable-patterns`` choose patterns by name or label.
    """

    name: ClassVar[str] = "canonicalize"
    top_down: bool = True
    region_simplify: RegionSimplification = RegionSimplification.NORMAL
    max_iterations: int = 10
    max_num_rewrites: int = -1
    test_convergence: bool = False
    disable_patterns: tuple[str, ...] = ()
    enable_patterns: tuple[str, ...] = ()

    def run(self, op: Operation, state: PassState) -> None:
        for name in sorted({inner.kind.dialect for inner in op.walk()}):
            state.context.dialect(name)  # loads the patterns of a dialect whose operations alone are loaded
        changed, converged = self.simplify(op, self.patterns(state.context), state.context)
        if self.test_convergence and not converged:
            message = "canonicalization did not reach a fixed point"
            raise state.fail(Diagnostic(Severity.ERROR, message, op.location, codes.PASS_FAILED))
        if not changed:
            state.preserve_all()

    def patterns(self, context: Context) -> FrozenRewritePatternSet:
        """Return the canonicalisation patterns of the dialects loaded in ``context`` that the options choose."""
        dialects = tuple([context.dialects[name] for name in sorted(context.dialects)])
        return _frozen_patterns(dialects, self.disable_patterns, self.enable_patterns)

    def simplify(
        self, op: Operation, patterns: FrozenRewritePatternSet, context: Context
    ) -> tuple[bool, bool]:
        """Canonicalise ``op`` within the limits of the options. Return whether anything changed, and whether
        a fixed point was reached.
        """
        changed = converged = False
        for changed_now, converged_now in self._iterations(op, patterns, context):
            changed, converged = changed or changed_now, converged_now
        return changed, converged

    def _iterations(
        self, op: Operation, patterns: FrozenRewritePatternSet, context: Context
    ) -> Iterator[tuple[bool, bool]]:
        """Alternate between patterns and simplification of regions; yield for each iteration whether it
        changed anything and whether it converged.
        """
        limit = None if self.max_iterations < 0 else self.max_iterations
        rewrites = None if self.max_num_rewrites < 0 else self.max_num_rewrites
        config = GreedyConfig(top_down=self.top_down, max_iterations=limit, max_rewrites=rewrites)
        simplified, iterations = True, 0
        while simplified and (limit is None or iterations < max(limit, 1)):
            done = apply_patterns_greedily(op, patterns, context, config)
            simplified = done.converged and self._simplify(op)
            iterations += 1
            yield done.changed or simplified, done.converged and not simplified

    def _simplify(self, op: Operation) -> bool:
        if self.region_simplify is RegionSimplification.DISABLED:
            return False
        aggressive = self.region_simplify is RegionSimplification.AGGRESSIVE
        return simplify_regions(op.regions, merge_blocks=aggressive)
