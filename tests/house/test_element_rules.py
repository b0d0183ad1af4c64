"""What an operation does to one element is written once, in `targets/elements`, for every target."""

from __future__ import annotations

from tests.house.test_elementwise_operations import named_in
from tests.lowering.cuda_tile_to_tileaa.lowered import CONTEXT
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.rules import RULES
from tilewright.targets.nvptx.instructions import NATIVE
from tilewright.targets.nvptx.tileas_to_nvvm.elementwise import AddPointer, ElementRule, populate_elementwise

TARGETS, LIBRARY = "src/tilewright/targets/", "src/tilewright/targets/elements/"
NAMED = {
    "cpu/planning/effort.py": "how long operations take",
    "cpu/facts/operation_table.py": "operations of which positions are made",
    "nvptx/pipelines/shared_memory_budget.py": "operations that need no shared memory",
    "nvptx/pipelines/loop_writing.py": "masks of loads of later iterations",
    "nvptx/pipelines/iterations.py": "counters of later iterations",
    "nvptx/tileas_to_nvvm/aggregates/combination.py": "reductions whose order does not change a bit",
    "nvptx/tileas_to_nvvm/elementwise.py": "addresses, which keep their address space",
}
"""Files of targets that name operations of the table, and why: none of them says what the operation computes."""


def test_targets_do_not_name_the_operations_of_the_table() -> None:
    """A second rule would name its operation."""
    files = set[str]().union(*(named_in()[op.__module__, op.__name__] for op in RULES))
    found = {file for file in files if file.startswith(TARGETS) and not file.startswith(LIBRARY)}
    assert found == {TARGETS + file for file in NAMED}


def test_gpus_compute_elements_by_the_table() -> None:
    """Each operation of the table has one pattern, which looks its rule up."""
    patterns = RewritePatternSet(CONTEXT)
    populate_elementwise(patterns, LLVMTypeConverter(CONTEXT), NATIVE)
    kinds = {pattern.root: type(pattern) for pattern in patterns}
    assert len(kinds) == len(patterns)
    assert set(RULES) <= set(kinds)
    assert {kind for root, kind in kinds.items() if root in RULES} <= {ElementRule, AddPointer}
