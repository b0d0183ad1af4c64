"""A dialect whose operations fold to constants, and which makes none, is told so by everything that folds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.rewrite.toy import MIDDLE, NEW, OLD, AddOp, BranchOp, ConstantOp, LoopOp, UseOp, read
from tilewright.dialects.builtin.dialect import BUILTIN
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation
from tilewright.passes.manager import PassManager
from tilewright.passes.pass_ import Pass
from tilewright.passes.transforms.canonicalize import Canonicalize
from tilewright.passes.transforms.sccp import SCCP
from tilewright.rewrite.conversion.driver import apply_partial_conversion
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.greedy import apply_patterns_greedily
from tilewright.rewrite.pattern_set import RewritePatternSet

FORGETFUL = Dialect("old", operations=(ConstantOp, AddOp, UseOp, LoopOp, BranchOp), folds=OLD.folds)
SUM = """
%0 = "old.constant"() {value = 1 : i32} : () -> i32
%1 = "old.add"(%0, %0) : (i32, i32) -> i32
"old.use"(%1) : (i32) -> ()
"""


def greedily(context: Context, module: Operation) -> None:
    apply_patterns_greedily(module, RewritePatternSet(context))


def converted(context: Context, module: Operation) -> None:
    target = ConversionTarget().add_illegal("old.add").add_legal_dialect("old", "builtin")
    apply_partial_conversion(module, target, RewritePatternSet(context))


def by(pass_: Pass) -> Callable[[Context, Operation], None]:
    return lambda context, module: PassManager(context).add(pass_).run(module)


@pytest.mark.parametrize("work", [greedily, converted, by(Canonicalize()), by(SCCP())])
def test_the_diagnostic_names_the_dialect_and_the_hook(work: Callable[[Context, Operation], None]) -> None:
    context = Context([BUILTIN, FORGETFUL, NEW, MIDDLE])
    module = read(context, SUM)
    before = str(module)
    with pytest.raises(DiagnosticError) as caught, context.diagnostics.collect():
        work(context, module)
    (diagnostic,) = caught.value.diagnostics
    assert str(diagnostic.code) == "TW0709"
    assert diagnostic.message == (
        "'old.add' folds to a constant that dialect 'old' cannot make: it has no 'materialize_constant'"
    )
    assert diagnostic.location.source is not None
    assert str(module) == before


def test_constants_themselves_need_no_hook() -> None:
    context = Context([BUILTIN, FORGETFUL, NEW, MIDDLE])
    module = read(context, '%0 = "old.constant"() {value = 1 : i32} : () -> i32\n"old.use"(%0) : (i32) -> ()')
    before = str(module)
    by(Canonicalize())(context, module)
    by(SCCP())(context, module)
    assert str(module) == before
