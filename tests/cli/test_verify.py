"""`tilewright verify`: formats, places, exit status."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tests.house.tree import ROOT
from tilewright.cli.diagnostic_formats import github_command, report_object, reports_object
from tilewright.driver.verification import VerificationFinding, VerificationReport, check
from tilewright.ir.codes import CATALOGUE
from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.location import FileLineColLocation

KERNEL = str(ROOT / "tests" / "house" / "data" / "kernel.mlir")
Command = Callable[..., Answer]
BROKEN = 'module {\n  func.func @a() -> i32 {\n    "func.return"() : () -> ()\n  }\n}\n'


@pytest.fixture
def broken(tmp_path: Path) -> str:
    path = tmp_path / "broken.mlir"
    path.write_text(BROKEN)
    return str(path)


def stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


class TestStatus:
    def test_valid_files(self, tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
        binary = str(tmp_path / "kernel.tileirbc")
        assert tilewright("translate", "--mlir-to-cudatilebc", KERNEL, "-o", binary).status == 0
        assert tilewright("verify", KERNEL, binary) == (0, "", "")

    def test_broken_files(self, tilewright: Command, broken: str) -> None:  # noqa: F811
        status, out, err = tilewright("verify", KERNEL, broken)
        assert (status, out) == (1, "")
        assert err.splitlines() == [
            f"{broken}:3:5: error[TW0101]: 'func.return' op has 0 operands, but enclosing function (@a) returns 1",
            '  3 |     "func.return"() : () -> ()',
            "    |     ^",
        ]

    @pytest.mark.parametrize(
        "words", [("missing.mlir",), (KERNEL, "--bytecode-version", "1.0"), (), (KERNEL, "--nothing")]
    )
    def test_trouble(self, tilewright: Command, words: tuple[str, ...]) -> None:  # noqa: F811
        status, out, err = tilewright("verify", *words)
        assert (status, out) == (2, "")
        assert err

    def test_versions(self, tilewright: Command) -> None:  # noqa: F811
        assert tilewright("verify", "--bytecode-version=13.1", KERNEL).status == 0

    def test_stdin(self, tilewright: Command, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
        stdin(monkeypatch, BROKEN.encode())
        status, _, err = tilewright("verify", "-")
        assert status == 1
        assert err.startswith("<stdin>:3:5: error[TW0101]")
        assert '\n  3 |     "func.return"' in err

    def test_pieces(self, tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
        path = tmp_path / "pieces.mlir"
        path.write_text(f"module {{}}\n// -----\n{BROKEN}// -----\n{BROKEN}")
        err = tilewright("verify", "--split-input-file", str(path)).err
        assert re.findall(r"mlir:(\d+):\d+: error", err) == ["5", "11"]


class TestJson:
    def test_a_diagnostic(self, tilewright: Command, broken: str) -> None:  # noqa: F811
        status, out, err = tilewright("verify", "--output-format=json", KERNEL, broken)
        assert (status, err) == (1, "")
        answer = json.loads(out)
        assert (answer["schema"], answer["valid"]) == (1, False)
        first, second = answer["inputs"]
        assert first == {
            "name": KERNEL,
            "kind": "text",
            "bytecode_version": None,
            "valid": True,
            "diagnostics": [],
        }
        assert second["diagnostics"] == [
            {
                "severity": "error",
                "code": "TW0101",
                "title": CATALOGUE[101].title,
                "message": "'func.return' op has 0 operands, but enclosing function (@a) returns 1",
                "file": broken,
                "line": 3,
                "column": 5,
                "offset": None,
                "operation": None,
                "calls": [],
                "notes": [],
                "hints": [],
            }
        ]

    def test_the_page_names_every_key(self) -> None:
        guide = (ROOT / "docs" / "reference" / "reports.md").read_text(encoding="utf-8")
        answer = reports_object([report_object(check(b"foo.a", "x"))])
        keys = {*answer, *answer["inputs"][0], *answer["inputs"][0]["diagnostics"][0]}
        assert {key for key in keys if f"`{key}`" not in guide} == set()


class TestGitHub:
    def test_a_command(self, tilewright: Command, broken: str) -> None:  # noqa: F811
        status, out, err = tilewright("verify", "--output-format", "github", broken)
        assert (status, err) == (1, "")
        title = CATALOGUE[101].title
        assert out == (
            f"::error file={broken},line=3,col=5,title=TW0101 {title}::'func.return' op has 0 operands, but "
            "enclosing function (@a) returns 1\n"
        )

    def test_escapes(self) -> None:
        place = FileLineColLocation("a,b:c%d.mlir", 3, 4)
        diagnostic = Diagnostic(Severity.WARNING, "50% of\r\n: this, that", place).hint("try\nagain")
        assert github_command(VerificationFinding(diagnostic), VerificationReport("x", False)) == (
            "::warning file=a%2Cb%3Ac%25d.mlir,line=3,col=4::50%25 of%0D%0A: this, that%0Ahint: try%0Aagain"
        )

    def test_offsets(self) -> None:
        diagnostic = Diagnostic(Severity.ERROR, "cut", FileLineColLocation("x.tileirbc", 0, 0), offset=12)
        assert github_command(VerificationFinding(diagnostic), VerificationReport("x.tileirbc", True)) == (
            "::error file=x.tileirbc::at offset 12: cut"
        )

    def test_no_place(self) -> None:
        report = check(b"\xff\xff", "odd")
        command = github_command(report.findings[0], report)
        assert command.startswith("::error file=odd,title=TW0503 ")


class TestSarif:
    def test_results_have_places_and_rules(
        self,
        tilewright: Command,  # noqa: F811
        broken: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.chdir(Path(broken).parent)
        status, out, _ = tilewright("verify", "--output-format", "sarif", broken)
        assert status == 1
        (run,) = json.loads(out)["runs"]
        (result,) = run["results"]
        assert (result["ruleId"], result["level"]) == ("TW0101", "error")
        place = result["locations"][0]["physicalLocation"]
        assert place == {
            "artifactLocation": {"uri": "broken.mlir"},
            "region": {"startLine": 3, "startColumn": 5},
        }
        assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["TW0101"]
