"""Runs modules of tile functions on the CPU back end, whatever tile dialect they are in."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tilewright.driver.startup import context
from tilewright.ir.context import Context
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.lowering.tileaa_to_tileas.bodies import ConvertTileAABodies
from tilewright.passes.manager import PassManager
from tilewright.runtime.context import CONTEXT_BYTES
from tilewright.runtime.llvm import llvm
from tilewright.targets.cpu.kernel.kernel import Kernel
from tilewright.targets.cpu.machine.compile import CpuModule, emit, ir_text, object_code, symbol_of
from tilewright.targets.cpu.machine.host import host

LINE = 64
"""Scratch memory and launch contexts begin at multiples of that many bytes."""


def parsed(text: str, known: Context | None = None) -> Operation:
    """The module of a text, which must be valid."""
    module = parse_module(known or context(), text, implicit_module=True)
    assert [str(error) for error in verify(module, all_errors=True)] == []
    return module


def tileas(text: str, capability: str = "") -> Operation:
    """The module after the body conversion, which must be valid and survive being printed and read."""
    known = context()
    module = parsed(text, known)
    PassManager(known).add(ConvertTileAABodies(capability)).run(module)
    printed = module.print()
    assert [str(error) for error in verify(module, all_errors=True)] == []
    assert parsed(printed, known).print() == printed
    return module


class Running:
    """Machine code of a module, in this process."""

    def __init__(self, module: CpuModule) -> None:
        target, binding = host(), llvm()
        self.module = module
        code = object_code(ir_text(module.module, target), target)
        machine = binding.Target.from_default_triple().create_target_machine()
        self._engine: Any = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
        self._engine.add_object_file(binding.ObjectFileRef.from_data(code))
        self._engine.finalize_object()

    def launch(self, grid: Sequence[int], *arguments: Any) -> None:
        """Run all tile blocks of the first kernel one after the other."""
        kernel = self.module.kernels[0]
        slots = np.zeros(max(len(arguments), 1), np.uint64)
        for at, argument in enumerate(arguments):
            _put(slots[at : at + 1], argument)
        extents = np.array([*grid, 1, 1][:3], np.int32)
        shared, scratch = _aligned(CONTEXT_BYTES), _aligned(kernel.scratch_bytes)
        places = [array.ctypes.data for array in (slots, extents, shared)]
        self._function(kernel)(*places, int(np.prod(extents)), scratch.ctypes.data)

    def _function(self, kernel: Kernel) -> Any:
        signature = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_int64, ctypes.c_void_p)
        return signature(self._engine.get_function_address(symbol_of(kernel.name)))


def _put(slot: Any, argument: Any) -> None:
    if isinstance(argument, np.ndarray):
        slot[0] = argument.ctypes.data
    else:
        slot.view(np.int32 if isinstance(argument, int) else np.float32)[0] = argument


def _aligned(size: int) -> Any:
    held = np.zeros(size + 2 * LINE, np.uint8)
    start = -held.ctypes.data % LINE
    return held[start : start + size + 1]


def running(module: Operation) -> Running:
    """Machine code for a module of tile functions."""
    return Running(emit(module, host()))


def same_on_both(
    text: str, grid: Sequence[int], inputs: Sequence[Any], outputs: Sequence[Any]
) -> tuple[Any, ...]:
    """Run a module as it is and after the body conversion; the bits must be the same.  Returns the outputs.

    The arguments of the kernel are the arrays of ``inputs``, then the outputs, then the numbers.
    """
    arrays = [value for value in inputs if isinstance(value, np.ndarray)]
    scalars = [value for value in inputs if not isinstance(value, np.ndarray)]
    results: list[tuple[Any, ...]] = []
    for module in (parsed(text), tileas(text)):
        own = tuple(np.array(output) for output in outputs)
        running(module).launch(grid, *arrays, *own, *scalars)
        results.append(own)
    before, after = results
    for one, other in zip(before, after, strict=True):
        if one.tobytes() != other.tobytes():
            pytest.fail(f"nv_tileaa and nv_tileas differ:\n{one}\n{other}")
    return after
