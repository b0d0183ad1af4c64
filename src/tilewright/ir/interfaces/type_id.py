"""Type ids: identities of classes, made in one of two ways and never changed.

* `static_type_id`: a sentinel made together with the class (dialects, types, attributes, operations);
* `interned_type_id`: made on first request by interning the class's name (interfaces, analyses, patterns).

Compare ids with ``is``. ``number`` orders the ids of each way: it counts them from 0, and does not change in
a process. Byte layouts that show ids as addresses are the business of `tilewright.abi`.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from tilewright.ir.support.locks import reentrant_lock


class Idiom(Enum):
    """The way an id was created."""

    STATIC_SENTINEL = "static sentinel"
    INTERNED_NAME = "lazily interned name"


class TypeId:
    """The identity of a class; ``origin`` is the class (static id) or its name (interned id). ``number``
    counts the ids of its ``idiom``.
    """

    __slots__ = ("idiom", "name", "number", "origin")

    def __init__(self, origin: type | str, idiom: Idiom, number: int) -> None:
        self.origin = origin
        self.name = origin if isinstance(origin, str) else origin.__qualname__
        self.idiom = idiom
        self.number = number

    def __reduce__(self) -> tuple[Callable[[type | str], TypeId], tuple[type | str]]:
        return _type_id, (self.origin,)  # copies and unpickled ids are the id itself

    def __repr__(self) -> str:
        return f"<TypeId {self.name} ({self.idiom.value})>"


class _Registry:
    """Makes type ids, one for each class (static ids) and each name (interned ids), and numbers both sorts
    from 0. Threads may ask for ids at the same time.
    """

    def __init__(self) -> None:
        self._lock = reentrant_lock()
        self._static: dict[type, TypeId] = {}
        self._interned: dict[str, TypeId] = {}

    def static(self, owner: type) -> TypeId:
        found = self._static.get(owner)
        if found is not None:
            return found
        with self._lock:
            if owner not in self._static:
                self._static[owner] = TypeId(owner, Idiom.STATIC_SENTINEL, len(self._static))
            return self._static[owner]

    def interned(self, name: str) -> TypeId:
        found = self._interned.get(name)
        if found is not None:
            return found
        with self._lock:
            if name not in self._interned:
                self._interned[name] = TypeId(name, Idiom.INTERNED_NAME, len(self._interned))
            return self._interned[name]

    def all(self) -> list[TypeId]:
        with self._lock:
            return [*self._static.values(), *self._interned.values()]


_REGISTRY = _Registry()


def _type_id(origin: type | str) -> TypeId:
    return _REGISTRY.interned(origin) if isinstance(origin, str) else _REGISTRY.static(origin)


def static_type_id(owner: type) -> TypeId:
    """Return the id of a dialect, type, attribute or operation class, made at the first call for it."""
    return _REGISTRY.static(owner)


def interned_type_id(name: str) -> TypeId:
    """Return the id of a type name, made at the first call for it; equal names have the same id."""
    return _REGISTRY.interned(name)


def known_type_ids() -> list[TypeId]:
    """Return every id made so far, static ones first, each idiom in order of creation."""
    return _REGISTRY.all()
