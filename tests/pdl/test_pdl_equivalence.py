"""Compiled matching is the same as naive matching, and as what MLIR compiles, on random patterns and IR."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings, strategies as st

from tests.pdl.pdl_patterns import (
    KNOWN,
    PatternText,
    make_ir,
    naive_matches,
    parse,
    patterns_in,
    recorded,
)
from tests.support.mlir_tools import custom_forms
from tilewright.ir.verifier import verify
from tilewright.pdl.compiler.compile import compile_module


def module_text(draw: random.Random, count: int) -> tuple[str, list[str]]:
    names = [f"p{number}" for number in range(count)]
    return "\n".join(PatternText(draw, name).text for name in names), names


@settings(max_examples=300)
@given(st.randoms(use_true_random=False), st.integers(1, 4))
def test_like_the_naive_matcher(draw: random.Random, count: int) -> None:
    text, names = module_text(draw, count)
    module, ops = parse(text), make_ir(draw)
    assert verify(module) == []
    compiled = compile_module(module, KNOWN)
    assert verify(compiled) == []
    expected = {
        (name, *match)
        for name, pattern in zip(names, patterns_in(module), strict=True)
        for match in naive_matches(pattern, ops)
    }
    assert recorded(compiled, names, ops) == expected


def test_the_property_sees_matches() -> None:
    """The generator makes patterns that match, of one operation and of several."""
    sizes: set[int] = set()
    for seed in range(300):
        draw = random.Random(seed)
        text, names = module_text(draw, 3)
        calls = recorded(compile_module(parse(text), KNOWN), names, make_ir(draw))
        sizes.update(len(call) - 1 for call in calls)
        if sizes >= {1, 2, 3}:
            return
    raise AssertionError(f"patterns of {sizes} operations match only")


@pytest.mark.parametrize("flags", [("--convert-pdl-to-pdl-interp",)])
def test_like_mlir(flags: tuple[str, ...]) -> None:
    """MLIR's own compilation of the same patterns, run by our interpreter, finds the same matches."""
    drawn: list[tuple[str, list[str]]] = [module_text(random.Random(seed), 3) for seed in range(80)]
    theirs = custom_forms(tuple(text for text, _ in drawn), *flags)
    found = 0
    for seed, ((text, names), other) in enumerate(zip(drawn, theirs, strict=True)):
        ours = compile_module(parse(text), KNOWN)
        for round in range(3):
            ops = make_ir(random.Random(1000 * seed + round))
            matches = recorded(ours, names, ops)
            assert matches == recorded(parse(other), names, ops), text
            found += len(matches)
    assert found > 50


def test_mlir_accepts_what_we_compile() -> None:
    modules = [
        compile_module(parse(module_text(random.Random(seed), 3)[0]), KNOWN).print() for seed in range(60)
    ]
    custom_forms(tuple(modules))
