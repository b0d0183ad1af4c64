"""Kernels that the simulator of PTX runs: how targets such as `sim:sm_80` load code."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tilewright.ir.builtin_types import FloatType
from tilewright.ir.diagnostic import failure
from tilewright.ptx.model import Function, Module
from tilewright.ptx.reading import read
from tilewright.ptxsim.running import Report, launch
from tilewright.runtime.description import KernelImage, Parameter
from tilewright.runtime.image import Image
from tilewright.targets.elements.types import register_type, size_of
from tilewright.targets.nvptx import codes

SCALARS: Mapping[str, Any] = {
    "i1": ctypes.c_bool,
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
}
"""How integers are passed."""


BITS: Mapping[int, Any] = {
    8: ctypes.c_uint8,
    16: ctypes.c_uint16,
    32: ctypes.c_uint32,
    64: ctypes.c_uint64,
}
"""How the bits of floats are passed."""


class SimulatedImage:
    """The kernels of a module in PTX, by name."""

    def __init__(self, image: Image) -> None:
        module = read(image.object_code.decode())
        self.kernels = {one.name: SimulatedKernel(module, one) for one in image.kernels}


class SimulatedKernel:
    """A kernel that is launched in the simulator."""

    def __init__(self, module: Module, kernel: KernelImage) -> None:
        self._module = module
        self._kernel = kernel
        self._threads = _required_threads(module, kernel.symbol)

    def launch(
        self,
        grid: tuple[int, int, int],
        arguments: Sequence[Any],
        threads: int | None = None,
        memory: Sequence[Any] = (),
        /,
    ) -> Report:
        """Run all blocks of a grid, with all checks of the simulator.  Raises `DiagnosticError` for what these find."""
        parameters = self._kernel.parameters
        if len(arguments) != len(parameters):
            message = f"kernel '{self._kernel.name}' takes {len(parameters)} arguments, got {len(arguments)}"
            raise failure(codes.BAD_ARGUMENT, message)
        given = [self._argument(*pair) for pair in enumerate(zip(parameters, arguments, strict=True))]
        return launch(self._module, self._kernel.symbol, grid, self._threads, given)

    def _argument(self, at: int, pair: tuple[Parameter, Any]) -> Any:
        """An argument as the simulator takes it: contiguous arrays, and numbers of the type of the parameter."""
        parameter, value = pair
        if parameter.is_pointer and not is_array(value):
            hint = "pass a NumPy array: the simulator has memory of its own"
            raise self._refused(at, f"expected an array, got {type(value).__name__}", hint)
        return value if parameter.is_pointer else number(parameter.element, value)

    def _refused(self, at: int, message: str, hint: str) -> Exception:
        text = f"argument {at} of kernel '{self._kernel.name}': {message}"
        return failure(codes.BAD_ARGUMENT, text, hint=hint)


def is_array(value: object) -> bool:
    """Whether an argument is an array that the simulator takes."""
    return isinstance(value, np.ndarray)


def number(element: str, value: Any) -> Any:
    """A number as `ctypes` has it, which it may be already; floats are passed as their bits."""
    value = getattr(value, "value", value)
    scalar = SCALARS.get(element)
    if scalar is not None:
        return scalar(value)
    type = FloatType(element)
    width = 8 * size_of(type)
    unused = (
        width - type.format.bits if isinstance(register_type(type), FloatType) else 0
    )  # the low bits of a tf32
    return BITS[width](type.format.encode(value) << unused)


def _required_threads(module: Module, entry: str) -> tuple[int, int, int]:
    """The extents of a block, which kernels of ours require."""
    functions = (one for one in module.statements if isinstance(one, Function) and one.name == entry)
    required = [one.directive("reqntid") for one in functions]
    return _three(required[0] or (1,)) if required else (1, 1, 1)


def _three(values: Sequence[int]) -> tuple[int, int, int]:
    x, y, z = (*values, 1, 1)[:3]
    return x, y, z
