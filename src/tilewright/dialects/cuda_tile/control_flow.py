"""The control flow of branches.

Loops have no edges here: a `continue` or `break` may come from any depth of branches, so analyses take every
value that they carry as unknown.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.common.constant_folding import splat_pattern
from tilewright.dialects.cuda_tile.interfaces import CodeMotion
from tilewright.ir.block import Region
from tilewright.ir.interfaces.control_flow import Constants, RegionBranchOpInterface
from tilewright.ir.interfaces.interface import concept
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


def _yielded(region: Region) -> Operation | None:
    """Return the `yield` of a branch; None if it has another terminator."""
    last = region.blocks[0].last if region.blocks else None
    return last if last is not None and concept(last, CodeMotion) is None else None


class IfBranches(RegionBranchOpInterface):
    """`if`: one of two branches runs, and yields the results unless it leaves the loop or the kernel."""

    def successors(self, op: Operation, origin: Region | None) -> Sequence[Region | None]:
        if origin is not None:
            return () if _yielded(origin) is None else (None,)
        return [region if region.blocks else None for region in op.regions]

    def forwarded(self, op: Operation, origin: Region | None, successor: Region | None) -> Sequence[Value]:
        last = None if origin is None else _yielded(origin)
        return () if last is None else last.operands

    def inputs(self, op: Operation, successor: Region | None) -> Sequence[Value]:
        return op.results if successor is None else ()

    def known_successors(
        self, op: Operation, origin: Region | None, constants: Constants
    ) -> Sequence[Region | None]:
        every = self.successors(op, origin)
        truth = splat_pattern(constants[0]) if origin is None else None
        return every if truth is None else (every[0 if truth else 1],)
