"""The functions and the variables in shared memory that a function of a module uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tilewright.ptx.model import (
    Address,
    Module,
    Name,
    Operand,
    OperandGroup,
    PtxFunction,
    PtxInstruction,
    PtxScope,
    PtxVariable,
    Vector,
)
from tilewright.ptx.scopes import ScopeNames, function_names, walk


@dataclass(frozen=True, slots=True)
class ReachedNames:
    """The names of the functions with a body, and the static shared variables, that a function reaches."""

    functions: frozenset[str]
    shared: list[PtxVariable]


def reached(module: Module, function: PtxFunction) -> ReachedNames:
    """Return what a function uses, directly or through the functions that it names."""
    functions, outer = module.functions(), ScopeNames(module.statements)
    found: dict[int, PtxVariable] = {}
    seen, pending = set[str](), [function]
    while pending:
        one = pending.pop()
        if one.name in seen or one.body is None:
            continue
        seen.add(one.name)
        for meaning in _meanings(one, one.body, outer):
            if isinstance(meaning, PtxFunction):
                pending.append(functions.get(meaning.name, meaning))
            elif meaning.space == "shared" and meaning.linkage != "extern":
                found[id(meaning)] = meaning
    return ReachedNames(frozenset(seen), list(found.values()))


def _meanings(
    function: PtxFunction, body: PtxScope, outer: ScopeNames
) -> Iterator[PtxVariable | PtxFunction]:
    """Yield the variables that a function declares, and the variables and functions that its instructions name."""
    for statement, names in walk(body, function_names(function, outer)):
        if isinstance(statement, PtxVariable):
            yield statement
        if isinstance(statement, PtxInstruction):
            for name in _names(statement.operands):
                meaning = None if name.text.startswith("%") else names.find(name.text)
                if isinstance(meaning, PtxVariable | PtxFunction):
                    yield meaning


def _names(operands: Iterable[Operand | None]) -> Iterator[Name]:
    """Yield the names in operands."""
    for operand in operands:
        match operand:
            case Name():
                yield operand
            case Address() if operand.base is not None:
                yield operand.base
            case Vector() | OperandGroup():
                yield from _names(operand.elements)
            case _:
                pass
