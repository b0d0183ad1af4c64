"""Start-up: builds the registration graph.  Importing a module registers nothing; `startup` does.

The order is strict: options, type ids, dialects (each after those it depends on, the shared interfaces behind a
once-guard between them, ``cuda_tile`` published by itself), passes, patterns, target hooks.
"""

from __future__ import annotations

import importlib
from functools import lru_cache

from tilewright.driver.registry import OnceGuard, Registry, Step
from tilewright.driver.target import TARGETS
from tilewright.ir.context import Context
from tilewright.ir.dialect import Dialect
from tilewright.ir.interface import Interface
from tilewright.ir.type_id import static_type_id
from tilewright.passes.pass_ import Pass

STANDARD_DIALECTS: tuple[str, ...] = ()
"""Dialects that stand on their own, in alphabetical order after builtin."""

CHAIN: tuple[str, ...] = ()
"""Dialects of the lowering cascade; each uses what the ones before it registered."""

INPUT_DIALECT = "cuda_tile"
PASS_MODULES: tuple[str, ...] = ()


def dialect_object(name: str) -> Dialect:
    """The `Dialect` constant of package ``tilewright.dialects.NAME``."""
    module = importlib.import_module(f"tilewright.dialects.{name}.dialect")
    found: Dialect = getattr(module, name.upper())
    return found


def _options(registry: Registry) -> None:
    registry.options.update({"target": "cpu", "verify-each": True, "max-errors": 100})


def _type_ids(registry: Registry) -> None:
    for name in (*STANDARD_DIALECTS, *CHAIN, INPUT_DIALECT):
        dialect = dialect_object(name)
        for declared in (*dialect.types.values(), *dialect.attributes.values(), *dialect.operations):
            identity = static_type_id(declared)
            registry.type_ids[f"{name}.{identity.name}"] = identity


def _standard(registry: Registry) -> None:
    for name in STANDARD_DIALECTS:
        registry.add_dialect(dialect_object(name))


def _link(name: str) -> Step:
    position = CHAIN.index(name)
    before = f"dialect {CHAIN[position - 1]}" if position else "standard dialects"

    def register(registry: Registry) -> None:
        registry.add_dialect(dialect_object(name))

    return Step(f"dialect {name}", (before,), register, f"the {name} dialect")


def _shared_interfaces(registry: Registry) -> None:
    """Interfaces are looked up lazily, so this stages a guard; the first look-up publishes them."""

    def publish() -> None:
        for interface in Interface.__subclasses__():
            registry.interfaces[interface.__qualname__] = interface

    registry.guards["shared interfaces"] = OnceGuard(publish)


def _input_dialect(registry: Registry) -> None:
    registry.add_dialect(dialect_object(INPUT_DIALECT))


def _passes(registry: Registry) -> None:
    for module_name in PASS_MODULES:
        for pass_class in _passes_of(module_name):
            registry.add_pass(pass_class)


def _passes_of(module_name: str) -> tuple[type[Pass], ...]:
    found: tuple[type[Pass], ...] = importlib.import_module(module_name).PASSES
    return found


def _patterns(registry: Registry) -> None:
    for dialect in registry.dialects.values():
        if dialect.canonicalization_patterns is not None:
            registry.patterns[f"{dialect.name} canonicalization"] = dialect.canonicalization_patterns


def _target_hooks(registry: Registry) -> None:
    registry.target_hooks.update(TARGETS)


def steps() -> list[Step]:
    """The graph, in a legal order."""
    links = [_link(name) for name in CHAIN]
    shared = Step(
        "shared interfaces",
        (links[1].name,) if links else (),
        _shared_interfaces,
        "interfaces of all dialects",
    )
    last = links[-1].name if links else "standard dialects"
    return [
        Step("options", (), _options, "defaults of the command line"),
        Step("type ids", ("options",), _type_ids, "identities of types, attributes and operations"),
        Step(
            "standard dialects",
            ("type ids",),
            _standard,
            "builtin, func, arith and the other standard dialects",
        ),
        *links[:2],
        shared,
        *links[2:],
        Step("dialect cuda_tile", ("type ids",), _input_dialect, "the public input dialect"),
        Step("passes", (last, "dialect cuda_tile"), _passes, "passes by name"),
        Step("patterns", ("passes",), _patterns, "pattern sets"),
        Step("target hooks", ("patterns",), _target_hooks, "targets"),
    ]


@lru_cache(maxsize=1)
def startup() -> Registry:
    """The registry with everything in it (built once per process; every call answers the same)."""
    registry = Registry()
    registry.run_all(steps())
    return registry


def context(*, allow_unregistered: bool = False) -> Context:
    """A fresh context with every dialect loaded."""
    return startup().context(allow_unregistered=allow_unregistered)
