"""The launch requirements of a kernel in PTX."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.ir.support.record import Record
from tilewright.ptx.model import Module, PtxFunction

Extents = tuple[int, int, int]
ONE: Extents = (1, 1, 1)


class LaunchShape(Record, frozen=True):
    """The extents of a block in threads, and of a cluster in blocks.

    `counts_clusters` says that the extents of a grid count clusters.
    """

    threads: Extents = ONE
    cluster: Extents = ONE
    counts_clusters: bool = False


def shape_of(module: Module, entry: str) -> LaunchShape:
    """Return the launch requirements that the directives of the kernel `entry` state; the default
    `LaunchShape` if the module has no such kernel.
    """
    function = next(
        (one for one in module.statements if isinstance(one, PtxFunction) and one.name == entry), None
    )
    if function is None:
        return LaunchShape()
    threads, cluster = (_three(function.directive(name) or ()) for name in ("reqntid", "reqnctapercluster"))
    return LaunchShape(threads, cluster, function.directive("blocksareclusters") is not None)


def _three(values: Sequence[int]) -> Extents:
    x, y, z = (*values, 1, 1, 1)[:3]
    return x, y, z
