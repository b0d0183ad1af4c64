"""The passes of the optimizer; what they need is imported when one runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.ir.operation import Operation
from tilewright.passes.manager import PassManager, PassPipeline
from tilewright.passes.pass_ import Pass, PassState


@dataclass(frozen=True)
class FuseFMA(Pass):
    """Makes `fma` of products that are used once, in a sum or difference.

    Both must round in the same way and agree on flushing subnormals.  Results change: they are rounded once instead of
    twice.  Differences `a * b - c` get a `negf` for the addend; `c - a * b` stays.
    """

    name: ClassVar[str] = "fuse-fma"

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.optimizer.fuse_fma import fuse_multiply_add

        _report(state, "num-fused", fuse_multiply_add(op, state.context))


@dataclass(frozen=True)
class LoopSplit(Pass):
    """Splits a `for` in two where an `if` in it compares the counter to a value from outside.

    ``split-threshold`` is the number of operations that a branch must have to be worth it; a branch with a load, a
    store, a matrix product, a reduction or control flow always is.  1 takes any branch, 0 none.  The attribute
    `cuda_tile.loop_split` of an `if`, `for` or `entry` replaces the number for what is in it.  A loop is split once
    in a run; the condition becomes a constant in each half, and branches on it directly in the loop are gone.
    """

    name: ClassVar[str] = "loop-split"
    split_threshold: int = 1

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.optimizer.loop_split import split_loops

        _report(state, "num-split", split_loops(op, self.split_threshold, state.emit))


@dataclass(frozen=True)
class SimplifyCarriedValues(Pass):
    """Lets loops carry only values that change and are used.

    A value that every round hands on unchanged becomes the one that the loop started with; one that is only handed on,
    and whose last state nobody uses, is not carried any more.
    """

    name: ClassVar[str] = "simplify-carried-values"

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.optimizer.carried_values import simplify_carried_values

        _report(state, "num-simplified", simplify_carried_values(op))


@dataclass(frozen=True)
class ScalarizeInduction(Pass):
    """Lets loops carry how far a tile of integers or pointers has moved in place of the tile.

    Every round must add one number to all elements: a constant, or a scalar that is stretched.  The tile is then the one
    that the loop started with plus the distance, which is a scalar, so that facts about the first tile hold in every
    round; ``pointers += step`` keeps elements side by side.
    """

    name: ClassVar[str] = "scalarize-induction"

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.optimizer.induction_tiles import scalarize_induction

        _report(state, "num-scalarized", scalarize_induction(op))


@dataclass(frozen=True)
class SimplifyTokens(Pass):
    """Removes tokens from `join_tokens` that add no order, joins that join nothing, and tokens that nobody uses."""

    name: ClassVar[str] = "simplify-tokens"

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.optimizer.tokens import simplify_tokens

        _report(state, "num-simplified", simplify_tokens(op))


@dataclass(frozen=True)
class EliminateDeadAccesses(Pass):
    """Erases weak loads, views, promises and operations without effects whose values nobody uses.

    Who waits for the token of an erased load waits for what the load waited for.
    """

    name: ClassVar[str] = "eliminate-dead-accesses"

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.optimizer.dead_accesses import eliminate_dead_accesses

        _report(state, "num-erased", eliminate_dead_accesses(op))


@dataclass(frozen=True)
class SynthesizeDebugInfoScopes(Pass):
    """Gives kernels without debug scopes a subprogram each, made from their locations, so that line tables work.

    All kernels share a compile unit, whose file is that of the module's location.  What has no place in a file gets
    that of its kernel.  Kernels with a scope stay as they are.
    """

    name: ClassVar[str] = "synthesize-debug-info-scopes"
    anchor: ClassVar[str | None] = "cuda_tile.module"

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.optimizer.debug_scopes import synthesize_scopes

        _report(state, "num-scopes", synthesize_scopes(op))


@dataclass(frozen=True)
class OptimizeCudaTile(PassPipeline):
    """The pipeline that kernels are optimised with.

    ``opt-level`` 0 does nothing, 1 canonicalises, merges equal operations and drops dead ones, 2 also moves invariant
    code out of loops, 3 also splits loops (with ``split-threshold``).  ``fuse-fma`` comes first, at every level, if it
    is asked for: it changes results.
    """

    name: ClassVar[str] = "optimize-cuda-tile"
    opt_level: int = 3
    fuse_fma: bool = False
    split_threshold: int = 1

    def build(self, manager: PassManager) -> None:
        from tilewright.optimizer.pipeline import OptimizerOptions, add_passes

        add_passes(manager, OptimizerOptions(self.opt_level, self.fuse_fma, self.split_threshold))


def _report(state: PassState, statistic: str, changes: int) -> None:
    state.count(statistic, changes)
    if not changes:
        state.preserve_all()


PASSES: tuple[type[Pass], ...] = (
    FuseFMA,
    LoopSplit,
    SimplifyCarriedValues,
    ScalarizeInduction,
    SimplifyTokens,
    EliminateDeadAccesses,
    SynthesizeDebugInfoScopes,
    OptimizeCudaTile,
)
"""What start-up publishes."""
