"""The functions that a module calls, added to it once each: vectors by our own code, or lane by lane by the C library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from tilewright.dialects.llvm.enums import Linkage
from tilewright.dialects.llvm.ops_control import CallOp, ReturnOp
from tilewright.dialects.llvm.ops_symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import LLVMFunctionType
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import VectorType
from tilewright.ir.operation import Operation
from tilewright.targets.cpu.buffer import LINE
from tilewright.targets.cpu.code import Code, Loop
from tilewright.targets.cpu.elementwise_expression import Expression
from tilewright.targets.cpu.math import exponential, half, logarithm, power, trigonometry
from tilewright.targets.cpu.math.lanes import LANES_PREFIX, VECTOR_PREFIX, c_name
from tilewright.targets.cpu.target import CpuTarget

FUNCTIONS: Mapping[str, Callable[..., Expression]] = {
    "log": logarithm.log,
    "log2": logarithm.log2,
    "sin": trigonometry.sin,
    "cos": trigonometry.cos,
    "tan": trigonometry.tan,
    "sinh": exponential.sinh,
    "cosh": exponential.cosh,
    "tanh": exponential.tanh,
    "atan2": trigonometry.atan2,
    "pow": power.pow,
    "fpowi": power.power_of_integer,
}
"""Functions of f32 that are called, by name."""
C_FUNCTIONS = frozenset({*FUNCTIONS, "fmod"} - {"fpowi"})
"""Functions of the C library that are called."""
FEW = 6
"""Functions are put in place of their calls up to so many: a nest has two forms, with some vectors to a round."""
C_SYMBOLS = frozenset(c_name(name, width) for name in C_FUNCTIONS for width in (32, 64))


def link(module: Operation, target: CpuTarget) -> None:
    """Define or declare whatever functions of this library the module calls and does not have."""
    block = module.regions[0].block
    if half.are_needed(module, target):
        for function in half.functions():
            block.append(function)
    known = {op.sym_name for op in block if isinstance(op, LLVMFuncOp)}
    pending = [op for op in block if isinstance(op, LLVMFuncOp)]
    while pending:
        for call in _calls(pending.pop()):
            if call.callee in known or not _is_ours(call.callee):
                continue
            known.add(call.callee)
            made = _function(call)
            block.append(made)
            pending.append(made)
    _inline_rare(block)


def _inline_rare(block: Block) -> None:
    """Functions of ours that are called from few places stand there: constants stay in registers over a loop."""
    functions = [op for op in block if isinstance(op, LLVMFuncOp)]
    times = Counter(call.callee for function in functions for call in _calls(function))
    for function in functions:
        if function.sym_name.startswith(VECTOR_PREFIX) and times[function.sym_name] <= FEW:
            function.always_inline = True


def _calls(function: LLVMFuncOp) -> list[Any]:
    return [op for block in function.body.blocks for op in block if isinstance(op, CallOp) and op.callee]


def _is_ours(name: str) -> bool:
    return name.startswith((VECTOR_PREFIX, LANES_PREFIX)) or name in C_SYMBOLS


def _function(call: Any) -> LLVMFuncOp:
    """The function that a call is of: its name says which, the operands say for what types."""
    name: str = call.callee
    types = [operand.type for operand in call.callee_operands]
    if name in C_SYMBOLS:
        return _made(name, types, call.result.type, Region())
    body = Region([Block(types)])
    code = Code(body)
    arguments = [Expression(code, argument) for argument in body.blocks[0].arguments]
    _, _, rest = name.removeprefix("tilewright.").partition(".")
    function = rest.partition(".")[0]
    if name.startswith(VECTOR_PREFIX):
        result = FUNCTIONS[function](*arguments)
    else:
        result = _lane_by_lane(function, arguments, call.result.type)
    code.effect(ReturnOp, result.value)
    return _made(name, types, call.result.type, body, linkage=Linkage.INTERNAL)


def _made(name: str, types: list[Type], result: Type, body: Region, **named: Any) -> LLVMFuncOp:
    form = LLVMFunctionType(result, tuple(types))
    return LLVMFuncOp(sym_name=name, function_type=form, body=body, no_unwind=True, will_return=True, **named)


def _lane_by_lane(name: str, arguments: list[Expression], type: Any) -> Expression:
    """A loop over memory: the code is short however many lanes there are."""
    code = arguments[0].code
    assert isinstance(type, VectorType)
    element: Any = type.element_type
    size, lanes = element.width // 8, type.shape[0]
    code.integer(lanes)
    places = [code.stack(lanes, element, LINE) for _ in arguments]
    for place, argument in zip(places, arguments, strict=True):
        code.store(argument.value, place, LINE)

    def lane(loop: Loop) -> tuple[()]:
        addresses = [code.address(place, loop.index, element) for place in places]
        first, *others = [Expression(code, code.load(address, element, size)) for address in addresses]
        code.store(first.call(c_name(name, element.width), *others).value, addresses[0], size)
        return ()

    code.loop(0, lanes, 1, (), lane)
    return Expression(code, code.load(places[0], type, LINE))
