"""What lies between reading a module and the first pass that lowers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.driver.artifact import Artifact


def wrapped(module: Operation) -> Operation:
    """A copy of a module inside of a `builtin.module`, which is what it is lowered in."""
    from tilewright.dialects.builtin.ops import ModuleOp
    from tilewright.ir.block import Block, Region

    copy = module.clone()
    if isinstance(copy, ModuleOp):
        return copy
    around = ModuleOp(sym_name=None, sym_visibility=None, bodyRegion=Region([Block()]))
    around.regions[0].block.append(copy)
    return around


def optimise(artifact: Artifact, module: Operation) -> None:
    """Run the optimizer of Tile IR on a module, at the level of the artifact's options."""
    from tilewright.optimizer.pipeline import OptimizerOptions, add_passes

    options = OptimizerOptions(opt_level=artifact.options.opt_level)
    if options.passes():
        artifact.run_manager(lambda manager: add_passes(manager, options), module, "optimize")
