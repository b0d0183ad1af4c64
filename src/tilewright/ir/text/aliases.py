"""Aliases of locations and of their parts: ``#loc3 = loc(...)``, numbered and ordered as MLIR does.

An attribute class of a dialect whose values deserve aliases says so by ``alias_name``, as in ``#di_file1``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tilewright.ir.attribute import Attribute, Location
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import ArrayAttr, DictionaryAttr
from tilewright.ir.location import UNKNOWN, CallSiteLocation, FusedLocation, NameLocation
from tilewright.ir.operation import Operation
from tilewright.ir.support.strings import utf8


class LocationAliases:
    """Aliases of all locations in an operation, or in ``operations`` only, and of attributes whose class has
    an ``alias_name``. ``names`` maps the locations and attributes to their aliases, with the ``#``, in the
    order of their definitions.

    ``shows_arguments`` returns whether the text shows the locations of a block's arguments. Locations that
    operations alone use are *deferred*: they are defined after the text, all others before it.
    """

    def __init__(
        self,
        root: Operation,
        operations: Iterable[Operation] | None = None,
        *,
        shows_arguments: Callable[[Block], bool],
    ) -> None:
        self._depths: dict[Attribute, int] = {}
        self._early: set[Attribute] = set()
        self._shows_arguments = shows_arguments
        for op in root.walk() if operations is None else operations:
            if op is not root and op.previous is None and op.parent is not None:
                self._visit_arguments(op.parent)
            self._visit_operation(op)
        ordered = sorted(self._depths, key=lambda attribute: (self._depths[attribute], alias_of(attribute)))
        counts: dict[str, int] = {}
        self.names: dict[Attribute, str] = {}
        for attribute in ordered:
            name = alias_of(attribute)
            number = counts[name] = counts.get(name, -1) + 1
            self.names[attribute] = f"#{name}{number or ''}"

    def early(self) -> Iterator[Attribute]:
        """Return the attributes whose aliases are defined before the text."""
        return (attribute for attribute in self.names if attribute in self._early)

    def deferred(self) -> Iterator[Attribute]:
        """Return the attributes whose aliases are defined after the text."""
        return (attribute for attribute in self.names if attribute not in self._early)

    def _visit_operation(self, op: Operation) -> None:
        self._visit(op.location, early=False)
        for name in sorted(op.attributes, key=lambda name: (not op.kind.is_inherent(name), utf8(name))):
            for attribute in aliased_in(op.attributes[name]):
                self._visit(attribute, early=True)
        for region in op.regions:
            for block in region.blocks:
                if block.first is None:
                    self._visit_arguments(block)

    def _visit_arguments(self, block: Block) -> None:
        if not self._shows_arguments(block):
            return
        for index in range(len(block.arguments)):
            self._visit(block.argument_location(index), early=True)

    def _visit(self, root: Attribute, *, early: bool) -> None:
        """Record an attribute after the attributes it contains; with ``early``, their aliases are defined
        before the text. It does not recurse, as call chains may be long.
        """
        pending: list[tuple[Attribute, bool]] = [(root, False)]
        while pending:
            attribute, leaving = pending.pop()
            if attribute in self._depths and (not early or attribute in self._early):
                continue
            if leaving:
                self._enter(attribute, early)
                continue
            pending.append((attribute, True))
            pending.extend((child, False) for child in reversed(children(attribute)))

    def _enter(self, attribute: Attribute, early: bool) -> None:
        depth = max((self._depths[child] + 1 for child in children(attribute)), default=0)
        self._depths.setdefault(attribute, depth)
        if early:
            self._early.add(attribute)


def alias_of(attribute: Attribute) -> str:
    """Return the name of an attribute's alias without ``#`` and the number, ``loc`` for locations; an empty
    text if attributes of its class have no alias.
    """
    name: str = getattr(type(attribute), "alias_name", "loc" if isinstance(attribute, Location) else "")
    return name


def children(attribute: Attribute) -> tuple[Attribute, ...]:
    """Return, in the order of the text, the attributes directly in `attribute` that may have an alias: the
    locations in a location, or the parameters of an attribute whose class has aliases. Empty for any other
    attribute, and for a name location with an unknown child.
    """
    match attribute:
        case NameLocation(child=child):
            return () if child is UNKNOWN else (child,)
        case CallSiteLocation():
            return attribute.callee, attribute.caller
        case FusedLocation():
            return attribute.locations
        case _ if hasattr(type(attribute), "alias_name"):
            found: list[Any] = [getattr(attribute, parameter) for parameter in type(attribute).parameters]
            return tuple(value for value in found if isinstance(value, Attribute) and alias_of(value))
        case _:
            return ()


def aliased_in(root: Attribute) -> Iterator[Attribute]:
    """Yield the attributes with aliases in an attribute value, in order: the value itself, or elements of an
    array or dictionary, nested elements included.
    """
    pending = [root]
    while pending:
        attribute = pending.pop()
        match attribute:
            case ArrayAttr():
                pending.extend(reversed(attribute.elements))
            case DictionaryAttr():
                pending.extend(value for _, value in reversed(attribute.entries))
            case _ if alias_of(attribute):
                yield attribute
            case _:
                pass
