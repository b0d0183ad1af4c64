"""The passes of the corpus's reproducers make the same texts as before, and count and say the same.

Digests stand in ``data/pipelines.txt``.  A change that is meant to change what passes do blesses them:
``pytest tests/replay --bless``.
"""

from __future__ import annotations

from tests.replay.corpus import DATA, at_night, launches, modules, pipelines
from tests.replay.digests import compare, of_no_member, without_digest
from tests.replay.replaying import passed, runners, settings

KEPT = DATA / "pipelines.txt"


def test_pipelines_do_as_before(pipeline: str, bless: bool) -> None:
    compare(KEPT, pipeline, passed(pipelines()[pipeline]), bless=bless)


def test_every_digest_has_its_reproducer() -> None:
    assert of_no_member(KEPT, pipelines()) == []


def test_every_reproducer_has_its_digests(bless: bool) -> None:
    """Names of tests come from the digests."""
    assert bless or without_digest(KEPT, pipelines()) == []


def test_what_is_left_out_by_day_is_there() -> None:
    """Members, and settings or runs of them; `python -m tools.corpus.night` writes the list."""
    parts = {name: {setting.name for setting in settings(content)} for name, content in modules().items()}
    parts |= {name: set(runners(launch)) for name, launch in launches().items()}
    parts |= {name: set[str]() for name in pipelines()}
    assert [name for name, left_out in at_night().items() if not left_out <= parts.get(name, set())] == []
    assert at_night().keys() <= parts.keys()
