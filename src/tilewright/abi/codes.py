"""Diagnostic codes of byte layouts and memory images (TW10xx)."""

from __future__ import annotations

from tilewright.ir.codes import code

UNKNOWN_LAYOUT = code(
    1000,
    "no layout of this name",
    "No structure of this name is declared, or it does not exist in the profile that was asked for. "
    "`tilewright abi list` shows every structure with its profiles.",
)
BAD_ADDRESS = code(
    1001,
    "address outside the image",
    "A pointer of a memory image leads outside its segments, or a structure does not fit into the segment it starts "
    "in. The image is cut short, was written in another profile, or is damaged; the message names the structure that "
    "was being read.",
)
MALFORMED_IMAGE = code(
    1002,
    "memory image is malformed",
    "A structure of the image contradicts another one or the rules of its layout: a list that does not come back to "
    "its head, a count that cannot be, a name that is no text. Nothing after such a place can be trusted, so reading "
    "stops there.",
)
NOT_REPRESENTABLE = code(
    1003,
    "value does not fit its layout",
    "A live object has a value that the byte layout has no room for, such as more operands than the 27-bit count "
    "holds. The other profile may have a wider field: `tilewright abi show NAME` shows the widths of both.",
)
MISSING_PACKAGE = code(
    1004,
    "package for this part of the layouts is missing",
    "Some layouts need an optional package: NumPy for arrays over images, blake3 for interning keys. "
    "`pip install 'tilewright[inspect]'` brings both.",
)
