"""Diagnostic codes of proofs (TW172x)."""

from __future__ import annotations

from tilewright.ir.codes import code

REFUTED_BOUNDS = code(
    1720,
    "access that leaves its memory for some arguments",
    "`tilewright verify --prove` found arguments of a kernel with which an access leaves its array, or a tile index lies "
    "outside of its view, and the interpreter's memcheck confirmed them. The arguments meet the relations that hold in "
    "the launches of the program, such as equal extents. Mask the access, or change the index or the grid.",
)
REFUTED_RACE = code(
    1721,
    "race between tile blocks for some arguments",
    "`tilewright verify --prove` found arguments of a kernel with which two tile blocks access one element, at least one "
    "of them with a store, and the interpreter's racecheck confirmed them. Let each tile block write its own elements, "
    "or use atomics.",
)
NOT_PROVED = code(
    1722,
    "access that is not proved",
    "`tilewright verify --prove` could neither prove that the access stays inside of its memory nor find arguments with "
    "which it leaves it. The message says why: an index that is read from memory, arithmetic that is too hard, or an "
    "operation whose result is unknown. Check it at run time: `tilewright run --check memcheck,racecheck`.",
)
