"""``torch.cuda`` with one GPU, where all work is complete when the call that started it returns."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from tilewright.gpu_programs import refusals, streams
from tilewright.gpu_programs.chips import GpuProduct, usable_memory
from tilewright.gpu_programs.patches import Patches, always, no_context, nothing
from tilewright.gpu_programs.pytorch import figures, graphs as pytorch_graphs
from tilewright.gpu_programs.pytorch.tensors import Tensors

_DRIVER_CALLS = ("cudaProfilerStart", "cudaProfilerStop", "cudaDeviceSynchronize")
"""Calls of the driver that programs make through ``torch.cuda.cudart``; they have no effect on the CPU."""
_RESETS = (
    *("empty_cache", "ipc_collect", "set_per_process_memory_fraction", "set_sync_debug_mode", "_sleep"),
    *("reset_max_memory_allocated", "reset_max_memory_cached", "reset_accumulated_memory_stats"),
    *("reset_accumulated_host_memory_stats", "reset_peak_host_memory_stats", "empty_host_cache"),
)
"""Functions without effect on the CPU."""


class Stream(streams.Stream):
    """``torch.cuda.Stream``: a stream of the only GPU, `gpu`. The handle is the keyword ``stream_ptr`` or
    ``stream_id``, by default a new number. `priority` is stored without effect; `device` and other keywords
    are ignored.
    """

    gpu: Any = None
    device_type = 1
    """PyTorch's number for the device type of GPUs."""
    device_index = 0

    def __init__(self, device: Any = None, priority: int = 0, **named: Any) -> None:
        super().__init__(named.get("stream_ptr", named.get("stream_id")))
        self.priority = priority

    @property
    def device(self) -> Any:
        """The device of the stream: the only GPU."""
        return self.gpu

    @staticmethod
    def priority_range() -> tuple[int, int]:
        """Return the lowest and the highest priority: both are 0."""
        return 0, 0

    def __repr__(self) -> str:
        return f"<torch.cuda.Stream device={self.device} cuda_stream={self.handle:#x}>"

    @property
    def cuda_stream(self) -> int:
        """The handle of the stream, as PyTorch's attribute `cuda_stream`."""
        return self.handle

    @property
    def stream_id(self) -> int:
        """The handle of the stream, as PyTorch's attribute `stream_id`."""
        return self.handle

    @property
    def _as_parameter_(self) -> int:
        return self.handle

    def wait_stream(self, stream: Stream) -> None:
        """Return at once: the work of the other stream is complete."""

    def record_event(self, event: Event | None = None) -> Event:
        """Record an event on this stream, by default a new event, and return it."""
        event = event or Event()
        event.record(self)
        return event


class Event(streams.Event):
    """``torch.cuda.Event``, an event of the only GPU."""

    @property
    def device(self) -> Any:
        """The device of the event: the only GPU."""
        return Stream.gpu

    @property
    def cuda_event(self) -> int:
        """The handle of the event: a number that is unique in this process."""
        return id(self)

    event_id = cuda_event

    def ipc_handle(self) -> bytes:
        """Raise `NoAnswerError`: no other process could use the handle."""
        raise refusals.refusal("torch.cuda.Event.ipc_handle", "shares an event of the driver")


def install(tensors: Tensors, chip: GpuProduct, graphs: pytorch_graphs.Graphs, patches: Patches) -> None:
    """Patch ``torch.cuda`` and ``torch.accelerator``: functions about devices, streams, graphs and random
    numbers return the values of the GPU `chip`, and other functions that need a GPU raise `NoAnswerError`.
    `patches` undoes it.
    """
    torch = tensors.torch
    cuda = torch.cuda
    patches.set_all(Stream, {"gpu": tensors.device, "is_capturing": graphs.is_capturing_on})
    answers = {
        **_device_answers(tensors, chip),
        **_stream_answers(tensors, Stream(stream_ptr=0)),
        **_random_answers(torch),
        **graphs.answers(Stream),
    }
    figures.refuse_unanswered(cuda, "torch.cuda", answers, patches)
    for module in (cuda, cuda.memory, cuda.streams, cuda.graphs, cuda.random):
        patches.set_known(module, answers)
    patches.set(cuda, "_lazy_init", _refuse_device)
    patches.set_known(torch, {"Stream": Stream, "Event": Event})
    if hasattr(torch, "accelerator"):
        answers = _accelerator_answers(tensors, answers)
        figures.refuse_unanswered(torch.accelerator, "torch.accelerator", answers, patches)
        patches.set_known(torch.accelerator, answers)


def _refuse_device() -> None:
    """Raise `NoAnswerError`. PyTorch calls this function before it initialises a real GPU."""
    raise refusals.refusal(refusals.asked_function(), "asks for a real GPU")


def _device_answers(tensors: Tensors, chip: GpuProduct) -> dict[str, Callable[..., Any]]:
    memory = usable_memory(chip)
    properties = _properties(chip, memory)

    class Guard:
        """``torch.cuda.device``: a ``with`` block on the one GPU. Raises `NoAnswerError` for a GPU with
        another number than 0.
        """

        def __init__(self, device: Any = None) -> None:
            tensors.is_gpu(getattr(device, "device", device))
            self.idx = self.prev_idx = 0

        def __enter__(self) -> None:
            """Enter the device, which is always the current device."""

        def __exit__(self, *exception: object) -> None:
            """Restore nothing: there is only one device."""

    def named(answer: Any) -> Callable[..., Any]:
        def of_device(device: Any = None) -> Any:
            tensors.is_gpu(device)
            return answer

        return of_device

    return {
        "is_available": always(True),
        "is_initialized": always(False),
        "is_bf16_supported": always(True),
        "is_tf32_supported": always(True),
        "init": nothing,
        "device_count": always(1),
        "current_device": always(0),
        "set_device": named(None),
        "device": Guard,
        "device_of": Guard,
        "synchronize": named(None),
        **dict.fromkeys(_RESETS, nothing),
        "reset_peak_memory_stats": named(None),
        "get_device_capability": named(chip.capability),
        "get_device_properties": named(properties),
        "get_device_name": named(chip.name),
        "mem_get_info": named((memory, memory)),
        "get_arch_list": always([chip.architecture]),
        "can_device_access_peer": always(False),
        "get_allocator_backend": always("native"),
        "get_gencode_flags": always(_gencode_flags(chip)),
        "get_per_process_memory_fraction": always(1.0),
        "get_sync_debug_mode": always(0),
        "cudart": always(refusals.Answers("torch.cuda.cudart()", **dict.fromkeys(_DRIVER_CALLS, always(0)))),
    }


def _gencode_flags(chip: GpuProduct) -> str:
    """Return the options of the vendor's compiler for the architecture, such as ``-gencode
    compute=compute_90,code=sm_90``.
    """
    return f"-gencode compute={chip.architecture.replace('sm', 'compute')},code={chip.architecture}"


def _properties(chip: GpuProduct, memory: int) -> refusals.Answers:
    """Return the attributes of ``torch.cuda.get_device_properties`` that are known for the product; others
    raise `NoAttributeError`. `memory` is the number of bytes that programs see.
    """
    major, minor = chip.capability
    return refusals.Answers(
        "torch.cuda.get_device_properties()",
        name=chip.name,
        major=major,
        minor=minor,
        total_memory=memory,
        multi_processor_count=chip.multiprocessors,
        max_threads_per_multi_processor=chip.threads,
        max_threads_per_block=1024,
        warp_size=32,
        regs_per_multiprocessor=1 << 16,
        shared_memory_per_block=48 << 10,
        shared_memory_per_block_optin=chip.shared_memory - 1024,
        shared_memory_per_multiprocessor=chip.shared_memory,
        L2_cache_size=chip.l2_cache,
        is_integrated=0,
        is_multi_gpu_board=0,
    )


def _external_stream(stream_ptr: int, device: Any = None, **named: Any) -> Stream:
    return Stream(device, stream_ptr=stream_ptr)


def _stream_answers(tensors: Tensors, default: Stream) -> dict[str, Any]:
    def current(device: Any = None) -> Stream:
        tensors.is_gpu(device)
        return Stream.current(default)

    def choose(stream: Stream | None) -> Any:
        return contextlib.nullcontext() if stream is None else stream

    return {
        "Stream": Stream,
        "Event": Event,
        "ExternalStream": _external_stream,
        "current_stream": current,
        "default_stream": always(default),
        "stream": choose,
        "StreamContext": choose,
        "set_stream": Stream.choose,
    }


def _random_answers(torch: Any) -> dict[str, Callable[..., Any]]:
    """Return the functions of ``torch.cuda`` for random numbers, which use the CPU's generator."""
    generator = torch.default_generator

    def seed(number: int) -> None:
        generator.manual_seed(int(number))

    def get_state(device: Any = None) -> Any:
        return generator.get_state()

    def set_state(new_state: Any, device: Any = None) -> None:
        generator.set_state(new_state)

    def set_states(new_states: Sequence[Any]) -> None:
        generator.set_state(new_states[0])

    return {
        "manual_seed": seed,
        "manual_seed_all": seed,
        "seed": lambda: generator.seed(),
        "seed_all": lambda: generator.seed(),
        "initial_seed": lambda: generator.initial_seed(),
        "get_rng_state": get_state,
        "get_rng_state_all": lambda: [get_state()],
        "set_rng_state": set_state,
        "set_rng_state_all": set_states,
    }


def _accelerator_answers(tensors: Tensors, answers: dict[str, Any]) -> dict[str, Callable[..., Any]]:
    """Return the functions of ``torch.accelerator`` by name; they describe the GPU of ``torch.cuda``, whose
    functions `answers` has by name.
    """
    torch = tensors.torch
    return {
        "is_available": always(True),
        "device_count": always(1),
        "current_accelerator": always(torch.device("cuda")),
        "current_device_index": always(0),
        "current_device_idx": always(0),
        "set_device_index": answers["set_device"],
        "current_stream": answers["current_stream"],
        "set_stream": answers["set_stream"],
        "synchronize": answers["synchronize"],
        "get_memory_info": answers["mem_get_info"],
        "device_index": answers["device"],
        **dict.fromkeys(_RESETS, nothing),
        "reset_peak_memory_stats": nothing,
    }


def install_profiling(torch: Any, patches: Patches) -> None:
    """Patch the profilers of PyTorch so that they record no activities of the GPU, and the markers of
    ``torch.cuda.nvtx`` and ``torch.cuda.profiler`` so that they have no effect.
    """
    nvtx: Any = torch.cuda.nvtx
    patches.set_known(nvtx, dict.fromkeys(("range_push", "range_pop", "mark"), nothing))
    patches.set_known(nvtx, {"range": no_context})
    driver: Any = import_module("torch.cuda.profiler")
    patches.set_known(driver, {"start": nothing, "stop": nothing, "profile": no_context})
    gpu = torch.profiler.ProfilerActivity.CUDA
    profiler: Any = import_module("torch.profiler.profiler")
    here = frozenset(profiler.supported_activities()) - {gpu}
    patches.set(profiler._KinetoProfile, "__init__", _on_cpu(profiler._KinetoProfile.__init__, here))
    for module in (profiler, torch.profiler, import_module("torch.autograd.profiler")):
        names = ("supported_activities", "_supported_activities")
        patches.set_known(module, dict.fromkeys(names, always(here)))


def _on_cpu(original: Any, here: frozenset[Any]) -> Any:
    """Return a replacement for `original`, the ``__init__`` of a profiler. It records the requested
    activities that are in `here`; all of `here` if the program requests none, or none of them.
    """

    @functools.wraps(original)
    def initialise(self: Any, *, activities: Any = None, **named: Any) -> None:
        wanted = here if activities is None else here & frozenset(activities)
        original(self, activities=wanted or here, **named)

    return initialise
