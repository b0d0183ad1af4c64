"""The names of discardable attributes of ``nv_tileaa`` on modules, checks and arguments, which later passes
read.
"""

from __future__ import annotations

from tilewright.dialects.nv_tileaa.attributes import ComputeCapabilityAttr, TargetSpecAttr
from tilewright.dialects.nv_tileaa.ops.program import COMPILED_CHECKS
from tilewright.ir.builtin_attributes import IntegerAttr, StringAttr
from tilewright.ir.declaration.attribute_kind import InstanceKind, NameKind, TypeKind
from tilewright.ir.declaration.discardable import AttributeHolder, DiscardableAttribute

TARGET_SPEC = "nv_tileaa.target_spec"
COMPUTE_CAPABILITY = "nv_tileaa.compute_capability"
CHECK = "nv_tileaa.check"
"""The name of the attribute that marks assertions of Tile IR that are one of `COMPILED_CHECKS`, and accesses
whose indices are checked.
"""
DECLARED = "nv_tileaa.type"
"""The name of the attribute of an argument of a converted function that holds the type which it had in the
tile dialects.
"""
STAGE = "nv_tileaa.stage"
"""On a module of `MARKED_STAGES`, which no operation in it need tell from another stage."""
MARKED_STAGES = ("cute",)
VIEW_ACCESSES = (
    "cuda_tile.load_view_tko",
    "cuda_tile.store_view_tko",
    "cuda_tile.atomic_red_view_tko",
    "cuda_tile.multimem_load_reduce_view_tko",
    "cuda_tile.multimem_reduce_view_tko",
    "cuda_tile.multimem_store_view_tko",
)
MODULES = ("builtin.module", "cuda_tile.module", "gpu.module")
DISCARDABLE_ATTRIBUTES = (
    DiscardableAttribute(
        TARGET_SPEC,
        InstanceKind((TargetSpecAttr, StringAttr), "target specification or string"),
        "The chip that code is made for, or the host.",
        MODULES,
    ),
    DiscardableAttribute(
        COMPUTE_CAPABILITY,
        InstanceKind((ComputeCapabilityAttr, IntegerAttr), "compute capability or integer"),
        "The compute capability of the chip.",
        MODULES,
    ),
    DiscardableAttribute(
        STAGE, NameKind(*MARKED_STAGES), "The stage of a compilation that the module is of.", MODULES
    ),
    DiscardableAttribute(
        CHECK,
        NameKind(*COMPILED_CHECKS),
        "The run-time check of an assertion, or of the indices of an access to a view.",
        ("cuda_tile.assert", *VIEW_ACCESSES),
    ),
    DiscardableAttribute(
        DECLARED,
        TypeKind(),
        "The type that an argument had in the tile dialects.",
        place=AttributeHolder.ARGUMENT,
    ),
)
