"""Every integer rule of ``arith``, proved: what canonicalisation makes of a function refines it, for all inputs."""

from __future__ import annotations

import pytest

from tests.support.corpora.rewrite_corpus import INTEGER, function_text
from tests.support.dialect_checks import standard_context
from tests.support.symbolic import counterexample
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.passes.manager import PassManager
from tilewright.passes.transforms.canonicalize import Canonicalize
from tilewright.rewrite.observer import StatisticsObserver, observe

CONTEXT = standard_context()


def canonical(text: str) -> tuple[Operation, Operation]:
    """The function of a text before and after canonicalisation."""
    modules = [parse_module(CONTEXT, text, implicit_module=True) for _ in range(2)]
    PassManager(CONTEXT).add(Canonicalize()).run(modules[1])
    return first_function(modules[0]), first_function(modules[1])


def first_function(module: Operation) -> Operation:
    """The function in a module."""
    function = module.regions[0].blocks[0].first
    assert function is not None
    return function


@pytest.mark.parametrize("name", INTEGER)
def test_canonical_form_refines_the_function(name: str) -> None:
    before, after = canonical(function_text(name, INTEGER[name]))
    assert counterexample(before, after) is None, f"{before}\n{after}"


@pytest.mark.parametrize("name", INTEGER)
def test_patterns_match_nothing_that_their_declarations_exclude(name: str) -> None:
    """An observer hears of refusals, so with it every pattern is tried everywhere."""
    _, after = canonical(function_text(name, INTEGER[name]))
    with observe(StatisticsObserver()), CONTEXT.diagnostics.collect() as emitted:
        _, watched = canonical(function_text(name, INTEGER[name]))
    assert not emitted
    assert str(after) == str(watched)


def test_the_proof_can_fail() -> None:
    add, nsw = (
        first_function(parse_module(CONTEXT, function_text("f", body), implicit_module=True))
        for body in ("%r = arith.addi %x, %y : i8", "%r = arith.addi %x, %y overflow<nsw> : i8")
    )
    assert counterexample(add, nsw) is not None
    assert counterexample(nsw, add) is None
