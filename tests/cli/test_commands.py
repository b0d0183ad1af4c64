"""The command line, in-process: results on stdout, talk on stderr, exit status 0, 1 or 2."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from tests.house.tree import ROOT
from tilewright.cli.group import cli
from tilewright.cli.main import COMMANDS, main
from tilewright.version import __version__

np = pytest.importorskip("numpy")

KERNEL = str(ROOT / "tests" / "house" / "data" / "kernel.mlir")


class Answer(NamedTuple):
    """What a command said."""

    status: int
    out: str
    err: str


@pytest.fixture
def tilewright(capfd: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Runs the command with the given words."""

    def run(*words: str) -> Answer:
        status = 0
        try:
            main(list(words))
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        return Answer(status, *capfd.readouterr())

    return run


class TestMain:
    def test_help_and_version(self, tilewright: Callable[..., Answer]) -> None:
        status, out, err = tilewright("--help")
        assert (status, err) == (0, "")
        for name, (_, text) in COMMANDS.items():
            assert f"  {name} " in out
            assert text[:30] in out
        assert tilewright("--version") == (0, f"tilewright, version {__version__}\n", "")

    @pytest.mark.parametrize("name", COMMANDS)
    def test_every_command_has_a_page(self, tilewright: Callable[..., Answer], name: str) -> None:
        status, out, _ = tilewright(name, "--help")
        assert status == 0
        assert out.startswith("Usage: tilewright")

    def test_a_misspelt_command(self, tilewright: Callable[..., Answer]) -> None:
        status, out, err = tilewright("translte")
        assert (status, out) == (2, "")
        assert "no such command 'translte'\nhint: did you mean 'translate'?" in err

    def test_an_unheard_of_command(self, tilewright: Callable[..., Answer]) -> None:
        assert "hint: commands: run, compare, nvcc, translate" in tilewright("zzzz").err


class TestRun:
    def test_arrays_in_and_out(self, tilewright: Callable[..., Answer], tmp_path: Path) -> None:
        source, target = tmp_path / "in.npy", tmp_path / "out.npy"
        np.save(source, np.arange(4, dtype=np.float32))
        status, out, err = tilewright("run", KERNEL, "--arg", f"{source}:{target}", "--arg", "0.5")
        assert (status, out, err) == (0, "", "")
        assert np.load(target).tolist() == [0.0, 1.0, 2.0, 3.0]
        assert np.load(source).tolist() == [0.0, 1.0, 2.0, 3.0]

    def test_made_arrays(self, tilewright: Callable[..., Answer], tmp_path: Path) -> None:
        target = tmp_path / "out.npy"
        words = ["--entry", "scale", "--grid", "1,1,1", "--target", "interp", "--check", "memcheck,initcheck"]
        assert tilewright("run", KERNEL, *words, "--arg", f"ones(4, f32):{target}", "--arg", "3")[0] == 0
        assert np.load(target).tolist() == [6.0] * 4

    def test_a_wrong_program_exits_with_1(self, tilewright: Callable[..., Answer]) -> None:
        status, out, err = tilewright(
            "run", KERNEL, "--arg", "zeros(3, f32)", "--arg", "3", "--target", "interp"
        )
        assert (status, out) == (1, "")
        assert "kernel.mlir:11:" in err
        assert "error[TW0402]" in err

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("--grid", "x"), "'x' is not a grid; write 4 or 4,2,1"),
            (("--arg", "some.npy"), "cannot load 'some.npy'"),
            (("--arg", "word"), "'word' is neither a number nor an array"),
            (("--arg", "zeros(4, f99)"), "unknown element type 'f99'; known:"),
            (("--arg", "noise(4, f32)"), "neither a .npy file nor zeros(SHAPE, TYPE)"),
            (("--array", "3"), "'3' is not an array"),
            (("--arg",), "requires an argument"),
        ],
    )
    def test_wrong_usage_exits_with_2(
        self, tilewright: Callable[..., Answer], words: tuple[str, ...], message: str
    ) -> None:
        status, out, err = tilewright("run", KERNEL, *words)
        assert (status, out) == (2, "")
        assert message in err

    @pytest.mark.parametrize(
        ("words", "code"),
        [
            (("--grid", "0"), "TW0505"),
            (("--entry", "other"), "TW0504"),
            (("--target", "gpu"), "TW0501"),
            (("--check", "none"), "TW0502"),
            ((), "TW0401"),
        ],
    )
    def test_wrong_values_are_diagnostics(
        self, tilewright: Callable[..., Answer], words: tuple[str, ...], code: str
    ) -> None:
        status, _, err = tilewright("run", KERNEL, *words)
        assert status == (1 if code in ("TW0504", "TW0401") else 2)
        assert f"error[{code}]" in err

    def test_a_missing_file(self, tilewright: Callable[..., Answer]) -> None:
        status, _, err = tilewright("run", "nowhere.mlir")
        assert status == 2
        assert "error[TW0503]: cannot read 'nowhere.mlir'" in err

    def test_without_numpy(self, tilewright: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "numpy", None)
        status, _, err = tilewright("run", KERNEL, "--arg", "ones(4, f32)", "--arg", "1")
        assert status == 1
        assert "error[TW0506]: this needs the package 'numpy'" in err


class TestArguments:
    """How ``--arg`` and ``--array`` are read."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [("7", 7), ("-3", -3), ("0x10", 16), ("1e3", 1000.0), ("-inf", float("-inf")), ("True", True)],
    )
    def test_numbers(self, text: str, expected: object) -> None:
        from tilewright.cli.commands.run import parse_argument

        (found,) = parse_argument(text).values
        assert (found, type(found)) == (expected, type(expected))

    def test_an_array_with_lengths_and_strides(self) -> None:
        from tilewright.cli.commands.run import parse_array

        argument = parse_array("zeros(2, 3, i16)")
        array, *rest = argument.values
        assert (array.shape, array.dtype, rest) == ((2, 3), np.dtype(np.int16), [2, 3, 3, 1])

    def test_the_order_on_the_line_is_the_order_of_the_parameters(self) -> None:
        command = cli.get_command(click.Context(cli), "run")
        assert command is not None

        with command.make_context("run", ["f", "--array", "a", "--arg=b", "--array=c"]) as context:
            assert context.meta["argument order"] == ["--array", "--arg", "--array"]

    def test_options_may_be_abbreviated_only_if_they_are_not_arguments(self) -> None:
        command = cli.get_command(click.Context(cli), "run")
        assert command is not None

        with pytest.raises(click.UsageError):
            command.make_context("run", ["f", "--arr", "zeros(1, f32)"])


class TestTranslate:
    def test_to_stdout(self, tilewright: Callable[..., Answer]) -> None:
        status, out, err = tilewright("translate", KERNEL)
        assert (status, err) == (0, "")
        assert " addf " in out
        assert "loc(" not in out

    def test_what_it_prints_it_reads(self, tilewright: Callable[..., Answer], tmp_path: Path) -> None:
        target = tmp_path / "again.mlir"
        assert tilewright("translate", "-g", KERNEL, "-o", str(target)) == (0, "", "")
        assert tilewright("translate", "-g", str(target)).out == target.read_text()

    def test_from_stdin(self, tilewright: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch) -> None:
        with open(KERNEL, "rb") as stream:
            monkeypatch.setattr("sys.stdin", _Stdin(stream))
            assert " addf " in tilewright("translate", "-").out
        monkeypatch.setattr("sys.stdin", _Stdin(io.BytesIO(b"module {")))
        assert "<stdin>:1:" in tilewright("translate", "-").err

    def test_what_is_broken_is_told(self, tilewright: Callable[..., Answer], tmp_path: Path) -> None:
        path = tmp_path / "broken.mlir"
        path.write_text('"cuda_tile.madule"() ({}) : () -> ()\n')
        status, out, err = tilewright("translate", str(path))
        assert (status, out) == (1, "")
        assert "error[TW0002]" in err
        assert "broken.mlir:1:1" in err


class _Stdin:
    """A text stream in so far as it has the bytes below."""

    def __init__(self, buffer: object) -> None:
        self.buffer = buffer


class TestExplain:
    def test_pages(self, tilewright: Callable[..., Answer]) -> None:
        pytest.importorskip("tilewright.reference")
        assert "addf" in tilewright("explain", "addf").out
        assert "TW0402" in tilewright("explain", "TW0402").out

    def test_nothing_of_that_name(self, tilewright: Callable[..., Answer]) -> None:
        pytest.importorskip("tilewright.reference")
        status, out, err = tilewright("explain", "adff")
        assert (status, out) == (1, "")
        assert "nothing is called 'adff'\nhint: did you mean" in err


class TestDoctor:
    def test_a_whole_installation(self, tilewright: Callable[..., Answer]) -> None:
        status, out, _ = tilewright("doctor")
        assert status == 0
        assert out.startswith(f"tilewright {__version__}, Python 3.")
        assert "bytecode   13.1, 13.2, 13.3, 13.4, 13.5" in out
        assert "target     cpu" in out

    def test_as_json(self, tilewright: Callable[..., Answer]) -> None:
        status, out, _ = tilewright("doctor", "--json")
        facts = json.loads(out)
        assert (status, facts["can_run"], facts["version"]) == (0, True, __version__)
        assert facts["bytecode"][0] == "13.1"
        targets = {target["name"]: target for target in facts["targets"]}
        assert {"cpu", "interp"} <= targets.keys()
        assert targets["sim:sm_*"]["works"]
        assert targets["cuda"]["works"] or targets["cuda"]["hints"]
        numpy = next(package for package in facts["packages"] if package["name"] == "numpy")
        assert numpy["version"].split(".")[0].isdigit()

    def test_what_is_missing_has_a_way_out(
        self, tilewright: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tilewright.cli.commands.doctor._installed", lambda package: None)
        status, out, err = tilewright("doctor")
        assert status == 1
        assert "numpy              missing" in out
        extras = ("cpp", "cpu", "cutile", "inspect", "lsp", "mcp", "notebook", "prove", "pytest", "triton")
        assert err.splitlines()[: len(extras)] == [f"hint: pip install 'tilewright[{one}]'" for one in extras]
        assert re.search(r"^target +cpu .*\(missing: numpy, ml_dtypes, llvmlite\)$", out, re.MULTILINE)

    def test_programs_and_the_page_that_are_missing(
        self, tilewright: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr("tilewright.targets.nvptx.tools.programs", lambda name: ())
        monkeypatch.setattr("tilewright.explorer.html.ASSETS", tmp_path)
        _, out, err = tilewright("doctor")
        assert "program    ptxas              missing: machine code for NVIDIA's GPUs" in out
        assert "page       of tilewright explore missing" in out
        assert err.splitlines()[-3:] == [
            "hint: pip install nvidia-cuda-nvcc",
            "hint: pip install nvidia-cuda-nvdisasm",
            "hint: install tilewright again: the page of `tilewright explore` is missing",
        ]


class TestRegistry:
    """Everything that start-up registers, in order."""

    def test_one_table(self, tilewright: Callable[..., Answer]) -> None:
        status, out, err = tilewright("registry", "--table", "dialect")
        assert (status, err) == (0, "")
        names = [line.split()[1] for line in out.splitlines()]
        assert names[0] == "builtin"
        assert names[-8:-3] == ["nv_tileaa", "nv_tileas", "cutlass", "cute_nvgpu", "cute"]
        assert names[-3:] == ["tt", "ttg", "cuda_tile"]
        assert re.search(
            r"^dialect +cuda_tile +109 operations, \d+ types, \d+ attributes$", out, re.MULTILINE
        )

    def test_all_tables(self, tilewright: Callable[..., Answer]) -> None:
        rows = json.loads(tilewright("registry", "--json").out)
        tables = list(dict.fromkeys(row["table"] for row in rows))
        assert tables == ["option", "type id", "dialect", "interface", "pass", "pattern set", "target"]
        assert {"table": "target", "name": "cpu"}.items() <= next(
            r for r in rows if r["table"] == "target"
        ).items()
        passes = [row["name"] for row in rows if row["table"] == "pass"]
        assert {"canonicalize", "strip-debuginfo", "symbol-dce", "cse", "print-op-stats", "verify"} <= set(
            passes
        )
        assert all(row["summary"] for row in rows if row["table"] in ("pass", "interface"))

    def test_an_unknown_table(self, tilewright: Callable[..., Answer]) -> None:
        status, out, err = tilewright("registry", "--table", "dialects")
        assert (status, out) == (2, "")
        assert "'dialects' is not one of" in err


@pytest.mark.parametrize("name", ["cute.layout", "nv_tileaa.kernel_spec", "cute_nvgpu.sm90.mma", "TW0507"])
def test_what_the_cascade_has_is_explained(tilewright: Callable[..., Answer], name: str) -> None:
    status, out, _ = tilewright("explain", name)
    assert status == 0
    assert name in out
