"""Insertion points and a builder that puts new operations where they belong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self, TypeVar

from tilewright.ir.attribute import Location, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.support.progress import Entered

_Op = TypeVar("_Op", bound=Operation)


_ENTERED: Entered[InsertionPoint] = Entered("insertion points")


class InsertionPoint:
    """A position in a block: before ``anchor``, or at the end of the block if ``anchor`` is None.

    In a ``with`` block, `Operation.create` inserts operations there.
    """

    __slots__ = ("anchor", "block")
    current = _ENTERED
    """The insertion point of the innermost ``with`` block, or None."""

    def __init__(self, block: Block, anchor: Operation | None = None) -> None:
        self.block = block
        self.anchor = anchor

    @classmethod
    def before(cls, op: Operation) -> InsertionPoint:
        """Return the insertion point right before an operation.

        Raises `ValueError` if the operation is not in a block.
        """
        if op.parent is None:
            raise ValueError("the operation is not in a block")
        return cls(op.parent, op)

    @classmethod
    def after(cls, op: Operation) -> InsertionPoint:
        """Return the insertion point right after an operation: before the operation that follows it now.

        Raises `ValueError` if the operation is not in a block.
        """
        if op.parent is None:
            raise ValueError("the operation is not in a block")
        return cls(op.parent, op.next)

    @classmethod
    def at_start(cls, block: Block) -> InsertionPoint:
        """Return the insertion point before the first operation of a block."""
        return cls(block, block.first)

    def __enter__(self) -> Self:
        _ENTERED.enter(self)
        return self

    def __exit__(self, *_: object) -> None:
        _ENTERED.leave()

    def insert(self, op: _Op) -> _Op:
        """Insert an operation at this point and return it. The next operation inserted here comes after it.
        Raises `ValueError` if the operation is in a block already.
        """
        if self.anchor is None:
            self.block.append(op)
        else:
            self.block.insert_before(self.anchor, op)
        return op


class Builder:
    """Inserts operations at an insertion point; a block stands for its end."""

    def __init__(self, point: InsertionPoint | Block) -> None:
        self.point = InsertionPoint(point) if isinstance(point, Block) else point

    def insert(self, op: _Op) -> _Op:
        """Insert an operation at the current point and return it."""
        return self.point.insert(op)

    def create_block(
        self, region: Region, argument_types: Iterable[Type] = (), location: Location = UNKNOWN
    ) -> Block:
        """Append a block with arguments of `argument_types`, all at `location`, to a region; return it, and
        continue at its end.
        """
        types = list(argument_types)
        block = region.append(Block(types, [location] * len(types)))
        self.point = InsertionPoint(block)
        return block
