"""Triton's driver interface: the device that kernels run on, and how they are launched.

Triton imports this module wherever it is imported, so it loads nothing of tilewright but what it names at its head.
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
    """What Triton asks about a device, and how it loads code."""

    def get_device_properties(self, device: int) -> dict[str, int]:
        """Figures that programs choose grids and blocks by; shared memory has no limit."""
        return {
            "max_shared_mem": 1 << 31,
            "max_num_regs": 1 << 31,
            "multiprocessor_count": os.cpu_count() or 1,
            "warpSize": 1,
        }

    def load_binary(
        self, name: str, binary: bytes, shared: int, device: int
    ) -> tuple[Any, Any, int, int, int]:
        """A module, a kernel, registers (one, as programs divide by it), spilled ones and threads that a block may have."""
        function = import_module("tilewright.triton.launcher").Function(name, binary)
        return function, function, 1, 0, 1 << 31

    def unload_module(self, module: Any) -> None:
        """Code that nobody uses goes when the process needs the room."""


class CPUDriver(_TRITON.DriverBase):
    """The processor of this machine as a device of Triton.

    ``around`` makes the launches where a program is run for somebody (`tilewright.gpu_programs.launches.Launches`).
    """

    def __init__(self, around: Any = None) -> None:
        self.utils = Utilities()
        self.get_current_device = int
        """There is one device, number 0.  Each launch asks: `int` answers that without any code in Python."""
        self.get_current_stream = int
        """Everything is done when a launch returns: the stream of device 0 is 0."""
        self.launcher_cls = partial(launcher, around=around)
        import_module("tilewright.triton.replacements").replace()

    @staticmethod
    def is_active() -> bool:
        """Whether it was chosen."""
        return os.environ.get("TRITON_DEFAULT_BACKEND") == NAME

    def set_current_device(self, device: int) -> None:
        """There is one device."""

    def get_device_capability(self, device: int = 0) -> tuple[int, int]:
        """That of no GPU."""
        return 0, 0

    def get_current_target(self) -> Any:
        """The processor."""
        return import_module("triton.backends.compiler").GPUTarget(
            TARGET, import_module("platform").machine(), 1
        )

    def get_active_torch_device(self) -> Any:
        """The device of PyTorch."""
        return import_module("torch").device("cpu")

    def get_device_interface(self) -> Any:
        """What timing asks of a device: events and ``synchronize``."""
        return import_module("tilewright.triton.timing")

    def get_benchmarker(self) -> Any:
        """``triton.testing.do_bench``."""
        return import_module("triton.testing").do_bench

    def get_empty_cache_for_benchmark(self) -> None:
        """Caches of the processor stay as they are."""

    def clear_cache(self, cache: None) -> None:
        """Caches of the processor stay as they are."""

    def map_python_to_cpp_type(self, ty: str) -> str:
        """The type of C++ for one of Triton's signatures."""
        if ty.startswith("*"):
            return "void*"
        return _CPP.get(ty) or f"{'u' * ty.startswith('u')}int{ty[1:]}_t"


def launcher(source: Any, metadata: Any, around: Any) -> Any:
    """What launches a kernel that Triton has compiled."""
    return import_module("tilewright.triton.launcher").Launcher(source, metadata, around).__call__
