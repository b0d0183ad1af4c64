"""The uniquer gateway: every type, attribute and location is interned through it, once.

Two levels, as in MLIR: the first maps a class to its table, the second maps a structural key (the tuple of
parameters) to the one instance that has it.  Equality of uniqued values is therefore identity: compare with
``is``.  Payloads never change after publication.

The gateway is shared by all contexts of the process, so a type made at module level and one made by a parser
are the same object.  Tables of classes with large payloads (dense constants) hold their values weakly.
"""

from __future__ import annotations

import weakref
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any, Self, dataclass_transform

from tilewright.ir.support.locks import reentrant_lock
from tilewright.ir.support.record import FieldsMeta, Key

Table = MutableMapping[Key, Any]


class InvalidParameters(ValueError):
    """The parameters given to a type or attribute break one of its rules; the message says which."""


class Uniquer:
    """The tables of all interned classes, one for each class. A table is made once and never replaced; all
    methods may be called by several threads.
    """

    __slots__ = ("_lock", "_tables")

    def __init__(self) -> None:
        self._lock = reentrant_lock()
        self._tables: dict[type, Table] = {}

    def table(self, uniqued_class: type, *, weak: bool = False) -> Table:
        """Return the table of a class, which maps keys to instances. It is made on the first request; `weak`
        then decides whether it holds its instances weakly, and is ignored later.
        """
        with self._lock:
            table = self._tables.get(uniqued_class)
            if table is None:
                table = weakref.WeakValueDictionary[Key, Any]() if weak else dict[Key, Any]()
                self._tables[uniqued_class] = table
            return table

    def publish(self, table: Table, key: Key, value: Any) -> Any:
        """Store ``value`` in ``table`` under ``key``, unless an instance is stored there, for example by
        another thread. Return the stored instance.
        """
        if isinstance(table, dict):
            return table.setdefault(key, value)  # atomic
        with self._lock:
            winner = table.get(key)
            if winner is None:
                table[key] = winner = value
            return winner

    def sizes(self) -> dict[str, int]:
        """Return the number of live instances by qualified class name, for statistics. Classes without
        instances are left out.
        """
        with self._lock:
            return {c.__qualname__: len(t) for c, t in self._tables.items() if len(t)}


UNIQUER = Uniquer()
"""The uniquer of the process."""


@dataclass_transform(frozen_default=True)
class UniquedMeta(FieldsMeta):
    """Turns annotated class fields into parameters: slots, constructor, uniquing.

    Class keyword ``weak=True`` lets instances die when nothing refers to them.
    """

    _table: Table
    _has_canonical_form: bool
    _has_rules: bool
    """Whether the class or a base of it overrides `Uniqued.canonicalize`, and `Uniqued.verify_parameters`."""

    def __new__(
        mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], *, weak: bool = False
    ) -> UniquedMeta:
        if weak:
            namespace["__slots__"] = ("__weakref__",)
        cls: Any = super().__new__(mcs, name, bases, namespace)
        cls._has_canonical_form = any("canonicalize" in vars(base) for base in cls.__mro__[:-2])
        cls._has_rules = any("verify_parameters" in vars(base) for base in cls.__mro__[:-2])
        cls._table = UNIQUER.table(cls, weak=weak)
        return cls

    if not TYPE_CHECKING:

        def __init__(cls, name, bases, namespace, *, weak=False):
            super().__init__(name, bases, namespace)

        def __call__(cls, *arguments, **named):
            if named or len(arguments) != len(cls.parameters):
                arguments = cls._bind(arguments, named)
            try:
                value = cls._table.get(arguments)
            except TypeError:  # unhashable parameter, such as a list where a tuple is meant
                return cls(*(_frozen(argument) for argument in arguments))
            return cls._create(arguments) if value is None else value

    def _create(cls, arguments: Key) -> Any:
        uniqued: Any = cls  # every class of this metaclass derives from `Uniqued`
        canonical = uniqued.canonicalize(*arguments) if cls._has_canonical_form else arguments
        value: Any = object.__new__(uniqued)
        for store, argument in zip(cls._stores, canonical):  # noqa: B905 - `_bind` saw to the number of arguments
            store(value, argument)
        if cls._has_rules:
            value.verify_parameters()
        table = cls._table
        if isinstance(table, dict):  # `Uniquer.publish`, unrolled: fresh constants are frequent
            return table.setdefault(canonical, value)
        return UNIQUER.publish(table, canonical, value)


def _frozen(value: Any) -> Any:
    """Return a value with lists replaced by tuples, at any depth. Raises `TypeError` if the result is not
    hashable.
    """
    if isinstance(value, list | tuple):
        return tuple(_frozen(item) for item in value)  # pyright: ignore[reportUnknownVariableType]
    hash(value)
    return value


class Uniqued(metaclass=UniquedMeta):
    """The base of classes whose instances are interned in the process, such as types, attributes, locations
    and affine maps.

    A subclass lists its parameters as annotated fields; ``Subclass(a, b)`` returns the one instance with
    these parameters, which cannot be changed, in all contexts and on any thread. It raises
    `InvalidParameters` for parameters that break a rule of the class. Equality is identity.
    """

    @classmethod
    def canonicalize(cls, *parameters: Any) -> Key:
        """Return ``parameters`` in their canonical form, which is the key of the instance. It is called
        whenever no instance has ``parameters`` as its key, so also for another form of an existing instance.
        """
        return parameters

    def verify_parameters(self) -> None:
        """Raise `InvalidParameters` if the parameters break a rule of the class."""

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is uniqued and immutable: cannot set '{name}'")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is uniqued and immutable: cannot delete '{name}'")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[type[Self], Key]:
        return type(self), tuple(getattr(self, name) for name in type(self).parameters)

    def replace(self, **changes: Any) -> Self:
        """Return the instance of the same class whose parameters named in ``changes`` have the given values;
        all others are the parameters of this instance, which is not changed.
        """
        values = {name: getattr(self, name) for name in type(self).parameters}
        return type(self)(**(values | changes))
