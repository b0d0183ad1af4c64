"""The pipeline `clamp-to-tile-ir`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.passes.manager import PassManager, PassPipeline
from tilewright.passes.transforms.canonicalize import Canonicalize
from tilewright_clamp.lower import LowerClamp


@dataclass(frozen=True)
class ClampToTileIR(PassPipeline):
    """Turns the dialect `clamp` into Tile IR, and simplifies what comes of it."""

    name: ClassVar[str] = "clamp-to-tile-ir"

    def build(self, manager: PassManager) -> None:
        manager.add(LowerClamp()).add(Canonicalize())
