"""Barriers in shared memory: `mbarrier`, and the arrival of `cp.async`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ptx.model import Name
from tilewright.ptxsim import addresses as ptxsim_addresses, block as ptxsim_block, codes, faults, program
from tilewright.ptxsim.asynchronous.arrivals import Arrival
from tilewright.ptxsim.asynchronous.mbarriers import Mbarrier
from tilewright.ptxsim.code import Run, SimulatedStep
from tilewright.ptxsim.instruction_state import InstructionState
from tilewright.ptxsim.instructions.rules import rule
from tilewright.ptxsim.values import Array


class Barriers:
    """The mbarriers at the addresses in the operand `name` of an instruction, in the state space that the
    modifier `space` names.
    """

    def __init__(self, site: program.InstructionSite, name: str = "a", space: str = "space") -> None:
        self.places = ptxsim_addresses.StorageCells(site, "use of an mbarrier", 8, name, space=space)

    def spots(self, c: InstructionState) -> list[tuple[ptxsim_block.SimulatedBlock, int]]:
        """Return the block and the offset of each thread's mbarrier.

        Raises `Fault` for an address outside shared memory.
        """
        found: list[Any] = [None] * len(c.numbers())
        for storage, places, chosen in self.places.find(c):
            owner = next((one for one in c.block.peers if one.shared is storage), None)
            if owner is None:
                raise faults.Fault(
                    codes.OUT_OF_BOUNDS, f"an mbarrier in {storage.name} memory; they lie in shared memory"
                )
            threads = range(len(found)) if chosen is None else chosen
            for at, place in zip(threads, places, strict=True):
                found[int(at)] = owner, int(place)
        return found

    def find(self, c: InstructionState) -> list[Mbarrier]:
        """Return each thread's mbarrier, and record that the threads use it. Raises `Fault` if there is none,
        or for a race with its initialisation.
        """
        spots = self.spots(c)
        found = [existing(owner, place) for owner, place in spots]
        if c.block.clocks is not None:
            for row, one in zip(c.rows().tolist(), found, strict=True):
                one.used[row] = int(c.block.clocks.times[row])
        for owner in c.block.peers:
            if owner.shared.watch is not None:
                mine = [at for at, (other, _) in enumerate(spots) if other is owner]
                if mine:
                    owner.shared.watch.look(c.rows()[mine], np.array([spots[at][1] for at in mine]))
        return found


def existing(owner: ptxsim_block.SimulatedBlock, place: int) -> Mbarrier:
    """Return the mbarrier at the offset `place` of the shared memory of `owner`. Raises `Fault` if there is
    none.
    """
    found = owner.mbarriers.get(place)
    if found is None:
        raise faults.Fault(
            codes.BAD_MBARRIER,
            f"there is no mbarrier at shared address {place:#x}",
            "mbarrier.init makes one, before a barrier of the threads that use it",
        )
    return found


def _amounts(site: program.InstructionSite, name: str) -> Callable[[InstructionState], Array]:
    """Return the reader of the operand `name`, a count for each thread, which must be defined; 1 if the
    operand is left out.
    """
    if site.operand(name) is None:
        return lambda c: c.spread(np.uint32(1))
    read, slots = site.read(name, "u32")

    def amounts(c: InstructionState) -> Array:
        c.defined(slots, "the count of an mbarrier")
        return c.spread(read(c))

    return amounts


@rule("mbarrier.init")
def init(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that initialises an mbarrier with a count of arrivals. It raises `Fault` if there
    is one at the address.
    """
    barriers, counts = Barriers(site), _amounts(site, "count")

    def run(c: InstructionState) -> None:
        for row, (owner, place), count in zip(c.rows(), barriers.spots(c), counts(c), strict=True):
            if place in owner.mbarriers:
                raise faults.Fault(
                    codes.BAD_MBARRIER,
                    f"there is an mbarrier at shared address {place:#x} already",
                    "mbarrier.inval ends it",
                )
            owner.mbarriers[place] = Mbarrier(place, int(count), owner.notify, owner.zero_clock().threads)
            owner.shared.set_barrier(place, True)
            if owner.shared.watch is not None:
                owner.shared.watch.access(np.array([row]), np.array([place]), 8, writes=True)

    return run


@rule("mbarrier.inval")
def inval(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that invalidates an mbarrier. It raises `Fault` if operations on the mbarrier are
    pending, or if no synchronisation orders it after the use by another thread.
    """
    barriers = Barriers(site)

    def run(c: InstructionState) -> None:
        for row, (owner, place) in zip(c.rows().tolist(), barriers.spots(c), strict=True):
            found = existing(owner, place)
            _check_unused(c, row, found)
            if found.unfinished():
                raise faults.Fault(codes.IN_FLIGHT, f"copies that arrive at {found} have not ended")
            del owner.mbarriers[place]
            owner.shared.set_barrier(place, False)

    return run


def _check_unused(c: InstructionState, row: int, barrier: Mbarrier) -> None:
    """Raise `Fault` unless every use of an mbarrier is ordered before this step of the thread `row`."""
    clocks = c.block.clocks
    for other, time in barrier.used.items() if clocks is not None else ():
        if other != row and clocks is not None and clocks.known[row, other] < time:
            raise faults.Fault(
                codes.RACE,
                f"{barrier} ends, and no synchronisation orders this after thread {other}, which used it",
                "put a barrier of the threads that use it before mbarrier.inval",
            )


_SIGNS = {"mbarrier.expect_tx": 1, "mbarrier.complete_tx": -1}
"""The sign of an instruction's change of the bytes that a phase waits for."""


@rule(*_SIGNS)
def transactions(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that changes the number of bytes that the phase of an mbarrier waits for:
    `expect_tx` adds bytes, `complete_tx` subtracts them, which may end the phase.
    """
    barriers, counts = Barriers(site), _amounts(site, "count")
    sign = _SIGNS[site.form.name]

    def run(c: InstructionState) -> None:
        for found, count in zip(barriers.find(c), counts(c), strict=True):
            found.expect(sign * int(count))

    return run


@rule("mbarrier.arrive", "mbarrier.arrive_drop")
def arrive(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that arrives at an mbarrier, after adding expected bytes if the form has them; the
    result is the state before.
    """
    barriers, counts = Barriers(site), _amounts(site, "count")
    drop, promises, completes = "drop" in site.form.name, site.has("expect_tx"), not site.has("noComplete")
    releases = site.modifier("sem") != "relaxed"
    target = site.operand("state")
    write = None if isinstance(target, Name) and target.text == "_" else site.write("state")

    def run(c: InstructionState) -> None:
        tokens: list[int] = []
        for row, found, count in zip(c.rows(), barriers.find(c), counts(c), strict=True):
            if promises:
                found.expect(int(count))
            if releases and c.block.clocks is not None:
                c.block.clocks.publish(np.array([row]), found.arriving)
            tokens.append(found.arrive(1 if promises else int(count), drop=drop, completes=completes))
        if write is not None:
            write(c, np.array(tokens, np.uint64), None)

    return run


@rule("mbarrier.pending_count")
def pending(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that reads the number of pending arrivals from the state of an mbarrier."""
    (read, slots), write = site.read("state", "u64"), site.write("count")

    def run(c: InstructionState) -> None:
        c.defined(slots, "the state of an mbarrier")
        write(c, (c.spread(read(c)) & np.uint64(0xFFFFFFFF)).astype(np.uint32), None)

    return run


@dataclass(slots=True)
class PhaseWait:
    """A wait for the end of a phase of the mbarriers that `barriers` finds. ``value`` reads the parity of the
    phase if `parity` is set, else an earlier state of the mbarrier; ``write`` writes whether the phase has
    ended. With ``acquires`` the thread learns the accesses that were released by arrivals.
    """

    barriers: Barriers
    value: tuple[program.Read, tuple[int, ...]]
    parity: bool
    write: program.Write
    acquires: bool

    def passed(self, c: InstructionState) -> Array:
        """Return for each thread whether its phase has ended; operations that arrive at the mbarrier are
        completed first.
        """
        c.defined(self.value[1], "the phase that is waited for")
        flags: list[bool] = []
        barriers = self.barriers.find(c)
        for one in dict.fromkeys(barriers):
            one.complete_pending(c.block.launch.arrivals)
        for row, found, value in zip(c.rows(), barriers, c.spread(self.value[0](c)), strict=True):
            flags.append(found.passed_parity(int(value) & 1) if self.parity else found.passed(int(value)))
            if flags[-1] and self.acquires and c.block.clocks is not None:
                c.block.clocks.learn(np.array([row]), found.arrived)
        return np.array(flags)


@rule("mbarrier.test_wait", "mbarrier.try_wait")
def wait(site: program.InstructionSite, step: SimulatedStep) -> None:
    """Let `step` wait for a phase of an mbarrier. Both forms (`test_wait` and `try_wait`) may block here, and
    write false if no thread can continue.
    """
    parity = site.has("parity")
    value = site.read("phase", "u32") if parity else site.read("state", "u64")
    step.control, step.detail = (
        "mwait",
        PhaseWait(Barriers(site), value, parity, site.write("p"), site.modifier("sem") != "relaxed"),
    )


@rule("cp.async.mbarrier.arrive")
def copies_arrive(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that starts an arrival at an mbarrier, which completes once the copies that the
    thread started before have ended; the thread does not wait. Without `.noinc` the phase waits for one
    arrival more.
    """
    barriers, promises = Barriers(site), not site.has("noinc")

    def run(c: InstructionState) -> None:
        for number, found in zip(c.numbers(), barriers.find(c), strict=True):
            if promises:
                found.promise()
            found.operations.append(_arrival(c.block, found, np.array([number])))

    return run


def _arrival(block: ptxsim_block.SimulatedBlock, barrier: Mbarrier, lanes: Array) -> Arrival:
    limits = np.full(block.threads, -1)
    limits[lanes] = block.copies.started

    def put() -> None:
        if block.clocks is not None:
            block.clocks.publish(lanes + block.rank * block.threads, barrier.arriving)
        barrier.arrive(1)

    return Arrival(put, lambda: block.copies.end_before(limits))
