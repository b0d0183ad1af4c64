"""Warnings about valid modules with code that is probably a mistake."""

from __future__ import annotations

from tilewright.ir.diagnostic import Diagnostic
from tilewright.ir.operation import Operation

SLICES = frozenset({"cuda_tile.extract", "cuda_tile.insert"})


def warnings_about(module: Operation) -> list[Diagnostic]:
    """Return warnings for `extract` and `insert` operations of Tile IR with constant indices out of range,
    which is undefined behaviour.
    """
    if not any(op.kind.name in SLICES for op in module.walk()):
        return []
    from tilewright.dialects.cuda_tile.rules.slice_indices import check_slice_indices  # few modules need it

    return check_slice_indices(module)
