"""Diagnostic codes of PTX text (TW12xx)."""

from __future__ import annotations

from tilewright.ir.codes import code

SYNTAX = code(
    1200,
    "PTX does not parse",
    "The text is not PTX: the caret shows the word that does not fit. Most often a semicolon, a bracket or a brace is "
    "missing before it.",
)
UNKNOWN_INSTRUCTION = code(
    1201,
    "unknown PTX instruction",
    "The table of instructions has no instruction of this name. Check the spelling; the message names the nearest one. "
    "`tilewright ptx --instructions` lists all names.",
)
UNKNOWN_FORM = code(
    1202,
    "PTX instruction has no such form",
    "The instruction exists, but not with these modifiers. `tilewright ptx --instructions NAME` shows every form with "
    "its modifiers in their order.",
)
BAD_OPERANDS = code(
    1203,
    "operands do not fit the PTX instruction",
    "The number of operands, their kind (register, immediate, address, vector) or the type of a register is not that of "
    "the form. Widths must agree; loads, stores and conversions also take wider registers.",
)
UNDECLARED = code(
    1204,
    "PTX name is not declared",
    "A register, variable, label or function is used in a scope where nothing of this name is declared. Names that are "
    "declared inside braces end with them.",
)
REDECLARED = code(
    1205,
    "PTX name is declared twice",
    "A scope declares the same name twice. Inner scopes may reuse the names of outer ones; one scope may not.",
)
NEEDS_NEWER = code(
    1206,
    "PTX instruction needs a newer target",
    "The form exists from a later architecture or PTX version on than the module's `.target` and `.version` name. Raise "
    "them, or write the older form.",
)
TOO_DEEP = code(
    1207,
    "PTX is nested too deeply",
    "Braces or parentheses are nested more than 100 deep, which no compiler writes. The text is damaged.",
)
BAD_DECLARATION = code(
    1208,
    "PTX declaration is not possible",
    "A variable, parameter or register has what its state space does not allow: more bytes than there are, an alignment that "
    "is no power of two, more initial values than elements, or initial values where there are none.",
)
UNKNOWN_TARGET = code(
    1209,
    "unknown version or target of PTX",
    "The `.version` or `.target` of the module does not exist, or the version does not know the target yet. Raise the "
    "version, or name another target.",
)
BAD_CALL = code(
    1210,
    "PTX call does not fit",
    "A call names no function, or has other arguments or results than the function. They agree in number, and registers in "
    "their widths.",
)
