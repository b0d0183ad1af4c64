"""Parsing of instruction operands; the table decides which operands an instruction has."""

from __future__ import annotations

from dataclasses import replace

from tilewright.ptx import codes, cursor as ptx_cursor, expressions, model
from tilewright.ptx.declarations import offset


def operands(cursor: ptx_cursor.WordCursor, *, grouped: bool) -> list[model.Operand]:
    """Parse the operands up to the semicolon, which is left; `grouped` if parentheses hold arguments, as in
    calls. Raises `ParsingProblem` for text that is no operand.
    """
    found: list[model.Operand] = []
    while cursor.token.text != ";":
        is_group = grouped and cursor.token.text == "("
        found.append(model.OperandGroup(_list(cursor, "(", ")", 0)) if is_group else _operand(cursor, 0))
        if not cursor.accept(","):
            break
    return found


def _operand(cursor: ptx_cursor.WordCursor, depth: int) -> model.Operand:
    if depth > ptx_cursor.MAXIMUM_DEPTH:
        raise cursor.fail(f"more than {ptx_cursor.MAXIMUM_DEPTH} braces are nested", code=codes.TOO_DEEP)
    word = cursor.token.text
    if word == "[":
        return _address(cursor, depth)
    if word == "{":
        return model.Vector(_list(cursor, "{", "}", depth))
    if word == "!" and cursor.peek().kind == "name":
        cursor.next()
        return model.Not(_name(cursor))
    if cursor.token.kind != "name" or word == "WARP_SZ":
        return expressions.expression(cursor)
    name = _name(cursor)
    if cursor.accept("|"):
        return model.Pair(name, _name(cursor))
    return replace(name, offset=offset(cursor)) if depth == 0 and cursor.token.text in ("+", "-") else name


def _list(cursor: ptx_cursor.WordCursor, start: str, end: str, depth: int) -> tuple[model.Operand, ...]:
    cursor.expect(start)
    found: list[model.Operand] = []
    while cursor.token.text != end:
        found.append(_operand(cursor, depth + 1))
        if not cursor.accept(","):
            break
    cursor.expect(end)
    return tuple(found)


def _name(cursor: ptx_cursor.WordCursor) -> model.Name:
    text = cursor.name()
    return model.Name(text, cursor.next().text[1:] if cursor.token.kind == "modifier" else "")


def _address(cursor: ptx_cursor.WordCursor, depth: int) -> model.Address:
    cursor.expect("[")
    base, distance = None, 0
    if cursor.token.kind == "name" and cursor.token.text != "WARP_SZ":
        base = model.Name(cursor.name())
        distance = offset(cursor)
    else:
        value = expressions.expression(cursor)
        if not isinstance(value, model.IntegerConstant):
            raise cursor.fail("an address is an integer")
        distance = expressions.signed(value)
    coordinates = _list(cursor, "{", "}", depth) if cursor.accept(",") else None
    cursor.expect("]")
    return model.Address(base, distance, coordinates)
