"""Programs written for CuPy, on the CPU."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from tilewright.cuda_programs import python_programs
from tilewright.gpu_programs import ProgramSettings, cupy_kernels, routed
from tilewright.gpu_programs.refusals import NoAnswerError


@pytest.fixture(name="cp")
def cupy() -> Iterator[Any]:
    with routed(ProgramSettings(gpu="sm_89")):
        yield import_module("cupy")


def test_arrays_are_cupys_and_copies_are_numpys(cp: Any) -> None:
    host = np.arange(4.0)
    x = cp.asarray(host)
    x += 1
    assert isinstance(x, cp.ndarray)
    assert host.tolist() == [0, 1, 2, 3]
    for copy in (cp.asnumpy(x), x.get()):
        assert type(copy) is np.ndarray
        assert not np.shares_memory(copy, x)
        assert copy.tolist() == [1, 2, 3, 4]


def test_results_of_functions_stay_on_the_gpu(cp: Any) -> None:
    x = cp.ones((2, 3), dtype=cp.float32)
    for result in (cp.exp(x), x + 1, x[0], x[0, 0], cp.sum(x), x.sum(), cp.zeros_like(x), cp.split(x, 2)[0]):
        assert isinstance(result, cp.ndarray)
    assert float(x.sum()) == 6
    assert isinstance(cp.random.default_rng(0).random(3), cp.ndarray)
    assert isinstance(cp.linalg.norm(x), cp.ndarray)


def test_the_library_of_an_array_is_found(cp: Any) -> None:
    assert cp.get_array_module(cp.zeros(1)) is cp
    assert cp.get_array_module(np.zeros(1)) is np


def test_device_streams_and_events_answer(cp: Any) -> None:
    assert cp.cuda.Device(0).compute_capability == "89"
    assert cp.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"] == 128
    assert cp.cuda.get_current_stream().ptr == 0
    first, last = cp.cuda.Event(), cp.cuda.Event()
    with cp.cuda.Stream(non_blocking=True) as stream:
        assert cp.cuda.get_current_stream() is stream
        first.record()
    last.record()
    assert first.query()
    assert stream.query()
    assert cp.cuda.get_elapsed_time(first, last) > 0


def test_a_device_that_is_not_loaded_has_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """`pointer_to` and launches of CuPy's kernels take the device that runs CUDA C++ only if there is one."""
    monkeypatch.setattr(python_programs, "is_loaded", lambda: False)
    assert not cupy_kernels.is_used()
    with pytest.raises(ValueError, match="no memory of the device"):
        cupy_kernels.used_device()
    monkeypatch.delitem(sys.modules, python_programs.__name__)
    with pytest.raises(ValueError, match="no memory of the device"):
        cupy_kernels.used_device()


def test_modules_within_it_can_be_imported(cp: Any) -> None:
    assert import_module("cupy.cuda") is cp.cuda
    with pytest.raises(ModuleNotFoundError):
        import_module("cupy.nothing")


def test_code_for_a_gpu_is_refused_with_the_line(cp: Any) -> None:
    with pytest.raises(NoAnswerError) as caught:
        cp.ElementwiseKernel("T x", "T y", "y = x")
    (diagnostic,) = caught.value.diagnostics
    assert "cupy.ElementwiseKernel" in diagnostic.message
    assert (diagnostic.location.source or ("",))[0] == __file__
    with pytest.raises(AttributeError, match="without a GPU"):
        _ = cp.no_such_function


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (lambda cp: cp.cuda.runtime, "runtimeGetVersion"),
        (lambda cp: cp.get_default_memory_pool(), "used_bytes"),
        (lambda cp: cp.cuda.profiler, "initialize"),
    ],
)
def test_what_has_no_answer_is_refused_by_its_full_name(cp: Any, owner: Any, name: str) -> None:
    assert not hasattr(owner(cp), name)
    with pytest.raises(NoAnswerError, match=rf"'cupy\..*\.{name}'") as caught:
        getattr(owner(cp), name)()
    assert (caught.value.diagnostics[0].location.source or ("",))[0] == __file__


def test_profilers_and_markers_do_nothing(cp: Any) -> None:
    with cp.cuda.profiler.profile():
        cp.cuda.nvtx.RangePush("part")
        cp.cuda.nvtx.RangePop()
    cp.get_default_memory_pool().free_all_blocks()
    assert cp.cuda.get_device_id() == 0


def test_its_timing_helper_measures(cp: Any) -> None:
    profiler: Any = import_module("cupyx.profiler")
    calls: list[int] = []
    times = profiler.benchmark(calls.append, (1,), n_repeat=3, n_warmup=2)
    assert (len(calls), times.cpu_times.shape, times.gpu_times.shape) == (5, (3,), (1, 3))
    assert "append" in str(times)
    assert profiler.benchmark(calls.append, (1,), max_duration=0.0).cpu_times.size == 0
    with pytest.raises(AttributeError, match="without a GPU"):
        _ = import_module("cupyx").jit


def test_kernels_run_on_its_arrays(cp: Any) -> None:
    ct: Any = pytest.importorskip("cuda.tile")
    kernels: Any = import_module("tests.cutile.kernels")
    x = cp.arange(16, dtype=cp.float32)
    out = cp.zeros_like(x)
    ct.launch(cp.cuda.get_current_stream(), (2,), kernels.scale, (x, out, 2.0, 8))
    assert out.get().tolist() == [2.0 * i for i in range(16)]


def test_it_is_gone_afterwards() -> None:
    with routed(ProgramSettings()):
        ours = import_module("cupy")
    with contextlib.suppress(ModuleNotFoundError):
        assert import_module("cupy") is not ours
