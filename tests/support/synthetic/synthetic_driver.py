"""A double of ``cuda.bindings.driver``: a GPU whose memory is memory of this process, and whose kernels the simulator runs."""

from __future__ import annotations

import ctypes
import enum
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tilewright.driver import dependencies, target as targets
from tilewright.ptx.checks import read
from tilewright.ptx.model import Module, PtxFunction
from tilewright.ptxsim import launch
from tilewright.targets.nvptx import device

SUCCESS, OUT_OF_MEMORY, NO_DEVICE, INVALID_PTX = 0, 2, 100, 218


class CUresult(enum.IntEnum):
    CUDA_SUCCESS = SUCCESS
    CUDA_ERROR_OUT_OF_MEMORY = OUT_OF_MEMORY
    CUDA_ERROR_NO_DEVICE = NO_DEVICE
    CUDA_ERROR_INVALID_PTX = INVALID_PTX


class CUdevice_attribute(enum.IntEnum):
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76


class CUjit_option(enum.IntEnum):
    CU_JIT_ERROR_LOG_BUFFER = 5
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6


class CUfunction_attribute(enum.IntEnum):
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8


class CUlaunchAttributeID(enum.IntEnum):
    CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4


class CUlaunchConfig(SimpleNamespace):
    pass


def CUlaunchAttribute() -> Any:
    return SimpleNamespace(id=None, value=SimpleNamespace(clusterDim=SimpleNamespace(x=0, y=0, z=0)))


class Driver:
    """The functions that launches need; ``calls`` has the names of those that were called, ``failing`` what some answer."""

    CUresult = CUresult
    CUdevice_attribute = CUdevice_attribute
    CUjit_option = CUjit_option
    CUfunction_attribute = CUfunction_attribute
    CUlaunchAttributeID = CUlaunchAttributeID
    CUlaunchConfig = CUlaunchConfig
    CUlaunchAttribute = staticmethod(CUlaunchAttribute)

    def __init__(self, capability: tuple[int, int] = (9, 0), devices: int = 1) -> None:
        self.capability, self.devices = capability, devices
        self.calls: list[str] = []
        self.failing: dict[str, CUresult] = {}
        self.memory: dict[int, Any] = {}
        self.configurations: list[CUlaunchConfig] = []
        self.shared_bytes: int | None = None

    def _answer(self, name: str, *answers: Any) -> tuple[Any, ...]:
        self.calls.append(name)
        status = self.failing.get(name, CUresult.CUDA_SUCCESS)
        return (status, *answers) if not status else (status, *(None for _ in answers))

    def cuInit(self, flags: int) -> tuple[Any, ...]:
        return self._answer("cuInit")

    def cuDeviceGetCount(self) -> tuple[Any, ...]:
        return self._answer("cuDeviceGetCount", self.devices)

    def cuDeviceGet(self, ordinal: int) -> tuple[Any, ...]:
        return self._answer("cuDeviceGet", ordinal)

    def cuDeviceGetAttribute(self, attribute: CUdevice_attribute, device: int) -> tuple[Any, ...]:
        at = attribute - CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
        return self._answer("cuDeviceGetAttribute", self.capability[at])

    def cuDevicePrimaryCtxRetain(self, device: int) -> tuple[Any, ...]:
        return self._answer("cuDevicePrimaryCtxRetain", "context")

    def cuCtxSetCurrent(self, context: str) -> tuple[Any, ...]:
        return self._answer("cuCtxSetCurrent")

    def cuCtxSynchronize(self) -> tuple[Any, ...]:
        return self._answer("cuCtxSynchronize")

    def cuGetErrorString(self, status: CUresult) -> tuple[Any, ...]:
        return CUresult.CUDA_SUCCESS, f"meaning of {int(status)}".encode()

    def cuModuleLoadDataEx(
        self, image: bytes, count: int, names: list[Any], values: list[Any]
    ) -> tuple[Any, ...]:
        assert image.endswith(b"\0")
        assert count == len(names) == len(values)
        if "cuModuleLoadDataEx" in self.failing:
            values[0][:6] = b"Oh no\0"
        return self._answer("cuModuleLoadDataEx", read(image[:-1].decode()))

    def cuModuleGetFunction(self, module: Module, name: bytes) -> tuple[Any, ...]:
        return self._answer("cuModuleGetFunction", (module, name.decode()))

    def cuFuncSetAttribute(
        self, function: Any, attribute: CUfunction_attribute, value: int
    ) -> tuple[Any, ...]:
        self.shared_bytes = value
        return self._answer("cuFuncSetAttribute")

    def cuMemAlloc(self, size: int) -> tuple[Any, ...]:
        block = np.zeros(size, np.uint8)
        self.memory[block.ctypes.data] = block
        return self._answer("cuMemAlloc", block.ctypes.data)

    def cuMemFree(self, address: int) -> tuple[Any, ...]:
        del self.memory[address]
        return self._answer("cuMemFree")

    def cuMemcpyHtoD(self, target: int, source: int, size: int) -> tuple[Any, ...]:
        assert len(self._at(target)) >= size
        ctypes.memmove(target, source, size)
        return self._answer("cuMemcpyHtoD")

    def cuMemcpyDtoH(self, target: int, source: int, size: int) -> tuple[Any, ...]:
        assert len(self._at(source)) >= size
        ctypes.memmove(target, source, size)
        return self._answer("cuMemcpyDtoH")

    def cuLaunchKernelEx(
        self, config: CUlaunchConfig, function: Any, parameters: int, extra: int
    ) -> tuple[Any, ...]:
        self.configurations.append(config)
        assert config.numAttrs == len(config.attrs)
        if "cuLaunchKernelEx" not in self.failing:
            self._run(config, *function, parameters)
        return self._answer("cuLaunchKernelEx")

    def _at(self, address: int) -> Any:
        """The memory from an address to the end of its block, which somebody must have allocated."""
        base = max(at for at in self.memory if at <= address)
        return self.memory[base][address - base :]

    def _run(self, config: CUlaunchConfig, module: Module, name: str, parameters: int) -> None:
        entry = next(one for one in module.statements if isinstance(one, PtxFunction) and one.name == name)
        places = (ctypes.c_void_p * len(entry.parameters)).from_address(parameters)
        values = [self._value(one, place) for one, place in zip(entry.parameters, places, strict=True)]
        grid = config.gridDimX, config.gridDimY, config.gridDimZ
        block = config.blockDimX, config.blockDimY, config.blockDimZ
        launch(module, name, grid, block, values, shared=config.sharedMemBytes)

    def _value(self, parameter: Any, place: int) -> Any:
        """What the simulator takes: of addresses the memory behind them."""
        value = ctypes.c_uint64.from_address(place).value
        inside = [base for base, block in self.memory.items() if base <= value < base + len(block)]
        return self._at(value) if inside else ctypes.c_uint32(value & 0xFFFFFFFF)


@contextmanager
def driven(monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    """Let a new double of the driver be that of this machine, and no code be kept, until the end of the block."""
    double = Driver()
    monkeypatch.setitem(sys.modules, device.BINDINGS, double)  # type: ignore[arg-type]
    monkeypatch.setattr(dependencies, "_is_installed", lambda package: True)
    monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "0")
    forget()
    yield double
    forget()


def forget() -> None:
    """Let the GPU be found anew."""
    for known in (device.device, device.chip_of_device, targets.gpu):
        known.cache_clear()
