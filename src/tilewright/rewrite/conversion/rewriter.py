"""The rewriter of conversions: nothing is destroyed before the whole conversion has succeeded.

Replaced operations stay where they are until the end, and `mapping` says which new values stand for the old ones.
Everything else that changes is entered in a journal with the way back, so that any number of steps can be undone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.location import UNKNOWN, LazyLocation
from tilewright.ir.operation import Operation
from tilewright.ir.value import BlockArgument, Value
from tilewright.rewrite.conversion.type_converter import SignatureConversion, TypeConverter
from tilewright.rewrite.rewriter import Rewriter

_Op = TypeVar("_Op", bound=Operation)

MappedValues = Value | tuple[Value, ...]
UndoEntry = Operation | tuple[Any, ...]
"""An operation that was inserted, or a function that undoes something, followed by its arguments."""


class ConversionRewriter(Rewriter):
    """The rewriter of conversion patterns, with the methods of `Rewriter`. Replaced operations stay in their
    blocks until the conversion succeeds, and ``mapping`` has the replacements of their results. All changes
    are logged, and `undo_to` undoes them.
    """

    def __init__(self) -> None:
        super().__init__(Block())
        self.journal: list[UndoEntry] = []
        self.mapping: dict[Value, MappedValues] = {}
        """Maps replaced values to their replacements, which may be replaced in turn."""
        self.replaced_ops: dict[Operation, None] = {}
        """Replaced operations in order; they are erased when the conversion succeeds."""
        self.ignored: set[Operation] = set()
        """Operations nested in `replaced_ops`, which are erased together with them."""
        self.casts: dict[Operation, TypeConverter] = {}
        """Provisional casts, each with the converter whose materialisation replaces it."""
        self.bridges: dict[tuple[Value, Type], Value] = {}
        self.inserted_ops: list[Operation] = []
        self.modified_ops: list[Operation] = []
        self.old_arguments: list[tuple[Block, tuple[BlockArgument, ...]]] = []
        self._undo_erase = self._revive

    # --- the journal

    def checkpoint(self) -> int:
        """Return a position in the journal, to which `undo_to` can return."""
        return len(self.journal)

    def undo_to(self, checkpoint: int) -> None:
        """Undo everything done since a checkpoint, last first."""
        journal = self.journal
        discarded: list[Operation] = []
        while len(journal) > checkpoint:
            entry = journal.pop()
            if isinstance(entry, Operation):
                discarded.append(entry.detach())
            else:
                undo, *arguments = entry
                undo(*arguments)
        for op in discarded:  # only now: moved operations are back in their places
            op.drop_all_references()

    def log_undo(self, undo: Callable[..., Any], *arguments: Any) -> None:
        """Append ``undo(*arguments)``, the call that undoes the last change, to the journal."""
        self.journal.append((undo, *arguments))

    # --- values

    def lookup(self, value: Value) -> MappedValues:
        """Return the newest replacements of a value: one value, or a tuple for 1:N. The value itself if it
        was not replaced.
        """
        mapping = self.mapping
        found: MappedValues = value
        while isinstance(found, Value):
            following = mapping.get(found)
            if following is None:
                return found
            found = following
        if len(found) == 1:
            return self.lookup(found[0])
        flat = [self.lookup(part) for part in found]
        return tuple([v for part in flat for v in ((part,) if isinstance(part, Value) else part)])

    def lookup_typed(self, value: Value, type: Type) -> Value | None:
        """Return the newest value of type ``type`` among ``value`` and the single values that replace it one
        after the other; None if there is none.
        """
        found = value if value.type is type else None
        following = self.mapping.get(value)
        while isinstance(following, Value):
            if following.type is type:
                found = following
            following = self.mapping.get(following)
        return found

    def remapped(self, value: Value) -> Value:
        """Return the newest replacement of a value. Raises `ValueError` if several values replace it."""
        found = self.lookup(value)
        if not isinstance(found, Value):
            raise ValueError(f"the value was converted to {len(found)} values; ask with `lookup`")
        return found

    def map_value(self, old: Value, new: MappedValues) -> None:
        """Record one value, or a tuple of several, as the replacement of a value, in place of an earlier
        replacement.
        """
        self.mapping[old] = new
        self.journal.append((self.mapping.pop, old))

    # --- making

    def insert(self, op: _Op) -> _Op:
        point = self.point  # `InsertionPoint.insert`, unrolled
        anchor = point.anchor
        if anchor is None:
            point.block.append(op)
        else:
            point.block.insert_before(anchor, op)
        self.inserted_ops.append(op)
        self.journal.append(op)
        return op

    # --- replacing and erasing

    def replace(self, op: Operation, replacement: Operation | Value | Sequence[Any]) -> None:
        """Map the results of `op` to the values of `replacement` (the results, if it is an operation), and
        erase `op` when the conversion succeeds. An entry may be a sequence of values (1:N) or None (unused).
        Raises `ValueError` for a wrong number of values.
        """
        results = op.results
        if isinstance(replacement, Value):
            if len(results) == 1 and not op.regions:  # the usual case
                self.mapping[results[0]] = replacement
                self.replaced_ops[op] = None
                self.journal.append((self._undo_erase, op))
                return
            new: Sequence[Any] = (replacement,)
        else:
            new = replacement.results if isinstance(replacement, Operation) else replacement
        if len(new) != len(results):
            raise ValueError(f"'{op.name}' has {len(results)} results, got {len(new)} replacements")
        mapping = self.mapping
        for result, values in zip(results, new):  # noqa: B905 - as was tested
            if isinstance(values, Value):
                mapping[result] = values
            elif values is not None:
                mapping[result] = values[0] if len(values) == 1 else tuple(values)
        self.erase(op)

    def replace_all_uses(self, old: Value, new: Value) -> None:
        self.map_value(old, new)

    def erase(self, op: Operation) -> None:
        """Erase an operation, with everything in it, when the conversion succeeds."""
        self.replaced_ops[op] = None
        self.journal.append((self._undo_erase, op))
        if op.regions:
            inside = {inner for inner in op.walk() if inner is not op} - self.ignored
            self.ignored |= inside
            self.log_undo(self.ignored.difference_update, inside)

    def _revive(self, op: Operation) -> None:
        del self.replaced_ops[op]
        for result in op.results:
            self.mapping.pop(result, None)

    def is_gone(self, op: Operation) -> bool:
        """Return whether `op` was replaced or erased, or is nested in such an operation; it is destroyed when
        the conversion succeeds.
        """
        return op in self.replaced_ops or op in self.ignored

    def erase_block(self, block: Block) -> None:
        region = block.parent
        assert region is not None, "the block must be in a region"
        for op in block.ops:
            self.erase(op)
        position = region.blocks.index(block)
        region.remove(block)
        self.log_undo(region.insert, position, block)

    # --- changing in place

    @contextlib.contextmanager
    def modify(self, op: Operation) -> Generator[None, None, None]:
        self.log_undo(_restore, op, *_state(op))
        try:
            yield
        finally:
            self.modified_ops.append(op)

    def set_operands(self, op: Operation, operands: Sequence[Value]) -> None:
        with self.modify(op):
            op.set_operands(operands)

    def set_attribute(self, op: Operation, name: str, value: Attribute | None) -> None:
        with self.modify(op):
            if value is None:
                op.attributes.pop(name, None)
            else:
                op.attributes[name] = value

    def set_result_types(self, op: Operation, types: Sequence[Type]) -> None:
        """Change the result types of ``op`` in place; operations that use the results are not changed."""
        with self.modify(op):
            for result, type in zip(op.results, types, strict=True):
                result.type = type

    # --- blocks and regions

    def create_block(
        self,
        region: Region,
        argument_types: Any = (),
        location: Location = UNKNOWN,
        position: int | None = None,
    ) -> Block:
        block = super().create_block(region, argument_types, location, position)
        self.log_undo(_remove_block, region, block)
        return block

    def split_block(self, op: Operation) -> Block:
        block = op.parent
        rest = super().split_block(op)
        self.log_undo(_unsplit, block, rest)
        return rest

    def inline_block(self, source: Block, anchor: Operation, arguments: Sequence[Value] = ()) -> None:
        self._move_operations(source, arguments, lambda op: op.move_before(anchor))

    def merge_blocks(self, source: Block, target: Block, arguments: Sequence[Value] = ()) -> None:
        self._move_operations(source, arguments, lambda op: target.append(op.detach()))

    def _move_operations(
        self, source: Block, arguments: Sequence[Value], move: Callable[[Operation], Any]
    ) -> None:
        for argument, value in zip(source.arguments, arguments, strict=True):
            self.map_value(argument, value)
        moved = source.ops
        for op in moved:
            move(op)
        self.log_undo(_put_back, source, moved)
        self.erase_block(source)

    def take_region(self, source: Region, target: Region, position: int | None = None) -> None:
        blocks = list(source.blocks)
        target.take_blocks(source, position)
        self.log_undo(_return_blocks, source, target, blocks)

    def move_before(self, op: Operation, anchor: Operation) -> None:
        block, following = op.parent, op.next
        op.move_before(anchor)
        self.log_undo(_move_back, op, block, following)

    def convert_block(self, block: Block, conversion: SignatureConversion) -> None:
        """Replace the arguments of a block by arguments of the converted types, to which the old arguments
        are mapped. The block object is the same.
        """
        old, locations = block.arguments, block.argument_locations
        new: list[BlockArgument] = []
        places: list[Location | LazyLocation] = []
        for argument, types in zip(old, conversion.parts, strict=True):
            part = [BlockArgument(type, block, len(new) + at) for at, type in enumerate(types)]
            new.extend(part)
            places.extend([block.argument_location(argument.index)] * len(part))
            self.map_value(argument, part[0] if len(part) == 1 else tuple(part))
        block.arguments, block.argument_locations = new, places
        self.old_arguments.append((block, tuple(old)))
        self.log_undo(self._restore_arguments, block, old, locations)

    def _restore_arguments(self, block: Block, old: list[BlockArgument], locations: Any) -> None:
        block.arguments, block.argument_locations = old, locations
        self.old_arguments.pop()

    def convert_region_types(
        self, region: Region, converter: TypeConverter, entry: SignatureConversion | None = None
    ) -> bool:
        """Convert the arguments of all blocks of a region by `converter`; if `entry` is not None, it is the
        conversion of the first block. Return False, with nothing changed, if a type has no conversion.
        """
        blocks = list(region.blocks)
        conversions = [converter.convert_signature([a.type for a in block.arguments]) for block in blocks]
        if entry is not None and blocks:
            conversions[0] = entry
        if None in conversions:
            return False
        for block, conversion in zip(blocks, conversions, strict=True):
            if conversion is not None and conversion.types != [a.type for a in block.arguments]:
                self.convert_block(block, conversion)
        return True

    def place_before(self, op: Operation) -> None:
        """Move the insertion point right before an operation."""
        block = op.parent
        assert block is not None, "the operation must be in a block"
        self.point = InsertionPoint(block, op)


# --- ways back


def _state(op: Operation) -> tuple[Any, ...]:
    types = [result.type for result in op.results]
    return op.operands, dict(op.held_attributes), op.successors, types, op.lazy_location


def _restore(
    op: Operation, operands: Any, attributes: Any, successors: Any, types: Sequence[Type], location: Any
) -> None:
    if op.operands is not operands:
        op.set_operands(operands)
    op.held_attributes = attributes
    if op.successors != successors:
        op.set_successors(successors)
    for result, type in zip(op.results, types, strict=True):
        result.type = type
    op.lazy_location = location


def _remove_block(region: Region, block: Block) -> None:
    block.drop_operations()
    region.remove(block)


def _unsplit(block: Block, rest: Block) -> None:
    for op in rest.ops:
        block.append(op.detach())
    if rest.parent is not None:
        rest.parent.remove(rest)


def _put_back(source: Block, moved: Sequence[Operation]) -> None:
    for op in moved:
        source.append(op.detach())


def _return_blocks(source: Region, target: Region, blocks: Sequence[Block]) -> None:
    for block in blocks:
        target.remove(block)
    for block in blocks:
        source.append(block)


def _move_back(op: Operation, block: Block, following: Operation | None) -> None:
    op.detach()
    if following is None:
        block.append(op)
    else:
        block.insert_before(following, op)
