"""`tilewright run --json`, several files for `tilewright compile`, and the progress of long commands."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.test_commands import KERNEL, Answer, tilewright  # noqa: F401  (the fixture)
from tilewright import ptxsim
from tilewright.cli import progress as cli_progress
from tilewright.cli.progress import ProgressBars, shown_progress
from tilewright.driver.launch import launch
from tilewright.inspect.analysis import inspect_image
from tilewright.inspect.binary.loader import raw_image
from tilewright.ir.support.progress import Progress, reporting

Command = Callable[..., Answer]


ERASED = "\r\033[1A\033[2K"


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


class Told:
    """What was heard of work that has ended."""

    def __init__(self) -> None:
        self.done: list[tuple[str, int, int]] = []

    def begin(self, work: Progress) -> None:
        assert work.done == 0

    def end(self, work: Progress) -> None:
        self.done.append((work.what, work.done, work.total))


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
        assert tilewright(*words) == (0, "", "compiled 2 of 2 files\n")
        assert sorted(path.name for path in place.iterdir()) == [
            "a.mlir",
            "a.tileirbc",
            "b.mlir",
            "b.tileirbc",
        ]
        alone = tilewright("compile", copies[0]).out
        assert (place / "a.mlir").read_text() == alone

    def test_beside_the_inputs(self, tilewright: Command, copies: tuple[str, str], tmp_path: Path) -> None:  # noqa: F811
        done = "compiled 2 of 2 files\n"
        assert tilewright("compile", *copies, "--emit=bytecode") == (0, "", done)
        assert (tmp_path / "b.tileirbc").read_bytes() == (tmp_path / "a.tileirbc").read_bytes()

    def test_the_summary_names_files_that_fail(
        self,
        tilewright: Command,  # noqa: F811
        copies: tuple[str, str],
        tmp_path: Path,
    ) -> None:
        (tmp_path / "c.mlir").write_text("garbage")
        status, out, err = tilewright("compile", str(tmp_path), "-o", str(tmp_path / "done"))
        assert (status, out) == (1, "")
        assert err.endswith(f"\ncompiled 2 of 3 files, but not {tmp_path / 'c.mlir'}\n")

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
        with reporting(told := Told()):
            launch(Path(KERNEL), None, (3, 1, 1), [np.ones(4, np.float32), 1.0], target="interp")
        assert told.done == [("tile blocks", 3, 3)]

    def test_inspection_tells(self) -> None:
        image = raw_image(np.zeros(64, np.uint8), "zeros", base=0x1000, code=[(0x1000, 0x1010)])
        with reporting(told := Told()):
            inspect_image(image)
        ((what, done, total),) = told.done
        assert what == "searches"
        assert done == total > 5

    def test_the_simulator_tells(self) -> None:
        text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n"
        with reporting(told := Told()):
            ptxsim.launch(text, "k", (6, 1, 1), (1, 1, 1), [], cluster=(2, 1, 1))
        assert told.done == [("blocks", 6, 6)]

    def test_nobody_need_listen(self) -> None:
        with Progress("steps", 1) as work:
            work.step()

    def test_the_bar_waits_and_goes_away(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now = 0.0
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setattr(cli_progress.time, "monotonic", lambda: now)
        stream = Terminal()
        bars = ProgressBars(stream)
        work = Progress("tile blocks", 4)
        bars.begin(work)
        work.step(2)
        now = 0.5
        bars.look()
        assert stream.getvalue() == ""
        now = 1.0
        bars.look()
        assert "tile blocks" in stream.getvalue()
        assert "2/4" in stream.getvalue()
        bars.end(work)
        assert stream.getvalue().endswith(ERASED)
        before = stream.getvalue()
        bars.look()
        bars.close()
        assert stream.getvalue() == before

    def test_messages_stand_where_a_bar_was(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cli_progress, "PATIENCE_SECONDS", 0)
        monkeypatch.setattr(cli_progress, "INTERVAL_SECONDS", 3600)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setattr(sys, "stderr", stream := Terminal())
        with shown_progress(), Progress("files", 2) as work:
            bars: Any = work._reporter
            bars.look()
            print("a message", file=sys.stderr)
            bars.look()
        assert sys.stderr is stream
        before, after = stream.getvalue().split("a message\n")
        assert before.endswith(ERASED)
        assert after.endswith(ERASED)
        assert "0/2" in before
        assert "0/2" in after

    def test_pipes_get_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
        with shown_progress(), Progress("files", 2) as work:
            assert work._reporter is None
        assert stream.getvalue() == ""

    def test_only_on_terminals(self, tilewright: Command, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
        monkeypatch.setattr(cli_progress, "PATIENCE_SECONDS", 0)
        words = ("run", KERNEL, "--arg", "ones(4, f32)", "--arg", "1", "--target", "interp")
        assert tilewright(*words).err == ""
