"""SSA values and their use lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tilewright.ir.attribute import Type

if TYPE_CHECKING:
    from tilewright.ir.block import Block
    from tilewright.ir.operation import Operation


class Value:
    """A value defined once: the result of an operation or the argument of a block.

    ``uses`` maps each operation that uses the value to the number of its operands that do, in the order of first
    use; it is maintained by `Operation` and never edited by hand.
    """

    __slots__ = ("index", "owner", "type", "uses")

    type: Type
    uses: dict[Operation, int]
    owner: Any  # an Operation (results) or a Block (arguments): subclasses narrow it
    index: int

    def __init__(self, type: Type, owner: Operation | Block, index: int) -> None:
        self.type = type
        self.uses = {}
        self.owner = owner
        self.index = index

    def operand_uses(self) -> Iterator[tuple[Operation, int]]:
        """Every use as (operation, operand index), in order of first use."""
        for user in tuple(self.uses):
            for position, operand in enumerate(user.operands):
                if operand is self:
                    yield user, position

    @property
    def has_one_use(self) -> bool:
        """Whether exactly one operand in the program is this value."""
        return len(self.uses) == 1 and next(iter(self.uses.values())) == 1

    def replace_all_uses_with(self, replacement: Value) -> None:
        """Make every user use ``replacement`` instead."""
        if replacement is self:
            return
        for user, count in self.uses.items():
            user.operands = tuple([replacement if operand is self else operand for operand in user.operands])
            replacement.uses[user] = replacement.uses.get(user, 0) + count
        self.uses = {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.index} : {self.type}>"


class OpResult(Value):
    """The ``index``-th result of operation ``owner``."""

    __slots__ = ()
    owner: Operation


class BlockArgument(Value):
    """The ``index``-th argument of block ``owner``."""

    __slots__ = ()
    owner: Block


def defining_op(value: Value) -> Operation | None:
    """The operation that defines a value, or None for a block argument."""
    return value.owner if isinstance(value, OpResult) else None
