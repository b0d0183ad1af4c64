"""Definitions of the library functions that a module calls, for vectors of any length; no external library is
needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from tilewright.dialects.llvm import enums as llvm_enums, types as llvm_types
from tilewright.dialects.llvm.ops.control import CallOp, ReturnOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.operation import Operation
from tilewright.targets.elements import expression, run_time_library
from tilewright.targets.elements.math import angle, polynomial
from tilewright.targets.elements.math.table import FUNCTIONS
from tilewright.targets.llvm.code import LlvmBuilder

SHORT = frozenset({"exp", "exp2", "rsqrt"})
"""Functions that are always inlined, because they are hardly longer than a call."""
OUT_OF_LINE = frozenset({"angle"})
"""Functions that are never inlined, because they are rarely executed."""
KEPT = 128
"""The maximum number of functions that are cached for later modules."""
FEW = 6
"""The maximum number of calls of a function that is inlined anyway.

One use in a program gives several calls: a loop nest has two versions, with several vectors per iteration.
"""


def link(module: Operation, native: run_time_library.NativeInstructions) -> None:
    """Append to the module the functions of this library that it calls and does not define, the functions
    that these call, and the conversions of LLVM's run-time library for formats of its values. Short and
    rarely called functions of this library are marked as always inlined. The formulas of the target,
    ``native.functions``, replace the formulas of the library, and formats in ``native.conversions`` get no
    conversions.
    """
    block = module.regions[0].block
    for function in run_time_library.functions(module, native.conversions):
        block.append(function)
    known = {op.sym_name for op in block if isinstance(op, LLVMFuncOp)}
    pending = [op for op in block if isinstance(op, LLVMFuncOp)]
    calls: dict[LLVMFuncOp, list[Any]] = {}
    while pending:
        caller = pending.pop()
        calls[caller] = _calls(caller)
        for call in calls[caller]:
            if call.callee in known or not call.callee.startswith(polynomial.PREFIX):
                continue
            known.add(call.callee)
            types = tuple([operand.type for operand in call.callee_operands])
            made = library_function(call.callee, types, call.result.type, native).clone()
            assert isinstance(made, LLVMFuncOp)
            block.append(made)
            pending.append(made)
            if _name_of(call.callee) == "angle" and angle.SYMBOL not in known:
                known.add(angle.SYMBOL)
                block.append(angle.constant())
    _inline(calls)


def _inline(calls: Mapping[LLVMFuncOp, Sequence[Any]]) -> None:
    """Mark the functions of this library that are short, or have at most `FEW` calls, as always inlined;
    functions in `OUT_OF_LINE` are never marked. Inlined functions keep their constants in registers across a
    loop. ``calls`` has the calls in each function.
    """
    times = Counter(call.callee for inside in calls.values() for call in inside)
    for function in calls:
        name = function.sym_name
        if not name.startswith(polynomial.PREFIX) or _name_of(name) in OUT_OF_LINE:
            continue
        if _name_of(name) in SHORT or times[name] <= FEW:
            function.always_inline = True


def _calls(function: LLVMFuncOp) -> list[Any]:
    return [op for block in function.body.blocks for op in block if isinstance(op, CallOp) and op.callee]


def _name_of(symbol: str) -> str:
    return symbol.removeprefix(polynomial.PREFIX).partition(".")[0]


def formula(name: str, native: run_time_library.NativeInstructions) -> polynomial.Formula:
    """Return the formula of the function `name`: the formula of the target `native` if it has one, or the
    formula of the library.
    """
    return native.functions.get(name) or FUNCTIONS[name].formula


@lru_cache(KEPT)
def library_function(
    symbol: str, types: tuple[Type, ...], result: Type, native: run_time_library.NativeInstructions
) -> LLVMFuncOp:
    """Return the function `symbol` of the library with these operand types and this result type, from a
    cache; clone it before use. The name of the function is the part of `symbol` before the types. A formula
    of `native` replaces the formula of the library.
    """
    body = Region([Block(types)])
    code = LlvmBuilder(body)
    arguments = [expression.Expression(code, argument) for argument in body.blocks[0].arguments]
    value = formula(_name_of(symbol), native)(*arguments).value
    code.effect(ReturnOp, value)
    return LLVMFuncOp(
        sym_name=symbol,
        function_type=llvm_types.LLVMFunctionType(result, types),
        body=body,
        no_unwind=True,
        will_return=True,
        linkage=llvm_enums.Linkage.INTERNAL,
    )
