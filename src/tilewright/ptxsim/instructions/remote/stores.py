"""Stores that a thread does not wait for, and stores of many bytes: `st.async`, `st.bulk`, `discard`, policies."""

from __future__ import annotations

import numpy as np

from tilewright.ptxsim import code as ptxsim_code, codes, instruction_state, program
from tilewright.ptxsim.addresses import StorageCells
from tilewright.ptxsim.asynchronous.bulk import arriving
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.instructions import bulk as instructions_bulk, copies, mbarriers, rules
from tilewright.ptxsim.values import dtype, unsigned_bits

PIECE = 8
"""The unit of `st.bulk` in bytes."""
LINE = 128
"""The bytes of `discard`."""


@rules.rule("st.async")
def store_async(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that stores to shared memory of a block of the cluster; an mbarrier of the same
    block counts the bytes. The value is defined when a thread has waited there, and no proxy fence is needed
    (ISA, 9.7.9, st.async). The function raises `Fault` for an undefined value, and for an mbarrier of another
    block.
    """
    name = site.modifier("type")
    size = np.dtype(dtype(name)).itemsize
    given = site.elements("b") if site.has("vec") else (site.operand("b"),)
    reads = [site.resolver.read(one, name, site.names) for one in given if one is not None]
    places = StorageCells(site, "asynchronous store", size * len(reads), space="shared::cluster")
    barriers = mbarriers.Barriers(site, "bar", "shared::cluster")

    def run(c: instruction_state.InstructionState) -> None:
        for one in instructions_bulk.each_thread(c):
            storage, starts = places.alone(one)
            ((owner, spot),) = barriers.spots(one)
            if owner.shared is not storage:
                raise Fault(codes.BAD_COPY, "the mbarrier and the target of st.async are in different blocks")
            for _, slots in reads:
                one.defined(slots, "the value of an asynchronous store")
            data = np.concatenate(
                [unsigned_bits(one.spread(read(one))).copy().view(np.uint8) for read, _ in reads]
            )
            into = int(starts[0]) + np.arange(data.size)
            row, arrivals = int(one.rows()[0]), c.block.launch.arrivals
            arriving(arrivals, mbarriers.existing(owner, spot), storage, into, data, row, generic_proxy=True)

    return run


@rules.rule("st.bulk")
def store_bulk(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that stores zeros to a number of bytes of shared memory, a multiple of eight (ISA,
    9.7.9, st.bulk). Raises `Fault` for another constant than 0; the function raises `Fault` for another size,
    and for other memory.
    """
    places = StorageCells(site, "bulk store", PIECE, space="shared::cta" if site.has("shared") else "")
    sizes = site.read("size", "u64")
    if copies.constant(site, "value"):
        raise Fault(codes.BAD_COPY, "st.bulk stores zeros only")

    def run(c: instruction_state.InstructionState) -> None:
        for one in instructions_bulk.each_thread(c):
            storage, starts = places.alone(one)
            size = instructions_bulk.number_of(one, sizes, "the size of a bulk store")
            if size % PIECE:
                raise Fault(codes.BAD_COPY, f"a bulk store of {size} bytes: sizes are multiples of {PIECE}")
            pieces = np.arange(int(starts[0]), int(starts[0]) + size, PIECE)
            if storage is not c.block.shared:
                raise Fault(
                    codes.OUT_OF_BOUNDS, f"a bulk store to {storage.name} memory; it takes shared memory"
                )
            if not len(pieces):
                continue
            storage.check(pieces.astype(np.uint64), PIECE, "bulk store")
            if storage.watch is not None:
                rows = np.full(len(pieces), one.rows()[0])
                storage.watch.access(rows, pieces, PIECE, writes=True, by=c.block.access())
            storage.store(pieces, PIECE, np.zeros(len(pieces), np.uint64), None)

    return run


@rules.rule("discard")
def discard(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that makes 128 bytes of global memory indeterminate: a weak write of an unknown
    value (ISA, 9.7.9, discard). It raises `Fault` for other memory, and for an address that is no multiple of
    128.
    """
    places = StorageCells(site, "discard", LINE, space="space" if site.has("space") else "", align=LINE)

    def run(c: instruction_state.InstructionState) -> None:
        for storage, found, chosen in places.find(c):
            if storage is not c.block.global_:
                raise Fault(codes.OUT_OF_BOUNDS, f"discard of {storage.name} memory; it takes global memory")
            rows = c.rows() if chosen is None else c.rows()[chosen]
            for at in range(0, LINE, 16):
                c.block.watch_global(rows, found + at, 16, writes=True)
            storage.discard((found[:, None] + np.arange(LINE)).ravel())
        c.block.launch.writes += 1

    return run


@rules.rule("createpolicy.fractional", "createpolicy.range", "createpolicy.cvt")
def policy(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that makes an opaque cache policy, which does not change results. It raises `Fault`
    unless the fraction, if there is one, is above 0 and at most 1 (ISA, 9.7.9, createpolicy).
    """
    write = site.write()
    fraction = None
    if any(one.name == "fraction" for one in site.form.operands) and site.operand("fraction") is not None:
        fraction = site.read("fraction", "f32")

    def run(c: instruction_state.InstructionState) -> None:
        if fraction is not None:
            read, slots = fraction
            c.defined(slots, "the fraction of a policy")
            found = c.spread(read(c))
            if not ((found > 0) & (found <= 1)).all():
                raise Fault(
                    codes.BAD_COPY, f"the fraction {float(found[0])} of a policy: it is above 0 and at most 1"
                )
        write(c, c.spread(np.uint64(step.number)), None)

    return run
