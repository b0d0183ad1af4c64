"""Preparation of functions: labels become step indices, and instructions become functions."""

from __future__ import annotations

from tilewright.ptx.model import Function, Guard, Instruction, Label, Location, Module, Variable
from tilewright.ptx.scopes import Names, walk
from tilewright.ptxsim.code import Code, Step
from tilewright.ptxsim.instructions.registry import prepared
from tilewright.ptxsim.instructions.together import join_products
from tilewright.ptxsim.layout import Layout
from tilewright.ptxsim.program import Resolver, Site


def compiled(module: Module, function: Function, layout: Layout, parameters: dict[int, int]) -> Code:
    """Prepare a function for execution. Raises `DiagnosticError` for an instruction that is not simulated."""
    resolver = Resolver(module, layout, function, parameters)
    assert function.body is not None
    found: list[tuple[Instruction, Names, Location | None]] = []
    line: Location | None = None
    for statement, names in walk(function.body, resolver.outer):
        match statement:
            case Instruction():
                found.append((statement, names, line))
            case Location():
                line = statement
            case Label():
                resolver.labels[(id(names), statement.name)] = len(found)
            case Variable() if statement.space in ("local", "param"):
                resolver.place(statement)
            case _:
                pass
    for instruction, names, at in found:
        step = Step(instruction, at)
        _guarded(resolver, step, instruction.guard, names)
        prepared(step, Site(resolver, instruction, names))
        resolver.code.steps.append(step)
    join_products(resolver.code, set(resolver.labels.values()))
    return resolver.code


def _guarded(resolver: Resolver, step: Step, guard: Guard | None, names: Names) -> None:
    if guard is not None:
        step.guard, _ = resolver.slot(guard.name, names)
        step.negated = guard.negated
