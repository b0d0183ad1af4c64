"""The modules of the corpus compile to the same texts as before, at every stage of the CPU and of four GPUs.

Digests of the texts stand in ``data/stages.txt``.  A change that is meant to change code blesses them:
``pytest tests/replay --bless``.
"""

from __future__ import annotations

import pytest

from tests.replay.corpus import DATA, modules
from tests.replay.digests import compare, of_no_member
from tests.replay.replaying import stages

KEPT = DATA / "stages.txt"


@pytest.mark.parametrize("name", modules())
def test_stages_are_as_before(name: str, bless: bool) -> None:
    compare(KEPT, name, stages(modules()[name]), bless=bless)


def test_every_digest_has_its_module() -> None:
    assert of_no_member(KEPT, modules()) == []
