"""Programs with their words coloured, by the lexers of Pygments and one for MLIR."""

from __future__ import annotations

from functools import cache
from typing import Any

from tilewright.pages.markup import Markup, element, markup

LARGEST = 1 << 18
"""The number of characters of a text that are coloured; the rest is shown without colours."""
_CLASSES = {
    "Comment": "comment",
    "Literal.String": "string",
    "Literal.Number": "number",
    "Keyword.Type": "type",
    "Keyword": "keyword",
    "Operator.Word": "keyword",
    "Name.Variable": "name",
    "Name.Class": "type",
    "Name.Function": "keyword",
}
"""The CSS classes of tokens, by the beginning of Pygments' name of the token type."""


def highlighted(text: str, language: str) -> Markup:
    """Return a program as HTML; ``language`` is ``mlir``, or a name that Pygments has for a lexer, such as
    ``llvm`` or ``gas``. Only the first `LARGEST` characters are coloured.
    """
    words = _lexer(language).get_tokens(text[:LARGEST])
    return markup([_word(kind, word) for kind, word in words], text[LARGEST:])


def _word(kind: object, word: str) -> Markup:
    name = _class_of(kind)
    return element("span", word, class_=f"t-{name}") if name else markup(word)


@cache
def _class_of(kind: object) -> str:
    name = str(kind).removeprefix("Token.")
    return next(
        (shown for known, shown in _CLASSES.items() if name == known or name.startswith(f"{known}.")), ""
    )


@cache
def _lexer(language: str) -> Any:
    """Return the lexer of a language; it keeps blank lines, so that line numbers match the program's."""
    from pygments import lexers

    known: Any = lexers
    keep = {"stripnl": False, "ensurenl": False}
    return _mlir()(**keep) if language == "mlir" else known.get_lexer_by_name(language, **keep)


def _mlir() -> Any:
    from pygments import token
    from pygments.lexer import RegexLexer

    rows = [
        (r"\s+", token.Text),
        (r"//.*", token.Comment),
        (r'"(?:[^"\\]|\\.)*"', token.String),
        (r"[%@^][\w$.#-]+", token.Name.Variable),
        (r"[!#][\w$.]+", token.Keyword.Type),
        (
            r"(?:i\d+|u?f\d+\w*|bf16|index|tile|tensor|vector|ptr|token|memref|tensor_view|partition_view)\b",
            token.Keyword.Type,
        ),
        (r"-?(?:0x[0-9A-Fa-f]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)", token.Number),
        (r"[A-Za-z_$][\w$.]*", token.Keyword),
        (r".", token.Text),
    ]
    return type("MlirLexer", (RegexLexer,), {"name": "MLIR", "tokens": {"root": rows}})
