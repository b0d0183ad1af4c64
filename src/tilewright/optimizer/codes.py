"""Diagnostic codes of the optimizer (TW085x to TW089x)."""

from __future__ import annotations

from tilewright.ir.codes import code

BAD_OPTIMIZER_OPTION = code(
    850,
    "option of the optimizer out of range",
    "The optimisation level is 0, 1, 2 or 3: 0 runs only passes that are asked for by name, 1 "
    "canonicalises and removes redundant and unused operations, 2 moves invariant code out of loops as "
    "well, 3 also splits loops.",
)
BAD_LOOP_SPLIT_HINT = code(
    851,
    "loop-split hint is not an integer",
    "The attribute `cuda_tile.loop_split` of an `entry`, `for` or `if` is the threshold of "
    "`loop-split` for its contents: an integer, 0 to leave the loop alone, 1 to split it always. "
    "Anything else is ignored, and the threshold of the operation around it, or of the pass, holds.",
)
