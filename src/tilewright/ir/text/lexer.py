"""The scanner: finds tokens in text by position.

There are no token objects: a scanner is a text and a position, which is always the start of a token, after white
space and comments.  One compiled regular expression defines the tokens.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from tilewright.ir import codes
from tilewright.ir.attribute import Location
from tilewright.ir.diagnostic import Diagnostic, DiagnosticCode, Severity
from tilewright.ir.location import FileLineColLocation
from tilewright.ir.support.strings import pattern

SUFFIX = r"(?:\d+|[A-Za-z_$.\-][\w$.\-]*)"
"""The pattern of the text after the sigil of ``%name``, ``^label``, ``#alias`` and ``!alias``."""

TOKEN = pattern(
    rf"""(?P<string>"(?:[^"\\\n]|\\.)*")
    |(?P<float>\d+\.\d*(?:[eE][-+]?\d+)?)
    |(?P<integer>0x[0-9a-fA-F]+|\d+)
    |(?P<value>%{SUFFIX})
    |(?P<symbol>@(?:[A-Za-z_][\w$.]*|"(?:[^"\\\n]|\\.)*"))
    |(?P<block>\^{SUFFIX})
    |(?P<attribute>\#{SUFFIX})
    |(?P<type>!{SUFFIX})
    |(?P<keyword>[A-Za-z_][\w$.]*)
    |(?P<punctuation>->|::|.)""",
    re.VERBOSE | re.ASCII | re.DOTALL,
)

_SPACE = pattern(r"(?:[ \t\r\n]+|//[^\n]*)*")
_KEYWORD = pattern(r"[A-Za-z_][\w$.]*", re.ASCII)
_STRING = pattern(r'"(?:[^"\\\n]|\\.)*"')
_NUMBER = pattern(r"(?P<float>\d+\.\d*(?:[eE][-+]?\d+)?)|0x[0-9a-fA-F]+|\d+")
_ESCAPE = pattern(rb'\\(?:([0-9a-fA-F]{2})|(["\\nt]))')
_LONGER = {":": "::", "-": "->"}
_SIMPLE_ESCAPES = {b'"': b'"', b"\\": b"\\", b"n": b"\n", b"t": b"\t"}
_DECIMAL_DIGITS = 4300  # Python's own limit for decimal conversion


class ParseError(Exception):
    """Ends the parsing of one operation; carries the diagnostic.

    ``of_operation`` says that the custom syntax of an operation is wrong: `name_operation` will add the name
    of the operation.
    """

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.of_operation = False
        self.earlier: ParseError | None = None
        """The error found directly before this one."""

    def name_operation(self, name: str) -> None:
        """Put the name of the operation whose custom syntax is wrong before the message, here and in earlier
        errors; once, and only if ``of_operation`` is set.
        """
        if self.of_operation:
            self.diagnostic.message = f"custom op '{name}' {self.diagnostic.message}"
            self.of_operation = False
        if self.earlier is not None:
            self.earlier.name_operation(name)


class SourceText:
    """A text with its file name; turns positions, counted in characters from 0, into lines and columns."""

    __slots__ = ("_starts", "file_name", "text")

    def __init__(self, text: str, file_name: str) -> None:
        self.text = text
        self.file_name = file_name
        self._starts: list[int] | None = None

    @property
    def line_starts(self) -> list[int]:
        """The position of the first character of every line."""
        starts = self._starts
        if starts is None:
            starts = self._starts = [0, *[match.end() for match in re.finditer("\n", self.text)]]
        return starts

    def place(self, position: int) -> tuple[int, int]:
        """Return the line and the column of a position, both counted from 1."""
        line = bisect_right(self.line_starts, position)
        return line, position - self.line_starts[line - 1] + 1

    def location(self, position: int) -> FileLineColLocation:
        """Return the location of a position."""
        return FileLineColLocation.at(self.file_name, *self.place(position))

    def line(self, file_name: str, number: int) -> str | None:
        """Return the text of line ``number`` (from 1), without its end, for source frames; None if
        ``file_name`` is another file or there is no such line.
        """
        starts = self.line_starts
        if file_name != self.file_name or not 0 < number <= len(starts):
            return None
        end = self.text.find("\n", starts[number - 1])
        return self.text[starts[number - 1] : len(self.text) if end < 0 else end].rstrip("\r")


class Scanner:
    """A text and the position of the next token in it. Its methods step over single tokens and literals."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.text = source.text
        self.position = 0
        self.move_to(0)

    def move_to(self, position: int) -> None:
        """Move to the first token at or after ``position``, over white space and comments."""
        character = self.text[position : position + 1]
        if character > " " and character != "/":
            self.position = position
            return
        match = _SPACE.match(self.text, position)
        assert match is not None
        self.position = match.end()

    @property
    def at_end(self) -> bool:
        """Whether all tokens have been read."""
        return self.position >= len(self.text)

    def peek(self) -> str:
        """Return the text of the next token, without stepping over it; empty at the end of the input."""
        match = TOKEN.match(self.text, self.position)
        return match[0] if match else ""

    def accept(self, punctuation: str) -> bool:
        """Step over ``punctuation`` if it is next; return whether it was. ``:`` does not fit ``::``, and
        ``-`` does not fit ``->``.
        """
        if not self.text.startswith(punctuation, self.position):
            return False
        if punctuation in _LONGER and self.text.startswith(_LONGER[punctuation], self.position):
            return False
        self.move_to(self.position + len(punctuation))
        return True

    def at(self, punctuation: str) -> bool:
        """Return whether `punctuation` is next. It may also be the first character of a token, such as ``%``
        or ``"``; ``:`` does not fit ``::``, and ``-`` does not fit ``->``.
        """
        if not self.text.startswith(punctuation, self.position):
            return False
        longer = _LONGER.get(punctuation)
        return longer is None or not self.text.startswith(longer, self.position)

    def expect(self, punctuation: str) -> None:
        """Step over ``punctuation``. Raises `ParseError` if it is not the next token."""
        if not self.accept(punctuation):
            raise self.unexpected(f"'{punctuation}'")

    def accept_keyword(self, word: str) -> bool:
        """Step over the keyword ``word`` if it is the next token; return whether it was."""
        match = _KEYWORD.match(self.text, self.position)
        if match is None or match[0] != word:
            return False
        self.move_to(match.end())
        return True

    def optional_keyword(self) -> str | None:
        """Step over a keyword (bare identifier) and return it. Returns None, without moving, if the next
        token is not a keyword.
        """
        match = _KEYWORD.match(self.text, self.position)
        if match is None:
            return None
        self.move_to(match.end())
        return match[0]

    def expect_keyword(self, expected: str = "") -> str:
        """Step over a keyword (bare identifier) and return it. Raises `ParseError` if the next token is not
        one; ``expected`` describes it in the message.
        """
        keyword = self.optional_keyword()
        if keyword is None:
            raise self.unexpected(expected) if expected else self.no_keyword()
        return keyword

    def no_keyword(self) -> ParseError:
        """Return the error for a next token that is not a keyword, to be raised."""
        return self.operation_error(f"expected valid keyword, got {self._next_token()}")

    def peek_keyword(self) -> str | None:
        """Return the next token if it is a keyword, without stepping over it; else None."""
        match = _KEYWORD.match(self.text, self.position)
        return match[0] if match else None

    def parse_integer(self) -> int:
        """Step over an integer literal, decimal or hexadecimal, with an optional minus sign; return its
        value. Raises `ParseError` if there is none.
        """
        value = self.optional_integer()
        if value is None:
            raise self.unexpected("integer value")
        return value

    def optional_integer(self) -> int | None:
        """Step over an integer literal, decimal or hexadecimal, with an optional minus sign, and return its
        value. Return None, without moving, if none is next; a float literal is none.
        """
        start = self.position
        negative = self.accept("-")
        match = _NUMBER.match(self.text, self.position)
        if match is None or match.lastgroup == "float":
            self.position = start
            return None
        value = self._integer(match[0])
        self.move_to(match.end())
        return -value if negative else value

    def optional_number(self) -> str | None:
        """Step over an unsigned integer or float literal and return its text; return None, without moving, if
        none is next.
        """
        match = _NUMBER.match(self.text, self.position)
        if match is None:
            return None
        self.move_to(match.end())
        return match[0]

    def _integer(self, literal: str) -> int:
        if literal.startswith("0x"):
            return int(literal, 16)
        if len(literal) > _DECIMAL_DIGITS:
            raise self.error(
                f"integer literal has more than {_DECIMAL_DIGITS} digits; write it in hexadecimal"
            )
        return int(literal)

    def parse_string(self) -> str:
        """Step over a string literal and return its value: escapes are resolved, and bytes that are not UTF-8
        become surrogate escapes. Raises `ParseError` if there is none.
        """
        value = self.optional_string()
        if value is None:
            raise self.unexpected("string literal")
        return value

    def optional_string(self) -> str | None:
        """Step over a string literal and return its value: escapes are resolved, and bytes that are not UTF-8
        become surrogate escapes. Return None if no quote is next. Raises `ParseError` for a string without
        end or with an unknown escape.
        """
        if not self.text.startswith('"', self.position):
            return None
        match = _STRING.match(self.text, self.position)
        if match is None:
            raise self.error("expected '\"' in string literal")
        literal = match[0][1:-1]
        value = literal if "\\" not in literal else self._unescape(literal)
        self.move_to(match.end())
        return value

    def _unescape(self, literal: str) -> str:
        raw = literal.encode("utf-8", "surrogatepass")
        if raw.count(b"\\") != sum(match.count(b"\\") for match in (m[0] for m in _ESCAPE.finditer(raw))):
            raise self.error("unknown escape in string literal")
        return _ESCAPE.sub(_unescaped, raw).decode("utf-8", "surrogateescape")

    def parse_keyword_or_string(self, expected: str) -> str:
        """Step over a bare identifier or a string literal and return it. Raises `ParseError` if there is
        neither; ``expected`` describes it in the message.
        """
        keyword = self.optional_keyword()
        if keyword is not None:
            return keyword
        name = self.optional_string()
        if name is None:
            raise self.unexpected(expected)
        return name

    def parse_symbol_name(self) -> str:
        """Parse ``@name`` or ``@"quoted name"``; the at sign is not part of the result.

        Raises `ParseError` for anything else.
        """
        name = self.optional_symbol_name()
        if name is None:
            wanted = "valid '@'-identifier for symbol name"
            raise self.operation_error(f"expected {wanted}, got {self._next_token()}")
        return name

    def optional_symbol_name(self) -> str | None:
        """Parse ``@name`` or ``@"quoted name"`` and return the name without the at sign; return None if no
        ``@`` is next. Raises `ParseError` if no name follows the at sign.
        """
        if not self.text.startswith("@", self.position):
            return None
        self.position += 1
        return self.parse_keyword_or_string("symbol name")

    def location(self, position: int | None = None) -> Location:
        """Return the location of ``position``, by default of the next token."""
        return self.source.location(self.position if position is None else position)

    def error(
        self,
        message: str,
        position: int | None = None,
        *,
        code: DiagnosticCode = codes.SYNTAX,
        hint: str | None = None,
    ) -> ParseError:
        """Return a `ParseError` to be raised, located at ``position``, by default at the next token. ``hint``
        is a way to mend the problem; None: no hint.
        """
        diagnostic = Diagnostic(Severity.ERROR, message, self.location(position), code)
        if hint:
            diagnostic.hint(hint)
        return ParseError(diagnostic)

    def operation_error(self, message: str, position: int | None = None) -> ParseError:
        """Return a `ParseError` to be raised for the custom syntax of an operation, located at ``position``,
        by default at the next token. The name of the operation will be put before the message.
        """
        problem = self.error(message, position)
        problem.of_operation = True
        return problem

    def unexpected(self, expected: str) -> ParseError:
        """Return the error that ``expected`` was expected but another token is next, to be raised. If that
        token is on a later line, the error points to the end of the last line with text.
        """
        return self.error(f"expected {expected}, got {self._next_token()}", self._end_of_last_token())

    def _next_token(self) -> str:
        found = self.peek()
        return _quoted(found) if found else "end of input"

    def _end_of_last_token(self) -> int:
        """Return where `unexpected` points to: the end of the last token if the next one is on a later line,
        else the current position.
        """
        end = self.position
        while True:
            end = len(self.text[:end].rstrip(" \t"))
            if not end:
                return self.position
            if self.text[end - 1] not in "\r\n":
                return self.position if "\n" not in self.text[end : self.position] else end
            end -= 1
            line = self.text.rfind("\n", 0, end) + 1
            comment = self.text.find("//", line, end)
            end = end if comment < 0 else comment


def _unescaped(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 16)]) if match[1] else _SIMPLE_ESCAPES[match[2]]


def _quoted(token: str) -> str:
    shortened = token if len(token) <= 40 else f"{token[:37]}..."
    return f"'{shortened}'"
