"""The passes between the tile dialects; what they need is imported when one runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState


@dataclass(frozen=True)
class ConvertTileAAToTileAS(Pass):
    """Converts pointers, views, constants, functions and arithmetic on tiles from `nv_tileaa` and `arith` to `nv_tileas`.

    The pass has one type converter.  Patterns given as PDL are compiled before anything is converted; if that fails,
    or if something that has no TileAS form is left, the pass fails and nothing is changed.
    """

    name: ClassVar[str] = "convert-nv-tileaa-to-nv-tileas"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("nv_tileas", "llvm", "arith")

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.lowering.tileaa_to_tileas import convert_to_tileas

        convert_to_tileas(op, state)


@dataclass(frozen=True)
class ConvertTileAABodies(Pass):
    """Converts the bodies of functions of tiles from `nv_tileaa` to `nv_tileas`, `arith` and `math`.

    ``compute-capability`` says what code is made for: `host`, or a GPU such as `sm_100`; without it the module says so,
    or it is the host.  Operations that no other dialect has stay (see `docs/concepts/cascade.md`); if anything else of
    `nv_tileaa` is left, the pass fails and nothing is changed.
    """

    name: ClassVar[str] = "convert-tileaa-to-tileas"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("nv_tileas", "arith", "math")
    compute_capability: str = ""

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.lowering.tileaa_to_tileas_body import convert_bodies

        convert_bodies(op, state, self.compute_capability)


@dataclass(frozen=True)
class ConvertTileFunctions(Pass):
    """Converts functions of `nv_tileaa` to those of `func`, with arguments that LLVM knows; bodies stay.

    Kernels are marked `cute.kernel`; what they ask of a GPU becomes attributes of NVVM.
    """

    name: ClassVar[str] = "convert-nv-tile-func-to-llvm"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm", "func", "cutlass")

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.lowering.tile_func_to_llvm import convert_functions

        convert_functions(op, state)


PASSES: tuple[type[Pass], ...] = (
    ConvertTileAAToTileAS,
    ConvertTileAABodies,
    ConvertTileFunctions,
)
"""What start-up publishes."""
