"""Tests of members of the corpus: by day, of those that are not for the night; ``--whole`` and ``--bless`` take all."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from tests.replay.corpus import DATA, at_night, launches, modules, pipelines
from tests.replay.digests import kept

CORPUS: dict[str, tuple[str, Callable[[], Iterable[str]]]] = {
    "module": ("stages.txt", modules),
    "launch": ("runs.txt", launches),
    "pipeline": ("pipelines.txt", pipelines),
}
"""By the name of a parameter of tests: the file of digests, and the members."""
LeftOut = Callable[[str], frozenset[str]]


def _is_whole(config: pytest.Config) -> bool:
    return bool(config.getoption("--whole") or config.getoption("--bless"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each member; to read all of them takes a second, so names come from the digests by day."""
    for parameter, (digests, members) in CORPUS.items():
        if parameter in metafunc.fixturenames and _is_whole(metafunc.config):
            metafunc.parametrize(parameter, [*members()])
        elif parameter in metafunc.fixturenames:
            names = [name for name in kept(DATA / digests) if at_night().get(name) != frozenset()]
            metafunc.parametrize(parameter, names)


@pytest.fixture
def left_out(request: pytest.FixtureRequest) -> LeftOut:
    """Return the settings, or the runs, of a member that are not for now."""
    whole = _is_whole(request.config)
    return lambda name: frozenset() if whole else at_night().get(name, frozenset())
