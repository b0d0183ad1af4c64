"""The launches of the corpus do the same as before, in the interpreter and in the simulator of PTX.

Digests of what they do stand in ``data/runs.txt``: the bytes of all arrays afterwards, the counts of the report, the
findings with their messages, and when each warp ran.  ``pytest tests/replay --bless`` rewrites them.
"""

from __future__ import annotations

from tests.replay.conftest import LeftOut
from tests.replay.corpus import DATA, launches
from tests.replay.digests import compare, of_no_member, without_digest
from tests.replay.replaying import runs

KEPT = DATA / "runs.txt"


def test_runs_are_as_before(launch: str, bless: bool, left_out: LeftOut) -> None:
    skipped = left_out(launch)
    compare(KEPT, launch, runs(launches()[launch], skipped), bless=bless, left_out=skipped)


def test_every_digest_has_its_launch() -> None:
    assert of_no_member(KEPT, launches()) == []


def test_every_launch_has_its_digests(bless: bool) -> None:
    """Names of tests come from the digests."""
    assert bless or without_digest(KEPT, launches()) == []
