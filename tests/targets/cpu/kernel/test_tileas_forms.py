"""Forms of kernels of `nv_tileas` that no lowering makes today, and stores past the caches: results, and the code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tilewright
from tests.replay.digests import compare
from tests.replay.replaying import Setting
from tilewright.driver.artifact import Artifact
from tilewright.driver.stages import CompileOptions
from tilewright.targets.cpu.machine.host import obstacle, processor

KEPT = Path(__file__).parent / "data" / "tileas_forms.txt"
CPUS = ("x86-64-v3", "x86-64-v4")
VIEW = "!nv_tileas.tiled_view<f32, [4, 64], global>"
FLOATS, WORDS = "!nv_tileaa.ptr<f32, 1>", "!nv_tileaa.ptr<i32, 1>"
LOAD = "operandSegmentSizes = array<i32: 1, {}, 0, 0>"
STORE = "operandSegmentSizes = array<i32: 1, 1, {}, 0, 0>"


def kernel(body: str, *types: str) -> str:
    """A kernel ``k`` of `nv_tileas` whose arguments are ``%0``, ``%1``, ...; ``%zero`` is a constant."""
    arguments = ", ".join(f"%{at}: {type}" for at, type in enumerate(types))
    return f"""
module attributes {{nv_tileaa.target_spec = "host"}} {{
  "nv_tileaa.func"() <{{function_type = ({", ".join(types)}) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k"}}> ({{
  ^bb0({arguments}):
    %zero = arith.constant 0 : i32
{body}
    "nv_tileaa.return"() : () -> ()
  }}) : () -> ()
}}
"""


def memory(
    name: str, at: int, shape: str, strides: str, view: str, element: str = "f32", sizes: str = ""
) -> str:
    """A view ``%name`` of the tiles of an array."""
    count = sizes.count("%")
    made = f'"nv_tileaa.make_memref"(%{at}{sizes}) <{{operandSegmentSizes = array<i32: 1, 0, 0, {count}>}}>'
    kind = f"!nv_tileaa.memref<{shape}x{element}, strides = [{strides}]>"
    pointer = FLOATS if element == "f32" else WORDS
    return (
        f"    %{name}_all = {made} : ({pointer}{', i64' * count}) -> {kind}\n"
        f'    %{name} = "nv_tileas.view"(%{name}_all) : ({kind}) -> {view}\n'
    )


def load(result: str, name: str, view: str, tile: str) -> str:
    rank = view.count(",") - 1
    places = ", %zero" * rank
    return f'    %{result} = "nv_tileas.tiled_load"(%{name}{places}) <{{{LOAD.format(rank)}}}> : ({view}{", i32" * rank}) -> {tile}\n'


def store(value: str, name: str, view: str, tile: str, more: str = "") -> str:
    rank = view.count(",") - 1
    places = ", %zero" * rank
    return f'    "nv_tileas.tiled_store"(%{name}, %{value}{places}) <{{{more}{STORE.format(rank)}}}> : ({view}, {tile}{", i32" * rank}) -> ()\n'


TILE = "tensor<4x64xf32>"
STREAMED = kernel(
    memory("x", 0, "4x64", "?, 1", VIEW, sizes=", %2")
    + memory("y", 1, "4x64", "?, 1", VIEW, sizes=", %2")
    + load("a", "x", VIEW, TILE)
    + f"    %b = nv_tileas.addf %a, %a : {TILE}\n"
    + store("b", "y", VIEW, TILE, "latency = 10 : i32, "),
    FLOATS,
    FLOATS,
    "i64",
)
TALL, TALL_VIEW = "tensor<64x4xf32>", VIEW.replace("4, 64", "64, 4")
FLAT, FLAT_VIEW = "tensor<1x64x4xf32>", VIEW.replace("4, 64", "1, 64, 4")
TURNED, TURNED_VIEW = "tensor<4x1x64xf32>", VIEW.replace("4, 64", "4, 1, 64")
EXPANDED = kernel(
    memory("x", 0, "64x4", "4, 1", TALL_VIEW)
    + memory("y", 1, "1x64x4", "256, 4, 1", FLAT_VIEW)
    + memory("w", 2, "4x1x64", "64, 64, 1", TURNED_VIEW)
    + load("a", "x", TALL_VIEW, TALL)
    + load("b", "y", FLAT_VIEW, FLAT)
    + f'    %e = "nv_tileas.expand_dims"(%a) <{{axis = 0 : i32}}> : ({TALL}) -> {FLAT}\n'
    f"    %k = arith.constant dense<2.5> : {FLAT}\n"
    f"    %n = arith.constant dense<3> : tensor<1x64x4xi32>\n"
    f"    %m = nv_tileas.sitofp %n : tensor<1x64x4xi32> to {FLAT}\n"
    f"    %yes = nv_tileas.cmpi slt, %3, %zero : i32\n"
    f"    %c = nv_tileas.mulf %e, %k : {FLAT}\n    %d = nv_tileas.addf %c, %b : {FLAT}\n"
    f"    %s = nv_tileas.addf %d, %m : {FLAT}\n"
    f"    %g = nv_tileas.select %yes, %s, %b : {FLAT}\n"
    f'    %t = "nv_tileas.view"(%g) <{{nv_tileas.layout = #nv_tileas.layout<(4,1,64),(1,256,4)>}}> : ({FLAT}) -> {TURNED}\n'
    + store("t", "w", TURNED_VIEW, TURNED),
    FLOATS,
    FLOATS,
    FLOATS,
    "i32",
)


def compiled(text: str, cpu: str) -> Artifact:
    """A kernel for a processor, if this machine runs its code."""
    if obstacle(processor(cpu)):
        pytest.skip(f"this machine does not run {cpu}")
    return tilewright.compile(text, target="cpu", options=CompileOptions(cpu=cpu))


def aligned(shape: tuple[int, ...], stride: int, start: int = 0) -> Any:
    """An array of zeros with so many elements from row to row, some elements behind a cache line."""
    room = np.zeros(shape[0] * stride + 64, np.float32)
    at = -room.ctypes.data % 64 // 4 + start
    return room[at : at + shape[0] * stride].reshape(shape[0], stride)


@pytest.mark.parametrize(("stride", "start"), [(64, 0), (80, 0), (72, 0), (65, 0), (64, 1), (64, 8)])
@pytest.mark.parametrize("cpu", CPUS)
def test_stores_past_the_caches(cpu: str, stride: int, start: int) -> None:
    """Rows that do not begin at cache lines are stored as usual; what lies behind a row stays as it is."""
    x, y = aligned((4, 64), stride), aligned((4, 64), stride, start)
    x[:] = np.arange(x.size).reshape(x.shape)
    made = compiled(STREAMED, cpu)
    assert "!nontemporal" in made.asm["llvm"]
    made.launch((1, 1, 1), [x.ravel(), y.ravel(), stride])
    assert y[:, :64].tolist() == (2 * x[:, :64]).tolist()
    assert not y[:, 64:].any()


@pytest.mark.parametrize("chosen", [-1, 0])
@pytest.mark.parametrize("cpu", CPUS)
def test_dimensions_that_are_added_and_exchanged(cpu: str, chosen: int) -> None:
    x, y = np.arange(256, dtype=np.float32).reshape(64, 4), np.arange(256, 0, -1, dtype=np.float32)
    w = np.zeros((4, 1, 64), np.float32)
    made = compiled(EXPANDED, cpu)
    made.launch((1, 1, 1), [x.ravel(), y, w.ravel(), chosen])
    y = y.reshape(64, 4)
    assert w[:, 0].tolist() == ((x * 2.5 + y + 3) if chosen < 0 else y).T.tolist()


COUNTED = kernel(
    f"""    %x = "nv_tileas.load"(%0) <{{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}}> : ({WORDS}) -> i32
    %n = nv_tileas.trunci %1 : i32 to i16
    %first = arith.constant 0 : i16
    %step = arith.constant 3 : i16
    %sum = scf.for %i = %first to %n step %step iter_args(%held = %x) -> (i32) : i16 {{
      %wide = nv_tileas.extsi %i : i16 to i32
      %next = nv_tileas.addi %held, %wide : i32
      scf.yield %next : i32
    }}
    "nv_tileas.store"(%0, %sum) <{{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}}> : ({WORDS}, i32) -> ()""",
    WORDS,
    "i32",
)


@pytest.mark.parametrize("count", [0, 1, 100, 32_000])
@pytest.mark.parametrize("cpu", CPUS)
def test_loops_with_narrow_counters(cpu: str, count: int) -> None:
    x = np.array([7], np.int32)
    made = compiled(COUNTED, cpu)
    made.launch((1, 1, 1), [x, count])
    assert x.tolist() == [7 + sum(range(0, count, 3))]


EXTENTS = kernel(
    f"""    %m = "nv_tileaa.make_memref"(%0, %1) <{{operandSegmentSizes = array<i32: 1, 0, 1, 0>}}> : ({WORDS}, i64) -> !nv_tileaa.memref<?x5xi32, strides = [5, 1]>
    %a = "nv_tileaa.get_dim_size"(%m) <{{dim = 0 : i32}}> : (!nv_tileaa.memref<?x5xi32, strides = [5, 1]>) -> i32
    %b = nv_tileas.muli %a, %2 : i32
    "nv_tileas.store"(%0, %b) <{{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}}> : ({WORDS}, i32) -> ()""",
    WORDS,
    "i64",
    "i32",
)


@pytest.mark.parametrize("cpu", CPUS)
def test_extents_of_memory_as_narrow_numbers(cpu: str) -> None:
    x = np.zeros(1, np.int32)
    made = compiled(EXTENTS, cpu)
    made.launch((1, 1, 1), [x, (3 << 32) + 7, 11])
    assert x.tolist() == [77]


UPDATED = kernel(
    f"""    %m = "nv_tileaa.make_memref"(%0, %2) <{{operandSegmentSizes = array<i32: 1, 0, 0, 1>}}> : ({WORDS}, i64) -> !nv_tileaa.memref<4x8xi32, strides = [?, 1]>
    %i = arith.constant 2 : index
    %j = arith.constant 5 : index
    %one = arith.constant 100 : i32
    %old = "nv_tileaa.atomic_rmw"(%m, %one, %i, %j) <{{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 1, 2, 0, 0>, rmw_mode = #nv_tileaa.rmw_mode<add>}}> : (!nv_tileaa.memref<4x8xi32, strides = [?, 1]>, i32, index, index) -> i32
    "nv_tileas.store"(%1, %old) <{{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}}> : ({WORDS}, i32) -> ()""",
    WORDS,
    WORDS,
    "i64",
)


@pytest.mark.parametrize("cpu", CPUS)
def test_updates_of_one_element(cpu: str) -> None:
    x, y = np.arange(40, dtype=np.int32), np.zeros(1, np.int32)
    made = compiled(UPDATED, cpu)
    made.launch((1, 1, 1), [x, y, 10])
    wanted = np.arange(40, dtype=np.int32)
    wanted[25] += 100
    assert x.tolist() == wanted.tolist()
    assert y.tolist() == [25]


def stages(text: str) -> Iterator[tuple[str, str]]:
    for cpu in CPUS:
        made = Setting("cpu", (), cpu=cpu).compiled(text.encode())
        for stage in ("plan-json", "llvm"):
            yield f"{cpu}:{stage}", str(made.asm[stage])


ROW, ROW_VIEW = "tensor<64xf32>", VIEW.replace("4, 64", "64")
ONE_PLACE = kernel(
    memory("x", 0, "64", "1", ROW_VIEW)
    + memory("y", 1, "64", "0", ROW_VIEW)
    + load("a", "x", ROW_VIEW, ROW)
    + f"    %b = nv_tileas.addf %a, %a : {ROW}\n"
    + store("b", "y", ROW_VIEW, ROW),
    FLOATS,
    FLOATS,
)


@pytest.mark.parametrize("cpu", CPUS)
def test_elements_of_a_tile_in_one_place(cpu: str) -> None:
    """Of elements that have one address the last one is stored."""
    x, y = np.arange(1, 65, dtype=np.float32), np.full(4, 7, np.float32)
    compiled(ONE_PLACE, cpu).launch((1, 1, 1), [x, y[1:2]])
    assert y.tolist() == [7, 128, 7, 7]


def of_pointers(body: str) -> str:
    """A kernel over 256 elements behind each of two pointers: ``%xs`` and ``%ys`` are the addresses."""
    lines = "".join(
        f"""%{name}1 = reshape %{name} : tile<ptr<f32>> -> tile<1xptr<f32>>
    %{name}2 = broadcast %{name}1 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %{name}s = offset %{name}2, %at : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    """
        for name in "xy"
    )
    return f"""cuda_tile.module @m {{
  entry @k(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %limit: tile<i32>) {{
    %at = iota : tile<256xi32>
    %limit1 = reshape %limit : tile<i32> -> tile<1xi32>
    %limits = broadcast %limit1 : tile<1xi32> -> tile<256xi32>
    %inside = cmpi less_than %at, %limits, signed : tile<256xi32> -> tile<256xi1>
    %none = constant <f32: -1.0> : tile<256xf32>
    {lines}{body}
    return
  }}
}}
"""


WHOLE = "%v, %t = load_ptr_tko weak %xs : tile<256xptr<f32>> -> tile<256xf32>, token\n"
MASKED = (
    "%v, %t = load_ptr_tko weak %xs, %inside, %none"
    " : tile<256xptr<f32>>, tile<256xi1>, tile<256xf32> -> tile<256xf32>, token\n"
)
ADDED = "%w = addf %v, %v rounding<nearest_even> : tile<256xf32>\n"
PUT = "%u = store_ptr_tko weak %ys, %{} : tile<256xptr<f32>>, tile<256xf32> -> token\n"
PUT_INSIDE = (
    "%u = store_ptr_tko weak %ys, %{}, %inside : tile<256xptr<f32>>, tile<256xf32>, tile<256xi1> -> token\n"
)
COPIES = {
    "copied": WHOLE + PUT.format("v"),
    "copied inside": MASKED + PUT_INSIDE.format("v"),
    "doubled": WHOLE + ADDED + PUT.format("w"),
    "doubled inside": MASKED + ADDED + PUT_INSIDE.format("w"),
    "filled": MASKED + ADDED + PUT.format("w"),
    "negated": WHOLE
    + "".join(f"%n{at + 1} = negf %{f'n{at}' if at else 'v'} : tile<256xf32>\n" for at in range(9))
    + PUT.format("n9"),
}


@pytest.mark.parametrize("name", COPIES)
@pytest.mark.parametrize("cpu", CPUS)
def test_words_that_are_moved(cpu: str, name: str) -> None:
    """With few operations a nest moves whole tiles or single words: all, or those below a limit."""
    x, y = np.arange(1, 257, dtype=np.float32), np.full(256, 7, np.float32)
    compiled(of_pointers(COPIES[name]), cpu).launch((1, 1, 1), [x, y, 100])
    wanted = {"negated": -x, "copied": x, "copied inside": x}.get(name, 2 * x)
    if name.endswith("inside"):
        wanted = np.where(np.arange(256) < 100, wanted, 7)
    if name == "filled":
        wanted = np.where(np.arange(256) < 100, wanted, -2)
    assert y.tolist() == wanted.tolist()


def scan(shape: str, dimension: int, reverse: str) -> str:
    """A kernel that sums along a dimension of one tile."""
    whole = f"tensor_view<{shape}xi32, strides=[{shape.split('x')[1]},1]>"
    view, tile = f"partition_view<tile=({shape}), {whole}>", f"tile<{shape}xi32>"
    rows, columns = shape.split("x")
    return f"""cuda_tile.module @m {{
  entry @k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {{
    %z = constant <i32: 0> : tile<i32>
    %xa = make_tensor_view %x, shape = [{rows}, {columns}], strides = [{columns}, 1] : {whole}
    %xv = make_partition_view %xa : {view}
    %ya = make_tensor_view %y, shape = [{rows}, {columns}], strides = [{columns}, 1] : {whole}
    %yv = make_partition_view %ya : {view}
    %v, %t = load_view_tko weak %xv[%z, %z] : {view}, tile<i32> -> {tile}, token
    %s = scan %v dim={dimension} reverse={reverse} identities=[0 : i32] : {tile} -> {tile}
      (%l: tile<i32>, %r: tile<i32>) {{ %lr = addi %l, %r : tile<i32> yield %lr : tile<i32> }}
    %u = store_view_tko weak %s, %yv[%z, %z] : {tile}, {view}, tile<i32> -> token
    return
  }}
}}
"""


SCANS = {"64x1": (64, 1, 0), "1x64": (1, 64, 1), "16x2": (16, 2, 0), "2x1": (2, 1, 0), "8x32": (8, 32, 0)}


@pytest.mark.parametrize("reverse", ["false", "true"])
@pytest.mark.parametrize("shape", SCANS)
def test_scans_of_narrow_tiles(shape: str, reverse: str) -> None:
    rows, columns, dimension = SCANS[shape]
    x = np.random.default_rng(rows).integers(-99, 99, (rows, columns), np.int32)
    y = np.zeros_like(x)
    tilewright.launch(scan(shape, dimension, reverse), "k", 1, [x, y], target="cpu")
    turned = np.flip(x, dimension) if reverse == "true" else x
    wanted = np.cumsum(turned, dimension, dtype=np.int32)
    assert y.tolist() == (np.flip(wanted, dimension) if reverse == "true" else wanted).tolist()


PROGRAMS = {
    "streamed": STREAMED,
    "expanded": EXPANDED,
    "counted": COUNTED,
    "extents": EXTENTS,
    "updated": UPDATED,
    "one-place": ONE_PLACE,
    **{name.replace(" ", "-"): of_pointers(body) for name, body in COPIES.items()},
    **{f"scan-{shape}": scan(shape, row[2], "false") for shape, row in SCANS.items()},
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_code_is_as_before(name: str, bless: bool) -> None:
    compare(KEPT, name, stages(PROGRAMS[name]), bless=bless)
