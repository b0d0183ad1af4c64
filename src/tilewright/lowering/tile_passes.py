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
class ConvertTileAAToTileASAlias(ConvertTileAAToTileAS):
    """Another spelling of ``convert-nv-tileaa-to-nv-tileas``, as pass lists have it."""

    name: ClassVar[str] = "convert-tileaa-to-tileas"


PASSES: tuple[type[Pass], ...] = (ConvertTileAAToTileAS, ConvertTileAAToTileASAlias)
"""What start-up publishes."""
