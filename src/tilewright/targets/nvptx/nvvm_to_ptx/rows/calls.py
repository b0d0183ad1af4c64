"""Formal arguments, calls and returns of functions, through memory of the space ``param``.

A call has its own scope: parameters are declared and stored, the result is declared, the function is called,
and the result is loaded. Integers of less than 32 bits are passed as 32 bits.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.llvm.ops import control, symbol as llvm_symbol
from tilewright.dialects.llvm.types import LLVMFunctionType, LLVMPointerType, LLVMVoidType
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import IntegerAttr, TypeAttr
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ptx import model
from tilewright.targets.nvptx.nvvm_to_ptx import accesses, legal
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule, space_of
from tilewright.targets.nvptx.nvvm_to_ptx.rows.casts import WINDOWS

SMALLEST = 32
"""The width in bits of the smallest integer that is passed or returned."""


def variable(type: Type, name: str, *, kernel: bool = False) -> model.PtxVariable:
    """Return the declaration of a parameter or result of `type`: a number, or an array of bytes. Unless it is
    a parameter of a `kernel`, an integer has at least 32 bits. Raises `UnsupportedRegisterType` for a type that registers or
    memory cannot hold.
    """
    held = legal.slots(type)
    if len(held) == 1 and legal.layout(type).size == held[0].size:
        bits = max(8 * held[0].size, 8)
        if not kernel and isinstance(type, IntegerType):
            bits = max(bits, SMALLEST)
        kind = f"u{bits}" if isinstance(type, LLVMPointerType) else f"b{bits}"
        return model.PtxVariable("param", kind, name)
    shape = legal.layout(type)
    return model.PtxVariable("param", "b8", name, (max(shape.size, 1),), shape.alignment)


def shape_of(type: Type, *, kernel: bool = False) -> tuple[tuple[legal.RegisterSlot, ...], tuple[int, ...]]:
    """Return the registers of a parameter or result, and their offsets in its memory in bytes. Unless it is a
    parameter of a `kernel`, an integer of less than 32 bits has a register of 32 bits.
    """
    held = legal.slots(type)
    if not kernel and isinstance(type, IntegerType) and type.width < SMALLEST:
        return (legal.RegisterSlot(legal.WORDS, type, SMALLEST),), (0,)
    return held, legal.layout(type).offsets


# --- formal arguments


def parameters(emit: PtxFunctionEmitter) -> tuple[model.PtxVariable, ...]:
    """Return the declarations of the parameters of the function. Raises `UnsupportedRegisterType` for a type without a form."""
    return tuple(
        _formal(emit, number, type) for number, type in enumerate(emit.function.function_type.arguments)
    )


def _name(emit: PtxFunctionEmitter, number: int) -> str:
    return f"{emit.name}_param_{number}"


def _attributes(function: llvm_symbol.LLVMFuncOp, number: int) -> dict[str, Attribute]:
    found = function.arg_attrs
    return dict(found[number]) if found else {}


def _formal(emit: PtxFunctionEmitter, number: int, type: Type) -> model.PtxVariable:
    attributes, name = _attributes(emit.function, number), _name(emit, number)
    whole = attributes.get("llvm.byval")
    stated = attributes.get("llvm.align")
    alignment = stated.value if isinstance(stated, IntegerAttr) else 0
    if isinstance(whole, TypeAttr):
        shape = legal.layout(whole.type)
        return model.PtxVariable("param", "b8", name, (shape.size,), max(alignment, shape.alignment))
    found = variable(type, name, kernel=emit.is_kernel)
    if (
        not isinstance(type, LLVMPointerType)
        or not emit.is_kernel
        or type.address_space in legal.SHORT_SPACES
    ):
        return found
    return model.PtxVariable("param", found.type, name, pointer=_pointer_words(type, alignment))


def _pointer_words(type: LLVMPointerType, alignment: int) -> tuple[str, ...]:
    """Return the attributes of a pointer parameter, such as ``("ptr", "global", "align", "16")``: the space
    of its memory, unless it is generic, and the alignment in bytes, unless it is 0. Empty without both.
    """
    space = WINDOWS.get(type.address_space, "")
    aligned = ("align", str(alignment)) if alignment else ()
    return ("ptr", *((space,) if space else ()), *aligned) if space or aligned else ()


def receive(emit: PtxFunctionEmitter) -> None:
    """Emit loads of the formal arguments, and bind the arguments to the loaded registers; arguments without
    uses are not loaded, and `byval` parameters are bound to the address of their memory. Raises
    `DiagnosticError` for a `byval` parameter that `_receive_whole` refuses.
    """
    for number, argument in enumerate(emit.function.body.blocks[0].arguments):
        if isinstance(_attributes(emit.function, number).get("llvm.byval"), TypeAttr):
            _receive_whole(emit, number, argument)
        elif argument.has_uses:
            shape = shape_of(argument.type, kernel=emit.is_kernel)
            source = model.Name(_name(emit, number))
            alignment = legal.layout(argument.type).alignment if emit.is_kernel else _alignment(argument.type)
            parts = accesses.read(emit, "ld.param", source, 0, shape, alignment)
            emit.bind(argument, _received(emit, argument.type, parts))
        else:
            emit.fresh(argument)


def _received(emit: PtxFunctionEmitter, type: Type, parts: Sequence[model.Operand]) -> list[model.Operand]:
    if emit.is_kernel or not isinstance(type, IntegerType) or type.width >= SMALLEST:
        return list(parts)
    return [emit.resized(part, SMALLEST, type.width) for part in parts]


def _receive_whole(emit: PtxFunctionEmitter, number: int, argument: Value) -> None:
    """Bind a `byval` parameter to the generic address of its memory, which must not be written. Raises
    `DiagnosticError` unless it is a parameter of a kernel with `nvvm.grid_constant`, in address space 0.
    """
    if "nvvm.grid_constant" not in _attributes(emit.function, number) or not emit.is_kernel:
        hint = "mark it with `nvvm.grid_constant`, or pass its members"
        raise emit.refused("a `byval` parameter that may be written", hint)
    address = emit.register(legal.LONGS)
    emit.emit("mov.b64", address, model.Name(_name(emit, number)))
    if space_of(argument) != legal.GENERIC:
        raise emit.refused(
            "a `byval` parameter with a pointer into a specific address space", "use address space 0"
        )
    emit.bind(argument, [emit.compute("cvta.param.u64", address)])


# --- calls


def _call(emit: PtxFunctionEmitter, op: control.CallOp) -> None:
    operands = list(op.callee_operands)
    target = emit.word(operands.pop(0)) if op.callee is None else model.Name(emit.symbols.name(op.callee))
    result = op.result.type if op.result is not None else None
    try:
        _call_sequence(emit, target, operands, result, op)
    except legal.UnsupportedRegisterType as problem:
        raise emit.unheld(problem) from None


def _call_sequence(
    emit: PtxFunctionEmitter,
    target: model.Operand,
    operands: Sequence[Value],
    result: Type | None,
    op: control.CallOp,
) -> None:
    """Emit a call of `target`, a function or a register with its address: declare and store the parameters,
    declare the result, call, and load the result, all in a scope of PTX.
    """
    outer, emit.statements = emit.statements, []
    names = [model.Name(f"param{number}") for number in range(len(operands))]
    for name, operand in zip(names, operands, strict=True):
        emit.statements.append(variable(operand.type, name.text))
        _pass(emit, name, operand)
    returns = [model.Name("retval0")] if result is not None else []
    if result is not None:
        emit.statements.append(variable(result, "retval0"))
    groups = [model.OperandGroup(tuple(returns))] if returns else []
    parts: list[model.Operand] = [*groups, target]
    if names or op.callee is None:
        parts.append(model.OperandGroup(tuple(names)))
    if op.callee is None:
        parts.append(_prototype(emit, operands, result))
    emit.emit("call.uni" if op.callee is not None else "call", *parts)
    if op.result is not None and result is not None:
        shape = shape_of(result)
        found = accesses.read(emit, "ld.param", model.Name("retval0"), 0, shape, _alignment(result))
        emit.bind(op.result, _returned(emit, result, found))
    inner, emit.statements = emit.statements, outer
    emit.statements.append(model.PtxScope(tuple(inner)))


def _alignment(type: Type) -> int:
    return max(legal.layout(type).alignment, SMALLEST // 8 if isinstance(type, IntegerType) else 1)


def _pass(emit: PtxFunctionEmitter, name: model.Name, operand: Value) -> None:
    shape, parts = shape_of(operand.type), list(emit.parts(operand))
    if isinstance(operand.type, IntegerType) and operand.type.width < SMALLEST:
        parts = [emit.resized(part, operand.type.width, SMALLEST) for part in parts]
    accesses.write(emit, "st.param", name, 0, shape, parts, _alignment(operand.type))


def _returned(emit: PtxFunctionEmitter, type: Type, parts: Sequence[model.Operand]) -> list[model.Operand]:
    if not isinstance(type, IntegerType) or type.width >= SMALLEST:
        return list(parts)
    return [emit.resized(part, SMALLEST, type.width) for part in parts]


def _prototype(emit: PtxFunctionEmitter, operands: Sequence[Value], result: Type | None) -> model.Name:
    """Emit a ``.callprototype`` for a call through a pointer, with parameters of the types of `operands` and
    a result of type `result`, None without a result. Return its label, an operand of the call.
    """
    label = emit.label()
    taken = tuple(variable(operand.type, "_") for operand in operands)
    given = (variable(result, "_"),) if result is not None else ()
    emit.statements.append(model.Prototype(label, given, taken))
    return model.Name(label)


def result_of(type: LLVMFunctionType) -> tuple[model.PtxVariable, ...]:
    """Return the PTX variable that holds the result of a function of type `type`, as the only item; empty for
    `void`.
    """
    return () if isinstance(type.result, LLVMVoidType) else (variable(type.result, "func_retval0"),)


def _return(emit: PtxFunctionEmitter, op: control.ReturnOp) -> None:
    for value in op.operands:
        parts = list(emit.parts(value))
        if isinstance(value.type, IntegerType) and value.type.width < SMALLEST:
            parts = [emit.resized(part, value.type.width, SMALLEST) for part in parts]
        shape = shape_of(value.type)
        accesses.write(emit, "st.param", model.Name("func_retval0"), 0, shape, parts, _alignment(value.type))
    emit.emit("ret")


ROWS: dict[type[Operation], Rule] = {control.CallOp: _call, control.ReturnOp: _return}
