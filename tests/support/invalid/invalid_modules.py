"""Readable but invalid modules: one per rule of the verifier, with what tileirdisasm 13.5 prints for each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.support.invalid import (
    invalid_arith,
    invalid_control,
    invalid_fold,
    invalid_memory,
    invalid_structure,
    invalid_tile,
    invalid_view,
)
from tests.support.invalid.invalid_sample import Invalid
from tests.support.invalid.malformed import Answer
from tests.support.real.real_kernel import vendor, write_module

ANSWERS = Path(__file__).parent / "data" / "verifier_answers.json"


@dataclass(frozen=True)
class VerifierCase:
    """A module that breaks one rule.

    ``op`` is the mnemonic of the op at fault (``type`` for a type); ``fragment`` the rule's text as documented;
    ``message`` the whole line tileirdisasm 13.5 prints for it (without ``error:``), ``tool_lines`` all of its lines.
    """

    name: str
    op: str
    bytecode: bytes
    fragment: str
    message: str
    tool_lines: tuple[str, ...]
    tool_exit: int


def all_invalid() -> list[Invalid]:
    """Every row, in a fixed order."""
    vendor()
    modules = (
        invalid_arith,
        invalid_tile,
        invalid_fold,
        invalid_view,
        invalid_memory,
        invalid_control,
        invalid_structure,
    )
    return [row for module in modules for row in module.rows()]


def raw_cases() -> Iterator[tuple[Invalid, bytes]]:
    """Every row with its module."""
    for row in all_invalid():
        yield (
            row,
            row.raw
            if row.raw is not None
            else write_module(
                row.build,
                row.version,
                row.arguments,
                row.global_values,
                debug=row.debug,
                terminate=row.terminate,
                results=row.results,
            ),
        )


@cache
def _all_cases() -> tuple[VerifierCase, ...]:
    answers: dict[str, Answer] = json.loads(ANSWERS.read_text())
    return tuple(_case(row, data, answers[row.name]) for row, data in raw_cases())


def verifier_cases() -> tuple[VerifierCase, ...]:
    """Every module tileirdisasm refuses, with its recorded answer; skips without the package ``cuda-tile``."""
    return tuple(case for case in _all_cases() if case.tool_exit != 0)


def accepted_cases() -> tuple[VerifierCase, ...]:
    """Modules one would expect to be refused (by documents or common sense) that tileirdisasm 13.5 takes."""
    return tuple(case for case in _all_cases() if case.tool_exit == 0)


def _case(row: Invalid, data: bytes, answer: Answer) -> VerifierCase:
    lines = tuple(answer["lines"])
    first = lines[0] if lines else ""
    message = next((line for line in lines if row.fragment in line), first)
    return VerifierCase(row.name, row.op, data, row.fragment, message, lines, answer["exit"])
