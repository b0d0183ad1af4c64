"""The layout of the walker's frame."""

from __future__ import annotations

from tilewright.abi import layout

FAMILY = "walker"
_SOURCE = "Operation Layout: Walker Contract"

WALK_FRAME = layout.Struct(
    "WalkFrame",
    40,
    (
        layout.LayoutField(
            "op", 0x00, layout.pointer("Operation"), "operation whose regions are being walked", _SOURCE
        ),
        layout.LayoutField(
            "visitor", 0x08, layout.pointer("WalkVisitor"), "hooks: enter, leave, per_op", _SOURCE
        ),
        layout.LayoutField("region_cursor", 0x10, layout.pointer("Region"), "next region to walk", _SOURCE),
        layout.LayoutField("block_cursor", 0x18, layout.pointer("Block"), "next block to walk", _SOURCE),
        layout.LayoutField("phase", 0x20, layout.U32, "0 before, 1 in, 2 after the children", _SOURCE),
        layout.LayoutField("flags", 0x24, layout.U32, "skip and interrupt", _SOURCE),
    ),
    "One entry of the walker's stack.",
    notes=(
        "Results of hooks: 0 continue, 1 skip the children, 2 interrupt, 3 visit again.",
        "Upstream walks by recursion and has no such frame.",
    ),
)
LAYOUTS: tuple[layout.AbiLayout, ...] = (
    layout.AbiLayout("walk_frame", FAMILY, {layout.Profile.TILEIRAS: WALK_FRAME}),
)
