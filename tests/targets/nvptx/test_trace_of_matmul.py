"""One compilation of a matrix product for sm_80, watched: which of the compiler's machinery it uses.

The dialects of the cascade are loaded in their order, patterns of all four shapes are applied, one value becomes several,
a module of PDL takes part, bridges between types are made and none is left, and the verifier walks after every pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.targets.nvptx.body.gpu_kernels import KERNELS
from tilewright.dialects.common.chips import CHIPS
from tilewright.driver.preparation import wrapped
from tilewright.driver.startup import CHAIN, context, startup
from tilewright.ir import verifier
from tilewright.ir.context import Context
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.walker import Visitor, WalkResult
from tilewright.lowering.cute_to_nvvm.barriers import NamedBarrier
from tilewright.lowering.cute_to_nvvm.copies import LoadAtOnce, StoreAtOnce
from tilewright.lowering.cute_to_nvvm.matrices import Product
from tilewright.lowering.cute_to_nvvm.products import SyncProduct
from tilewright.lowering.cute_to_nvvm.registers import SpecialRegister
from tilewright.passes.instrumentation import Instrumentation
from tilewright.passes.pass_ import Pass, PassState
from tilewright.passes.pipeline import parse_pipeline
from tilewright.pdl.patterns import PDLPattern
from tilewright.rewrite.conversion.bridges import CAST
from tilewright.rewrite.observer import RewriteObserver
from tilewright.rewrite.pattern import NoMatch, Pattern, Role
from tilewright.targets.nvptx.body.matrix import MatrixProduct
from tilewright.targets.nvptx.emission import translate
from tilewright.targets.nvptx.stages import CODE, LAYOUTS

CHIP = "sm_80"
PASSES = f"convert-cuda-tile-to-tileaa{{compute-capability={CHIP}}},convert-tileaa-to-tileas,{LAYOUTS},{CODE}"


class Trace(Instrumentation, RewriteObserver):
    """What happens during a compilation."""

    def __init__(self) -> None:
        self.passes: list[str] = []
        self.applied: Counter[type[Pattern[Any]]] = Counter()
        self.shapes: Counter[Role] = Counter()
        self.casts: dict[str, int] = {}
        """How many bridges there are behind each pass."""

    def before_pass(self, pass_: Pass, op: Operation) -> None:
        self.passes.append(pass_.name)

    def rewrite_observer(self, pass_: Pass) -> RewriteObserver:
        return self

    def result(self, pattern: Pattern[Any], refused: NoMatch | None, seconds: float) -> None:
        if refused is None:
            self.applied[type(pattern)] += 1
            self.shapes[pattern.role] += 1

    def after_pass(self, pass_: Pass, op: Operation, state: PassState) -> None:
        self.casts[pass_.name] = sum(inner.name == CAST for inner in op.walk())


class Compiled:
    """The product, its context, and the trace of its compilation."""

    def __init__(self) -> None:
        self.context: Context = context()
        self.trace = Trace()
        text, *_ = KERNELS["product of f16"]
        self.module = wrapped(parse_module(self.context, text))
        manager = parse_pipeline(f"builtin.module({PASSES})", self.context, startup().passes)
        manager.instrument(self.trace)
        self.walks = count_walks(lambda: manager.run(self.module))


def count_walks(run: Callable[[], None]) -> Counter[type[Visitor]]:
    """How often each visitor goes through the IR while the verifier runs."""
    walks: Counter[type[Visitor]] = Counter()
    walk = verifier.walk_with

    def counted(root: Operation, visitor: Visitor) -> WalkResult:
        walks[type(visitor)] += 1
        return walk(root, visitor)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verifier, "walk_with", counted)
        run()
    return walks


@pytest.fixture(scope="module")
def compiled() -> Compiled:
    return Compiled()


def test_the_dialects_of_the_cascade_are_loaded_in_their_order(compiled: Compiled) -> None:
    assert [name for name in compiled.context.dialects if name in CHAIN] == list(CHAIN)


def test_patterns_of_all_four_shapes_are_applied(compiled: Compiled) -> None:
    assert set(compiled.trace.shapes) == set(Role)
    wanted = {LoadAtOnce, StoreAtOnce, NamedBarrier, Product, SyncProduct, SpecialRegister}
    assert wanted <= set(compiled.trace.applied)


def test_one_value_becomes_several(compiled: Compiled) -> None:
    one_to_n = {pattern for pattern in compiled.trace.applied if getattr(pattern, "one_to_n", False)}
    assert {MatrixProduct, SyncProduct} <= one_to_n


def test_a_module_of_pdl_takes_part(compiled: Compiled) -> None:
    assert compiled.trace.applied[PDLPattern] > 0


def test_bridges_are_made_and_none_is_left(compiled: Compiled) -> None:
    casts = compiled.trace.casts
    assert casts["convert-nv-tileas-to-nvvm"] > 0
    assert casts["convert-cute-to-nvgpu"] > 0
    assert casts["reconcile-unrealized-casts"] == 0


def test_the_verifier_walks_after_every_pass(compiled: Compiled) -> None:
    assert sum(compiled.walks.values()) >= len(compiled.trace.passes) == len(PASSES.split(","))


def test_what_is_left_is_code_of_threads(compiled: Compiled) -> None:
    dialects = {op.kind.dialect for op in compiled.module.walk()}
    assert dialects == {"builtin", "llvm", "nvvm"}
    assert ".entry k(" in translate(compiled.module, CHIPS[CHIP])
