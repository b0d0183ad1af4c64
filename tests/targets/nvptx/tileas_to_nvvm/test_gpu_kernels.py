"""Kernels in Tile IR as code for GPUs: what the simulator of PTX does is what the interpreter does."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_kernels import KERNELS
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import CHIPS, FLOAT, HALF, INTEGER, kernel, same
from tilewright.driver.loading import is_loadable
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.runtime.disk_cache import DiskCache
from tilewright.targets.nvptx.stages import CODE


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("case", KERNELS.values(), ids=KERNELS)
def test_the_simulator_does_what_the_interpreter_does(
    case: tuple[str, tuple[int, ...], list[Any]], chip: str
) -> None:
    text, grid, arrays = case
    after = same(text, grid, arrays, chip)
    assert any(one.tobytes() != other.tobytes() for one, other in zip(after, arrays, strict=True)), (
        "it did something"
    )


def test_every_stage_can_be_read() -> None:
    artifact = tilewright.compile(KERNELS["addition"][0], target="sm_90a")
    assert tuple(artifact.asm) == (
        "tileir",
        "bytecode",
        "tileaa",
        "tileas",
        "layouts",
        "cute",
        "llvm",
        "ptx",
        "cubin",
        "sass",
    )
    assert '#nv_tileas.linear_layout<"(256) register=2:128@0 lane=32:1@0 warp=4:32@0">' in str(
        artifact.asm["layouts"]
    )
    assert "cute.ptr.load" in str(artifact.asm["cute"])
    assert "nvvm.read.ptx.sreg.tid.x" in str(artifact.asm["llvm"])
    assert ".target sm_90a" in str(artifact.asm["ptx"])
    assert artifact.asm["ptx"] == tilewright.compile(KERNELS["addition"][0], target="sm_90a").asm["ptx"]


def refusal(text: str, target: str) -> str:
    with pytest.raises(DiagnosticError) as caught:
        tilewright.launch(text, "k", (1,), [np.zeros(64, FLOAT)], target=target)
    return str(caught.value)


def test_a_gpu_that_does_not_exist_is_refused_with_those_that_do() -> None:
    assert "there is no GPU 'sm_99'" in refusal(KERNELS["addition"][0], "sim:sm_99")


def test_a_launch_on_a_device_is_refused_with_a_way_out() -> None:
    text, grid, arrays = KERNELS["addition"]
    with pytest.raises(DiagnosticError, match="cannot be launched") as caught:
        tilewright.launch(text, "k", grid, arrays, target="sm_80")
    assert "sim:sm_80" in str(caught.value)


def test_an_operation_without_a_form_is_refused_by_its_name() -> None:
    text = str(tilewright.compile(KERNELS["addition"][0], target="sm_80").asm["layouts"])
    unknown = '%none = "nv_tileas.create_none"() : () -> !nv_tileas.async_token'
    module = tilewright.Module.parse(text.replace('"nv_tileaa.return"', f'{unknown}\n"nv_tileaa.return"'))
    with pytest.raises(DiagnosticError, match=r"'nv_tileas\.create_none' has no form on sm_80"):
        tilewright.PassManager.parse(f"builtin.module({CODE})").run(module)


def test_arguments_that_do_not_fit_are_refused() -> None:
    text, grid, arrays = KERNELS["addition"]
    for wrong in ([arrays[0]], [arrays[0], 3]):
        with pytest.raises(DiagnosticError, match="argument"):
            tilewright.launch(text, "k", grid, wrong, target="sim:sm_80")


def test_code_for_the_simulator_is_kept_and_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "1M")
    text, grid, arrays = KERNELS["addition"]
    tilewright.launch(text, "k", grid, [np.array(array) for array in arrays], target="sim:sm_80")
    (entry,) = DiskCache().entries()
    assert DiskCache().verify(is_loadable) == []
    assert DiskCache().get(entry.key) is not None


NUMBERS = {
    "i32": (ctypes.c_int32(-3), -3, INTEGER),
    "f32": (1.5, 1.5, FLOAT),
    "f64": (1e300, 1e300, np.float64),
    "f16": (-2.25, -2.25, HALF),
    "tf32": (0.75, 0.75, FLOAT),
}


@pytest.mark.parametrize("element", NUMBERS)
def test_numbers_are_passed_in_the_format_of_the_parameter(element: str) -> None:
    given, wanted, type = NUMBERS[element]
    pointer, tile = f"tile<ptr<{element}>>", f"tile<{element}>"
    text = kernel(
        f"%x: {pointer}, %n: {tile}", f"%s = store_ptr_tko weak %x, %n : {pointer}, {tile} -> token"
    )
    out = np.zeros(1, type)
    tilewright.launch(text, "k", (1,), [out, given], target="sim:sm_80")
    assert out[0] == wanted


def test_code_for_a_gpu_is_made_without_llvm(tmp_path: Path) -> None:
    """To machine code, where an assembler is installed, and to a launch; in a process of its own, as others may load it."""
    source = tmp_path / "addition.mlir"
    source.write_text(KERNELS["addition"][0], encoding="utf-8")
    program = (
        "import sys, tilewright, numpy as np\n"
        "from tilewright.targets.nvptx.assemble.assemblers import assemblers\n"
        f"artifact = tilewright.compile({str(source)!r}, target='sm_80')\n"
        "assert '.target sm_80' in artifact.asm['ptx']\n"
        "assert not assemblers() or artifact.asm['cubin'].startswith(b'\\x7fELF')\n"
        "arrays = [np.ones(1000, np.float32) for _ in 'xy']\n"
        f"tilewright.launch(open({str(source)!r}).read(), 'k', 4, arrays, target='sim:sm_80')\n"
        "assert (arrays[0] == 2).all()\n"
        "print([name for name in sys.modules if name.partition('.')[0] == 'llvmlite'])\n"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"


def test_kernels_whose_names_are_one_in_ptx() -> None:
    """PTX has no period in names, so that one of the two gets another name; a launch finds each."""
    entry = """
      entry @{name}(%x: tile<ptr<i32>>) {{
        %one = constant <i32: {number}> : tile<i32>
        %s = store_ptr_tko weak %x, %one : tile<ptr<i32>>, tile<i32> -> token
        return
      }}"""
    names = ("a.b", "a_$_b")
    entries = "".join(entry.format(name=name, number=at) for at, name in enumerate(names, start=1))
    text = f"cuda_tile.module @m {{{entries}\n}}"
    for at, name in enumerate(names, start=1):
        out = np.zeros(1, np.int32)
        tilewright.launch(text, name, 1, [out], target="sim:sm_80")
        assert out[0] == at
