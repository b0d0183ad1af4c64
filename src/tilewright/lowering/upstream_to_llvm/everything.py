"""Runs all patterns of this package in one conversion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.llvm.ops.control import UnreachableOp
from tilewright.dialects.ub import dialect
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.converter import LLVMOptions, LLVMTypeConverter
from tilewright.lowering.upstream_to_llvm import patterns as upstream_to_llvm_patterns
from tilewright.lowering.upstream_to_llvm.arith import populate_arith_to_llvm
from tilewright.lowering.upstream_to_llvm.cf import populate_cf_to_llvm
from tilewright.lowering.upstream_to_llvm.func import populate_func_to_llvm
from tilewright.lowering.upstream_to_llvm.math import populate_math_to_llvm
from tilewright.lowering.upstream_to_llvm.memref_access import ACCESS_RULES
from tilewright.lowering.upstream_to_llvm.memref_allocation import AllocationOptions, allocation_rules
from tilewright.lowering.upstream_to_llvm.memref_views import VIEW_RULES
from tilewright.lowering.upstream_to_llvm.scf import populate_scf_to_cf
from tilewright.rewrite.pattern_set import RewritePatternSet


def populate_memref_to_llvm(
    patterns: RewritePatternSet, converter: LLVMTypeConverter, options: AllocationOptions | None = None
) -> None:
    """Add the patterns that lower ``memref``. ``options`` choose the functions that allocate, by default
    `malloc` and `free`.
    """
    rules = {**allocation_rules(options or AllocationOptions()), **ACCESS_RULES, **VIEW_RULES}
    upstream_to_llvm_patterns.add_rules(patterns, converter, rules)


__all__ = ["AllocationOptions", "populate_memref_to_llvm"]


@dataclass(frozen=True)
class FinalizeMemRefToLLVM(upstream_to_llvm_patterns.ToLLVM):
    """Converts ``memref`` to ``llvm``.

    Buffers are allocated with ``malloc``, or with ``aligned_alloc`` if ``use-aligned-alloc`` is set. With
    ``use-generic-functions`` the functions have names beginning with ``_mlir_memref_to_llvm_``, which the
    runtime provides. ``index-bitwidth`` is the width of ``index``, 0 for the machine's (64).
    """

    name: ClassVar[str] = "finalize-memref-to-llvm"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm", "cf")
    use_aligned_alloc: bool = False
    index_bitwidth: int = 0
    use_generic_functions: bool = False

    def populate(self, patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
        allocation = AllocationOptions(self.use_aligned_alloc, self.use_generic_functions)
        populate_memref_to_llvm(patterns, converter, allocation)

    def llvm_options(self) -> LLVMOptions:
        return LLVMOptions(self.index_bitwidth)


def _poison(site: upstream_to_llvm_patterns.LoweringSite[dialect.PoisonOp]) -> Value:
    return site.emit.poison(site.result_type())


def _unreachable(site: upstream_to_llvm_patterns.LoweringSite[dialect.UnreachableOp]) -> Sequence[Value]:
    site.emit.insert(UnreachableOp)
    return ()


RULES: dict[type[Operation], upstream_to_llvm_patterns.Rule] = {
    dialect.PoisonOp: _poison,
    dialect.UnreachableOp: _unreachable,
}
"""For each operation of ``ub``, the function that lowers it."""


def populate_ub_to_llvm(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns that lower ``ub``."""
    upstream_to_llvm_patterns.add_rules(patterns, converter, RULES)


@dataclass(frozen=True)
class ConvertUBToLLVM(upstream_to_llvm_patterns.ToLLVMWithIndex):
    """Converts ``ub`` to ``llvm``; ``index-bitwidth`` is the width of ``index``, 0 for the machine's (64)."""

    name: ClassVar[str] = "convert-ub-to-llvm"

    def populate(self, patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
        populate_ub_to_llvm(patterns, converter)


def populate_all(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add all patterns of this package: structured control flow, then every dialect that can be converted to
    LLVM.
    """
    populate_scf_to_cf(patterns)
    populate_arith_to_llvm(patterns, converter)
    populate_math_to_llvm(patterns, converter)
    populate_ub_to_llvm(patterns, converter)
    populate_cf_to_llvm(patterns, converter)
    populate_func_to_llvm(patterns, converter)
    populate_memref_to_llvm(patterns, converter)


@dataclass(frozen=True)
class ConvertToLLVM(upstream_to_llvm_patterns.ToLLVM):
    """Converts ``scf``, ``arith``, ``math``, ``ub``, ``cf``, ``func`` and ``memref`` to ``llvm`` in one conversion."""

    name: ClassVar[str] = "convert-to-llvm"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm", "cf", "arith")

    def populate(self, patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
        populate_all(patterns, converter)
