"""Damaged PTX: ``python -m fuzz.ptx_mutations COUNT [FILE...]`` reads so many mutants of the files.

Without files, mutants of the texts of the tests are read: one of every statement, and some in the manner of nvcc and Triton.
Each mutant either reads or is refused by diagnostics, and what reads is printed and read again into an equal module.
Anything else, an exception or a mutant that takes more than `SLOW` seconds, ends the run with its seed.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.checks import read
from tilewright.ptx.parser import parse
from tilewright.ptx.printer import print_module

SAMPLES = sorted((Path(__file__).parents[1] / "tests" / "ptx" / "data").glob("*.ptx"))
SLOW = 10.0
TOLD_EVERY = 10_000
"""After so many mutants stderr says how far the run is."""


def mutant(text: str, seed: int) -> str:
    """A text with one to four damages: characters or words deleted, doubled, swapped or replaced."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 4)):
        text = chance.choice((_character, _word, _span, _line))(text, chance)
    return text


def _character(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chr(chance.choice((chance.randrange(256), chance.randrange(32, 127)))) + text[at + 1 :]


def _word(text: str, chance: random.Random) -> str:
    words = text.split(" ")
    words[chance.randrange(len(words))] = chance.choice(words)
    return " ".join(words)


def _span(text: str, chance: random.Random) -> str:
    at, length = chance.randrange(len(text) + 1), chance.randrange(1, 40)
    return text[:at] + text[at + length :] if chance.random() < 0.5 else text[: at + length] + text[at:]


def _line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return "\n".join(lines)


def try_one(text: str) -> bool:
    """Whether a text reads; raises `AssertionError` if what is printed does not read back."""
    try:
        module = parse(text)
    except DiagnosticError:
        return False
    assert parse(print_module(module)) == module, "printed text means something else"
    try:
        read(text)
    except DiagnosticError:
        return False
    return True


def main(arguments: Sequence[str]) -> None:
    """Read mutants of files (default: the texts of the tests)."""
    count, *files = arguments
    texts = [Path(file).read_text(encoding="utf-8") for file in files or SAMPLES]
    taken, slowest = 0, 0.0
    for seed in range(int(count)):
        if seed and seed % TOLD_EVERY == 0:
            print(f"{seed} mutants", file=sys.stderr)
        start = time.monotonic()
        try:
            taken += try_one(mutant(texts[seed % len(texts)], seed))
        except Exception:
            print(f"seed {seed}", file=sys.stderr)
            raise
        seconds = time.monotonic() - start
        slowest = max(slowest, seconds)
        if seconds > SLOW:
            raise SystemExit(f"seed {seed} took more than {SLOW} s")
    print(f"{count} mutants, {taken} of them are still PTX, the slowest took {slowest:.2f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
