"""Triton on a machine with a GPU: its kernels run on the CPU, and its queries return the properties of the
GPU.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from tilewright.gpu_programs.chips import GpuProduct
from tilewright.gpu_programs.launches import Launches
from tilewright.gpu_programs.patches import Patches, always, nothing
from tilewright.gpu_programs.refusals import refusal

BACKEND = "tilewright"
"""The name of our back end in Triton's registry, which Triton fills from entry points."""
CUDA = "cuda"
HINT = (
    "pip install 'tilewright[triton]' brings a Triton that finds the back end; TRITON_INTERPRET=1 in the environment "
    "chooses Triton's interpreter"
)


class DeviceUtilities:
    """The properties of the GPU `chip` for Triton's driver; `host`, the utilities of our back end, loads the
    code.
    """

    def __init__(self, chip: GpuProduct, host: Any) -> None:
        properties = {
            "max_shared_mem": chip.shared_memory - 1024,
            "multiprocessor_count": chip.multiprocessors,
            "max_num_regs": 1 << 16,
            "warpSize": 32,
        }
        self.get_device_properties = always(properties)
        self.load_binary = host.load_binary
        self.unload_module = host.unload_module


class Driver:
    """The driver that Triton would choose on a machine with the GPU `chip`; ``host`` is the driver of our
    back end, which launches the kernels.
    """

    def __init__(self, chip: GpuProduct, host: Any) -> None:
        self._chip = chip
        self._host = host
        self.utils = DeviceUtilities(chip, host.utils)
        self.launcher_cls = host.launcher_cls
        self.map_python_to_cpp_type = host.map_python_to_cpp_type
        self.is_active = always(True)
        self.get_current_device = always(0)
        self.set_current_device = nothing
        self.get_current_stream = always(0)
        self.get_device_capability = always(chip.capability)
        self.get_empty_cache_for_benchmark = nothing
        self.clear_cache = nothing

    def get_device_interface(self) -> Any:
        """Return ``torch.cuda``, or without PyTorch the interface of our back end for timing."""
        return import_module("torch").cuda if find_spec("torch") else self._host.get_device_interface()

    def get_active_torch_device(self) -> Any:
        """Return the device of PyTorch, `cuda:0`."""
        return import_module("torch").device(CUDA, 0)

    def get_benchmarker(self) -> Any:
        """Return ``triton.testing.do_bench`` with its minimum repeats: times on the CPU say nothing about
        a GPU.
        """
        return partial(import_module("triton.testing").do_bench, warmup=0, rep=0)

    def get_current_target(self) -> Any:
        """Return Triton's `GPUTarget` for the GPU that the program sees: backend ``cuda``, the compute
        capability as a number such as 90, and warps of 32 threads.
        """
        major, minor = self._chip.capability
        return import_module("triton.backends.compiler").GPUTarget(CUDA, 10 * major + minor, 32)


def install_driver(module: ModuleType, chip: GpuProduct, launches: Launches, patches: Patches) -> None:
    """Patch the module ``triton.runtime.driver`` so that it creates a `Driver` when a program first requests
    a driver, and forget the driver that is active. `patches` undoes it.
    """
    patches.set(module, "_create_driver", partial(_create, chip, launches, patches))
    patches.set_all(vars(module)["driver"], {"_default": None, "_active": None})


def _create(chip: GpuProduct, launches: Launches, patches: Patches) -> Driver:
    """Return the driver, and replace NVIDIA's back end of Triton with ours.

    Raises `NoAnswerError` if Triton has not found our back end.
    """
    registry: dict[str, Any] = import_module("triton.backends").backends
    ours = registry.get(BACKEND)
    if ours is None:
        raise refusal("triton", f"has no back end called '{BACKEND}'", HINT)
    patches.set(ours.compiler, "stands_for", frozenset({CUDA}))
    if "nvidia" in registry:
        patches.set(registry["nvidia"].compiler, "supports_target", staticmethod(always(False)))
    return Driver(chip, ours.driver(launches))
