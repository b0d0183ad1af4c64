"""Tensor maps that kernels build: `tensormap.replace`, and the copy that publishes a map."""

from __future__ import annotations

import numpy as np

from tilewright.ptxsim import (
    addresses as ptxsim_addresses,
    code as ptxsim_code,
    codes,
    faults,
    instruction_state,
    program,
)
from tilewright.ptxsim.asynchronous.tensormaps import FIELDS, SIZE, USED
from tilewright.ptxsim.instructions import copies, rules
from tilewright.ptxsim.races.clocks import MAPS


@rules.rule("tensormap.replace")
def replace(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that replaces a field of a tensor map in memory. Raises `Fault` for a dimension
    that the field does not have; the function raises `Fault` for a value that does not fit the field.
    """
    name = next(field for field in FIELDS if site.has(field))
    start, size = FIELDS[name]
    at = copies.constant(site, "ordinal") if site.operand("ordinal") is not None else 0
    if not 0 <= at < 5 - (name == "global_stride"):
        raise rules.refuse(site, f"there is no dimension {at}")
    places = ptxsim_addresses.StorageCells(site, "change of a tensor map", 64, use="write")
    value, slots = site.read("value", "u64" if site.modifier("width") == "b64" else "u32")

    def run(c: instruction_state.InstructionState) -> None:
        c.defined(slots, "a field of a tensor map")
        storage, found = places.alone(c)
        words = np.ascontiguousarray(c.spread(value(c)).astype(np.uint64))[:, None].view(np.uint8)
        if words[:, size:].any():
            raise faults.Fault(codes.BAD_COPY, f"the {name} of a tensor map does not fit its field")
        storage.scatter(found[:, None] + start + at * size + np.arange(size), words[:, :size], None)

    return run


@rules.rule("tensormap.cp_fenceproxy")
def publish(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> None:
    """Let `step` copy a tensor map from shared to global memory by a warp, and release it to the proxy of
    tensor maps. Raises `Fault` for a wrong size; undefined bytes are a `Fault`, too.
    """
    if copies.constant(site, "size") != SIZE:
        raise rules.refuse(site, f"a tensor map has {SIZE} bytes")
    target = ptxsim_addresses.StorageCells(site, "copy of a tensor map", 64, "d", space="to", align=SIZE)
    source = ptxsim_addresses.StorageCells(site, "copy of a tensor map", 64, "s", space="source", align=SIZE)

    def run(c: instruction_state.InstructionState) -> None:
        (memory, into), (storage, places) = target.alone(c), source.alone(c)
        rows = c.rows()
        _, firsts = np.unique(np.stack([rows >> 5, places, into], 1), axis=0, return_index=True)
        for at in firsts.tolist():
            start, end = int(places[at]), int(into[at])
            data, undefined = storage.gather(start + np.arange(SIZE))
            if undefined is not None and undefined[:USED].any():
                raise faults.Fault(codes.POISON, "a copy of a tensor map reads bytes that were never written")
            memory.check(np.array([memory.base + end + SIZE - 64], np.uint64), 64, "copy of a tensor map")
            c.block.watch_global(rows[at : at + 1], np.array([end]), SIZE, writes=True)
            memory.scatter(end + np.arange(SIZE), data, None)
        if c.block.clocks is not None:
            c.block.clocks.fence_proxies(rows, MAPS)

    rules.aligned(site, step, run)
