"""The optimizer as a whole: its options, its pipeline, and `optimize`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.optimizer import codes, fuse_fma as optimizer_fuse_fma, induction_tiles, loop_split
from tilewright.optimizer.carried_values import SimplifyCarriedValues
from tilewright.optimizer.dead_accesses import EliminateDeadAccesses
from tilewright.optimizer.tokens import SimplifyTokens
from tilewright.passes.manager import PassManager, PassPipeline
from tilewright.passes.pass_ import Pass
from tilewright.passes.transforms.canonicalize import Canonicalize
from tilewright.passes.transforms.cse import CSE
from tilewright.passes.transforms.loop_invariant_code_motion import LoopInvariantCodeMotion

HIGHEST_LEVEL = 3
KERNEL, MODULE = "cuda_tile.entry", "cuda_tile.module"


@dataclass(frozen=True)
class OptimizerOptions:
    """The settings of the optimizer.

    ``opt_level`` is 0 to 3 (see `passes`), ``fuse_fma`` allows results to change by rounding products and sums
    together, ``split_threshold`` is the option of ``loop-split``. ``before`` and ``after`` are further passes over
    each kernel, which run first and last.
    """

    opt_level: int = HIGHEST_LEVEL
    fuse_fma: bool = False
    split_threshold: int = 1
    before: tuple[Pass, ...] = ()
    after: tuple[Pass, ...] = ()

    def passes(self) -> tuple[Pass, ...]:
        """Return the passes over each kernel, in order. Raises `DiagnosticError` (TW0850) for an
        ``opt_level`` outside of 0 to 3.
        """
        if not 0 <= self.opt_level <= HIGHEST_LEVEL:
            message = f"optimisation level {self.opt_level} does not exist"
            raise failure(codes.BAD_OPTIMIZER_OPTION, message, hint=f"levels are 0 to {HIGHEST_LEVEL}")
        fusing: tuple[Pass, ...] = (optimizer_fuse_fma.FuseFMA(),) if self.fuse_fma else ()
        levels = LEVELS[: self.opt_level]
        return (*self.before, *fusing, *(p for level in levels for p in level(self)), *self.after)


def _clean(options: OptimizerOptions) -> tuple[Pass, ...]:
    return (Canonicalize(), CSE(), SimplifyCarriedValues(), SimplifyTokens(), EliminateDeadAccesses())


def _move(options: OptimizerOptions) -> tuple[Pass, ...]:
    return (
        induction_tiles.ScalarizeInduction(),
        LoopInvariantCodeMotion(),
        CSE(),
    )  # results of two loops may be equal


def _split(options: OptimizerOptions) -> tuple[Pass, ...]:
    return (loop_split.LoopSplit(options.split_threshold), Canonicalize())


LEVELS = (_clean, _move, _split)
"""The passes that each level adds to the level below it."""


def add_passes(manager: PassManager, options: OptimizerOptions) -> PassManager:
    """Add the pipeline to `manager` and return it. For a `builtin.module` or `cuda_tile.module` the passes
    are nested down to the kernels; a manager with another anchor gets the passes itself.
    """
    kernels = manager
    if manager.anchor == "builtin.module":
        kernels = manager.nest(MODULE).nest(KERNEL)
    elif manager.anchor == MODULE:
        kernels = manager.nest(KERNEL)
    for pass_ in options.passes():
        kernels.add(pass_)
    return manager


def optimize(
    module: Operation, options: OptimizerOptions | None = None, context: Context | None = None
) -> Operation:
    """Optimise the kernels of a module in place, and return it. ``module`` is a `cuda_tile.module` or a
    `builtin.module` that contains some; a ``context`` is needed for modules with other dialects than
    ``cuda_tile``. Without ``options``, level 3 without `fuse_fma` is used. Raises `DiagnosticError` if a pass
    fails; the module is then as before that pass.
    """
    manager = PassManager(context or Context([CUDA_TILE]), module.name)
    add_passes(manager, options or OptimizerOptions()).run(module)
    return module


@dataclass(frozen=True)
class OptimizeCudaTile(PassPipeline):
    """The pipeline that kernels are optimised with.

    ``opt-level`` 0 does nothing, 1 canonicalises, merges equal operations and drops dead ones, 2 also moves
    invariant code out of loops, 3 also splits loops; other levels raise `DiagnosticError`.
    ``split-threshold`` is the number of operations that a branch must have for its loop to be split, as in
    `LoopSplit`: 1 accepts any branch, 0 none. ``fuse-fma`` comes first, at every level, if it is asked for:
    it changes results.
    """

    name: ClassVar[str] = "optimize-cuda-tile"
    opt_level: int = 3
    fuse_fma: bool = False
    split_threshold: int = 1

    def build(self, manager: PassManager) -> None:
        add_passes(manager, OptimizerOptions(self.opt_level, self.fuse_fma, self.split_threshold))
