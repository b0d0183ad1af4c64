"""Find the functions and shared variables that a function uses, so that a kernel gets no memory for others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tilewright.ptx import model, scopes


@dataclass(frozen=True, slots=True)
class ReachedNames:
    """The names of the functions with a body that a function calls or refers to, directly or indirectly,
    itself included, and the static variables in shared memory that these use.
    """

    functions: frozenset[str]
    shared: list[model.PtxVariable]


def reached(module: model.Module, function: model.PtxFunction) -> ReachedNames:
    """Return the names of the functions that `function` reaches, itself included, and the shared variables
    that they use. Variables declared in a body count as used; external ones do not.
    """
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
    """Yield the variables declared in the body of `function`, and the variables and functions that its
    instructions name. `outer` has the names of the module.
    """
    for statement, names in scopes.walk(body, scopes.function_names(function, outer)):
        if isinstance(statement, model.PtxVariable):
            yield statement
        if isinstance(statement, model.PtxInstruction):
            for name in _names(statement.operands):
                meaning = None if name.text.startswith("%") else names.find(name.text)
                if isinstance(meaning, model.PtxVariable | model.PtxFunction):
                    yield meaning


def _names(operands: Iterable[model.Operand | None]) -> Iterator[model.Name]:
    """Yield every register, variable or function name in operands, also in addresses, vectors and argument
    lists.
    """
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
