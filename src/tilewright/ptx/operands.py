"""Parsing of instruction operands; the table decides which operands an instruction has."""

from __future__ import annotations

from dataclasses import replace

from tilewright.ptx import codes
from tilewright.ptx.cursor import MAXIMUM_DEPTH, WordCursor
from tilewright.ptx.declarations import offset
from tilewright.ptx.expressions import expression, signed
from tilewright.ptx.model import Address, IntegerConstant, Name, Not, Operand, OperandGroup, Pair, Vector


def operands(cursor: WordCursor, *, grouped: bool) -> list[Operand]:
    """Parse the operands up to the semicolon; `grouped` if parentheses hold arguments, as in calls."""
    found: list[Operand] = []
    while cursor.token.text != ";":
        is_group = grouped and cursor.token.text == "("
        found.append(OperandGroup(_list(cursor, "(", ")", 0)) if is_group else _operand(cursor, 0))
        if not cursor.accept(","):
            break
    return found


def _operand(cursor: WordCursor, depth: int) -> Operand:
    if depth > MAXIMUM_DEPTH:
        raise cursor.fail(f"more than {MAXIMUM_DEPTH} braces are nested", code=codes.TOO_DEEP)
    word = cursor.token.text
    if word == "[":
        return _address(cursor, depth)
    if word == "{":
        return Vector(_list(cursor, "{", "}", depth))
    if word == "!" and cursor.peek().kind == "name":
        cursor.next()
        return Not(_name(cursor))
    if cursor.token.kind != "name" or word == "WARP_SZ":
        return expression(cursor)
    name = _name(cursor)
    if cursor.accept("|"):
        return Pair(name, _name(cursor))
    return replace(name, offset=offset(cursor)) if depth == 0 and cursor.token.text in ("+", "-") else name


def _list(cursor: WordCursor, start: str, end: str, depth: int) -> tuple[Operand, ...]:
    cursor.expect(start)
    found: list[Operand] = []
    while cursor.token.text != end:
        found.append(_operand(cursor, depth + 1))
        if not cursor.accept(","):
            break
    cursor.expect(end)
    return tuple(found)


def _name(cursor: WordCursor) -> Name:
    text = cursor.name()
    return Name(text, cursor.next().text[1:] if cursor.token.kind == "modifier" else "")


def _address(cursor: WordCursor, depth: int) -> Address:
    cursor.expect("[")
    base, distance = None, 0
    if cursor.token.kind == "name" and cursor.token.text != "WARP_SZ":
        base = Name(cursor.name())
        distance = offset(cursor)
    else:
        value = expression(cursor)
        if not isinstance(value, IntegerConstant):
            raise cursor.fail("an address is an integer")
        distance = signed(value)
    coordinates = _list(cursor, "{", "}", depth) if cursor.accept(",") else None
    cursor.expect("]")
    return Address(base, distance, coordinates)
