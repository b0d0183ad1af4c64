"""RUN lines: how they are read and run, and the pytest plugin that collects them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilewright.testing.run_lines import (
    COMMANDS,
    RunFailure,
    RunLineError,
    pipelines,
    run_file,
    run_line,
    run_lines,
    substituted,
)

MODULE = "module @m {\n}\n"


def words(line: str) -> list[list[list[str]]]:
    return [[command.words for command in pipeline] for pipeline in pipelines(line)]


class TestReading:
    def test_lines(self) -> None:
        text = "// RUN: one %s\nnothing\n  # RUN:two\n; RUN: three \\\n; RUN:   four\n// PRUNE: no\n"
        assert run_lines(text) == ["one %s", "two", "three four"]

    def test_a_line_without_end(self) -> None:
        with pytest.raises(RunLineError, match="backslash"):
            run_lines("// RUN: one \\\n")

    def test_substitutions(self) -> None:
        line = substituted("%s %S %t %T %% %x", Path("/a/b.mlir"), Path("/tmp/c.tmp"))
        assert line == "/a/b.mlir /a /tmp/c.tmp /tmp % %x"

    def test_pipelines(self) -> None:
        assert words("a 'b c' | d && not e --f='g h'") == [
            [["a", "b c"], ["d"]],
            [["not", "e", "--f=g h"]],
        ]

    def test_redirections(self) -> None:
        (((first,)),) = pipelines("a <in >out 2>err")
        assert (first.words, first.stdin, first.stdout, first.stderr) == (
            ["a"],
            Path("in"),
            Path("out"),
            Path("err"),
        )
        ((merged, after),) = pipelines("a 2>&1 | b 2")
        assert (merged.merge, after.merge, after.words) == (True, False, ["b", "2"])

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("a |", "a command is missing"),
            ("", "a command is missing"),
            ("a && | b", "a command is missing"),
            ("a >", "a file is missing after '>'"),
            ("a || b", r"'\|\|' is not understood"),
            ("a 'b", "No closing quotation"),
            ("a <<< b", "'<<<' is not understood"),
        ],
    )
    def test_what_is_not_understood(self, line: str, message: str) -> None:
        with pytest.raises(RunLineError, match=message):
            pipelines(line)


class TestRunning:
    def test_pipes_carry_the_text(self, tmp_path: Path) -> None:
        run_line(f"echo 'module @m {{}}' | tilewright-opt > {tmp_path / 'out'}")
        assert (tmp_path / "out").read_text() == MODULE

    def test_files_in_and_out(self, tmp_path: Path) -> None:
        (tmp_path / "in").write_text(MODULE)
        run_line(
            f"tilewright-opt < {tmp_path / 'in'} >> {tmp_path / 'out'} && cat {tmp_path / 'in'} >> {tmp_path / 'out'}"
        )
        assert (tmp_path / "out").read_text() == MODULE * 2

    def test_both_streams(self, tmp_path: Path) -> None:
        run_line(f"not tilewright-opt --nothing 2>&1 | cat > {tmp_path / 'out'}")
        run_line(f"not tilewright-opt --nothing 2> {tmp_path / 'err'}")
        for name in ("out", "err"):
            assert (tmp_path / name).read_text().startswith("error: unknown argument '--nothing'")

    def test_the_order_of_redirections_matters(self, tmp_path: Path) -> None:
        path = tmp_path / "out"
        (tmp_path / "in").write_text(MODULE)
        command = f"tilewright-opt {tmp_path / 'in'} --print-op-stats"
        run_line(f"{command} 2>&1 > {path} | cat > {tmp_path / 'talk'}")
        assert path.read_text() == MODULE
        assert (tmp_path / "talk").read_text().startswith("Operations encountered:")
        run_line(f"{command} > {path} 2>&1")
        assert path.read_text().endswith(MODULE)
        assert path.read_text().startswith("Operations encountered:")

    def test_click_commands(self, tmp_path: Path) -> None:
        run_line(f"tilewright registry --table target > {tmp_path / 'out'}")
        assert "cpu" in (tmp_path / "out").read_text()

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("tilewright-opt --nothing", "exit status 2 of: tilewright-opt --nothing"),
            ("not echo hello", "exit status 1 of: not echo hello"),
            ("tilewright-opt --nothing | cat", "exit status 2 of: tilewright-opt --nothing"),
            ("tilewright nothing", "exit status 2"),
        ],
    )
    def test_failures(self, line: str, message: str) -> None:
        with pytest.raises(RunFailure, match=message):
            run_line(line)

    def test_unknown_commands(self) -> None:
        with pytest.raises(
            RunLineError, match="'rm' is not a command of RUN lines; known: not, tilewright-opt"
        ):
            run_line("rm -r x")

    def test_a_failing_check_says_where(self, tmp_path: Path) -> None:
        pytest.importorskip("filecheck")
        path = tmp_path / "a.mlir"
        path.write_text("// RUN: tilewright-opt %s | FileCheck %s\n// CHECK: module @other\nmodule @m {}\n")
        with pytest.raises(RunFailure, match=r"a\.mlir:2: .*error:"):
            run_file(path, tmp_path / "t")

    def test_a_file_without_lines(self, tmp_path: Path) -> None:
        path = tmp_path / "a.mlir"
        path.write_text(MODULE)
        with pytest.raises(RunLineError, match="has no RUN line"):
            run_file(path, tmp_path / "t")

    def test_the_streams_are_put_back(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(RunFailure):
            run_line("tilewright-opt --nothing")
        print("still here")
        assert capsys.readouterr() == ("still here\n", "")


class TestPlugin:
    """The plugin in a pytest of its own."""

    def test_it_collects_and_reports(self, pytester: pytest.Pytester) -> None:
        pytest.importorskip("filecheck")
        pytester.makeini("[pytest]\nfilecheck_paths = checks\n")
        folder = pytester.mkdir("checks")
        (folder / "good.mlir").write_text("// RUN: tilewright-opt %s | FileCheck %s\n// CHECK: module\n")
        (folder / "bad.mlir").write_text("// RUN: tilewright-opt %s --nothing\n")
        (folder / "plain.mlir").write_text(MODULE)
        (pytester.mkdir("elsewhere") / "other.mlir").write_text("// RUN: nothing\n")
        result = pytester.runpytest_inprocess(
            "-p", "tilewright.testing.filecheck_plugin", "-p", "no:cacheprovider"
        )
        result.assert_outcomes(passed=1, failed=1)
        result.stdout.fnmatch_lines(["*exit status 2 of: tilewright-opt *bad.mlir --nothing"])


def test_commands_are_those_of_the_package() -> None:
    assert {"tilewright", "tilewright-opt", "FileCheck", "cat"} <= set(COMMANDS)
