"""Colour of what commands say on stderr: ``--color auto|always|never`` anywhere on a command line, and ``NO_COLOR``."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Generator, Sequence
from typing import IO, Any, cast

from tilewright.cli import errors, program as cli_program

WHEN = ("auto", "always", "never")
OPTION = "--color"
HELP = "Colour diagnostics: auto (on terminals, unless NO_COLOR is set), always or never."

_STYLES = {
    "error": "bold red",
    "warning": "bold magenta",
    "remark": "bold blue",
    "note": "bold cyan",
    "hint": "bold green",
}
"""The style of each part of a message, as rich names styles."""
_HEADLINE = (
    r"(?m)^(?P<place>\S[^\n]*?: )??(?P<head>(?P<severity>error|warning|remark|note)(?:\[TW\d+\])?)(?=[: ])"
)
_HINT_LINE = r"(?m)^hint:"
_CARET = r"(?m)(?<= \| )([ \t]*)\^$"


def take_option(arguments: Sequence[str]) -> tuple[list[str], str]:
    """Return a command line without ``--color``, and the last value of the option; ``auto`` without the
    option. Raises `UsageError` for an unknown value.
    """
    rest, values = cli_program.without_option(arguments, OPTION)
    when = values[-1] if values else WHEN[0]
    if when not in WHEN:
        raise errors.UsageError(f"{OPTION} is {', '.join(WHEN[:-1])} or {WHEN[-1]}, not '{when}'")
    return rest, when


def is_wanted(when: str, stream: IO[str]) -> bool:
    """Return whether messages on `stream` are coloured; ``when`` is ``always``, ``never``, or ``auto`` for
    terminals only, unless ``NO_COLOR`` is set or ``TERM`` is ``dumb``.
    """
    if when != "auto":
        return when == "always"
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return not plain and stream.isatty()


def painted(text: str) -> str:
    """Return the text with terminal codes that colour the heads of diagnostics, the word ``hint`` and carets."""
    text = re.sub(_HEADLINE, lambda m: (m["place"] or "") + _styled(m["severity"], m["head"]), text)
    text = re.sub(_HINT_LINE, lambda m: f"{_styled('hint', 'hint')}:", text)
    return re.sub(_CARET, lambda m: m[1] + _styled("hint", "^"), text)


def _styled(style: str, text: str) -> str:
    from rich.color import ColorSystem  # takes longer to load than most commands that say nothing
    from rich.style import Style

    return Style.parse(_STYLES[style]).render(text, color_system=ColorSystem.STANDARD)


class _Painting:
    """A text stream that colours the text that is written to it, by `painted`."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(painted(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def is_painted(stream: object) -> bool:
    """Return whether `stream` is the stream of `colored_stderr`, which colours the text written to it."""
    return isinstance(stream, _Painting)


@contextlib.contextmanager
def colored_stderr(arguments: Sequence[str]) -> Generator[list[str]]:
    """Yield a command line without ``--color``; in the ``with`` block, stderr is coloured if the option or
    the terminal says so. A wrong value ends the command with status 2.
    """
    before = sys.stderr
    try:
        rest, when = take_option(arguments)
    except errors.UsageError as error:
        print(error, file=before)
        sys.exit(2)
    if is_wanted(when, before):
        sys.stderr = cast("Any", _Painting(before))
    try:
        yield rest
    finally:
        sys.stderr = before
