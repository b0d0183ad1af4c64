"""All patterns of this package in one conversion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.upstream_to_llvm.arith import populate_arith_to_llvm
from tilewright.lowering.upstream_to_llvm.cf import populate_cf_to_llvm
from tilewright.lowering.upstream_to_llvm.conversion import ToLLVM
from tilewright.lowering.upstream_to_llvm.func import populate_func_to_llvm
from tilewright.lowering.upstream_to_llvm.math import populate_math_to_llvm
from tilewright.lowering.upstream_to_llvm.memref import populate_memref_to_llvm
from tilewright.lowering.upstream_to_llvm.scf import populate_scf_to_cf
from tilewright.lowering.upstream_to_llvm.ub import populate_ub_to_llvm
from tilewright.rewrite.pattern_set import RewritePatternSet


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
class ConvertToLLVM(ToLLVM):
    """Converts ``scf``, ``arith``, ``math``, ``ub``, ``cf``, ``func`` and ``memref`` to ``llvm`` in one conversion."""

    name: ClassVar[str] = "convert-to-llvm"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm", "cf", "arith")

    def populate(self, patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
        populate_all(patterns, converter)
