"""Leaves out of generated programs what makes their launches undefined, so that the rest of them can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tilewright.dialects.cuda_tile.enums import IntegerOverflow
from tilewright.dialects.cuda_tile.ops.control import AssumeOp
from tilewright.dialects.cuda_tile.ops.conversion import FToIOp
from tilewright.dialects.cuda_tile.ops.memory import StorePtrTkoOp
from tilewright.interp.checks.promises import MEMCHECK_HINT
from tilewright.interp.codes import BROKEN_PROMISE, OUT_OF_BOUNDS, UNDEFINED_VALUE
from tilewright.ir.diagnostic import Diagnostic
from tilewright.ir.location import FileLineColLocation
from tilewright.ir.operation import Operation

FILE = "generated"
Numbered = Sequence[Operation]
"""Operations in the order of their lines."""


def number_operations(module: Operation) -> Numbered:
    """Give each operation a line of its own, so that diagnostics name it."""
    numbered = list(module.walk())
    for number, op in enumerate(numbered):
        op.location = FileLineColLocation(FILE, number + 1, 0)
    return numbered


def has_broken_promise(found: Iterable[Diagnostic]) -> bool:
    """Whether a diagnostic is about a promise."""
    return any(diagnostic.code is BROKEN_PROMISE for diagnostic in found)


def names_no_tile(diagnostic: Diagnostic) -> bool:
    """Whether a tile lies outside of its array: memcheck tells it, but Tile IR says what happens, without a promise."""
    return diagnostic.code is OUT_OF_BOUNDS and MEMCHECK_HINT in diagnostic.hints


def leave_out(numbered: Numbered, found: Iterable[Diagnostic]) -> bool:
    """Leave out what diagnostics find: promises, and stores of what has no value; whether there was anything."""
    pairs = [(_operation(numbered, diagnostic), diagnostic.code) for diagnostic in found]
    left_out = [_leave_out(op, code) for op, code in dict.fromkeys(pairs) if op is not None and op.parent]
    return any(left_out)


def _operation(numbered: Numbered, diagnostic: Diagnostic) -> Operation | None:
    source = diagnostic.location.source
    return numbered[source[1] - 1] if source is not None and source[0] == FILE else None


def _leave_out(op: Operation, code: object) -> bool:
    if code in (BROKEN_PROMISE, OUT_OF_BOUNDS):
        return drop_promise(op)
    if code is UNDEFINED_VALUE and isinstance(op, StorePtrTkoOp) and not op.has_uses:
        op.erase()
        return True
    return False


def drop_promise(op: Any) -> bool:
    """Drop what an operation promises; False for one that is undefined without promising anything."""
    if isinstance(op, AssumeOp):
        op.result.replace_all_uses_with(op.value)
        op.erase()
        return True
    if isinstance(op, FToIOp) and not op.saturating:
        op.saturating = True
        return True
    if getattr(op, "overflow", IntegerOverflow.NONE) is not IntegerOverflow.NONE:
        op.overflow = IntegerOverflow.NONE
        return True
    if any(getattr(op, "inbounds", None) or ()):
        op.inbounds = (False,) * len(op.inbounds)
        return True
    return False
