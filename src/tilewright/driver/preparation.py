"""The steps between reading a module and the first pass that lowers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.driver.stages import SharedCompilation
    from tilewright.passes.manager import PassManager


def wrapped(module: Operation) -> Operation:
    """Return a copy of `module`. If it is not a ``builtin.module``, the copy is put into a new one, which is
    returned.
    """
    from tilewright.dialects.builtin.dialect import ModuleOp
    from tilewright.ir.block import Block, Region

    copy = module.clone()
    if isinstance(copy, ModuleOp):
        return copy
    around = ModuleOp(sym_name=None, sym_visibility=None, bodyRegion=Region([Block()]))
    around.regions[0].block.append(copy)
    return around


def insert_checks(artifact: SharedCompilation, module: Operation) -> None:
    """Insert the checks of values that the options select, if any, into `module`. This precedes the
    optimizer, which could fold the checked operations.
    """
    from tilewright.instrument.insert import InsertChecks
    from tilewright.optimizer.pipeline import KERNEL, MODULE

    def add(manager: PassManager) -> None:
        manager.nest(MODULE).nest(KERNEL).add(InsertChecks(artifact.options.checks))

    if artifact.options.checks:
        artifact.run_manager(add, module, "insert checks")


def _checks_in_code(artifact: SharedCompilation) -> tuple[str, ...]:
    """Return the selected checks that are compiled into the code, without the checks that the target makes
    when it runs a kernel.
    """
    code, checks = artifact.target.code, artifact.options.checks
    others = frozenset[str]() if code is None else code.checks_of_runner
    return tuple(name for name in checks if name not in others)


def mark_accesses(artifact: SharedCompilation, module: Operation) -> None:
    """Mark the accesses to memory that the back end is to check, if the options select checks that are
    compiled into the code.
    """
    from tilewright.instrument.insert import MarkAccesses

    checks = _checks_in_code(artifact)
    if checks:
        artifact.run_manager(lambda manager: manager.add(MarkAccesses(checks)), module, "mark accesses")


def optimise(artifact: SharedCompilation, module: Operation) -> None:
    """Run the optimizer of Tile IR on a module, at the level of the artifact's options; a level without
    passes changes nothing.
    """
    from tilewright.optimizer.pipeline import OptimizerOptions, add_passes

    options = OptimizerOptions(opt_level=artifact.options.opt_level)
    if options.passes():
        artifact.run_manager(lambda manager: add_passes(manager, options), module, "optimize")
