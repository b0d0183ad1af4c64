"""Every way to launch with checks: the compiled kernel finds the fault, and says where and what it is."""

from __future__ import annotations

import re
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.interp.kernels import ACQUIRE, DEVICE, RELEASE, Kernel, pointer
from tests.targets.cpu.checks import checked_kernels as kernels
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    conversion as ops_conversion,
    memory as ops_memory,
    tile as ops_tile,
)
from tilewright.dialects.cuda_tile.types import PointerType, tile
from tilewright.driver.stages import CompileOptions
from tilewright.ir.builtin_attributes import dense
from tilewright.ir.builtin_types import RankedTensorType, i32, i64
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.runtime.checked import KnownMemory
from tilewright.targets.cpu.machine.host import processor, vector_bytes


@pytest.fixture(autouse=True)
def compiled_only(monkeypatch, tmp_path):
    """Nothing of this is interpreted."""
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("tilewright.interp.launch.LoadedModule.begin", None)


def module_of(build: Any) -> Any:
    return SimpleNamespace(operation=build().module())


def failure_of(action: Any, *arguments: Any, **named: Any) -> Any:
    with pytest.raises(DiagnosticError) as caught:
        action(*arguments, **named)
    (found,) = caught.value.diagnostics
    return found


# --- ways to launch


def test_launch_names_element_address_and_array():
    module = module_of(kernels.copy_by_view(8))
    found = failure_of(
        tilewright.launch, module, "k", 1, [np.zeros(7, np.int32), np.zeros(8, np.int32)], check="memcheck"
    )
    assert str(found.code) == "TW0402"
    assert found.message.startswith("kernel 'k' in tile block (0, 0, 0): load of element [7] of argument 0 ")
    assert found.message.endswith("by element [3] of the tile is outside of argument 0, which has 7 elements")
    assert found.hints


SHIFTED = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i8>>, %y: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %by = constant <i32: BY> : tile<i32>
    %xs = offset %x, %by : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %xa = make_tensor_view %xs, shape = [2, 4], strides = [4, 1] : WHOLE
    %ya = make_tensor_view %y, shape = [2, 4], strides = [4, 1] : WHOLE
    %xv = make_partition_view %xa : partition_view<tile=(2x4), WHOLE>
    %yv = make_partition_view %ya : partition_view<tile=(2x4), WHOLE>
    %a, %t = load_view_tko weak %xv[%zero, %zero] : partition_view<tile=(2x4), WHOLE>, tile<i32> -> tile<2x4xi8>, token
    %s = store_view_tko weak %a, %yv[%zero, %zero] : tile<2x4xi8>, partition_view<tile=(2x4), WHOLE>, tile<i32> -> token
    return
  }
}
""".replace("WHOLE", "tensor_view<2x4xi8, strides=[4,1]>")


@pytest.mark.parametrize(
    ("by", "where"),
    [
        (-2, "by element [0, 0] of the tile is outside"),
        (-1, "by element [0, 0] of the tile is outside"),
        (0, ""),
        (1, "of argument 0 by element [1, 3] of the tile is outside"),
        (2, "of argument 0 by element [1, 2] of the tile is outside"),
    ],
)
def test_a_tile_of_bytes_is_found_outside_at_either_end(by: int, where: str):
    arguments = [np.ones(8, np.int8), np.zeros(8, np.int8)]
    launch = (tilewright.launch, SHIFTED.replace("BY", str(by)), "k", 1, arguments)
    if where:
        assert where in failure_of(*launch, check="memcheck").message
    else:
        launch[0](*launch[1:], check="memcheck")
        assert arguments[1].all()


def test_elements_of_columns_are_named():
    case = next(case for case in kernels.OUTSIDE if case.name == "columns, too few")
    found = failure_of(tilewright.launch, module_of(case.build), "k", 4, case.arguments(), check="memcheck")
    assert "element [0, 7] of the tile" in found.message
    assert "tile block (2, 0, 0)" in found.message


def test_a_race_names_both_places():
    module = module_of(kernels.relaxed_flags(False))
    arguments = [np.zeros(1, np.int32), np.zeros(4, np.int32)]
    found = failure_of(tilewright.launch, module, "k", 4, arguments, check="racecheck", threads=1)
    assert "store of element [0] of argument 0 races with the" in found.message
    assert "in tile block (0, 0, 0)" in found.message
    assert found.notes[0].location.source[0] == "kernel.py"


def test_many_threads_find_races_too():
    module = module_of(kernels.store_tiles(63))
    artifact = tilewright.compile(module)
    for _ in range(5):
        found = failure_of(artifact.launch, 256, [np.zeros(64 * 256, np.int32)], check="racecheck", threads=4)
        assert str(found.code) == "TW0406"


def test_artifacts_launch_with_their_own_checks_and_others():
    artifact = tilewright.compile(
        module_of(kernels.store_block_number()), options=CompileOptions(checks=("racecheck",))
    )
    assert str(failure_of(artifact.launch, 4, [np.zeros(1, np.int32)]).code) == "TW0406"
    outside = failure_of(artifact.launch, 1, [np.zeros(0, np.int32)], check="memcheck")
    assert str(outside.code) == "TW0402"
    assert 'checks = ["racecheck"]' in str(artifact.asm["tileaa"])


@pytest.mark.parametrize("checks", [("racecheck",), ("memcheck", "racecheck")])
def test_cells_are_read_by_vectors_of_a_register(checks: tuple[str, ...]):
    artifact = tilewright.compile(module_of(kernels.store_tiles(64)), options=CompileOptions(checks=checks))
    vectors = re.findall(
        r"= load <(\d+) x i(\d+)>, ptr", str(artifact.asm["llvm"]).partition("@checks.run")[2]
    )
    assert vectors
    assert {int(lanes) * int(bits) // 8 for lanes, bits in vectors} == {vector_bytes(processor())}


def test_code_without_checks_is_what_it_was():
    module = module_of(kernels.store_tiles(64))
    plain = tilewright.compile(module)
    text = plain.asm["llvm"]
    assert "checks." not in str(text)
    failure_of(plain.launch, 2, [np.zeros(64, np.int32)], check="all")
    assert tilewright.compile(module).asm["llvm"] == text


def test_prepared_launches_remember_nothing_of_each_other():
    artifact = tilewright.compile(module_of(kernels.store_tiles(64)))
    out = np.zeros(64 * 8, np.int32)
    again = artifact.prepare(8, [out], check="all")
    for _ in range(3):
        out[:] = 0
        again()
        assert out.tolist() == list(range(64)) * 8
    racing = tilewright.compile(module_of(kernels.store_tiles(63))).prepare(8, [out], check="racecheck")
    for _ in range(3):
        assert str(failure_of(racing).code) == "TW0406"


def test_cells_are_made_anew_when_numbers_run_out(monkeypatch):
    made = []
    make_cells = KnownMemory._make_cells
    monkeypatch.setattr(KnownMemory, "_make_cells", lambda self: (made.append(1), make_cells(self)))
    artifact = tilewright.compile(module_of(kernels.store_twice([0, 1])))
    again = artifact.prepare(1, [np.zeros(2, np.int32)], check="racecheck")
    again()
    again.frame.memory.first_number = (1 << (32 - again.frame.observer._checks.site_bits)) - 3
    again()
    again()
    assert len(made) == 2


def test_a_cutile_kernel_is_reported_with_its_line():
    pytest.importorskip("cuda.tile")
    from tests.cutile import checked_lines
    from tilewright import cutile

    out = np.zeros(1, np.int32)
    found = failure_of(cutile.launch, (4,), checked_lines.last_one_wins, (out,), check="racecheck")
    name, line, _ = found.location.source
    assert name.endswith("checked_lines.py")
    assert "ct.store" in checked_lines.SOURCE.splitlines()[line - 1]
    cutile.launch((1,), checked_lines.last_one_wins, (out,), check="memcheck,racecheck,initcheck")


def test_the_command_compiles_checks(tmp_path):
    path = tmp_path / "k.mlir"
    path.write_text(str(kernels.store_block_number()().module()) + "\n")
    words = ["run", str(path), "--grid", "4", "--arg", "zeros(1, i32)", "--check", "racecheck"]
    done = subprocess.run(
        [sys.executable, "-m", "tilewright", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "TW0406" in done.stderr


# --- what is known


def test_globals_are_known_and_constant_ones_read_only():
    def build(offset: int, *, constant: bool, write: bool) -> Kernel:
        held = dense(RankedTensorType((4,), i32), [1, 2, 3, 4])
        memory = made_global(held, constant=constant)
        kernel = Kernel(pointer(i32), globals_=[memory])
        base = kernel.add(ops_control.GetGlobalOp(global_name="table", result_types=[pointer(i32)]))
        at = kernel.add(ops_tile.OffsetOp(base, kernel.i32(offset)))
        kernel.store(kernel.arguments[0], kernel.load(at).results[0])
        if write:
            kernel.store(at, kernel.i32(7))
        return kernel

    def found(*given: Any, **named: Any) -> str:
        artifact = tilewright.compile(module_of(lambda: build(*given, **named)))
        try:
            artifact.launch(1, [np.zeros(1, np.int32)], check="memcheck,racecheck")
        except DiagnosticError as error:
            return str(error.diagnostics[0].code)
        return ""

    assert found(3, constant=False, write=True) == ""
    assert found(3, constant=True, write=False) == ""
    assert found(4, constant=True, write=False) == "TW0402"
    assert found(0, constant=True, write=True) == "TW0404"


def made_global(held: Any, *, constant: bool) -> Any:
    return ops_control.GlobalOp(sym_name="table", value=held, alignment=16, constant=constant)


def test_memory_of_a_tile_block_is_known():
    def build(offset: int) -> Kernel:
        kernel = Kernel(pointer(i32))
        room = kernel.add(ops_memory.AllocaOp(num_elem=4, alignment=16, result_types=[pointer(i32)]))
        at = kernel.add(ops_tile.OffsetOp(room, kernel.i32(offset)))
        done = kernel.store(at, kernel.i32(5))
        kernel.store(kernel.arguments[0], kernel.load(at, token=done).results[0])
        return kernel

    tilewright.launch(module_of(lambda: build(3)), "k", 1, [np.zeros(1, np.int32)], check="memcheck")
    found = failure_of(
        tilewright.launch, module_of(lambda: build(4)), "k", 1, [np.zeros(1, np.int32)], check="memcheck"
    )
    assert str(found.code) == "TW0402"


def test_memory_known_by_address_only():
    x = np.zeros(8, np.int32)
    module = module_of(kernels.add_atomically(8))
    tilewright.launch(module, "k", 1, [x.ctypes.data], check="racecheck")
    tilewright.launch(module, "k", 1, [x.ctypes.data], check="memcheck", memory=[x])
    assert x.tolist() == [2] * 8
    found = failure_of(tilewright.launch, module, "k", 1, [x.ctypes.data], check="memcheck")
    assert str(found.code) == "TW0402"
    assert "no buffer is known" in found.message


def test_elements_in_several_arrays_are_fine():
    def build() -> Kernel:
        kernel = Kernel(pointer(i64), pointer(i32))
        addresses = kernel.load_all(kernel.arguments[0], 4)
        at = kernel.add(ops_conversion.IntToPtrOp(addresses, result_types=[tile(4, PointerType(i32))]))
        kernel.store_all(kernel.arguments[1], kernel.load(at).results[0])
        return kernel

    arrays = [np.full(1, number, np.int32) for number in range(4)]
    table = np.array([array.ctypes.data for array in arrays], np.int64)
    out = np.zeros(4, np.int32)
    tilewright.launch(module_of(build), "k", 1, [table, out], check="memcheck,racecheck", memory=arrays)
    assert out.tolist() == [0, 1, 2, 3]
    found = failure_of(
        tilewright.launch, module_of(build), "k", 1, [table, out], check="memcheck", memory=arrays[:3]
    )
    assert "by element [3] of the tile" in found.message


# --- order


def test_waiting_tile_blocks_end_when_another_one_fails():
    """The first tile block loads from outside before it releases what the others wait for."""

    module = module_of(kernels.pass_a_message(True))
    arguments = [np.zeros(1, np.int32), np.zeros(63, np.float32)]
    found = failure_of(tilewright.launch, module, "k", 4, arguments, check="memcheck", threads=4)
    assert str(found.code) == "TW0402"
    assert "tile block (0, 0, 0)" in found.message


def test_too_many_tile_blocks_for_clocks():
    def build() -> Kernel:
        kernel = Kernel(pointer(i32))
        order = {"memory_scope": DEVICE}
        kernel.load(kernel.arguments[0], memory_ordering_semantics=ACQUIRE, **order)
        kernel.store(kernel.arguments[0], kernel.i32(0), memory_ordering_semantics=RELEASE, **order)
        return kernel

    module = module_of(build)
    tilewright.launch(module, "k", 100, [np.zeros(1, np.int32)], check="racecheck")
    found = failure_of(tilewright.launch, module, "k", 1 << 14, [np.zeros(1, np.int32)], check="racecheck")
    assert str(found.code) == "TW0956"
    assert 'target="interp"' in found.hints[0]


def test_modules_of_lower_stages_cannot_be_checked():
    lowered = str(tilewright.compile(module_of(kernels.store_tiles(64))).asm["tileaa"])
    artifact = tilewright.compile(lowered)
    found = failure_of(artifact.launch, 1, [np.zeros(64, np.int32)], check="memcheck")
    assert str(found.code) == "TW0513"
    assert found.hints
