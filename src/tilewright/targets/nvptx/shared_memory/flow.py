"""Data flow over the blocks of a kernel: sets are bit sets, and blocks are visited until a fixed point."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tilewright.dialects.nvvm.ops.copy import CpAsyncWaitGroupOp
from tilewright.targets.nvptx.shared_memory.model import BITS, READ, WRITE, KernelBlocks, MemoryEvent

Transfer = Callable[[int, MemoryEvent], int]
"""A function from the set before an event, in the direction of the flow, to the set after it."""
Sets = Iterator[tuple[MemoryEvent, int]]


def forwards(kernel: KernelBlocks, transfer: Transfer, begin: int = 0) -> Sets:
    """Yield every event with the bit set before it: the union over all paths to it. `transfer` maps the set
    before an event to the set after it. The set at the start of the function is `begin`.
    """
    entering = _fixed_point(kernel.events, kernel.following, transfer, {0: begin})
    for events, held in zip(kernel.events, entering, strict=True):
        for event in events:
            yield event, held
            held = transfer(held, event)


def backwards(kernel: KernelBlocks, transfer: Transfer) -> Sets:
    """Yield every event with the bit set after it in the text: the union over all paths from it. `transfer`
    maps the set after an event to the set before it. Events of a block come last to first.
    """
    before: list[list[int]] = [[] for _ in kernel.blocks]
    for number, after in enumerate(kernel.following):
        for other in after:
            before[other].append(number)
    turned = [events[::-1] for events in kernel.events]
    for events, held in zip(turned, _fixed_point(turned, before, transfer, {}), strict=True):
        for event in events:
            yield event, held
            held = transfer(held, event)


def _fixed_point(
    events: Sequence[Sequence[MemoryEvent]],
    following: Sequence[Sequence[int]],
    transfer: Transfer,
    begin: dict[int, int],
) -> list[int]:
    """Return the set at the beginning of each block, in the direction of the flow, as a fixed point.
    `following` has the indices of the blocks after each block, and `begin` the initial sets.
    """
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


def add_landings(kernel: KernelBlocks) -> None:
    """Add to each operation that waits for asynchronous copies the rings that the copies under way fill: a copy may
    land as late as that. No copy is under way behind an operation that waits for all of them.
    """

    def transfer(held: int, event: MemoryEvent) -> int:
        waits_for_all = isinstance(event.op, CpAsyncWaitGroupOp) and event.op.n == 0
        return 0 if waits_for_all else held | event.fills

    for event, held in list(forwards(kernel, transfer)):
        if isinstance(event.op, CpAsyncWaitGroupOp):
            event.fills |= held


def since_barrier(kept: Callable[[MemoryEvent], bool]) -> Transfer:
    """Return the forward transfer function that collects the access bits since the last barrier. It ignores a
    barrier if `kept` is false for the barrier.
    """
    return lambda held, event: 0 if event.is_barrier and kept(event) else held | event.touches | event.fills


def still_used(held: int, event: MemoryEvent) -> int:
    """Return the access bits of buffers that are used from `event` on, given `held`, the bits of the uses
    after it: a backward transfer function. An allocation ends the use of its buffer.
    """
    if event.begins is not None:
        return held & ~event.begins.all_accesses
    return held | event.touches | event.fills


def numbers(touches: int) -> Iterator[int]:
    """Yield the indices of the buffers whose bits are set in the access bits `touches`, in ascending order;
    the bits of global memory are ignored.
    """
    touches >>= BITS
    number = 0
    while touches:
        if touches & (READ | WRITE):
            yield number
        touches >>= BITS
        number += 1


def set_bits(number: int) -> Iterator[int]:
    """Yield the positions of the set bits of a number, the lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
