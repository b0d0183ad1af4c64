"""Documents that run: the code blocks of Markdown files, executed in order.

    python -m tests.house.documents FILE    # in the current folder

- A ``python`` block is executed; all blocks of a document share one namespace.
- A ``text`` block right after it, or after a ``sh`` block, is what that prints.
- Code is saved as a file where the text before it says so: "Save this as **race.py**".
- A line ``<!-- not run: reason -->`` before a block keeps it from being executed.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.house.tree import ROOT

_FENCE = re.compile(
    r"(?P<skip><!-- not run: [^\n]* -->\n\n?)?^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FILE = re.compile(r"\*\*([\w-]+\.py)\*\*")
_PRINTING = ("python", "sh")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, text, first line's number, expected output, and the file that it is saved as."""

    language: str
    text: str
    line: int
    runs: bool
    expected: str | None = None
    file: str | None = None


def documents() -> list[Path]:
    """Every Markdown file that users read."""
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a document, expected outputs attached to the code before them."""
    found: list[Block] = []
    end = -1
    for match in _FENCE.finditer(text):
        line = text.count("\n", 0, match.start("text")) + 1
        between = _COMMENT.sub("", text[end : match.start()]) if end >= 0 else text[: match.start()]
        if match["language"] == "text" and found and not between.strip() and found[-1].language in _PRINTING:
            found[-1] = replace(found[-1], expected=match["text"])
        else:
            block = Block(
                match["language"], match["text"], line, match["skip"] is None, file=_file_in(between)
            )
            found.append(block)
        end = match.end()
    return found


def _file_in(text: str) -> str | None:
    """Return the file that the last sentence in front of a block names."""
    found = _FILE.findall(text.rstrip().rpartition("\n\n")[2])
    return found[-1] if found else None


def execute(document: Path, folder: Path) -> dict[str, Any]:
    """Run the Python blocks of a document; line numbers in tracebacks are those of the document."""
    text = document.read_text(encoding="utf-8")
    copy = folder / f"{document.stem.replace('-', '_')}.py"
    code = [b for b in blocks(text) if b.language == "python" and b.runs]
    copy.write_text(_aligned(code), encoding="utf-8")  # frontends read the source of a kernel from its file
    namespace: dict[str, Any] = {"__name__": copy.stem, "__file__": str(copy)}
    for block in code:
        printed = io.StringIO()
        padded = "\n" * (block.line - 1) + block.text
        with contextlib.redirect_stdout(printed):
            exec(compile(padded, str(copy), "exec", dont_inherit=True), namespace)
        if block.expected is not None:
            assert printed.getvalue() == block.expected, f"{document.name}:{block.line}"
    return namespace


def _aligned(code: list[Block]) -> str:
    lines: list[str] = []
    for block in code:
        lines.extend([""] * (block.line - 1 - len(lines)))
        lines.extend(block.text.splitlines())
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    execute(Path(sys.argv[1]), Path.cwd())
