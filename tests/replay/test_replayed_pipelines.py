"""The passes of the corpus's reproducers make the same texts as before, and count and say the same.

Digests stand in ``data/pipelines.txt``.  A change that is meant to change what passes do blesses them:
``pytest tests/replay --bless``.
"""

from __future__ import annotations

import pytest

from tests.replay.corpus import DATA, pipelines
from tests.replay.digests import compare, of_no_member
from tests.replay.replaying import passed

KEPT = DATA / "pipelines.txt"


@pytest.mark.parametrize("name", pipelines())
def test_pipelines_do_as_before(name: str, bless: bool) -> None:
    compare(KEPT, name, passed(pipelines()[name]), bless=bless)


def test_every_digest_has_its_reproducer() -> None:
    assert of_no_member(KEPT, pipelines()) == []
