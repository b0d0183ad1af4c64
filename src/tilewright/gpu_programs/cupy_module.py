"""CuPy for programs that run without a GPU: its arrays are NumPy arrays of a class whose device is a GPU.

Functions that CuPy has by the same name as NumPy are NumPy's. Functions that compile code for a GPU raise an
error.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np

from tilewright.gpu_programs import (
    chips as gpu_programs_chips,
    cupy_exchange,
    cupy_kernels,
    cupy_profiler,
    refusals,
    streams,
)
from tilewright.gpu_programs.cupy_device import Device, Stream
from tilewright.gpu_programs.patches import always, no_context, nothing

SUBMODULES = ("random", "linalg", "fft", "testing", "cuda")
"""The names of the submodules of CuPy."""
_COMPILING = ("ElementwiseKernel", "ReductionKernel")


Memory = Callable[[Any], Any]
_Array: Any = np.ndarray


class ndarray(_Array):  # its name, too, is CuPy's
    """``cupy.ndarray``: an array on the GPU, whose memory is host memory."""

    is_gpu_memory = True

    def __new__(cls, shape: Any, dtype: Any = float, memptr: Any = None, **named: Any) -> Any:
        """Return an array with undefined elements, or, with `memptr`, an array in the memory of the device at
        this pointer. Raises `ValueError` if the pointer is not in memory of a device that the program uses.
        """
        if memptr is None:
            return _Array.__new__(cls, shape, dtype, **named)
        device = cupy_kernels.used_device()
        memory = cupy_exchange.array_at(device, int(memptr.ptr), memptr)
        return _Array.__new__(cls, shape, dtype, memory, 0, named.get("strides"), named.get("order"))

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return on_gpu(array)

    def __getitem__(self, key: Any) -> Any:
        return on_gpu(_Array.__getitem__(self, key))

    def __repr__(self) -> str:
        """Return the text that CuPy prints: ``array(...)``."""
        return repr(self.view(np.ndarray))

    def get(self, stream: Any = None, order: str = "C", out: Any = None, blocking: bool = True) -> Any:
        """Return a copy as a NumPy array; with `out`, copy the elements into this array and return it. The
        other parameters have no effect.
        """
        if out is None:
            return host_copy(self)
        np.copyto(out, self.view(np.ndarray))
        return out

    def set(self, arr: Any, stream: Any = None) -> None:
        """Copy the elements of the NumPy array `arr` into this array; `stream` has no effect."""
        np.copyto(self.view(np.ndarray), arr)

    @property
    def device(self) -> Device:
        """The device of the array: the only GPU."""
        return Device(0)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return the kind and the number of the device whose memory `__dlpack__` passes on: the GPU if the
        program has a device that runs kernels in CUDA C++, otherwise the CPU.
        """
        return (cupy_exchange.GPU if cupy_kernels.is_used() else cupy_exchange.CPU), 0

    def __dlpack__(self, **options: Any) -> Any:
        """Return the array as a capsule of DLPack: with its address on the device if the program has a device
        that runs kernels in CUDA C++ and does not request the CPU, otherwise with host memory.
        """
        if not cupy_kernels.is_used() or options.get("dl_device") == (cupy_exchange.CPU, 0):
            return _Array.__dlpack__(self, **{**options, "stream": None})
        return cupy_exchange.exported(self, _Array.__dlpack__(self))

    @property
    def data(self) -> Any:
        """The memory: an object whose attribute ``ptr`` is the address."""
        return SimpleNamespace(ptr=cupy_kernels.pointer_to(self), device_id=0)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The memory as other packages read it, with the address on the device."""
        address = cupy_kernels.pointer_to(self)
        return {**self.__array_interface__, "data": (address, False), "version": 3}


def on_gpu(value: Any) -> Any:
    """Return a result of NumPy as CuPy returns it: arrays and NumPy scalars as arrays on the GPU, also within
    tuples and lists; other values unchanged.
    """
    if isinstance(value, ndarray):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return _Array.view(np.asarray(cast("Any", value)), ndarray)
    if type(value) in (tuple, list):
        return type(value)(map(on_gpu, value))
    return value


def host_copy(value: Any, *arguments: Any, **named: Any) -> Any:
    """``cupy.asnumpy``: return a copy as a NumPy array; the other arguments have no effect."""
    return np.array(value, copy=True, subok=False)


def _as_array_with(memory: Memory) -> Any:
    """Return the function ``cupy.asarray``: it copies host arrays, and shares the memory of arrays and
    tensors on the GPU, unless another type or order is requested. ``memory`` returns the host memory of an
    array or tensor on the GPU.
    """

    def as_array(a: Any, dtype: Any = None, order: Any = None, **named: Any) -> Any:
        if isinstance(a, ndarray) or getattr(a, "is_cuda", False):
            return on_gpu(np.asanyarray(memory(a), dtype, order))
        return on_gpu(np.array(a, dtype, order=order))

    return as_array


def _from_dlpack_with(memory: Memory, device: cupy_kernels.DeviceMaker) -> Any:
    """Return the function ``cupy.from_dlpack``: it shares the memory of an array or a tensor on the GPU.
    ``memory`` returns the host memory of such an array or tensor, and ``device`` the device that has the
    memory of other objects whose memory is on a GPU.
    """

    def from_dlpack(array: Any, **named: Any) -> Any:
        if isinstance(array, ndarray):
            return array.view()
        if not getattr(array, "is_cuda", False) and cupy_exchange.is_of_device(array):
            return on_gpu(cupy_exchange.from_device(device(), array))
        return on_gpu(np.from_dlpack(memory(array)))

    return from_dlpack


def _array_module(*arguments: Any) -> Any:
    return sys.modules["cupy"] if any(isinstance(one, ndarray) for one in arguments) else np


class CupySubmodule(ModuleType):
    """A module with the attributes `own` and otherwise the functions of `source`, a NumPy module; the results
    of these are arrays on the GPU. Reading an attribute that both lack raises `AttributeError`.
    """

    def __init__(self, name: str, source: Any, own: dict[str, Any]) -> None:
        super().__init__(name)
        self.__path__ = []
        self._source = source
        vars(self).update(own)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            found = getattr(self._source, name)
        except AttributeError:
            raise AttributeError(
                f"module '{self.__name__}' has no attribute '{name}' without a GPU"
            ) from None
        value = _with_gpu_results(found)
        setattr(self, name, value)
        return value


def _with_gpu_results(found: Any) -> Any:
    """Return a function that calls `found` and returns its results as arrays on the GPU. If `found` is a type
    or not callable, it is returned unchanged; a NumPy generator of random numbers is returned with methods of
    this kind.
    """
    if isinstance(found, type) or not callable(found):
        return found

    @functools.wraps(found, updated=())
    def call(*arguments: Any, **named: Any) -> Any:
        result = found(*arguments, **named)
        return _Numbers(result) if isinstance(result, np.random.Generator) else on_gpu(result)

    return call


RANDOM = (
    "rand",
    "randn",
    "random",
    "random_sample",
    "ranf",
    "sample",
    "uniform",
    "normal",
    "standard_normal",
)
"""The functions of ``cupy.random`` with a parameter ``dtype``, which NumPy's functions lack."""


def _with_type(found: Any) -> Any:
    """Return a function that calls `found`, a function of NumPy, and has the parameter ``dtype`` of CuPy: the
    type to which the result is converted, float64 by default. The result is on the GPU.
    """

    @functools.wraps(found, updated=())
    def call(*arguments: Any, dtype: Any = np.float64, **named: Any) -> Any:
        return on_gpu(np.asarray(found(*arguments, **named)).astype(dtype))

    return call


class _Numbers:
    """``cupy.random.Generator``: a random-number generator of NumPy with results on the GPU."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def __getattr__(self, name: str) -> Any:
        return _with_gpu_results(getattr(self._generator, name))


def make(
    chip: gpu_programs_chips.GpuProduct, memory: Memory, device: cupy_kernels.DeviceMaker
) -> dict[str, ModuleType]:
    """Return the modules of CuPy by name. ``memory`` returns the host memory of an array or tensor on the
    GPU, and other values unchanged. ``device`` returns the device that kernels in CUDA C++ run on.
    """
    cuda = CupySubmodule("cupy.cuda", SimpleNamespace(), _cuda(chip))
    submodules = {
        name: CupySubmodule(f"cupy.{name}", getattr(np, name), {}) for name in SUBMODULES if name != "cuda"
    }
    vars(submodules["random"]).update({name: _with_type(getattr(np.random, name)) for name in RANDOM})
    own: dict[str, Any] = {
        **submodules,
        "cuda": cuda,
        "ndarray": ndarray,
        "asarray": _as_array_with(memory),
        "from_dlpack": _from_dlpack_with(memory, device),
        "array": _with_gpu_results(np.array),
        "asnumpy": host_copy,
        "get_array_module": _array_module,
        "fuse": _unfused,
        "get_default_memory_pool": _memory_pool,
        "get_default_pinned_memory_pool": _memory_pool,
        **cupy_kernels.members(device),
        **{name: refusals.refusing(f"cupy.{name}", "compiles code for a GPU") for name in _COMPILING},
    }
    profiler = CupySubmodule("cupyx.profiler", SimpleNamespace(), cupy_profiler.MEMBERS)
    found: dict[str, ModuleType] = {
        "cupy": CupySubmodule("cupy", np, own),
        "cupy.cuda": cuda,
        "cupyx": CupySubmodule("cupyx", SimpleNamespace(), {"profiler": profiler}),
        "cupyx.profiler": profiler,
    }
    return found | {f"cupy.{name}": module for name, module in submodules.items()}


def _unfused(function: Any = None, **named: Any) -> Any:
    """``cupy.fuse``: return the function unchanged, since fusion would not change its result. Without a
    function, return a decorator that does this.
    """
    return _unfused if function is None else function


def _memory_pool() -> Any:
    return refusals.Answers("cupy.cuda.MemoryPool()", free_all_blocks=nothing, set_limit=nothing)


def _external_stream(ptr: int, device_id: int = -1) -> Stream:
    return Stream(ptr=ptr)


def _current_stream(device_id: int | None = None) -> Stream:
    return Stream.current(Stream.null)


def _cuda(chip: gpu_programs_chips.GpuProduct) -> dict[str, Any]:
    """Return the attributes of ``cupy.cuda`` by name, for the GPU `chip`."""
    memory = gpu_programs_chips.usable_memory(chip)
    major, minor = chip.capability
    properties: dict[str, Any] = {
        "name": chip.name.encode(),
        "major": major,
        "minor": minor,
        "multiProcessorCount": chip.multiprocessors,
        "totalGlobalMem": memory,
        "l2CacheSize": chip.l2_cache,
        "sharedMemPerMultiprocessor": chip.shared_memory,
        "warpSize": 32,
    }
    runtime = refusals.Answers(
        "cupy.cuda.runtime",
        getDeviceCount=always(1),
        getDevice=always(0),
        setDevice=nothing,
        deviceSynchronize=nothing,
        streamSynchronize=nothing,
        getDeviceProperties=always(properties),
        profilerStart=nothing,
        profilerStop=nothing,
        memGetInfo=always((memory, memory)),
    )
    return {
        "Device": functools.partial(Device, capability=f"{major}{minor}"),
        "Stream": Stream,
        "ExternalStream": _external_stream,
        "Event": streams.Event,
        "get_elapsed_time": streams.Event.elapsed_time,
        "get_current_stream": _current_stream,
        "is_available": always(True),
        "get_device_id": always(0),
        "MemoryPointer": cupy_exchange.MemoryPointer,
        "UnownedMemory": cupy_exchange.UnownedMemory,
        "profiler": refusals.Answers("cupy.cuda.profiler", start=nothing, stop=nothing, profile=no_context),
        "nvtx": refusals.Answers("cupy.cuda.nvtx", RangePush=nothing, RangePop=nothing, Mark=nothing),
        "runtime": runtime,
    }
