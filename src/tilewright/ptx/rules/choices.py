"""The requirements of single modifiers of an instruction: a version, a target, other modifiers, or operands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tilewright.ptx.model import IntegerConstant, Pair, PtxInstruction
from tilewright.ptx.table.choices import EXACT_SIZES, ROWS, Row
from tilewright.ptx.table.targets import Version

_SECOND = {"lop3": "bool", "elect.sync": ""}
"""Instructions that write a predicate, too, by the slot with which they do; all forms do if it is empty."""


@cache
def _rows(name: str, modifiers: tuple[tuple[str, str], ...]) -> tuple[Row, ...]:
    return tuple(row for row in ROWS if row.applies(name, modifiers))


def newer(one: PtxInstruction, sm: int, version: Version) -> Iterator[str]:
    """Yield a message for each requirement of the modifiers that `sm` or `version` does not meet."""
    for row in _rows(one.form.name, one.modifiers):
        if not row.refusal and (sm < row.sm or version < row.ptx):
            yield f"'{one.spelling}' needs {f'sm_{row.sm} and ' * bool(row.sm)}PTX {row.ptx[0]}.{row.ptx[1]}"


def combinations(one: PtxInstruction) -> Iterator[str]:
    """Yield an error for each combination of modifiers that is illegal, and for each missing operand of a modifier."""
    for row in _rows(one.form.name, one.modifiers):
        if row.refusal:
            yield f"'{one.spelling}' {row.refusal}"
    given = dict(zip((place.name for place in one.form.operands), one.operands, strict=True))
    optional = [given[place.name] for place in one.form.operands if place.optional]
    if one.modifier("hint") and "policy" in given and all(operand is None for operand in optional):
        yield f"'{one.spelling}' takes a cache policy after its other operands"
    slot = _SECOND.get(one.form.name)
    if slot is not None and (not slot or one.modifier(slot)) and not isinstance(one.operands[0], Pair):
        yield f"'{one.spelling}' writes a predicate, too: write d|p"
    size = given.get("size")
    wanted = EXACT_SIZES.get(one.form.name)
    if wanted is not None and isinstance(size, IntegerConstant) and size.value != wanted:
        yield f"'{one.spelling}' takes {wanted} bytes, not {size.value}"
