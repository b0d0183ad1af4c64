"""The benchmarks of code for GPUs: what they count and print, with programs that stand in for NVIDIA's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cuda.tile")
pytest.importorskip("elftools")

from benchmarks import gpu_cases, gpu_compile, gpu_peer, gpu_report, gpu_static, gpu_work
from tests.support.synthetic.synthetic_cubin import cubin
from tests.support.synthetic.synthetic_sass import StandIn, only_stand_ins
from tilewright.inspect.sass.model import SassInstruction
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


KERNEL = "vector add f32 1024"


def cells(path: Path, *arguments: str) -> dict[str, Any]:
    """The cells that the static benchmark measures of a vector addition."""
    given = ["--only", KERNEL, "--triton", "/no/python", "--cells", str(path), *arguments]
    assert gpu_static.main(given) == 0
    return json.loads(path.read_text())


def test_both_compilers_are_counted_alike(
    peer: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    found = cells(tmp_path / "cells.json", "--chips", "sm_80,sm_90a", "--peer", str(peer))
    assert found[f"tileiras|{KERNEL}|sm_90a"] == found[f"ours|{KERNEL}|sm_90a"]
    assert found[f"tileiras|{KERNEL}|sm_80"] == {"reason": "too old"}
    text = capsys.readouterr().out
    assert "| rows | sm_90a | tileiras | 1 | 1.00 |" in text
    assert f"| {KERNEL} | sm_80 | " in text
    assert "too old" in text


def test_a_run_goes_on_where_it_ended(peer: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "cells.json"
    first = cells(path, "--chips", "sm_90a", "--peer", str(peer))
    measured: list[str] = []

    def ours(name: str, chip: str) -> tuple[bytes, int, int]:
        measured.append(chip)
        raise ValueError("again")

    monkeypatch.setattr(gpu_static, "ours", ours)
    assert cells(path, "--chips", "sm_90a", "--peer", str(peer)) == first
    assert measured == []
    again = cells(path, "--chips", "sm_90a", "--peer", str(peer), "--again", "ours")
    assert measured == ["sm_90a"]
    assert again[f"ours|{KERNEL}|sm_90a"] == {"reason": "again"}


def test_without_tools_nothing_is_counted_and_the_document_says_so(
    peer: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    places = tools._places
    monkeypatch.setattr(tools, "_places", lambda name: iter(()) if name == "nvdisasm" else places(name))
    given = ["--only", KERNEL, "--chips", "sm_80", "--triton", "/no/python", "--peer", str(peer)]
    assert gpu_static.main(given) == 0
    assert "nvdisasm is not installed: nothing is counted." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("spelling", "count"),
    [
        ("HMMA.16816.F32", 16 * 8 * 16),
        ("HMMA.1688.F32.TF32", 16 * 8 * 8),
        ("IMMA.16832.S8.S8", 16 * 8 * 32),
        ("HGMMA.64x128x16.F32", 64 * 128 * 16 // 4),
        ("FFMA", 32),
    ],
)
def test_multiply_adds_of_instructions(spelling: str, count: int) -> None:
    opcode, *modifiers = spelling.split(".")
    one = SassInstruction(0, opcode, tuple(modifiers))
    case = gpu_cases.CASES["matmul f16 128x128x64"]
    assert gpu_work.multiplies([one, one], case, 4) == 2 * count


def test_bounds_of_a_scheduler() -> None:
    """With two warps a scheduler, a matrix unit of 8 cycles waits for latency, and one of 32 does not."""
    cell = {
        "turn": {"instructions": 259, "issue": 818, "replayed": 1280},
        "multiplies": 64 * gpu_work.REFERENCE,
        "resident": 8,
        "warps": 8,
        "workers": 8,
    }
    assert gpu_work.of_work(cell, "replayed") == 20
    assert [gpu_report.bound(cell, cycles) for cycles in (8, 32)] == ["latency", "matrix"]
    many = cell | {"resident": 64}
    assert [gpu_report.bound(many, cycles) for cycles in (2, 8)] == ["issue", "matrix"]


@pytest.mark.parametrize(
    ("ours", "theirs", "shown"),
    [
        ((3, 0), (0, 0), "| k | c | 3 | 0 |"),
        ((0, 8), (0, 0), "| k | c | 0 | 8 |"),
        ((3, 0), (1, 0), ""),
        ((0, 0), (0, 0), ""),
    ],
)
def test_loops_with_local_memory_are_listed(
    ours: tuple[int, int], theirs: tuple[int, int], shown: str
) -> None:
    cells = {
        f"{column}|k|c": {"local_in_loops": local, "calls": calls, "loops": [80]}
        for column, (local, calls) in (("ours", ours), ("tileiras", theirs))
    }
    lines = list(gpu_report.local(cells, ["k"], ["c"]))
    assert lines[-2] == (shown or "None.")


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
