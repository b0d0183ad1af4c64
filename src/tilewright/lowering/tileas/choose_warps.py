"""`nv-tileas-choose-warps`: how many warps work on the tiles of a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import ClassVar

from tilewright.dialects.nv_tileaa.attributes import USUAL_WARPS
from tilewright.dialects.nv_tileaa.ops.program import FuncOp
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.operation import Operation
from tilewright.lowering.tileas.encodings import values_in
from tilewright.lowering.tileas_to_llvm.functions import THREADS
from tilewright.passes.pass_ import Pass, PassState

MOST_WARPS = 32
"""Of a block, on every GPU."""


def largest_tile(kernel: FuncOp) -> int:
    """Return the elements of the largest tile of a kernel."""
    types = (value.type for value in values_in(kernel))
    return max((prod(type.shape) for type in types if isinstance(type, RankedTensorType)), default=1)


def warps_for(elements: int, vector_width: int) -> int:
    """Return the smallest number of warps, from the default on, that leaves a thread at most ``vector_width``
    elements of a tile.
    """
    warps = USUAL_WARPS
    while warps < MOST_WARPS and elements > warps * THREADS * vector_width:
        warps *= 2
    return warps


@dataclass(frozen=True)
class ChooseWarps(Pass):
    """Gives kernels with large tiles more warps, so that no thread holds more elements of a tile than `elements`.

    A block has at most 32 warps, whose threads hold the rest. A kernel whose specification has a number of warps keeps
    it, also if it is the default: the user has chosen. The results stay bit-identical, because the order in
    which elements are combined does not depend on the threads that hold them.
    """

    name: ClassVar[str] = "nv-tileas-choose-warps"
    elements: int = 64

    def run(self, op: Operation, state: PassState) -> None:
        changed = 0
        for kernel in [inner for inner in op.walk() if isinstance(inner, FuncOp)]:
            spec = kernel.kernel_spec
            if spec is None or spec.num_warps:
                continue
            warps = warps_for(largest_tile(kernel), self.elements)
            if warps != spec.warps:
                kernel.kernel_spec = spec.replace(num_warps=warps)
                changed += 1
        state.report("num-changed", changed)
