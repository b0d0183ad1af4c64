"""The catalogue of diagnostic codes: one entry, one page (``tilewright explain TWnnnn``).

Ranges: 00xx text, 01xx verifier, 02xx types and attributes, 03xx bytecode, 04xx interpreter and run-time checks,
05xx launch and bridges, 06xx commands and passes, 07xx rewriting and conversion, 08xx lowering and the optimizer,
09xx targets and the run-time system, 10xx byte layouts and binary inspection, 12xx PTX, 13xx programs for GPUs, 14xx layouts,
16xx the explorer, 17xx the server of tools and proofs.
"""

from __future__ import annotations

from tilewright.ir.diagnostic import DiagnosticCode

CATALOGUE: dict[int, DiagnosticCode] = {}


def code(number: int, title: str, explanation: str) -> DiagnosticCode:
    """Add a diagnostic code to the catalogue and return it; a number is used once and never changes its
    meaning. ``title`` is a short phrase, ``explanation`` the text of its page: meaning, reason and remedy.
    Raises `ValueError` for a used number.
    """
    if number in CATALOGUE:
        raise ValueError(f"diagnostic code TW{number:04} is declared twice")
    CATALOGUE[number] = entry = DiagnosticCode(number, title, explanation)
    return entry


SYNTAX = code(
    1,
    "text does not parse",
    "The text is not the syntax that is expected here. The caret shows the token that did not fit. "
    "Compare with the op's reference page (`tilewright explain OP`), or print a similar module and copy its form.",
)
UNKNOWN_NAME = code(
    2,
    "unknown name",
    "The operation, type, attribute or dialect is not registered in this context. Check the spelling; "
    "the message names the nearest registered name. Unregistered operations are accepted on request only.",
)
UNDEFINED_VALUE = code(
    3,
    "undefined or redefined value",
    "An SSA value is used but never defined in a visible scope, is defined twice, or is used with another type "
    "than the one it is defined with.",
)
MALFORMED_DECLARATION = code(
    4,
    "declaration of an operation is malformed",
    "The custom syntax that an operation class declares (`assembly_format`) does not parse, or names a field or "
    "directive that does not exist. This is a mistake in the dialect, not in the module: mend the declaration; until "
    "then the operation can be read and printed in the generic form.",
)
INVALID_OPERATION = code(
    101,
    "operation breaks one of its rules",
    "The operation's operands, results, attributes or regions break a rule of its declaration. The message names "
    "the rule; `tilewright explain OP` lists all of them.",
)
INVALID_STRUCTURE = code(
    102,
    "malformed structure",
    "Blocks, regions, terminators or symbols do not have the shape that the enclosing operation requires.",
)
DOMINANCE = code(
    103,
    "value does not dominate its use",
    "A value is used at a place that control flow can reach before the value is defined, or from outside an "
    "isolated operation. Move the definition up or pass the value as a block argument.",
)
INVALID_PARAMETERS = code(
    201,
    "type or attribute breaks one of its rules",
    "The parameters of a type or attribute are not legal together; the message names the rule.",
)
USELESS_HINT = code(
    202,
    "optimization hint without effect",
    "The hint is for a target or of a name that nothing looks at, or its value is not one that the compiler takes. It is "
    "ignored, and by default in silence; `-Wunsupported-hints` asks for this warning, and `-Werr-hints` turns it into "
    "an error. Results never depend on hints.",
)
