"""Triton beside cuTile: its timing helpers and questions about the device are answered, its kernels are refused."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from tilewright.gpu_programs.answers import always, nothing
from tilewright.gpu_programs.chips import Chip
from tilewright.gpu_programs.patches import Patches
from tilewright.gpu_programs.refusals import refusal, refusing


class Utilities:
    """What Triton's driver knows about the device; it loads no code."""

    def __init__(self, chip: Chip) -> None:
        properties = {
            "max_shared_mem": chip.shared_memory - 1024,
            "multiprocessor_count": chip.multiprocessors,
            "max_num_regs": 1 << 16,
            "warpSize": 32,
        }
        self.get_device_properties = always(properties)
        self.load_binary = refusing("triton.runtime.driver.active.utils.load_binary", "loads code for a GPU")


class Driver:
    """Stands for the driver that Triton would choose on a machine with this GPU."""

    def __init__(self, chip: Chip) -> None:
        self._chip = chip
        self.utils = Utilities(chip)
        self.is_active = always(True)
        self.get_current_device = always(0)
        self.set_current_device = nothing
        self.get_current_stream = always(0)
        self.get_device_capability = always(chip.capability)
        self.get_empty_cache_for_benchmark = nothing
        self.clear_cache = nothing

    def get_device_interface(self) -> Any:
        """``torch.cuda``."""
        return import_module("torch").cuda

    def get_active_torch_device(self) -> Any:
        """The device of PyTorch."""
        return import_module("torch").device("cuda", 0)

    def get_benchmarker(self) -> Any:
        """``triton.testing.do_bench``."""
        return import_module("triton.testing").do_bench

    def get_current_target(self) -> Any:
        """The architecture that Triton would compile for."""
        major, minor = self._chip.capability
        return import_module("triton.backends.compiler").GPUTarget("cuda", 10 * major + minor, 32)


def install_driver(module: ModuleType, chip: Chip, patches: Patches) -> None:
    """Let ``triton.runtime.driver`` have this driver."""
    config: Any = vars(module)["driver"]
    driver = Driver(chip)
    patches.set_all(config, {"_default": driver, "_active": driver})


def refuse_kernels(module: ModuleType, patches: Patches) -> None:
    """Let launches of Triton's kernels be refused by name."""
    function: Any = vars(module)["JITFunction"]
    patches.set(function, "run", _refuse)


def _refuse(self: Any, *arguments: Any, **named: Any) -> None:
    name = getattr(self, "__name__", "") or type(self).__name__
    reason = "is a Triton kernel; tilewright runs those of cuTile"
    hint = "choose the program's cuTile kernels, or set TRITON_INTERPRET=1 in the environment for Triton's interpreter"
    raise refusal(name, reason, hint)
