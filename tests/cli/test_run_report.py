"""`tilewright run --json`, several files for `tilewright compile`, and the progress of long commands."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.cli.test_commands import KERNEL, Answer, tilewright  # noqa: F401  (the fixture)
from tilewright.cli import progress as cli_progress
from tilewright.cli.progress import ProgressLine
from tilewright.driver.launch import launch
from tilewright.inspect.analysis import inspect_image
from tilewright.inspect.binary.loader import raw_image
from tilewright.ir.support.progress import Progress, reporting

Command = Callable[..., Answer]


class TestJson:
    def test_results_and_times(self, tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
        out = tmp_path / "out.npy"
        words = ("run", KERNEL, "--arg", f"ones(4, f32):{out}", "--arg", "3", "--target", "interp", "--json")
        status, text, err = tilewright(*words)
        report = json.loads(text)
        assert (status, err, report["schema"], report["findings"]) == (0, "", 1, [])
        assert report["results"] == [{"file": str(out), "shape": [4], "dtype": "float32"}]
        assert list(report["seconds"]) == ["arguments", "launch", "results"]
        assert np.load(out).tolist() == [6.0] * 4

    def test_findings(self, tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
        out = tmp_path / "out.npy"
        words = ("run", KERNEL, "--arg", f"ones(2, f32):{out}", "--arg", "3", "--check", "memcheck", "--json")
        status, text, _ = tilewright(*words)
        report = json.loads(text)
        assert (status, report["results"]) == (1, [])
        (finding,) = {finding["code"] for finding in report["findings"]}
        assert finding.startswith("TW")
        assert report["findings"][0]["line"] is not None


class TestSeveralFiles:
    @pytest.fixture
    def copies(self, tmp_path: Path) -> tuple[str, str]:
        names = (str(tmp_path / "a.mlir"), str(tmp_path / "b.mlir"))
        for name in names:
            Path(name).write_bytes(Path(KERNEL).read_bytes())
        return names

    def test_into_a_directory(
        self,
        tilewright: Command,  # noqa: F811
        copies: tuple[str, str],
        tmp_path: Path,
    ) -> None:
        place = tmp_path / "made" / "here"
        words = ("compile", *copies, "--emit=bytecode,tileir", "-o", str(place))
        assert tilewright(*words) == (0, "", "")
        assert sorted(path.name for path in place.iterdir()) == [
            "a.mlir",
            "a.tileirbc",
            "b.mlir",
            "b.tileirbc",
        ]
        alone = tilewright("compile", copies[0]).out
        assert (place / "a.mlir").read_text() == alone

    def test_beside_the_inputs(self, tilewright: Command, copies: tuple[str, str], tmp_path: Path) -> None:  # noqa: F811
        assert tilewright("compile", *copies, "--emit=bytecode") == (0, "", "")
        assert (tmp_path / "b.tileirbc").read_bytes() == (tmp_path / "a.tileirbc").read_bytes()

    def test_what_cannot_be(self, tilewright: Command, copies: tuple[str, str]) -> None:  # noqa: F811
        status, _, err = tilewright("compile", *copies)
        assert (status, "would be overwritten" in err) == (2, True)
        status, _, err = tilewright("compile", *copies, "-o", "-")
        assert (status, "stdin or stdout" in err) == (2, True)
        inner = Path(copies[0]).parent / "inner"
        inner.mkdir()
        same = str(inner / "a.tileirbc.mlir"), str(inner / "a.tileirbc.tileirbc")
        for name in same:
            Path(name).write_bytes(Path(KERNEL).read_bytes())
        status, _, err = tilewright("compile", *same, "--emit=bytecode")
        assert (status, "two of the files" in err) == (2, True)
        assert tilewright("compile", copies[0], copies[0], "--emit=bytecode") == (0, "", "")  # once
        status, _, err = tilewright("compile", *copies, "-o", copies[0], "--emit=bytecode")
        assert (status, "cannot make the directory" in err) == (2, True)


class TestProgress:
    def test_interpretation_tells(self) -> None:
        told: list[tuple[str, int, int]] = []
        with reporting(lambda *step: told.append(step)):
            launch(Path(KERNEL), None, (3, 1, 1), [np.ones(4, np.float32), 1.0], target="interp")
        assert told == [("tile blocks", done, 3) for done in (1, 2, 3)]

    def test_inspection_tells(self) -> None:
        told: list[tuple[str, int, int]] = []
        image = raw_image(np.zeros(64, np.uint8), "zeros", base=0x1000, code=[(0x1000, 0x1010)])
        with reporting(lambda *step: told.append(step)):
            inspect_image(image)
        assert [what for what, _, _ in told] == ["searches"] * len(told)
        assert told[-1][1] == told[-1][2] == len(told) > 5

    def test_nobody_need_listen(self) -> None:
        Progress("steps", 1).step()

    def test_the_line_waits_and_goes_away(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now = 0.0
        monkeypatch.setattr(cli_progress.time, "monotonic", lambda: now)
        stream = io.StringIO()
        line = ProgressLine(stream)
        line("tile blocks", 1, 4)
        assert stream.getvalue() == ""
        now = 0.5
        line("tile blocks", 2, 4)
        line("tile blocks", 3, 4)
        assert stream.getvalue() == "\r\033[Ktile blocks: 2 of 4 (50 %)"
        line.clear()
        assert stream.getvalue().endswith("%)\r\033[K")

    def test_only_on_terminals(self, tilewright: Command, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
        monkeypatch.setattr(cli_progress, "PATIENCE_SECONDS", 0)
        words = ("run", KERNEL, "--arg", "ones(4, f32)", "--arg", "1", "--target", "interp")
        assert tilewright(*words).err == ""
