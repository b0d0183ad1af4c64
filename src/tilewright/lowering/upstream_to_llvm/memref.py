"""``memref`` to ``llvm``: buffers become descriptors, accesses become addresses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.lowering.llvm_types.converter import LLVMOptions, LLVMTypeConverter
from tilewright.lowering.upstream_to_llvm.conversion import ToLLVM
from tilewright.lowering.upstream_to_llvm.memref_access import ACCESS_RULES
from tilewright.lowering.upstream_to_llvm.memref_allocation import AllocationOptions, allocation_rules
from tilewright.lowering.upstream_to_llvm.memref_views import VIEW_RULES
from tilewright.lowering.upstream_to_llvm.patterns import add_rules
from tilewright.rewrite.pattern_set import RewritePatternSet


def populate_memref_to_llvm(
    patterns: RewritePatternSet, converter: LLVMTypeConverter, options: AllocationOptions | None = None
) -> None:
    """Add the patterns that lower ``memref``."""
    rules = {**allocation_rules(options or AllocationOptions()), **ACCESS_RULES, **VIEW_RULES}
    add_rules(patterns, converter, rules)


__all__ = ["AllocationOptions", "populate_memref_to_llvm"]


@dataclass(frozen=True)
class FinalizeMemRefToLLVM(ToLLVM):
    """Converts ``memref`` to ``llvm``.

    ``use-aligned-alloc`` allocates with ``aligned_alloc``, ``use-generic-functions`` with functions that the runtime
    provides, else ``malloc`` is used.  ``index-bitwidth`` is the width of ``index``, 0 for the machine's (64).
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
