"""Damaged PTX is refused with reasons, never with a crash; `fuzz/ptx_mutations.py` tries many more."""

from __future__ import annotations

import pytest

from fuzz.ptx_mutations import SAMPLES, mutant, try_one


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_mutants(first: int) -> None:
    texts = [sample.read_text(encoding="utf-8") for sample in SAMPLES]
    for seed in range(first, first + 10):
        try_one(mutant(texts[seed % len(texts)], seed))
