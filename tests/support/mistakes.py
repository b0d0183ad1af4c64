"""Mistakes of beginners in kernels, and what has to be said of each."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.house.tree import imported_from

LINES = 8
"""The most lines that a message has."""


@dataclass(frozen=True)
class Mistake:
    """The text of a kernel's body, whose line with ``at`` is wrong at that text, the code, and words of the way out.

    A line that the body lacks stands in a function of the head, which the kernel calls.
    """

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


def program_of(module: str, launch: str) -> str:
    """A program that launches the kernel of the module which its argument names, by a function ``launch`` of it."""
    main = "    import sys\n\n    launch(globals()[sys.argv[1]])\n"
    return f'{module}\n\n{launch}\n\nif __name__ == "__main__":\n{main}'


def suite_of(module: str, launch: str, mistakes: tuple[Mistake, ...]) -> str:
    """A suite that launches each kernel of the module in a test of its own."""
    tests = [f"def test_{one.name}():\n    launch({one.name})\n" for one in mistakes]
    return "\n\n".join([module, launch, *tests])


def failures_of(suite: Path) -> dict[str, str]:
    """Run a suite with the plugin of pytest in a process, as users do: what it shows of each failing test, by its name."""
    words = ("-m", "pytest", "--tilewright", "-p", "tilewright.pytest_plugin", "-p", "no:cacheprovider")
    variables = {name: value for name, value in os.environ.items() if name != "GITHUB_ACTIONS"}
    path = os.pathsep.join([imported_from(), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, *words, str(suite)],
        cwd=suite.parent,
        env={**variables, "PYTHONPATH": path, "COLUMNS": "80"},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    parts = re.split(r"^=+ (.+) =+\n", done.stdout, flags=re.MULTILINE)
    shown = parts[parts.index("FAILURES") + 1]
    _, *parts = re.split(r"^_+ test_(\w+) _+\n", shown, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def indented(body: str) -> str:
    """The body of a function."""
    return "\n".join(f"    {line}" for line in body.splitlines())


def place(text: str, mistake: Mistake) -> tuple[int, int]:
    """Line and column, from 1, of a mistake in the text of its module."""
    lines = text.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith(f"def {mistake.name}("))
    line = next(at for at in (*range(first + 1, len(lines)), *range(first)) if mistake.at in lines[at])
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
