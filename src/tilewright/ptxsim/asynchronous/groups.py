"""`wgmma`: products of groups of four warps, completed when the group waits for them.

A product is computed when it is issued. Its results are kept aside until the wait, or arrive before it, and
their registers are undefined until then; a following product takes its addend from the results kept aside.
Registers and shared memory that a product reads must not change before the wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ptxsim import codes, storage as ptxsim_storage
from tilewright.ptxsim.asynchronous import arrivals as asynchronous_arrivals, bulk
from tilewright.ptxsim.block_state import RegisterFrame
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.values import Array

HINT = "registers that wgmma uses stay as they are until wgmma.wait_group"


class PendingResult:
    """The pending results of a register, for all threads of the block: `values` as words, a mask of the
    undefined ones (`poison`), and the group of the product that writes each (`groups`).
    """

    def __init__(self, threads: int) -> None:
        self.values: Any = np.zeros(threads, np.uint32)
        self.poison: Any = np.zeros(threads, np.bool_)
        self.groups: Any = np.full(threads, -1)
        """The group whose wait completes the last product of each lane; -1 if no product is in flight."""


@dataclass(slots=True, eq=False)
class PendingProduct:
    """The operands of a product in flight: the registers of `frame` that it reads with their values, by slot,
    and the offsets (`places`) in the shared memory `storage` that it reads. `lanes` are its threads in the
    block, `row` is the index of its first thread in the cluster, and `group` the number of its group. `time`
    is the number of the operation in the race detection. `ended` is set at the end of the product.
    """

    frame: RegisterFrame
    lanes: Array
    group: int
    registers: list[tuple[int, Array]]
    storage: ptxsim_storage.Storage
    places: list[Array]
    row: int
    """The index of its first thread in the cluster."""
    time: int = 0
    ended: bool = False

    def end(self) -> None:
        """Complete the product and allow writes to its shared memory. Raises `Fault` if a register that it
        reads was written.
        """
        self.ended = True
        for slot, before in self.registers:
            if (self.frame.values[slot][self.lanes] != before).any():
                raise Fault(codes.IN_FLIGHT, "a register of the first operand was written in flight", HINT)
        for places in self.places:
            self.storage.end_read(places)
        if self.storage.watch is not None:
            self.storage.watch.clocks.ended(self.row + np.arange(len(self.lanes)), self.row, self.time)


@dataclass(slots=True, eq=False)
class ProductResults:
    """The results of a product, which may be written to their registers (`slots` of the product's frame)
    before these are defined.
    """

    product: PendingProduct
    slots: list[int]
    words: Array
    """The results: (lanes, registers)."""

    def arrive(self) -> None:
        """Write the results to their registers, where they stay undefined until the wait. Do nothing if the
        product has ended.
        """
        if self.product.ended:
            return
        frame, lanes = self.product.frame, self.product.lanes
        for at, slot in enumerate(self.slots):
            values = frame.values[slot].copy()
            values[lanes] = self.words[:, at]
            frame.values[slot] = values


class GroupProducts:
    """The products in flight of a block of `threads` threads, and the values of the registers at the last
    `wgmma.fence` of each thread. `arrivals` chooses when the results arrive in their registers.
    """

    def __init__(self, threads: int, arrivals: asynchronous_arrivals.Arrivals) -> None:
        self.threads = threads
        self.arrivals = arrivals
        self.committed: Any = np.zeros(threads, np.int64)
        self.pending: list[PendingProduct] = []
        self.results: dict[tuple[int, int], tuple[RegisterFrame, PendingResult]] = {}
        self.fenced: dict[int, tuple[RegisterFrame, list[Any]]] = {}
        """The frame and the values of its registers at the last fence, by the first thread of each group of
        warps.
        """

    def fence(self, frame: RegisterFrame, lanes: Array) -> None:
        """Record the current registers of `frame` for the threads `lanes`, whole groups of four warps:
        products may use registers that do not change after this.
        """
        for first in lanes[::128]:
            self.fenced[int(first)] = (frame, list(frame.values))

    def check_fence(self, frame: RegisterFrame, lanes: Array, slots: Sequence[int]) -> None:
        """Raise `Fault` if a register of `slots` has another value than at the last fence of the threads
        `lanes`, whole groups of four warps, or if they have executed no fence in the activation `frame`.
        """
        for first in lanes[::128]:
            before = self.fenced.get(int(first))
            mine = slice(int(first), int(first) + 128)
            for slot in slots:
                same = (
                    before is not None
                    and before[0] is frame
                    and (
                        before[1][slot] is frame.values[slot]
                        or (before[1][slot][mine] == frame.values[slot][mine]).all()
                    )
                )
                if not same:
                    raise Fault(
                        codes.IN_FLIGHT,
                        "a register of wgmma was written after the last wgmma.fence",
                        "execute wgmma.fence between the write and the product",
                    )

    def flying(self, frame: RegisterFrame, slot: int, lanes: Array) -> PendingResult | None:
        """Return the pending results of the register `slot` of `frame`, or `None` if none of `lanes` has a
        product of it in flight. Raises `Fault` if the register was written in the meantime.
        """
        found = self.results.get((id(frame), slot))
        if found is None or (found[1].groups[lanes] < 0).all():
            return None
        poison = frame.poison[slot]
        if poison is None or not poison[lanes].all():
            raise Fault(
                codes.IN_FLIGHT, "an accumulator was written while a product of it is in flight", HINT
            )
        return found[1]

    def start(
        self, product: PendingProduct, slots: Sequence[int], words: Array, poison: Array | None
    ) -> None:
        """Start a product whose results go to the registers `slots`; `words` has their values and `poison`
        the mask of undefined ones (None: none), both (lanes, registers). The registers are undefined until
        the wait.
        """
        for places in product.places:
            product.storage.begin_read(places)
            product.time = bulk.started(product.storage, product.row, places, writes=False)
        self.pending.append(product)
        frame, lanes = product.frame, product.lanes
        for at, slot in enumerate(slots):
            _, result = self.results.setdefault((id(frame), slot), (frame, PendingResult(self.threads)))
            result.values[lanes] = words[:, at]
            result.poison[lanes] = False if poison is None else poison[:, at]
            result.groups[lanes] = product.group
            flags = frame.poison[slot]
            flags = np.zeros(self.threads, np.bool_) if flags is None else flags.copy()
            flags[lanes] = True
            frame.poison[slot] = flags
        self.arrivals.start(ProductResults(product, list(slots), words))

    def commit(self, lanes: Array) -> None:
        """Make a group of the products that the threads `lanes` started since their last commit."""
        self.committed[lanes] += 1

    def wait(self, lanes: Array, newest: int) -> None:
        """Complete the groups of the threads `lanes`, except for the newest `newest` groups of each: write
        their results to the registers, which are defined then. Raises `Fault` if a register that they use was
        written in flight.
        """
        limits = np.full(self.threads, -1)
        limits[lanes] = self.committed[lanes] - newest
        done = [one for one in self.pending if one.group < limits[one.lanes[0]]]
        for one in done:
            one.end()
        self.pending = [one for one in self.pending if one not in done]
        for (_, slot), (frame, result) in self.results.items():
            ended = (result.groups >= 0) & (result.groups < limits)
            if ended.any():
                self._publish(frame, slot, result, ended)

    def _publish(self, frame: RegisterFrame, slot: int, result: PendingResult, ended: Array) -> None:
        self.flying(frame, slot, np.flatnonzero(ended))
        values, poison = frame.values[slot].copy(), frame.poison[slot].copy()
        values[ended], poison[ended] = result.values[ended], result.poison[ended]
        frame.values[slot], frame.poison[slot] = values, poison if poison.any() else None
        result.groups[ended] = -1
        for first, (fenced, before) in self.fenced.items():
            if fenced is frame and ended[first]:
                before[slot] = values
