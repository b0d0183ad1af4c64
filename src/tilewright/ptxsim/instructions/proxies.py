"""Fences between proxies: generic accesses, the async proxy, and the proxy of tensor maps."""

from __future__ import annotations

from tilewright.ptxsim import addresses as ptxsim_addresses, instruction_state, program
from tilewright.ptxsim.asynchronous.tensormaps import SIZE
from tilewright.ptxsim.code import Run, SimulatedStep
from tilewright.ptxsim.instructions import copies, rules
from tilewright.ptxsim.races.clocks import GLOBAL, MAPS, SHARED


def _fence(*kinds: str) -> Run:
    def run(c: instruction_state.InstructionState) -> None:
        if c.block.clocks is not None:
            c.block.clocks.fence_proxies(c.rows(), *kinds)

    return run


@rules.rule("fence.proxy")
def fence(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function of a proxy fence. For the asynchronous proxy it orders accesses to shared and
    global memory; other proxies are not modelled.
    """
    return _fence(SHARED, GLOBAL) if site.modifier("proxy") == "async" else lambda c: None


@rules.rule("fence.proxy.async")
def fence_async(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that orders the threads' earlier accesses to a state space before later operations
    of the async proxy.
    """
    return _fence(GLOBAL if site.modifier("space") == "global" else SHARED)


@rules.rule("fence.proxy.tensormap::generic")
def fence_maps(site: program.InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that with `.release` releases the tensor maps that threads wrote, and with
    `.acquire` acquires a tensor map. Raises `Fault` for another size than a tensor map has.
    """
    if site.modifier("sem") == "release":
        return _fence(MAPS)
    if copies.constant(site, "size") != SIZE:
        raise rules.refuse(site, f"a tensor map has {SIZE} bytes")
    place = ptxsim_addresses.StorageCells(site, "fence of a tensor map", 64, space="")

    def run(c: instruction_state.InstructionState) -> None:
        storage, places = place.alone(c)
        clocks, maps = c.block.clocks, c.block.launch.maps
        if clocks is None or maps is None or storage is not c.block.global_:
            return
        rows = c.rows()
        for start in sorted(set(places.tolist())):
            maps.acquire(clocks, rows[places == start], start, SIZE)

    return run
