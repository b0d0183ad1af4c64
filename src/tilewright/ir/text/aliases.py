"""Location aliases: ``#loc3 = loc(...)``, numbered and ordered as MLIR does."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.ir.attribute import Attribute, Location
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import ArrayAttr, DictionaryAttr
from tilewright.ir.location import UNKNOWN, CallSiteLocation, FusedLocation, NameLocation
from tilewright.ir.operation import Operation
from tilewright.ir.utf8 import utf8


class LocationAliases:
    """Aliases of all locations in an operation.

    Locations that operations alone use are *deferred*: they are defined after the text, all others before it.
    """

    def __init__(self, root: Operation) -> None:
        self._depths: dict[Location, int] = {}
        self._early: set[Location] = set()
        for op in root.walk():
            if op is not root and op.previous is None and op.parent is not None:
                self._visit_arguments(op.parent)
            self._visit_operation(op)
        ordered = sorted(self._depths, key=self._depths.__getitem__)
        self.names: dict[Attribute, str] = {
            location: f"#loc{number or ''}" for number, location in enumerate(ordered)
        }

    def early(self) -> Iterator[Location]:
        """Locations to define before the text."""
        return (location for location in self._ordered() if location in self._early)

    def deferred(self) -> Iterator[Location]:
        """Locations to define after the text."""
        return (location for location in self._ordered() if location not in self._early)

    def _ordered(self) -> Iterator[Location]:
        return (name for name in self.names if isinstance(name, Location))

    def _visit_operation(self, op: Operation) -> None:
        self._visit(op.location, early=False)
        for name in sorted(op.attributes, key=lambda name: (not op.kind.is_inherent(name), utf8(name))):
            for location in locations_in(op.attributes[name]):
                self._visit(location, early=True)
        for region in op.regions:
            for block in region.blocks:
                if block.first is None:
                    self._visit_arguments(block)

    def _visit_arguments(self, block: Block) -> None:
        for index in range(len(block.arguments)):
            self._visit(block.argument_location(index), early=True)

    def _visit(self, root: Location, *, early: bool) -> None:
        """Enter a location after its children; no recursion, call chains may be long."""
        pending: list[tuple[Location, bool]] = [(root, False)]
        while pending:
            location, leaving = pending.pop()
            if location in self._depths and (not early or location in self._early):
                continue
            if leaving:
                self._enter(location, early)
                continue
            pending.append((location, True))
            pending.extend((child, False) for child in reversed(children(location)))

    def _enter(self, location: Location, early: bool) -> None:
        depth = max((self._depths[child] + 1 for child in children(location)), default=0)
        self._depths.setdefault(location, depth)
        if early:
            self._early.add(location)


def children(location: Location) -> tuple[Location, ...]:
    """The locations that the text of a location contains, in order."""
    match location:
        case NameLocation(child=child):
            return () if child is UNKNOWN else (child,)
        case CallSiteLocation():
            return location.callee, location.caller
        case FusedLocation():
            return location.locations
        case _:
            return ()


def locations_in(root: Attribute) -> Iterator[Location]:
    """Locations inside an attribute value, in order."""
    pending = [root]
    while pending:
        attribute = pending.pop()
        match attribute:
            case Location():
                yield attribute
            case ArrayAttr():
                pending.extend(reversed(attribute.elements))
            case DictionaryAttr():
                pending.extend(value for _, value in reversed(attribute.entries))
            case _:
                pass
