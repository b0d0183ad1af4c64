"""Variables of a module, with their initial values."""

from __future__ import annotations

from typing import Protocol

from tilewright.dialects.llvm.enums import Linkage
from tilewright.dialects.llvm.ops import aggregate, control, memory as llvm_memory, symbol
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.value import Value
from tilewright.ptx.model import Initial, IntegerConstant, PtxVariable, SymbolAddress
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.nvvm_to_ptx import emitter, function as nvvm_to_ptx_function, legal
from tilewright.targets.nvptx.nvvm_to_ptx.constants import UnwritableConstant, numbers
from tilewright.targets.nvptx.nvvm_to_ptx.rows.memory_rows import steps

SPACES = {legal.GENERIC: "global", legal.GLOBAL: "global", legal.SHARED: "shared", legal.CONSTANT: "const"}
"""The state space of variables by address space; variables with generic addresses are in global memory."""
NOT_DEFINED = frozenset({Linkage.EXTERNAL, Linkage.EXTERN_WEAK})


class VariableNames(Protocol):
    """The surrounding module of a variable: `name` returns the PTX name of a symbol."""

    def name(self, symbol: str) -> str:
        """Return the PTX name of a symbol."""
        ...


def declared(op: symbol.GlobalOp, names: VariableNames) -> PtxVariable:
    """Return the declaration of the global `op` as a PTX variable, with its initial value, if any. `names`
    has the PTX names of the symbols. Raises `DiagnosticError` if PTX lacks the address space, the type or the
    initial value.
    """
    space = SPACES.get(op.addr_space)
    if space is None:
        raise _refused(op, f"a variable in address space {op.addr_space}", "use the spaces 0, 1, 3 and 4")
    try:
        shape = legal.layout(op.global_type)
        initial = _initial(op, names, space)
    except (legal.UnsupportedRegisterType, UnwritableConstant) as problem:
        raise _refused(
            op, f"a variable of type '{op.global_type}' ({problem})", "use numbers and arrays of them"
        ) from None
    linkage = _linkage(op)
    dims = (shape.size,) if shape.size or linkage != "extern" else (0,)
    words = isinstance(initial, tuple) and any(isinstance(one, SymbolAddress) for one in initial)
    kind, dims = ("u64", (shape.size // 8,)) if words else ("b8", dims)
    alignment = max(op.alignment or 0, shape.alignment)
    return PtxVariable(space, kind, names.name(op.sym_name), dims, alignment, 0, linkage, (), initial)


def _linkage(op: symbol.GlobalOp) -> str:
    has_value = op.value is not None or bool(op.initializer.blocks)
    defined = has_value or op.linkage not in NOT_DEFINED
    if op.addr_space == legal.SHARED:
        return "" if defined else "extern"
    return nvvm_to_ptx_function.linkage_of(op.linkage, defined=defined)


def _refused(op: symbol.GlobalOp, reason: str, hint: str) -> DiagnosticError:
    message = f"'{op.sym_name}' has no form in PTX: {reason}"
    return failure(codes.NO_PTX_FORM, message, op.location, hint=hint)


def _initial(op: symbol.GlobalOp, names: VariableNames, space: str) -> Initial | None:
    """Return the initial value of the variable of `op`, or `None` if it is zero, undefined, or in shared
    memory (`space`), which PTX cannot initialise. `names` has the PTX names of variables, for addresses in
    the value. Raises `UnwritableConstant` if PTX cannot express the value.
    """
    if space == "shared":
        return None
    if op.value is not None:
        return _bytes(op.value, op.global_type)
    if not op.initializer.blocks:
        return None
    return _computed(op, names)


def _bytes(value: Attribute, type: Type) -> Initial | None:
    """Return the bytes of the constant `value` in memory, in the layout of `type`, the lowest address first;
    `None` if all are zero.
    """
    data = bytearray(legal.layout(type).size)
    held, offsets = legal.slots(type), legal.layout(type).offsets
    for number, slot, offset in zip(numbers(value, type), held, offsets, strict=True):
        data[offset : offset + slot.size] = (number & (1 << 8 * slot.size) - 1).to_bytes(slot.size, "little")
    return tuple(map(IntegerConstant, data)) if any(data) else None


def _computed(op: symbol.GlobalOp, names: VariableNames) -> Initial | None:
    """Return the value of an initializer region: a constant, or the address of a variable or of a member of
    one. Return `None` for zeros and undefined values. Raises `UnwritableConstant` for any other operation.
    """
    found: dict[Value, Initial | None] = {}
    for inner in op.initializer.blocks[0].ops:
        match inner:
            case aggregate.ConstantOp():
                found[inner.res] = _bytes(inner.value, inner.res.type)
            case aggregate.ZeroOp() | aggregate.UndefOp() | aggregate.PoisonOp():
                found[inner.res] = None
            case aggregate.AddressOfOp():
                found[inner.res] = SymbolAddress(
                    names.name(inner.global_name), 0, emitter.space_of(inner.res) == legal.GENERIC
                )
            case llvm_memory.GEPOp():
                found[inner.res] = _moved(found[inner.base], inner)
            case control.ReturnOp():
                value = found[inner.operands[0]]
                return (value,) if isinstance(value, SymbolAddress) else value
            case _:
                raise UnwritableConstant(f"computed by '{inner.kind.name}'")
    return None


def _moved(base: Initial | None, op: llvm_memory.GEPOp) -> SymbolAddress:
    known, dynamic = steps(op)
    if not isinstance(base, SymbolAddress) or dynamic:
        raise UnwritableConstant(f"computed by '{op.kind.name}'")
    return SymbolAddress(base.name, base.offset + known, base.generic)
