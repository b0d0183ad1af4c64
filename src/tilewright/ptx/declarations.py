"""Declarations: registers, variables and parameters."""

from __future__ import annotations

from tilewright.ptx import codes, cursor as ptx_cursor, expressions, model, value_types

FUNCTION_DIRECTIVES: dict[str, tuple[int, int]] = {
    "maxntid": (1, 3),
    "reqntid": (1, 3),
    "minnctapersm": (1, 1),
    "maxnctapersm": (1, 1),
    "maxnreg": (1, 1),
    "reqnctapercluster": (1, 3),
    "maxclusterrank": (1, 1),
    "explicitcluster": (0, 0),
    "blocksareclusters": (0, 0),
    "noreturn": (0, 0),
    "abi_preserve": (1, 1),
    "abi_preserve_control": (1, 1),
    "language": (1, 1),
}
"""The directives after the head of a kernel or function, with the minimum and maximum number of operands.
`language` is not in the ISA; NVIDIA's compiler of tile kernels writes it.
"""
LINKAGES = frozenset({".visible", ".extern", ".weak", ".common"})
SPACES = frozenset({".const", ".global", ".local", ".shared", ".param", ".tex"})
VECTORS = {".v2": 2, ".v4": 4, ".v8": 8}
MAXIMUM_REGISTERS = 1 << 20
"""The maximum number of registers of a declaration."""


def _type(cursor: ptx_cursor.WordCursor) -> str:
    name = cursor.token.text[1:]
    if cursor.token.kind != "modifier" or name not in value_types.TYPES:
        raise cursor.unexpected("a type")
    cursor.next()
    return name


def registers(cursor: ptx_cursor.WordCursor) -> model.RegisterDeclaration:
    """Parse ``.reg .type names;``, with ``name<count>`` for several registers. Raises `ParsingProblem` for
    other text, and for more than `MAXIMUM_REGISTERS` of one name.
    """
    place = cursor.place
    cursor.expect(".reg")
    vector = VECTORS.get(cursor.token.text, 0)
    if vector:
        cursor.next()
    type_, names = _type(cursor), list[tuple[str, int | None]]()
    while True:
        name, count = cursor.name(), None
        if cursor.accept("<"):
            count = expressions.integer(cursor).value
            if count > MAXIMUM_REGISTERS:
                raise cursor.fail(f"{count} registers are more than {MAXIMUM_REGISTERS}")
            cursor.expect(">")
        names.append((name, count))
        if not cursor.accept(","):
            break
    cursor.expect(";")
    return model.RegisterDeclaration(type_, tuple(names), vector, place=place)


def parameters(cursor: ptx_cursor.WordCursor) -> tuple[model.PtxVariable, ...]:
    """Parse a list of parameters: ``(.param .b32 a, .reg .b32 b)``. Raises `ParsingProblem` for other text."""
    cursor.expect("(")
    found: list[model.PtxVariable] = []
    while cursor.token.text != ")":
        found.append(_parameter(cursor))
        if not cursor.accept(","):
            break
    cursor.expect(")")
    return tuple(found)


def _parameter(cursor: ptx_cursor.WordCursor) -> model.PtxVariable:
    place, word = cursor.place, cursor.token.text
    if word not in (".param", ".reg"):
        raise cursor.unexpected("'.param' or '.reg'")
    cursor.next()
    align = _align(cursor)
    vector = VECTORS.get(cursor.token.text, 0)
    if vector:
        cursor.next()
    type_, pointer = _type(cursor), list[str]()
    while cursor.token.text in (".ptr", ".global", ".shared", ".local", ".const", ".align", ".param"):
        pointer.append(cursor.next().text[1:])
        if pointer[-1] == "align":
            pointer.append(str(expressions.integer(cursor).value))
    name = cursor.name()
    return model.PtxVariable(
        word[1:], type_, name, _dims(cursor), align, vector, pointer=tuple(pointer), place=place
    )


def _align(cursor: ptx_cursor.WordCursor) -> int:
    return expressions.integer(cursor).value if cursor.accept(".align") else 0


def _dims(cursor: ptx_cursor.WordCursor) -> tuple[int, ...]:
    found: list[int] = []
    while cursor.accept("["):
        if cursor.token.text == "]":
            found.append(0)
        else:
            extent = expressions.expression(cursor)
            if not isinstance(extent, model.IntegerConstant) or extent.value >= 1 << 40:
                raise cursor.fail("an extent is an integer below 2^40")
            found.append(extent.value)
        cursor.expect("]")
    return tuple(found)


def variables(cursor: ptx_cursor.WordCursor) -> list[model.PtxVariable]:
    """Parse ``.visible .global .align 8 .b8 name[4] = {1, 2}, other;`` and return a variable for each name.
    Raises `ParsingProblem` for other text.
    """
    place, linkage = cursor.place, ""
    if cursor.token.text in LINKAGES:
        linkage = cursor.next().text[1:]
    if cursor.token.text not in SPACES:
        raise cursor.unexpected("a state space")
    space = cursor.next().text[1:]
    attributes, align = _attributes(cursor), _align(cursor)
    attributes = attributes or _attributes(cursor)
    vector = VECTORS.get(cursor.token.text, 0)
    if vector:
        cursor.next()
    type_, found = _type(cursor), list[model.PtxVariable]()
    while True:
        name, dims = cursor.name(), _dims(cursor)
        initial = _initial(cursor, 0) if cursor.accept("=") else None
        found.append(
            model.PtxVariable(
                space, type_, name, dims, align, vector, linkage, (), initial, attributes, place=place
            )
        )
        if not cursor.accept(","):
            break
    cursor.expect(";")
    return found


def _attributes(cursor: ptx_cursor.WordCursor) -> tuple[str, ...]:
    """Parse ``.attribute(.managed)`` and return the texts of the tokens in the parentheses; an empty tuple if
    the next token is another one.
    """
    if not cursor.accept(".attribute"):
        return ()
    cursor.expect("(")
    found, depth = list[str](), 1
    while True:
        text = cursor.token.text
        depth += (text == "(") - (text == ")")
        if not depth or cursor.token.kind == "end":
            break
        found.append(cursor.next().text)
    cursor.expect(")")
    return tuple(found)


def _initial(cursor: ptx_cursor.WordCursor, depth: int) -> model.Initial:
    if depth > ptx_cursor.MAXIMUM_DEPTH:
        raise cursor.fail(f"more than {ptx_cursor.MAXIMUM_DEPTH} braces are nested", code=codes.TOO_DEEP)
    if cursor.accept("{"):
        found: list[model.Initial] = []
        while cursor.token.text != "}":
            found.append(_initial(cursor, depth + 1))
            if not cursor.accept(","):
                break
        cursor.expect("}")
        return tuple(found)
    if cursor.token.kind == "name" and cursor.token.text != "WARP_SZ":
        return _symbol(cursor)
    value = expressions.expression(cursor)
    if isinstance(value, model.IntegerConstant) and cursor.accept("("):  # a byte of an address
        symbol = _symbol(cursor)
        cursor.expect(")")
        return model.SymbolAddress(symbol.name, symbol.offset, symbol.generic, value.value)
    return value


def _symbol(cursor: ptx_cursor.WordCursor) -> model.SymbolAddress:
    generic = cursor.token.text == "generic" and cursor.peek().text == "("
    if generic:
        cursor.next()
        cursor.next()
    name = cursor.name()
    if generic:
        cursor.expect(")")
    return model.SymbolAddress(name, offset(cursor), generic)


def offset(cursor: ptx_cursor.WordCursor) -> int:
    """Step over ``+ 4``, ``+ -4`` or nothing, and return the distance in bytes, 0 for nothing.

    Raises `ParsingProblem` for ``- 4``, which assemblers do not accept, and for anything but an integer.
    """
    if cursor.token.text == "-":
        raise cursor.fail("a distance from an address begins with '+'", hint="write `+-8`")
    if not cursor.accept("+"):
        return 0
    value: model.IntegerConstant | model.Float = expressions.expression(cursor)
    if not isinstance(value, model.IntegerConstant):
        raise cursor.fail("an offset is an integer")
    return expressions.signed(value)
