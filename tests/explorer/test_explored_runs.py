"""The run of a kernel: time bars, work of lines, the position under the limits of the machine, and what is shared of it."""

from __future__ import annotations

import contextlib
import io
import json
import threading
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tests.explorer.test_explored_programs import explored, line
from tilewright.driver.compile import compile
from tilewright.explorer import reproducer, roofline
from tilewright.explorer.schema import Argument, Kernel, Page, Timeline
from tilewright.explorer.timeline import of_blocks, trace_of
from tilewright.interp.launch import LoadedModule
from tilewright.runtime.recording import IS_POSSIBLE, BlockTime

KERNEL = """
import cuda.tile as ct
import numpy as np

@ct.kernel
def product(a, b, out):
    i = ct.bid(0)
    total = ct.full((16, 16), 0, ct.float32)
    for k in range(3):
        total = ct.mma(ct.load(a, (i, k), shape=(16, 16)), ct.load(b, (k, 0), shape=(16, 16)), total)
    print("tile", i)
    ct.store(out, (i, 0), total + 1)

a, b, out = (np.ones(shape, np.float32) for shape in ((64, 48), (48, 16), (64, 16)))
ct.launch(None, (4,), product, (a, b, out))
assert (out == 49).all()
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    found, status = explored(tmp_path_factory.mktemp("run"), KERNEL)
    assert status == 0
    return found


@pytest.mark.skipif(not IS_POSSIBLE, reason="the C library of this system has no such clock")
def test_every_tile_block_has_a_bar_and_what_kernels_print_is_printed_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    page, _ = explored(tmp_path, KERNEL)
    timeline = page.kernels[0].timeline
    assert sorted(block for _, _, _, block, _ in timeline.bars) == [0, 1, 2, 3]
    assert all(0 <= begin <= end for _, begin, end, _, _ in timeline.bars)
    assert min(begin for _, begin, _, _, _ in timeline.bars) == 0
    assert timeline.unit == "ns"
    assert capfd.readouterr().out.count("tile") == 4


def test_lanes_are_threads_and_the_one_that_launches_is_the_first() -> None:
    other, own = 5, threading.get_ident()
    found = of_blocks(
        [BlockTime(0, 110, 120, other), BlockTime(1, 115, 117, own), BlockTime(2, 121, 122, other)], 3
    )
    assert found.lanes == ["launching thread", "thread 2"]
    assert found.bars == [(1, 0, 10, 0, -1), (0, 5, 7, 1, -1), (1, 11, 12, 2, -1)]


def test_operations_and_bytes_are_those_of_the_launch(page: Page) -> None:
    found = page.kernels[0].roofline
    assert found.operations == 2 * 64 * 48 * 16 + 64 * 16, "the product, and the sum behind it"
    assert found.bytes == 4 * (64 * 48 + 48 * 16 + 64 * 16)
    assert [roof.unit for roof in found.roofs] == ["operations", "bytes", "bytes"]
    assert all(roof.rate > 0 for roof in found.roofs)


REDUCTION = """
cuda_tile.module @m {
  entry @f(%p: tile<ptr<f32>>) {
    %x = constant <f32: 1.0> : tile<8x16xf32>
    %r = reduce %x dim=1 identities=[0.0 : f32] : tile<8x16xf32> -> tile<8xf32>
      (%a: tile<f32>, %b: tile<f32>) { %s = addf %a, %b : tile<f32> yield %s : tile<f32> }
    %e = exp %r : tile<8xf32>
    %m = fma %e, %e, %e : tile<8xf32>
    return
  }
}
"""


def test_a_reduction_combines_all_elements_but_those_that_are_left() -> None:
    entered = roofline.Counter()
    LoadedModule(compile(REDUCTION).module("tileir")).begin(
        "f", (3, 1, 1), [np.zeros(1, np.float32)], entered=entered
    ).run()
    assert roofline.operations(entered) == 3 * ((8 * 16 - 8) + 8 + 2 * 8)


def test_a_launch_that_the_checks_stopped_has_no_time(tmp_path: Path) -> None:
    page, _ = explored(tmp_path, KERNEL.replace("ct.store(out, (i, 0)", "ct.store(out, (0, 0)"))
    kernel = page.kernels[0]
    assert kernel.findings
    assert not kernel.timeline.bars
    assert "checks stopped" in kernel.timeline.about


def test_the_simulator_has_lanes_of_warps_and_lines_with_their_work(tmp_path: Path) -> None:
    page, _ = explored(tmp_path, KERNEL.replace('    print("tile", i)\n', ""), "sim:sm_80")
    kernel = page.kernels[0]
    assert kernel.timeline.unit == "instructions"
    assert kernel.timeline.lanes[0] == "block 0, 0, 0: warp 0"
    assert {line(page, work.place) for work in kernel.work} >= {10, 11}
    assert all(work.instructions > 0 for work in kernel.work)
    assert {line(page, place) for *_, place in kernel.timeline.bars} & {10, 11}
    assert "Only launches on the CPU" in kernel.roofline.about


def test_the_file_for_perfetto_has_the_bars(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    trace_of(page).write(file)
    events = json.loads(file.read_text())["traceEvents"]
    spans = [one for one in events if one["ph"] == "X"]
    assert len(spans) == len(page.kernels[0].timeline.bars)
    begin, end = page.kernels[0].timeline.bars[0][1:3]
    assert (spans[0]["ts"], spans[0]["dur"]) == (begin / 1000, (end - begin) / 1000)


def test_a_reproducer_runs(page: Page) -> None:
    text = page.kernels[0].reproducer
    assert "# def product(a, b, out):" in text
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(text, names)
    arguments = names["arguments"]
    assert isinstance(arguments, list)
    arrays = [one for one in arguments if isinstance(one, np.ndarray)]
    assert [array.shape for array in arrays] == [(64, 48), (48, 16), (64, 16)]
    assert [names[name] is array for name, array in zip(("a", "b", "out"), arrays, strict=True)] == [True] * 3
    assert 'program.py":12:' in text, "operations keep their lines"
    assert (arrays[2] == 49).all()


VALUES = [
    np.arange(6, dtype=np.int32).reshape(2, 3)[:, ::2],
    np.array([0.5, float("nan"), float("inf")], np.float32),
    np.linspace(-2, 3, 100),
    np.arange(100, dtype=np.uint8),
    np.ones(80, ml_dtypes.bfloat16),
    np.zeros(3, bool),
    np.zeros((0, 4), np.float16),
    np.arange(200, dtype=np.int64)[::-2],
]


@pytest.mark.parametrize("value", VALUES, ids=[f"{one.dtype}{list(one.shape)}" for one in VALUES])
def test_a_reproducer_makes_arrays_of_the_same_type_extents_strides_and_range(value: np.ndarray) -> None:
    text = reproducer.text_of(
        "", ("k", (1, 1, 1)), [value, 3, 1.5], [Argument("x", "")] * 3, target="cpu", command="c"
    )
    names: dict[str, object] = {}
    exec(text.rpartition("tilewright.launch(")[0], names)
    (made, *numbers) = names["arguments"]
    assert numbers == [3, 1.5]
    assert (made.dtype, made.shape, made.strides) == (value.dtype, value.shape, value.strides)
    if 0 < value.size <= 64:
        assert np.array_equal(made, value, equal_nan=value.dtype.kind == "f")
    elif value.size:
        assert value.min() <= made.min() <= made.max() <= value.max()


def test_variables_of_a_reproducer_have_names_that_python_takes() -> None:
    words = ["x", "x", "np", "x_ptr", "argument 4", "self.weight", "lambda"]
    text = reproducer.text_of(
        "",
        ("k", (1, 1, 1)),
        list(range(7)),
        [Argument(word, "") for word in words],
        target="cpu",
        command="c",
    )
    names: dict[str, object] = {}
    exec(text.rpartition("tilewright.launch(")[0], names)
    assert names["arguments"] == list(range(7))
    assert "arguments = [x, x_1, np_2, x_ptr, argument_4, self_weight, argument_6]" in text


def test_text_of_a_kernel_cannot_end_the_text_of_a_reproducer() -> None:
    hostile = 'module """\nimport os\n"""'
    name = "k'\nimport os\n'"
    text = reproducer.text_of(
        hostile, (name, (1, 1, 1)), [], [], target="cpu", command="a\nimport os", source="x = 1\r import os"
    )
    assert not [row for row in text.splitlines() if row.strip().startswith("import os")]


def test_a_page_without_a_run_says_so() -> None:
    assert Kernel("k", "cpu").timeline == Timeline()
    assert "without a run" in Kernel("k", "cpu").timeline.about
