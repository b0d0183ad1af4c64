"""All rows of the table, and lookup by the parts of an instruction's name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from tilewright.ptx.table import (
    asynchronous,
    control_and_atomics,
    floating,
    integer,
    matrix,
    movement,
    selection,
)
from tilewright.ptx.table.notation import InstructionForm

FORMS: tuple[InstructionForm, ...] = (
    *integer.FORMS,
    *floating.FORMS,
    *selection.FORMS,
    *movement.FORMS,
    *control_and_atomics.FORMS,
    *asynchronous.FORMS,
    *matrix.FORMS,
)
"""Every form, by chapters of the ISA."""


@cache
def by_name() -> dict[str, tuple[InstructionForm, ...]]:
    """Return the forms of each instruction by its full name, such as ``cp.async.bulk``."""
    found: dict[str, list[InstructionForm]] = {}
    for form in FORMS:
        found.setdefault(form.name, []).append(form)
    return {name: tuple(forms) for name, forms in found.items()}


@cache
def heads() -> dict[str, tuple[InstructionForm, ...]]:
    """Return the forms of all instructions by the first word of their names, such as ``cp``."""
    found: dict[str, list[InstructionForm]] = {}
    for form in FORMS:
        found.setdefault(form.name.partition(".")[0], []).append(form)
    return {name: tuple(forms) for name, forms in found.items()}


@lru_cache(maxsize=4096)
def lookup(words: tuple[str, ...]) -> tuple[tuple[InstructionForm, dict[str, str]], ...]:
    """Return every form that matches `words`, the words of an instruction without dots, with its modifiers by
    slot name. Forms with longer names precede; none gives an empty tuple.
    """
    found: list[tuple[InstructionForm, dict[str, str]]] = []
    for form in heads().get(words[0], ()):
        name = form.name.split(".")
        if tuple(name) == words[: len(name)]:
            chosen = form.match(words[len(name) :])
            if chosen is not None:
                found.append((form, chosen))
    return tuple(sorted(found, key=lambda pair: -pair[0].name.count(".")))


def names() -> Sequence[str]:
    """Return the sorted names of all instructions."""
    return sorted(by_name())


def names_text() -> str:
    """Return the names of all instructions, a line each."""
    return "\n".join(sorted(by_name()))


def forms_text(name: str) -> str | None:
    """Return every form of the instruction `name`, or of all instructions whose name has `name` as its first
    word; `None` without any.
    """
    forms = by_name().get(name) or heads().get(name)
    return None if forms is None else "\n\n".join(map(form_text, forms))


def form_text(form: InstructionForm) -> str:
    """Return a text of several lines: the syntax of a form, the choices of each modifier that has several,
    the minimum version and architecture, and the section of the ISA.
    """
    lines = [form.syntax()]
    lines.extend(
        f"  .{slot.name}: {' '.join('.' + choice for choice in slot.choices)}"
        for slot in form.slots
        if len(slot.choices) > 1
    )
    since = f"PTX {form.ptx[0]}.{form.ptx[1]}" + (f", sm_{form.sm}" if form.sm else "")
    return "\n".join([*lines, f"  since {since}; ISA section {form.section}"])
