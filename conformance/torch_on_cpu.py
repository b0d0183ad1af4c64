"""A pytest plugin that lets code written for CUDA tensors run on CPU tensors through tilewright.

    pytest -p conformance.torch_on_cpu path/to/cutile-python/test

Whatever asks torch for a CUDA device gets the CPU, streams and events become stand-ins, and ``cuda.tile.launch`` runs
on tilewright.  Nothing in the suite is edited.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Iterator
from typing import Any

import pytest
import torch
import torch.nn.attention
from torch.overrides import TorchFunctionMode

_CAPABILITY = (10, 0)


_WIDENED = frozenset(
    (
        "matmul",
        "__matmul__",
        "__rmatmul__",
        "mm",
        "bmm",
        "addmm",
        "linear",
        "layer_norm",
        "scaled_dot_product_attention",
    )
)
"""References that CUDA accumulates in f32 whatever the inputs; torch does not on the CPU."""
_HALF = (torch.float16, torch.bfloat16)


def _widened(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Call a reference on half-precision tensors in f64 and round once at the end."""
    tensors = [value for value in (*args, *kwargs.values()) if isinstance(value, torch.Tensor)]
    half = next((value.dtype for value in tensors if value.dtype in _HALF), None)
    if half is None:
        return func(*args, **kwargs)

    def wide(value: Any) -> Any:
        return value.double() if isinstance(value, torch.Tensor) and value.dtype in _HALF else value

    return func(*map(wide, args), **{key: wide(value) for key, value in kwargs.items()}).to(half)


def _to_cpu(value: Any) -> Any:
    """A device specification with every CUDA device replaced by the CPU."""
    if isinstance(value, str) and value.split(":")[0] == "cuda":
        return "cpu"
    if isinstance(value, torch.device) and value.type == "cuda":
        return torch.device("cpu")
    return value


class CudaIsCpu(TorchFunctionMode):
    """Rewrites the ``device`` of every torch function."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        named = {key: _to_cpu(value) for key, value in (kwargs or {}).items()}
        name = getattr(func, "__name__", "")
        if name in ("to", "type"):
            args = tuple(_to_cpu(value) for value in args)
        if name in ("cuda", "pin_memory"):
            return args[0]
        return _widened(func, args, named) if name in _WIDENED else func(*args, **named)


class Stream:
    """Stands in for a CUDA stream: everything on it is already done."""

    cuda_stream = 0
    device = torch.device("cpu")

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Takes what a stream takes."""

    def synchronize(self) -> None:
        """Nothing is pending."""

    wait_stream = wait_event = record_event = lambda self, *arguments: None

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *exception: object) -> None:
        return None


class Event(Stream):
    """Stands in for a CUDA event."""

    def record(self, *arguments: Any) -> None:
        """Nothing is pending."""

    def elapsed_time(self, other: Event) -> float:
        """Milliseconds: time is not measured here."""
        return 1.0


def _properties(*arguments: Any) -> Any:
    return types.SimpleNamespace(
        major=_CAPABILITY[0],
        minor=_CAPABILITY[1],
        multi_processor_count=4,
        name="tilewright",
        total_memory=1 << 33,
        L2_cache_size=1 << 20,
    )


def patch_torch() -> None:
    """Replace the parts of ``torch.cuda`` that suites use."""
    cuda: Any = torch.cuda
    cuda.is_available = lambda: True
    cuda.device_count = lambda: 1
    cuda.current_device = lambda: 0
    cuda.synchronize = lambda *arguments: None
    cuda.empty_cache = lambda: None
    cuda.current_stream = cuda.default_stream = lambda *arguments: Stream()
    cuda.Stream, cuda.Event = Stream, Event
    cuda.stream = lambda stream: contextlib.nullcontext(stream)
    cuda.device = lambda *arguments: contextlib.nullcontext()
    cuda.set_device = lambda *arguments: None
    cuda.get_device_capability = lambda *arguments: _CAPABILITY
    cuda.get_device_properties = _properties
    cuda.get_device_name = lambda *arguments: "tilewright"
    cuda._lazy_init = lambda: None
    attention: Any = torch.nn.attention
    attention.sdpa_kernel = lambda *arguments, **named: contextlib.nullcontext()
    tensor: Any = torch.Tensor
    tensor.cuda = lambda self, *arguments, **named: self
    tensor.is_cuda = property(lambda self: True)


def patch_frontend() -> None:
    """Answer what the frontend asks the driver, as a Blackwell GPU would."""
    from tests.cutile.vendor_launcher import provide_driver

    provide_driver()
    from cuda.tile import _cext
    from cuda.tile.compilation import KernelSignature

    extension: Any = _cext
    signature: Any = KernelSignature
    extension.get_compute_capability = lambda *arguments: _CAPABILITY
    signature.from_kernel_args = staticmethod(_signature)


def _signature(kernel: Any, arguments: Any, *conventions: Any) -> Any:
    """What ``KernelSignature.from_kernel_args`` answers, for host arrays."""
    from tilewright.cutile.compiler import bind_arguments
    from tilewright.cutile.frontend import frontend
    from tilewright.cutile.signature import kernel_signature

    parameters, binding = bind_arguments(kernel, arguments)
    return kernel_signature(frontend(), binding.facts, parameters.function_name)


@contextlib.contextmanager
def everything_on_cpu(target: str = "cpu") -> Iterator[None]:
    """Run code written for CUDA tensors on the CPU."""
    from tilewright import cutile

    patch_torch()
    patch_frontend()
    cutile.install(target=target)
    with CudaIsCpu():
        yield


_ACTIVE = contextlib.ExitStack()


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: Any) -> None:
    """Install everything before the suite's own configuration is imported."""
    _ACTIVE.enter_context(everything_on_cpu())


def pytest_unconfigure(config: Any) -> None:
    """Take it back."""
    _ACTIVE.close()
