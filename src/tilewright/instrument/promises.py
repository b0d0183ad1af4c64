"""``promises``: what a program swore, and what Tile IR leaves undefined."""

from __future__ import annotations

from tilewright.instrument.program import FOLDS, steps
from tilewright.instrument.promises_assume import ASSUMPTIONS
from tilewright.instrument.promises_folded import insert_folded
from tilewright.instrument.promises_integer import ARITHMETIC
from tilewright.instrument.promises_view import VIEWS
from tilewright.instrument.writer import Guard, GuardMaker, Writer
from tilewright.ir.operation import Operation

NAME = "promises"

GUARDS: dict[type[Operation], GuardMaker] = {**ARITHMETIC, **ASSUMPTIONS, **VIEWS}
"""What operations promise, by their class."""


def insert(entry: Operation) -> int:
    """Add the checks to a kernel; how many there are.  Raises `DiagnosticError`."""
    count = 0
    for op in steps(entry):
        guard = _guard(op)
        if guard is not None:
            count += _check(op, guard)
        if isinstance(op, FOLDS):
            count += insert_folded(op, _guard, NAME)
    return count


def _guard(op: Operation) -> Guard | None:
    make = GUARDS.get(op.__class__)
    return make(op) if make is not None else None


def _check(op: Operation, guard: Guard) -> int:
    write, count = Writer.before(op), 0
    for holds, message in guard(write):
        write.check(NAME, holds, f"'{op.name}': {message}")
        count += 1
    return count
