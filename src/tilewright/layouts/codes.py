"""Diagnostic codes of layouts (TW14xx)."""

from __future__ import annotations

from tilewright.ir.codes import code

SYNTAX = code(
    1400,
    "layout does not parse",
    "The text is no layout, swizzle, tiler or expression over them. A layout is SHAPE:STRIDE, such as "
    "`((2,4),8):((1,16),2)`, a swizzle `S<3,4,3>`, a tiler `[4:1;8:2]`. `tilewright layout --help` lists the operations.",
)
BAD_LAYOUT = code(
    1401,
    "layout is not well formed",
    "Shape and stride of a layout are trees of one form, and extents are positive. The shift of a swizzle is at least its "
    "number of bits, so that no bit depends on itself. A coordinate is a number or has the form of the shape.",
)
NOT_COMPOSABLE = code(
    1402,
    "layouts cannot be composed",
    "The composition takes a part of a mode that is not a whole number of its elements, so no shape "
    "and stride describe the result. Choose extents and strides of the second layout that divide the "
    "first layout's, or are multiples of them.",
)
NOT_INVERTIBLE = code(
    1403,
    "layout has no complement or inverse",
    "Two coordinates have the same offset, or a stride is no multiple of what smaller strides cover; "
    "so the rest is no layout. Remove modes of stride 0 and overlaps, or take the inverse of a part.",
)
NOT_LINEAR = code(
    1404,
    "layout is not linear in the bits of a coordinate",
    "Matrices of bits need extents that are powers of two, and strides whose multiples have no bit in common. An offset "
    "below a swizzle must be 0. Decisions about such a layout need its offsets one by one.",
)
DIFFERENT_TILES = code(
    1405,
    "layouts do not belong together",
    "Two layouts are compared or converted only if they describe tiles of one shape, spread over the same numbers of "
    "lanes, warps and blocks, and the first one holds every element. Shuffles exchange elements within a warp only; "
    "others go through shared memory.",
)
UNKNOWN_FRAGMENT = code(
    1406,
    "unknown fragment of a matrix instruction",
    "A fragment is named `mma.SHAPE.OPERAND.TYPE`, such as `mma.m16n8k16.A.f16`, or `ldmatrix.x4` with `.trans` or without. "
    "The message names the shapes that the type has.",
)
TOO_LARGE = code(
    1407,
    "layout is too large to be shown",
    "Tables and pictures have a cell for each element; tens of thousands of cells cannot be read. Show "
    "a part, for example the first mode of a division.",
)
