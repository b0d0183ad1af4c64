"""The pass from Tile IR to `nv_tileaa`; what it needs is imported when it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState


@dataclass(frozen=True)
class ConvertCudaTileToTileAA(Pass):
    """Converts kernels of Tile IR to `nv_tileaa`, `arith`, `math` and `scf`; no operation of `cuda_tile` survives.

    ``compute-capability`` is what code is made for: a GPU such as `sm_100`, or `host`, the processor. The contents of
    a `cuda_tile.module` go into the module around it. If anything cannot be converted the pass fails and nothing is
    changed.
    """

    name: ClassVar[str] = "convert-cuda-tile-to-tileaa"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("nv_tileaa", "arith", "math", "scf", "ub", "llvm")
    compute_capability: str = "host"

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.lowering.cuda_tile_to_tileaa.capability import parse_capability
        from tilewright.lowering.cuda_tile_to_tileaa.conversion import convert_to_tileaa

        convert_to_tileaa(op, state, parse_capability(self.compute_capability))


@dataclass(frozen=True)
class ConvertCudaTileToTileAAAlias(ConvertCudaTileToTileAA):
    """Another spelling of ``convert-cuda-tile-to-tileaa``, as pass lists have it."""

    name: ClassVar[str] = "convert-cudatile-to-tileaa"


PASSES: tuple[type[Pass], ...] = (ConvertCudaTileToTileAA, ConvertCudaTileToTileAAAlias)
"""What start-up publishes."""
