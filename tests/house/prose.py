"""Phrases of docstrings and comments that the style guide rules out, counted by package.

``python -m tests.house.prose`` prints the table, ``--list PACKAGE [KIND]`` each place, and ``--lower`` writes
numbers that have fallen to `data/prose.txt`.  The guide is `docs/guides/style.md`.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.house.tree import SOURCE, nodes, relative, trees

NUMBERS = Path(__file__).parent / "data" / "prose.txt"
SHORT = 3
"""A docstring of at most this number of words names no subject."""
PHRASES: dict[str, str] = {
    "pronoun": r"\b(?:that|those) of\b|\b(?:of|for) (?:which|whom)\b|\bthe ones\b|\bthe one (?:that|of)\b",
    "what": r"\A(?:What|Which|Who|Whose)\b|\bwhat (?:is|it|they|one|has|was|of)\b",
    "the-same": r"\AThe same\b|\bThe same, ",
    "so-many": r"\bso (?:many|much|often)\b(?! (?:that|as)\b)",
    "actor": r"\b(?:nobody|somebody|anybody|everybody|who|whom)\b|\b(?:wants|want|knows)\b",
    "answer": r"\banswer(?:s|ed|ing)?\b",
    "in-front-of": r"\bin front of\b",
    "private": r"\b(?:liberty|liberties|wish|wishes|wished|dealt|settle|settles|settled|settler|foreign)\b"
    r"|\b(?:a|the|this|each|every|one|next|last|first|all|its) rounds?\b|\bfew(?:est|er) rounds\b|(?<!\bat )\bleast\b(?! recently)",
}
"""The kinds of phrases, each with its pattern; `short` is the kind that is told by the length."""
KINDS = ("short", *PHRASES)


@dataclass(frozen=True)
class Text:
    """A docstring, or a comment, and the line where it begins."""

    path: Path
    line: int
    text: str
    is_docstring: bool


@cache
def _patterns() -> tuple[re.Pattern[str], Mapping[str, re.Pattern[str]]]:
    """One pattern that finds any phrase, and one for each kind; letters of either case are equal."""
    kinds = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in PHRASES.items()}
    return re.compile("|".join(PHRASES.values()), re.IGNORECASE), kinds


def texts(path: Path, tree: ast.Module) -> Iterator[Text]:
    """Yield every docstring of a file, those of fields included, and every comment line."""
    for node in nodes(tree, ast.Expr):
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield Text(path, node.lineno, node.value.value, True)
    for found in re.finditer(r"^.*?(?:^|\s)# (.*)$", _source(path), re.MULTILINE):
        yield Text(path, _source(path).count("\n", 0, found.start()) + 1, found[1], False)


@cache
def _source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def kinds(text: Text) -> Iterator[str]:
    """Yield the kind of each phrase in a text, once for each time that the phrase stands there."""
    if text.is_docstring and len(text.text.split()) <= SHORT:
        yield "short"
    words = " ".join(re.sub(r"``.+?``|`[^`]*`", "``", text.text, flags=re.DOTALL).split())
    anything, patterns = _patterns()
    if anything.search(words):
        for kind, pattern in patterns.items():
            yield from [kind] * len(pattern.findall(words))


def package(path: Path) -> str:
    """Return the package of a file: the folder below `tilewright`; dialects and targets are packages each."""
    parts = path.relative_to(SOURCE).parts[1:-1]
    rooms = 2 if parts and parts[0] in ("dialects", "lowering", "targets") else 1
    return "/".join(parts[:rooms]) or "tilewright"


@cache
def findings() -> tuple[tuple[Text, str], ...]:
    """Return every text of `src` with a kind of phrase that stands in it."""
    return tuple(
        (text, kind)
        for path, tree in trees("src").items()
        for text in texts(path, tree)
        for kind in kinds(text)
    )


def counts() -> Counter[tuple[str, str]]:
    """Return the number of phrases of each package and kind."""
    return Counter((package(text.path), kind) for text, kind in findings())


def allowed() -> dict[tuple[str, str], int]:
    """Return the numbers of `data/prose.txt`: lines of a package, a kind and a number."""
    rows = (
        line.split() for line in NUMBERS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    )
    return {(row[0], row[1]): int(row[2]) for row in rows}


def risen(now: Mapping[tuple[str, str], int], before: Mapping[tuple[str, str], int]) -> list[str]:
    """Return a line for each package and kind with more phrases than before."""
    return [
        f"{key[0]} {key[1]}: {number}, allowed {before.get(key, 0)}"
        for key, number in sorted(now.items())
        if number > before.get(key, 0)
    ]


def fallen(now: Mapping[tuple[str, str], int], before: Mapping[tuple[str, str], int]) -> list[str]:
    """Return a line for each package and kind with fewer phrases than before."""
    return [
        f"{key[0]} {key[1]}: {now.get(key, 0)}, allowed {number}"
        for key, number in sorted(before.items())
        if now.get(key, 0) < number
    ]


def lowered(now: Mapping[tuple[str, str], int], before: Mapping[tuple[str, str], int]) -> str:
    """Return the text of `data/prose.txt` with the smaller number of each row; rows of 0 are left out."""
    rows = {key: min(now.get(key, 0), number) for key, number in before.items()}
    head = "# Package, kind of phrase, number of its occurrences; `python -m tests.house.prose --lower` writes it.\n"
    return head + "".join(f"{key[0]} {key[1]} {number}\n" for key, number in sorted(rows.items()) if number)


def _table(now: Mapping[tuple[str, str], int]) -> Iterator[str]:
    """Yield a line for each package: its number of each kind, and the sum."""
    yield " ".join(f"{kind:>11}" for kind in (*KINDS, "sum"))
    for name in sorted({key[0] for key in now}):
        row = [now.get((name, kind), 0) for kind in KINDS]
        yield " ".join(f"{number:11}" for number in (*row, sum(row))) + f"  {name}"


def _main() -> None:
    """Print the table or the places, or lower the numbers, as the options of the command say."""
    parser = argparse.ArgumentParser(prog="python -m tests.house.prose", description=__doc__)
    parser.add_argument("--lower", action="store_true", help="write the numbers that have fallen")
    parser.add_argument(
        "--list", nargs="+", metavar=("PACKAGE", "KIND"), help="print each phrase of a package"
    )
    options = parser.parse_args()
    if options.list:
        for text, kind in findings():
            if package(text.path).startswith(options.list[0]) and kind in (options.list[1:] or KINDS):
                print(f"{relative(text.path)}:{text.line}: {kind}: {' '.join(text.text.split())}")
    elif options.lower:
        NUMBERS.write_text(lowered(counts(), allowed()), encoding="utf-8")
    else:
        print(*_table(counts()), sep="\n")


if __name__ == "__main__":
    _main()
