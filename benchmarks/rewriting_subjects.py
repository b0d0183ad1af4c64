"""What is compared when programs are rewritten: the same three libraries, each with its ordinary drivers.

``canonicalize`` folds and applies the canonicalisation patterns of all dialects to a fixed point; ``convert`` turns the
integer arithmetic of the ``fold`` family into the ``llvm`` dialect.  Verifiers are off for all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from benchmarks.subjects import Mlir, Subject, Tilewright, Xdsl

FILLERS = 947
"""So many patterns a whole compiler registers; their number must not matter to operations that they are not for."""


class Rewriting(ABC):
    """A subject that rewrites modules in place."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.name = subject.name

    @abstractmethod
    def canonicalize(self, module: Any) -> None:
        """Fold and simplify to a fixed point."""

    @abstractmethod
    def convert(self, module: Any) -> None:
        """Replace ``arith`` by ``llvm``."""


class TilewrightRewriting(Rewriting):
    """This project: the greedy driver, and the conversion driver with the patterns of ``convert-arith-to-llvm``."""

    def __init__(self, subject: Tilewright) -> None:
        from tilewright.driver.startup import dialect_object
        from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
        from tilewright.lowering.upstream_to_llvm.arith import populate_arith_to_llvm
        from tilewright.passes.transforms.canonicalize import canonicalization_patterns
        from tilewright.rewrite.conversion.driver import apply_partial_conversion
        from tilewright.rewrite.conversion.target import ConversionTarget
        from tilewright.rewrite.greedy import apply_patterns_greedily
        from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet

        super().__init__(subject)
        self.apply, self.apply_conversion = apply_patterns_greedily, apply_partial_conversion
        self.frozen, self.patterns = FrozenRewritePatternSet, RewritePatternSet
        context = subject.context
        if "llvm" not in context.dialects:
            context.load(dialect_object("llvm"))
        self.canonical = canonicalization_patterns(context)
        self.frozen_canonical = FrozenRewritePatternSet(self.canonical)
        self.target = ConversionTarget().add_legal_dialect("llvm").add_illegal_dialect("arith")
        lowering = RewritePatternSet(context)
        populate_arith_to_llvm(lowering, LLVMTypeConverter(context))
        self.lowering = FrozenRewritePatternSet(lowering)

    def canonicalize(self, module: Any) -> None:
        assert self.apply(module, self.frozen_canonical).converged

    def convert(self, module: Any) -> None:
        assert self.apply_conversion(module, self.target, self.lowering)

    def driver_with(self, count: int) -> Callable[[Any], None]:
        """The greedy driver with the canonical patterns and as many others, for operations that do not occur."""
        from tilewright.rewrite.pattern import RewritePattern

        others = [RewritePattern[Any](root=f"elsewhere.op{number}") for number in range(count)]
        table = self.frozen(
            self.patterns(self.subject.context, [*self.canonical, *others])
        )  # type of Tilewright

        def run(module: Any) -> None:
            assert self.apply(module, table).converged

        return run


class XdslRewriting(Rewriting):
    """xDSL: its ``canonicalize``, and the patterns it lacks, written as it writes those of other conversions."""

    def __init__(self, subject: Xdsl) -> None:
        from xdsl.dialects import arith, llvm
        from xdsl.pattern_rewriter import (
            GreedyRewritePatternApplier,
            PatternRewriter,
            PatternRewriteWalker,
            RewritePattern,
        )
        from xdsl.transforms.canonicalize import CanonicalizePass

        class LowerConstant(RewritePattern):
            def match_and_rewrite(self, op: Any, rewriter: PatternRewriter, /) -> None:
                if isinstance(op, arith.ConstantOp):
                    rewriter.replace(op, llvm.ConstantOp(op.value, op.result.type))

        class LowerAddition(RewritePattern):
            def match_and_rewrite(self, op: Any, rewriter: PatternRewriter, /) -> None:
                if isinstance(op, arith.AddiOp):
                    rewriter.replace(op, llvm.AddOp(op.lhs, op.rhs))

        super().__init__(subject)
        self.context, self.walker = subject.context, PatternRewriteWalker
        self.canonicalizer = CanonicalizePass()
        self.lowering = GreedyRewritePatternApplier([LowerConstant(), LowerAddition()])

    def canonicalize(self, module: Any) -> None:
        self.canonicalizer.apply(self.context, module)

    def convert(self, module: Any) -> None:
        self.walker(self.lowering, apply_recursively=False).rewrite_module(module)


class MlirRewriting(Rewriting):
    """MLIR's C++ passes, run through the pass manager of the Python bindings."""

    def __init__(self, subject: Mlir) -> None:
        from mlir.passmanager import PassManager

        super().__init__(subject)
        with subject.context:
            self.canonicalizer = PassManager.parse("builtin.module(canonicalize)")
            self.converter = PassManager.parse("builtin.module(convert-arith-to-llvm)")
        for manager in (self.canonicalizer, self.converter):
            manager.enable_verifier(False)

    def canonicalize(self, module: Any) -> None:
        self.canonicalizer.run(module)

    def convert(self, module: Any) -> None:
        self.converter.run(module)


WAYS: dict[type[Subject], Callable[[Any], Rewriting]] = {
    Tilewright: TilewrightRewriting,
    Xdsl: XdslRewriting,
    Mlir: MlirRewriting,
}


def rewriting(subjects: list[Subject]) -> list[Rewriting]:
    """The subjects with their drivers, in the same order."""
    return [WAYS[type(subject)](subject) for subject in subjects]
