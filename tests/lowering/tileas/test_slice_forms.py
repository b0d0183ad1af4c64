"""Operations with large tiles that few kernels have, cut into slices: this processor computes what the interpreter does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright
from tests.lowering.tileas.layout_passes import GPU
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import kernel, load, store, view
from tests.targets.nvptx.tileas_to_nvvm.test_gpu_sliced_tiles import SMALL
from tilewright.dialects.nv_tileaa.ops.structure import ExtractOp
from tilewright.dialects.nv_tileas.ops_tile import ExtractSliceOp
from tilewright.lowering.capability import HOST_NAME
from tilewright.lowering.target_facts import attach_target

PASSES = f"nv-tileas-lower-view-accesses,canonicalize,cse,{SMALL}"
Shape = tuple[int, ...]
POINTERS = """%n = iota : tile<1024xi32>
%r = reshape %{0} : tile<ptr<i32>> -> tile<1xptr<i32>>
%e{0} = broadcast %r : tile<1xptr<i32>> -> tile<1024xptr<i32>>
%p{0} = offset %e{0}, %n : tile<1024xptr<i32>>, tile<1024xi32> -> tile<1024xptr<i32>>
"""


def program(given: Shape, made: Shape, work: str) -> str:
    """Return a kernel that loads a tile ``%a`` of type ``T``, works, and stores the tile ``%c`` of type ``O``."""
    (x, cut), (y, out) = view("x", given, given, "i32"), view("y", made, made, "i32")
    tile, result = (f"tile<{'x'.join(map(str, shape))}xi32>" for shape in (given, made))
    places = [", ".join(["%zero"] * len(shape)) for shape in (given, made)]
    body = x + y + load("a", "x", cut, places[0], tile) + work.replace("T", tile).replace("O", result)
    return kernel("%x: tile<ptr<i32>>, %y: tile<ptr<i32>>", body + store("c", "y", out, places[1], result))


def sliced(text: str, change: Any = lambda module: None) -> tilewright.Module:
    """Return a kernel with its large tiles in arrays, as a module that this processor can run."""
    module = tilewright.Module.parse(str(tilewright.compile(text).asm["tileas"]))
    change(module.operation)
    attach_target(module.operation, GPU)
    tilewright.PassManager.parse(f"builtin.module({PASSES})").run(module)
    assert "thread_arrays" in str(module)
    tilewright.PassManager.parse("builtin.module(nv-tileas-erase-layouts)").run(module)
    attach_target(module.operation, HOST_NAME)
    return module


def same(text: str, given: Shape, made: Shape, change: Any = lambda module: None) -> np.ndarray:
    """Return what a kernel computes, the same in the interpreter and on this processor after slicing."""
    numbers = (np.arange(np.prod(given)) * 7919 % 1009 - 500).reshape(given).astype(np.int32)
    found = [np.full(made, -7, np.int32) for _ in range(2)]
    tilewright.launch(text, "k", 1, [numbers.copy(), found[0]], target="interp")
    tilewright.launch(sliced(text, change), "k", 1, [numbers.copy(), found[1]])
    assert found[0].tolist() == found[1].tolist()
    return found[0]


CASES: dict[str, tuple[Shape, Shape, str]] = {
    "a new dimension": ((32, 32), (32, 1, 32), "%b = addi %a, %a : T\n%c = reshape %b : T -> O\n"),
    "small parts side by side": (
        (16, 32),
        (32, 32),
        "%b = muli %a, %a : T\n%c = cat %a, %b dim = 0 : T, T -> O\n",
    ),
    "a small part beside a large one": (
        (4, 256),
        (8, 256),
        "%b = muli %a, %a : T\n%c = cat %b, %a dim = 0 : T, T -> O\n",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_loops_over_slices_do_what_the_interpreter_does(name: str) -> None:
    given, made, work = CASES[name]
    assert same(program(given, made, work), given, made).any()


@pytest.mark.parametrize(("row", "column"), [(0, 0), (17, 5), (31, 31)])
def test_an_element_is_taken_from_the_slice_that_has_it(row: int, column: int) -> None:
    work = f"""%at = constant <i32: {row}> : tile<i32>
%beside = constant <i32: {column}> : tile<i32>
%b = addi %a, %a : T
%p = extract %b[%at, %beside] : T -> tile<1x1xi32>
%e = reshape %p : tile<1x1xi32> -> tile<i32>
%d = muli %e, %e : tile<i32>
%c = reshape %d : tile<i32> -> tile<1xi32>
"""

    def of_whole(module: Any) -> None:
        """Take the element from the whole tile, and not from a part with nothing else."""
        (element,) = [op for op in module.walk() if isinstance(op, ExtractOp)]
        (part,) = [op for op in module.walk() if isinstance(op, ExtractSliceOp)]
        element.set_operands([part.source, *part.offsets])
        part.erase()

    found = same(program((32, 32), (1,), work), (32, 32), (1,), of_whole)
    assert found.tolist() == [(2 * ((row * 32 + column) * 7919 % 1009 - 500)) ** 2]


def test_stores_and_loads_of_whole_tiles_wait_for_each_other() -> None:
    """A store passes its token to a load of the same elements in another order."""
    tile, pointers = "tile<1024xi32>", "tile<1024xptr<i32>>"
    body = f"""{POINTERS.format("x")}{POINTERS.format("y").replace("%n", "%m").replace("%r", "%s")}
%last = constant <i32: 1023> : {tile}
%b = subi %last, %n : {tile}
%q = offset %ey, %b : {pointers}, {tile} -> {pointers}
%v, %t0 = load_ptr_tko weak %px : {pointers} -> {tile}, token
%d = addi %v, %n : {tile}
%t1 = store_ptr_tko weak %py, %d : {pointers}, {tile} -> token
%w, %t2 = load_ptr_tko weak %q token=%t1 : {pointers} -> {tile}, token
%u = muli %w, %n : {tile}
%t3 = store_ptr_tko weak %py, %u token=%t2 : {pointers}, {tile} -> token
"""
    text = kernel("%x: tile<ptr<i32>>, %y: tile<ptr<i32>>", body)
    found = same(text, (1024,), (1024,))
    numbers = np.arange(1024) * 7919 % 1009 - 500 + np.arange(1024)
    assert found.tolist() == (numbers[::-1] * np.arange(1024)).astype(np.int32).tolist()


def test_an_operation_without_a_rule_gets_its_tile_from_the_array(capfd: pytest.CaptureFixture[str]) -> None:
    work = '%b = addi %a, %a : T\n%t = print_tko "%d ", %b : T -> token\n%c = muli %b, %b : T\n'
    assert same(program((32, 32), (32, 32), work), (32, 32), (32, 32)).any()
    printed = capfd.readouterr().out
    assert printed[: len(printed) // 2] == printed[len(printed) // 2 :]
    assert len(printed) > 4096
