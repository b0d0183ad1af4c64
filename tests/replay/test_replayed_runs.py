"""The launches of the corpus do the same as before, in the interpreter and in the simulator of PTX.

Digests of what they do stand in ``data/runs.txt``: the bytes of all arrays afterwards, the counts of the report, the
findings with their messages, and when each warp ran.  ``pytest tests/replay --bless`` rewrites them.
"""

from __future__ import annotations

import pytest

from tests.replay.corpus import DATA, launches
from tests.replay.digests import compare, of_no_member
from tests.replay.replaying import runs

KEPT = DATA / "runs.txt"


@pytest.mark.parametrize("name", launches())
def test_runs_are_as_before(name: str, bless: bool) -> None:
    compare(KEPT, name, runs(launches()[name]), bless=bless)


def test_every_digest_has_its_launch() -> None:
    assert of_no_member(KEPT, launches()) == []
