"""Loops whose loads run ahead: what they compute, where nothing runs ahead, and that each wait and barrier is needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.test_trace_of_matmul import Trace
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import (
    HALF,
    compiled,
    integers,
    kernel,
    load,
    ptx_of,
    same,
    store,
    view,
)
from tilewright import Module, ptxsim
from tilewright.abi.layouts import descriptors
from tilewright.dialects.common.chips import CHIPS
from tilewright.dialects.llvm.ops.aggregate import ConstantOp, ExtractValueOp
from tilewright.dialects.llvm.ops.arithmetic import OrOp, ShlOp
from tilewright.dialects.nv_tileas.ops_async import WaitOp
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError, Severity
from tilewright.lowering.schedule.analysis import ScheduleAnalysis
from tilewright.passes.analysis import AnalysisManager
from tilewright.passes.manager import PassManager
from tilewright.targets.nvptx.nvvm_to_ptx import translate
from tilewright.targets.nvptx.pipelines.materialise import MaterialiseSchedule
from tilewright.targets.nvptx.shared_memory import allocate
from tilewright.targets.nvptx.stages import CODE
from tilewright.targets.nvptx.tileas_to_nvvm.pipelines import (
    AwaitAll,
    Consume,
    CreateIterator,
    CreatePipeline,
    NextSlot,
    Produce,
)

SUM = "tile<32x32xf32>"
STEPS = 9
"""The tiles of 16 columns along the common dimension of the arrays."""
SHAPES = {"x": (32, 16 * STEPS), "y": (16 * STEPS, 32)}
PARAMETERS = "%x0: tile<ptr<{0}>>, %y0: tile<ptr<{0}>>, %z: tile<ptr<f32>>, %n: tile<i32>, %s: tile<i32>"
INTO = {"f16": "f32", "bf16": "f32", "i8": "i32"}


def aligned(element: str) -> str:
    """Return promises that the arrays of the factors begin at multiples of 16 bytes."""
    return "".join(f"%{name} = assume div_by<16>, %{name}0 : tile<ptr<{element}>>\n" for name in "xy")


def product(
    loop: str = "%c in (%zero to %n, step %s)",
    index: str = "",
    element: str = "f16",
    inside: str = "",
    padding: str = "",
) -> str:
    """A product along a loop. `index` computes `%at`, the number of the tile, from the counter `%c`."""
    (x, left), (y, right) = (
        view(name, shape, (32, 16) if name == "x" else (16, 32), element) for name, shape in SHAPES.items()
    )
    z, whole = view("z", (32, 32), (32, 32), "f32")
    at = "%at" if index else "%c"
    factors = f"tile<32x16x{element}>", f"tile<16x32x{element}>"
    body = aligned(element) + x + y + z + f"%begin = constant <f32: 0.0> : {SUM}\n"
    body += f"%sum = for {loop} : tile<i32> iter_values(%acc = %begin) -> ({SUM}) {{\n{index}"
    body += load("p", "x", left, f"%zero, {at}", factors[0]) + load(
        "q", "y", right, f"{at}, %zero", factors[1]
    )
    body += inside + f"%m = mmaf %p, %q, %acc : {factors[0]}, {factors[1]}, {SUM}\ncontinue %m : {SUM}\n}}\n"
    body += store("sum", "z", whole, "%zero, %zero", SUM)
    return kernel(PARAMETERS.format(element), body)


def arrays(length: int, step: int = 1, type: Any = HALF) -> list[Any]:
    factors = [integers(shape, type) for shape in SHAPES.values()]
    return [*factors, np.full((32, 32), 7, np.float32), length, step]


@pytest.mark.parametrize("chip", ["sm_80", "sm_90a"])
@pytest.mark.parametrize("length", range(STEPS + 1))
def test_loops_of_any_length(length: int, chip: str) -> None:
    assert "cp.async.c" in ptx_of(product(), chip)
    same(product(), (1,), arrays(length), chip)


@pytest.mark.parametrize("step", [1, 2, 3, 5])
def test_steps_that_are_known_at_run_time_only(step: int) -> None:
    same(product(), (1,), arrays(STEPS, step), "sm_80")


@pytest.mark.parametrize("length", [1, 3, 7])
def test_counters_of_later_iterations_do_not_wrap(length: int) -> None:
    """The counter of the iteration after the next is beyond the largest i32."""
    most = 2**31 - 1
    index = f"%first = constant <i32: {most - length}> : tile<i32>\n%at = subi %c, %first : tile<i32>\n"
    begin = (
        f"%low = constant <i32: {most - length}> : tile<i32>\n%high = constant <i32: {most}> : tile<i32>\n"
    )
    text = product("%c in (%low to %high, step %s)", index).replace("%x =", begin + "%x =")
    assert "cp.async.c" in ptx_of(text)
    same(text, (1,), arrays(0), "sm_80")


def nest(behind: str = "", stored: str = "sum") -> str:
    """A persistent kernel: a loop of products in a loop over rows. `behind` stands between the inner loop and the store
    of `stored`.
    """
    (x, left), (y, right) = view("x", (96, 64), (32, 16), "f16"), view("y", (64, 32), (16, 32), "f16")
    z, whole = view("z", (96, 32), (32, 32), "f32")
    body = (
        aligned("f16")
        + x
        + y
        + z
        + f"%begin = constant <f32: 0.0> : {SUM}\n%t = constant <i32: 3> : tile<i32>\n"
    )
    body += "for %r in (%zero to %t, step %one) : tile<i32> {\n%sum = for %c in (%zero to %n, step %one) : tile<i32>"
    body += f" iter_values(%acc = %begin) -> ({SUM}) {{\n"
    body += load("p", "x", left, "%r, %c", "tile<32x16xf16>") + load(
        "q", "y", right, "%c, %zero", "tile<16x32xf16>"
    )
    body += f"%m = mmaf %p, %q, %acc : tile<32x16xf16>, tile<16x32xf16>, {SUM}\ncontinue %m : {SUM}\n}}\n"
    body += behind + store(stored, "z", whole, "%r, %zero", SUM) + "continue\n}\n"
    return kernel("%x0: tile<ptr<f16>>, %y0: tile<ptr<f16>>, %z: tile<ptr<f32>>, %n: tile<i32>", body)


def nest_arrays(length: int) -> list[Any]:
    """The arguments of `nest`."""
    factors = [integers((96, 64), HALF), integers((64, 32), HALF)]
    return [*factors, np.zeros((96, 32), np.float32), length]


def test_loops_in_a_loop_use_their_ring_again() -> None:
    """The copies of one loop may not land in slots that the loop before is still read from."""
    text = nest()
    same(text, (1,), nest_arrays(4), "sm_80")
    ptx = ptx_of(text)
    wait = list(re.finditer(r"cp\.async\.wait_group 0;\s*bar\.sync\s+0;", ptx))[-1]
    given = nest_arrays(4)
    for schedule in range(3):
        launched(ptx, given, schedule)
    with pytest.raises(DiagnosticError, match="a store to bytes that an asynchronous operation still writes"):
        launched(ptx[: wait.start()] + ptx[wait.end() :], given)


TURNED_SUMS = nest(f"%turned = permute %sum [1, 0] : {SUM} -> {SUM}\n", "turned")


@cache
def turned_sums() -> bytes:
    """What `TURNED_SUMS` stores, for loops of four iterations."""
    wanted = nest_arrays(4)
    tilewright.launch(TURNED_SUMS, "k", 1, wanted, target="interp")
    return wanted[2].tobytes()


def with_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the shared memory of kernels planned as if no chip had enough of it."""
    planned = allocate.planned
    monkeypatch.setattr(allocate, "planned", lambda kernel, most: planned(kernel, 0))


def test_an_exchange_behind_a_loop_lies_where_its_ring_lay(monkeypatch: pytest.MonkeyPatch) -> None:
    """That is done where shared memory is short. A barrier then keeps the next copies behind the reads of the exchange."""
    usual = ptx_of(TURNED_SUMS)
    with_little_memory(monkeypatch)
    ptx = str(tilewright.compile(TURNED_SUMS, target="sim:sm_80").asm["ptx"])
    sizes = [int(re.findall(r"k_shared\[(\d+)\]", one)[0]) for one in (usual, ptx)]
    assert sizes == [2 * 4096 + 4096, 2 * 4096 + 1024]
    assert [one.count("bar.sync") for one in (usual, ptx)] == [4, 5]
    for schedule in range(3):
        given = nest_arrays(4)
        launched(ptx, given, schedule)
        assert given[2].tobytes() == turned_sums()


def test_an_exchange_before_the_wait_for_all_copies_lies_beside_the_ring(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The copies for iterations that do not exist write zeros, which land until then. The pass that makes pipelines has no
    exchange there, but a module that is given with layouts may have one.
    """
    module: Any = Module.parse(str(compiled(TURNED_SUMS, "sim:sm_80").asm["layouts"]))
    materialise, _, rest = CODE.partition(",")
    tilewright.PassManager.parse(f"builtin.module({materialise})").run(module)
    (wait,) = (op for op in module.operation.walk() if isinstance(op, WaitOp))
    assert wait.parent is not None
    ops = list(wait.parent)
    exchange, behind = ops[ops.index(wait) + 1 :][:2]
    assert isinstance(exchange, ConvertLayoutOp)
    wait.move_before(behind)
    with_little_memory(monkeypatch)
    tilewright.PassManager.parse(f"builtin.module({rest})").run(module)
    given = nest_arrays(4)
    launched(translate(module.operation, CHIPS["sm_80"]), given)
    assert given[2].tobytes() == turned_sums()


TURNED = "%q = permute %u [1, 0] : tile<32x16xf16> -> tile<16x32xf16>\n"
FLAT = "%p = reshape %w : tile<1x32x16xf16> -> tile<32x16xf16>\n"


def behind_views() -> str:
    """A factor that is stored turned, and another one in an array of one more dimension, as in attention."""
    x, left = view("x", (1, 32, 16 * STEPS), (1, 32, 16), "f16")
    (y, right), (z, whole) = (
        view("y", (32, 16 * STEPS), (32, 16), "f16"),
        view("z", (32, 32), (32, 32), "f32"),
    )
    body = aligned("f16") + x + y + z + f"%begin = constant <f32: 0.0> : {SUM}\n"
    body += f"%sum = for %c in (%zero to %n, step %s) : tile<i32> iter_values(%acc = %begin) -> ({SUM}) {{\n"
    body += load("w", "x", left, "%zero, %zero, %c", "tile<1x32x16xf16>") + FLAT
    body += load("u", "y", right, "%zero, %c", "tile<32x16xf16>") + TURNED
    body += f"%m = mmaf %p, %q, %acc : tile<32x16xf16>, tile<16x32xf16>, {SUM}\ncontinue %m : {SUM}\n}}\n"
    body += store("sum", "z", whole, "%zero, %zero", SUM)
    return kernel(PARAMETERS.format("f16"), body)


def turned_arrays(length: int) -> list[Any]:
    """The arguments of `behind_views`."""
    factors = [integers((1, 32, 16 * STEPS), HALF), integers((32, 16 * STEPS), HALF)]
    return [*factors, np.zeros((32, 32), np.float32), length, 1]


def test_factors_behind_views() -> None:
    text = behind_views()
    assert remarks(text) == ["the loads of the loop run 3 iterations ahead"]
    assert "st.shared" not in ptx_of(text)
    same(text, (1,), turned_arrays(STEPS), "sm_80")


def test_sums_of_rows_of_a_product_need_few_shuffles() -> None:
    """Threads hold neighbours of a row, and the product of the sums has the same order along its common dimension."""
    names = {"x": (64, 16), "y": (16, 32), "v": (32, 32)}
    made = {name: view(name, shape, shape, "f16") for name, shape in names.items()}
    (z, whole), (w, row) = view("z", (64, 32), (64, 32), "f32"), view("w", (64,), (64,), "f32")
    body = "".join(text for text, _ in made.values()) + z + w
    for name, value in zip(names, "pqr", strict=True):
        shape = "x".join(map(str, names[name]))
        body += load(value, name, made[name][1], "%zero, %zero", f"tile<{shape}xf16>")
    scores, factor = "tile<64x32xf32>", "tile<64x32xf16>"
    body += f"%begin = constant <f32: 0.0> : {scores}\n"
    body += f"%s = mmaf %p, %q, %begin : tile<64x16xf16>, tile<16x32xf16>, {scores}\n"
    body += f"%a = reduce %s dim=1 identities=[0.0 : f32] : {scores} -> tile<64xf32>\n"
    body += "(%e : tile<f32>, %f : tile<f32>) {\n%g = addf %e, %f : tile<f32>\nyield %g : tile<f32>\n}\n"
    body += f"%h = ftof %s : {scores} -> {factor}\n"
    body += f"%o = mmaf %h, %r, %begin : {factor}, tile<32x32xf16>, {scores}\n"
    body += store("o", "z", whole, "%zero, %zero", scores) + store("a", "w", row, "%zero", "tile<64xf32>")
    text = kernel(
        "%x: tile<ptr<f16>>, %y: tile<ptr<f16>>, %v: tile<ptr<f16>>, %z: tile<ptr<f32>>, %w: tile<ptr<f32>>",
        body,
    )
    assert ptx_of(text).count("shfl") == 2 * 2  # a thread has two rows, which four lanes share
    factors = [integers(shape, HALF) for shape in names.values()]
    same(text, (1,), [*factors, np.zeros((64, 32), np.float32), np.zeros(64, np.float32)], "sm_80")


def test_stages_are_as_many_as_shared_memory_has_room_for() -> None:
    large = product().replace("32x16", "128x128").replace("16x32", "128x128").replace("32x32", "128x128")
    large = re.sub(
        r"tensor_view<\w+x(f16|f32), strides=\[\d+,", r"tensor_view<1024x1024x\1, strides=[1024,", large
    )
    large = re.sub(r"shape = \[\d+, \d+\], strides = \[\d+,", "shape = [1024, 1024], strides = [1024,", large)
    assert remarks(large) == ["the loads of the loop run 1 iteration ahead"]
    assert remarks(large, "sm_86") == [
        "1 load of the loop runs 1 iteration ahead, not all: shared memory has no room for two stages"
    ]


@pytest.mark.parametrize("schedule", range(6))
def test_threads_in_any_order(schedule: int) -> None:
    given = arrays(STEPS)
    launched(ptx_of(product()), given, schedule)
    wanted = given[0].astype(np.float32) @ given[1].astype(np.float32)
    assert given[2].tobytes() == wanted.tobytes()


def launched(ptx: str, given: list[Any], schedule: int = 0, seed: int = 0) -> None:
    ptxsim.launch(ptx, "k", (1, 1, 1), (128, 1, 1), given, schedule=schedule, seed=seed)


NEEDED = re.compile(r"^\s*(cp\.async\.(wait_group|commit_group).*|bar\.sync.*);$", re.MULTILINE)


def without_each(ptx: str) -> Iterator[tuple[str, str]]:
    """Each wait, group and barrier of a kernel, with the kernel without it; not those behind the loop."""
    last = ptx.rindex("mma.sync")
    for found in NEEDED.finditer(ptx, 0, last):
        yield found[1], ptx[: found.start()] + ptx[found.end() :]


def is_told(ptx: str) -> bool:
    """Return whether a kernel computes something else, or the simulator refuses it, in one of several orders."""
    for schedule in range(4):
        for seed in (0, 1):
            given = arrays(STEPS)
            wanted = given[0].astype(np.float32) @ given[1].astype(np.float32)
            try:
                launched(ptx, given, schedule, seed)
            except DiagnosticError:
                return True
            if given[2].tobytes() != wanted.tobytes():
                return True
    return False


def test_no_wait_group_or_barrier_of_a_loop_is_needless() -> None:
    ptx = ptx_of(product())
    found = dict(without_each(ptx))
    assert len(found) >= 3
    assert not is_told(ptx)
    assert [line for line, faulty in without_each(ptx) if not is_told(faulty)] == []


def remarks(text: str, chip: str = "sm_80") -> list[str]:
    """The remarks about the loops of a kernel."""
    module = Module.parse(str(tilewright.compile(text, target=chip).asm["layouts"]))
    context = Context(())
    with context.diagnostics.collect() as found:
        PassManager(context).add(MaterialiseSchedule(explain=True)).run(module.operation)
    return [one.message for one in found if one.severity is Severity.REMARK]


def test_a_remark_says_how_far_loads_run_ahead() -> None:
    assert remarks(product()) == ["the loads of the loop run 3 iterations ahead"]


LEFT = view("x", SHAPES["x"], (32, 16), "f16")[1]


def stores_first(text: str) -> str:
    """A kernel whose first factor is overwritten before the loop, which waits for that."""
    stored = (
        "%two = constant <f16: 2.0> : tile<32x16xf16>\n%st = store_view_tko weak %two, %x_v[%zero, %one] :"
    )
    stored += f" tile<32x16xf16>, {LEFT}, tile<i32> -> token\n"
    loaded = "load_view_tko weak %x_v[%zero, %c]"
    return text.replace("%begin = ", f"{stored}%begin = ", 1).replace(loaded, f"{loaded} token = %st", 1)


def stores_inside(text: str) -> str:
    """A kernel whose loop overwrites the first factor of the next iteration, which waits for that."""
    stored = "%d = addi %c, %one : tile<i32>\n%two = constant <f16: 2.0> : tile<32x16xf16>\n"
    stored += f"%st = store_view_tko weak %two, %x_v[%zero, %d] token = %p_t : tile<32x16xf16>, {LEFT}, tile<i32> -> token\n"
    carried = text.replace("iter_values(%acc = %begin)", "iter_values(%acc = %begin, %old = %first)")
    carried = carried.replace(f"-> ({SUM}) {{", f"-> ({SUM}, token) {{\n").replace(
        "%sum = for", "%sum, %last = for"
    )
    carried = carried.replace("%begin = ", "%first = make_token : token\n%begin = ", 1)
    carried = carried.replace(
        "load_view_tko weak %x_v[%zero, %c]", "load_view_tko weak %x_v[%zero, %c] token = %old"
    )
    return carried.replace(f"continue %m : {SUM}", f"{stored}continue %m, %st : {SUM}, token")


def test_a_load_waits_for_a_store_of_its_loop() -> None:
    text = stores_inside(product())
    (found,) = remarks(text)
    assert found.startswith("1 load of the loop runs 1 iteration ahead, not all: ")
    assert found.endswith("a load waits for 'nv_tileas.store' of an earlier iteration, or of its own")
    same(text, (1,), arrays(STEPS - 1), "sm_80")


@pytest.mark.parametrize("length", [0, 1, 4])
def test_unaligned_tiles_run_ahead_in_registers(length: int) -> None:
    """No asynchronous copy moves two bytes."""
    text = product().replace("assume div_by<16>", "assume div_by<2>")
    assert remarks(text) == ["the loads of the loop run 1 iteration ahead in registers"]
    assert "cp.async" not in ptx_of(text)
    same(text, (1,), arrays(length, 2), "sm_80")


def test_one_factor_in_a_ring_and_one_in_registers() -> None:
    """The load of the other one waits for a store before the loop."""
    text = stores_first(product()).replace("%x = assume div_by<16>", "%x = assume div_by<2>")
    assert remarks(text) == [
        "1 load of the loop runs 3 iterations ahead, and 1 1 iteration ahead in registers"
    ]
    same(text, (1,), arrays(STEPS), "sm_80")


@pytest.mark.parametrize("step", [1, 2])
def test_addresses_follow_from_scalars_that_the_loop_passes_on(step: int) -> None:
    """The number of the tile is no function of the counter that the compiler knows."""
    text = product(
        inside="%next = addi %at, %one : tile<i32>\n%after = maxi %next, %one signed : tile<i32>\n", index=" "
    )
    text = text.replace("iter_values(%acc = %begin)", "iter_values(%acc = %begin, %at = %zero)")
    text = text.replace(f"-> ({SUM}) {{", f"-> ({SUM}, tile<i32>) {{").replace(
        "%sum = for", "%sum, %end = for"
    )
    text = text.replace(f"continue %m : {SUM}", f"continue %m, %after : {SUM}, tile<i32>")
    assert remarks(text) == ["the loads of the loop run 3 iterations ahead"]
    for length in (1, 7):
        same(text, (1,), arrays(length, step), "sm_80")


def test_loads_of_a_loop_wait_for_a_store_before_it() -> None:
    """The copies of the first iterations are behind a barrier that the store of other threads comes before."""
    text = stores_first(product())
    assert remarks(text) == ["the loads of the loop run 3 iterations ahead"]
    ptx = ptx_of(text)
    stored, copied = ptx.index("st.global"), ptx.index("cp.async.c")
    assert "bar.sync" in ptx[stored:copied]
    same(text, (1,), arrays(STEPS), "sm_80")


def storing() -> str:
    """A product that stores its sum so far in each iteration."""
    whole = view("z", (32, 32), (32, 32), "f32")[1]
    stored = f"%st = store_view_tko weak %acc, %z_v[%zero, %zero] : {SUM}, {whole}, tile<i32> -> token\n"
    return product(inside=stored)


def test_loads_run_ahead_of_stores_that_they_do_not_wait_for() -> None:
    assert remarks(storing()) == ["the loads of the loop run 3 iterations ahead"]


def test_chips_without_asynchronous_copies() -> None:
    assert remarks(product(), "sm_75") == ["no load of the loop runs ahead: sm_75 has no asynchronous copies"]


def test_tiles_that_lie_turned_in_memory_are_loaded_along_their_rows() -> None:
    """The view names the columns of the array first: its rows are adjacent along the first dimension of the tile."""
    whole = f"tensor_view<{16 * STEPS}x32xf16, strides=[1,{16 * STEPS}]>"
    cut = f"partition_view<tile=(16x32), {whole}>"
    text = product()
    (_, right), (made, _) = view("y", SHAPES["y"], (16, 32), "f16"), view("y", SHAPES["y"], (16, 32), "f16")
    turned = (
        f"%y_a = make_tensor_view %y, shape = [{16 * STEPS}, 32], strides = [1, {16 * STEPS}] : {whole}\n"
    )
    text = text.replace(made, f"{turned}%y_v = make_partition_view %y_a : {cut}\n").replace(right, cut)
    assert remarks(text) == ["the loads of the loop run 3 iterations ahead"]
    assert "ld.global" not in ptx_of(text)
    same(
        text,
        (1,),
        [integers(SHAPES["x"], HALF), integers((32, 16 * STEPS), HALF), *arrays(STEPS)[2:]],
        "sm_80",
    )


GATHERED = """
%low = constant <i32: 0> : tile<32xi32>
%inside = cmpi greater_than_or_equal %index, %low, signed : tile<32xi32> -> tile<32xi1>
%outside = constant <i32: -1> : tile<32xi32>
%known = select %inside, %index, %outside : tile<32xi1>, tile<32xi32>
%i1 = reshape %known : tile<32xi32> -> tile<32x1xi32>
%i2 = broadcast %i1 : tile<32x1xi32> -> tile<32x16xi32>
%wide = exti %i1 signed : tile<32x1xi32> -> tile<32x1xi64>
%i3 = broadcast %wide : tile<32x1xi64> -> tile<32x16xi64>
%limit = constant <i64: 80> : tile<32x16xi64>
%exists = cmpi less_than %i3, %limit, unsigned : tile<32x16xi64> -> tile<32x16xi1>
%width = constant <i32: 144> : tile<32x16xi32>
%begin_of_row = muli %i2, %width : tile<32x16xi32>
%b1 = reshape %x : tile<ptr<f16>> -> tile<1x1xptr<f16>>
%b2 = broadcast %b1 : tile<1x1xptr<f16>> -> tile<32x16xptr<f16>>
%left_out = constant <f16: 0.0> : tile<32x16xf16>
%columns = iota : tile<16xi32>
"""
"""Rows of an array by their numbers; rows from 80 on are left out."""
GATHER = """
%sixteen = constant <i32: 16> : tile<i32>
%first = muli %c, %sixteen : tile<i32>
%f1 = reshape %first : tile<i32> -> tile<1xi32>
%f2 = broadcast %f1 : tile<1xi32> -> tile<16xi32>
%column = addi %f2, %columns : tile<16xi32>
%c1 = reshape %column : tile<16xi32> -> tile<1x16xi32>
%c2 = broadcast %c1 : tile<1x16xi32> -> tile<32x16xi32>
%there = cmpi less_than %c2, %width, signed : tile<32x16xi32> -> tile<32x16xi1>
%mask = andi %exists, %there : tile<32x16xi1>
%place = addi %begin_of_row, %c2 : tile<32x16xi32>
%q0 = offset %b2, %place : tile<32x16xptr<f16>>, tile<32x16xi32> -> tile<32x16xptr<f16>>
%p, %token = load_ptr_tko weak %q0, %mask, %left_out : tile<32x16xptr<f16>>, tile<32x16xi1>, tile<32x16xf16> -> tile<32x16xf16>, token
"""


def test_gathered_rows_run_ahead_without_exchanges_of_masks() -> None:
    """A mask takes a byte for an element in an exchange: it is computed anew where its rows are known."""
    (y, right), (z, whole) = view("y", SHAPES["y"], (16, 32), "f16"), view("z", (32, 32), (32, 32), "f32")
    w, numbers = view("w", (32,), (32,), "i32")
    body = (
        aligned("f16")
        + y
        + z
        + w
        + load("index", "w", numbers, "%zero", "tile<32xi32>")
        + GATHERED
        + f"%begin = constant <f32: 0.0> : {SUM}\n"
    )
    body += f"%sum = for %c in (%zero to %n, step %s) : tile<i32> iter_values(%acc = %begin) -> ({SUM}) {{\n"
    body += GATHER + load("q", "y", right, "%c, %zero", "tile<16x32xf16>")
    body += f"%m = mmaf %p, %q, %acc : tile<32x16xf16>, tile<16x32xf16>, {SUM}\ncontinue %m : {SUM}\n}}\n"
    body += store("sum", "z", whole, "%zero, %zero", SUM)
    text = kernel(PARAMETERS.format("f16") + ", %w: tile<ptr<i32>>", body)
    assert remarks(text) == ["the loads of the loop run 3 iterations ahead"]
    ptx = ptx_of(text)
    assert "selp.b16" not in ptx
    assert "st.shared.b8" not in ptx
    given = [integers((96, 16 * STEPS), HALF), integers(SHAPES["y"], HALF), *arrays(STEPS)[2:]]
    same(text, (1,), [*given, np.arange(0, 96, 3, dtype=np.int32)], "sm_80")


def test_a_compilation_asks_for_the_schedule_and_converts_the_pipeline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[type[object]] = []
    get = AnalysisManager.get

    def noted(self: AnalysisManager, kind: type[Any]) -> Any:
        asked.append(kind)
        return get(self, kind)

    monkeypatch.setattr(AnalysisManager, "get", noted)
    trace = Trace()
    compilation = tilewright.compile(product(), target="sm_80", instrumentations=[trace])
    module = compilation.module("cute")
    patterns = {CreatePipeline, CreateIterator, NextSlot, Produce, Consume, AwaitAll}
    assert asked == [ScheduleAnalysis]
    assert patterns <= set(trace.applied)
    assert all(pattern.one_to_n for pattern in patterns)
    assert [trace.applied[one] for one in (CreatePipeline, Produce, Consume)] == [1, 4, 1]
    tokens = [op for op in module.walk() if isinstance(op, OrOp) and is_token(op)]
    assert len(tokens) == trace.applied[Produce]


def is_token(op: OrOp) -> bool:
    """Whether an operation computes `(slot << 1) | phase` of an iterator, as the layout of tokens has it."""
    slot, phase = 5, 1
    shifted, taken = (value.owner for value in op.operands)
    if not isinstance(shifted, ShlOp) or not isinstance(taken, ExtractValueOp):
        return False
    of_slot, one = (value.owner for value in shifted.operands)
    assert isinstance(one, ConstantOp)
    assert isinstance(one.value, IntegerAttr)
    assert isinstance(of_slot, ExtractValueOp)
    assert (of_slot.position, taken.position) == ((0,), (1,))
    assert of_slot.container is taken.container
    return slot << one.value.value | phase == descriptors.pipeline_token(slot, bool(phase))


def test_loops_of_one_kernel_share_the_shared_memory() -> None:
    """Two loops whose rings of three stages would not fit beside each other: they lie over each other."""
    (x, left), (y, right) = view("x", (128, 512), (128, 64), "f16"), view("y", (512, 128), (64, 128), "f16")
    z, whole = view("z", (128, 128), (128, 128), "f32")
    tile = "tile<128x128xf32>"
    body = aligned("f16") + x + y + z + f"%sum0 = constant <f32: 0.0> : {tile}\n"
    for at in range(2):
        body += f"%sum{at + 1} = for %c in (%zero to %n, step %one) : tile<i32>"
        body += f" iter_values(%acc = %sum{at}) -> ({tile}) {{\n"
        body += load("p", "x", left, "%zero, %c", "tile<128x64xf16>")
        body += load("q", "y", right, "%c, %zero", "tile<64x128xf16>")
        body += (
            f"%m = mmaf %p, %q, %acc : tile<128x64xf16>, tile<64x128xf16>, {tile}\ncontinue %m : {tile}\n}}\n"
        )
    text = kernel(PARAMETERS.format("f16"), body + store("sum2", "z", whole, "%zero, %zero", tile))
    assert remarks(text) == ["the loads of the loop run 2 iterations ahead"] * 2
    assert remarks(text, "sm_86") == ["the loads of the loop run 1 iteration ahead"] * 2
    assert ptx_of(text, "sm_86").count("cp.async.wait_group") == 4
