"""Triton on a machine with a GPU: its kernels run here, and its questions about the device are answered."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from tilewright.gpu_programs.answers import always, nothing
from tilewright.gpu_programs.chips import GpuProduct
from tilewright.gpu_programs.launches import Launches
from tilewright.gpu_programs.patches import Patches
from tilewright.gpu_programs.refusals import refusal

BACKEND = "tilewright"
"""The name of our back end in Triton's registry, which it fills from entry points."""
CUDA = "cuda"
HINT = (
    "pip install 'tilewright[triton]' brings a Triton that finds the back end; TRITON_INTERPRET=1 in the environment "
    "chooses Triton's interpreter"
)


class DeviceUtilities:
    """What Triton's driver knows about the device; code is loaded by our back end."""

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
    """Stands for the driver that Triton would choose on a machine with this GPU; ``host`` is that of our back end."""

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
        """``torch.cuda``; without PyTorch what timing asks of a device."""
        return import_module("torch").cuda if find_spec("torch") else self._host.get_device_interface()

    def get_active_torch_device(self) -> Any:
        """The device of PyTorch."""
        return import_module("torch").device(CUDA, 0)

    def get_benchmarker(self) -> Any:
        """``triton.testing.do_bench`` with its least repeats: times here say nothing about a GPU."""
        return partial(import_module("triton.testing").do_bench, warmup=0, rep=0)

    def get_current_target(self) -> Any:
        """The architecture that Triton would compile for."""
        major, minor = self._chip.capability
        return import_module("triton.backends.compiler").GPUTarget(CUDA, 10 * major + minor, 32)


def install_driver(module: ModuleType, chip: GpuProduct, launches: Launches, patches: Patches) -> None:
    """Let ``triton.runtime.driver`` have this driver, once somebody asks for one."""
    patches.set(module, "_create_driver", partial(_create, chip, launches, patches))
    patches.set_all(vars(module)["driver"], {"_default": None, "_active": None})


def _create(chip: GpuProduct, launches: Launches, patches: Patches) -> Driver:
    """The driver; our back end stands for that of NVIDIA from then on.

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
