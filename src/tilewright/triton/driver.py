"""Triton's driver interface: the device that kernels run on, and the launch of kernels.

Triton always imports this module, so at its start it loads only the modules of tilewright that its head
names.
"""

from __future__ import annotations

import os
from functools import partial
from importlib import import_module
from typing import Any

from tilewright.triton import NAME, TARGET

_TRITON: Any = import_module("triton.backends.driver")
_CPP = {
    "i1": "int8_t",
    "u1": "uint8_t",
    "fp16": "double",
    "bf16": "double",
    "fp32": "double",
    "fp64": "double",
}


class Utilities:
    """The properties of the device for Triton, and the loader of code."""

    def get_device_properties(self, device: int) -> dict[str, int]:
        """Return the figures by which programs choose grids and blocks: the number of processors as
        multiprocessors, and a warp size of 1. Shared memory and registers have practically no limit. `device`
        is ignored.
        """
        return {
            "max_shared_mem": 1 << 31,
            "max_num_regs": 1 << 31,
            "multiprocessor_count": os.cpu_count() or 1,
            "warpSize": 1,
        }

    def load_binary(
        self, name: str, binary: bytes, shared: int, device: int
    ) -> tuple[Any, Any, int, int, int]:
        """Return a module and a kernel, both the `TritonFunction` of `name` and `binary`, the registers of a
        thread, the spilled registers, and the maximum threads of a block. The number of registers is 1,
        because programs divide by it. `shared` and `device` are not used.
        """
        function = import_module("tilewright.triton.launcher").TritonFunction(name, binary)
        return function, function, 1, 0, 1 << 31

    def unload_module(self, module: Any) -> None:
        """Do nothing: the cache of loaded code removes unused code."""


class CPUDriver(_TRITON.DriverBase):
    """The processor of this machine as a device of Triton.

    ``around`` makes the launches of a program that runs under `tilewright run`
    (`tilewright.gpu_programs.launches.Launches`).
    """

    def __init__(self, around: Any = None) -> None:
        self.utils = Utilities()
        self.get_current_device = int
        """Returns 0, the only device.  Every launch calls it, and `int` runs no Python code."""
        self.get_current_stream = int
        """Returns 0, the default stream: all work is complete when a launch returns."""
        self.launcher_cls = partial(launcher, around=around)
        import_module("tilewright.triton.replacements").replace()

    @staticmethod
    def is_active() -> bool:
        """Return whether the environment variable ``TRITON_DEFAULT_BACKEND`` names this driver."""
        return os.environ.get("TRITON_DEFAULT_BACKEND") == NAME

    def set_current_device(self, device: int) -> None:
        """Do nothing: there is one device."""

    def get_device_capability(self, device: int = 0) -> tuple[int, int]:
        """Return `(0, 0)`, the compute capability of no GPU."""
        return 0, 0

    def get_current_target(self) -> Any:
        """Return the target of this machine's processor."""
        return import_module("triton.backends.compiler").GPUTarget(
            TARGET, import_module("platform").machine(), 1
        )

    def get_active_torch_device(self) -> Any:
        """Return the device of PyTorch, `cpu`."""
        return import_module("torch").device("cpu")

    def get_device_interface(self) -> Any:
        """Return the module with events and ``synchronize``, which Triton uses for timing."""
        return import_module("tilewright.triton.timing")

    def get_benchmarker(self) -> Any:
        """Return Triton's own timing function, ``triton.testing.do_bench``."""
        return import_module("triton.testing").do_bench

    def get_empty_cache_for_benchmark(self) -> None:
        """Return None: no cache of the processor is cleared."""

    def clear_cache(self, cache: None) -> None:
        """Do nothing: no cache of the processor is cleared."""

    def map_python_to_cpp_type(self, ty: str) -> str:
        """Return the C++ type of a type in Triton's signatures: `void*` for `*fp32`."""
        if ty.startswith("*"):
            return "void*"
        return _CPP.get(ty) or f"{'u' * ty.startswith('u')}int{ty[1:]}_t"


def launcher(source: Any, metadata: Any, around: Any) -> Any:
    """Return the function that launches a compiled kernel. `source` is Triton's source of the kernel, with
    the signature; `metadata` is the metadata of its compilation; and `around` is the field of `CPUDriver`,
    None for launches without `tilewright run`.
    """
    return import_module("tilewright.triton.launcher").Launcher(source, metadata, around).__call__
