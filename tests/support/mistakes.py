"""Mistakes of beginners in kernels, and what has to be said of each."""

from __future__ import annotations

from dataclasses import dataclass

LINES = 8
"""The most lines that a message has."""


@dataclass(frozen=True)
class Mistake:
    """The text of a kernel's body, whose line with ``at`` is wrong at that text, the code, and words of the way out."""

    name: str
    body: str
    at: str
    code: str
    way_out: str


def module_of(head: str, parameters: str, mistakes: tuple[Mistake, ...]) -> str:
    """A module of Python with a kernel for each mistake, below a head that ends with the decorator's line."""
    imports, _, decorator = head.rpartition("\n")
    kernels = [f"{decorator}\ndef {one.name}({parameters}):\n{indented(one.body)}\n" for one in mistakes]
    return "\n\n".join([imports, *kernels])


def indented(body: str) -> str:
    """The body of a function."""
    return "\n".join(f"    {line}" for line in body.splitlines())


def place(text: str, mistake: Mistake) -> tuple[int, int]:
    """Line and column, from 1, of a mistake in the text of its module."""
    lines = text.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith(f"def {mistake.name}("))
    line = next(at for at in range(first + 1, len(lines)) if mistake.at in lines[at])
    return line + 1, lines[line].index(mistake.at) + 1


def check(message: str, file: str, text: str, mistake: Mistake) -> None:
    """The message names the place and the code, shows the line and a way out, is short, and has no frames."""
    line, column = place(text, mistake)
    lines = message.splitlines()
    assert lines[0].startswith(f"{file}:{line}:{column}: error[{mistake.code}]: "), message
    assert lines[1] == f"  {line} | {text.splitlines()[line - 1]}", message
    assert lines[2].index("^") - lines[1].index(mistake.at) == 0
    assert len(lines) <= LINES
    (hint,) = [one for one in lines if one.startswith("hint: ")]
    assert mistake.way_out in hint, message
    assert not any(word in message for word in ("Traceback", "site-packages", "src/tilewright")), message
