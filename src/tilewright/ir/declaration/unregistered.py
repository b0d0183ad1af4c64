"""Kinds of operations that are not registered: only their names are known."""

from __future__ import annotations

from collections.abc import Collection

from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import UnregisteredOp


class UnregisteredKind(OperationKind):
    """The kind of an unknown operation: its name, and which of its attributes are properties.

    Nothing is declared, so the text decides: what stood between ``<{`` and ``}>`` is printed there again.
    """

    __slots__ = ("properties",)

    def __init__(self, name: str, properties: Collection[str] = ()) -> None:
        super().__init__(name, UnregisteredOp, registered=False)
        self.properties = frozenset(properties)

    def is_inherent(self, attribute_name: str) -> bool:
        return attribute_name in self.properties


def properties_of(kind: OperationKind) -> frozenset[str]:
    """Return the names of the properties of an unknown operation; empty for a kind with a declaration."""
    return kind.properties if isinstance(kind, UnregisteredKind) else frozenset()
