"""The layout of the walker's frame."""

from __future__ import annotations

from tilewright.abi.layout import U32, AbiLayout, LayoutField, Profile, Struct, pointer

FAMILY = "walker"
_SOURCE = "Operation Layout: Walker Contract"

WALK_FRAME = Struct(
    "WalkFrame",
    40,
    (
        LayoutField("op", 0x00, pointer("Operation"), "operation whose regions are being walked", _SOURCE),
        LayoutField("visitor", 0x08, pointer("WalkVisitor"), "hooks: enter, leave, per_op", _SOURCE),
        LayoutField("region_cursor", 0x10, pointer("Region"), "next region to walk", _SOURCE),
        LayoutField("block_cursor", 0x18, pointer("Block"), "next block to walk", _SOURCE),
        LayoutField("phase", 0x20, U32, "0 before, 1 in, 2 after the children", _SOURCE),
        LayoutField("flags", 0x24, U32, "skip and interrupt", _SOURCE),
    ),
    "One entry of the walker's stack.",
    notes=(
        "Results of hooks: 0 continue, 1 skip the children, 2 interrupt, 3 visit again.",
        "Upstream walks by recursion and has no such frame.",
    ),
)
LAYOUTS: tuple[AbiLayout, ...] = (AbiLayout("walk_frame", FAMILY, {Profile.TILEIRAS: WALK_FRAME}),)
