"""Write a page of the simulated instructions: ``python -m tilewright.ptxsim.documentation FILE``."""

from __future__ import annotations

import sys
from pathlib import Path

from tilewright.ptx.table import instructions, notation
from tilewright.ptxsim.instructions.registry import rule_of

INTRODUCTION = """# PTX instructions

This page is generated: `python -m tilewright.ptxsim.documentation docs/ptx-instructions.md`.

Every instruction of the table with its forms, since when there is it, and what the
[simulator](guides/ptx-simulator.md) does with it. A form that an instruction has but the simulator
does not, such as a rounding mode, stops a launch with TW1252 and the reason.
`tilewright ptx --instructions NAME` shows the forms.
"""


def page() -> str:
    """Return a page of all instructions in Markdown, by sections of the ISA, with the first paragraph of each
    rule's docstring.
    """
    sections: dict[str, list[str]] = {}
    for name, forms in sorted(instructions.by_name().items()):
        sections.setdefault(forms[0].section, []).append(_row(name, forms))
    parts = [INTRODUCTION]
    for number in sorted(sections, key=lambda one: [int(part) for part in one.split(".")]):
        head = "| instruction | forms | since | simulated |\n| --- | --- | --- | --- |"
        parts.append(f"## ISA section {number}\n\n{head}\n" + "\n".join(sections[number]) + "\n")
    return "\n".join(parts)


def _row(name: str, forms: tuple[notation.InstructionForm, ...]) -> str:
    found = rule_of(name)
    meaning = "no" if found is None else (found.__doc__ or "").partition("\n\n")[0].strip()
    sm, (major, minor) = min(form.sm for form in forms), min(form.ptx for form in forms)
    since = f"PTX {major}.{minor}" + (f", sm_{sm}" if sm else "")
    return f"| `{name}` | {len(forms)} | {since} | {' '.join(meaning.split())} |"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
