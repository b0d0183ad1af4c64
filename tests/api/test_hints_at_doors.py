"""Hints name options as they are written where the hint is read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tilewright
from tests.house.tree import ROOT
from tilewright.cli.main import main
from tilewright.gpu_programs import ProgramSettings
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.support.option_spelling import (
    COMMAND_LINE,
    ENVIRONMENT,
    NOTEBOOK,
    OPTIONS,
    PYTEST,
    PYTHON,
    option,
    options_spelled_for,
)

ASSERTED = """
cuda_tile.module @m {
  entry @k() {
    %false = constant <i1: 0> : tile<i1>
    assert %false, "mine" : tile<i1>
    return
  }
}
"""
DOORS = {
    PYTHON: 'target="interp"',
    COMMAND_LINE: "--target interp",
    NOTEBOOK: "%%tilewright --target interp",
    PYTEST: "--tilewright-target=interp",
    ENVIRONMENT: "TILEWRIGHT=interp",
}


@pytest.mark.parametrize(("door", "form"), DOORS.items())
def test_each_door_has_its_form(door: str, form: str) -> None:
    with options_spelled_for(door), pytest.raises(DiagnosticError) as caught:
        tilewright.launch(ASSERTED, "k", 1, [])
    (found,) = caught.value.diagnostics
    assert found.hints == [f"the interpreter says which elements were false: {form}"]


def test_the_command_line_speaks_its_own_language(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "m.mlir"
    file.write_text(ASSERTED, encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["run", str(file)])
    assert "hint: the interpreter says which elements were false: --target interp\n" in capfd.readouterr().err
    assert option("target", "interp") == 'target="interp"'


def test_doors_inside_of_doors_end_one_after_the_other() -> None:
    with options_spelled_for(COMMAND_LINE), options_spelled_for(PYTEST):
        with options_spelled_for(COMMAND_LINE):
            pass
        assert option("target", "interp") == DOORS[PYTEST]


def test_options_without_a_form_are_variables() -> None:
    assert option("traceback", 1) == "TILEWRIGHT_TRACEBACK=1"
    with options_spelled_for(COMMAND_LINE):
        assert option("traceback", 1) == "--traceback"


def test_environment_names_what_settings_read() -> None:
    given = dict(
        OPTIONS[name][ENVIRONMENT].format(value).split("=")
        for name, value in (("target", "interp"), ("check", "memcheck"))
    )
    assert ProgramSettings.from_environment(given) == ProgramSettings("interp", ("memcheck",))


def test_no_hint_writes_an_option_by_hand() -> None:
    """A literal of Python's form in our sources is a hint that only one door understands."""
    written = re.compile(r"""(hint|HINT|f?')[^\n]*(target|check)=\\?"(interp|memcheck)\\?\"""")
    doors = ROOT / "src" / "tilewright" / "ir" / "support" / "option_spelling.py"
    found = [
        f"{file.relative_to(ROOT)}: {line.strip()}"
        for file in (ROOT / "src").rglob("*.py")
        if file != doors and file.name != "codes.py"  # pages of codes are read at every door
        for line in file.read_text(encoding="utf-8").splitlines()
        if written.search(line)
    ]
    assert found == []
