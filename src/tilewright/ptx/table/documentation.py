"""The table of instructions as text."""

from __future__ import annotations

from tilewright.ptx.table.instructions import by_name, heads
from tilewright.ptx.table.notation import InstructionForm


def names_text() -> str:
    """Return the names of all instructions, a line each."""
    return "\n".join(sorted(by_name()))


def forms_text(name: str) -> str | None:
    """Return every form of an instruction, or of all instructions with names that begin with `name`; `None`
    without any.
    """
    forms = by_name().get(name) or heads().get(name)
    return None if forms is None else "\n\n".join(map(form_text, forms))


def form_text(form: InstructionForm) -> str:
    """Return the syntax of a form, the choices of its modifiers, and its minimum version."""
    lines = [form.syntax()]
    lines.extend(
        f"  .{slot.name}: {' '.join('.' + choice for choice in slot.choices)}"
        for slot in form.slots
        if len(slot.choices) > 1
    )
    since = f"PTX {form.ptx[0]}.{form.ptx[1]}" + (f", sm_{form.sm}" if form.sm else "")
    return "\n".join([*lines, f"  since {since}; ISA section {form.section}"])
