"""Preparation of functions: labels become step indices, and instructions become functions.

A prepared kernel is kept for the next launch of its module; it belongs to one launch at a time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass
from threading import Lock

from tilewright.ptx import model
from tilewright.ptx.scopes import ScopeNames, walk
from tilewright.ptxsim.code import FunctionCode, SimulatedStep
from tilewright.ptxsim.instructions import batches, registry
from tilewright.ptxsim.layout import VariableLayout
from tilewright.ptxsim.program import InstructionSite, NameResolver
from tilewright.ptxsim.races.cells import cell

KEPT = 16
"""The maximum number of prepared kernels that no launch uses."""


@dataclass(frozen=True, slots=True, eq=False)
class PreparedKernel:
    """The kernel `entry` and the functions that it may call, in `codes` by name, with a number for each step.
    `shared_cell` and `global_cell` are the sizes in bytes of the cells of race detection.

    `owner` is the module, or the device that keeps its variables: launches of one owner have equal layouts.
    """

    owner: object
    entry: str
    codes: dict[str, FunctionCode]
    steps: tuple[SimulatedStep, ...]
    """Every step; the index is its number minus one."""
    shared_cell: int
    global_cell: int

    def forget(self) -> None:
        """Set the counts of executed threads of all steps to 0, and clear the caches of instructions."""
        for step in self.steps:
            step.threads = 0
        for code in self.codes.values():
            for one in code.caches:
                one.clear()


class PreparedKernels:
    """The prepared kernels that no launch uses, by owner and entry: at most `KEPT`; the least recently used
    are dropped. Several threads may use the object.
    """

    def __init__(self) -> None:
        self._free: OrderedDict[tuple[int, str], list[PreparedKernel]] = OrderedDict()
        self._lock = Lock()

    def take(
        self,
        owner: object,
        module: model.Module,
        entry: str,
        layout: VariableLayout,
        parameters: dict[int, int],
        functions: Collection[str] | None = None,
    ) -> PreparedKernel:
        """Return the kernel `entry` of `module`, prepared for a launch; `give` returns it to the cache
        afterwards. A kernel is reused for the same `owner`, whose `layout` and `parameters` (offsets) are
        equal in all launches. Only `functions` can be called, or all functions of the module if it is None.
        """
        with self._lock:
            free = self._free.get((id(owner), entry))
            if free:
                return free.pop()
        return _prepared(owner, module, entry, layout, parameters, functions)

    def give(self, one: PreparedKernel) -> None:
        """Keep a kernel whose launch has ended, unless one with the same owner and entry is kept already."""
        one.forget()
        key = id(one.owner), one.entry
        with self._lock:
            free = self._free.setdefault(key, [])
            self._free.move_to_end(key)
            if not free:
                free.append(one)
            while len(self._free) > KEPT:
                self._free.popitem(last=False)


def _prepared(
    owner: object,
    module: model.Module,
    entry: str,
    layout: VariableLayout,
    parameters: dict[int, int],
    used: Collection[str] | None,
) -> PreparedKernel:
    functions = module.functions()
    called = functions.keys() if used is None else used
    codes = {
        name: compiled(module, function, layout, parameters if name == entry else {})
        for name, function in functions.items()
        if function.body is not None and (name == entry or (name in called and not function.entry))
    }
    steps = tuple(step for code in codes.values() for step in code.steps)
    for number, step in enumerate(steps, 1):
        step.number = number
    cells = cell(codes.values(), "shared"), cell(codes.values(), "global")
    return PreparedKernel(owner, entry, codes, steps, *cells)


PREPARED = PreparedKernels()
"""The kernels of this process."""


def compiled(
    module: model.Module, function: model.PtxFunction, layout: VariableLayout, parameters: dict[int, int]
) -> FunctionCode:
    """Prepare a function for execution. `layout` has the addresses of variables, and `parameters` the offsets
    of a kernel's parameters. Raises `DiagnosticError` for an instruction that is not simulated.
    """
    resolver = NameResolver(module, layout, function, parameters)
    assert function.body is not None
    found: list[tuple[model.PtxInstruction, ScopeNames, model.LocDirective | None]] = []
    line: model.LocDirective | None = None
    for statement, names in walk(function.body, resolver.outer):
        match statement:
            case model.PtxInstruction():
                found.append((statement, names, line))
            case model.LocDirective():
                line = statement
            case model.Label():
                resolver.labels[(id(names), statement.name)] = len(found)
            case model.PtxVariable() if statement.space in ("local", "param"):
                resolver.place(statement)
            case _:
                pass
    for instruction, names, at in found:
        step = SimulatedStep(instruction, at)
        _guarded(resolver, step, instruction.guard, names)
        registry.prepared(step, InstructionSite(resolver, instruction, names))
        resolver.code.steps.append(step)
    batches.join_products(resolver.code, set(resolver.labels.values()))
    return resolver.code


def _guarded(
    resolver: NameResolver, step: SimulatedStep, guard: model.InstructionGuard | None, names: ScopeNames
) -> None:
    if guard is not None:
        step.guard, _ = resolver.slot(guard.name, names)
        step.negated = guard.negated
