"""Fences between proxies: generic accesses, the async proxy, and the proxy of tensor maps."""

from __future__ import annotations

from tilewright.ptxsim.asynchronous.tensormaps import SIZE
from tilewright.ptxsim.code import Run, Step
from tilewright.ptxsim.frame import State
from tilewright.ptxsim.instructions.copies import constant
from tilewright.ptxsim.instructions.rules import refuse, rule
from tilewright.ptxsim.places import Places
from tilewright.ptxsim.program import Site
from tilewright.ptxsim.races.clocks import GLOBAL, MAPS, SHARED


def _fence(*kinds: str) -> Run:
    def run(c: State) -> None:
        if c.block.clocks is not None:
            c.block.clocks.fence_proxies(c.rows(), *kinds)

    return run


@rule("fence.proxy")
def fence(site: Site, step: Step) -> Run:
    """Fence all of memory; other names of the same memory are not modelled as proxies."""
    return _fence(SHARED, GLOBAL) if site.modifier("proxy") == "async" else lambda c: None


@rule("fence.proxy.async")
def fence_async(site: Site, step: Step) -> Run:
    """Order the threads' earlier accesses to a state space before later operations of the async proxy."""
    return _fence(GLOBAL if site.modifier("space") == "global" else SHARED)


@rule("fence.proxy.tensormap::generic")
def fence_maps(site: Site, step: Step) -> Run:
    """Release the tensor maps that threads wrote, or acquire a tensor map."""
    if site.modifier("sem") == "release":
        return _fence(MAPS)
    if constant(site, "size") != SIZE:
        raise refuse(site, f"a tensor map has {SIZE} bytes")
    place = Places(site, "fence of a tensor map", 64, space="")

    def run(c: State) -> None:
        storage, places = place.alone(c)
        clocks, maps = c.block.clocks, c.block.launch.maps
        if clocks is None or maps is None or storage is not c.block.global_:
            return
        rows = c.rows()
        for start in sorted(set(places.tolist())):
            maps.acquire(clocks, rows[places == start], start, SIZE)

    return run
