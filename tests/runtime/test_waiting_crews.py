"""How many threads a launch begins with whose tile blocks may wait for each other."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("llvmlite")

from tilewright.runtime.workers import waiting


class EndedCrew:
    """A crew whose threads have ended before anybody asks."""

    count = 0

    def __init__(self) -> None:
        self.added: list[int] = []

    def add(self, count: int) -> None:
        self.added.append(count)

    def has_ended(self, interval: float) -> bool:
        return True

    def finish(self) -> None:
        """Nothing is left to wait for."""


@pytest.mark.parametrize(("blocks", "threads", "begun"), [(3, 8, 3), (8, 3, 3), (1, 1, 1)])
def test_no_more_threads_begin_than_there_are_blocks_or_threads(
    blocks: int, threads: int, begun: int
) -> None:
    crew: Any = EndedCrew()
    stuck = waiting.run(crew, blocks, threads, lambda: waiting.LaunchProgress(0, 0), lambda: None)
    assert stuck is None
    assert crew.added == [begun]
