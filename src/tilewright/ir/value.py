"""SSA values and their use lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tilewright.ir.attribute import Type

if TYPE_CHECKING:
    from tilewright.ir.block import Block, Region
    from tilewright.ir.operation import Operation


MAXIMUM_TUPLE = 4
"""The maximum number of uses kept in a tuple. A value with more keeps them in a dictionary, from which
dropping one is fast.
"""


class Value:
    """A value defined once: the result of an operation or the argument of a block. ``owner`` is this
    operation or block, and ``index`` the number of the value among its results or arguments. The use list is
    maintained by `Operation` and never edited by hand.
    """

    __slots__ = ("compact_uses", "index", "owner", "type")

    type: Type
    compact_uses: Operation | tuple[Operation, ...] | dict[Operation, int] | None
    """The use list as it is stored: None, the only user, a tuple of a few users, or the dictionary of `uses`.

    The tuple has an operation once for every operand that is the value.  Most values have one use, few more than
    `MAXIMUM_TUPLE`, and a dictionary is larger than everything else in a value together.
    """
    owner: Any  # an Operation (results) or a Block (arguments): subclasses narrow it
    index: int

    def __init__(self, type: Type, owner: Operation | Block, index: int) -> None:
        self.type = type
        self.compact_uses = None
        self.owner = owner
        self.index = index

    @property
    def uses(self) -> Mapping[Operation, int]:
        """The operations that use the value, each with the number of such operands, in the order of first
        use.
        """
        held = self.compact_uses
        if held is None:
            return {}
        if isinstance(held, dict):
            return held
        return _counts(held) if isinstance(held, tuple) else {held: 1}

    @property
    def users(self) -> Iterable[Operation]:
        """The operations that use the value, in the order of first use. An operation with several such
        operands may be listed several times; the keys of `uses` list it once.
        """
        held = self.compact_uses
        if held is None:
            return ()
        return held if isinstance(held, tuple) or isinstance(held, dict) else (held,)  # noqa: SIM101 - as below

    def add_use(self, user: Operation) -> None:
        """Record in the use list one more operand of ``user`` that is this value. `Operation`, the only
        caller, changes the operands themselves.
        """
        held = self.compact_uses
        if held is None:
            self.compact_uses = user
        elif isinstance(held, dict):
            held[user] = held.get(user, 0) + 1
        elif not isinstance(held, tuple):
            self.compact_uses = held, user
        elif len(held) < MAXIMUM_TUPLE:
            self.compact_uses = *held, user
        else:
            self.compact_uses = _counts((*held, user))

    def drop_uses_by(self, user: Operation) -> None:
        """Remove all uses by an operation from the use list; nothing changes if there are none. `Operation`,
        the only caller, changes the operands themselves.
        """
        held = self.compact_uses
        if held is user:
            self.compact_uses = None
        elif isinstance(held, dict):
            held.pop(user, None)
            if not held:
                self.compact_uses = None
        elif isinstance(held, tuple):
            left = tuple([other for other in held if other is not user])
            self.compact_uses = left if len(left) > 1 else left[0] if left else None

    def operand_uses(self) -> Iterator[tuple[Operation, int]]:
        """Yield every use as (operation, operand index), in order of first use."""
        for user in tuple(self.uses):
            for position, operand in enumerate(user.operands):
                if operand is self:
                    yield user, position

    @property
    def has_uses(self) -> bool:
        """Whether any operand in the program is this value."""
        return self.compact_uses is not None

    @property
    def has_one_use(self) -> bool:
        """Whether exactly one operand in the program is this value."""
        held = self.compact_uses
        if isinstance(held, dict):
            return len(held) == 1 and next(iter(held.values())) == 1
        return held is not None and not isinstance(held, tuple)

    def replace_all_uses_with(self, replacement: Value) -> None:
        """Replace all uses of this value with ``replacement``, in the operands of its users. Types are not
        compared.
        """
        if replacement is self:
            return
        held = self.compact_uses
        if held is not None and not (isinstance(held, tuple) or isinstance(held, dict)):  # noqa: SIM101 - twice as fast
            # one use, as most values have
            held.operands = self._replaced_in(held.operands, replacement)
            self.compact_uses = None
            if replacement.compact_uses is None:
                replacement.compact_uses = held
            else:
                replacement.add_use(held)
            return
        for user, count in self.uses.items():
            user.operands = self._replaced_in(user.operands, replacement)
            for _ in range(count):
                replacement.add_use(user)
        self.compact_uses = None

    def _replaced_in(self, operands: tuple[Value, ...], replacement: Value) -> tuple[Value, ...]:
        """Return ``operands`` with this value replaced by ``replacement``. Use lists are not changed."""
        if len(operands) == 2:  # most often
            a, b = operands
            return (replacement if a is self else a, replacement if b is self else b)
        return tuple([replacement if operand is self else operand for operand in operands])

    @property
    def parent_block(self) -> Block | None:
        """The block of an argument, or the block around the operation of a result; None if that is in no block."""
        raise NotImplementedError

    @property
    def parent_region(self) -> Region | None:
        """The region that the value is defined in; None if its block, or its operation, is in none."""
        block = self.parent_block
        return None if block is None else block.parent

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.index} : {self.type}>"


def _counts(users: tuple[Operation, ...]) -> dict[Operation, int]:
    counts: dict[Operation, int] = {}
    for user in users:
        counts[user] = counts.get(user, 0) + 1
    return counts


class OpResult(Value):
    """The ``index``-th result of operation ``owner``."""

    __slots__ = ()
    owner: Operation

    @property
    def parent_block(self) -> Block | None:
        return self.owner.parent


class BlockArgument(Value):
    """The ``index``-th argument of block ``owner``."""

    __slots__ = ()
    owner: Block

    @property
    def parent_block(self) -> Block:
        return self.owner


def defining_op(value: Value) -> Operation | None:
    """Return the operation that defines a value, or None for a block argument."""
    return value.owner if isinstance(value, OpResult) else None
