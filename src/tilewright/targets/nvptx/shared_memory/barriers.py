"""Removal of unneeded barriers.

Exchanges are created with a barrier before their writes and a barrier after them. A barrier is needed if an
access before it and an access after it, without another barrier between, touch the same memory and one of
them writes. An unneeded barrier is removed; its neighbours then separate the accesses. Barriers that order
accesses to global memory, because of a token, stay unless a neighbour orders them too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tilewright.targets.nvptx.shared_memory import flow, model as shared_memory_model


@dataclass(eq=False)
class BarrierNode:
    """A barrier in the graph of barriers. ``before`` and ``behind`` are the bits of the accesses before and
    after it without another barrier between, ``earlier`` and ``later`` the barriers next to it.
    ``orders_global`` says that it orders accesses to global memory, too.
    """

    event: shared_memory_model.MemoryEvent
    orders_global: bool
    before: int = 0
    behind: int = 0
    earlier: set[BarrierNode] = field(default_factory=set["BarrierNode"])
    later: set[BarrierNode] = field(default_factory=set["BarrierNode"])


def meetings(kernel: shared_memory_model.KernelBlocks) -> list[BarrierNode]:
    """Return the barriers of a kernel in text order, as nodes of a graph whose edges are paths without
    another barrier.
    """
    found = [
        BarrierNode(event, shared_memory_model.EXCHANGE not in event.op.attributes)
        for event in kernel.barriers
    ]
    places = {meeting.event: place for place, meeting in enumerate(found)}
    touched = 2 * (len(kernel.buffers) + 1)
    last = {event: 1 << touched + place for event, place in places.items()}
    own = (1 << touched) - 1

    def transfer(held: int, event: shared_memory_model.MemoryEvent) -> int:
        return last[event] if event.is_barrier else held | event.touches | event.fills

    for event, held in flow.forwards(kernel, transfer):
        meeting = found[places[event]] if event.is_barrier else None
        for place in flow.set_bits(held >> touched):
            found[place].behind |= event.touches | event.fills
            if meeting is not None:
                found[place].later.add(meeting)
                meeting.earlier.add(found[place])
        if meeting is not None:
            meeting.before |= held & own
    return found


def partners(buffers: Sequence[shared_memory_model.SharedBuffer]) -> list[int]:
    """Return for each buffer the access bits (`reads` and `writes`) of all buffers that share bytes with it,
    by their offsets, the buffer itself included. Rings have only the other buffers: the barriers of rings, which stay,
    order the accesses to them.
    """
    return [
        sum(
            other.all_accesses
            for other in buffers
            if _overlap(one, other) and not (one.is_ring and other.is_ring)
        )
        for one in buffers
    ]


def access_bits(buffers: Sequence[shared_memory_model.SharedBuffer]) -> list[int]:
    """Return for each buffer its own access bits, and 0 for rings: what `partners` returns if no two buffers
    share a byte.
    """
    return [0 if one.is_ring else one.all_accesses for one in buffers]


def _overlap(one: shared_memory_model.SharedBuffer, other: shared_memory_model.SharedBuffer) -> bool:
    return one.offset < other.offset + other.size and other.offset < one.offset + one.size


def needless(
    kernel: shared_memory_model.KernelBlocks, common: Sequence[int]
) -> set[shared_memory_model.MemoryEvent]:
    """Return the barriers that separate no conflicting accesses. They are tested in text order, each after
    the unneeded barriers before it are removed; barriers of rings are never among them. `common` has, for
    each buffer, the access bits of the buffers that overlap it.
    """
    writes = sum(shared_memory_model.WRITE << 2 * place for place in range(1, len(kernel.buffers) + 1))
    found: set[shared_memory_model.MemoryEvent] = set()
    for meeting in meetings(kernel):
        if shared_memory_model.RING not in meeting.event.op.attributes and not _separates(
            meeting, common, writes
        ):
            found.add(meeting.event)
            _take_away(meeting)
    return found


def _separates(meeting: BarrierNode, common: Sequence[int], writes: int) -> bool:
    before, behind = meeting.before, meeting.behind
    if meeting.orders_global and before & shared_memory_model.GLOBAL and behind & shared_memory_model.GLOBAL:
        return True
    for number in flow.numbers(before):
        shared = common[number]
        wrote = before >> 2 * (number + 1) & shared_memory_model.WRITE
        if behind & shared & (-1 if wrote else writes):
            return True
    return False


def _take_away(meeting: BarrierNode) -> None:
    """Remove a barrier from the graph: the barriers next to it become neighbours, and separate its accesses.
    If it ordered global memory, the later barriers do so now; the earlier ones if accesses to global memory
    directly follow the removed barrier.
    """
    if meeting.orders_global:
        for other in meeting.later if not meeting.behind & shared_memory_model.GLOBAL else meeting.earlier:
            other.orders_global = True
    earlier, later = meeting.earlier - {meeting}, meeting.later - {meeting}
    for other in earlier:
        other.later = other.later - {meeting} | later
        other.behind |= meeting.behind
    for other in later:
        other.earlier = other.earlier - {meeting} | earlier
        other.before |= meeting.before
