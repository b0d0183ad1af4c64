"""The campaign of generated programs: modules that end their process, and runs that are resumed."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.targets.cpu.programs import campaign
from tests.targets.cpu.programs.campaign import ENDED, Modules, kept_in, survey
from tests.targets.cpu.programs.generated_programs import Difference

DEADLY = 5


class Deadly(ThreadPoolExecutor):
    """An executor that is broken by shares with one module."""

    def __init__(self) -> None:
        super().__init__(1)
        self.broken = False

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self.broken:
            raise BrokenExecutor("ended before")
        share: Modules = args[1]
        if DEADLY not in range(share.start, share.start + share.count):
            return super().submit(fn, *args, **kwargs)
        self.broken = True
        future: Future[Any] = Future()
        future.set_exception(BrokenExecutor("ended"))
        return future


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The modules that are compared, in place of comparing them."""
    numbers: list[int] = []

    def compared(modules: Modules) -> campaign.Found:
        numbers.extend(range(modules.start, modules.start + modules.count))
        return [Difference(modules.seed, modules.start, "k", "differs")], Counter(same=modules.count)

    monkeypatch.setattr(campaign, "compared", compared)
    return numbers


def test_a_module_that_ends_its_process_is_named(seen: list[int]) -> None:
    found = list(survey([Modules("s", 0, 4), Modules("s", 4, 4), Modules("s", 8, 4)], Deadly))
    assert [(share.start, share.count) for share, _ in found] == [(0, 4), (4, 1), (5, 1), (6, 2), (8, 4)]
    assert found[2][1] == ([Difference("s", DEADLY, "?", ENDED)], Counter(crashed=1))
    assert sorted(seen) == [number for number in range(12) if number != DEADLY]


def test_a_campaign_goes_on_where_it_was_ended(seen: list[int], tmp_path: Path) -> None:
    whole = Modules("s", 0, 3 * campaign.SHARE)
    make: partial[Executor] = partial(ThreadPoolExecutor, 1)
    begun = list(survey(list(whole.shares())[:2], make, kept_in(tmp_path / "done", whole)))
    del seen[:]
    again = list(survey(whole.shares(), make, kept_in(tmp_path / "done", whole)))
    assert again[:2] == begun
    assert seen == list(range(2 * campaign.SHARE, 3 * campaign.SHARE))
