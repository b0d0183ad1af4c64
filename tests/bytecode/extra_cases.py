"""Broken files beyond those of ``tests.support.invalid.malformed``, with what tileirdisasm 13.5 answers.

``python -m tests.bytecode.extra_cases`` records the answers anew.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from tests.bytecode.extra_attributes import attribute_cases
from tests.bytecode.extra_tables import table_cases
from tests.bytecode.extra_types import type_cases
from tests.support.invalid.malformed import Answer, MalformedCase
from tests.support.real.real_tools import disassemble, error_lines

ANSWERS = Path(__file__).parent / "extra_answers.json"


def raw_cases() -> dict[str, bytes]:
    """Name and bytes of every case."""
    cases = [*type_cases(), *attribute_cases(), *table_cases()]
    made = {name: module if isinstance(module, bytes) else module.assemble() for name, module in cases}
    assert len(made) == len(cases), "two cases have the same name"
    return made


@cache
def extra_cases() -> tuple[MalformedCase, ...]:
    """Every case with its recorded answer."""
    answers: dict[str, Answer] = json.loads(ANSWERS.read_text())
    return tuple(_case(name, data, answers[name]) for name, data in raw_cases().items())


def _case(name: str, data: bytes, answer: Answer) -> MalformedCase:
    lines = answer["lines"]
    first = lines[0] if lines else ""
    wanted = re.sub(r"^error at offset \d+: ", "", first)
    return MalformedCase(name, data, wanted, name.partition("/")[0], first, tuple(lines), answer["exit"])


def main() -> None:
    """Ask the tool about every case."""
    answers: dict[str, Answer] = {}
    for name, data in raw_cases().items():
        code, _, stderr = disassemble(data)
        answers[name] = {"exit": code, "lines": error_lines(stderr)}
    ANSWERS.write_text(json.dumps(answers, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
