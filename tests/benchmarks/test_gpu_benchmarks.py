"""The benchmarks of code for GPUs: what they count and print, with programs that stand in for NVIDIA's."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("cuda.tile")
pytest.importorskip("elftools")

from benchmarks import gpu_cases, gpu_compile, gpu_peer, gpu_static
from tests.support.synthetic.synthetic_cubin import cubin
from tests.support.synthetic.synthetic_sass import StandIn, only_stand_ins
from tilewright.targets.nvptx import tools


@pytest.fixture
def peer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A compiler in the place of NVIDIA's, which makes a cubin of everything but for sm_80."""
    only_stand_ins(tmp_path, monkeypatch)
    monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "0")
    version = "if '--version' in sys.argv: print('release 1'); sys.exit(0)"
    refuse = "if 'sm_80' in sys.argv: sys.stderr.write('there: error: too old\\nand more'); sys.exit(5)"
    write = f"open(sys.argv[sys.argv.index('-o') + 1], 'wb').write({cubin()!r})"
    return StandIn(end=f"{version}\n{refuse}\n{write}").write(tmp_path / "peer")


def table(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[list[str]]:
    """The cells of the rows that the static benchmark prints of vector additions."""
    assert gpu_static.main(["--only", "vector", *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in lines if line.startswith("| vector")]


def test_both_compilers_are_counted_alike(
    peer: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu_static, "CHIPS", {"sm_80": "sm_80", "sm_90a": "sm_90"})
    refused, both = table(capsys, "--chips", "sm_80,sm_90a", "--peer", str(peer))
    count = len(gpu_static.COLUMNS)
    ours, theirs = both[2 : 2 + count], both[2 + count :]
    assert ours == theirs
    assert all(ours)
    assert refused[2 : 2 + count] == ours
    assert refused[2 + count] == "too old"


def test_without_tools_the_columns_stay_empty_and_the_table_says_so(
    peer: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu_peer, "tileiras", lambda: None)
    monkeypatch.delenv(gpu_peer.VARIABLE, raising=False)
    places = tools._places
    monkeypatch.setattr(tools, "_places", lambda name: iter(()) if name == "nvdisasm" else places(name))
    assert gpu_static.main(["--only", "vector", "--chips", "sm_80"]) == 0
    text = capsys.readouterr().out
    assert "NVIDIA's compiler is not installed" in text
    assert "nvdisasm is not installed" in text
    cells = [cell.strip() for cell in text.splitlines()[-1].split("|")[1:-1]]
    assert [at for at, cell in enumerate(cells) if cell] == [0, 1, 2, 3]


def test_our_own_tileiras_is_no_peer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = StandIn(end="print('tileiras: tilewright 1')").write(tmp_path / "tileiras")
    other = StandIn(end="print('tileiras: release 1')").write(tmp_path / "other")
    assert gpu_peer.find(str(own)) is None
    assert gpu_peer.find(str(other)) == str(other)
    monkeypatch.setenv(gpu_peer.VARIABLE, str(other))
    assert gpu_peer.find() == str(other)


def test_the_peer_does_not_see_our_toolkit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_HOME", "/ours")
    assert "CUDA_HOME" not in gpu_peer.environment()


def test_times(peer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = iter([("a", {"tilewright": [1.0, 2.0], "tileiras": [4.0, 8.0]}), ("b", "no form")])
    lines = list(gpu_compile.report("bytecode to PTX", rows))
    assert "| a | 1500.0 | 6000.0 | 0.25 |" in lines
    assert "| b | no form |  |  |" in lines
    assert lines[-1] == "Geometric mean 0.25, goal 0.25: met."


def test_a_kernel_is_measured(peer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_compile, "FROM_SOURCE", ("vector add f32 4096",))
    monkeypatch.setattr(gpu_compile, "CHIPS", {"sm_90a": "sm_90"})
    ((name, times),) = gpu_compile.from_source(str(peer), 1)
    assert name == "vector add f32 4096, sm_90a"
    assert not isinstance(times, str)
    assert set(times) == {"tilewright", "tileiras"}
    to_ptx, to_cubin = list(gpu_compile.trivial(1))[-2:]
    assert to_ptx.startswith("| ptx | ")
    assert to_ptx.endswith((" | 40 | met |", " | 40 | not met |"))
    assert to_cubin.startswith("| cubin | ")


@pytest.mark.parametrize("name", gpu_cases.CASES)
def test_kernels_are_bytecode(name: str) -> None:
    assert gpu_cases.CASES[name].bytecode().startswith(b"\x7fTileIR")
