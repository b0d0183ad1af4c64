"""Every example with all checks, which find nothing."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.support.corpora.frontend_corpus import example_modules
from tilewright import cutile

pytest.importorskip("cuda.tile")


@pytest.mark.parametrize("target", ["cpu", "interp"])
@pytest.mark.parametrize("example", example_modules(), ids=lambda example: example.__name__)
def test_examples_have_no_mistakes(example: Any, target: str) -> None:
    results = list(example.run(partial(cutile.launch, target=target, check="all")))
    assert results
    assert [result for result in results if not result.ok] == []
