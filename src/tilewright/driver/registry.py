"""The registration graph: what exists, in which order it was registered, and what had to be there before.

Importing a module registers nothing.  `Registry.run` executes one step of the graph; a step that was done is done
(idempotent), a step whose predecessors are missing is refused with a diagnostic.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tilewright.driver import codes
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import failure
from tilewright.ir.dialect import Dialect
from tilewright.ir.interface import Interface
from tilewright.ir.type_id import TypeId
from tilewright.passes.pass_ import Pass


@dataclass(frozen=True, slots=True)
class Step:
    """One node of the graph: a name, what must come before, and what it does."""

    name: str
    requires: tuple[str, ...]
    register: Callable[[Registry], None]
    summary: str


class OnceGuard:
    """Runs a function the first time it is asked to, once, from whatever thread comes first."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self._function = function
        self._lock = threading.Lock()
        self._done = False

    def __call__(self) -> None:
        """Run unless it ran."""
        if self._done:
            return
        with self._lock:
            if not self._done:
                self._function()
                self._done = True

    @property
    def done(self) -> bool:
        """Whether the function ran."""
        return self._done


@dataclass(slots=True)
class Registry:
    """Everything registered so far, each table in order of registration."""

    options: dict[str, Any] = field(default_factory=dict[str, Any])
    type_ids: dict[str, TypeId] = field(default_factory=dict[str, TypeId])
    dialects: dict[str, Dialect] = field(default_factory=dict[str, Dialect])
    interfaces: dict[str, type[Interface]] = field(default_factory=dict[str, type[Interface]])
    passes: dict[str, type[Pass]] = field(default_factory=dict[str, type[Pass]])
    patterns: dict[str, Any] = field(default_factory=dict[str, Any])
    target_hooks: dict[str, Any] = field(default_factory=dict[str, Any])
    guards: dict[str, OnceGuard] = field(default_factory=dict[str, OnceGuard])
    done: list[str] = field(default_factory=list[str])

    def run(self, step: Step) -> None:
        """Execute a step.  Raises `DiagnosticError` when a step it requires is missing."""
        if step.name in self.done:
            return
        missing = [name for name in step.requires if name not in self.done]
        if missing:
            message = f"registration step '{step.name}' needs {_listed(missing)} to run before it"
            raise failure(codes.WRONG_ORDER, message, hint=f"done so far: {_listed(self.done) or 'nothing'}")
        step.register(self)
        self.done.append(step.name)

    def run_all(self, steps: Iterable[Step]) -> None:
        """Execute steps in order."""
        for step in steps:
            self.run(step)

    def add_dialect(self, dialect: Dialect) -> None:
        """Publish a dialect with the type ids of all it declares."""
        missing = [name for name in dialect.depends_on if name not in self.dialects]
        if missing:
            message = f"dialect '{dialect.name}' registered before {_listed(missing)}, which it depends on"
            raise failure(codes.WRONG_ORDER, message)
        self.dialects[dialect.name] = dialect

    def add_pass(self, pass_class: type[Pass]) -> None:
        """Publish a pass under its command-line name."""
        known = self.passes.setdefault(pass_class.name, pass_class)
        if known is not pass_class:
            raise failure(codes.WRONG_ORDER, f"another pass is already registered as '{pass_class.name}'")

    def context(self, *, allow_unregistered: bool = False) -> Context:
        """A fresh context that knows every registered dialect."""
        context = Context(allow_unregistered=allow_unregistered)
        for dialect in self.dialects.values():
            context.load(dialect)
        return context

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Everything registered as (table, name, summary), for listing."""
        for name, value in self.options.items():
            yield "option", name, str(value)
        for name, type_id in self.type_ids.items():
            yield "type id", name, f"{type_id.address:#x} {type_id.idiom.value}"
        for name, dialect in self.dialects.items():
            yield "dialect", name, f"{len(dialect.operations)} operations, {len(dialect.types)} types"
        for name, interface in self.interfaces.items():
            yield "interface", name, (interface.__doc__ or "").partition("\n")[0]
        for name, pass_class in self.passes.items():
            yield "pass", name, pass_class.manual().partition("\n")[0]
        for name, pattern in self.patterns.items():
            yield "pattern set", name, (getattr(pattern, "__doc__", "") or "").partition("\n")[0]
        for name, hook in self.target_hooks.items():
            yield "target", name, str(getattr(hook, "summary", ""))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
