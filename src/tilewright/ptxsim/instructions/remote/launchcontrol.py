"""Cancelled clusters: `clusterlaunchcontrol`, by which running blocks take the work of blocks that have not started."""

from __future__ import annotations

import numpy as np

from tilewright.ptxsim import addresses as ptxsim_addresses, block as ptxsim_block, codes, program
from tilewright.ptxsim.asynchronous.bulk import arriving
from tilewright.ptxsim.code import Run, SimulatedStep
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.instruction_state import InstructionState
from tilewright.ptxsim.instructions import bulk as instructions_bulk, mbarriers, rules
from tilewright.ptxsim.values import Array, split

RESPONSE = 16
"""The size of a response in bytes: three coordinates, and 1 if a cluster was cancelled."""
AXES = {"get_first_ctaid::x": 0, "get_first_ctaid::y": 1, "get_first_ctaid::z": 2}


@rules.rule("clusterlaunchcontrol.try_cancel")
def try_cancel(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that cancels the launch of a cluster that has not started, if there is one, and
    writes the response to shared memory when a thread waits at the mbarrier (ISA, 9.7.13,
    clusterlaunchcontrol.try_cancel). It raises `Fault` after a response that said that none was left.
    """
    space = "space" if site.has("space") else ""
    places = ptxsim_addresses.StorageCells(site, "response", RESPONSE, space=space, align=RESPONSE)
    barriers = mbarriers.Barriers(site, "bar", space)

    def run(c: InstructionState) -> None:
        for one in instructions_bulk.each_thread(c):
            storage, starts = places.alone(one)
            ((owner, spot),) = barriers.spots(one)
            if storage is not one.block.shared or owner is not one.block:
                raise Fault(codes.BAD_COPY, "the response and its mbarrier lie in shared memory of the block")
            if one.block.no_more_clusters:
                raise Fault(
                    codes.BAD_COPY,
                    "a cluster is to be cancelled behind a response that none was left",
                    "stop asking once query_cancel.is_canceled is false",
                )
            _answer(one, int(starts[0]), spot, one.block.peers if site.has("multicast") else [one.block])

    return run


def _answer(c: InstructionState, start: int, spot: int, targets: list[ptxsim_block.SimulatedBlock]) -> None:
    """Cancel a cluster that has not started, if there is one, and start the writes of the response, which
    says whether one was cancelled, to the offset `start` of the shared memory of each block in `targets`. The
    mbarrier at the offset `spot` of each block counts the bytes.
    """
    base = c.block.launch.cancel()
    words = np.array([*(base or (0, 0, 0)), base is not None], np.uint32)
    into = start + np.arange(RESPONSE)
    for block in targets:
        barrier = mbarriers.existing(block, spot)
        arriving(c.block.launch.arrivals, barrier, block.shared, into, words.view(np.uint8), int(c.rows()[0]))


@rules.rule("clusterlaunchcontrol.query_cancel")
def query(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that decodes a response: whether a cluster was cancelled, or the index of its first
    block, which is undefined if none was.
    """
    read, slots = site.read("a", "b128")
    if site.has("is_canceled"):
        write = site.write("p")

        def told(c: InstructionState) -> None:
            c.defined(slots, "the response to a cancellation")
            flags = _words(c.spread(read(c)))[3] != 0
            c.block.no_more_clusters |= not flags.all()
            write(c, flags, None)

        return told
    if site.has("axis"):
        targets = [(AXES[site.modifier("axis")], site.write("d"))]
    else:
        names = site.elements("d")[:3]
        targets = [(at, site.resolver.write(one, "b32", site.names)) for at, one in enumerate(names)]

    def run(c: InstructionState) -> None:
        c.defined(slots, "the response to a cancellation")
        words = _words(c.spread(read(c)))
        unknown = words[3] == 0
        for at, put in targets:
            put(c, words[at], unknown if unknown.any() else None)

    return run


def _words(response: Array) -> list[Array]:
    return split(response, 4)
