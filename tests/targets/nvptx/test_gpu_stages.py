"""The stages of a GPU from a kernel to the instructions of its machine code, with programs that stand in for NVIDIA's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("numpy")

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tests.support.synthetic.synthetic_cubin import cubin
from tests.support.synthetic.synthetic_sass import MATRIX_LOOP, listing, only_stand_ins
from tilewright.driver.compile import compile
from tilewright.driver.loading import cache_key
from tilewright.driver.stages import CompileOptions
from tilewright.driver.target import target
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.passes.manager import PassManager

KERNEL = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %s = store_ptr_tko weak %x, %one : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
"""
Command = Callable[..., Answer]


@pytest.fixture(autouse=True)
def stand_ins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return only_stand_ins(tmp_path, monkeypatch)


def test_every_stage(stand_ins: Path) -> None:
    artifact = compile(KERNEL, target="sm_90a")
    assert list(artifact.asm)[4:] == ["layouts", "cute", "llvm", "ptx", "cubin", "sass"]
    assert artifact.asm["sass"] == listing(MATRIX_LOOP)
    assert artifact.asm["cubin"] == cubin()


def test_warnings_of_the_assembler_are_told(stand_ins: Path) -> None:
    artifact = compile(KERNEL, target="sm_90a")
    assert artifact.asm["cubin"]
    assert ["Odd" in str(one) for one in artifact.diagnostics] == [True]


def test_ptx_is_compiled_from_there_on(stand_ins: Path) -> None:
    """For the GPU that is asked for, whatever the text names: the assembler tells whether that can be."""
    ptx = str(compile(KERNEL, target="sm_80").asm["ptx"])
    artifact = compile(ptx, target="sm_90a")
    assert artifact.stages() == ("ptx", "cubin", "sass")
    assert artifact.asm["sass"] == listing(MATRIX_LOOP)
    assert "-arch sm_90a" in stand_ins.read_text()
    with pytest.raises(DiagnosticError, match="given as 'ptx', which is no stage of the target 'cpu'"):
        compile(ptx, target="cpu")


@pytest.mark.parametrize("stage", ["tileas", "layouts", "cute", "llvm"])
def test_stages_that_are_modules_are_compiled_from_there_on(stage: str) -> None:
    asm = compile(KERNEL, target="sm_90a").asm
    assert compile(str(asm[stage]), target="sm_90a").asm["ptx"] == asm["ptx"]


def test_options() -> None:
    """Lines of the source go with the code, and levels of the optimizer are taken, as for the processor."""
    asm = compile(KERNEL, target="sm_80", options=CompileOptions(debug_info=True)).asm
    assert ".loc" in str(asm["ptx"])
    assert ".loc" not in str(compile(KERNEL, target="sm_80").asm["ptx"])


@pytest.mark.parametrize("level", range(4))
def test_levels_of_the_optimizers(stand_ins: Path, level: int) -> None:
    """That of the assembler is the same as that of Tile IR."""
    assert compile(KERNEL, target="sm_80", options=CompileOptions(opt_level=level)).asm["cubin"]
    assert f"-O{level}" in stand_ins.read_text()


def test_modules_are_verified_after_each_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    """And after each pass on request: a stage has many, and they would take a quarter of the time."""
    seen: list[bool] = []
    run = PassManager.run
    monkeypatch.setattr(
        PassManager, "run", lambda self, op: (seen.append(self.verify_each), run(self, op))[1]
    )
    verified: list[object] = []
    monkeypatch.setattr("tilewright.driver.artifact.verify_or_raise", verified.append)
    for each in (False, True):
        seen.clear()
        assert compile(KERNEL, target="sm_80", options=CompileOptions(verify_each=each)).asm["ptx"]
        assert set(seen) == {each}
        assert len(verified) == 6  # the optimizer, and the stages tileaa, tileas, layouts, cute and llvm


def test_code_is_kept_for_each_gpu() -> None:
    """Under a key of its own for a GPU and for its simulation, with options or without."""
    names = ("sm_80", "sm_90", "sm_90a", "sim:sm_80", "cpu")
    keys = {
        cache_key(b"", options, target(name))
        for name in names
        for options in (CompileOptions(), CompileOptions(opt_level=0))
    }
    assert len(keys) == 2 * len(names)


def test_several_files(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    folder = tmp_path / "kernels"
    folder.mkdir()
    for name in "ab":
        (folder / f"{name}.mlir").write_text(KERNEL)
    words = ("compile", str(folder), "--target", "sm_80", "--emit=ptx,cubin,sass", "-o", f"{tmp_path}/made")
    assert tilewright(*words, "-j", "1").status == 0
    made = {path.name for path in (tmp_path / "made").iterdir()}
    assert made == {f"{name}.{suffix}" for name in "ab" for suffix in ("ptx", "cubin", "sass")}


def test_stages_and_targets_that_there_are_not() -> None:
    with pytest.raises(DiagnosticError, match=r"'sass'\s+hint: it is a stage of the target 'sm_80'"):
        _ = compile(KERNEL, target="cpu").asm["sass"]
    with pytest.raises(DiagnosticError, match="did you mean 'sim:sm_90a'"):
        target("sim_sm_90a")
    with pytest.raises(DiagnosticError, match="a GPU such as sm_80, or sim:sm_80"):
        target("abacus")
