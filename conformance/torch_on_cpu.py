"""A pytest plugin that lets code written for CUDA tensors run on CPU tensors through tilewright.

    pytest -p conformance.torch_on_cpu path/to/cutile-python/test

Whatever asks torch for a CUDA device gets the CPU, streams and events become stand-ins, and ``cuda.tile.launch`` runs
on tilewright.  Nothing in the suite is edited.
"""

from __future__ import annotations

import contextlib
import os
import types
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
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
_ELEMENTARY = frozenset(
    ("sqrt", "rsqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "exp2", "log", "log2")
)
"""References that the suite compares bit by bit; torch's f32 functions on the CPU are not correctly rounded."""
_HALF = (torch.float16, torch.bfloat16)
_NARROW = (*_HALF, torch.float32)


def _tensors(args: Any, kwargs: dict[str, Any]) -> list[torch.Tensor]:
    return [value for value in (*args, *kwargs.values()) if isinstance(value, torch.Tensor)]


def _in_double(func: Any, args: Any, kwargs: dict[str, Any], narrow: tuple[torch.dtype, ...]) -> Any:
    """Call a reference with the ``narrow`` tensors in f64."""

    def wide(value: Any) -> Any:
        return value.double() if isinstance(value, torch.Tensor) and value.dtype in narrow else value

    return func(*map(wide, args), **{key: wide(value) for key, value in kwargs.items()})


def _widened(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Call a reference on half-precision tensors in f64 and round once at the end."""
    result = kwargs.pop("out_dtype", None)  # of mm, which only CUDA has
    if result is not None:
        return _in_double(func, args, kwargs, _NARROW).to(result)
    dtypes = [value.dtype for value in _tensors(args, kwargs)]
    if torch.float32 in dtypes and torch.get_float32_matmul_precision() != "highest":
        return _in_double(func, map(_tf32, args), kwargs, _NARROW).float()
    half = next((dtype for dtype in dtypes if dtype in _HALF), None)
    return func(*args, **kwargs) if half is None else _in_double(func, args, kwargs, _HALF).to(half)


def _tf32(value: Any) -> Any:
    """An f32 tensor rounded to tf32, as CUDA's products may do with their operands."""
    if not isinstance(value, torch.Tensor) or value.dtype != torch.float32:
        return value
    bits = value.contiguous().view(torch.int32)
    return ((bits + 0xFFF + ((bits >> 13) & 1)) & ~0x1FFF).view(torch.float32)


def _elementary(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Call an elementary function in f64 and round once; integers count as f32, as everywhere in torch."""
    source = args[0] if isinstance(args[0], torch.Tensor) and not kwargs else None
    if source is None or source.dtype == torch.float64 or source.is_complex():
        return func(*args, **kwargs)
    result = source.dtype if source.is_floating_point() else torch.float32
    return func(source.to(result).double(), *args[1:]).to(result)


def _magnitude(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """``abs``, also of truth values, which CUDA alone takes."""
    return args[0].clone() if args[0].dtype == torch.bool else func(*args, **kwargs)


_SUBSTITUTES = {
    **dict.fromkeys(_WIDENED, _widened),
    **dict.fromkeys(_ELEMENTARY, _elementary),
    "abs": _magnitude,
}


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
        substitute = _SUBSTITUTES.get(name)
        return func(*args, **named) if substitute is None else substitute(func, args, named)


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

    time = 0.0

    def record(self, *arguments: Any) -> None:
        """Nothing is pending: it happens now."""
        self.time = perf_counter()

    def elapsed_time(self, other: Event) -> float:
        """Milliseconds from this event to the other."""
        return max((other.time - self.time) * 1e3, 1e-3)


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

    _provide_renamed()
    extension: Any = _cext
    signature: Any = KernelSignature
    extension.get_compute_capability = lambda *arguments: _CAPABILITY  # before modules take it by name
    _provide_compiler()
    signature.from_kernel_args = staticmethod(_signature)


def _provide_renamed() -> None:
    """Names that suites older than the installed cuda-tile import and that have been renamed since."""
    from cuda.tile import _datatype
    from cuda.tile._bytecode.type import SimpleType

    names: Any = _datatype
    if not hasattr(names, "_DTypePromotionImpl"):
        names._DTypePromotionImpl = types.SimpleNamespace(_order=list(names._promotion_table_short_names))
    simple: Any = SimpleType
    if not hasattr(simple, "F8E5M3FNU"):
        simple.F8E5M3FNU = simple.FNV8E5M3FNU


def _provide_compiler() -> None:
    """Suites ask the vendor's compiler for its version; where it is not installed it is that of the frontend."""
    from cuda.tile import _compile

    module: Any = _compile
    try:
        module._find_compiler_bin()
    except FileNotFoundError as error:
        missing, version = NoCompiler(str(error)), module._SUPPORTED_VERSIONS[-1]
        module._find_compiler_bin = lambda: missing
        module._get_max_supported_bytecode_version = lambda *arguments, **named: version


@dataclass(frozen=True, slots=True)
class NoCompiler:
    """Stands where the vendor's compiler would: it has no path, and whoever runs it is told why."""

    reason: str
    path: str = "not installed"

    def run(self, *arguments: Any, **named: Any) -> None:
        """Raises `FileNotFoundError`."""
        raise FileNotFoundError(self.reason)


def _signature(kernel: Any, arguments: Any, convention: Any = None, symbol: str | None = None) -> Any:
    """What ``KernelSignature.from_kernel_args`` answers, for host arrays."""
    from tilewright.cutile.compiler import bind_arguments
    from tilewright.cutile.facts import ArrayFacts
    from tilewright.cutile.frontend import frontend
    from tilewright.cutile.signature import kernel_signature

    parameters, binding = bind_arguments(kernel, arguments)
    facts = binding.facts
    if convention is not None and convention.code.endswith("1"):  # the first one knows no constant lengths
        facts = tuple(
            replace(item, length_constants=(None,) * item.rank) if isinstance(item, ArrayFacts) else item
            for item in facts
        )
    return kernel_signature(frontend(), facts, parameters.function_name)


@contextlib.contextmanager
def everything_on_cpu(target: str = "cpu", check: str = "") -> Iterator[None]:
    """Run code written for CUDA tensors on the CPU, with run-time checks if ``check`` names some."""
    from tilewright import cutile

    patch_torch()
    patch_frontend()
    cutile.install(target=target, check=check)
    with CudaIsCpu():
        yield


class BenchmarkHooks:
    """Hooks of pytest-benchmark that the suite's configuration implements, for where that is not installed."""

    def pytest_benchmark_update_json(self, config: Any, benchmarks: Any, output_json: Any) -> None:
        """Called with the results of benchmarks, of which there are none."""

    def pytest_benchmark_update_machine_info(self, config: Any, machine_info: Any) -> None:
        """Called with what a report of benchmarks says of the machine."""


_ACTIVE = contextlib.ExitStack()


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: Any) -> None:
    """Install everything before the suite's own configuration is imported, in processes it starts too."""
    here = Path(__file__).parent
    path = [str(here / "children"), str(here.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(path)
    if not early_config.pluginmanager.hasplugin("benchmark"):
        early_config.pluginmanager.add_hookspecs(BenchmarkHooks)
    _ACTIVE.enter_context(everything_on_cpu())


def pytest_unconfigure(config: Any) -> None:
    """Take it back."""
    _ACTIVE.close()
