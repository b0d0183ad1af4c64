"""Options of `canonicalize`, blocks of regions, and what `inline`, `sccp` and code motion must not do."""

from __future__ import annotations

import pytest

from tests.support.dialect_checks import standard_context
from tilewright.driver.startup import context, startup
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.value import BlockArgument
from tilewright.ir.verifier import verify
from tilewright.passes.manager import PassManager
from tilewright.passes.pass_ import Instrumentation, Pass, PassState
from tilewright.passes.pipeline import parse_pipeline
from tilewright.passes.timing import Statistics
from tilewright.passes.transforms.canonicalize import (
    Canonicalize,
    RegionSimplification,
    canonicalization_patterns,
)
from tilewright.passes.transforms.region_simplification import simplify_regions


def run(text: str, pipeline: str) -> Operation:
    """A module after a pipeline."""
    context = standard_context()
    module = parse_module(context, text, implicit_module=True)
    parse_pipeline(pipeline, context, startup().passes).run(module)
    assert not list(verify(module))
    return module


def names(module: Operation) -> list[str]:
    """The operations inside the functions of a module."""
    return [op.name for op in module.walk() if op.name not in ("builtin.module", "func.func")]


SUMS = """
func.func @f(%x: i32) -> i32 {
  %c = arith.constant 3 : i32
  %0 = arith.addi %c, %x : i32
  %1 = arith.addi %0, %c : i32
  return %1 : i32
}"""


def test_patterns_are_chosen_by_name() -> None:
    assert names(run(SUMS, "canonicalize")).count("arith.addi") == 1
    assert names(run(SUMS, "canonicalize{disable-patterns=AddIAddConstant}")).count("arith.addi") == 2
    assert names(run(SUMS, "canonicalize{enable-patterns=ConstantsLast}")).count("arith.addi") == 2


def test_a_second_run_changes_nothing() -> None:
    module = run(SUMS, "canonicalize")
    before = str(module)
    PassManager(standard_context()).add(Canonicalize()).run(module)
    assert str(module) == before


def test_a_limit_that_is_reached_fails_if_asked_to() -> None:
    assert run(SUMS, "canonicalize{max-num-rewrites=1}") is not None
    with pytest.raises(DiagnosticError, match="fixed point"):
        run(SUMS, "canonicalize{max-num-rewrites=1 test-convergence=true}")


def test_options_are_spelled_as_they_are_read() -> None:
    pass_ = Canonicalize(region_simplify=RegionSimplification.AGGRESSIVE, top_down=False)
    assert pass_.display_name == "canonicalize{top-down=false region-simplify=aggressive}"
    with pytest.raises(DiagnosticError, match="one of disabled, normal, aggressive"):
        run(SUMS, "canonicalize{region-simplify=much}")


def test_bottom_up_comes_to_the_same() -> None:
    assert str(run(SUMS, "canonicalize{top-down=false}")) == str(run(SUMS, "canonicalize"))


def test_every_pattern_has_a_name_of_its_own() -> None:
    patterns = [pattern.debug_name for pattern in canonicalization_patterns(standard_context())]
    assert len(patterns) == len(set(patterns))
    assert len(patterns) > 50


def test_contexts_with_the_same_dialects_share_a_frozen_set() -> None:
    first, second = context(), context()
    for known in (first, second):
        known.dialect("arith")
    first.dialect("cf")
    assert Canonicalize().patterns(first) is not Canonicalize().patterns(second)
    second.dialect("cf")
    assert Canonicalize().patterns(first) is Canonicalize().patterns(second)
    chosen = Canonicalize(enable_patterns=("ConstantsLast",)).patterns(first)
    assert [pattern.debug_name for pattern in chosen] == ["ConstantsLast"]


BLOCKS = """
func.func @f(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a(%x : i32), ^b(%x : i32)
^a(%p: i32):
  %0 = "test.op"(%p) : (i32) -> i32
  cf.br ^c(%0, %x : i32, i32)
^b(%q: i32):
  %1 = "test.op"(%q) : (i32) -> i32
  cf.br ^c(%1, %x : i32, i32)
^c(%r: i32, %s: i32):
  %2 = arith.addi %r, %s : i32
  return %2 : i32
}"""


def test_equal_blocks_become_one() -> None:
    context = standard_context()
    module = parse_module(context, BLOCKS, implicit_module=True)
    assert simplify_regions(module.regions, merge_blocks=True)
    assert not list(verify(module))
    assert names(module).count("test.op") == 1
    (function,) = module.regions[0].blocks[0]
    last = function.regions[0].blocks[-1]
    assert not last.arguments  # they are the same whoever branches
    assert not simplify_regions(module.regions)


def test_values_that_only_feed_each_other_are_dead() -> None:
    text = """
func.func @f(%x: i32, %c: i1) {
  cf.br ^a(%x, %x : i32, i32)
^a(%v: i32, %w: i32):
  %n = arith.addi %v, %w : i32
  cf.cond_br %c, ^a(%n, %v : i32, i32), ^b
^b:
  return
}"""
    module = run(text, "canonicalize")
    assert "arith.addi" not in names(module)
    assert all(not block.arguments for block in next(iter(module.regions[0].blocks[0])).regions[0].blocks[1:])


def test_an_argument_alone_that_goes_is_a_change() -> None:
    text = """
func.func @f(%x: i32, %y: i32) -> i32 {
  cf.br ^a(%x, %y : i32, i32)
^a(%v: i32, %w: i32):
  return %w : i32
}"""
    module = parse_module(standard_context(), text, implicit_module=True)
    assert simplify_regions(module.regions)
    branch = next(op for op in module.walk() if op.name == "cf.br")
    assert [operand.index for operand in branch.operands] == [1]
    assert not simplify_regions(module.regions)


def test_switch_operands_go_with_the_arguments() -> None:
    text = """
func.func @f(%x: i32, %y: i32) -> i32 {
  cf.switch %x : i32, [
    default: ^a(%x, %y : i32, i32),
    1: ^b(%y : i32),
    2: ^a(%y, %x : i32, i32)
  ]
^a(%p: i32, %q: i32):
  return %q : i32
^b(%r: i32):
  "test.op"() : () -> ()
  return %x : i32
}"""
    module = run(text, "canonicalize")
    switch = next(op for op in module.walk() if op.name == "cf.switch")
    assert len(switch.operands) == 3


def test_inline_refuses_what_is_no_symbol_table_and_unknown_pipelines() -> None:
    with pytest.raises(DiagnosticError, match="does not define a symbol table"):
        run(SUMS, "builtin.module(func.func(inline))")
    with pytest.raises(DiagnosticError, match="default-pipeline is 'cse'"):
        run(SUMS, "inline{default-pipeline=cse}")


def test_inline_keeps_what_unknown_dialects_do() -> None:
    text = """
func.func private @g() {
  "test.op"() : () -> ()
  return
}
func.func @f() {
  call @g() : () -> ()
  return
}"""
    assert "func.call" in names(run(text, "inline"))


def test_functions_that_call_each_other_stay() -> None:
    text = """
func.func @f(%x: i32) -> i32 {
  %0 = call @g(%x) : (i32) -> i32
  return %0 : i32
}
func.func @g(%x: i32) -> i32 {
  %0 = call @f(%x) : (i32) -> i32
  return %0 : i32
}
func.func @h(%x: i32) -> i32 {
  %0 = call @f(%x) : (i32) -> i32
  return %0 : i32
}"""
    module = run(text, "inline")
    assert names(module).count("func.call") == 3


def test_deep_nests_do_not_exhaust_the_stack() -> None:
    depth = 1500
    opening = "\n".join("scf.if %c {" for _ in range(depth))
    text = f"func.func @f(%c: i1) {{\n{opening}\n{'}' * depth}\nreturn\n}}"
    for pipeline in ("sccp", "loop-invariant-code-motion", "inline"):
        run(text, pipeline)
    assert names(run(text, "canonicalize")) == ["func.return"]


COUNTED = """
func.func @f() {
  %zero = arith.constant 0 : i32
  cf.br ^loop(%zero : i32)
^loop(%at: i32):
  "test.use"(%at) : (i32) -> ()
  %next = RESULT : () -> i32
  cf.br ^loop(%next : i32)
}"""


@pytest.mark.parametrize(
    "result", ['"test.any"()', '"test.any"() ({ "test.end"() : () -> () })', '"test.any"() ({ })']
)
def test_what_an_unknown_operation_gives_is_no_constant(result: str) -> None:
    module = run(COUNTED.replace("RESULT", result), "sccp")
    (use,) = [op for op in module.walk() if op.name == "test.use"]
    assert isinstance(use.operands[0], BlockArgument)


DIFFERENT_VALUES = """
func.func @f(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a(%x : i32), ^b(%x : i32)
^a(%p: i32):
  %0:2 = "test.op"(%p) : (i32) -> (i32, i32)
  cf.br ^c(FIRST : i32)
^b(%q: i32):
  %1:2 = "test.op"(%q) : (i32) -> (i32, i32)
  cf.br ^c(SECOND : i32)
^c(%r: i32):
  return %r : i32
}"""


@pytest.mark.parametrize("first", ["%p", "%0#0", "%0#1"])
@pytest.mark.parametrize("second", ["%q", "%1#0", "%1#1"])
def test_blocks_that_use_different_values_stay_apart(first: str, second: str) -> None:
    text = DIFFERENT_VALUES.replace("FIRST", first).replace("SECOND", second)
    module = parse_module(standard_context(), text, implicit_module=True)
    simplify_regions(module.regions, merge_blocks=True)
    equal = first.replace("%p", "%q").replace("%0", "%1") == second
    assert names(module).count("test.op") == (1 if equal else 2)


def test_regions_that_are_left_alone_come_to_a_fixed_point() -> None:
    run(SUMS, "canonicalize{region-simplify=disabled test-convergence=true}")


PROPAGATED = """
func.func @f() -> i32 {
  %c = arith.constant 3 : i32
  %0 = arith.addi %c, %c : i32
  %1 = arith.muli %0, %0 : i32
  return %1 : i32
}"""
CALLED = """
func.func private @g() {
  return
}
func.func @f() {
  call @g() : () -> ()
  return
}"""


@pytest.mark.parametrize(
    ("name", "statistic", "changed", "unchanged", "count"),
    [
        (
            "sccp",
            "num-replaced",
            PROPAGATED,
            "func.func @f() { return }",
            3,
        ),  # the constant is made anew, too
        ("inline", "num-inlined", CALLED, "func.func @f() { return }", 1),
    ],
)
def test_passes_count_their_changes_and_preserve_what_they_leave(
    name: str, statistic: str, changed: str, unchanged: str, count: int
) -> None:
    for text, expected in ((changed, count), (unchanged, 0)):
        statistics, preserved = Statistics(), Preserved()
        module = parse_module(context := standard_context(), text, implicit_module=True)
        manager = parse_pipeline(name, context, startup().passes)
        manager.instrument(statistics)
        manager.instrument(preserved)
        manager.run(module)
        assert statistics.counts[name][statistic] == expected
        assert preserved.found == {name: expected == 0}


class Preserved(Instrumentation):
    """Records for each pass whether it preserves every analysis."""

    def __init__(self) -> None:
        self.found: dict[str, bool] = {}

    def after_pass(self, pass_: Pass, op: Operation, state: PassState) -> None:
        self.found[pass_.argument] = state.preserved.keeps(Preserved)


def test_a_reference_to_no_symbol_keeps_nothing_alive() -> None:
    text = 'func.func private @g()\nfunc.func @f() {\n"test.op"() {r = @nowhere} : () -> ()\nreturn\n}'
    module = run(text, "symbol-dce")
    assert [op.attributes["sym_name"].value for op in module.regions[0].blocks[0]] == ["f"]
