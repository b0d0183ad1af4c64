"""What programs ask PyTorch, Triton and CuPy about the GPU besides running kernels: timing, files, figures."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tilewright.gpu_programs import ProgramSettings, Routing, routed
from tilewright.gpu_programs.refusals import NoAnswerError

torch: Any = pytest.importorskip("torch")
pytest.importorskip("cuda.tile")


@pytest.fixture(autouse=True)
def routing() -> Iterator[Routing]:
    with routed(ProgramSettings(gpu="sm_90")) as made:
        yield made


def saved(value: Any) -> io.BytesIO:
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return file


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def stored(value: Any) -> Any:
    return torch.load(saved(value))


@pytest.mark.parametrize("through", [pickled, stored])
def test_tensors_come_back_to_their_device(through: Callable[[Any], Any]) -> None:
    found = through({"gpu": torch.arange(3.0, device="cuda")[1:], "host": torch.arange(2.0)})
    assert (found["gpu"].device.type, found["host"].device.type) == ("cuda", "cpu")
    assert (found["gpu"].tolist(), found["host"].tolist()) == ([1, 2], [0, 1])


def test_files_are_those_of_a_gpu() -> None:
    file = saved({"weight": torch.nn.Linear(2, 2, device="cuda").weight, "host": torch.zeros(1)})
    assert (file.getvalue().count(b"cuda:0"), file.getvalue().count(b"tilewright")) == (1, 0)
    kept = torch.load(file, map_location="cpu")
    assert {one.device.type for one in kept.values()} == {"cpu"}
    file.seek(0)
    moved = torch.load(file, map_location=torch.device("cuda"))
    assert {one.device.type for one in moved.values()} == {"cuda"}


def test_models_and_optimizers_are_loaded_where_they_are() -> None:
    model = torch.nn.Linear(2, 2).cuda()
    other = torch.nn.Linear(2, 2).cuda()
    other.load_state_dict(torch.load(saved(model.state_dict())))
    assert other.weight.is_cuda
    assert torch.equal(other.weight, model.weight)


@pytest.mark.parametrize("through", [pickled, lambda model: torch.load(saved(model), weights_only=False)])
def test_models_stay_models(through: Callable[[Any], Any]) -> None:
    model = torch.nn.Linear(2, 2).cuda()
    model.bias.requires_grad_(False)
    found = through(model)
    assert [(p.device.type, p.requires_grad) for p in found.parameters()] == [("cuda", True), ("cuda", False)]
    assert isinstance(found.weight, torch.nn.Parameter)
    assert torch.equal(found.weight, model.weight)


def test_profilers_record_the_cpu(capfd: pytest.CaptureFixture[str]) -> None:
    activities = torch.profiler.ProfilerActivity
    with torch.profiler.profile(activities=[activities.CPU, activities.CUDA]) as profile:
        torch.zeros(2, device="cuda").add_(1)
    assert any("add_" in entry.key for entry in profile.key_averages())
    torch.cuda.profiler.start()
    torch.cuda.profiler.stop()
    assert "CUDA" not in capfd.readouterr().err


def test_a_timer_of_torch_measures() -> None:
    timer: Any = import_module("torch.utils.benchmark").Timer
    x = torch.zeros(2, device="cuda")
    assert timer("x.add_(1)", globals={"x": x}).timeit(2).mean > 0


def test_tritons_timer_measures_and_its_kernels_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    testing: Any = pytest.importorskip("triton.testing")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    runtime: Any = import_module("triton.runtime")
    if "tilewright" not in import_module("triton.backends").backends:
        with pytest.raises(NoAnswerError, match="has no back end called 'tilewright'"):
            assert runtime.driver.active
        return
    x = torch.ones(6, device="cuda")
    assert testing.do_bench(lambda: x.add_(0), warmup=1, rep=2) > 0
    assert runtime.driver.active.get_current_target().arch == 90
    assert runtime.driver.active.utils.get_device_properties(0)["multiprocessor_count"] == 132
    out = torch.zeros(8, device="cuda")
    import_module("tests.triton_backend.jitted").add_kernel[(2,)](x, x, out, 6, BLOCK=4)
    assert out.tolist() == [2] * 6 + [0] * 2


@pytest.mark.parametrize(
    "call",
    [
        "torch.cuda.max_memory_allocated",
        "torch.cuda.memory.max_memory_allocated",
        "torch.accelerator.memory_allocated",
        "torch.cuda.host_memory_stats",
        "torch.cuda.current_blas_handle",
        "torch.cuda.current_solver_handle",
    ],
)
def test_figures_are_refused_wherever_they_are_asked_for(call: str) -> None:
    module, _, function = call.rpartition(".")
    with pytest.raises(NoAnswerError) as caught:
        getattr(import_module(module), function)()
    (diagnostic,) = caught.value.diagnostics
    assert function in diagnostic.message
    assert (diagnostic.location.source or ("",))[0] == __file__


def test_what_has_no_effect_here_is_accepted() -> None:
    torch.cuda.set_per_process_memory_fraction(0.5)
    torch.cuda.reset_max_memory_allocated()
    torch.cuda.reset_accumulated_memory_stats()
    torch.cuda.set_sync_debug_mode("default")
    torch.accelerator.empty_cache()
    assert torch.cuda.get_sync_debug_mode() == 0


def test_a_property_that_nobody_knows_is_refused_and_can_be_probed() -> None:
    properties = torch.cuda.get_device_properties()
    assert not hasattr(properties, "clock_rate")
    assert getattr(properties, "uuid", None) is None
    with pytest.raises(NoAnswerError, match="clock_rate"):
        _ = properties.clock_rate


def test_streams_and_events_of_any_device_are_the_gpus() -> None:
    stream, event = torch.Stream(device="cuda"), torch.Event("cuda", enable_timing=True)
    with torch.cuda.stream(stream):
        assert torch.accelerator.current_stream() is stream
    stream.record_event(event)
    torch.cuda.streams.Event().record()
    assert isinstance(stream, torch.cuda.Stream)
    assert (stream.device, event.device) == (torch.device("cuda", 0),) * 2
    assert "cuda_stream" in repr(stream)
    assert isinstance(torch.cuda.device(0), torch.cuda.device)


@pytest.mark.parametrize("backend", ["CUDNN_ATTENTION", "FLASH_ATTENTION", "EFFICIENT_ATTENTION", "MATH"])
def test_attention_is_computed_whichever_kernel_of_a_gpu_is_chosen(backend: str) -> None:
    attention = torch.nn.functional.scaled_dot_product_attention
    q, k, v = torch.randn(3, 1, 2, 8, 16, device="cuda", dtype=torch.float16)
    with torch.nn.attention.sdpa_kernel(getattr(torch.nn.attention.SDPBackend, backend)):
        found = attention(q, k, v, is_causal=True)
        assert torch.backends.cuda.math_sdp_enabled() == (backend == "MATH")
    weights = (q.double() @ k.double().mT / 4).masked_fill(
        ~torch.ones(8, 8, device="cuda").tril().bool(), -torch.inf
    )
    torch.testing.assert_close(found.double(), weights.softmax(-1) @ v.double(), atol=2e-3, rtol=2e-3)


@pytest.mark.parametrize("heads", [2, 6])
def test_many_scores_of_attention_are_computed_head_by_head(
    heads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is that of all heads at once; several heads of queries may share one of keys."""
    attention = torch.nn.functional.scaled_dot_product_attention
    q = torch.randn(2, heads, 8, 16, device="cuda", dtype=torch.float16)
    k, v = torch.randn(2, 2, 2, 8, 16, device="cuda", dtype=torch.float16)
    limits, found = [1 << 27, 3 * 8 * 8], list[Any]()
    for limit in limits:
        monkeypatch.setattr("tilewright.gpu_programs.pytorch.functions.MAXIMUM_SCORES", limit)
        found.append(attention(q, k, v, is_causal=True, enable_gqa=heads > 2))
    assert found[0].shape == q.shape
    assert torch.equal(*found)


def test_several_gpus_are_refused_by_name() -> None:
    assert not torch.distributed.is_nccl_available()
    with pytest.raises(
        NoAnswerError, match=r"'torch\.distributed\.init_process_group' starts NCCL"
    ) as caught:
        torch.distributed.init_process_group("nccl", rank=0, world_size=1)
    assert (caught.value.diagnostics[0].location.source or ("",))[0] == __file__


def test_cupy_shares_the_memory_of_tensors() -> None:
    cupy: Any = import_module("cupy")
    x = torch.zeros(4, device="cuda")
    cupy.asarray(x)[0] = 1
    cupy.from_dlpack(x)[1] = 2
    torch.as_tensor(cupy.asarray(x), device="cuda")[2] = 3
    assert x.tolist() == [1, 2, 3, 0]


def add_and_tell(tensor: Any, parameter: Any, queue: Any) -> None:
    """What a process does with what it was sent."""
    tensor.add_(1)
    is_parameter = isinstance(parameter, torch.nn.Parameter)
    queue.put((tensor.is_cuda, tensor.tolist(), is_parameter, parameter.is_cuda))


@pytest.mark.parametrize("how", ["spawn", "forkserver"])
def test_processes_get_tensors_of_the_gpu(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ProgramSettings(gpu="sm_90").environment().items():
        monkeypatch.setenv(name, value)  # as `tilewright run` does
    context = import_module("torch.multiprocessing").get_context(how)
    queue = context.Queue()
    sent = torch.zeros(3, device="cuda")[1:]
    parameter = torch.nn.Parameter(torch.ones(1, device="cuda"))
    process = context.Process(target=add_and_tell, args=(sent, parameter, queue))
    process.start()
    found = queue.get(timeout=100)
    process.join()
    assert found == (True, [1, 1], True, True)
    assert sent.tolist() == [1, 1]


def test_memory_of_the_host_is_pinned_and_that_of_the_gpu_is_not() -> None:
    plain = torch.ones(3)
    pinned = plain.pin_memory()
    assert (plain.is_pinned(), pinned.is_pinned(), pinned[1:].is_pinned()) == (False, True, True)
    assert pinned.pin_memory() is pinned
    assert torch.empty(2, pin_memory=True).is_pinned()
    assert torch.zeros(2, pin_memory=True, device="cpu").untyped_storage().is_pinned()
    assert not pinned.cuda().is_pinned()
    assert not pinned.clone().is_pinned()
    with pytest.raises(RuntimeError, match=r"cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors"):
        plain.cuda().pin_memory()
    with pytest.raises(RuntimeError, match="Only dense CPU tensors can be pinned"):
        torch.empty(2, device="cuda", pin_memory=True)
