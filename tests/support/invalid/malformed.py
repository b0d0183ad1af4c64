"""Broken files: one per diagnostic of the bytecode reader, with what tileirdisasm 13.5 answers to each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypedDict

from tests.support.invalid.malformed_bodies import body_cases
from tests.support.invalid.malformed_container import container_cases
from tests.support.invalid.malformed_tables import table_cases

ANSWERS = Path(__file__).parent / "data" / "reader_answers.json"


class Answer(TypedDict):
    """What tileirdisasm 13.5 said: its exit code and its lines on stderr, without ``error:``."""

    exit: int
    lines: list[str]


@dataclass(frozen=True)
class MalformedCase:
    """A broken file and what is expected of a reader.

    ``message`` is the documented text (a part of one diagnostic line; where nothing is documented, the tool's own
    first line without its offset; empty for files that are accepted); ``where`` the part of the file at fault;
    ``tool_message`` the line of tileirdisasm 13.5 that holds it (without ``error:``), ``tool_lines`` all lines,
    ``tool_exit`` its exit code (negative: the signal that ended it; 0: it accepts the file).
    """

    name: str
    bytecode: bytes
    message: str
    where: str
    tool_message: str
    tool_lines: tuple[str, ...]
    tool_exit: int


def raw_cases() -> Iterator[tuple[str, bytes, str, str]]:
    """Name, file, documented message and place of every case."""
    sources: tuple[tuple[str, Callable[[], Iterator[tuple[str, bytes, str]]]], ...] = (
        ("container", container_cases),
        ("table", table_cases),
        ("body", body_cases),
    )
    for where, cases in sources:
        for name, data, message in cases():
            yield f"{where}/{name}", data, message, where


@cache
def reader_cases() -> tuple[MalformedCase, ...]:
    """Every broken file with the recorded answers."""
    answers: dict[str, Answer] = json.loads(ANSWERS.read_text())
    return tuple(_case(*raw, answers[raw[0]]) for raw in raw_cases())


def _case(name: str, data: bytes, message: str, where: str, answer: Answer) -> MalformedCase:
    lines = answer["lines"]
    first = lines[0] if lines else ""
    held = next((line for line in lines if message and message in line), first)
    wanted = message or re.sub(r"^error at offset \d+: ", "", first)
    return MalformedCase(name, data, wanted, where, held, tuple(lines), answer["exit"])
