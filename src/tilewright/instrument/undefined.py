"""``initcheck``: uses of values that a load left unspecified.

Values that may have unspecified elements get a *shadow*, a tile of i1 that marks them.  Shadows follow the values
through operations (`shadows`), branches and the iterations of loops (`carried`).  Where the elements of a value matter
(`uses`), a check asserts that the shadow is false.
"""

from __future__ import annotations

from typing import Any

from tilewright.dialects.cuda_tile.operation_phrases import operation_words
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.instrument import uses as instrument_uses, writer
from tilewright.instrument.carried import CARRIERS, CarriedShadows, ends_of
from tilewright.instrument.shadows import SOURCES, SPREADS, Shadows, everything
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

NAME = "initcheck"


def insert(entry: Operation) -> int:
    """Insert the checks into the kernel `entry`; return their number.

    Raises `DiagnosticError` for an access to a view with an extent that is known at run time only, if the
    operation that made the view is not known.
    """
    program = writer.steps(entry)
    shadows = Shadows(doubtful_values(program))
    carried = CarriedShadows(shadows)
    count = 0
    for op in program:
        count += _check(op, shadows)
        if isinstance(op, CARRIERS):
            carried.extend(op)
        elif ends_of(op):
            carried.hand_on(op)
        elif any(result in shadows.doubtful for result in op.results):
            _follow(op, shadows)
    return count


def doubtful_values(program: list[Operation]) -> set[Value]:
    """Return the values that may have unspecified elements: the results of `SOURCES` in ``program``, which
    lists all operations that a tile block executes, nested ones too, and all tiles computed from them,
    through branches and loops, too.
    """
    found = {value for op in program if op.__class__ in SOURCES for value in SOURCES[op.__class__](op)}
    pending = list(found)
    while pending:
        value = pending.pop()
        for user, position in value.operand_uses():
            reached = [made for made in _affected_tiles(user, position) if made not in found]
            found.update(reached)
            pending += reached
    return found


def _affected_tiles(user: Any, position: int) -> list[Value]:
    """Return the tiles that may have unspecified elements if operand number ``position`` of ``user`` has
    some: results, or the values that a loop, branch or terminator passes it to. A load or atomic passes on
    its padding value only.
    """
    if user.__class__ in SOURCES:
        return [user.results[0]] if user.operands[position] is getattr(user, "padding_value", None) else []
    made = ends_of(user, position) or (() if isinstance(user, CARRIERS) else user.results)
    return [value for value in made if isinstance(value.type, TileType)]


def _follow(op: Operation, shadows: Shadows) -> None:
    """Emit, after an operation with results, the shadows of its results, and record the shadows of doubtful
    values.
    """
    write = writer.CheckInserter.after(op.results[0])
    made = SPREADS.get(op.__class__, everything)(write, op, shadows)
    for result, shadow in zip(op.results, made, strict=False):
        if result in shadows.doubtful and shadow is not None:
            shadows.of[result] = shadow


def _check(op: Operation, shadows: Shadows) -> int:
    """Insert checks before `op`, and return their number, which may be 0. An operand is checked if `USES`
    lists it for the class of `op` and it has a shadow. Its elements must be specified; if `USES` gives a
    mask, only the elements whose mask is true.
    """
    used = instrument_uses.USES.get(op.__class__)
    if used is None or not any(operand in shadows.of for operand in op.operands):
        return 0
    write, count = writer.CheckInserter.before(op), 0
    for operand, what, lanes in used(write, op):
        shadow = shadows.of.get(operand)
        if shadow is not None:
            bad = shadow if lanes is None else write.both([shadow, lanes])
            write.check(NAME, write.negated(bad), f"{operation_words(op)}: {what} an unspecified value")
            count += 1
    return count
