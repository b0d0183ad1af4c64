"""Data flow over the blocks of a kernel: sets are the bits of numbers, and the blocks are visited until nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tilewright.targets.nvptx.shared.model import BITS, READ, WRITE, Event, Kernel

Transfer = Callable[[int, Event], int]
"""From the set at one side of an event to that at the other side."""
Sets = Iterator[tuple[Event, int]]


def forwards(kernel: Kernel, transfer: Transfer, begin: int = 0) -> Sets:
    """Every event with the set in front of it, which holds what any path to it brings along."""
    entering = _settled(kernel.events, kernel.following, transfer, {0: begin})
    for events, held in zip(kernel.events, entering, strict=True):
        for event in events:
            yield event, held
            held = transfer(held, event)


def backwards(kernel: Kernel, transfer: Transfer) -> Sets:
    """Every event with the set behind it, which holds what any path from it meets."""
    before: list[list[int]] = [[] for _ in kernel.blocks]
    for number, after in enumerate(kernel.following):
        for other in after:
            before[other].append(number)
    turned = [events[::-1] for events in kernel.events]
    for events, held in zip(turned, _settled(turned, before, transfer, {}), strict=True):
        for event in events:
            yield event, held
            held = transfer(held, event)


def _settled(
    events: Sequence[Sequence[Event]],
    following: Sequence[Sequence[int]],
    transfer: Transfer,
    begin: dict[int, int],
) -> list[int]:
    """The set at the beginning of each block, in the direction of the flow."""
    entering = [begin.get(number, 0) for number in range(len(events))]
    pending, waiting = list(range(len(events)))[::-1], [True] * len(events)
    while pending:
        number = pending.pop()
        waiting[number] = False
        held = entering[number]
        for event in events[number]:
            held = transfer(held, event)
        for after in following[number]:
            if held & ~entering[after]:
                entering[after] |= held
                if not waiting[after]:
                    waiting[after] = True
                    pending.append(after)
    return entering


def since_barrier(kept: Callable[[Event], bool]) -> Transfer:
    """What threads may have touched since all of them met last."""
    return lambda held, event: 0 if event.is_barrier and kept(event) else held | event.touches


def still_used(held: int, event: Event) -> int:
    """Backwards: the buffers whose contents are still used; where a buffer begins, it has none."""
    if event.begins is not None:
        return held & ~(event.begins.reads | event.begins.writes)
    return held | event.touches


def numbers(touches: int) -> Iterator[int]:
    """The buffers that bits are about."""
    touches >>= BITS
    number = 0
    while touches:
        if touches & (READ | WRITE):
            yield number
        touches >>= BITS
        number += 1


def set_bits(number: int) -> Iterator[int]:
    """The places of the ones of a number, the lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
