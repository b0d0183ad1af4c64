"""What a module may be given as: every stage of every target goes on from there; text that is none is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tilewright
from tilewright.driver.stages import input_stage
from tilewright.ir.diagnostic import DiagnosticError

pytest.importorskip("llvmlite")

ELEMENTWISE = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %n = iota : tile<128xi32>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %x4 = broadcast %x1 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %xs = offset %x4, %n : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %v, %t0 = load_ptr_tko weak %xs : tile<128xptr<f32>> -> tile<128xf32>, token
    %o1 = reshape %out : tile<ptr<f32>> -> tile<1xptr<f32>>
    %o4 = broadcast %o1 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %os = offset %o4, %n : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %t = store_ptr_tko weak %os, %v : tile<128xptr<f32>>, tile<128xf32> -> token
    return
  }
}
"""
SCALARS = """
cuda_tile.module @m {
  entry @k(%out: tile<ptr<i32>>, %n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %p = addi %x, %n : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %q = addi %p, %zero : tile<i32>
    %old, %t = atomic_rmw_tko relaxed device %out, add, %q : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    return
  }
}
"""
PRODUCT = """
cuda_tile.module @m {
  entry @k(%a: tile<ptr<f16>>, %out: tile<ptr<f32>>) {
    %w = make_tensor_view %a, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %p = make_partition_view %w : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %z = constant <i32: 0> : tile<i32>
    %v, %t0 = load_view_tko weak %p[%z, %z]
      : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %none = constant <f32: 0.0> : tile<64x64xf32>
    %c = mmaf %v, %v, %none : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %wo = make_tensor_view %out, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %po = make_partition_view %wo : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %t = store_view_tko weak %c, %po[%z, %z]
      : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
"""
NOTHING = "cuda_tile.module @m { entry @k() { return } }"
KERNELS = {"elementwise": ELEMENTWISE, "scalars": SCALARS, "product": PRODUCT, "nothing": NOTHING}
LAST = {"cpu": "asm", "sm_80": "ptx", "sm_90a": "ptx"}
INPUTS = ("tileir", "bytecode", "tileaa", "tileas", "layouts", "cute", "llvm", "ptx")
"""Stages that a compilation may begin with; the CPU's plans are for people, and its assembly is for assemblers."""


@pytest.mark.parametrize("target", LAST)
@pytest.mark.parametrize("kernel", KERNELS)
def test_every_stage_goes_on_to_the_same_code(kernel: str, target: str) -> None:
    made = tilewright.compile(KERNELS[kernel], target=target)
    for stage in set(INPUTS) & set(made.stages()):
        again = tilewright.compile(made.asm[stage], target=target)
        assert again.asm[LAST[target]] == made.asm[LAST[target]], stage


@pytest.mark.parametrize("target", LAST)
@pytest.mark.parametrize("kernel", ["elementwise", "product"])
def test_every_stage_of_tiles_is_recognised(kernel: str, target: str) -> None:
    made = tilewright.compile(KERNELS[kernel], target=target)
    for stage in set(INPUTS) & set(made.stages()):
        again = tilewright.compile(made.asm[stage], target=target)
        assert again.input == {"bytecode": "tileir"}.get(stage, stage)


def test_a_kernel_without_copies_is_of_the_stage_that_its_module_names() -> None:
    made = tilewright.compile(NOTHING, target="sm_80")
    assert input_stage(made.module("cute")) == "cute"
    assert input_stage(made.module("llvm")) == "llvm"


@pytest.mark.parametrize(
    "read", [tilewright.compile, tilewright.Module.parse, lambda text: tilewright.launch(text, None, 1, [])]
)
@pytest.mark.parametrize("character", [chr(number) for number in (0xD800, 0xDCFF, 0xDFFF)])
def test_text_with_a_lone_surrogate_is_refused(read: Callable[[str], Any], character: str) -> None:
    with pytest.raises(DiagnosticError) as raised:
        read(f"module {{\n{character} }}")
    (found,) = raised.value.diagnostics
    assert (str(found.code), found.message) == (
        "TW0503",
        f"'<string>' is no text: character 9 is the lone surrogate '\\u{ord(character):x}'",
    )
    assert found.hints


def test_the_path_of_a_file_may_have_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "k\udcff.mlir"
    path.write_text(NOTHING)
    assert tilewright.compile(str(path)).stages()


@pytest.mark.parametrize("stage", ["cute", "llvm"])
def test_a_launch_of_code_for_gpus_says_what_to_compile(stage: str) -> None:
    """A launch asks for facts of earlier stages, which such a module has lost."""
    np: Any = pytest.importorskip("numpy")
    from tests.driver.test_doors import FLAT_KERNEL

    text = str(tilewright.compile(FLAT_KERNEL, target="sim:sm_80").asm[stage])
    with pytest.raises(DiagnosticError) as raised:
        tilewright.launch(text, "k", 1, [np.zeros(4, np.int32), np.zeros(4, np.int32)], target="sim:sm_80")
    (found,) = raised.value.diagnostics
    assert str(found.code) == "TW0509"
    assert any("Tile IR" in str(hint) for hint in found.hints)
