"""Constant expressions: numbers, and C operators on them."""

from __future__ import annotations

import struct
from collections.abc import Callable

from tilewright.ptx import codes, cursor as ptx_cursor
from tilewright.ptx.model import Float, IntegerConstant

Number = IntegerConstant | Float
_MASK = (1 << 64) - 1


def _quotient(left: int, right: int) -> int:
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


_LEVELS: tuple[dict[str, Callable[[int, int], int]], ...] = (
    {"||": lambda a, b: int(bool(a) or bool(b))},
    {"&&": lambda a, b: int(bool(a) and bool(b))},
    {"|": lambda a, b: a | b},
    {"^": lambda a, b: a ^ b},
    {"&": lambda a, b: a & b},
    {"==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b)},
    {
        "<": lambda a, b: int(a < b),
        ">": lambda a, b: int(a > b),
        "<=": lambda a, b: int(a <= b),
        ">=": lambda a, b: int(a >= b),
    },
    {"<<": lambda a, b: a << (b & 63), ">>": lambda a, b: a >> (b & 63)},
    {"+": lambda a, b: a + b, "-": lambda a, b: a - b},
    {"*": lambda a, b: a * b, "/": _quotient, "%": lambda a, b: a % b},
)
"""Operators by precedence, the lowest first."""
_RANKS = {sign: rank for rank, level in enumerate(_LEVELS) for sign in level}
_SHIFTS = frozenset({"<<", ">>"})
"""Operators whose result has the signedness of the left operand."""
_TRUTHS = frozenset({"||", "&&", "==", "!=", "<", ">", "<=", ">="})
"""Operators whose result is signed."""


def parse_integer(text: str) -> IntegerConstant:
    """Parse an integer: decimal, ``0x``, ``0b`` or octal, with the suffix ``U`` if it is unsigned. It is
    reduced to 64 bits; numbers from 2^63 on are unsigned, too.

    Raises `ValueError` for other text.
    """
    digits = text.removesuffix("U")
    octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
    value = int(digits, 8 if octal else 0)
    return IntegerConstant(value & _MASK, digits != text or value >> 63 != 0)


def integer(cursor: ptx_cursor.WordCursor) -> IntegerConstant:
    """Step over an integer and return it. Raises `ParsingProblem` for another token."""
    try:
        found = parse_integer(cursor.token.text)
    except ValueError:
        raise cursor.unexpected("an integer") from None
    cursor.next()
    return found


def parse_float(text: str) -> Float:
    """Parse a float: its bits in hexadecimal after ``0f`` (32 bits) or ``0d`` (64 bits), or a decimal number,
    which has 64 bits. Raises `ValueError` for other text.
    """
    head = text[:2].lower()
    if head in ("0f", "0d"):
        return Float(int(text[2:], 16), 32 if head == "0f" else 64)
    return Float(int.from_bytes(struct.pack("<d", float(text)), "little"), 64)


def expression(cursor: ptx_cursor.WordCursor, depth: int = 0) -> Number:
    """Parse the constant expression at `cursor`, which is inside `depth` parentheses. Arithmetic is on 64
    bits; operators need integers.

    Raises `ParsingProblem` for other text, for a division by zero, and for parentheses nested too deep.
    """
    if depth > ptx_cursor.MAXIMUM_DEPTH:
        raise cursor.fail(f"more than {ptx_cursor.MAXIMUM_DEPTH} parentheses are nested", code=codes.TOO_DEEP)
    return _conditional(cursor, depth)


def _conditional(cursor: ptx_cursor.WordCursor, depth: int) -> Number:
    value = _binary(cursor, depth)
    if isinstance(value, IntegerConstant) and cursor.accept("?"):
        chosen = expression(cursor, depth + 1)
        cursor.expect(":")
        other = expression(cursor, depth + 1)
        return chosen if value.value else other
    return value


def _binary(cursor: ptx_cursor.WordCursor, depth: int) -> Number:
    """Parse binary operators with two stacks; an operator is applied when the next operator does not bind
    tighter. A float that comes first ends the expression; a float behind an operator is an error.
    """
    first = _unary(cursor, depth)
    if not isinstance(first, IntegerConstant):
        return first
    values, signs = [first], list[str]()
    while cursor.token.text in _RANKS and cursor.at_a("punctuation"):
        sign = cursor.next().text
        while signs and _RANKS[signs[-1]] >= _RANKS[sign]:
            _apply(cursor, values, signs.pop())
        signs.append(sign)
        value = _unary(cursor, depth)
        if not isinstance(value, IntegerConstant):
            raise cursor.fail("operators need integer operands")
        values.append(value)
    while signs:
        _apply(cursor, values, signs.pop())
    return values[0]


def _apply(cursor: ptx_cursor.WordCursor, values: list[IntegerConstant], sign: str) -> None:
    right, left = values.pop(), values.pop()
    if sign in "/%" and not right.value:
        raise cursor.fail("a constant is divided by zero")
    unsigned = sign == "%" or left.unsigned or (right.unsigned and sign not in _SHIFTS)
    result = _LEVELS[_RANKS[sign]][sign](_read(left, unsigned), _read(right, unsigned))
    values.append(IntegerConstant(result & _MASK, unsigned and sign not in _TRUTHS))


def _read(value: IntegerConstant, unsigned: bool) -> int:
    return value.value if unsigned else signed(value)


def signed(value: IntegerConstant) -> int:
    """Return the value of an integer constant read as a signed number of 64 bits."""
    return value.value - (value.value >> 63 << 64)


def _unary(cursor: ptx_cursor.WordCursor, depth: int) -> Number:
    signs = list[str]()
    while cursor.token.text in ("-", "+", "~", "!"):
        signs.append(cursor.next().text)
    value = _atom(cursor, depth)
    for sign in reversed(signs):
        value = _signed(cursor, sign, value)
    return value


def _signed(cursor: ptx_cursor.WordCursor, sign: str, value: Number) -> Number:
    if isinstance(value, Float):
        if sign not in "+-":
            raise cursor.fail(f"'{sign}' needs an integer operand")
        return Float(value.bits ^ (1 << (value.width - 1)), value.width) if sign == "-" else value
    changed = {"-": -value.value, "+": value.value, "~": ~value.value, "!": int(not value.value)}
    unsigned = {"~": True, "!": False}.get(sign, value.unsigned)
    return IntegerConstant(changed[sign] & _MASK, unsigned)


def _atom(cursor: ptx_cursor.WordCursor, depth: int) -> Number:
    token = cursor.token
    if token.kind == "integer":
        return integer(cursor)
    if token.kind == "float":
        return parse_float(cursor.next().text)
    if token.text == "WARP_SZ":
        cursor.next()
        return IntegerConstant(32)
    if not cursor.accept("("):
        raise cursor.unexpected("a number")
    if cursor.token.text in (".s64", ".u64"):  # a cast
        unsigned = cursor.next().text == ".u64"
        cursor.expect(")")
        value = _unary(cursor, depth + 1)
        return IntegerConstant(value.value, unsigned) if isinstance(value, IntegerConstant) else value
    value = expression(cursor, depth + 1)
    cursor.expect(")")
    return value
