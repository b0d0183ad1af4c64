"""Accesses to elements of four bits become accesses to bytes: machine code gives the bits of the interpreter as before."""

from __future__ import annotations

import pytest

import tilewright
from tests.lowering.tileas.layout_passes import passed
from tests.support.samples import samples
from tests.targets.cpu.programs.generated_programs import MachineCode, interpreted
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.ops import memory
from tilewright.driver.preparation import wrapped
from tilewright.driver.sources import load
from tilewright.ir.operation import Operation
from tilewright.testing.execution import Launchpad, first_entry, observe
from tilewright.testing.strategies import enclosing_module, sample_operations

PASS = "nv-tileas-lower-packed-accesses"


def _moves_packed(op: Operation) -> bool:
    return any("f4E2M1FN" in str(value.type) for value in (*op.operands, *op.results))


@pytest.mark.parametrize("op_class", [memory.LoadViewTkoOp, memory.StoreViewTkoOp])
def test_generated_accesses(op_class: type[TileOp]) -> None:
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
            assert MachineCode(passed(module, PASS)).run(pad).buffers == wanted.buffers, str(module)
            compared += 1
    assert compared > count // 32


def copied(extent: int, columns: int, order: str = "weak") -> str:
    """The TileAS form of a copy of tiles of 4 rows, after the pass."""
    whole = f"tensor_view<6x{extent}xf4E2M1FN, strides=[{extent},1]>"
    view, tile = f"partition_view<tile=(4x{columns}), {whole}>", f"tile<4x{columns}xf4E2M1FN>"
    text = f"""
cuda_tile.module @m {{
  entry @copy(%x: tile<ptr<f4E2M1FN>>, %y: tile<ptr<f4E2M1FN>>) {{
    %i, %j, %k = get_tile_block_id : tile<i32>
    %a = make_tensor_view %x, shape = [6, {extent}], strides = [{extent}, 1] : {whole}
    %b = make_tensor_view %y, shape = [6, {extent}], strides = [{extent}, 1] : {whole}
    %u = make_partition_view %a : {view}
    %v = make_partition_view %b : {view}
    %p, %t = load_view_tko weak %u[%i, %j] : {view}, tile<i32> -> {tile}, token
    %s = store_view_tko {order} %p, %v[%i, %j] : {tile}, {view}, tile<i32> -> token
    return
  }}
}}
"""
    module = tilewright.Module(wrapped(load(text)))
    passes = f"convert-cuda-tile-to-tileaa{{compute-capability=sm_80}},convert-tileaa-to-tileas,{PASS}"
    tilewright.PassManager.parse(f"builtin.module({passes})").run(module)
    return str(module)


def test_rows_of_whole_bytes_are_stored_by_pairs() -> None:
    text = copied(62, 16)
    assert "nv_tileas.tiled_store" not in text
    assert "tensor<4x8xi8>" in text
    assert "atomic" not in text


@pytest.mark.parametrize(("extent", "columns"), [(61, 16), (62, 1)])
def test_halves_of_bytes_are_exchanged_until_nobody_came_in_between(extent: int, columns: int) -> None:
    text = copied(extent, columns)
    assert "nv_tileas.tiled_store" not in text
    assert text.count("nv_tileaa.atomic_cas") == text.count("scf.while") == 1


@pytest.mark.parametrize("order", ["relaxed", "release"])
def test_a_half_that_is_stored_with_an_order_is_exchanged_in_it(order: str) -> None:
    text = copied(61, 16, f"{order} tl_blk")
    assert "nv_tileas.tiled_store" not in text
    exchange = next(line for line in text.splitlines() if "atomic_cas" in line)
    assert f"mem_scope<tl_blk>, mem_semantic = #nv_tileaa.mem_semantic<{order}>" in exchange
    assert "nv_tileas.tiled_store" not in copied(64, 16, "relaxed device")
