"""Assembling with programs that stand in for the assembler: what each end of it becomes, and what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.synthetic.synthetic_cubin import cubin
from tests.support.synthetic.synthetic_sass import TALK, StandIn, assembler
from tilewright.driver.loading import is_loadable, kernels_in
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.lexer import PtxSource
from tilewright.runtime.disk_cache import DiskCache
from tilewright.targets.nvptx import tools
from tilewright.targets.nvptx.assemble import assemblers, assembling
from tilewright.targets.nvptx.assemble.assemblers import AssemblerRequest
from tilewright.targets.nvptx.assemble.assembling import AssembledCode, assemble
from tilewright.targets.nvptx.assemble.messages import (
    AssemblerMessage,
    are_too_old,
    diagnostics_of,
    messages_of,
)
from tilewright.targets.nvptx.assemble.record import AssemblerOutput
from tilewright.targets.nvptx.assemble.resources import Resources, resources_of
from tilewright.targets.nvptx.tools import Tool

PTX = """.version 8.0
.target sm_90a
.address_size 64
.visible .entry first()
{
    .reg .b32 %r<3>;
    add.s32 %r1, %q2, 1;
    ret;
}
"""
FIRST = Resources("first", 24, 8, 4, 12, 96, ((0, 540), (2, 4)), 3)


def with_tool(tmp_path: Path, stand_in: StandIn, limit: float = 30.0) -> AssembledCode:
    return assemble(PTX, name="k.ptx", assembler=stand_in.write(tmp_path / "ptxas"), limit=limit)


def refusal(tmp_path: Path, stand_in: StandIn, limit: float = 30.0) -> str:
    with pytest.raises(DiagnosticError) as raised:
        with_tool(tmp_path, stand_in, limit)
    return str(raised.value)


def test_a_cubin_and_its_resources(tmp_path: Path) -> None:
    made = assemble(PTX, assembler=assembler(tmp_path / "ptxas"))
    assert (made.cubin, made.kernels, made.warnings, made.gpu) == (cubin(), (FIRST,), (), "sm_90a")


def test_what_the_assembler_is_asked(tmp_path: Path) -> None:
    said = tmp_path / "said"
    stand_in = StandIn("", cubin(), f"open({str(said)!r}, 'w').write(' '.join(sys.argv[1:]))")
    tool = stand_in.write(tmp_path / "ptxas")
    assemble(PTX, "sm_100f", assembler=tool, level=1, maximum_registers=64, line_info=True)
    options = "-v -arch sm_100f -O1 -maxrregcount 64 -lineinfo module.ptx -o module.cubin"
    assert said.read_text() == options


@pytest.mark.parametrize("line_info", [False, True])
@pytest.mark.parametrize("registers", [None, 0, 64])
def test_each_setting_is_an_option_only_where_it_is_asked_for(line_info: bool, registers: int | None) -> None:
    request = AssemblerRequest(PTX, "sm_90", 2, registers, line_info)
    lines = ["-lineinfo"] * line_info
    separate = [] if registers is None else ["-maxrregcount", str(registers)]
    joined = [] if registers is None else [f"-maxrregcount={registers}"]
    assert assemblers._ptxas_options(request) == ["-v", "-arch", "sm_90", "-O2", *separate, *lines]
    assert assemblers._nvjitlink_options(request) == ["-verbose", "-arch=sm_90", "-O2", *joined, *lines]


ERRORS = """\
ptxas module.ptx, line 7; error   : Unknown symbol '%q2'
ptxas module.ptx, line 7; error   : Arguments mismatch for instruction 'add'
ptxas fatal   : Ptx assembly aborted due to errors
"""


def test_errors_are_diagnostics_at_lines_of_ptx(tmp_path: Path) -> None:
    text = refusal(tmp_path, StandIn(ERRORS, end="sys.exit(255)"))
    assert text == (
        "k.ptx:7:18: error[TW0911]: Unknown symbol '%q2'\n"
        "  7 |     add.s32 %r1, %q2, 1;\n"
        "    |                  ^\n"
        "hint: `tilewright ptx --check` on the text often says more about a mistake in it\n"
        "k.ptx:7:5: error[TW0911]: Arguments mismatch for instruction 'add'\n"
        "  7 |     add.s32 %r1, %q2, 1;\n"
        "    |     ^\n"
        "hint: `tilewright ptx --instructions add` shows every form of the instruction"
    )


def test_an_error_about_a_kernel_stands_at_its_head(tmp_path: Path) -> None:
    talk = "ptxas error   : Entry function 'first' uses too much shared data (0x493e0 bytes, 0x38c00 max)\n"
    assert refusal(tmp_path, StandIn(talk, end="sys.exit(1)")).startswith("k.ptx:4:17: error[TW0911]: Entry")


def test_warnings_come_with_the_code(tmp_path: Path) -> None:
    talk = (
        TALK
        + "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized\n"
        + "ptxas module.ptx, line 7; warning : Something is odd\n"
    )
    first, second = with_tool(tmp_path, StandIn(talk, cubin())).warnings
    assert str(first).startswith("warning[TW0912]: (C7510) Potential Performance Loss")
    assert "accumulator" in first.hints[0]
    assert str(second).startswith("k.ptx:7:5: warning[TW0912]: Something is odd")


@pytest.mark.parametrize(
    ("stand_in", "code", "word"),
    [
        (StandIn("last words\n", end="os.kill(os.getpid(), signal.SIGSEGV)"), "TW0913", "by signal SIGSEGV"),
        (StandIn("last words\n", end="os.kill(os.getpid(), signal.SIGKILL)"), "TW0913", "by signal SIGKILL"),
        (StandIn("last words\n", end="sys.exit(139)"), "TW0913", "with status 139"),
        (StandIn("last words\n", end="sys.exit(1)"), "TW0913", "reported no error"),
        (StandIn("last words\n"), "TW0913", "wrote no cubin"),
        (StandIn("last words\n", b"nonsense"), "TW0913", "wrote no cubin"),
        (
            StandIn("\x1b[2J\udce4 last words\n".encode(errors="surrogateescape").decode("latin-1")),
            "TW0913",
            "?[2J",
        ),
    ],
)
def test_an_assembler_that_ends_without_code(tmp_path: Path, stand_in: StandIn, code: str, word: str) -> None:
    text = refusal(tmp_path, stand_in)
    assert f"error[{code}]" in text
    assert word in text
    assert "note: its output: " in text
    assert "last words" in text
    assert "hint: another assembler may manage" in text


def test_an_assembler_that_hangs(tmp_path: Path) -> None:
    text = refusal(tmp_path, StandIn(end="time.sleep(100)"), limit=0.3)
    assert "error[TW0914]" in text
    assert "was ended after 0.3 s" in text


def test_an_assembler_that_cannot_be_started(tmp_path: Path) -> None:
    (tmp_path / "ptxas").write_bytes(b"\0 no program")
    (tmp_path / "ptxas").chmod(0o755)
    with pytest.raises(DiagnosticError, match=r"TW0913.*cannot be started"):
        assemble(PTX, assembler=tmp_path / "ptxas")
    with pytest.raises(DiagnosticError, match=r"TW0910.*cannot be used"):
        assemble(PTX, assembler=tmp_path / "nowhere")


def test_without_an_assembler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembling, "assemblers", lambda: ())
    with pytest.raises(DiagnosticError, match=r"TW0910[\s\S]*pip install nvidia-cuda-nvcc"):
        assemble(PTX)


@pytest.mark.parametrize("gpu", ["", "sm_90x", "90", "compute_90", "sm_90a; rm"])
def test_names_of_gpus(gpu: str) -> None:
    with pytest.raises(DiagnosticError, match="TW0915"):
        assemble(PTX, gpu)


def test_text_without_a_target() -> None:
    with pytest.raises(DiagnosticError, match=r"TW0915.*no `.target`"):
        assemble("garbage")


@pytest.mark.parametrize(
    "message",
    [
        "ptxas module.ptx, line 1; fatal   : Unsupported .version 9.9; current version is '9.5'",
        "ptxas fatal   : Value 'sm_90a' is not defined for option 'gpu-name'",
    ],
)
def test_a_newer_assembler_is_asked_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    old = Tool(StandIn(message + "\n", end="sys.exit(255)").write(tmp_path / "old"), "a test")
    new = Tool(assembler(tmp_path / "new"), "a test")
    monkeypatch.setattr(assembling, "assemblers", lambda: (old, new))
    assert assemble(PTX).assembler is new
    monkeypatch.setattr(assembling, "assemblers", lambda: (old, old))
    with pytest.raises(DiagnosticError, match=r"TW0911[\s\S]*pip install -U nvidia-cuda-nvcc"):
        assemble(PTX)


class TestCache:
    @pytest.fixture(autouse=True)
    def place(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
        monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "1M")

    def counting(self, tmp_path: Path) -> tuple[Path, Path]:
        runs = tmp_path / "runs"
        stand_in = StandIn(TALK, cubin(), f"open({str(runs)!r}, 'a').write('x')")
        return stand_in.write(tmp_path / "ptxas"), runs

    def test_code_is_made_once(self, tmp_path: Path) -> None:
        tool, runs = self.counting(tmp_path)
        assert assemble(PTX, assembler=tool) == assemble(PTX, assembler=tool)
        assert runs.read_text() == "x"
        assemble(PTX, assembler=tool, level=2)
        assemble(PTX + "//", assembler=tool)
        assert runs.read_text() == "xxx"

    def test_another_assembler_makes_it_anew(self, tmp_path: Path) -> None:
        tool, runs = self.counting(tmp_path)
        assemble(PTX, assembler=tool)
        tool.write_text(tool.read_text() + "\n")
        assemble(PTX, assembler=tool)
        assert runs.read_text() == "xx"

    def test_records_are_listed_and_stay(self, tmp_path: Path) -> None:
        assemble(PTX, assembler=self.counting(tmp_path)[0])
        cache = DiskCache()
        (entry,) = cache.entries()
        record = cache.content(entry.key)
        assert record is not None
        assert kernels_in(record) == ("first",)
        assert cache.verify(is_loadable) == []

    def test_refusals_are_not_kept(self, tmp_path: Path) -> None:
        refusal(tmp_path, StandIn(ERRORS, end="sys.exit(255)"))
        assert DiskCache().entries() == []


@pytest.mark.parametrize("cut", [5, 19, 30, 60, 200])
def test_records_that_are_cut_are_no_records(cut: int) -> None:
    whole = AssemblerOutput(cubin(), (FIRST,), (AssemblerMessage(False, "odd", 7),))
    assert AssemblerOutput.from_bytes(whole.to_bytes()) == whole
    with pytest.raises(ValueError, match=r"record|Expecting|Unterminated"):
        AssemblerOutput.from_bytes(whole.to_bytes()[:cut])
    assert not is_loadable(whole.to_bytes()[:cut])


def test_an_assembler_may_have_another_name() -> None:
    """Triton's for Blackwell calls itself `ptxas-blackwell` in all that it says."""
    assert resources_of(TALK.replace("ptxas", "ptxas-blackwell")) == resources_of(TALK) == (FIRST,)
    said = "ptxas-blackwell fatal   : Unsupported .version 9.9; current version is '9.4'"
    assert are_too_old(messages_of(said))


def test_resources_of_several_kernels() -> None:
    """Functions that are called have properties, too; they are no kernels."""
    talk = TALK + TALK.replace("first", "second").replace("Used 24", "Used 40")
    talk = talk.replace(
        "ptxas info    : 0 bytes gmem",
        "ptxas info    : Function properties for helper\n    1 bytes stack frame, 1 bytes spill stores, 1 bytes spill loads",
    )
    first, second = resources_of(talk)
    assert first == FIRST
    assert (second.kernel, second.registers, second.stack) == ("second", 40, 8)


def test_nonsense_is_no_message() -> None:
    assert messages_of("it is an error: no\n\n;;; : ::\nptxas info : Used 3 registers\n") == ()


def test_a_column_that_is_given_is_taken() -> None:
    messages = messages_of("ptxas k.ptx, line 7, column 9; error : odd '%q2'\n")
    assert messages == (AssemblerMessage(True, "odd '%q2'", 7, 9),)
    (found,) = diagnostics_of(messages, PtxSource(PTX, "k.ptx"))
    assert found.location.source == ("k.ptx", 7, 9)


class TestTools:
    """The order in which programs are looked for."""

    @pytest.fixture
    def places(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
        found = {
            "cu13": tmp_path / "site" / "nvidia" / "cu13" / "bin",
            "cu12": tmp_path / "site" / "nvidia" / "cuda_nvcc" / "bin",
            "triton": tmp_path / "site" / "triton" / "backends" / "nvidia" / "bin",
            "home": tmp_path / "home" / "bin",
            "path": tmp_path / "path" / "bin",
            "default": tmp_path / "default" / "bin",
            "toolkit": tmp_path / "toolkit" / "bin",
        }
        packages = {"nvidia": [tmp_path / "site" / "nvidia"], "triton": [tmp_path / "site" / "triton"]}
        monkeypatch.setattr(tools, "_package", packages.__getitem__)
        monkeypatch.setattr(tools, "DEFAULT_TOOLKIT", tmp_path / "default")
        monkeypatch.setenv("CUDA_HOME", str(tmp_path / "home"))
        monkeypatch.setenv("CUDA_PATH", str(tmp_path / "toolkit"))
        monkeypatch.setenv("PATH", str(tmp_path / "path" / "bin"))
        for folder in found.values():
            folder.mkdir(parents=True)
            StandIn(folder.parent.name).write(folder / "ptxas")
        StandIn("newer").write(found["triton"] / "ptxas-blackwell")
        return found

    def test_the_order(self, places: dict[str, Path]) -> None:
        order = [tool.path.parent for tool in tools.programs("ptxas")]
        names = ("cu13", "cu12", "triton", "triton", "home", "toolkit", "default", "path")
        assert order == [places[name] for name in names]

    def test_other_names_of_one_file_count_once(self, places: dict[str, Path]) -> None:
        (places["path"] / "ptxas").unlink()
        (places["path"] / "ptxas").symlink_to(places["home"] / "ptxas")
        assert places["path"] not in [tool.path.parent for tool in tools.programs("ptxas")]

    def test_what_cannot_be_run_is_passed_over(self, places: dict[str, Path]) -> None:
        (places["cu13"] / "ptxas").chmod(0o644)
        assert tools.programs("ptxas")[0].path.parent == places["cu12"]
        assert tools.programs("nvdisasm") == ()

    def test_libraries(self, places: dict[str, Path]) -> None:
        for version, folder in (("13", "cu13"), ("12", "nvjitlink")):
            library = places["cu13"].parents[1] / folder / "lib"
            library.mkdir(parents=True)
            (library / f"libnvJitLink.so.{version}").touch()
        found = tools.libraries("libnvJitLink.so.*")
        assert [tool.path.name for tool in found] == ["libnvJitLink.so.13", "libnvJitLink.so.12"]
