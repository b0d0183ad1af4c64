"""The syntax trees of the sources go when the last test about them has run: they are millions of objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.tree import forget_trees

HERE = Path(__file__).parent


def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Forget the trees if the next test is one of another folder."""
    if nextitem is None or HERE not in nextitem.path.parents:
        forget_trees()
