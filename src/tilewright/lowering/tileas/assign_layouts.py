"""`nv-tileas-assign-layouts`: the types of tiles say which thread holds which element."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import ClassVar

from tilewright.dialects.nv_tileaa.attributes import KernelSpecAttr
from tilewright.dialects.nv_tileaa.ops.program import FuncOp
from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr
from tilewright.ir.operation import Operation
from tilewright.lowering.tileas.distribution import blocked
from tilewright.lowering.tileas.encodings import encode
from tilewright.lowering.tileas_to_llvm.functions import THREADS
from tilewright.passes.pass_ import Pass, PassState


def assign_layouts(root: Operation) -> int:
    """Give every tile of the kernels below an operation its blocked layout; answers how many types changed."""
    kernels = [op for op in root.walk() if isinstance(op, FuncOp)]
    return sum(_encode(op, op.kernel_spec) for op in kernels if op.kernel_spec is not None)


def _encode(kernel: FuncOp, spec: KernelSpecAttr) -> int:
    threads = THREADS * spec.num_warps
    return encode(kernel, lambda type: _blocked(type.shape, threads))


@lru_cache
def _blocked(shape: tuple[int, ...], threads: int) -> LinearLayoutAttr:
    return LinearLayoutAttr.of(blocked(prod(shape), threads).over(shape))


@dataclass(frozen=True)
class AssignLayouts(Pass):
    """Gives every tile of a kernel the blocked layout of its number of elements, as the encoding of its type.

    Operations on elements then find all of their operands where their results are.  Operations that move elements (views,
    slices, reductions, products) go from the layouts of their operands to those of their results.
    """

    name: ClassVar[str] = "nv-tileas-assign-layouts"

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-changed", assign_layouts(op))
