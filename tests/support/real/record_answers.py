"""Records what tileirdisasm answers to every invalid module: ``python -m tests.support.real.record_answers``.

Run it after adding cases, with the tool release named in ``real_tools.TOOL_VERSION``, and commit the data.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tests.support.invalid import invalid_modules, malformed
from tests.support.real.real_tools import disassemble, error_lines


def record(path: Path, cases: Iterable[tuple[str, bytes]]) -> int:
    """Writes the answers to ``path``; returns how many there are."""
    answers: dict[str, malformed.Answer] = {}
    for name, data in cases:
        code, _, stderr = disassemble(data)
        if name in answers:
            raise ValueError(f"two cases are named {name}")
        answers[name] = {"exit": code, "lines": error_lines(stderr)}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(answers, indent=1, sort_keys=True) + "\n")
    return len(answers)


def main() -> None:
    """Records both kinds."""
    record(malformed.ANSWERS, ((name, data) for name, data, *_ in malformed.raw_cases()))
    record(invalid_modules.ANSWERS, ((case.name, data) for case, data in invalid_modules.raw_cases()))


if __name__ == "__main__":
    main()
