"""Elements of four bits, two of which share a byte: machine code does what the interpreter does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tilewright
from tests.interp.kernels import DEVICE, RELAXED, Kernel, pointer
from tests.support.samples import samples
from tests.targets.cpu.programs.generated_programs import MachineCode, interpreted
from tilewright.dialects.cuda_tile.enums import PaddingValue
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    conversion as ops_conversion,
    memory as ops_memory,
    tile as ops_tile,
    view as ops_view,
)
from tilewright.dialects.cuda_tile.types import StridedViewType, TileType, tile
from tilewright.ir.builtin_attributes import dense
from tilewright.ir.builtin_types import f4E2M1FN, f8E8M0FNU, f32
from tilewright.ir.operation import Operation
from tilewright.testing.execution import Launchpad, first_entry, observe
from tilewright.testing.strategies import enclosing_module, sample_operations

F4 = ml_dtypes.float4_e2m1fn


def artifact(kernel: Kernel) -> Any:
    return tilewright.compile(SimpleNamespace(operation=kernel.module()))


def run_both(make: Any, *arrays: np.ndarray, grid: tuple[int, int, int] = (1, 1, 1)) -> str:
    """Interpret and run; the same bytes in all arrays.  Answers the text of the code."""
    wanted, given = ([array.copy() for array in arrays] for _ in range(2))
    kernel = make()
    kernel.run(*wanted, grid=grid)
    native = artifact(make())
    native.launch(grid, given)
    for expected, found in zip(wanted, given, strict=True):
        assert found.tolist() == expected.tolist()
    return str(native.asm["llvm"])


def some_bytes(count: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, count, dtype=np.uint8)


def copy_tile(extent: int, columns: int, **order: Any) -> Kernel:
    """Copies tiles of 4 x ``columns`` of a matrix of 6 x ``extent``, as far as it goes."""
    kernel = Kernel(pointer(f4E2M1FN), pointer(f4E2M1FN))
    views = [kernel.partition(base, (6, extent), (4, columns)) for base in kernel.arguments]
    ids = kernel.add(ops_control.GetTileBlockIdOp()).results
    loaded = kernel.load_view(views[0], ids[0], ids[1], **order).results[0]
    kernel.store_view(views[1], loaded, ids[0], ids[1], **order)
    return kernel


@pytest.mark.parametrize("columns", [2, 4, 16, 64])
def test_rows_of_whole_bytes(columns):
    text = run_both(
        lambda: copy_tile(64, columns), some_bytes(192), some_bytes(192, 2), grid=(1, 64 // columns, 1)
    )
    assert columns < 16 or "load <8 x i8>" in text


@pytest.mark.parametrize("extent", [61, 62, 7])
@pytest.mark.parametrize("columns", [1, 2, 16])
def test_rows_that_begin_or_end_inside_of_a_byte(extent, columns):
    grid = (2, -(-extent // columns), 1)
    run_both(lambda: copy_tile(extent, columns), some_bytes(192), some_bytes(192, 2), grid=grid)


def test_each_element_at_once():
    order = {"memory_ordering_semantics": RELAXED, "memory_scope": DEVICE}
    text = run_both(lambda: copy_tile(7, 2, **order), some_bytes(24), some_bytes(24, 2), grid=(2, 4, 1))
    assert "cmpxchg" in text


def every_third_pair() -> Kernel:
    """Two elements at every third place: they begin in the middle of every other byte."""
    kernel = Kernel(pointer(f4E2M1FN), pointer(f4E2M1FN))
    views = [
        kernel.view(
            base,
            (40,),
            lambda tensor: StridedViewType((2,), (3,), tensor, (0,), PaddingValue.NAN),
            ops_view.MakeStridedViewOp,
        )
        for base in kernel.arguments
    ]
    loaded = kernel.load_view(views[0], kernel.block_id()).results[0]
    kernel.store_view(views[1], loaded, kernel.block_id())
    return kernel


def test_tiles_that_begin_in_the_middle_of_a_byte():
    run_both(every_third_pair, some_bytes(20), some_bytes(20, 2), grid=(14, 1, 1))


def test_tile_blocks_leave_the_other_half_of_a_byte_alone():
    """64 tile blocks write columns of one element each, at the same time, many times."""
    kernel = Kernel(pointer(f4E2M1FN))
    view = kernel.partition(kernel.arguments[0], (256, 63), (256, 1))
    value = kernel.constant(3.0, tile(256, 1, f4E2M1FN))
    kernel.store_view(view, value, kernel.i32(0), kernel.block_id())
    native = artifact(kernel)
    for _ in range(20):
        out = np.zeros(256 * 63 // 2, np.uint8)
        native.launch((63, 1, 1), [out])
        assert (out == int(np.array(3.0, F4).view(np.uint8)) * 0x11).all()


def test_globals_have_two_elements_in_a_byte():
    values = [0.0, 0.5, -1.0, 1.5, 2.0, 3.0, -4.0, 6.0]
    kind = TileType((8,), f4E2M1FN)
    variable = ops_control.GlobalOp(sym_name="g", value=dense(kind, values), alignment=16)
    kernel = Kernel(pointer(f32), globals_=[variable])
    base = kernel.add(ops_control.GetGlobalOp(global_name="g", result_types=[pointer(f4E2M1FN)]))
    loaded = kernel.load_view(kernel.partition(base, (8,), (8,)), kernel.i32(0)).results[0]
    kernel.store_all(
        kernel.arguments[0], kernel.add(ops_conversion.FToFOp(loaded, result_types=[tile(8, f32)]))
    )
    out = np.zeros(8, np.float32)
    artifact(kernel).launch((1, 1, 1), [out])
    assert out.tolist() == values


def test_pointers_advance_by_pairs():
    """The address four elements further on is two bytes further on."""

    def make() -> Kernel:
        kernel = Kernel(pointer(f4E2M1FN), pointer(f4E2M1FN))
        moved = kernel.add(ops_tile.OffsetOp(kernel.arguments[0], kernel.i32(4)))
        loaded = kernel.load_view(kernel.partition(moved, (8,), (8,)), kernel.i32(0)).results[0]
        kernel.store_view(kernel.partition(kernel.arguments[1], (8,), (8,)), loaded, kernel.i32(0))
        return kernel

    run_both(make, some_bytes(8), np.zeros(4, np.uint8))


def _moves_packed(op: Operation) -> bool:
    return any("f4E2M1FN" in str(value.type) for value in (*op.operands, *op.results))


@pytest.mark.parametrize("op_class", [ops_memory.LoadViewTkoOp, ops_memory.StoreViewTkoOp])
def test_generated_accesses(op_class):
    """Views of every kind, extents, strides, orders and padding."""
    compared, count = 0, samples(120, of=320)
    for number, op in enumerate(sample_operations(op_class, count, seed="packed")):
        if not _moves_packed(op):
            continue
        module = enclosing_module(op)
        kernel = first_entry(module)
        observe(op)
        pad = Launchpad(kernel, str(number))
        wanted = interpreted(pad, module)
        if wanted.problem is None:
            assert MachineCode(module).run(pad).buffers == wanted.buffers, str(module)
            compared += 1
    assert compared > count // 32


def test_scaled_products_of_what_was_loaded():
    """Sums of products of small numbers and powers of two are exact."""

    def make() -> Kernel:
        kernel = Kernel(pointer(f4E2M1FN), pointer(f4E2M1FN), pointer(f32))
        zero = kernel.i32(0)
        factors = [
            kernel.load_view(kernel.partition(base, (32, 64)[::turn], (32, 64)[::turn]), zero, zero).results[
                0
            ]
            for base, turn in zip(kernel.arguments, (1, -1), strict=False)
        ]
        scales = [kernel.constant([0.5, 2.0] * 32, tile(*shape, f8E8M0FNU)) for shape in ((32, 2), (2, 32))]
        acc = kernel.constant(1.0, tile(32, 32, f32))
        made = kernel.add(ops_tile.MmaFScaledOp(*factors, acc, *scales, result_types=[acc.type]))
        kernel.store_view(kernel.partition(kernel.arguments[2], (32, 32), (32, 32)), made, zero, zero)
        return kernel

    run_both(make, some_bytes(1024), some_bytes(1024, 2), np.zeros(1024, np.float32))
