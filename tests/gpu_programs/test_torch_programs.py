"""Programs written for CUDA tensors, on the CPU: what PyTorch says and does there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

import tilewright
from tilewright.gpu_programs import ProgramSettings, Routing, routed
from tilewright.gpu_programs.refusals import NoAnswerError

torch: Any = pytest.importorskip("torch")
pytest.importorskip("cuda.tile")


@pytest.fixture(autouse=True)
def routing() -> Iterator[Routing]:
    with routed(ProgramSettings(gpu="sm_90")) as made:
        yield made


def launch(kernel: str, *arguments: Any, grid: Any = (1,)) -> None:
    tile: Any = import_module("cuda.tile")
    kernels: Any = import_module("tests.gpu_programs.torch_kernels")
    tile.launch(torch.cuda.current_stream(), grid, getattr(kernels, kernel), arguments)


def test_kernels_run_on_cuda_tensors() -> None:
    x = torch.zeros(4, device="cuda")
    launch("add_one", x)
    assert x.tolist() == [1] * 4


def test_lists_of_tensors_reach_the_kernel() -> None:
    x, y = torch.arange(4.0, device="cuda"), torch.zeros(4, device="cuda")
    launch("copy_all", [x], [y], 4)
    assert torch.equal(x, y)


MAKERS = {
    "factory": lambda: torch.ones(2, 2, device="cuda:0"),
    "index": lambda: torch.ones(2, 2, device=0),
    "device object": lambda: torch.full((2, 2), 1.0, device=torch.device("cuda")),
    "like": lambda: torch.ones_like(torch.zeros(2, 2), device="cuda"),
    "cuda()": lambda: torch.ones(2, 2).cuda(),
    "to": lambda: torch.ones(2, 2).to("cuda"),
    "to with a type": lambda: torch.ones(2, 2).to("cuda", torch.float16),
    "to by name": lambda: torch.ones(2, 2).to(device="cuda", dtype=torch.float64, non_blocking=True),
    "to another's": lambda: torch.ones(2, 2).to(torch.zeros(1, device="cuda")),
    "new": lambda: torch.zeros(1, device="cuda").new_ones(2, 2),
    "operation": lambda: torch.ones(2, 2, device="cuda") * 1,
    "view": lambda: torch.ones(4, device="cuda").view(2, 2).t()[:, :],
    "copied memory": lambda: torch.as_tensor([[1.0, 1.0], [1.0, 1.0]], device="cuda"),
    "module": lambda: torch.nn.Linear(2, 2, device="cuda").weight,
    "moved module": lambda: torch.nn.Linear(2, 2).cuda().weight,
}


@pytest.mark.parametrize("name", MAKERS)
def test_tensors_say_that_they_are_on_the_gpu(name: str) -> None:
    made = MAKERS[name]()
    assert (made.device, made.is_cuda, made.is_cpu, made.get_device()) == (
        torch.device("cuda", 0),
        True,
        False,
        0,
    )
    assert made.cpu().device.type == "cpu"
    assert isinstance(made, torch.Tensor)


def test_default_devices_are_known() -> None:
    with torch.device("cuda"):
        assert torch.zeros(2).is_cuda
        assert torch.get_default_device().type == "cuda"
    assert not torch.zeros(2).is_cuda


def test_host_and_gpu_share_no_memory() -> None:
    host = torch.zeros(4)
    device = host.cuda()
    back = device.cpu()
    launch("add_one", device)
    assert (host.tolist(), back.tolist(), device.tolist()) == ([0] * 4, [0] * 4, [1] * 4)
    assert device.cuda() is device
    assert device.to("cuda") is device


def test_numpy_is_refused_as_on_a_gpu() -> None:
    with pytest.raises(TypeError, match=r"can't convert cuda:0 device type tensor to numpy"):
        torch.zeros(2, device="cuda").numpy()
    assert torch.zeros(2, device="cuda").cpu().numpy().tolist() == [0, 0]


def test_gradients_flow_between_devices() -> None:
    host = torch.ones(2, 2, requires_grad=True)
    weight = torch.ones(2, 2, device="cuda", requires_grad=True)
    (host.cuda() @ weight).cpu().sum().backward()
    assert (host.grad.device.type, weight.grad.device.type) == ("cpu", "cuda")
    assert host.grad.tolist() == weight.grad.tolist() == [[2, 2], [2, 2]]


def test_functions_with_gradients_of_their_own_get_cuda_tensors() -> None:
    seen: list[bool] = []

    def forward(context: Any, x: Any) -> Any:
        context.save_for_backward(x)
        return x * 2

    def backward(context: Any, gradient: Any) -> Any:
        seen.extend((gradient.is_cuda, context.saved_tensors[0].is_cuda))
        return gradient * 2

    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    double: Any = type("Double", (torch.autograd.Function,), members)
    x = torch.ones(2, device="cuda", requires_grad=True)
    double.apply(x * 1).sum().backward()
    assert seen == [True, True]


def test_the_device_has_the_properties_that_were_asked_for() -> None:
    assert torch.cuda.get_device_capability() == (9, 0)
    properties = torch.cuda.get_device_properties("cuda")
    assert (properties.multi_processor_count, properties.major) == (132, 9)
    assert "H100" in torch.cuda.get_device_name(0)
    assert torch.cuda.device_count() == 1
    with torch.cuda.device(0):
        torch.cuda.synchronize()


def test_streams_and_events_answer() -> None:
    stream, first, last = torch.cuda.Stream(), torch.cuda.Event(enable_timing=True), torch.cuda.Event()
    with torch.cuda.stream(stream):
        assert torch.cuda.current_stream() is stream
        first.record()
    last.record()
    assert torch.cuda.current_stream() is torch.cuda.default_stream()
    assert stream.cuda_stream != torch.cuda.default_stream().cuda_stream == 0
    assert first.elapsed_time(last) > 0
    assert last.query()


def test_graphs_run_when_they_are_replayed() -> None:
    x = torch.zeros(4, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        launch("add_one", x)
        doubled = x * 2
        doubled += 1
    assert x.tolist() == [0] * 4
    graph.replay()
    graph.replay()
    assert (x.tolist(), doubled.tolist()) == ([2] * 4, [5] * 4)


def test_values_cannot_be_read_while_a_graph_is_captured() -> None:
    x = torch.zeros(1, device="cuda")
    with pytest.raises(NoAnswerError, match="TW1302"), torch.cuda.graph(torch.cuda.CUDAGraph()):
        x.item()


def test_lists_are_not_captured_as_on_a_gpu() -> None:
    x = torch.zeros(4, device="cuda")
    with (
        pytest.raises(RuntimeError, match="List argument in CUDAGraph"),
        torch.cuda.graph(torch.cuda.CUDAGraph()),
    ):
        launch("copy_all", [x], [x.clone()], 4)
    assert not torch.cuda.is_current_stream_capturing()


def test_random_numbers_follow_the_seed() -> None:
    torch.cuda.manual_seed(3)
    first = torch.rand(2, device="cuda")
    generator = torch.Generator("cuda").manual_seed(3)
    assert torch.equal(first, torch.rand(2, device="cuda", generator=generator))
    assert generator.device.type == "cuda"


def test_what_only_a_gpu_knows_is_refused_with_the_line() -> None:
    with pytest.raises(RuntimeError) as caught:
        torch.cuda.memory_allocated()
    (diagnostic,) = caught.value.diagnostics  # pyright: ignore
    assert str(diagnostic.code) == "TW1300"
    assert "torch.cuda.memory_allocated" in diagnostic.message
    assert diagnostic.location.source[0] == __file__


def test_there_is_one_gpu() -> None:
    with pytest.raises(NoAnswerError, match="cuda:1"):
        torch.zeros(1, device="cuda:1")


def test_products_of_halves_are_rounded_once() -> None:
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(64, 512, generator=generator).half()
    y = torch.randn(512, 64, generator=generator).half()
    exact = (x.double() @ y.double()).half()
    assert torch.equal((x.cuda() @ y.cuda()).cpu(), exact)


def test_other_threads_have_the_gpu_too() -> None:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(torch.zeros(1, device="cuda").device.type))
    thread.start()
    thread.join()
    assert found == ["cuda"]


def test_findings_name_the_line_of_the_kernel() -> None:
    with routed(ProgramSettings.of(check="racecheck")):
        x = torch.zeros(1, device="cuda")
        with pytest.raises(tilewright.DiagnosticError) as caught:
            launch("everyone_writes", x, grid=(4,))
    file, line, _ = caught.value.diagnostics[0].location.source or ("", 0, 0)
    assert file.endswith("torch_kernels.py")
    assert line == 21


def test_everything_is_put_back(routing: Routing) -> None:
    inside = torch.zeros, torch.Tensor.to, torch.cuda.is_available, torch.Generator
    routing.stop()
    try:
        outside = torch.zeros, torch.Tensor.to, torch.cuda.is_available, torch.Generator
        assert all(one is not other for one, other in zip(inside, outside, strict=True))
        assert torch.zeros(2).device.type == "cpu"
    finally:
        routing.start()


def test_products_of_halves_add_to_what_is_there_in_f32() -> None:
    a, b = torch.ones(2, 4, device="cuda", dtype=torch.bfloat16), torch.ones(4, 3, device="cuda").bfloat16()
    total = torch.full((2, 3), 1.0, device="cuda")
    torch.addmm(total, a, b, out_dtype=torch.float32, out=total, beta=2.0)
    assert total.tolist() == [[6.0] * 3] * 2
    assert torch.addmm(total, a, b, out_dtype=torch.float32, alpha=0.5).tolist() == [[8.0] * 3] * 2


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32"])
def test_softmax_is_rounded_once(dtype: str) -> None:
    torch.manual_seed(0)
    kind = getattr(torch, dtype)
    logits = torch.randn(8, 4000, device="cuda").to(kind).requires_grad_()
    found = torch.log_softmax(logits, -1)
    exact = torch.log_softmax(logits.detach().double(), -1)
    assert torch.equal(found, exact.to(kind))
    (gradient,) = torch.autograd.grad(found, logits, torch.ones_like(found))
    assert torch.equal(gradient, (1 - 4000 * found.detach().double().exp()).to(kind))
