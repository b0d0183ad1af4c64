"""`nv-tileas-plan-kernel`: chooses the number of warps of each kernel's blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar, NamedTuple

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.nv_tileaa.attributes import USUAL_WARPS, KernelSpecAttr
from tilewright.dialects.nv_tileaa.ops.program import FuncOp
from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.operation import Operation
from tilewright.lowering.target_facts import target_of
from tilewright.lowering.tileas.encodings import values_in
from tilewright.lowering.tileas.kernel_plan.register_pressure import RegisterPressure
from tilewright.lowering.tileas_to_llvm.functions import THREADS
from tilewright.passes.pass_ import Pass, PassState

MOST_WARPS = 32
"""The maximum number of warps of a block, on every GPU."""
REGISTER_FILE = 1 << 16
"""The number of registers of a multiprocessor, on every GPU."""
MOST_REGISTERS = 255
"""The maximum number of registers of a thread, on every GPU."""
FOR_ADDRESSES = 40
"""The registers of a thread that are reserved for addresses, counters and masks. Kernels with products spill
registers if fewer are left.
"""


class Candidate(NamedTuple):
    """A possible number of warps of a block: ``needed`` is the number of registers that a thread then needs,
    ``available`` the number that it can have.
    """

    warps: int
    needed: int
    available: int

    @property
    def fits(self) -> bool:
        """Return whether a thread has enough registers, so that none is spilled."""
        return self.needed <= self.available

    def __str__(self) -> str:
        return f"{self.warps} warps: {self.needed} of {self.available} registers"


class WarpsPlan(NamedTuple):
    """The chosen number of warps of a kernel, and the reason as a phrase for a remark, such as ``a thread
    holds 64 of the elements of the largest tile``.
    """

    warps: int
    reason: str


def numbers_of_warps() -> Iterator[int]:
    """Yield the possible numbers of warps in ascending order: `USUAL_WARPS`, then its doubles up to
    `MOST_WARPS`.
    """
    warps = USUAL_WARPS
    while warps <= MOST_WARPS:
        yield warps
        warps *= 2


def plan_of(kernel: FuncOp, spec: KernelSpecAttr, chip: Chip | None, elements: int) -> WarpsPlan:
    """Return the number of warps for a kernel whose specification does not give it. With products on a GPU it
    is the smallest whose tiles fit into registers. If none fits, for other kernels, and for the host (`chip`
    is None), it is the result of `by_largest_tile`; `elements` is then the maximum number of elements of a
    tile in a thread.
    """
    if chip is not None and any(isinstance(op, DotOp) for op in kernel.walk()):
        pressure = RegisterPressure.of(kernel, chip)
        candidates = [
            Candidate(
                warps,
                pressure.maximum(warps) + FOR_ADDRESSES,
                available_registers(warps, max(spec.occupancy, 1)),
            )
            for warps in numbers_of_warps()
        ]
        if any(one.fits for one in candidates):
            return _smallest(candidates)
    return by_largest_tile(kernel, elements)


def available_registers(warps: int, blocks: int) -> int:
    """Return the maximum number of registers of a thread if a multiprocessor runs `blocks` blocks of `warps`
    warps at once, at most `MOST_REGISTERS`.
    """
    return min(MOST_REGISTERS, REGISTER_FILE // (THREADS * warps * blocks))


def _smallest(candidates: Sequence[Candidate]) -> WarpsPlan:
    """Return the plan of the smallest block whose tiles fit into registers; at least one of `candidates`
    fits.

    In a smaller block each warp computes a larger part of a product, and uses each element that it loads more
    often.
    """
    best = next(one for one in candidates if one.fits)
    return WarpsPlan(best.warps, "; ".join(map(str, candidates[: candidates.index(best) + 1])))


def by_largest_tile(kernel: FuncOp, elements: int) -> WarpsPlan:
    """Return the plan with the smallest number of warps at which a thread has at most `elements` elements of
    the largest tile, or with the maximum number of warps if there is none.
    """
    types = (value.type for value in values_in(kernel))
    largest = max((prod(type.shape) for type in types if isinstance(type, RankedTensorType)), default=1)
    numbers = list(numbers_of_warps())
    warps = next((one for one in numbers if largest <= one * THREADS * elements), MOST_WARPS)
    return WarpsPlan(
        warps, f"a thread holds {max(largest // (warps * THREADS), 1)} of the elements of the largest tile"
    )


@dataclass(frozen=True)
class PlanKernel(Pass):
    """Chooses the number of warps of each block, from 4 to 32.

    A kernel with products gets the smallest block whose threads have registers for all tiles that are in use at the same
    time, for the fragments of a step of each product, and for addresses. The occupancy that
    a kernel asks for leaves fewer registers. Other kernels, and those whose tiles fit nowhere, get as many warps as are
    needed for at most `elements` elements of a tile in a thread.

    A kernel whose specification has a number of warps keeps it, also if it is the default: the user has chosen. The
    results stay bit-identical, because the order in which elements are combined does not depend on the threads that
    hold them. With `explain`, a remark at each kernel says why it has its warps.
    """

    name: ClassVar[str] = "nv-tileas-plan-kernel"
    elements: int = 64
    explain: bool = False
    """Emit a remark at each kernel."""

    def run(self, op: Operation, state: PassState) -> None:
        target, changed = target_of(op), 0
        chip = target.gpu if target is not None else None
        for kernel in [inner for inner in op.walk() if isinstance(inner, FuncOp)]:
            spec = kernel.kernel_spec
            if spec is None:
                continue
            if spec.num_warps:
                plan = WarpsPlan(spec.num_warps, "the kernel asks for them")
            else:
                plan = plan_of(kernel, spec, chip, self.elements)
            if plan.warps != spec.warps:
                kernel.kernel_spec = spec.replace(num_warps=plan.warps)
                changed += 1
            if self.explain:
                state.remark(kernel, f"a block has {plan.warps} warps: {plan.reason}")
        state.report("num-changed", changed)
