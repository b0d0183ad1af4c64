"""Runs rules of operations on elements: each becomes a function over arrays, all of them in one module."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.dialects.func.ops import FuncOp, ReturnOp
from tilewright.dialects.llvm.ops.control import ReturnOp as LLVMReturnOp
from tilewright.dialects.llvm.ops.conversion import SExtOp, TruncOp, ZExtOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import VOID, LLVMFunctionType
from tilewright.driver.startup import context
from tilewright.interp.numerics.element import FORMATS, ElementFormat
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import FloatType, FunctionType, IntegerType, i8, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ir.verifier import verify
from tilewright.lowering.tileaa_to_tileas.bodies import ConvertTileAABodies
from tilewright.passes.manager import PassManager
from tilewright.targets.cpu.machine.host import HOST, processor
from tilewright.targets.cpu.machine.instructions import instructions_of
from tilewright.targets.cpu.machine.target import CpuTarget
from tilewright.targets.cpu.nest import elementwise
from tilewright.targets.elements.element_types import register_type, size_of, vector
from tilewright.targets.elements.math.library import link
from tilewright.targets.llvm import translate
from tilewright.targets.llvm.code import POINTER, LlvmBuilder, LoopBody

Array = np.ndarray[Any, Any]
LANES = 16
SUB_BYTE = 8


@dataclass(frozen=True)
class Case:
    """An operation on elements: the types of its operands, and what makes it of them."""

    name: str
    types: tuple[Type, ...]
    make: Callable[..., Operation]
    lanes: int = LANES


def format_of(type: Any) -> ElementFormat:
    """How the interpreter describes an element type."""
    if isinstance(type, FloatType):
        return FORMATS[type.spelling]
    return FORMATS[f"i{type.width}"] if isinstance(type, IntegerType) else FORMATS["ptr"]


# --- code


def read_elements(code: LlvmBuilder, place: Value, index: Value, type: Any, lanes: int) -> Value:
    """Elements of an array, from an index on, as registers hold them."""
    held = _held(type)
    address = code.address(place, index, held)
    value = code.load(address, vector(held, lanes), size_of(type))
    register: Any = register_type(type)
    if held is not register:
        return code(TruncOp, value, type=vector(register, lanes))
    return value


def _held(type: Any) -> Any:
    is_small = isinstance(type, IntegerType) and type.width < SUB_BYTE
    return i8 if is_small else register_type(type)


def write_elements(
    code: LlvmBuilder, value: Value, place: Value, index: Value, type: Any, lanes: int
) -> None:
    """Put elements into an array, from an index on."""
    held = _held(type)
    if held is not register_type(type):
        extension = ZExtOp if type.width == 1 else SExtOp
        value = code(extension, value, type=vector(held, lanes))
    code.store(value, code.address(place, index, held), size_of(type))


def bodies(cases: Sequence[Case]) -> list[Block]:
    """The operations of cases in TileAS form; each block ends with what it returns."""
    module = ModuleOp(bodyRegion=Region([Block()]))
    for case in cases:
        home = Block(list(case.types))
        result = home.append(case.make(*home.arguments)).results[0]
        home.append(ReturnOp((result,)))
        signature = FunctionType(case.types, (result.type,))
        function = FuncOp(sym_name=case.name, function_type=signature, body=Region([home]))
        module.regions[0].block.append(function)
    PassManager(context()).add(ConvertTileAABodies()).run(module)
    return [function.regions[0].blocks[0] for function in module.regions[0].block]


def _function(case: Case, home: Block) -> LLVMFuncOp:
    count = len(case.types)
    body = Region([Block([*[POINTER] * (count + 1), i64])])
    code = LlvmBuilder(body)
    *places, target, size = code.entry.arguments
    code.integer(0)
    *ops, end = home
    result = end.operands[0]

    def step(loop: LoopBody) -> tuple[()]:
        assert isinstance(loop.index, Value)
        operands = [
            read_elements(code, place, loop.index, type, case.lanes)
            for place, type in zip(places, case.types, strict=True)
        ]
        held = dict(zip(home.arguments, operands, strict=True))
        for op in ops:
            inputs = [held[operand] for operand in op.operands]
            held[op.results[0]] = elementwise.apply(code, op, inputs, case.lanes)
        write_elements(code, held[result], target, loop.index, result.type, case.lanes)
        return ()

    code.loop(0, size, case.lanes, (), step)
    code.effect(LLVMReturnOp)
    form = LLVMFunctionType(VOID, tuple(value.type for value in code.entry.arguments))
    return LLVMFuncOp(sym_name=case.name, function_type=form, body=body)


def module_of(cases: Sequence[Case], target: CpuTarget) -> Operation:
    """A module of all cases and the functions that they call, verified."""
    module = ModuleOp(bodyRegion=Region([Block()]))
    for case, home in zip(cases, bodies(cases), strict=True):
        module.regions[0].block.append(_function(case, home))
    link(module, instructions_of(target))
    problems = verify(module)
    assert problems == [], [str(problem) for problem in problems]
    return module


@cache
def _machine() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


class Compiled:
    """Machine code of cases."""

    def __init__(self, cases: Sequence[Case], cpu: str = HOST) -> None:
        _machine()
        self.cases = {case.name: case for case in cases}
        chosen = processor(cpu)
        target = llvm.Target.from_default_triple()
        machine = target.create_target_machine(cpu=chosen.cpu, features=chosen.features, opt=1)
        self.text = translate(module_of(cases, chosen), triple=llvm.get_process_triple())
        parsed = llvm.parse_assembly(self.text)
        parsed.verify()
        options = llvm.create_pipeline_tuning_options(speed_level=1)
        options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = False
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(parsed, builder)
        self.engine = llvm.create_mcjit_compiler(parsed, machine)
        self.engine.finalize_object()

    def run(self, name: str, result: Type, *operands: Array) -> Array:
        """The results for arrays of one length, held as the interpreter holds tiles."""
        size = len(operands[0])
        padded = -(-size // self.cases[name].lanes) * self.cases[name].lanes
        call = self.prepared(name, result, *[np.resize(operand, padded) for operand in operands])
        return call()[:size]

    def prepared(self, name: str, result: Type, *operands: Array) -> Callable[[], Array]:
        """A call that computes the results; the length of the arrays is a multiple of the lanes."""
        inputs = [np.ascontiguousarray(operand) for operand in operands]
        output = np.zeros(len(inputs[0]), format_of(result).array_dtype)
        form = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * (len(inputs) + 1), ctypes.c_int64)
        function = form(self.engine.get_function_address(name))
        addresses = [array.ctypes.data for array in (*inputs, output)]

        def call() -> Array:
            function(*addresses, len(inputs[0]))
            return output

        return call
