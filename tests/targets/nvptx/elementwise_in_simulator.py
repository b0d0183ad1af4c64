"""Rules of operations on elements as code of GPUs: each becomes a kernel over arrays, run by the simulator of PTX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tests.targets.cpu.elementwise.elementwise_harness import (
    Array,
    Case,
    bodies,
    format_of,
    read_elements,
    write_elements,
)
from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.dialects.common.chips import CHIPS, Chip
from tilewright.dialects.llvm.ops.arithmetic import AddOp, MulOp
from tilewright.dialects.llvm.ops.control import ReturnOp
from tilewright.dialects.llvm.ops.conversion import ZExtOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import VOID, LLVMFunctionType
from tilewright.dialects.nvvm.ops.register import BlockIdXOp, ThreadIdXOp
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import UNIT
from tilewright.ir.builtin_types import i32, i64
from tilewright.ir.value import Value
from tilewright.ptx.checks import read
from tilewright.ptxsim import launch
from tilewright.targets.elements.element_types import element_of, register_type
from tilewright.targets.elements.lanes import Lanes
from tilewright.targets.elements.math.library import link
from tilewright.targets.elements.rules import RULES
from tilewright.targets.llvm.code import POINTER, LlvmBuilder
from tilewright.targets.nvptx.instructions import instructions_of
from tilewright.targets.nvptx.nvvm_to_ptx import translate
from tilewright.targets.nvptx.tileas_to_nvvm.back_end import NVVM_KERNEL

THREADS = 1024
"""Of a block; each of them computes one element."""
ENTRY = "k"


def kernel(case: Case, chip: Chip) -> ModuleOp:
    """A module with a kernel for a case, by the instructions of a chip, and the functions that it calls."""
    native = instructions_of(chip)
    (home,) = bodies([case])
    body = Region([Block([POINTER] * (len(case.types) + 1))])
    code = LlvmBuilder(body)
    *places, target = code.entry.arguments
    block = code(MulOp, code(BlockIdXOp, type=i32), code.integer(THREADS, i32))
    index = code(ZExtOp, code(AddOp, block, code(ThreadIdXOp, type=i32)), type=i64)
    *ops, end = home
    operands = [
        read_elements(code, place, index, type, 1) for place, type in zip(places, case.types, strict=True)
    ]
    held: dict[Value, Value] = dict(zip(home.arguments, operands, strict=True))
    for op in ops:
        type = register_type(element_of(op.results[0].type))
        given = [held[operand] for operand in op.operands]
        held[op.results[0]] = RULES[op.__class__](Lanes(code, op, given, type, 1, native))
    result = end.operands[0]
    write_elements(code, held[result], target, index, result.type, 1)
    code.effect(ReturnOp)
    form = LLVMFunctionType(VOID, tuple(value.type for value in code.entry.arguments))
    function = LLVMFuncOp(sym_name=ENTRY, function_type=form, body=body)
    function.attributes[NVVM_KERNEL] = UNIT
    module = ModuleOp(sym_name=None, sym_visibility=None, bodyRegion=Region([Block()]))
    module.regions[0].block.append(function)
    link(module, native)
    return module


class Simulated:
    """Cases as kernels for a chip, whose PTX ``printer`` writes."""

    def __init__(
        self, cases: Sequence[Case], chip: str, printer: Callable[[ModuleOp, Chip], str] = translate
    ) -> None:
        self.cases = {case.name: case for case in cases}
        self.chip = CHIPS[chip]
        self.printer = printer

    def run(self, name: str, result: Type, *operands: Array) -> Array:
        """The results for arrays of one length, held as the interpreter holds tiles."""
        size = len(operands[0])
        blocks = -(-size // THREADS)
        given: list[Any] = [np.resize(operand, blocks * THREADS) for operand in operands]
        output = np.zeros(blocks * THREADS, format_of(result).array_dtype)
        ptx = read(self.printer(kernel(self.cases[name], self.chip), self.chip))
        launch(ptx, ENTRY, (blocks,), (THREADS,), [*given, output])
        return output[:size]
