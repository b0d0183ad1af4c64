"""The builders of patterns and passes: they make operations and insert them, all at one location.

``emit(AddOp, a, b)`` makes and inserts an operation and returns its first result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Self, TypeVar

from tilewright.ir import block as ir_block, builder, location as ir_location
from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite.rewriter import Rewriter

_Rewriter = TypeVar("_Rewriter", bound=Rewriter)


class Inserter:
    """Creates operations and inserts them. Subclasses define the insertion point, and add short names for
    common operations.
    """

    __slots__ = ()

    def insert(self, op_class: Any, *arguments: Any, **named: Any) -> Any:
        """Create ``op_class(*arguments, **named)``, insert it, and return it."""
        raise NotImplementedError(f"{type(self).__name__} does not say where operations go")

    def __call__(self, op_class: Any, *arguments: Any, type: Type | None = None, **named: Any) -> Value:
        """Create and insert ``op_class(*arguments, **named)`` and return its first result; it has to have
        one. ``type`` is the type of the only result; it can be left out if it follows from the operands.
        """
        if type is not None:
            named["result_types"] = [type]
        made: Operation = self.insert(op_class, *arguments, **named)
        return made.results[0]


class PointInserter(Inserter):
    """Inserts operations at an insertion point, one after the other, all with one location."""

    __slots__ = ("location", "point")

    def __init__(self, point: builder.InsertionPoint, location: Location | ir_location.LazyLocation) -> None:
        self.point = point
        self.location = location

    @classmethod
    def before(cls, op: Operation) -> Self:
        """Return an inserter whose insertion point is before `op`; new operations get the location of `op`."""
        return cls(builder.InsertionPoint.before(op), op.lazy_location)

    def insert(self, op_class: Any, *arguments: Any, **named: Any) -> Any:
        return self.point.insert(op_class(*arguments, location=self.location, **named))


class RewritingInserter(Inserter, Generic[_Rewriter]):
    """Inserts operations through a rewriter, which notifies its driver."""

    __slots__ = ("location", "rewriter")

    def __init__(self, rewriter: _Rewriter, location: Location | ir_location.LazyLocation) -> None:
        self.rewriter = rewriter
        self.location = location

    def insert(self, op_class: Any, *arguments: Any, **named: Any) -> Any:
        return self.rewriter.insert(op_class(*arguments, location=self.location, **named))

    def plain(
        self,
        kind: OperationKind,
        operands: Sequence[Value],
        types: Sequence[Type],
        attributes: Mapping[str, Attribute] | None = None,
        regions: Sequence[ir_block.Region] = (),
    ) -> Operation:
        """Insert an operation of `kind` from operands, result types, attributes and regions, without the
        checks of its builder, and return it.
        """
        made = Operation.from_parts(kind, operands, types, attributes, regions, location=self.location)
        return self.rewriter.insert(made)
