"""The functions and the variables in shared memory that a function of a module uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tilewright.ptx import model, scopes


@dataclass(frozen=True, slots=True)
class ReachedNames:
    """The names of the functions with a body, and the static shared variables, that a function reaches."""

    functions: frozenset[str]
    shared: list[model.PtxVariable]


def reached(module: model.Module, function: model.PtxFunction) -> ReachedNames:
    """Return what a function uses, directly or through the functions that it names."""
    functions, outer = module.functions(), scopes.ScopeNames(module.statements)
    found: dict[int, model.PtxVariable] = {}
    seen, pending = set[str](), [function]
    while pending:
        one = pending.pop()
        if one.name in seen or one.body is None:
            continue
        seen.add(one.name)
        for meaning in _meanings(one, one.body, outer):
            if isinstance(meaning, model.PtxFunction):
                pending.append(functions.get(meaning.name, meaning))
            elif meaning.space == "shared" and meaning.linkage != "extern":
                found[id(meaning)] = meaning
    return ReachedNames(frozenset(seen), list(found.values()))


def _meanings(
    function: model.PtxFunction, body: model.PtxScope, outer: scopes.ScopeNames
) -> Iterator[model.PtxVariable | model.PtxFunction]:
    """Yield the variables that a function declares, and the variables and functions that its instructions name."""
    for statement, names in scopes.walk(body, scopes.function_names(function, outer)):
        if isinstance(statement, model.PtxVariable):
            yield statement
        if isinstance(statement, model.PtxInstruction):
            for name in _names(statement.operands):
                meaning = None if name.text.startswith("%") else names.find(name.text)
                if isinstance(meaning, model.PtxVariable | model.PtxFunction):
                    yield meaning


def _names(operands: Iterable[model.Operand | None]) -> Iterator[model.Name]:
    """Yield the names in operands."""
    for operand in operands:
        match operand:
            case model.Name():
                yield operand
            case model.Address() if operand.base is not None:
                yield operand.base
            case model.Vector() | model.OperandGroup():
                yield from _names(operand.elements)
            case _:
                pass
