"""The modules of the corpus compile to the same texts as before, at every stage of the CPU and of four GPUs.

Digests of the texts stand in ``data/stages.txt``.  A change that is meant to change code blesses them:
``pytest tests/replay --bless``.
"""

from __future__ import annotations

from tests.replay.conftest import LeftOut
from tests.replay.corpus import DATA, modules
from tests.replay.digests import compare, of_no_member, without_digest
from tests.replay.replaying import stages

KEPT = DATA / "stages.txt"


def test_stages_are_as_before(module: str, bless: bool, left_out: LeftOut) -> None:
    skipped = left_out(module)
    compare(KEPT, module, stages(modules()[module], skipped), bless=bless, left_out=skipped)


def test_every_digest_has_its_module() -> None:
    assert of_no_member(KEPT, modules()) == []


def test_every_module_has_its_digests(bless: bool) -> None:
    """Names of tests come from the digests."""
    assert bless or without_digest(KEPT, modules()) == []
