"""Preparation of functions: labels become step indices, and instructions become functions."""

from __future__ import annotations

from tilewright.ptx.model import (
    InstructionGuard,
    Label,
    LocDirective,
    Module,
    PtxFunction,
    PtxInstruction,
    PtxVariable,
)
from tilewright.ptx.scopes import ScopeNames, walk
from tilewright.ptxsim.code import FunctionCode, SimulatedStep
from tilewright.ptxsim.instructions.batches import join_products
from tilewright.ptxsim.instructions.registry import prepared
from tilewright.ptxsim.layout import VariableLayout
from tilewright.ptxsim.program import InstructionSite, NameResolver


def compiled(
    module: Module, function: PtxFunction, layout: VariableLayout, parameters: dict[int, int]
) -> FunctionCode:
    """Prepare a function for execution. Raises `DiagnosticError` for an instruction that is not simulated."""
    resolver = NameResolver(module, layout, function, parameters)
    assert function.body is not None
    found: list[tuple[PtxInstruction, ScopeNames, LocDirective | None]] = []
    line: LocDirective | None = None
    for statement, names in walk(function.body, resolver.outer):
        match statement:
            case PtxInstruction():
                found.append((statement, names, line))
            case LocDirective():
                line = statement
            case Label():
                resolver.labels[(id(names), statement.name)] = len(found)
            case PtxVariable() if statement.space in ("local", "param"):
                resolver.place(statement)
            case _:
                pass
    for instruction, names, at in found:
        step = SimulatedStep(instruction, at)
        _guarded(resolver, step, instruction.guard, names)
        prepared(step, InstructionSite(resolver, instruction, names))
        resolver.code.steps.append(step)
    join_products(resolver.code, set(resolver.labels.values()))
    return resolver.code


def _guarded(
    resolver: NameResolver, step: SimulatedStep, guard: InstructionGuard | None, names: ScopeNames
) -> None:
    if guard is not None:
        step.guard, _ = resolver.slot(guard.name, names)
        step.negated = guard.negated
