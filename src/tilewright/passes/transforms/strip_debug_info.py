"""The pass that forgets locations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState


@dataclass(frozen=True)
class StripDebugInfo(Pass):
    """Removes the locations of all operations and block arguments: they become unknown."""

    name: ClassVar[str] = "strip-debuginfo"

    def run(self, op: Operation, state: PassState) -> None:
        for inner in op.walk():
            inner.location = UNKNOWN
            for region in inner.regions:
                for block in region.blocks:
                    block.argument_locations = None
