"""The rewriter: patterns change IR only through it, so that drivers are notified of every change."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Mapping, Sequence
from typing import Any, TypeVar

from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import Builder, InsertionPoint
from tilewright.ir.declaration.fields import MISSING
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS, OperationKind, segments
from tilewright.ir.location import UNKNOWN, LazyLocation
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite.pattern import NoMatch

_Op = TypeVar("_Op", bound=Operation)


class Listener:
    """The base of classes that are notified of changes. Drivers and observers override the methods they
    need.
    """

    __slots__ = ()

    def inserted(self, op: Operation) -> None:
        """Called after ``op`` was inserted into a block."""

    def modified(self, op: Operation) -> None:
        """Called after operands, attributes, regions or successors of ``op`` changed in place."""

    def replaced(self, op: Operation, values: Sequence[Value]) -> None:
        """Called before the uses of the results of ``op`` are replaced with ``values``."""

    def erased(self, op: Operation) -> None:
        """Called before ``op`` is destroyed."""


class Rewriter(Builder):
    """A builder that also replaces, modifies and erases operations, and notifies a listener.

    New operations go to ``point``; drivers put it right before the matched operation. A driver may be a
    subclass, and is then notified by `inserted`, `modified`, `replaced` and `erased`.
    """

    def __init__(self, point: InsertionPoint | Block, listener: Listener | None = None) -> None:
        super().__init__(point)
        self.listener = listener if listener is not None else Listener()

    def no_match(self, reason: str, *arguments: object) -> NoMatch:
        """Return the reason of a pattern that declines and has changed nothing: ``return
        rewriter.no_match("divisor is not a constant")``.

        ``{}`` in the reason are replaced with the arguments when the text is read.
        """
        return NoMatch(reason, arguments)

    # --- what there is to hear

    def inserted(self, op: Operation) -> None:
        """Notify the listener that ``op`` was inserted into a block."""
        self.listener.inserted(op)

    def modified(self, op: Operation) -> None:
        """Notify the listener that ``op`` was changed in place."""
        self.listener.modified(op)

    def replaced(self, op: Operation, values: Sequence[Value]) -> None:
        """Notify the listener that the uses of the results of ``op`` are about to be replaced with
        ``values``.
        """
        self.listener.replaced(op, values)

    def erased(self, op: Operation) -> None:
        """Notify the listener that ``op`` is about to be destroyed."""
        self.listener.erased(op)

    # --- making

    def insert(self, op: _Op) -> _Op:
        super().insert(op)
        self.inserted(op)
        return op

    def clone(self, op: _Op, mapping: dict[Value, Value] | None = None) -> _Op:
        """Insert a deep copy of ``op`` and return it. ``mapping`` maps values that ``op`` uses to their
        replacements in the copy, and receives the values of the copy; None replaces nothing.
        """
        return self.insert(op.clone(mapping))

    @contextlib.contextmanager
    def at(self, point: InsertionPoint) -> Generator[None, None, None]:
        """Move the insertion point to ``point`` for the ``with`` block."""
        saved, self.point = self.point, point
        try:
            yield
        finally:
            self.point = saved

    # --- replacing and erasing

    def replace(self, op: Operation, replacement: Operation | Value | Sequence[Value]) -> None:
        """Replace the results of ``op`` with other values, or with the results of another operation, and
        erase it. Raises `ValueError` for a wrong number of values.
        """
        values = replacement_values(replacement)
        if len(values) != len(op.results):
            raise ValueError(f"'{op.name}' has {len(op.results)} results, got {len(values)} replacements")
        self.replaced(op, values)
        for result, value in zip(op.results, values, strict=True):
            self.replace_all_uses(result, value)
        self.erase(op)

    def replace_all_uses(self, old: Value, new: Value) -> None:
        """Replace all uses of ``old`` with ``new``, and notify the listener that each user changed."""
        users = tuple(old.uses)
        old.replace_all_uses_with(new)
        for user in users:
            self.modified(user)

    def erase(self, op: Operation) -> None:
        """Erase an operation with everything in it. Raises `ValueError` if its results have uses."""
        for inner in reversed(list(op.walk())) if op.regions else (op,):
            self.erased(inner)
        op.erase()

    def erase_block(self, block: Block) -> None:
        """Erase a block with everything in it. Raises `ValueError` if it has predecessors, or if operations
        outside use its results.
        """
        for op in reversed(block.ops):
            for inner in reversed(list(op.walk())):
                self.erased(inner)
        block.erase()

    # --- changing in place

    @contextlib.contextmanager
    def modify(self, op: Operation) -> Generator[None, None, None]:
        """Notify the listener, when the ``with`` block ends, that its body changed operands, attributes or
        successors of `op`.
        """
        yield
        self.modified(op)

    def set_operands(self, op: Operation, operands: Sequence[Value]) -> None:
        """Replace all operands of `op`."""
        op.set_operands(operands)
        self.modified(op)

    def set_attribute(self, op: Operation, name: str, value: Attribute | None) -> None:
        """Set the attribute of `op` that is called `name` in the IR to `value`, or remove it if `value` is
        None.
        """
        if value is None:
            op.attributes.pop(name, None)
        else:
            op.attributes[name] = value
        self.modified(op)

    # --- blocks and regions

    def create_block(
        self,
        region: Region,
        argument_types: Any = (),
        location: Location = UNKNOWN,
        position: int | None = None,
    ) -> Block:
        """Add a block with arguments of the types ``argument_types`` to a region, at index `position`
        (default: at the end), and return it. The insertion point moves to the end of the block. All arguments
        get ``location``.
        """
        types: list[Type] = list(argument_types)
        at = len(region.blocks) if position is None else position
        block = region.insert(at, Block(types, [location] * len(types)))
        self.point = InsertionPoint(block)
        return block

    def split_block(self, op: Operation) -> Block:
        """Move ``op`` and the operations after it into a new block right after its own, and return the new
        block. No branch to it is added, and the listener is not notified.
        """
        block = op.parent
        assert block is not None, "the operation must be in a block"
        return block.split_before(op)

    def inline_block(self, source: Block, anchor: Operation, arguments: Sequence[Value] = ()) -> None:
        """Move all operations of ``source`` before ``anchor``, replace the arguments of the block with
        ``arguments``, one value for each, and erase the block.
        """
        for argument, value in zip(source.arguments, arguments, strict=True):
            self.replace_all_uses(argument, value)
        for op in source.ops:
            op.move_before(anchor)
            self.inserted(op)
        self.erase_block(source)

    def merge_blocks(self, source: Block, target: Block, arguments: Sequence[Value] = ()) -> None:
        """Move all operations of ``source`` to the end of ``target``, replace the arguments of ``source``
        with ``arguments``, one value for each, and erase ``source``.
        """
        for argument, value in zip(source.arguments, arguments, strict=True):
            self.replace_all_uses(argument, value)
        for op in source.ops:
            target.append(op.detach())
            self.inserted(op)
        self.erase_block(source)

    def take_region(self, source: Region, target: Region, position: int | None = None) -> None:
        """Move all blocks of ``source`` to ``target``, before the block at index `position` (default: at the
        end). The listener is not notified.
        """
        target.take_blocks(source, position)

    def move_before(self, op: Operation, anchor: Operation) -> None:
        """Move an operation right before another."""
        op.move_before(anchor)
        self.modified(op)


def replacement_values(replacement: Operation | Value | Sequence[Value]) -> Sequence[Value]:
    """Return the values that replace the results of an operation: the results of `replacement`, or
    `replacement` as a sequence.
    """
    if isinstance(replacement, Operation):
        return replacement.results
    return (replacement,) if isinstance(replacement, Value) else replacement


class CannotCreate(Exception):
    """Raised if an operation cannot be created; the text is the reason."""


def create_operation(
    kind: OperationKind,
    groups: Sequence[Sequence[Value]],
    attributes: Mapping[str, Attribute],
    result_types: Sequence[Type] | None,
    location: Location | LazyLocation,
) -> Operation:
    """Return a new operation of ``kind``, in no block yet, whose operands are the values of all `groups`, one
    group for each declared operand. The sizes of the groups are stored where the kind requires it. Attributes
    that have a default get it if ``attributes`` lacks them. If ``result_types`` is None they are inferred;
    raises `CannotCreate` if they cannot be.
    """
    operands = [value for group in groups for value in group]
    own = {**attributes}
    for field in kind.attributes:
        if field.default is not MISSING and field.default is not None:
            own.setdefault(field.ir_name, field.default)
    if kind.segmented_operands and len(groups) == len(kind.operands):
        own.setdefault(OPERAND_SEGMENTS, segments([len(group) for group in groups]))
    types = inferred_types(kind, operands, own) if result_types is None else result_types
    return Operation.from_parts(kind, operands, types, own, location=location)


def inferred_types(
    kind: OperationKind, operands: Sequence[Value], attributes: Mapping[str, Attribute]
) -> Sequence[Type]:
    """Return the result types by the inference rule of the kind; raises `CannotCreate`.

    The rules of op classes expect operands and attributes as declared; errors that they raise for others
    become the reason.
    """
    try:
        return kind.op_class.infer_result_types(operands, attributes, ())
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise CannotCreate(f"the result types of '{kind.name}' cannot be inferred: {error}") from error
