"""Memory of rings beside other buffers: copies land until the wait for all of them, which the next barrier tells all threads."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from tilewright.dialects.nvvm.ops.barrier import Barrier0Op
from tilewright.dialects.nvvm.ops.copy import CpAsyncWaitGroupOp
from tilewright.ir.builtin_attributes import UNIT
from tilewright.targets.nvptx.shared_memory.allocate import extent, planned
from tilewright.targets.nvptx.shared_memory.flow import add_landings
from tilewright.targets.nvptx.shared_memory.model import EXCHANGE, KernelBlocks, MemoryEvent, SharedBuffer

SIZE = 16
"""The bytes of the ring, and of the other buffer."""
NOTHING: Any = None
Place = tuple[int, int]
"""The number of a block, and that of a word in it."""


class Words:
    """A kernel of a few words: `copy` to the ring, `read` of the ring, `use` of another buffer,
    which begins there, `meet` at a barrier,
    `wait0` for all copies, and `wait1` for all but those of one group. ``following`` has the blocks after each block.
    """

    def __init__(self, blocks: Sequence[str], following: Sequence[Sequence[int]] = ((),)) -> None:
        self.blocks, self.following = [one.split() for one in blocks], following
        ring, other = SharedBuffer(NOTHING, 0, SIZE, SIZE, pipeline=0), SharedBuffer(NOTHING, 1, SIZE, SIZE)
        touches = {"read": ring.reads, "use": other.all_accesses}

        def event(word: str) -> MemoryEvent:
            if word == "meet":
                return MemoryEvent(Barrier0Op(attributes={EXCHANGE: UNIT}), is_barrier=True)
            op = CpAsyncWaitGroupOp(int(word[-1])) if word.startswith("wait") else NOTHING
            begins, fills = other if word == "use" else None, ring.writes if word == "copy" else 0
            return MemoryEvent(op, touches.get(word, 0), begins=begins, fills=fills)

        events = [list(map(event, block)) for block in self.blocks]
        self.kernel = KernelBlocks(
            NOTHING, [ring, other], [NOTHING] * len(blocks), events, [list(after) for after in following]
        )
        add_landings(self.kernel)
        dropped = planned(self.kernel, 0)
        self.shares = extent(self.kernel) == SIZE
        self.kept = {
            (number, at)
            for number, held in enumerate(events)
            for at, one in enumerate(held)
            if one.is_barrier and one not in dropped
        }

    def behind(self, place: Place) -> list[Place]:
        """The places of the words that may come next."""
        number, at = place
        if at + 1 < len(self.blocks[number]):
            return [(number, at + 1)]
        return [(after, 0) for after in self.following[number]]

    def collides(self, place: Place) -> bool:
        """Whether from the word at a place there is a way to one that may not share memory with it: from a copy to a use
        without a wait for all copies and a barrier behind it, and from a use to a copy without a barrier.
        """
        first = self.blocks[place[0]][place[1]]
        if first not in ("copy", "use"):
            return False
        pending, seen = [(one, first == "use") for one in self.behind(place)], set[tuple[Place, bool]]()
        while pending:
            one, landed = pending.pop()
            word = self.blocks[one[0]][one[1]]
            if (one, landed) in seen or (landed and one in self.kept):
                continue
            if {first, word} == {"copy", "use"}:
                return True
            seen.add((one, landed))
            pending += [(after, landed or word == "wait0") for after in self.behind(one)]
        return False


STRAIGHT = {
    "copy wait0 meet use": (True, 1),
    "copy use wait0 meet": (False, 0),
    "copy wait0 use meet": (False, 0),
    "copy meet wait0 use": (False, 0),
    "copy meet use meet wait0 meet": (False, 0),
    "copy wait1 meet use meet wait0": (False, 0),
    "copy meet wait0 meet use": (True, 1),
    "copy wait0 meet use meet wait0 meet use": (True, 2),
    "copy wait0 meet meet use": (True, 1),
}
"""Kernels without branches, each with whether the ring and the other buffer share their bytes, and the number of barriers
that stay.
"""


@pytest.mark.parametrize("words", STRAIGHT)
def test_a_copy_lands_until_the_wait_for_all_copies(words: str) -> None:
    found = Words([words])
    assert (found.shares, len(found.kept)) == STRAIGHT[words]


def graph(chance: random.Random) -> Words:
    """A kernel of a few blocks, from each of which the last one is reached: it waits for all copies."""
    count, words = chance.randrange(2, 5), ("copy", "use", "meet", "meet", "wait0", "wait1", "read")
    blocks = [" ".join(chance.choices(words, k=chance.randrange(1, 5))) for _ in range(count)]
    following = [{number + 1, chance.randrange(count + 1)} for number in range(count)]
    return Words([*blocks, "wait0 meet use"], [*map(sorted, following), ()])


def test_no_buffer_lies_where_a_copy_may_land() -> None:
    shared = [found for seed in range(300) if (found := graph(random.Random(seed))).shares]
    assert len(shared) > 20
    for found in shared:
        places = [(number, at) for number, held in enumerate(found.blocks) for at in range(len(held))]
        assert [place for place in places if found.collides(place)] == [], (found.blocks, found.following)
