"""Clocks of threads, against a model that writes out a row for each thread at once."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.ptxsim.races.clocks import ALWAYS, GLOBAL, BarrierClock, PageEpochs, ThreadClocks

THREADS = 8


class Model:
    """What each thread knows, written out."""

    def __init__(self) -> None:
        self.known = np.zeros((THREADS, 2 * THREADS), np.int64)
        self.fenced = np.zeros((THREADS, THREADS), np.int64)
        self.known[np.arange(THREADS), np.arange(THREADS)] = 1

    def joined(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What these threads know together; their next accesses come later."""
        both = self.known[rows].max(0), self.fenced[rows].max(0)
        self.known[rows, rows] += 1
        return both


@pytest.mark.parametrize("seed", range(20))
def test_clocks_agree_with_a_row_for_each_thread(seed: int) -> None:
    """Barriers of all and of some, fences and ends of asynchronous operations, in a random order."""
    chance = np.random.default_rng(seed)
    clocks, model = ThreadClocks(THREADS), Model()
    for _ in range(30):
        rows = np.sort(chance.permutation(THREADS)[: chance.integers(1, THREADS + 1)])
        match chance.choice(["level", "level", "join", "tick", "fence", "end"]):
            case "level":
                parts = np.split(chance.permutation(THREADS), [3])
                all_of = BarrierClock(THREADS)
                both = [model.joined(part) for part in parts]
                for part in parts:
                    clocks.publish(part, all_of)
                clocks.level(all_of)
                model.known[:] = np.maximum(both[0][0], both[1][0])
                model.fenced[:] = np.maximum(both[0][1], both[1][1])
                model.known[np.arange(THREADS), np.arange(THREADS)] += 1
            case "join":
                clocks.join(rows)
                known, fenced = model.joined(rows)
                model.known[rows] = np.maximum(model.known[rows], known)
                model.fenced[rows] = np.maximum(model.fenced[rows], fenced)
            case "tick":
                clocks.tick(rows)
                model.known[rows, rows] += 1
            case "fence":
                clocks.fence_proxies(rows, GLOBAL)
                model.fenced[rows] = np.maximum(model.fenced[rows], model.known[rows, :THREADS])
                model.known[rows, rows] += 1
            case _:
                starter, time = int(rows[0]), clocks.start(int(rows[0]))
                clocks.ended(rows, starter, time)
                model.known[rows, THREADS + starter] = time
        assert (clocks.times == model.known.diagonal()).all()
        if chance.integers(2):  # a look lets each thread have a row
            assert (clocks.known == model.known).all()
            assert (clocks.fenced.get(GLOBAL, np.zeros(1)) == model.fenced).all()


def test_pages_tell_of_every_use() -> None:
    """A page was used where a byte of it was; an asynchronous operation is not forgotten behind a later access."""
    pages = PageEpochs(4096)
    pages.use(np.array([600]), 2)
    assert pages.used(np.array([0, 1023]), 2)
    assert not pages.used(np.array([0, 1024]), 2)
    assert not pages.used(np.array([600]), 3)
    pages.use(np.array([600]), ALWAYS)
    pages.use(np.array([601, 2048]), 3)
    assert pages.used(np.array([700]), 4)
    assert not pages.used(np.array([2048]), 4)
