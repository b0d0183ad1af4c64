"""Diagnostics: their text, and who gets them."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from tilewright.ir import codes
from tilewright.ir.diagnostic import (
    Diagnostic,
    DiagnosticEngine,
    DiagnosticError,
    Severity,
    failure,
    location_text,
    render,
)
from tilewright.ir.location import (
    UNKNOWN,
    CallSiteLocation,
    FileLineColLocation,
    FusedLocation,
    NameLocation,
)

PLACE = FileLineColLocation.at("kernel.py", 3, 5)
CALLER = FileLineColLocation.at("main.py", 10, 1)
SOURCES = {
    ("kernel.py", 3): "    a + b",
    ("kernel.mlir", 3): "    a + b",
    ("main.py", 10): "scale(x)",
    ("tabs.py", 1): "\t\tx",
}


def source_line(file: str, line: int) -> str | None:
    return SOURCES.get((file, line))


def error(message: str = "it broke", location: FileLineColLocation = PLACE) -> Diagnostic:
    return Diagnostic(Severity.ERROR, message, location, codes.INVALID_OPERATION)


class TestText:
    def test_the_whole_form(self) -> None:
        diagnostic = error()
        diagnostic.location = CallSiteLocation(PLACE, CALLER)
        diagnostic.note("defined here", CALLER).note("no place of its own").hint("mend it")
        assert render(diagnostic, source_line).splitlines() == [
            "kernel.py:3:5: error[TW0101]: it broke",
            "  3 |     a + b",
            "    |     ^",
            "main.py:10:1: note: called from here",
            "  10 | scale(x)",
            "     | ^",
            "main.py:10:1: note: defined here",
            "kernel.py:3:5: note: no place of its own",
            "hint: mend it",
        ]

    def test_without_a_place(self) -> None:
        assert render(Diagnostic(Severity.WARNING, "odd")) == "warning: odd"

    def test_binary_input(self) -> None:
        text = render(Diagnostic(Severity.ERROR, "odd", code=codes.SYNTAX, offset=12))
        assert text == "error[TW0001] at offset 12: odd"

    @pytest.mark.parametrize("severity", Severity)
    def test_severities(self, severity: Severity) -> None:
        assert render(Diagnostic(severity, "m")) == f"{severity.name.lower()}: m"

    def test_tabs_are_kept_before_the_caret(self) -> None:
        lines = render(error(location=FileLineColLocation.at("tabs.py", 1, 3)), source_line).splitlines()
        assert lines[1:] == ["  1 | \t\tx", "    | \t\t^"]

    @pytest.mark.parametrize(("column", "caret"), [(0, False), (1, True), (10, True), (11, False)])
    def test_a_caret_needs_a_column_of_the_line(self, column: int, caret: bool) -> None:
        text = render(error(location=FileLineColLocation("kernel.mlir", 3, column)), source_line)
        assert ("^" in text) == caret
        assert "a + b" in text

    @pytest.mark.parametrize("line", [0, 99])
    def test_no_frame_without_a_source_line(self, line: int) -> None:
        text = render(error(location=FileLineColLocation.at("kernel.py", line, 1)), source_line)
        assert len(text.splitlines()) == 1

    def test_frames_come_from_files_on_disk(self, tmp_path: Path) -> None:
        path = tmp_path / "program.py"
        path.write_text("first\nsecond\n")
        assert "  2 | second" in str(error(location=FileLineColLocation(str(path), 2, 1)))

    def test_an_exception_says_everything(self) -> None:
        raised = failure(codes.SYNTAX, "bad", PLACE, hint="good", notes=[("why", CALLER)])
        assert str(raised).splitlines() == [
            "kernel.py:3:5: error[TW0001]: bad",
            "main.py:10:1: note: why",
            "hint: good",
        ]
        assert str(DiagnosticError([error("a"), error("b")])).count("error[TW0101]") == 2
        assert str(DiagnosticError([error("a")], "other words")) == "other words"

    def test_an_exception_survives_pickling(self) -> None:
        raised = failure(codes.SYNTAX, "bad", PLACE, hint="good")
        copy = pickle.loads(pickle.dumps(raised))
        assert str(copy) == str(raised)
        assert copy.diagnostics == raised.diagnostics


class TestPlaces:
    @pytest.mark.parametrize(
        ("location", "text"),
        [
            (UNKNOWN, ""),
            (PLACE, "kernel.py:3:5"),
            (FileLineColLocation("k", 0, 0), "k"),
            (NameLocation("x", PLACE), "kernel.py:3:5"),
            (NameLocation("x"), ""),
            (FusedLocation((UNKNOWN, PLACE)), "kernel.py:3:5"),
            (CallSiteLocation(PLACE, CALLER), "kernel.py:3:5"),
        ],
    )
    def test_texts(self, location: NameLocation, text: str) -> None:
        assert location_text(location) == text

    def test_chains_of_calls_go_outwards(self) -> None:
        third = FileLineColLocation("c", 1, 1)
        inner = CallSiteLocation(PLACE, CALLER)
        assert CallSiteLocation(inner, third).callers == (CALLER, third)
        assert CallSiteLocation(PLACE, CallSiteLocation(CALLER, third)).callers == (
            CallSiteLocation(CALLER, third),
            third,
        )
        assert NameLocation("x", inner).callers == (CALLER,)


class TestEngine:
    def test_the_innermost_handler_is_asked_first(self) -> None:
        engine = DiagnosticEngine()
        with engine.collect() as outer:
            engine.emit(error("before"))
            with engine.collect() as inner:
                engine.emit(error("inside"))
            engine.emit(error("after"))
        assert [d.message for d in outer] == ["before", "after"]
        assert [d.message for d in inner] == ["inside"]

    def test_a_handler_may_pass_on(self) -> None:
        engine = DiagnosticEngine()
        seen: list[str] = []

        def warnings_only(diagnostic: Diagnostic) -> bool:
            seen.append(diagnostic.message)
            return diagnostic.severity is Severity.WARNING

        with engine.collect() as outer, engine.handler(warnings_only):
            engine.emit(error("e"))
            engine.emit(Diagnostic(Severity.WARNING, "w"))
        assert seen == ["e", "w"]
        assert [d.message for d in outer] == ["e"]

    def test_without_a_handler_it_is_printed_to_stderr(self, capsys: pytest.CaptureFixture[str]) -> None:
        diagnostic = Diagnostic(Severity.REMARK, "look")
        assert DiagnosticEngine().emit(diagnostic) is diagnostic
        assert capsys.readouterr() == ("", "remark: look\n")

    def test_handlers_go_when_their_block_ends(self, capsys: pytest.CaptureFixture[str]) -> None:
        engine = DiagnosticEngine()
        with pytest.raises(RuntimeError), engine.collect() as collected:
            raise RuntimeError
        engine.emit(error("late"))
        assert collected == []
        assert "late" in capsys.readouterr().err

    def test_one_handler_installed_twice_is_removed_innermost_first(self) -> None:
        engine = DiagnosticEngine()
        order: list[str] = []

        def outer(_: Diagnostic) -> bool:
            order.append("outer")
            return False

        def between(_: Diagnostic) -> bool:
            order.append("between")
            return True

        with engine.handler(outer), engine.handler(between):
            with engine.handler(outer):
                pass
            engine.emit(error())
        assert order == ["between"]


@pytest.mark.parametrize("file", ["a\0b", "/dev/zero", "/nowhere/at/all.py", "", "x" * 10_000])
def test_file_names_from_debug_information_may_be_anything(file: str) -> None:
    diagnostic = Diagnostic(Severity.ERROR, "message", FileLineColLocation.at(file, 3, 1))
    assert render(diagnostic) == f"{file}:3:1: error: message"
