"""What a reader does with a page: its steps, in order."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.house.documents import Block, blocks
from tools.newcomer.marks import MARKS, Environment, Mark, Page

Kind = Literal["command", "file", "code", "cells"]
_INSTEAD = re.compile(r"\s#\s+or: (?P<command>uv .*)$")
_COMMENT = re.compile(r"\s+# .*$")
_EDITABLE = re.compile(r'-e "\.(?P<extras>\[[\w,]+\])"')
_SECONDS = re.compile(r" *\b\d+\.\d+ ?s\b")
_LOADS = "%load_ext "


@dataclass(frozen=True)
class Step:
    """A command to run, a file to save, or the Python code or cells of a page, which runs as a whole."""

    kind: Kind
    page: str
    line: int
    text: str
    expected: str | None = None
    file: str | None = None

    @property
    def place(self) -> str:
        """The page and the line at which the step stands."""
        return f"{self.page}:{self.line}"


def steps(page: Page, root: Path) -> list[Step]:
    """Return the steps of a page; its Python code comes last, its cells behind that."""
    text = (root / page.path).read_text(encoding="utf-8")
    if page.path.endswith(".ipynb"):
        return [Step("cells", page.path, 1, json.dumps(_cells_of_notebook(text)))]
    found = blocks(text)
    first = [step for block in found for step in _of_block(page.path, block)]
    return [*first, *_code(page.path, found), *_cells(page.path, found)]


def _of_block(page: str, block: Block) -> Iterator[Step]:
    if block.language == "python" and block.file is not None:
        yield Step("file", page, block.line, block.text, file=block.file)
    elif block.language == "sh" and block.runs:
        commands = list(_commands(page, block))
        yield from commands[:-1]
        last = commands[-1]
        yield Step("command", page, last.line, last.text, block.expected)
    elif block.language == "console" and block.runs:
        yield from _session(page, block)


def _commands(page: str, block: Block) -> Iterator[Step]:
    """The commands of a shell block; a backslash at the end of a line continues it."""
    pending: list[str] = []
    for number, line in enumerate(block.text.splitlines(), block.line):
        pending.append(line)
        whole = "\n".join(pending)
        if not line.endswith("\\") and whole.strip() and not whole.startswith("#"):
            yield Step("command", page, number - len(pending) + 1, whole)
        if not line.endswith("\\"):
            pending = []


def _session(page: str, block: Block) -> Iterator[Step]:
    """The commands of a console block, behind ``$``, each with what it prints."""
    for part in re.finditer(r"^\$ (?P<command>.*)\n(?P<printed>(?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
        line = block.line + block.text.count("\n", 0, part.start())
        yield Step("command", page, line, part["command"], part["printed"])


def _is_cell(block: Block, found: list[Block]) -> bool:
    """Whether a block that does not run is a cell: some cell of its page loads the extension of notebooks."""
    cells = [one for one in found if one.language == "python" and not one.runs]
    return block in cells and any(one.text.startswith(_LOADS) for one in cells)


def _code(page: str, found: list[Block]) -> Iterator[Step]:
    code = [block for block in found if block.language == "python" and block.runs]
    if code:
        count = len(code)
        yield Step(
            "code", page, code[0].line, f"the Python code of the page ({count} block{'s'[: count > 1]})"
        )


def _cells(page: str, found: list[Block]) -> Iterator[Step]:
    cells = [block for block in found if _is_cell(block, found)]
    if cells:
        yield Step("cells", page, cells[0].line, json.dumps([cell.text for cell in cells]))


def _cells_of_notebook(text: str) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]


def in_words(command: str, environment: Environment) -> str:
    """Return a command without its comment; where uv made the environment, what stands behind ``# or:`` instead."""
    instead = _INSTEAD.search(command)
    return instead["command"] if environment == "uv" and instead else _COMMENT.sub("", command)


def of_wheel(command: str, wheel: str) -> str:
    """Return a command with the path of a wheel in place of ``-e "."``, as the README says."""
    return _EDITABLE.sub(lambda match: f'"{wheel}{match["extras"]}"', command)


def mark_of(page: str, command: str) -> Mark | None:
    """Return the mark of a command, or None."""
    return next((one for one in MARKS if one.page == page and command.startswith(one.command)), None)


def is_as_printed(printed: str, expected: str, varies: str | None = None) -> bool:
    """Whether a command printed what the page shows, but for seconds and for what a pattern matches.

    ``...`` stands for anything, also for several lines.
    """
    pattern = re.escape(_blurred(expected, varies)).replace(re.escape("..."), ".*")
    return re.fullmatch(pattern, _blurred(printed, varies), re.DOTALL) is not None


def _blurred(text: str, varies: str | None) -> str:
    text = _SECONDS.sub("_ s", re.sub(varies, "", text, flags=re.MULTILINE) if varies else text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
