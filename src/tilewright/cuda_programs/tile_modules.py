"""Modules of Tile IR in C++ programs: kernels are compiled for the target that the program's settings name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tilewright.cpp.compiler import entries_in
from tilewright.cuda_programs import codes, modules
from tilewright.cuda_programs.device_memory import ProgramMemory
from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.dialects.cuda_tile.types import PointerType, TileType
from tilewright.driver.launch import kernels, launch
from tilewright.driver.target import Target, target as find_target
from tilewright.gpu_programs.settings import ProgramSettings
from tilewright.interp.numerics.element import FORMATS
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.support.demangling import source_name
from tilewright.runtime.description import Parameter


class TileModule:
    """A module of Tile IR, whose kernels are compiled for the target in the settings when `kernel` first
    returns them. ``variables`` is empty: the compiled code contains the variables.
    """

    variables: list[modules.DeviceVariable]

    def __init__(self, bytecode: bytes, memory: ProgramMemory, settings: ProgramSettings) -> None:
        self.variables = []
        self.bytecode, self.memory, self.settings = bytecode, memory, settings
        self._kernels: dict[str, TileKernel] = {}

    def place(self, addresses: list[int]) -> None:
        """Do nothing: the compiled code contains the variables of tile kernels."""

    def entry(self, symbol: str) -> EntryOp:
        """Return the operation that defines the kernel `symbol`. Raises `DiagnosticError` if there is none."""
        found = next((one for one in self._entries if one.sym_name == symbol), None)
        if found is None:
            raise failure(codes.NO_DEVICE_CODE, f"the module has no kernel '{source_name(symbol)}'")
        return found

    @property
    def symbols(self) -> list[str]:
        """The mangled names of the kernels."""
        return [one.sym_name for one in self._entries]

    @cached_property
    def _entries(self) -> list[EntryOp]:
        return entries_in(self.bytecode)

    def kernel(self, symbol: str) -> modules.ProgramKernel:
        """Return the kernel with the mangled name `symbol`; the first call compiles it. Raises
        `DiagnosticError` if there is none, or it does not compile.
        """
        if symbol not in self._kernels:
            self._kernels[symbol] = TileKernel(self, symbol)
        return self._kernels[symbol]


@dataclass
class TileKernel:
    """A kernel of a Tile IR module. Making the object compiles the kernel, and raises `DiagnosticError` if
    there is no kernel ``symbol`` or it does not compile.
    """

    module: TileModule
    symbol: str

    def __post_init__(self) -> None:
        self.name = source_name(self.symbol)
        self.is_tile, self.shared, self.maximum_threads = True, 0, 1
        self.parameters = _parameters(self.module.entry(self.symbol))
        kernels(self.module.bytecode, self.module.settings.checks, self._target)
        self.sizes = [(size := _bytes_of(one), size) for one in self.parameters]

    @cached_property
    def _target(self) -> Target:
        return find_target(self.module.settings.target)

    def launch(self, shape: modules.LaunchExtents, arguments: bytes) -> list[tuple[int, int, bool]]:
        """Run the tile blocks of the grid; `arguments` has the bytes of the parameters, as in memory. The
        accesses of the blocks are not known, so the result is empty. Raises `DiagnosticError` for a pointer
        that is in no live allocation of device memory, and for an error that ends the kernel.
        """
        settings, memory = self.module.settings, self.module.memory
        values, at = list[Any](), 0
        for number, (parameter, (size, align)) in enumerate(zip(self.parameters, self.sizes, strict=True)):
            at = -(-at // align) * align
            values.append(self._value(number, parameter, arguments[at : at + size]))
            at += size
        launch(
            self.module.bytecode,
            self.symbol,
            shape.grid,
            values,
            target=self._target,
            check=settings.checks,
            memory=memory.arrays() if settings.checks or self._target.name != "cpu" else (),
        )
        return []

    def _value(self, number: int, parameter: Parameter, data: bytes) -> Any:
        if not parameter.is_pointer:
            dtype = FORMATS[parameter.element].array_dtype
            return np.frombuffer(data, dtype)[0]
        address = int.from_bytes(data, "little")
        memory = self.module.memory
        found = memory.find(address) if address else None
        if found is None and address:
            raise self._refused(number, address)
        if found is None:
            return 0
        return memory.array(address, found.end, FORMATS[parameter.element].array_dtype)

    def _refused(self, number: int, address: int) -> DiagnosticError:
        """Return the error for argument `number`, the pointer `address`, which is in no live allocation of
        device memory.
        """
        words, notes = self.module.memory.describe(address)
        is_freed = address in self.module.memory and self.module.memory.freed(address) is not None
        code = codes.USE_AFTER_FREE if is_freed else codes.HOST_POINTER
        message = f"kernel '{self.name}': argument {number} is the address {address:#x}; {words}"
        return failure(code, message, notes=list(notes))


def _parameters(entry: EntryOp) -> list[Parameter]:
    """Return the parameters of a kernel: each is a pointer or a number."""
    elements = [one.element_type for one in entry.function_type.inputs if isinstance(one, TileType)]
    return [
        Parameter(str(one.pointee), True, True)
        if isinstance(one, PointerType)
        else Parameter(str(one), False, False)
        for one in elements
    ]


def _bytes_of(parameter: Parameter) -> int:
    return 8 if parameter.is_pointer else FORMATS[parameter.element].array_dtype.itemsize
