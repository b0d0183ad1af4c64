"""What becomes of a command line of nvcc."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_commands import tilewright as tilewright
from tilewright import DiagnosticError
from tilewright.cuda_programs import nvcc, standin


@pytest.fixture(autouse=True)
def folder_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standin, "standin", lambda: Path("/library"))


def without_defaults(*words: str) -> list[str]:
    added = {"-no-compress", "-cudart", "none", "-lineinfo", "-Xcompiler", "-g1"}
    return [word for word in nvcc.translated(words) if word not in added]


def test_a_program_is_linked_with_the_stand_in() -> None:
    assert without_defaults("main.cu", "-o", "main") == [
        *("-gencode", "arch=compute_100,code=compute_100", "-L/library"),
        *("main.cu", "-o", "main", "-L/library", "-lcudart"),
    ]


def test_an_object_is_not_linked() -> None:
    assert "-lcudart" not in nvcc.translated(["-c", "main.cu"])
    assert "-lcudart" not in nvcc.translated(["--version"])


@pytest.mark.parametrize(
    ("given", "number"),
    [
        (["-arch=sm_90"], "90"),
        (["-arch", "sm_90a"], "90a"),
        (
            [
                "--generate-code=arch=compute_80,code=[compute_80,sm_80]",
                "-gencode",
                "arch=compute_90,code=sm_90",
            ],
            "90",
        ),
        (["-arch=native"], "100"),
        (["--gpu-architecture=compute_120", "--gpu-code=sm_120"], "120"),
    ],
)
def test_the_newest_architecture_counts(given: list[str], number: str) -> None:
    assert without_defaults("-c", "a.cu", *given) == [
        *("-gencode", f"arch=compute_{number},code=compute_{number}"),
        *("-c", "a.cu"),
    ]


def test_the_runtime_of_cuda_is_not_linked() -> None:
    assert nvcc.translated(["a.o", "--cudart=static"]).count("-cudart") == 1
    assert "shared" not in nvcc.translated(["a.o", "-cudart", "shared"])


def test_tile_kernels_are_enabled_where_they_are(tmp_path: Path) -> None:
    (tmp_path / "tiles.h").write_text("#include <cuda_tile.h>\n", encoding="utf-8")
    source = tmp_path / "a.cu"
    source.write_text('#include "tiles.h"\n', encoding="utf-8")
    assert {"-enable-tile", "-std=c++20"} <= set(nvcc.translated(["-c", str(source)]))
    assert "-std=c++20" not in nvcc.translated(["-c", str(source), "-std=c++23"])
    source.write_text("int a;\n", encoding="utf-8")
    assert "-enable-tile" not in nvcc.translated(["-c", str(source)])


def test_headers_are_looked_for_in_folders(tmp_path: Path) -> None:
    (tmp_path / "tiles.cuh").write_text("#include <cuda_tile.h>\n", encoding="utf-8")
    source = tmp_path / "kernels" / "a.cu"
    source.parent.mkdir()
    source.write_text("#include <tiles.cuh>\n", encoding="utf-8")
    for folder in (["-I", str(tmp_path)], [f"-I{tmp_path}"], [f"--include-path={tmp_path}"]):
        assert "-enable-tile" in nvcc.translated(["-c", str(source), *folder])
    assert "-enable-tile" not in nvcc.translated(["-c", str(source)])


@pytest.mark.parametrize(
    ("given", "made"),
    [
        (["-tilecubin", "--tile-only"], ["-tilebc", "--tile-only"]),
        (["-cubin", "-tile-only"], ["-tilebc", "-tile-only"]),
        (["--cubin"], ["-ptx"]),
    ],
)
def test_machine_code_becomes_what_it_is_made_from(given: list[str], made: list[str]) -> None:
    words = nvcc.translated([*given, "a.cu", "-o", "a.out"])
    assert words[-len(made) - 3 :] == [*made, "a.cu", "-o", "a.out"]
    assert ("-enable-tile" in words) == ("-tilebc" in made)


def test_machine_code_without_a_name_keeps_that_of_nvcc(tmp_path: Path) -> None:
    sources = [tmp_path / "a.cu", tmp_path / "b.cu"]
    for source in sources:
        source.write_text("", encoding="utf-8")
    assert nvcc.translated(["-cubin", str(sources[0])])[-2:] == ["-o", "a.cubin"]
    assert nvcc.translated(["-tilecubin", str(sources[0])])[-2:] == ["-o", "a.tile.cubin"]
    with pytest.raises(DiagnosticError, match=r"TW1370.*several files"):
        nvcc.translated(["-cubin", *map(str, sources)])


def test_relocatable_code_is_refused() -> None:
    with pytest.raises(DiagnosticError, match=r"TW1370.*-rdc=true"):
        nvcc.translated(["-rdc=true", "a.cu"])


def test_the_command_shows_its_page(tilewright) -> None:
    assert tilewright("nvcc", "--help").out.startswith("Usage: tilewright nvcc")
