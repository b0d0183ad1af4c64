"""Runs the programs of a file, functions whose names begin with ``program_``, on the stand-in for the driver.

``python -m tests.cuda_programs.python.in_device FILE`` prints one JSON object: for each program an empty text, or the error that ended it. The
stand-in belongs to the process, so this is no part of pytest's.
"""

from __future__ import annotations

import inspect
import json
import runpy
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tilewright.cuda_programs import python_programs
from tilewright.gpu_programs import ProgramSettings, routed
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError
from tilewright.runtime.findings.record import FindingRecord, recording

SETTINGS = ProgramSettings(target="interp", checks=("memcheck", "initcheck", "racecheck"), gpu="sm_90")


def line() -> int:
    """The line of the program that calls."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


def line_with(file: str, text: str) -> int:
    """The number of the first line of a file that has a text."""
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    return next(number for number, one in enumerate(lines, 1) if text in one)


def refusal(action: Callable[[], object]) -> Diagnostic:
    """The diagnostic of an action that is refused."""
    try:
        action()
    except DiagnosticError as error:
        return error.diagnostics[0]
    raise AssertionError("the action is not refused")


def place_of(location: Any) -> tuple[str, int] | None:
    """The name of the file and the line of a place."""
    return None if location.source is None else (Path(location.source[0]).name, location.source[1])


def outcome(program: Callable[[FindingRecord], object]) -> str:
    """Run a program, which gets the record of its findings."""
    with recording(goes_on=True) as record:
        try:
            program(record)
        except BaseException:
            told = "".join(f"{one}\n" for one in record.findings)
            return f"{traceback.format_exc()}{told}"
        return ""


def main(file: str) -> None:
    with routed(SETTINGS):
        found: dict[str, Any] = runpy.run_path(file)
        results = dict[str, str]()
        for name, program in found.items():
            if name.startswith("program_"):
                results[name] = outcome(program)
                if python_programs.is_loaded():
                    python_programs.stand_in(SETTINGS).library.tilewright_forget_error()
        print(json.dumps(results))


if __name__ == "__main__":
    main(sys.argv[1])
