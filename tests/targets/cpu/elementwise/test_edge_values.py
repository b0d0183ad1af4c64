"""Edge values of every element type through every construct of control flow and memory: bits in are bits out.

One kernel for each type holds all constructs, each of which writes a row of the result.
"""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.interp.kernels import Kernel, pointer
from tests.targets.cpu.programs.edge_constructs import COMPUTING, MOVING
from tests.targets.cpu.programs.edge_programs import ROWS, Moved, Program, in_memory
from tests.targets.cpu.programs.generated_programs import same_numbers
from tilewright.dialects.cuda_tile.ops import conversion as ops_conversion, tile as ops_tile
from tilewright.dialects.cuda_tile.types import ELEMENTS, tile
from tilewright.driver.stages import CompileOptions
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.builtin_types import bf16, f8E8M0FNU, f16, f32
from tilewright.ir.operation import Operation
from tilewright.targets.cpu.machine.host import PROCESSORS, obstacle

FLUSHING = re.compile("v(cvtne2?ps2bf16|dpbf16ps)")
"""Instructions that take subnormal numbers for zero."""


@pytest.mark.parametrize("opt_level", [0, 3])
@pytest.mark.parametrize("element", ELEMENTS, ids=str)
def test_bits_in_are_bits_out(element: Any, opt_level: int) -> None:
    check_bits(element, CompileOptions(opt_level=opt_level))


@pytest.mark.skipif(bool(obstacle(PROCESSORS["x86-64-v3"])), reason="this processor cannot run the code")
@pytest.mark.parametrize("element", [bf16, f16, f32], ids=str)
def test_bits_without_instructions_for_bf16(element: Any) -> None:
    """Code for processors with AVX2 and nothing newer, which those with AVX512-BF16 run, too."""
    check_bits(element, CompileOptions(cpu="x86-64-v3"))


def check_bits(element: Any, options: CompileOptions) -> None:
    """Raises `AssertionError` if machine code gives other rows, or prints something else, than the interpreter."""
    module, moved = program_of(element)
    wanted, told = interpreted(element)
    given = arguments(element)
    assert run(module, given, options=options) == told
    for at, count in ((1, moved.rows), (2, moved.scratch_rows)):
        rows = (array[at].reshape(-1, len(array[0])) for array in (wanted, given))
        for number, (expected, found) in enumerate(zip(*rows, strict=True)):
            is_same = expected.tobytes() == found.tobytes()
            if number >= count:
                is_same = is_same or bool(same_numbers(element, expected.tobytes(), found.tobytes()).all())
            assert is_same, f"row {number}: {found} instead of {expected}"


@cache
def program_of(element: Any) -> tuple[Operation, Moved]:
    """The program of an element type, and how many of its rows are moved, not computed."""
    return Program(element).module(MOVING, COMPUTING)


@cache
def interpreted(element: Any) -> tuple[list[Any], str]:
    """The arguments of the program of an element type after a run in the interpreter, and what that prints."""
    values = arguments(element)
    return values, run(program_of(element)[0], values, target="interp")


def run(module: Operation, values: list[Any], **target: Any) -> str:
    """Launch a program; what it prints."""
    with redirect_stdout(StringIO()) as printed:
        tilewright.compile(SimpleNamespace(operation=module), **target).launch((1, 1, 1), values)
    return printed.getvalue()


def arguments(element: Any) -> list[Any]:
    """The edge values, room for the result and for what is scattered, and the bit that chooses."""
    source = in_memory(element)
    return [source, *(np.zeros(ROWS * len(source), source.dtype) for _ in range(2)), True]


@pytest.mark.parametrize("cpu", ["sapphirerapids", "znver4"])
@pytest.mark.parametrize("opt_level", [0, 3])
def test_no_instruction_flushes(cpu: str, opt_level: int) -> None:
    """Not for bf16, nor for what travels as bf16, on processors that have such instructions."""
    options = CompileOptions(opt_level=opt_level, cpu=cpu)
    module, _ = program_of(bf16)
    text = tilewright.compile(SimpleNamespace(operation=module), options=options).asm["asm"]
    assert not FLUSHING.search(str(text))


@pytest.mark.parametrize("byte", [0, 1, 127, 254])
def test_folded_scales(byte: int) -> None:
    """The smallest number of f8E8M0FNU is a subnormal f32."""
    kernel = Kernel(pointer(f32))
    type = tile(1, f8E8M0FNU)
    scale = kernel.add(ops_tile.ConstantOp(value=DenseElementsAttr(type, bytes([byte])), result_types=[type]))
    even = ops_conversion.RoundingMode.NEAREST_EVEN
    wide = kernel.add(ops_conversion.FToFOp(scale, rounding_mode=even, result_types=[tile(1, f32)]))
    kernel.store_view(kernel.partition(kernel.arguments[0], (1,), (1,)), wide, kernel.i32(0))
    given = np.zeros(1, np.float32)
    tilewright.compile(SimpleNamespace(operation=kernel.module())).launch((1, 1, 1), [given])
    assert given[0] == np.float32(2.0 ** (byte - 127))
