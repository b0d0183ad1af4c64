"""`nv-tileas-materialise-conversions`: decides how each conversion of a layout moves its elements between
threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.nv_tileas import attributes as tileas_attributes, ops_tile as tileas_tile
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity
from tilewright.ir.operation import Operation
from tilewright.layouts.linear import LANE_BITS
from tilewright.lowering import codes
from tilewright.lowering.tileas.conversions.movements import conversion_of
from tilewright.lowering.tileas.distribution import Distribution, distribution_of
from tilewright.passes.pass_ import Pass, PassState

LANES = 1 << LANE_BITS


def broken_transfers(root: Operation) -> Iterator[Diagnostic]:
    """Yield an error for each conversion that has no transfer, or whose transfer, by registers or shuffles,
    cannot move the elements to their threads. Shared memory can always.
    """
    for op in root.walk():
        if isinstance(op, tileas_tile.ConvertLayoutOp):
            reason = _broken(op)
            if reason is not None:
                message = f"'{op.name}' {reason}"
                yield Diagnostic(Severity.ERROR, message, op.location, codes.BROKEN_TRANSFER)


def _broken(op: tileas_tile.ConvertLayoutOp) -> str | None:
    held, wanted = distribution_of(op.source.type), distribution_of(op.result.type)
    if op.transfer is None or held is None or wanted is None:
        return "does not say how elements get to their threads"
    if op.transfer is tileas_attributes.Transfer.REGISTERS and not _is_renamed(held, wanted):
        return "renames registers whose elements other threads hold"
    if op.transfer is tileas_attributes.Transfer.SHUFFLES and not _is_within_warps(held, wanted):
        return "shuffles elements that other warps have"
    return None


def _is_renamed(held: Distribution, wanted: Distribution) -> bool:
    """Return whether, in the distribution ``held``, each thread already holds the elements that it needs for
    ``wanted``, and the registers that hold them are the same in all threads.
    """
    return all(
        set(wanted.owned(thread)) <= set(held.owned(thread))
        and held.threads(thread) == wanted.threads(thread)
        for thread in range(held.threads.size)
    )


def _is_within_warps(held: Distribution, wanted: Distribution) -> bool:
    """Return whether, in the distribution ``held``, each warp holds the elements that it needs for
    ``wanted``.
    """
    return all(
        _of_warp(wanted, first) <= _of_warp(held, first) for first in range(0, held.threads.size, LANES)
    )


def _of_warp(side: Distribution, first: int) -> set[int]:
    """Return the numbers of the elements that a warp holds; `first` is its first thread."""
    return {element for thread in range(first, first + LANES) for element in side.owned(thread)}


@dataclass(frozen=True)
class MaterialiseConversions(Pass):
    """Decides how each conversion of a layout is made, and stores the decision as its attribute ``transfer``.

    If every thread has its elements, registers are renamed. If every warp has them, lanes exchange words by
    shuffles, provided that the shuffles and selects are not more instructions than two barriers and the
    accesses of shared memory. All other conversions use shared memory. At its end the pass verifies, for
    every thread, that the transfer moves the right elements.
    """

    name: ClassVar[str] = "nv-tileas-materialise-conversions"

    def run(self, op: Operation, state: PassState) -> None:
        for inner in [inner for inner in op.walk() if isinstance(inner, tileas_tile.ConvertLayoutOp)]:
            movement = conversion_of(inner)
            if movement is not None:
                inner.transfer = movement.transfer
                state.count(f"num-{inner.transfer.spelling}")
        broken = list(broken_transfers(op))
        if broken:
            raise DiagnosticError(broken)
