"""The ``tileiras`` of this project: NVIDIA's command line and exit statuses, and what cuTile Python makes of its words."""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("numpy")

from tests.cli.test_commands import Answer
from tests.house.tree import ROOT
from tests.support.real.real_tools import require_tool
from tests.support.synthetic.synthetic_cubin import cubin
from tests.support.synthetic.synthetic_sass import only_stand_ins
from tilewright.bytecode import write_bytecode
from tilewright.cli.drop_ins import tileiras
from tilewright.cli.drop_ins.tileiras import run_tileiras
from tilewright.driver.artifact import Artifact
from tilewright.driver.sources import load
from tilewright.ir.diagnostic import Diagnostic, Severity, failure
from tilewright.ir.location import FileLineColLocation
from tilewright.targets.nvptx import codes, tools
from tilewright.version import __version__

KERNEL = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %s = store_ptr_tko weak %x, %one : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
"""
PACKAGE = ROOT / "packages" / "tilewright-tileiras" / "pyproject.toml"
Command = Callable[..., Answer]


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the assembler was asked, in a folder with files of bytecode and others, which is the current one."""
    data = write_bytecode(load(KERNEL))
    for name, content in (
        ("k", data),
        ("empty", b""),
        ("text", b"module {}"),
        ("half", data[:60]),
        ("newer", data[:8] + bytes([13, 99]) + data[10:]),
    ):
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    return only_stand_ins(tmp_path, monkeypatch)


@pytest.fixture
def tool(asked: Path, capfd: pytest.CaptureFixture[str]) -> Command:
    def run(*words: str) -> Answer:
        return Answer(run_tileiras(words), *capfd.readouterr())

    return run


class TestMachineCode:
    @pytest.mark.parametrize(
        "words",
        [
            ("--gpu-name", "sm_80", "k", "-o", "out"),
            ("-gpu-name=sm_80", "-o=out", "k"),
            ("--arch", "sm_80", "--output-file", "out", "--", "k"),
            ("k", "--gpu-name", "sm_90", "--gpu-name", "sm_80", "--host-os=linux", "-output-file=out"),
        ],
        ids=" ".join,
    )
    def test_ways_to_say_it(self, tool: Command, asked: Path, words: tuple[str, ...]) -> None:
        assert tool(*words) == (0, "", "")
        assert Path("out").read_bytes() == cubin()
        assert "-arch sm_80 -O3 module.ptx" in asked.read_text()

    def test_where_it_goes(self, asked: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
        assert run_tileiras(("--gpu-name", "sm_80", "k")) == 0
        assert Path("elf.o").read_bytes() == cubin()
        assert run_tileiras(("--gpu-name", "sm_80", "k", "-o", "-")) == 0
        assert capfdbinary.readouterr().out == cubin()

    def test_levels(self, tool: Command, asked: Path) -> None:
        for words in (("-O1",), ("--opt-level=1",), ("--opt-level", "1")):
            assert tool("--gpu-name", "sm_90a", *words, "k") == (0, "", "")
            assert "-arch sm_90a -O1 " in asked.read_text()

    def test_lines(self, tool: Command, asked: Path) -> None:
        for words in (("--lineinfo",), ("--device-debug", "-O0"), ("-g", "-O0", "--lineinfo")):
            assert tool("--gpu-name", "sm_80", *words, "k") == (0, "", "")
            assert "-lineinfo" in asked.read_text()
        assert tool("--gpu-name", "sm_80", "--lineinfo=0", "k") == (0, "", "")
        assert "-lineinfo" not in asked.read_text()

    def test_a_module_without_kernels(self, tool: Command) -> None:
        """cuTile Python compiles such modules to learn which versions of bytecode are read."""
        Path("none").write_bytes(write_bytecode(load("cuda_tile.module @m {\n}\n")))
        assert tool("--gpu-name", "sm_120", "none") == (0, "", "")

    def test_remarks(self, tool: Command) -> None:
        """Warnings of the assembler are remarks; they are written when somebody asks for them."""
        words = ("--gpu-name", "sm_80", "k", "--remark-format=yaml", "--remarks-output-file=r")
        assert tool(*words, "--remarks=all") == (0, "", "")
        assert "--- !Analysis" in Path("r").read_text()
        assert 'Remark:      "Odd"' in Path("r").read_text()
        assert tool(*words, "--remarks=memory") == (0, "", "")
        assert Path("r").read_text() == ""
        assert "warning: Odd [TW0912]" in tool("--gpu-name", "sm_80", "k", "--remarks=all").out


REFUSED = [
    ((), 1, "error: no input file provided"),
    (("--gpu-name", "sm_80"), 1, "error: no input file provided"),
    (("k",), 2, "error: GPU architecture sm_0 is not supported by this version of tileiras"),
    (
        ("--gpu-name", "sm_80", "missing"),
        1,
        "error: unable to read input file 'missing': No such file or directory",
    ),
    (("--gpu-name", "sm_80", "."), 1, "error: unable to read input file '.': Is a directory"),
    (("--gpu-name", "sm_80", "empty"), 3, "error: input does not correspond to Tile IR bytecode"),
    (("--gpu-name", "sm_80", "text"), 3, "error: input does not correspond to Tile IR bytecode"),
    (("--gpu-name", "sm_80", "half"), 3, "section length 21 exceeds remaining"),
    (("--gpu-name", "sm_80", "newer"), 3, "13.99"),
    (("--gpu-name", "sm_80", "k", "-o", "/nowhere/at/all"), 2, ""),
    (("--gpu-name", "sm_80", "k", "-O4"), 2, "error: invalid optimization level: 4"),
    (
        ("--gpu-name", "sm_80", "k", "--opt-level=x"),
        1,
        "for the --opt-level option: 'x' value invalid for integer",
    ),
    (("--gpu-name", "sm_80", "k", "--device-debug"), 2, "error: optimized debugging is"),
    (("--gpu-name", "sm_80", "k", "--apply-controls=x"), 2, "error: --apply-controls is not supported"),
    (("--gpu-name", "sm_80", "k", "-l", "x"), 5, "error: libraries"),
    (("--gpu-name", "sm_80", "k", "k"), 1, "tileiras: Too many positional arguments specified!"),
    (
        ("--gpu-name", "sm_85", "k"),
        1,
        "tileiras: for the --gpu-name option: Cannot find option named 'sm_85'!",
    ),
    (
        ("--gpu-name", "sm_80", "k", "--host-arch=pdp11"),
        1,
        "for the --host-arch option: Cannot find option named",
    ),
    (
        ("--gpu-name", "sm_80", "k", "--remarks=some"),
        1,
        "for the --remarks option: Cannot find option named 'some'!",
    ),
    (("--gpu-name", "sm_80", "k", "--preview=x"), 1, "for the --preview option: unknown preview feature 'x'"),
    (
        ("--gpu-name", "sm_80", "k", "--linenfo"),
        1,
        "tileiras: Unknown command line argument '--linenfo'.  Try: ",
    ),
    (("--gpu-name", "sm_80", "k", "--linenfo"), 1, "tileiras: Did you mean '--lineinfo'?"),
    (("--gpu-name", "sm_80", "k", "-o"), 1, "tileiras: for the -o option: requires a value!"),
    (("--gpu-name",), 1, "tileiras: for the --gpu-name option: requires a value!"),
]


@pytest.mark.parametrize(
    ("words", "status", "said"), REFUSED, ids=lambda it: " ".join(it) if isinstance(it, tuple) else ""
)
class TestRefusals:
    def test_ours(self, tool: Command, words: tuple[str, ...], status: int, said: str) -> None:
        answer = tool(*words)
        assert answer.status == status
        assert said in answer.err
        assert answer.err

    def test_the_vendors(self, asked: Path, words: tuple[str, ...], status: int, said: str) -> None:
        """The same words end with the same status, and say the same in front of all that we add."""
        program = require_tool("tileiras")
        theirs = subprocess.run([program, *words], capture_output=True, text=True, check=False, timeout=60)
        assert theirs.returncode == status
        if "Try: " not in said and "Did you mean" not in said:  # for `-l`, which is one letter of it
            assert said in theirs.stderr


def test_pages(tool: Command) -> None:
    assert "--gpu-name=GPU" in tool("--help", "--gpu-name", "sm_80").out
    assert tool("--list-versions", "k") == (0, "13.1\n13.2\n13.3\n13.4\n13.5\n", "")
    theirs = subprocess.run(
        [require_tool("tileiras"), "--list-versions"], capture_output=True, text=True, check=True
    )
    assert tool("--list-versions").out == theirs.stdout


def test_the_version_tells_compilers_and_assemblers_apart(
    tool: Command, asked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """cuTile Python keeps cubins under the version of the tool that made them."""
    first = tool("--version").out
    assert first.startswith(f"tileiras: tilewright {__version__}\n")
    (asked.parent / "ptxas").write_text("another")
    second = tool("--version").out
    monkeypatch.setattr("tilewright.runtime.disk_cache.program_stamp", lambda: "other sources")
    assert len({first, second, tool("--version").out}) == 3


class TestFailures:
    @pytest.fixture(autouse=True)
    def refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> object:
            place = FileLineColLocation("prog.py", 7, 4)
            raise failure(codes.NO_GPU_FORM, "'nv_tileas.x' has no form", place, hint="do without")

        monkeypatch.setattr(Artifact, "run_passes", refuse)

    def test_the_status_and_the_place(self, tool: Command) -> None:
        status, out, err = tool("--gpu-name", "sm_80", "k", "-o", "out")
        assert (status, out, Path("out").exists()) == (5, "", False)
        assert err == (
            "loc(\"prog.py\":7:4): error: 'nv_tileas.x' has no form [TW0922]\n"
            "hint: do without\n"
            "error: failed to compile Tile IR program\n"
        )

    def test_cutile_names_the_line_of_the_program(self, tool: Command) -> None:
        compiler = pytest.importorskip("cuda.tile._compile")
        message, place = compiler._parse_tileir_stderr(tool("--gpu-name", "sm_80", "k").err)
        assert (place.filename, place.line, place.col) == ("prog.py", 7, 4)
        assert message.startswith("'nv_tileas.x' has no form [TW0922]\nhint: do without\n")


def test_without_an_assembler(tool: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "_places", lambda name: iter(()))
    status, _, err = tool("--gpu-name", "sm_80", "k")
    assert status == 5
    assert err.startswith(
        "error: there is no ptxas and no nvJitLink on this machine [TW0910]\nhint: pip install"
    )


def test_errors_inside_of_the_compiler_show_no_traceback(
    tool: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tileiras, "_machine_code", lambda artifact: 1 // 0)
    status, _, err = tool("--gpu-name", "sm_80", "k")
    assert status == 1
    assert err.startswith("error: internal error: ZeroDivisionError")


def test_places_that_are_unknown() -> None:
    plain = Diagnostic(Severity.ERROR, "odd", FileLineColLocation("prog.py", 0, 0))
    assert tileiras._said([plain]) == ["error: odd"]


class TestDistribution:
    """Who installs tilewright gets no other tileiras: the script is in a distribution that has nothing else."""

    def test_the_versions_agree(self) -> None:
        project = tomllib.loads(PACKAGE.read_text())["project"]
        assert project["version"] == __version__
        assert project["dependencies"] == [f"tilewright>={__version__}"]
        assert project["scripts"] == {"tileiras": "tilewright.cli.drop_ins.tileiras:main"}

    def test_tilewright_itself_has_no_such_script(self) -> None:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        assert "tileiras" not in project["scripts"]
