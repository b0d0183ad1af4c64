"""The registration graph: what exists, in which order it was registered, and what had to be there before.

Importing a module registers nothing.  `Registry.run` executes one step of the graph; a step that was done is done
(idempotent), a step whose predecessors are missing is refused with a diagnostic.  Registering is cheap: dialects are
entries that load their package when it is first needed, and long tables are staged and filled at the first look-up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tilewright.driver import codes, target as driver_target
from tilewright.driver.extensions.extension import extensions, named
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import failure
from tilewright.ir.support.locks import reentrant_lock
from tilewright.ir.support.record import Record
from tilewright.ir.support.strings import first_paragraph

if TYPE_CHECKING:
    from tilewright.driver.options import Option
    from tilewright.ir.dialect import Dialect
    from tilewright.ir.interfaces import interface as interfaces_interface, type_id as interfaces_type_id
    from tilewright.passes.pass_ import Pass

_V = TypeVar("_V")


class StartupStep(Record, frozen=True):
    """A step of start-up: its name, the names of the steps that must run before, the function that registers
    into a registry, and a summary for lists.
    """

    name: str
    requires: tuple[str, ...]
    register: Callable[[Registry], None]
    summary: str


class OnceGuard:
    """Runs a function at most once, at the first call from any thread. If the function raises, the next call
    runs it again.
    """

    def __init__(self, function: Callable[[], Any]) -> None:
        self._function = function
        self._lock = reentrant_lock()
        self._done = False

    def __call__(self) -> None:
        """Call the function, unless an earlier call of it has returned. A call in another thread is waited
        for.
        """
        if self._done:
            return
        with self._lock:
            if not self._done:
                self._function()
                self._done = True

    @property
    def done(self) -> bool:
        """Return whether the function has returned."""
        return self._done


class DialectEntry(Record, frozen=True):
    """A dialect by name: its dependencies, and its loader. ``place``, as "module:NAME", is set for a dialect
    of another package, and empty for others.
    """

    name: str
    depends_on: tuple[str, ...]
    load: Callable[[], Dialect]
    place: str = ""


class StagedTable(Mapping[str, _V], Generic[_V]):
    """Items by name, in order of registration; staged items are added before the table is next read."""

    def __init__(self) -> None:
        self._items: dict[str, _V] = {}
        self._staged: list[OnceGuard] = []

    def add(self, name: str, item: _V) -> None:
        """Register an item under a name. Raises `DiagnosticError` if another item has the name; the same item
        may be added again.
        """
        if self._items.setdefault(name, item) is not item:
            raise failure(codes.NAME_TAKEN, f"something else is already registered as '{name}'")

    def stage(self, items: Callable[[], Iterable[tuple[str, _V]]]) -> OnceGuard:
        """Arrange that the (name, item) pairs that ``items`` yields are added before the table is next read;
        return the guard that adds them once.
        """

        def publish() -> None:
            for name, item in items():
                self.add(name, item)

        guard = OnceGuard(publish)
        self._staged.append(guard)
        return guard

    def _published(self) -> dict[str, _V]:
        for guard in self._staged:
            guard()
        return self._items

    def __getitem__(self, name: str) -> _V:
        return self._published()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._published())

    def __len__(self) -> int:
        return len(self._published())


class LazyTable(Mapping[str, _V], Generic[_V]):
    """Items by name, in order of registration; each is loaded at its first use.

    ``further`` yields (name, place) for the items of other packages; a place is written "module:NAME". It is
    called when a name is not in the table, and when the table is listed. A name that is nowhere raises
    `KeyError`.
    """

    def __init__(self, further: Callable[[], Iterable[tuple[str, str]]]) -> None:
        self._loaders: dict[str, Callable[[], _V]] = {}
        self._loaded: dict[str, _V] = {}
        self._further = further
        self._places: dict[str, str] = {}

    def publish(self, name: str, load: Callable[[], _V]) -> None:
        """Register the loader `load` of the item `name`. Raises `DiagnosticError` if another loader has the
        name.
        """
        if self._loaders.setdefault(name, load) is not load:
            raise failure(codes.NAME_TAKEN, f"something else is already registered as '{name}'")

    def __getitem__(self, name: str) -> _V:
        found = self._loaded.get(name)
        if found is None:  # two threads may both load it, and agree
            if name not in self._loaders:
                self._add_packages()
            found = self._loaded[name] = self._loaders[name]()
        return found

    def __contains__(self, name: object) -> bool:
        if name not in self._loaders:
            self._add_packages()
        return name in self._loaders

    def __iter__(self) -> Iterator[str]:
        self._add_packages()
        return iter(self._loaders)

    def __len__(self) -> int:
        self._add_packages()
        return len(self._loaders)

    def _add_packages(self) -> None:
        """Publish the items that ``further`` yields, except those that were published from the same place
        before. Raises `DiagnosticError` for a name that is taken.
        """
        for name, place in self._further():
            if self._places.get(name) != place:
                self.publish(name, partial(named, place))
                self._places[name] = place


class Registry:
    """The tables of everything registered so far, each in order of registration: options, type ids, dialects,
    interfaces, passes, patterns and target hooks. ``done`` lists the names of the start-up steps that have
    run.
    """

    __slots__ = (
        "_lock",
        "dialects",
        "done",
        "guards",
        "interfaces",
        "options",
        "passes",
        "patterns",
        "target_hooks",
        "type_ids",
    )

    def __init__(self) -> None:
        self.options: StagedTable[Option[Any]] = StagedTable()
        self.type_ids: StagedTable[interfaces_type_id.TypeId] = StagedTable()
        self.dialects: dict[str, DialectEntry] = {}
        self.interfaces: StagedTable[type[interfaces_interface.Interface]] = StagedTable()
        self.passes: LazyTable[type[Pass]] = LazyTable(_passes_of_packages)
        self.patterns: StagedTable[Any] = StagedTable()
        self.target_hooks: dict[str, Any] = {}
        self.guards: dict[str, OnceGuard] = {}
        self.done: list[str] = []
        self._lock = reentrant_lock()

    def run(self, step: StartupStep) -> None:
        """Execute a step, unless it was executed before; threads may call this at the same time. Raises
        `DiagnosticError` if a step that this step requires was not executed before.
        """
        if step.name not in self.done:
            with self._lock:
                self._run(step)

    def _run(self, step: StartupStep) -> None:
        if step.name in self.done:
            return
        missing = [name for name in step.requires if name not in self.done]
        if missing:
            message = f"registration step '{step.name}' needs {_listed(missing)} to run before it"
            raise failure(codes.WRONG_ORDER, message, hint=f"done so far: {_listed(self.done) or 'nothing'}")
        step.register(self)
        self.done.append(step.name)

    def run_all(self, steps: Iterable[StartupStep]) -> None:
        """Run steps in order, as `run` does."""
        for step in steps:
            self.run(step)

    def add_dialect(self, entry: DialectEntry) -> None:
        """Register a dialect. Raises `DiagnosticError` if a dialect that it depends on is not registered yet,
        or if another dialect has the name.
        """
        missing = [name for name in entry.depends_on if name not in self.dialects]
        if missing:
            message = f"dialect '{entry.name}' registered before {_listed(missing)}, which it depends on"
            raise failure(codes.WRONG_ORDER, message, hint=f"so far: {_listed(self.dialects) or 'none'}")
        if self.dialects.setdefault(entry.name, entry) is not entry:
            raise failure(codes.NAME_TAKEN, f"another dialect is already registered as '{entry.name}'")

    def context(self, *, allow_unregistered: bool = False) -> Context:
        """Return a fresh context in which every registered dialect is available; each is loaded when it is
        first needed. With `allow_unregistered`, operations of other dialects are accepted as well.
        """
        available = {name: entry.load for name, entry in self.dialects.items()}
        return Context(allow_unregistered=allow_unregistered, available=available, further=self._further)

    def _further(self) -> dict[str, Callable[[], Dialect]]:
        """Register the dialects of other packages, and return the loaders of all of them by name."""
        self.add_packages()
        return {name: entry.load for name, entry in self.dialects.items() if entry.place}

    def add_packages(self) -> None:
        """Register the dialects and targets of other packages; the tables find their passes on demand.

        Raises `DiagnosticError` for a name that is taken.
        """
        for name, place in (row for extension in extensions() for row in extension.dialects.items()):
            known = self.dialects.get(name)
            if known is None or known.place != place:
                self.add_dialect(DialectEntry(name, (), partial(named, place), place))
        self.target_hooks.update(driver_target.all_targets())

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Yield everything registered as (table, name, summary). Loads every dialect."""
        self.add_packages()
        for name, option in self.options.items():
            yield "option", name, option.page
        for name, type_id in self.type_ids.items():
            yield "type id", name, f"{type_id.number} {type_id.idiom.value}"
        for name, entry in self.dialects.items():
            yield "dialect", name, _counts(entry.load())
        for name, interface in self.interfaces.items():
            yield "interface", name, first_paragraph(interface.__doc__)
        for name, pass_class in self.passes.items():
            yield "pass", name, first_paragraph(pass_class.manual())
        for name, pattern in self.patterns.items():
            yield "pattern set", name, first_paragraph(pattern.__doc__)
        for name, hook in self.target_hooks.items():
            yield "target", name, str(getattr(hook, "summary", ""))


def _passes_of_packages() -> Iterator[tuple[str, str]]:
    return (row for extension in extensions() for row in extension.passes.items())


def _counts(dialect: Dialect) -> str:
    groups = (
        (dialect.operations, "operations"),
        (dialect.types, "types"),
        (dialect.attributes, "attributes"),
    )
    return ", ".join(f"{len(group)} {words}" for group, words in groups)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
