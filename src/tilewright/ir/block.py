"""Blocks and regions: the containers of operations, and their traversal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from tilewright.ir.attribute import Location, Type
from tilewright.ir.location import UNKNOWN, LazyLocation
from tilewright.ir.support.collection import age_new_objects, is_growth_due
from tilewright.ir.value import BlockArgument

if TYPE_CHECKING:
    from tilewright.ir.operation import Operation

_ORDER_GAP = 1 << 10


class Block:
    """A list of operations with arguments; operations are linked, so inserting and removing take constant
    time.

    `locations` are the locations of the arguments, UNKNOWN if None. ``order_valid`` says that the order
    numbers of the operations, where they have one, increase.
    """

    __slots__ = (
        "argument_locations",
        "arguments",
        "first",
        "last",
        "order_valid",
        "parent",
        "predecessor_uses",
    )

    kind: ClassVar[None] = None
    """Always None: no operation defines a block argument. Thus ``value.owner.kind`` can be read for any
    value.
    """

    def __init__(
        self,
        argument_types: Iterable[Type] = (),
        locations: Iterable[Location | LazyLocation] | None = None,
    ) -> None:
        self.arguments: list[BlockArgument] = [
            BlockArgument(t, self, i) for i, t in enumerate(argument_types)
        ]
        self.argument_locations: list[Location | LazyLocation] | None = None
        if locations is not None:
            self.argument_locations = list(locations)
        self.first: Operation | None = None
        self.last: Operation | None = None
        self.parent: Region | None = None
        self.order_valid = False
        self.predecessor_uses: dict[Operation, int] = {}
        """Terminators that name this block as a successor, with their number of such successors."""

    def __iter__(self) -> Iterator[Operation]:
        """Yield the operations in order; the current operation may be erased while iterating."""
        op = self.first
        while op is not None:
            following = op.next
            yield op
            op = following

    @property
    def ops(self) -> list[Operation]:
        """A copy of the list of operations, which stays valid if the block changes."""
        return list(self)

    @property
    def operations(self) -> list[Operation]:
        """A copy of the list of operations (MLIR's name for `ops`)."""
        return list(self)

    @property
    def parent_op(self) -> Operation | None:
        """The operation that owns the region this block is in; None for a block outside of a region, or in a
        region without owner.
        """
        return self.parent.parent if self.parent is not None else None

    @property
    def terminator(self) -> Operation | None:
        """The last operation if it is a terminator; None if it is not, or if the block is empty."""
        last = self.last
        return last if last is not None and last.kind.is_terminator else None

    @property
    def predecessors(self) -> list[Block]:
        """The blocks whose terminator names this block, each once, in order of first use. Terminators outside
        of a block are left out.
        """
        return [op.parent for op in self.predecessor_uses if op.parent is not None]

    @property
    def successors(self) -> tuple[Block, ...]:
        """The successors of the last operation; empty if the block is empty."""
        return self.last.successors if self.last is not None else ()

    def argument_location(self, index: int) -> Location:
        """Return the location of argument number `index`; `UNKNOWN` if no location is stored for it, also if
        there is no such argument.
        """
        locations = self.argument_locations
        if locations is None or index >= len(locations):
            return UNKNOWN
        held = locations[index]
        if not isinstance(held, Location):
            source, position = held
            held = locations[index] = source.location(position)
        return held

    def add_argument(self, type: Type, location: Location | LazyLocation = UNKNOWN) -> BlockArgument:
        """Append an argument of `type`, at `location`, to the block and return it."""
        return self.insert_argument(len(self.arguments), type, location)

    def insert_argument(
        self, index: int, type: Type, location: Location | LazyLocation = UNKNOWN
    ) -> BlockArgument:
        """Insert an argument of `type`, at `location`, before position ``index``, which is from 0 to the
        number of arguments, and return it; the indices of the following arguments grow by one.
        """
        argument = BlockArgument(type, self, index)
        if self.argument_locations is not None or location is not UNKNOWN:
            unknown: list[Location | LazyLocation] = [UNKNOWN] * len(self.arguments)
            locations = self.argument_locations or unknown
            locations.insert(index, location)
            self.argument_locations = locations
        self.arguments.insert(index, argument)
        self._renumber_arguments(index)
        return argument

    def erase_argument(self, index: int) -> None:
        """Remove argument number `index`; the indices of the following arguments shrink by one. Raises
        `ValueError` if it has uses.
        """
        if self.arguments[index].has_uses:
            raise ValueError(f"block argument {index} still has uses")
        del self.arguments[index]
        if self.argument_locations is not None:
            del self.argument_locations[index]
        self._renumber_arguments(index)

    def _renumber_arguments(self, start: int) -> None:
        for position in range(start, len(self.arguments)):
            self.arguments[position].index = position

    def append(self, op: Operation) -> Operation:
        """Add an operation at the end and return it. Raises `ValueError` if it is in a block already."""
        if op.parent is not None:
            raise ValueError(f"'{op.name}' is already in a block; detach it first")
        last = self.last
        op.parent = self
        op.previous = last
        op.order_number = None  # numbers come on demand
        if last is None:
            self.first = op
            self.order_valid = True
        else:
            last.next = op
        self.last = op
        if is_growth_due():
            age_new_objects()
        return op

    def prepend(self, op: Operation) -> Operation:
        """Insert an operation at the start of the block and return it. Raises `ValueError` if it is in a
        block already.
        """
        return self.append(op) if self.first is None else self.insert_before(self.first, op)

    def insert_before(self, anchor: Operation, op: Operation) -> Operation:
        """Insert ``op`` right before ``anchor`` and return ``op``.

        Raises `ValueError` if ``op`` is in a block already, or ``anchor`` is not in this one.
        """
        if op.parent is not None:
            raise ValueError(f"'{op.name}' is already in a block; detach it first")
        if anchor.parent is not self:
            raise ValueError("the anchor is not in this block")
        previous = anchor.previous
        op.parent, op.previous, op.next = self, previous, anchor
        anchor.previous = op
        if previous is None:
            self.first = op
        else:
            previous.next = op
        if anchor.order_number is None:
            op.order_number = None
        else:
            self._place_between(op, previous, anchor)
        return op

    def insert_after(self, anchor: Operation, op: Operation) -> Operation:
        """Insert ``op`` right after ``anchor`` and return ``op``.

        Raises `ValueError` if ``op`` is in a block already, or ``anchor`` is not in this one.
        """
        if anchor.parent is not self:
            raise ValueError("the anchor is not in this block")
        following = anchor.next
        return self.append(op) if following is None else self.insert_before(following, op)

    def _place_between(self, op: Operation, previous: Operation | None, following: Operation) -> None:
        low = previous.order_number if previous is not None else following.order_number - 2 * _ORDER_GAP
        op.order_number = (low + following.order_number) // 2
        if op.order_number in (low, following.order_number):
            self.order_valid = False

    def remove(self, op: Operation) -> None:
        """Unlink an operation without destroying it; its uses and operands stay. Raises `ValueError` if it is
        not in this block.
        """
        if op.parent is not self:
            raise ValueError(f"'{op.name}' is not in this block")
        previous, following = op.previous, op.next
        if previous is None:
            self.first = following
        else:
            previous.next = following
        if following is None:
            self.last = previous
        else:
            following.previous = previous
        op.parent = op.previous = op.next = None

    def recompute_order(self) -> None:
        """Assign new order numbers, with gaps for later insertions, to all operations. It runs on demand."""
        for number, op in enumerate(self):
            op.order_number = number * _ORDER_GAP
        self.order_valid = True

    def number_appended(self) -> None:
        """Assign order numbers to the operations at the end that have none; all operations before them have
        numbers.
        """
        op, following = self.last, None
        while op is not None and op.order_number is None:
            op, following = op.previous, op
        number: int = op.order_number if op is not None else 0
        while following is not None:
            following.order_number = number = number + _ORDER_GAP
            following = following.next

    def split_before(self, op: Operation) -> Block:
        """Move ``op`` and all operations after it into a new block, which comes right after this one in the
        region, and return it. The new block has no arguments, and this one no terminator. Raises `ValueError`
        if ``op`` is not in this block.
        """
        rest = Block()
        current: Operation | None = op
        while current is not None:
            following = current.next
            self.remove(current)
            rest.append(current)
            current = following
        if self.parent is not None:
            self.parent.insert(self.parent.blocks.index(self) + 1, rest)
        return rest

    def erase(self) -> None:
        """Destroy the block and everything in it, and remove it from its region.

        Raises `ValueError` if the block has predecessors, or if operations outside use results of its
        operations.
        """
        if self.predecessor_uses:
            raise ValueError("block still has predecessors")
        self.drop_operations()
        if self.parent is not None:
            self.parent.blocks.remove(self)
            self.parent = None

    def drop_operations(self) -> None:
        """Destroy the operations of this block, which may use each other in any order. Raises `ValueError` if
        operations outside use their results.
        """
        for op in self:
            op.drop_all_references()
        for op in self.ops:
            op.erase()


class Region:
    """A list of blocks owned by an operation."""

    __slots__ = ("blocks", "parent")

    def __init__(self, blocks: Iterable[Block] = ()) -> None:
        self.blocks: list[Block] = []
        self.parent: Operation | None = None
        for block in blocks:
            self.append(block)

    def append(self, block: Block) -> Block:
        """Add a block at the end and return it. Raises `ValueError` if it is in a region already."""
        return self.insert(len(self.blocks), block)

    def insert(self, position: int, block: Block) -> Block:
        """Insert a block before ``position`` and return it. Raises `ValueError` if it is in a region already."""
        if block.parent is not None:
            raise ValueError("the block is already in a region")
        self.blocks.insert(position, block)
        block.parent = self
        return block

    def remove(self, block: Block) -> Block:
        """Unlink a block without destroying it and return it. Raises `ValueError` if it is not in this
        region.
        """
        self.blocks.remove(block)
        block.parent = None
        return block

    def take_blocks(self, source: Region, position: int | None = None) -> None:
        """Move all blocks of ``source`` into this region, before ``position``; at the end if it is None."""
        at = len(self.blocks) if position is None else position
        moved, source.blocks = source.blocks, []
        for block in moved:
            block.parent = self
        self.blocks[at:at] = moved

    @property
    def entry(self) -> Block | None:
        """The entry block, which is the first one; None in an empty region."""
        return self.blocks[0] if self.blocks else None

    @property
    def block(self) -> Block:
        """The only block of a single-block region. Raises `ValueError` if the region has no block or several."""
        (block,) = self.blocks
        return block

    def __iter__(self) -> Iterator[Block]:
        return iter(tuple(self.blocks))

    def is_ancestor_of(self, other: Region) -> bool:
        """Return whether ``other`` is this region or nested in it."""
        region: Region | None = other
        while region is not None:
            if region is self:
                return True
            owner = region.parent
            region = owner.parent.parent if owner is not None and owner.parent is not None else None
        return False


def nested_operations(root: Operation) -> Iterator[Operation]:
    """Yield `root` and all operations nested in it in pre-order."""
    yield root
    pending: list[Operation | None] = []  # the operations to continue with, the innermost last
    following: Operation | None = None
    op: Operation | None = root
    regions = root.regions
    while True:
        if op is not None:  # it was visited and has regions
            pending.append(following)
            if len(regions) == 1 and len(blocks := regions[0].blocks) == 1:
                op = blocks[0].first
            else:
                op = _enter_regions(regions, pending)
        elif pending:
            op = pending.pop()
        else:
            return
        while op is not None:
            following = op.next
            yield op
            regions = op.regions
            if regions:
                break
            op = following


def _enter_regions(regions: Sequence[Region], pending: list[Operation | None]) -> Operation | None:
    """Return the first operation in `regions`, or None if the first block is empty; push the first operations
    of the other blocks on `pending`, last block first.
    """
    for region in reversed(regions):
        pending.extend([block.first for block in reversed(region.blocks)])
    return pending.pop()


def nested_operations_reversed(root: Operation) -> Iterator[Operation]:
    """Yield `root` and all operations nested in it in pre-order, with the operations of each level in
    reverse order.
    """
    pending = [root]
    while pending:
        op = pending.pop()
        yield op
        pending.extend([inner for region in op.regions for block in region.blocks for inner in block])
