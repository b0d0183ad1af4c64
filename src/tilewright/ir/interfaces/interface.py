"""Interfaces: capabilities that operations, types and dialects may have, looked up by identity.

An interface is a subclass of `Interface` that declares methods; a *concept* is an object of a subclass that
implements them.  An `InterfaceMap` is a dense array of (type id, concept), ascending by the number of the id, searched by
bisection; None means the capability is absent.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, TypeVar, cast

from tilewright.ir.interfaces.type_id import TypeId, interned_type_id


class Interface:
    """Base of all interfaces. A class right below `Interface` names a capability and declares its methods;
    classes below it, the concepts, implement them.
    """

    @classmethod
    def interface_class(cls) -> type[Interface]:
        """Return the class right below `Interface` that names the capability: this class or a base of it.

        Raises `TypeError` for `Interface` itself.
        """
        for base in cls.__mro__:
            if Interface in base.__bases__:
                return base
        raise TypeError(f"{cls.__name__} names no capability; derive a class from it")

    @classmethod
    def type_id(cls) -> TypeId:
        """Return the id of the capability, the same for all classes that implement it."""
        owner = cls.interface_class()
        return interned_type_id(f"{owner.__module__}.{owner.__qualname__}")


_I = TypeVar("_I", bound=Interface)


class InterfaceMap:
    """The concepts of a class or dialect, by the type ids of their capabilities; at most one for each
    capability.
    """

    __slots__ = ("_concepts", "_frozen", "_numbers")

    def __init__(self, concepts: Iterable[Interface] = ()) -> None:
        self._numbers: list[int] = []
        self._concepts: list[Interface] = []
        self._frozen = False
        for concept in concepts:
            self.insert(concept)

    def insert(self, concept: Interface) -> None:
        """Add a concept; it replaces a concept of the same capability (a later dialect overrides).

        Raises `ValueError` if the map is frozen.
        """
        if self._frozen:
            raise ValueError("the interface map is frozen: interfaces are attached while dialects load")
        number = type(concept).type_id().number
        at = bisect_left(self._numbers, number)
        if at < len(self._numbers) and self._numbers[at] == number:
            self._concepts[at] = concept
        else:
            self._numbers.insert(at, number)
            self._concepts.insert(at, concept)

    def lookup(self, interface: type[_I]) -> _I | None:
        """Return the concept of the capability `interface`; None if there is none."""
        number = interface.type_id().number
        at = bisect_left(self._numbers, number)
        if at < len(self._numbers) and self._numbers[at] == number:
            return cast(_I, self._concepts[at])
        return None

    def freeze(self) -> None:
        """Make later insertions raise `ValueError`."""
        self._frozen = True

    def __len__(self) -> int:
        return len(self._concepts)

    def __iter__(self) -> Iterator[Interface]:
        """Yield the concepts in ascending order of the numbers of their type ids."""
        return iter(self._concepts)

    def __contains__(self, interface: type[Interface]) -> bool:
        return self.lookup(interface) is not None


@cache
def interface_map(owner: type[Any]) -> InterfaceMap:
    """Return the interfaces of a class, one object of each class in the lists ``concepts`` of it and its
    bases; interfaces of derived classes replace inherited ones. The map is frozen.
    """
    inherited = [base.__dict__.get("concepts", ()) for base in reversed(owner.__mro__)]
    found = InterfaceMap(concept() for concepts in inherited for concept in concepts)
    found.freeze()
    return found


def concept(subject: object, interface: type[_I]) -> _I | None:
    """Return the implementation of ``interface`` for ``subject`` (a type, an attribute or an operation); None
    if its class has none.
    """
    return cast("_I | None", _concept_of(type(subject), interface))


@cache
def _concept_of(owner: type[Any], interface: type[Interface]) -> Interface | None:
    """Return the implementation for objects of the class `owner`, or None if it has none; the maps of classes
    do not change, so it is cached.
    """
    return interface_map(owner).lookup(interface)
