"""One compilation of a matrix product for sm_80, watched: which of the compiler's machinery it uses.

It is what `tilewright.compile` does: the six dialects of tiles are loaded in their order, patterns of all four shapes are
applied, one value becomes several, bridges between types are made and none is left, and the
verifier walks after every pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_kernels import KERNELS
from tilewright.driver.stages import CompileOptions
from tilewright.driver.startup import CHAIN, INPUT_DIALECT
from tilewright.ir import verifier
from tilewright.ir.context import Context
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation
from tilewright.ir.walker import Visitor, WalkResult
from tilewright.lowering.cute_to_nvvm.convert_cute import NamedBarrier
from tilewright.lowering.cute_to_nvvm.copies import LoadAtOnce, StoreAtOnce
from tilewright.lowering.cute_to_nvvm.matrices import MmaConversion
from tilewright.lowering.cute_to_nvvm.products import SyncProduct
from tilewright.lowering.cute_to_nvvm.registers import SpecialRegisterConversion
from tilewright.passes.pass_ import Instrumentation, Pass, PassState
from tilewright.rewrite.conversion.bridges import CAST
from tilewright.rewrite.observer import RewriteObserver
from tilewright.rewrite.pattern import NoMatch, Pattern, PatternRole
from tilewright.targets.nvptx.stages import CODE, LAYOUTS
from tilewright.targets.nvptx.tileas_to_nvvm.matrix import MatrixProduct

CHIP = "sm_80"


class Trace(Instrumentation, RewriteObserver):
    """What happens during a compilation."""

    def __init__(self) -> None:
        self.passes: list[str] = []
        self.applied: Counter[type[Pattern[Any]]] = Counter()
        self.shapes: Counter[PatternRole] = Counter()
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
    """The product, the trace of its compilation, and the dialects in the order in which it loaded them."""

    def __init__(self) -> None:
        self.trace = Trace()
        text, *_ = KERNELS["product of f16"]
        with pytest.MonkeyPatch.context() as patch:
            self.loaded = loaded_dialects(patch)
            options = CompileOptions(verify_each=True)
            artifact = tilewright.compile(text, target=CHIP, options=options, instrumentations=[self.trace])
            self.walks = count_walks(lambda: artifact.module("llvm"))
        self.module = artifact.module("llvm")
        self.ptx = artifact.asm["ptx"]


def loaded_dialects(patch: pytest.MonkeyPatch) -> list[str]:
    """The names of the dialects that contexts load from now on, each once."""
    found: list[str] = []
    load = Context.load

    def noted(self: Context, dialect: Dialect) -> Dialect:
        loaded = load(self, dialect)
        if dialect.name not in found:
            found.append(dialect.name)
        return loaded

    patch.setattr(Context, "load", noted)
    return found


def count_walks(run: Callable[[], object]) -> Counter[type[Visitor]]:
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


def test_the_six_dialects_are_loaded_in_their_order(compiled: Compiled) -> None:
    six = [INPUT_DIALECT, *CHAIN]
    assert len(six) == 6
    assert [name for name in compiled.loaded if name in six] == six


def test_patterns_of_all_four_shapes_are_applied(compiled: Compiled) -> None:
    assert set(compiled.trace.shapes) == set(PatternRole)
    wanted = {LoadAtOnce, StoreAtOnce, NamedBarrier, MmaConversion, SyncProduct, SpecialRegisterConversion}
    assert wanted <= set(compiled.trace.applied)


def test_one_value_becomes_several(compiled: Compiled) -> None:
    one_to_n = {pattern for pattern in compiled.trace.applied if getattr(pattern, "one_to_n", False)}
    assert {MatrixProduct, SyncProduct} <= one_to_n


def test_bridges_are_made_and_none_is_left(compiled: Compiled) -> None:
    casts = compiled.trace.casts
    assert casts["convert-nv-tileas-to-nvvm"] > 0
    assert casts["convert-cute-to-nvgpu"] > 0
    assert casts["reconcile-unrealized-casts"] == 0


def test_the_verifier_walks_after_every_pass(compiled: Compiled) -> None:
    names = [one.partition("{")[0] for one in f"{LAYOUTS},{CODE}".split(",")]
    assert compiled.trace.passes[-len(names) :] == names
    assert sum(compiled.walks.values()) >= len(compiled.trace.passes)


def test_what_is_left_is_code_of_threads(compiled: Compiled) -> None:
    dialects = {op.kind.dialect for op in compiled.module.walk()}
    assert dialects == {"builtin", "llvm", "nvvm"}
    assert ".entry k(" in str(compiled.ptx)
