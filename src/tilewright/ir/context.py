"""The context: which dialects are loaded, and where diagnostics go."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Self

from tilewright.ir import diagnostic, uniquer
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.declaration.discardable import UnregisteredKind
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.dialect import Dialect, Fold, add_loaded_dialect
from tilewright.ir.support import progress as support_progress, strings

_ENTERED: support_progress.Entered[Context] = support_progress.Entered("contexts")


class Context:
    """Owns the loaded dialects and the diagnostic engine; types and attributes come from the one `Uniquer`.

    ``dialects`` are loaded at once. A context with ``allow_unregistered`` accepts operations, types and
    attributes of dialects that are not loaded. ``available`` are further dialects, by name: each is loaded
    when something of its namespace is first met. ``further`` returns more of them; it is called once, at the
    first name that none of these has.
    """

    current = _ENTERED
    """The context of the innermost ``with`` block, or None."""

    def __init__(
        self,
        dialects: Iterable[Dialect] = (),
        *,
        allow_unregistered: bool = False,
        available: Mapping[str, Callable[[], Dialect]] | None = None,
        further: Callable[[], Mapping[str, Callable[[], Dialect]]] | None = None,
    ) -> None:
        self.uniquer: uniquer.Uniquer = uniquer.UNIQUER
        self.diagnostics = diagnostic.DiagnosticEngine()
        self.allow_unregistered = allow_unregistered
        self.dialects: dict[str, Dialect] = {}
        self.kinds: dict[str, OperationKind] = {}
        self._available = dict(available or {})
        self._further = further
        self._unregistered: dict[tuple[str, frozenset[str]], OperationKind] = {}
        for dialect in dialects:
            self.load(dialect)

    def __enter__(self) -> Self:
        """Make this the current context of this thread or task until the ``with`` block ends; functions use
        it if they are given no context.
        """
        _ENTERED.enter(self)
        return self

    def __exit__(self, *_: object) -> None:
        _ENTERED.leave()

    def load(self, dialect: Dialect) -> Dialect:
        """Load a dialect and return it.

        Loading the same dialect twice has no effect. Raises `ValueError` for another dialect of the same
        name, and for a dependency that is neither loaded nor available.
        """
        loaded = self.dialects.get(dialect.name)
        if loaded is dialect:
            return dialect
        if loaded is not None:
            raise ValueError(f"another dialect '{dialect.name}' is already loaded")
        missing = [name for name in dialect.depends_on if self.dialect(name) is None]
        if missing:
            raise ValueError(f"dialect '{dialect.name}' needs {', '.join(missing)} to be loaded before it")
        self.dialects[dialect.name] = dialect
        add_loaded_dialect(dialect)
        self.kinds.update(dialect.kinds)
        return dialect

    def dialect(self, name: str) -> Dialect | None:
        """Return the dialect called ``name``. If it is available but not loaded yet, load it. None if there
        is none.
        """
        loaded = self.dialects.get(name)
        if loaded is None and self._further is not None and name not in self._available:
            self._available |= self._further()
            self._further = None
        if loaded is None and name in self._available:
            loaded = self.load(self._available[name]())
            del self._available[name]
        return loaded

    def load_available(self) -> None:
        """Load all available dialects, also the dialects that ``further`` returns."""
        self.dialect("")  # asks for further ones
        for name in tuple(self._available):
            self.dialect(name)

    def kind(self, name: str) -> OperationKind | None:
        """Return the kind of the registered operation called `name`; its dialect is loaded if it is
        available. None if there is no such operation.
        """
        found = self.kinds.get(name)
        if found is None and (self._available or self._further):
            namespace, dot, _ = name.partition(".")  # short names of a default dialect have no namespace
            if dot and self.dialect(namespace) is not None:
                found = self.kinds.get(name)
        return found

    def fold(self, kind: OperationKind) -> Fold | None:
        """Return the fold of a kind of operation, which its dialect defines; None if it has no fold."""
        dialect = self.dialect(kind.dialect)
        return dialect.folds.get(kind.op_class) if dialect is not None else None

    def unregistered_kind(self, name: str, properties: Collection[str] = ()) -> OperationKind:
        """Return the kind of an unknown operation called `name`. ``properties`` are the names of its
        attributes that are properties; the same name and properties give the same kind.
        """
        key = name, frozenset(properties)
        kind = self._unregistered.get(key)
        if kind is None:
            kind = self._unregistered[key] = UnregisteredKind(*key)
        return kind

    def type_class(self, dialect: str, mnemonic: str) -> type[Type] | None:
        """Return the class of ``!dialect.mnemonic``; its dialect is loaded if it is available. None if there
        is no such type.
        """
        loaded = self.dialect(dialect)
        return loaded.types.get(mnemonic) if loaded else None

    def attribute_class(self, dialect: str, mnemonic: str) -> type[Attribute] | None:
        """Return the class of ``#dialect.mnemonic``; its dialect is loaded if it is available. None if there
        is no such attribute.
        """
        loaded = self.dialect(dialect)
        return loaded.attributes.get(mnemonic) if loaded else None

    def suggestion(self, name: str) -> str | None:
        """Return the registered operation name nearest to a misspelt one, after loading all available
        dialects; None if no name is near.
        """
        self.load_available()
        return strings.nearest(name, self.kinds, cutoff=0.7)
