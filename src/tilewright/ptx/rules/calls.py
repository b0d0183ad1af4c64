"""Rules of calls: the callee, and the agreement of arguments and results with the function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.ptx import model, scopes
from tilewright.ptx.rules.declarations import bytes_of
from tilewright.ptx.value_types import TYPES


def call(one: model.PtxInstruction, names: scopes.ScopeNames) -> Iterator[str]:
    """Yield a message if a call names no function or a kernel, or if its arguments or results do not agree
    with the called function or prototype in number and width. ``names`` are the names visible at the call.
    """
    parts = list(one.operands)
    results = _elements(parts.pop(0)) if parts and isinstance(parts[0], model.OperandGroup) else ()
    if not parts or not isinstance(parts[0], model.Name):
        yield "a call needs the name of a function, or a register with its address"
        return
    target = names.find(parts[0].text)
    arguments = next((_elements(part) for part in parts[1:] if isinstance(part, model.OperandGroup)), ())
    if isinstance(target, model.PtxFunction) and target.entry:
        yield f"'{target.name}' is a kernel; kernels cannot be called"
    elif isinstance(target, model.PtxFunction):
        yield from _agree(target.name, "argument", arguments, target.parameters, names)
        yield from _agree(target.name, "result", results, target.returns, names)
    elif isinstance(target, scopes.Register):
        last = parts[-1]
        shape = names.find(last.text) if len(parts) > 1 and isinstance(last, model.Name) else None
        if isinstance(shape, model.Prototype):
            yield from _agree(shape.label, "argument", arguments, shape.parameters, names)
            yield from _agree(shape.label, "result", results, shape.returns, names)
    elif target is not None:
        yield f"'{parts[0].text}' is not a function"


def _elements(part: model.Operand | None) -> tuple[model.Operand, ...]:
    return part.elements if isinstance(part, model.OperandGroup) else ()


def _agree(
    name: str,
    what: str,
    given: Sequence[model.Operand],
    wanted: Sequence[model.PtxVariable],
    names: scopes.ScopeNames,
) -> Iterator[str]:
    if len(given) != len(wanted):
        yield f"the call of '{name}' has {len(given)} {what}{'s' * (len(given) != 1)}; it has {len(wanted)}"
        return
    for operand, formal in zip(given, wanted, strict=True):
        if not isinstance(operand, model.Name):
            continue
        found, bits = names.find(operand.text), None
        if isinstance(found, scopes.Register):
            bits = found.type.bits * max(found.vector, 1)
        elif isinstance(found, model.PtxVariable) and found.space == "param":
            bits = 8 * bytes_of(found)
        is_open = formal.dims and 0 in formal.dims
        if bits is not None and not is_open and bits != _bits(formal):
            yield f"{what} '{operand.text}' of the call has {bits} bits; '{formal.name}' of '{name}' has {_bits(formal)}"


def _bits(formal: model.PtxVariable) -> int:
    return TYPES[formal.type].bits if not formal.dims and not formal.vector else 8 * bytes_of(formal)
