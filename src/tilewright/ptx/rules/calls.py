"""Rules of calls: the callee, and the agreement of arguments and results with the function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.ptx.model import (
    Name,
    Operand,
    OperandGroup,
    Prototype,
    PtxFunction,
    PtxInstruction,
    PtxVariable,
)
from tilewright.ptx.rules.declarations import bytes_of
from tilewright.ptx.scopes import Register, ScopeNames
from tilewright.ptx.value_types import TYPES


def call(one: PtxInstruction, names: ScopeNames) -> Iterator[str]:
    """Yield messages about a call."""
    parts = list(one.operands)
    results = _elements(parts.pop(0)) if parts and isinstance(parts[0], OperandGroup) else ()
    if not parts or not isinstance(parts[0], Name):
        yield "a call needs the name of a function, or a register with its address"
        return
    target = names.find(parts[0].text)
    arguments = next((_elements(part) for part in parts[1:] if isinstance(part, OperandGroup)), ())
    if isinstance(target, PtxFunction) and target.entry:
        yield f"'{target.name}' is a kernel; kernels cannot be called"
    elif isinstance(target, PtxFunction):
        yield from _agree(target.name, "argument", arguments, target.parameters, names)
        yield from _agree(target.name, "result", results, target.returns, names)
    elif isinstance(target, Register):
        last = parts[-1]
        shape = names.find(last.text) if len(parts) > 1 and isinstance(last, Name) else None
        if isinstance(shape, Prototype):
            yield from _agree(shape.label, "argument", arguments, shape.parameters, names)
            yield from _agree(shape.label, "result", results, shape.returns, names)
    elif target is not None:
        yield f"'{parts[0].text}' is not a function"


def _elements(part: Operand | None) -> tuple[Operand, ...]:
    return part.elements if isinstance(part, OperandGroup) else ()


def _agree(
    name: str, what: str, given: Sequence[Operand], wanted: Sequence[PtxVariable], names: ScopeNames
) -> Iterator[str]:
    if len(given) != len(wanted):
        yield f"the call of '{name}' has {len(given)} {what}{'s' * (len(given) != 1)}; it has {len(wanted)}"
        return
    for operand, formal in zip(given, wanted, strict=True):
        if not isinstance(operand, Name):
            continue
        found, bits = names.find(operand.text), None
        if isinstance(found, Register):
            bits = found.type.bits * max(found.vector, 1)
        elif isinstance(found, PtxVariable) and found.space == "param":
            bits = 8 * bytes_of(found)
        is_open = formal.dims and 0 in formal.dims
        if bits is not None and not is_open and bits != _bits(formal):
            yield f"{what} '{operand.text}' of the call has {bits} bits; '{formal.name}' of '{name}' has {_bits(formal)}"


def _bits(formal: PtxVariable) -> int:
    return TYPES[formal.type].bits if not formal.dims and not formal.vector else 8 * bytes_of(formal)
