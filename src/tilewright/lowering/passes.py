"""The ``convert-*-to-llvm`` passes and their neighbours, with the flags they have in MLIR.

Each conversion has exactly one type converter, which all its patterns share.  The patterns are imported when a pass
runs: start-up publishes the passes and must not load every dialect for that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState

if TYPE_CHECKING:
    from collections.abc import Callable

    from tilewright.lowering.llvm_type_converter import LLVMTypeConverter
    from tilewright.rewrite.pattern_set import RewritePatternSet

    Populate = Callable[[RewritePatternSet, LLVMTypeConverter], None]


def to_llvm(
    op: Operation,
    state: PassState,
    *populators: Populate,
    index_width: int = 64,
    bare_pointers: bool = False,
) -> None:
    """Convert what the patterns of some populators convert, under one fresh type converter."""
    from tilewright.lowering.conversion import convert
    from tilewright.lowering.llvm_type_converter import LLVMOptions, LLVMTypeConverter
    from tilewright.rewrite.conversion.driver import ConversionConfig
    from tilewright.rewrite.conversion.target import ConversionTarget
    from tilewright.rewrite.pattern_set import RewritePatternSet

    converter = LLVMTypeConverter(state.context, LLVMOptions(index_width, bare_pointers))
    patterns = RewritePatternSet(state.context)
    for populate in populators:
        populate(patterns, converter)
    target = ConversionTarget().add_legal_dialect("llvm").add_legal("builtin.unrealized_conversion_cast")
    convert(op, state, target, patterns, ConversionConfig(type_converter=converter))


@dataclass(frozen=True)
class ConvertArithToLLVM(Pass):
    """Converts ``arith`` to ``llvm``; ``index-bitwidth`` is the width of ``index``, 0 for that of the machine (64)."""

    name: ClassVar[str] = "convert-arith-to-llvm"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)
    index_bitwidth: int = 0

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.lowering.arith_to_llvm import populate_arith_to_llvm

        to_llvm(op, state, populate_arith_to_llvm, index_width=self.index_bitwidth)


@dataclass(frozen=True)
class ConvertMathToLLVM(Pass):
    """Converts ``math`` to intrinsics; ``approximate-log1p`` computes log1p as the logarithm of a sum."""

    name: ClassVar[str] = "convert-math-to-llvm"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)
    approximate_log1p: bool = True

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.lowering.math_to_llvm import populate_math_to_llvm

        def populate(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
            populate_math_to_llvm(patterns, converter, approximate_log1p=self.approximate_log1p)

        to_llvm(op, state, populate)


@dataclass(frozen=True)
class ConvertUBToLLVM(Pass):
    """Converts ``ub`` to ``llvm``; ``index-bitwidth`` is the width of ``index``, 0 for that of the machine (64)."""

    name: ClassVar[str] = "convert-ub-to-llvm"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)
    index_bitwidth: int = 0

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.lowering.ub_to_llvm import populate_ub_to_llvm

        to_llvm(op, state, populate_ub_to_llvm, index_width=self.index_bitwidth)


@dataclass(frozen=True)
class ConvertSCFToCF(Pass):
    """Turns structured control flow into blocks and branches."""

    name: ClassVar[str] = "convert-scf-to-cf"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("cf", "arith")

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.lowering.conversion import convert
        from tilewright.lowering.scf_to_cf import LOWERINGS, populate_scf_to_cf
        from tilewright.rewrite.conversion.driver import ConversionConfig
        from tilewright.rewrite.conversion.target import ConversionTarget
        from tilewright.rewrite.pattern_set import RewritePatternSet

        patterns = RewritePatternSet(state.context)
        populate_scf_to_cf(patterns)
        target = ConversionTarget().add_illegal(*LOWERINGS)
        target.mark_unknown_dynamically_legal(lambda _: True)
        convert(op, state, target, patterns, ConversionConfig())


@dataclass(frozen=True)
class ConvertCFToLLVM(Pass):
    """Converts ``cf`` to ``llvm``; ``index-bitwidth`` is the width of ``index``, 0 for that of the machine (64)."""

    name: ClassVar[str] = "convert-cf-to-llvm"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)
    index_bitwidth: int = 0

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.lowering.cf_to_llvm import populate_cf_to_llvm

        to_llvm(op, state, populate_cf_to_llvm, index_width=self.index_bitwidth)


@dataclass(frozen=True)
class ConvertFuncToLLVM(Pass):
    """Converts functions, calls and returns.

    ``use-bare-ptr-memref-call-conv`` passes memrefs as aligned pointers; their layout must then be static.
    ``index-bitwidth`` is the width of ``index``, 0 for that of the machine (64).
    """

    name: ClassVar[str] = "convert-func-to-llvm"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)
    use_bare_ptr_memref_call_conv: bool = False
    index_bitwidth: int = 0

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.lowering.func_to_llvm import populate_func_to_llvm

        bare_pointers = self.use_bare_ptr_memref_call_conv
        to_llvm(
            op, state, populate_func_to_llvm, index_width=self.index_bitwidth, bare_pointers=bare_pointers
        )


@dataclass(frozen=True)
class FinalizeMemRefToLLVM(Pass):
    """Converts ``memref`` to ``llvm``.

    ``use-aligned-alloc`` allocates with ``aligned_alloc``, ``use-generic-functions`` with functions that the runtime
    provides, else ``malloc`` is used.  ``index-bitwidth`` is the width of ``index``, 0 for that of the machine (64).
    """

    name: ClassVar[str] = "finalize-memref-to-llvm"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm", "cf")
    use_aligned_alloc: bool = False
    index_bitwidth: int = 0
    use_generic_functions: bool = False

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.lowering.memref_to_llvm import AllocationOptions, populate_memref_to_llvm

        allocation = AllocationOptions(self.use_aligned_alloc, self.use_generic_functions)

        def populate(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
            populate_memref_to_llvm(patterns, converter, allocation)

        to_llvm(op, state, populate, index_width=self.index_bitwidth)


@dataclass(frozen=True)
class ReconcileUnrealizedCasts(Pass):
    """Removes bridges between types that lead back to where they came from; those that remain stay as they are."""

    name: ClassVar[str] = "reconcile-unrealized-casts"
    atomic: ClassVar[bool] = True

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.rewrite.conversion.bridges import reconcile_casts

        reconcile_casts(op)


def populate_all(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """All patterns of this package: structured control flow, then every dialect that has a form in LLVM."""
    from tilewright.lowering.arith_to_llvm import populate_arith_to_llvm
    from tilewright.lowering.cf_to_llvm import populate_cf_to_llvm
    from tilewright.lowering.func_to_llvm import populate_func_to_llvm
    from tilewright.lowering.math_to_llvm import populate_math_to_llvm
    from tilewright.lowering.memref_to_llvm import populate_memref_to_llvm
    from tilewright.lowering.scf_to_cf import populate_scf_to_cf
    from tilewright.lowering.ub_to_llvm import populate_ub_to_llvm

    populate_scf_to_cf(patterns)
    populate_arith_to_llvm(patterns, converter)
    populate_math_to_llvm(patterns, converter)
    populate_ub_to_llvm(patterns, converter)
    populate_cf_to_llvm(patterns, converter)
    populate_func_to_llvm(patterns, converter)
    populate_memref_to_llvm(patterns, converter)


@dataclass(frozen=True)
class ConvertToLLVM(Pass):
    """Converts ``scf``, ``arith``, ``math``, ``ub``, ``cf``, ``func`` and ``memref`` to ``llvm`` in one conversion."""

    name: ClassVar[str] = "convert-to-llvm"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm", "cf", "arith")

    def run(self, op: Operation, state: PassState) -> None:
        to_llvm(op, state, populate_all)


PASSES: tuple[type[Pass], ...] = (
    ConvertArithToLLVM,
    ConvertMathToLLVM,
    ConvertUBToLLVM,
    ConvertSCFToCF,
    ConvertCFToLLVM,
    ConvertFuncToLLVM,
    FinalizeMemRefToLLVM,
    ReconcileUnrealizedCasts,
    ConvertToLLVM,
)
"""What start-up publishes."""
