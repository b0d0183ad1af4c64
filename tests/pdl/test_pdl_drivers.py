"""PDL in dialect conversions, and what patterns of one module share."""

from __future__ import annotations

import threading
from typing import Any

from tests.pdl.pdl_patterns import KNOWN, parse
from tests.pdl.test_pdl_patterns import ADD_ZERO, frozen, replacing
from tests.rewrite.toy import read, text_of, toy_context
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.context import Context
from tilewright.ir.operation import Operation
from tilewright.ir.verifier import verify
from tilewright.pdl.patterns import SharedMatcher, add_pdl
from tilewright.rewrite.conversion.driver import apply_partial_conversion
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.greedy import apply_patterns_greedily
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet
from tilewright.rewrite.rewriter import Rewriter

# --- in conversions

TO_NEW = """
pdl.pattern : benefit(1) {
  %x = operand
  %t = type
  %inner = operation "middle.op"(%x : !pdl.value) -> (%t : !pdl.type)
  %y = result 0 of %inner
  %root = operation "old.use"(%y : !pdl.value) -> (%t : !pdl.type)
  rewrite %root {
    %new = operation "new.op"(%x : !pdl.value) -> (%t : !pdl.type)
    replace %root with %new
    erase %inner
  }
}"""

OLD = """
%0 = "keep.use"() : () -> i32
%1 = "middle.op"(%0) : (i32) -> i32
%2 = "old.use"(%1) : (i32) -> i32
"keep.use"(%2) : (i32) -> ()"""


def conversion_set(known: Context) -> tuple[RewritePatternSet, ConversionTarget]:
    patterns = add_pdl(RewritePatternSet(known), parse(TO_NEW))
    return patterns, ConversionTarget().add_legal_dialect("new", "builtin", "keep").add_illegal_dialect("old")


def test_conversions_take_pdl() -> None:
    known = toy_context()
    patterns, target = conversion_set(known)
    module = read(known, OLD)
    apply_partial_conversion(module, target, patterns)
    assert verify(module) == []
    assert [op.name for op in module.regions[0].blocks[0]] == ["keep.use", "new.op", "keep.use"]


def test_conversions_that_fail_undo_pdl() -> None:
    known = toy_context()
    patterns, target = conversion_set(known)
    module = read(known, f'{OLD}\n%3 = "old.use"() : () -> i32')
    before = text_of(module)
    with known.diagnostics.collect() as collected:
        apply_partial_conversion(module, target, patterns)
    (note,) = collected[0].notes
    assert note.message.endswith("declined: the operation has 0 operands, not 1")
    assert text_of(module) == before


# --- the shared matcher


class Counting:
    """Counts how often a matcher runs."""

    def __init__(self, shared: SharedMatcher) -> None:
        self.runs = 0
        self.interpreter = shared.interpreter

    def match(self, op: Operation, rewriter: Rewriter) -> Any:
        self.runs += 1
        return self.interpreter.match(op, rewriter)

    def rewrite(self, *arguments: Any) -> None:
        self.interpreter.rewrite(*arguments)


def counted(text: str) -> tuple[list[Any], Counting]:
    patterns: list[Any] = list(FrozenRewritePatternSet(add_pdl(RewritePatternSet(KNOWN), parse(text))))
    counter = Counting(patterns[0].shared)
    patterns[0].shared.interpreter = counter
    return patterns, counter


def test_the_matcher_runs_once_for_all_patterns_of_an_operation() -> None:
    patterns, counter = counted("".join(replacing(f"p{n}", 1, f"{n} : i32") for n in range(5)))
    op = parse('"test.old"() {k = 9 : i32} : () -> ()').regions[0].blocks[0].ops[0]
    rewriter = Rewriter(InsertionPoint.before(op))
    for pattern in patterns:
        assert isinstance(pattern.match_and_rewrite(op, rewriter), NoMatch)
    assert counter.runs == 1


def test_an_operation_that_changed_is_matched_again() -> None:
    patterns, _ = counted("".join(replacing(f"p{n}", 1, f"{n} : i32") for n in range(2)))
    block = parse('"test.old"() {k = 9 : i32} : () -> ()').regions[0].blocks[0]
    op: Any = block.ops[0]
    rewriter = Rewriter(InsertionPoint.before(op))
    for pattern in patterns:
        assert isinstance(pattern.match_and_rewrite(op, rewriter), NoMatch)
    op.attributes["k"] = op.attributes["k"].replace(value=1)
    assert isinstance(patterns[0].match_and_rewrite(op, rewriter), NoMatch)
    assert patterns[1].match_and_rewrite(op, rewriter) is None
    assert [made.name for made in block.ops] == ["test.p1"]


def test_threads_may_share_patterns() -> None:
    patterns = frozen("".join(replacing(f"p{n}", 1, f"{n} : i32") for n in range(4)))
    texts = {n: "\n".join([f'"test.old"() {{k = {n} : i32}} : () -> ()'] * 200) for n in range(4)}
    modules = {n: parse(text) for n, text in texts.items()}
    threads = [
        threading.Thread(target=apply_patterns_greedily, args=(module, patterns, KNOWN))
        for module in modules.values()
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n, module in modules.items():
        assert {op.name for op in module.regions[0].blocks[0].ops} == {f"test.p{n}"}


def test_tearing_down_lets_go() -> None:
    patterns = frozen(ADD_ZERO)
    patterns.tear_down()
    assert len(patterns) == 1
