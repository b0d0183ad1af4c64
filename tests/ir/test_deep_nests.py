"""Nests of any depth are taken, and verifying one takes work proportional to its depth.

Work is counted in calls of functions, so that the tests do not depend on the machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from tilewright.driver.startup import context, startup
from tilewright.ir.dominance import UseChecker
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.ir.walker import innermost_ancestor, unchanging_ancestors
from tilewright.passes.pipeline import parse_pipeline

DEEP = 1_500
"""Deeper than Python's stack."""

NESTS = {
    "scf.if": ("scf.if %c {", "func.call @effect(%c) : (i1) -> ()\n}"),
    "scf.for": ("scf.for %i# = %n to %n step %n {", "func.call @effect(%c) : (i1) -> ()\n}"),
    "memref.alloca": ("scf.if %c {\n%m# = memref.alloca() : memref<i32>", "}"),
    "cuda_tile.if": ("if %c {", "}"),
    "cuda_tile.for": ("for %i# in (%n to %n, step %n) : tile<i32> {", "}"),
    "cuda_tile.loop": ("loop {", "break\n}"),
    "cuda_tile.return": ("if %c {", "return\n}"),
    "cuda_tile.continue": ("if %c {", "continue\n}"),
    "cuda_tile.break": ("if %c {", "break\n}"),
}
STANDARD = [kind for kind in NESTS if not kind.startswith("cuda_tile")]
TILES = [kind for kind in NESTS if kind not in STANDARD]


def text(kind: str, depth: int) -> str:
    """A program with so many operations in one another."""
    begin, end = NESTS[kind]
    body = "\n".join([*[begin.replace("#", str(number)) for number in range(depth)], *[end] * depth])
    if kind in STANDARD:
        return (
            "builtin.module {\nfunc.func private @effect(i1)\n"
            f"func.func @f(%c: i1, %n: index) {{\n{body}\nreturn\n}}\n}}"
        )
    if kind in ("cuda_tile.continue", "cuda_tile.break"):
        body = f"loop {{\n{body}\nbreak\n}}"
    return f"builtin.module {{\ncuda_tile.module @m {{\nentry @f(%c: tile<i1>, %n: tile<i32>) {{\n{body}\nreturn\n}}\n}}\n}}"


def nest(kind: str, depth: int) -> Operation:
    return parse_module(context(), text(kind, depth))


def calls(work: Callable[[], object]) -> int:
    """How many calls of functions written in Python, and resumptions of generators, some work takes."""
    count = 0

    def note(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("kind", NESTS)
def test_the_work_of_verifying_is_linear_in_the_depth(kind: str) -> None:
    modules = [nest(kind, depth) for depth in (100, 200)]
    for module in modules:
        assert verify(module) == []
    once, twice = (calls(lambda module=module: verify(module)) for module in modules)
    assert twice < 2.2 * once


def backwards(depth: int) -> Operation:
    """A block that stands before its dominator and uses, in a deep nest, a value of that."""
    lines = ["func.func @f(%c: i1) {", "cf.br ^second", "^first:", *["scf.if %c {"] * depth]
    lines += ["func.call @effect(%late) : (i1) -> ()\n}"] * depth
    lines += ["return", "^second:", "%late = arith.constant true", "cf.br ^first", "}"]
    return parse_module(context(), "\n".join(["func.func private @effect(i1)", *lines]))


def test_uses_that_stand_before_their_definitions_are_found_in_linear_time() -> None:
    modules = [backwards(depth) for depth in (100, 200)]
    once, twice = (calls(lambda module=module: list(UseChecker().check(module))) for module in modules)
    assert not list(UseChecker().check(modules[0]))
    assert twice < 2.2 * once


def test_a_use_in_a_deep_nest_that_its_definition_does_not_reach_is_found() -> None:
    module = backwards(3)
    uses = [op for op in module.walk() if op.name == "func.call"]
    late = next(op for op in module.walk() if op.name == "arith.constant")
    behind = next(op for op in module.walk() if op.name == "scf.if").next
    assert behind is not None
    late.move_before(behind)
    assert [op for op, _ in UseChecker().check(module)] == uses


@pytest.mark.parametrize("kind", ["scf.if", "scf.for", "cuda_tile.if", "cuda_tile.for", "cuda_tile.return"])
def test_deep_nests_are_parsed_printed_verified_copied_and_canonicalised(kind: str) -> None:
    module = nest(kind, DEEP)
    assert verify(module) == []
    copy = module.clone()
    assert str(copy) == str(module)
    parse_pipeline("any(canonicalize,cse)", context(), startup().passes).run(copy)
    assert verify(copy) == []


def test_what_a_search_outwards_found_is_remembered_while_nothing_moves() -> None:
    outer = nest("scf.if", 50)
    inner = [op for op in outer.walk() if op.name == "func.call"]
    asked: list[Operation] = []

    def is_function(op: Operation) -> bool:
        asked.append(op)
        return op.name == "func.func"

    def is_nothing(op: Operation) -> bool:
        asked.append(op)
        return False

    expected = [innermost_ancestor(op, is_function) for op in inner]
    assert {op.name for op in expected if op is not None} == {"func.func"}
    asked.clear()
    with unchanging_ancestors():
        assert [innermost_ancestor(op, is_function) for op in inner] == expected
        assert [innermost_ancestor(op, is_nothing) for op in inner] == [None] * len(inner)
    assert len(asked) <= 2 * 60
