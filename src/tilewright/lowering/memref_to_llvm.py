"""``memref`` to ``llvm``: buffers become descriptors, accesses become addresses."""

from __future__ import annotations

from tilewright.lowering.llvm_type_converter import LLVMTypeConverter
from tilewright.lowering.memref_access import ACCESS_RULES
from tilewright.lowering.memref_allocation import AllocationOptions, allocation_rules
from tilewright.lowering.memref_views import VIEW_RULES
from tilewright.lowering.patterns import add_rules
from tilewright.rewrite.pattern_set import RewritePatternSet


def populate_memref_to_llvm(
    patterns: RewritePatternSet, converter: LLVMTypeConverter, options: AllocationOptions | None = None
) -> None:
    """Add the patterns that lower ``memref``."""
    rules = {**allocation_rules(options or AllocationOptions()), **ACCESS_RULES, **VIEW_RULES}
    add_rules(patterns, converter, rules)


__all__ = ["AllocationOptions", "populate_memref_to_llvm"]
