"""The arguments of compiled kernels: memrefs, tiled views and pipeline tokens."""

from __future__ import annotations

from tilewright.abi import layout

FAMILY = "descriptors"
_SOURCE = "Pattern Sets and Type Conversion"
MAXIMUM_SLOT = (1 << 31) - 1


def ranked_memref(rank: int, element: str = "void") -> layout.Struct:
    """Return the descriptor of a memref with ``rank`` dimensions; sizes and strides count elements, and are
    left out for rank 0. ``element`` is the type that its pointers point to. Raises `LayoutError` for a
    negative rank.
    """
    if rank < 0:
        raise layout.LayoutError(f"a memref cannot have {rank} dimensions")
    shape = (
        layout.LayoutField(
            "sizes", 24, layout.ArrayLayout(layout.I64, rank), "elements per dimension", _SOURCE
        ),
        layout.LayoutField(
            "strides",
            24 + 8 * rank,
            layout.ArrayLayout(layout.I64, rank),
            "elements between neighbours",
            _SOURCE,
        ),
    )
    return layout.Struct(
        f"RankedMemRef{rank}D",
        24 + 16 * rank,
        (
            layout.LayoutField("allocated", 0, layout.pointer(element), "what to free", _SOURCE),
            layout.LayoutField("aligned", 8, layout.pointer(element), "first byte to use", _SOURCE),
            layout.LayoutField("offset", 16, layout.I64, "elements before the first", _SOURCE),
            *(shape if rank else ()),
        ),
        f"A memref of {rank} dimensions. Kernels take its aligned pointer alone.",
    )


UNRANKED_MEMREF = layout.Struct(
    "UnrankedMemRef",
    16,
    (
        layout.LayoutField("rank", 0, layout.I64, "dimensions", _SOURCE),
        layout.LayoutField(
            "descriptor", 8, layout.pointer("RankedMemRef"), "descriptor of that rank", _SOURCE
        ),
    ),
    "A memref of a rank that is known when the program runs.",
)
TILED_VIEW = layout.Struct(
    "TiledView",
    32,
    (
        layout.LayoutField("base", 0, layout.pointer(), "first byte", _SOURCE),
        layout.LayoutField("swizzle_encoding", 8, layout.U32, "swizzle", _SOURCE),
        layout.LayoutField("tile_dim0", 12, layout.U32, "first dimension of the tile", _SOURCE),
        layout.LayoutField(
            "tile_dims1_to_3", 16, layout.ArrayLayout(layout.U32, 3), "the other dimensions", _SOURCE
        ),
    ),
    "A tiled view; 28 bytes of fields, 32 with the padding that the pointer asks for.",
)
PIPELINE_TOKEN = layout.Struct(
    "PipelineToken",
    4,
    (layout.LayoutField("token", 0, layout.U32, "slot << 1 | phase", _SOURCE),),
    "An asynchronous, memory, producer or consumer token.",
)

ADDRESS_SPACES = {
    "register": 0,
    "global": 1,
    "internal": 2,
    "shared": 3,
    "constant": 4,
    "local": 5,
    "tensor": 6,
    "generic": 101,
}
"""Maps names of memory spaces to LLVM address spaces."""


def pipeline_token(slot: int, phase: bool) -> int:
    """Return the 32-bit token of a slot of a pipeline, ``slot << 1 | phase``, where ``phase`` is the phase
    parity. Raises `LayoutError` for a negative slot, or a slot of more than 31 bits.
    """
    if not 0 <= slot <= MAXIMUM_SLOT:
        raise layout.LayoutError(f"slot {slot} does not fit 31 bits")
    return slot << 1 | int(phase)


def token_slot(token: int) -> int:
    """Return the number of the slot in a pipeline token."""
    return token >> 1


def token_phase(token: int) -> bool:
    """Return the phase parity in a pipeline token."""
    return bool(token & 1)


LAYOUTS: tuple[layout.AbiLayout, ...] = (
    *(layout.both(f"ranked_memref_{rank}d", FAMILY, ranked_memref(rank)) for rank in range(5)),
    layout.both("unranked_memref", FAMILY, UNRANKED_MEMREF),
    layout.AbiLayout("tiled_view", FAMILY, {layout.Profile.TILEIRAS: TILED_VIEW}),
    layout.AbiLayout("pipeline_token", FAMILY, {layout.Profile.TILEIRAS: PIPELINE_TOKEN}),
)
