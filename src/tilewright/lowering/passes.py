"""The ``convert-*-to-llvm`` passes and their neighbours, with the flags they have in MLIR.

Each conversion has exactly one type converter, which all its patterns share.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from tilewright.ir.diagnostic import DiagnosticError, Severity
from tilewright.ir.operation import Operation
from tilewright.lowering.arith_to_llvm import populate_arith_to_llvm
from tilewright.lowering.cf_to_llvm import populate_cf_to_llvm
from tilewright.lowering.func_to_llvm import populate_func_to_llvm
from tilewright.lowering.llvm_type_converter import LLVMOptions, LLVMTypeConverter
from tilewright.lowering.math_to_llvm import populate_math_to_llvm
from tilewright.lowering.memref_to_llvm import AllocationOptions, populate_memref_to_llvm
from tilewright.lowering.scf_to_cf import LOWERINGS, populate_scf_to_cf
from tilewright.lowering.ub_to_llvm import populate_ub_to_llvm
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.conversion.bridges import reconcile_casts
from tilewright.rewrite.conversion.driver import ConversionConfig, apply_partial_conversion
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.conversion.type_converter import one_converter
from tilewright.rewrite.pattern_set import RewritePatternSet

Populate = Callable[[RewritePatternSet, LLVMTypeConverter], None]


def llvm_target() -> ConversionTarget:
    """What a conversion to LLVM must not touch: ``llvm`` itself and bridges."""
    return ConversionTarget().add_legal_dialect("llvm").add_legal("builtin.unrealized_conversion_cast")


def convert(
    op: Operation,
    state: PassState,
    target: ConversionTarget,
    patterns: RewritePatternSet,
    config: ConversionConfig,
) -> None:
    """Apply a partial conversion.  Raises `DiagnosticError` with what stood in the way; nothing is changed then."""
    with state.context.diagnostics.collect() as found:
        result = apply_partial_conversion(op, target, patterns, config)
    errors = [diagnostic for diagnostic in found if diagnostic.severity is Severity.ERROR]
    for diagnostic in found:
        if diagnostic.severity is not Severity.ERROR:
            state.emit(diagnostic)
    if not result:
        raise DiagnosticError(errors)


def to_llvm(op: Operation, state: PassState, options: LLVMOptions, *populators: Populate) -> None:
    """Convert what the patterns of some populators convert, under one fresh type converter."""
    with one_converter():
        converter = LLVMTypeConverter(state.context, options)
        patterns = RewritePatternSet(state.context)
        for populate in populators:
            populate(patterns, converter)
        convert(op, state, llvm_target(), patterns, ConversionConfig(type_converter=converter))


@dataclass(frozen=True)
class ConvertArithToLLVM(Pass):
    """Converts ``arith`` to ``llvm``; ``index-bitwidth`` is the width of ``index``, 0 for that of the machine (64)."""

    name: ClassVar[str] = "convert-arith-to-llvm"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)
    index_bitwidth: int = 0

    def run(self, op: Operation, state: PassState) -> None:
        to_llvm(op, state, LLVMOptions(self.index_bitwidth), populate_arith_to_llvm)


@dataclass(frozen=True)
class ConvertMathToLLVM(Pass):
    """Converts ``math`` to intrinsics; ``approximate-log1p`` computes log1p as the logarithm of a sum."""

    name: ClassVar[str] = "convert-math-to-llvm"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)
    approximate_log1p: bool = True

    def run(self, op: Operation, state: PassState) -> None:
        def populate(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
            populate_math_to_llvm(patterns, converter, approximate_log1p=self.approximate_log1p)

        to_llvm(op, state, LLVMOptions(), populate)


@dataclass(frozen=True)
class ConvertUBToLLVM(Pass):
    """Converts ``ub`` to ``llvm``; ``index-bitwidth`` is the width of ``index``, 0 for that of the machine (64)."""

    name: ClassVar[str] = "convert-ub-to-llvm"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)
    index_bitwidth: int = 0

    def run(self, op: Operation, state: PassState) -> None:
        to_llvm(op, state, LLVMOptions(self.index_bitwidth), populate_ub_to_llvm)


@dataclass(frozen=True)
class ConvertSCFToCF(Pass):
    """Turns structured control flow into blocks and branches."""

    name: ClassVar[str] = "convert-scf-to-cf"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("cf", "arith")

    def run(self, op: Operation, state: PassState) -> None:
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
        to_llvm(op, state, LLVMOptions(self.index_bitwidth), populate_cf_to_llvm)


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
        options = LLVMOptions(self.index_bitwidth, self.use_bare_ptr_memref_call_conv)
        to_llvm(op, state, options, populate_func_to_llvm)


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
        allocation = AllocationOptions(self.use_aligned_alloc, self.use_generic_functions)

        def populate(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
            populate_memref_to_llvm(patterns, converter, allocation)

        to_llvm(op, state, LLVMOptions(self.index_bitwidth), populate)


@dataclass(frozen=True)
class ReconcileUnrealizedCasts(Pass):
    """Removes bridges between types that lead back to where they came from; those that remain stay as they are."""

    name: ClassVar[str] = "reconcile-unrealized-casts"
    atomic: ClassVar[bool] = True

    def run(self, op: Operation, state: PassState) -> None:
        reconcile_casts(op)


def populate_all(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """All patterns of this package: structured control flow, then every dialect that has a form in LLVM."""
    populate_scf_to_cf(patterns)
    for populate in POPULATORS:
        populate(patterns, converter)


def _memref(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    populate_memref_to_llvm(patterns, converter)


POPULATORS: tuple[Populate, ...] = (
    populate_arith_to_llvm,
    populate_math_to_llvm,
    populate_ub_to_llvm,
    populate_cf_to_llvm,
    populate_func_to_llvm,
    _memref,
)
"""Everything that goes to ``llvm``."""


@dataclass(frozen=True)
class ConvertToLLVM(Pass):
    """Converts ``scf``, ``arith``, ``math``, ``ub``, ``cf``, ``func`` and ``memref`` to ``llvm`` in one conversion."""

    name: ClassVar[str] = "convert-to-llvm"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm", "cf", "arith")

    def run(self, op: Operation, state: PassState) -> None:
        to_llvm(op, state, LLVMOptions(), populate_all)


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
